"""CLEAR, HCHAR, VCHAR, GCHAR, CHAR, CHARPAT, CHARSET, COLOR, SCREEN as recorded."""

import pytest

from tests.interp.subcalls import Console, Sprite, Var
from ti99tools.base.xberrors import (
    BAD_ARGUMENT,
    BAD_VALUE,
    IMPROPERLY_USED_NAME,
    STRING_NUMBER_MISMATCH,
    SYNTAX_ERROR,
)
from ti99tools.hardware.machine.vdp import standard_pattern


@pytest.fixture
def console() -> Console:
    return Console()


def pattern(console: Console, code: int) -> str:
    return console.machine.vdp.patterns[8 * (code - 30) : 8 * (code - 29)].hex()


def test_hchar_goes_on_in_the_next_row_and_from_row_24_to_row_1(console: Console) -> None:
    assert console.call("HCHAR", 5, 30, 65, 5) is None
    assert console.call("HCHAR", 24, 20, 66, 20) is None
    rows = console.machine.screen.rows
    assert rows[4] == " " * 29 + "AAA"
    assert rows[5].startswith("AA ")
    assert rows[23] == " " * 19 + "B" * 13
    assert rows[0] == "B" * 7 + " " * 25


def test_vchar_goes_on_in_the_next_column_and_from_32_to_1(console: Console) -> None:
    assert console.call("VCHAR", 23, 32, 67, 4) is None
    screen = console.machine.screen
    places = [(22, 31), (23, 31), (0, 0), (1, 0)]
    assert [screen.get(*place) for place in places] == [67] * 4
    assert screen.codes.count(67) == 4


@pytest.mark.parametrize("name", ["HCHAR", "VCHAR"])
def test_repetition(console: Console, name: str) -> None:
    assert console.call(name, 5, 5, 65, 0) is None
    assert console.machine.screen.codes.count(65) == 0
    assert console.call(name, 4.5, 5.4, 65.5, 2.5) is None
    assert console.machine.screen.get(4, 4) == 66
    assert console.machine.screen.codes.count(66) == 3
    assert console.call(name, 3, 7, 67, 800) is None
    assert set(console.machine.screen.codes) == {67}


def test_codes_are_taken_modulo_256(console: Console) -> None:
    assert console.call("HCHAR", 1, 1, 256 + 65) is None
    assert console.machine.screen.get(0, 0) == 65


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((0, 1, 65), BAD_VALUE),
        ((25, 1, 65), BAD_VALUE),
        ((1, 0, 65), BAD_VALUE),
        ((1, 33, 65), BAD_VALUE),
        ((1, 1, 65, -1), BAD_VALUE),
        ((40000, 1, 65), BAD_VALUE),
        ((25, "A", 65), BAD_VALUE),
        ((1, 1), SYNTAX_ERROR),
        ((), SYNTAX_ERROR),
        ((1, 1, "A"), STRING_NUMBER_MISMATCH),
    ],
)
def test_hchar_and_vchar_errors(console: Console, arguments: tuple[object, ...], code: int) -> None:
    assert console.call("HCHAR", *arguments) == code
    assert console.call("VCHAR", *arguments) == code
    assert set(console.machine.screen.codes) == {32}


def test_superfluous_arguments_are_an_error_after_the_effect(console: Console) -> None:
    assert console.call("HCHAR", 1, 1, 65, 2, 3) == SYNTAX_ERROR
    assert console.machine.screen.rows[0].startswith("AA ")
    a, b = Var("A"), Var("B")
    assert console.call("GCHAR", 1, 1, a, 1, 3, b) == SYNTAX_ERROR
    assert (a.value, b.value) == (65, 0)


def test_gchar(console: Console) -> None:
    console.machine.screen.scroll()
    x = Var()
    assert console.call("GCHAR", 24, 32, x) is None
    assert x.value == 31
    assert console.call("HCHAR", 6, 6, 200) is None
    assert console.call("GCHAR", 6, 6, x) is None
    assert x.value == 200
    assert console.call("GCHAR", 0, 1, x) == BAD_VALUE
    assert console.call("GCHAR", 1, 1, Var("X$", "")) == IMPROPERLY_USED_NAME
    assert console.call("GCHAR", 1, 1, 5) == SYNTAX_ERROR


def test_clear_blanks_the_edges_too(console: Console) -> None:
    console.machine.screen.scroll()
    assert console.call("CLEAR") is None
    assert set(console.machine.screen.codes) == {32}


def test_char_defines_several_characters(console: Console) -> None:
    assert console.call("CHAR", 65, "FF", 66.5, "00FF", 128, "0123456789ABCDEF" + "F") is None
    assert pattern(console, 65) == "ff" + "00" * 7
    assert pattern(console, 67) == "00ff" + "00" * 6
    assert pattern(console, 128) == "0123456789abcdef"
    assert pattern(console, 129) == "f0" + "00" * 7
    assert console.call("CHAR", 65, "") is None
    assert pattern(console, 65) == "00" * 8


def test_char_drops_what_does_not_fit(console: Console) -> None:
    assert console.call("CHAR", 100, "AA" * 40) is None
    assert pattern(console, 103) == "aa" * 8
    assert pattern(console, 104) == standard_pattern(104).hex()
    assert console.call("CHAR", 142, "AA" * 32) is None
    assert pattern(console, 143) == "aa" * 8
    assert pattern(console, 144) == "00" * 8


def test_char_stores_the_pairs_before_a_bad_one(console: Console) -> None:
    for code, digits in ((128, "GG"), (129, "FF0G"), (130, "ff"), (131, " F")):
        assert console.call("CHAR", code, digits) == BAD_VALUE
    assert pattern(console, 129) == "ff" + "00" * 7
    for code in (128, 130, 131):
        assert pattern(console, code) == "00" * 8


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((31, "FF"), BAD_VALUE),
        ((144, "FF"), BAD_VALUE),
        ((132, 5), STRING_NUMBER_MISMATCH),
        (("A", "FF"), STRING_NUMBER_MISMATCH),
        ((133,), SYNTAX_ERROR),
    ],
)
def test_char_errors(console: Console, arguments: tuple[object, ...], code: int) -> None:
    assert console.call("CHAR", *arguments) == code


def test_charpat(console: Console) -> None:
    a, b = Var("A$", ""), Var("B$", "")
    assert console.call("CHARPAT", 65, a, 97, b) is None
    assert (a.value, b.value) == ("003844447C444444", "00000038447C4444")
    for code in (31, 29, 144, 160):
        assert console.call("CHARPAT", code, a) == BAD_ARGUMENT
    assert console.call("CHARPAT", 65, Var("A")) == STRING_NUMBER_MISMATCH
    assert console.call("CHARPAT", 65) == SYNTAX_ERROR


def test_charset_restores_capitals_and_colours_only(console: Console) -> None:
    assert console.call("CHAR", 65, "FF", 97, "FF", 128, "FF") is None
    assert console.call("COLOR", 5, 7, 11, 0, 7, 8) is None
    assert console.call("SCREEN", 4) is None
    assert console.call("CHARSET") is None
    assert pattern(console, 65) == standard_pattern(65).hex()
    assert pattern(console, 97) == "ff" + "00" * 7
    assert console.machine.vdp.colors.hex() == "00" * 15 + "10" * 17
    assert console.machine.vdp.backdrop == 3


def test_color_sets(console: Console) -> None:
    assert console.call("COLOR", 0, 1, 16, 1, 2, 15, 14, 16, 1) is None
    assert console.machine.vdp.colors.hex() == "00" * 15 + "0f1e" + "10" * 12 + "f0" + "10" * 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((-1, 2, 3), BAD_VALUE),
        ((15, 2, 3), BAD_VALUE),
        ((1, 0, 3), BAD_VALUE),
        ((1, 17, 3), BAD_VALUE),
        ((1, 2, 0), BAD_VALUE),
        ((1, 2), SYNTAX_ERROR),
        (("A", 2, 3), STRING_NUMBER_MISMATCH),
    ],
)
def test_color_errors(console: Console, arguments: tuple[object, ...], code: int) -> None:
    assert console.call("COLOR", *arguments) == code
    assert console.machine.vdp.colors.hex() == "00" * 15 + "10" * 17


def test_color_keeps_to_the_kind_it_began_with(console: Console) -> None:
    assert console.call("COLOR", Sprite(1), 5, 2, 3, 4) == SYNTAX_ERROR
    assert console.machine.sprites.attributes[3] == 4
    assert console.call("COLOR", 3, 4, 5, Sprite(1), 6) == SYNTAX_ERROR
    assert console.machine.vdp.colors[18] == 0x34
    assert console.machine.sprites.attributes[3] == 4


def test_screen(console: Console) -> None:
    assert console.call("SCREEN", 4.5) is None
    assert console.machine.vdp.registers[7] == 4
    for wrong in (0, 17, -1, 16.6):
        assert console.call("SCREEN", wrong) == BAD_VALUE
    assert console.call("SCREEN", "A") == STRING_NUMBER_MISMATCH
    assert console.call("SCREEN") == SYNTAX_ERROR
    assert console.machine.vdp.registers[7] == 4


@pytest.mark.parametrize("name", ["HCHAR", "COLOR", "CHAR", "GCHAR"])
def test_a_missing_argument_is_noticed_before_a_bad_value(console: Console, name: str) -> None:
    assert console.call(name, -1) == SYNTAX_ERROR
    assert console.call(name, "A") == SYNTAX_ERROR
