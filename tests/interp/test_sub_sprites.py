"""SPRITE, MOTION, LOCATE, POSITION, PATTERN, MAGNIFY, DELSPRITE, COINC, DISTANCE as recorded."""

import pytest

from tests.interp.subcalls import EVERY, Console, Sprite, Var
from ti99tools import Console as Machine
from ti99tools import Program
from ti99tools.base.xberrors import BAD_VALUE, INCORRECT_ARGUMENT_LIST, SYNTAX_ERROR
from ti99tools.hardware.machine.clock import FRAME


@pytest.fixture
def console() -> Console:
    return Console()


def sprite(console: Console, number: int) -> str:
    return console.machine.sprites.attributes[4 * number - 4 : 4 * number].hex()


def motion(console: Console, number: int) -> str:
    return console.machine.sprites.motion[4 * number - 4 : 4 * number].hex()


def test_attributes(console: Console) -> None:
    s1, s2, s28 = Sprite(1), Sprite(2), Sprite(28)
    many = (s1, 65, 2, 1, 1, s2, 66, 16, 100, 200, s28, 67, 9, 192, 256)
    assert console.call("SPRITE", *many) is None
    assert [sprite(console, n) for n in (1, 2, 28)] == ["ff00a101", "62c7a20f", "beffa308"]
    assert console.call("SPRITE", Sprite(3), 65, 2, 256, 2) is None
    assert sprite(console, 3) == "fe01a101"
    assert sprite(console, 4) == "c0000000"


@pytest.mark.parametrize(
    ("arguments", "code", "left"),
    [
        ((Sprite(0), 65, 2, 10, 10), BAD_VALUE, "c0000000"),
        ((Sprite(29), 65, 2, 10, 10), BAD_VALUE, "c0000000"),
        ((Sprite(1), 31, 2, 10, 10), BAD_VALUE, "c0000000"),
        ((Sprite(1), 144, 2, 10, 10), BAD_VALUE, "c0000000"),
        ((Sprite(1), 65, 2, 0, 10), BAD_VALUE, "c000a101"),
        ((Sprite(1), 65, 2, 257, 10), BAD_VALUE, "c000a101"),
        ((Sprite(1), 65, 2, 10, 257), BAD_VALUE, "c000a101"),
        ((Sprite(1), 65, 2, 10), SYNTAX_ERROR, "c000a101"),
        ((1, 65, 2, 10, 10), SYNTAX_ERROR, "c0000000"),
        ((), SYNTAX_ERROR, "c0000000"),
    ],
)
def test_errors(console: Console, arguments: tuple[object, ...], code: int, left: str) -> None:
    assert console.call("SPRITE", *arguments) == code
    assert sprite(console, 1) == left


def test_motion_after_a_number_of_frames(console: Console) -> None:
    assert console.call("SPRITE", Sprite(1), 65, 7, 50, 60, 10, -20) is None
    console.machine.clock.advance(5 * FRAME)
    assert sprite(console, 1) == "3334a106"
    assert motion(console, 1) == "0aec020c"


def test_velocities_survive_a_new_definition(console: Console) -> None:
    assert console.call("SPRITE", Sprite(1), 65, 2, 10, 20, 3, 4) is None
    console.machine.clock.advance(4 * FRAME)
    assert console.call("SPRITE", Sprite(1), 66, 3, 30, 40) is None
    assert sprite(console, 1) == "1c27a202"
    assert motion(console, 1) == "03040f04"  # five frames: the call itself takes time


def test_velocity_limits(console: Console) -> None:
    assert console.call("MOTION", Sprite(1), -128, 127) is None
    assert console.call("MOTION", Sprite(1), -129, 0) == BAD_VALUE
    assert console.call("MOTION", Sprite(1), 0, 128) == BAD_VALUE
    assert motion(console, 1) == "807f0000"


def test_delsprite_keeps_pattern_and_colour(console: Console) -> None:
    assert console.call("SPRITE", Sprite(1), 65, 7, 50, 60, 4, 4) is None
    console.machine.clock.advance(3 * FRAME)
    assert console.call("DELSPRITE", Sprite(1)) is None
    assert (sprite(console, 1), motion(console, 1)) == ("c000a106", "00000c0c")
    assert console.call("DELSPRITE", EVERY) is None
    assert (sprite(console, 1), motion(console, 1)) == ("c0000000", "00000000")
    assert console.call("DELSPRITE", Sprite(0)) == BAD_VALUE
    assert console.call("DELSPRITE", 1) == SYNTAX_ERROR
    assert console.call("DELSPRITE") == SYNTAX_ERROR


def test_position(console: Console) -> None:
    row, column = Var("R"), Var("C")
    for number, place in enumerate([(50, 60), (1, 1), (192, 256), (256, 128)], start=1):
        assert console.call("SPRITE", Sprite(number), 65, 7, *place) is None
        assert console.call("POSITION", Sprite(number), row, column) is None
        assert (row.value, column.value) == place
    assert console.call("POSITION", Sprite(9), row, column) is None
    assert (row.value, column.value) == (0, 0)
    assert console.call("POSITION", Sprite(29), row, column) == BAD_VALUE
    assert console.call("POSITION", Sprite(1), row) == SYNTAX_ERROR
    assert console.call("POSITION", Sprite(1), Var("R$", ""), column) == INCORRECT_ARGUMENT_LIST


def test_locate_pattern_color_magnify(console: Console) -> None:
    assert console.call("LOCATE", Sprite(1), 192, 1, Sprite(2), 1, 256) is None
    assert console.call("PATTERN", Sprite(1), 97, Sprite(2), 143) is None
    assert console.call("COLOR", Sprite(1), 1, Sprite(2), 16) is None
    assert (sprite(console, 1), sprite(console, 2)) == ("be00c100", "ffffef0f")
    assert console.call("PATTERN", Sprite(1), 144) == BAD_VALUE
    assert console.call("MAGNIFY", 4) is None
    assert console.machine.vdp.registers[1] == 0xE3
    assert console.call("MAGNIFY", 5) == BAD_VALUE


@pytest.mark.parametrize(
    ("other", "tolerance", "result"),
    [((55, 60), 4, 0), ((55, 60), 5, -1), ((46, 63), 3, 0), ((46, 63), 4, -1), ((50, 60), 0, -1)],
)
def test_coinc(console: Console, other: tuple[int, int], tolerance: int, result: int) -> None:
    c = Var("C")
    assert console.call("SPRITE", Sprite(1), 65, 7, 50, 60, Sprite(2), 65, 7, *other) is None
    for arguments in ((Sprite(1), Sprite(2)), (Sprite(2), Sprite(1)), (Sprite(1), *other)):
        assert console.call("COINC", *arguments, tolerance, c) is None
        assert c.value == result


def test_a_quick_sprite_moves_between_two_looks_at_it() -> None:
    """As in random-sprmove-921050: it leaps over the rows that are skipped meanwhile."""
    listing = """100 CALL SPRITE(#1,96,13,41,128,-98,-85)
110 FOR I=1 TO 200::CALL COINC(#1,#1,8,C)::H=H+C::NEXT I
"""
    console = Machine()
    console.load(Program.from_listing(listing))
    assert console.run() == "ready"
    hits = console.variables["H"]
    assert isinstance(hits, int)
    assert 180 < -hits < 200


def test_coinc_errors(console: Console) -> None:
    c = Var("C", 7)
    assert console.call("COINC", Sprite(1), 0, 1, 5, c) == BAD_VALUE
    assert console.call("COINC", Sprite(1), Sprite(2), c) == SYNTAX_ERROR
    assert console.call("COINC", Sprite(1), 50, 60, -1, c) == BAD_VALUE
    assert console.call("COINC", Sprite(1), Sprite(2), -1) == SYNTAX_ERROR
    assert console.call("COINC", EVERY) == SYNTAX_ERROR
    assert c.value == 7


def test_coinc_all_looks_at_dots(console: Console) -> None:
    c = Var("C")
    assert console.call("CHAR", 128, "FF818181818181FF") is None
    assert console.call("CHAR", 129, "0000001818") is None
    assert console.call("SPRITE", Sprite(1), 128, 2, 50, 60, Sprite(2), 129, 2, 50, 60) is None
    assert console.call("COINC", EVERY, c) is None
    assert c.value == 0
    for column, hit in ((62, 0), (63, -1), (62, 0)):
        assert console.call("LOCATE", Sprite(2), 50, column) is None
        console.machine.clock.advance(3 * FRAME)
        assert console.call("COINC", EVERY, c) is None
        assert c.value == hit


@pytest.mark.parametrize(("row", "seen"), [(20, (-1, -1)), (120, (0, -1))])
def test_a_pair_apart_clears_the_flag_until_a_frame_is_drawn(
    console: Console, row: int, seen: tuple[int, int]
) -> None:
    """A pair that is near does not (recorded: prog-sprites, asked3b-18-4a)."""
    c = Var("C")
    clock = console.machine.clock
    assert console.call("CHAR", 128, "FFFFFFFFFFFFFFFF") is None
    assert console.call("SPRITE", Sprite(1), 128, 2, 20, 30, Sprite(2), 128, 2, 20, 30) is None
    for afterwards, hit in zip((1, 2), seen, strict=True):
        clock.advance_to((clock.frame + 3) * FRAME + FRAME * 9 // 10)
        assert console.call("COINC", Sprite(1), row, 30, 0, Var("D")) is None
        clock.advance_to((clock.frame + afterwards) * FRAME + FRAME * 8 // 10)
        assert console.call("COINC", EVERY, c) is None
        assert c.value == hit


@pytest.mark.parametrize(
    ("place", "square"),
    [
        ((1, 1), 0),
        ((182, 1), 32761),
        ((182, 4), 32767),
        ((128, 128), 32258),
        ((129, 129), 32767),
        ((1, 256), 32767),
        ((150, 101), 32201),
    ],
)
def test_distance(console: Console, place: tuple[int, int], square: int) -> None:
    d = Var("D")
    assert console.call("SPRITE", Sprite(1), 65, 7, 1, 1, Sprite(2), 65, 7, *place) is None
    assert console.call("DISTANCE", Sprite(1), *place, d) is None
    assert d.value == square
    assert console.call("DISTANCE", Sprite(2), Sprite(1), d) is None
    assert d.value == square


def test_a_point_in_row_256_is_far_from_everything(console: Console) -> None:
    """Found by a random session (F6)."""
    d = Var("D")
    assert console.call("SPRITE", Sprite(3), 96, 5, 173, 59) is None
    assert console.call("DISTANCE", Sprite(3), 255, 59, d) is None
    assert d.value == 6724
    assert console.call("DISTANCE", Sprite(3), 256, 59, d) is None
    assert d.value == 32767
    assert console.call("COINC", Sprite(3), 255, 59, 90, d) is None
    assert d.value == -1
    assert console.call("COINC", Sprite(3), 256, 59, 90, d) is None
    assert d.value == 0
