"""ACCEPT: fields, clauses, validation and sounds, as the recorded accept cases have them."""

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.printer import PrintRow
from ti99tools.computer.interp.io.screenio import DIGIT, NUMERIC, UALPHA, Area, ScreenIO
from ti99tools.computer.numbers.radix import LARGEST, Value
from ti99tools.hardware.machine.clock import Pause
from ti99tools.hardware.machine.machine import Machine

BEEP = bytes((0xBF, 0xDF, 0xFF, 0x80, 0x05, 0x92))
HONK = bytes((0xBF, 0xDF, 0xFF, 0x80, 0x20, 0x90))


class Desk:
    """A machine and one ACCEPT at a time."""

    def __init__(self) -> None:
        self.machine = Machine()
        self.pending = PrintRow()
        self.warnings: list[int] = []

        def warn(code: int, pushed: str = "") -> None:
            self.warnings.append(code)

        self.io = ScreenIO(self.machine, self.pending, warn, lambda: None)

    def area(self, size: int | None = None, at: tuple[int, int] | None = (10, 5)) -> Area:
        area = self.io.area()
        if at is not None:
            area.at_row(at[0])
            area.at_column(at[1])
        if size is not None:
            area.sized(size)
        return area

    def accept(self, area: Area, *keys: str, string: bool = True) -> Value:
        """Type the keys (named ones in angle brackets), then ENTER."""
        self.io.begin_accept(area, string)
        for key in keys:
            if key.startswith("<"):
                self.machine.keyboard.press(key.strip("<>"))
            else:
                self.machine.keyboard.type(key)
        if not (keys and keys[-1] in ("<UP>", "<DOWN>")):
            self.machine.keyboard.type("\n")
        (value,) = self.io.finish()
        return value

    def row(self, number: int = 10) -> str:
        return self.machine.screen.rows[number - 1]

    @property
    def sounds(self) -> tuple[int, int]:
        """How many beeps and error tones there were."""
        written = bytes(self.machine.sound.written)
        return written.count(BEEP), written.count(HONK)


@pytest.fixture
def desk() -> Desk:
    return Desk()


STROKES = [
    (4, ("ABCDEF",), "ABCF", "ABCF", 2),
    (10, ("  A B  ",), "  A B", "  A B", 0),
    (10, ("ABCD", "<LEFT>", "<LEFT>", "X"), "ABXD", "ABXD", 0),
    (10, ("ABC", *["<LEFT>"] * 5, "X", *["<RIGHT>"] * 3, "Y"), "XBC Y", "XBC Y", 0),
    (4, (*["<RIGHT>"] * 5, "X"), "   X", "   X", 2),
    (10, ("ABCDE", "<LEFT>", "<LEFT>", "<LEFT>", "<DEL>"), "ABDE", "ABDE", 0),
    (10, ("ABC", "<DEL>", "<DEL>"), "ABC", "ABC", 0),
    (4, ("ABCD", "<LEFT>", "<LEFT>", "<DEL>"), "ACD", "ACD ", 0),
    (10, ("ABCD", "<LEFT>", "<LEFT>", "<INS>", "XY"), "ABXYCD", "ABXYCD", 0),
    (10, ("ABCD", "<LEFT>", "<LEFT>", "<INS>", "X", "<LEFT>", "Q"), "ABQCD", "ABQCD", 0),
    (4, ("ABCD", "<LEFT>", "<LEFT>", "<INS>", "XY"), "AXYB", "AXYB", 0),
    (3, ("ABC", "<LEFT>", "<LEFT>", "<INS>", "XYZ"), "XYZ", "XYZ", 0),
    (10, ("ABCD", "<ERASE>", "XY"), "XY", "XY        ", 0),
    (2, ("ABC",), "AC", "AC", 1),
    (2, ("ABCDE",), "AE", "AE", 3),
    (3, ("A", *["<RIGHT>"] * 4), "A", "A  ", 2),
    (3, ("A", *["<LEFT>"] * 4), "A", "A  ", 0),
    (3, ("<DEL>", "<INS>", "<ERASE>"), "", "   ", 0),
    (10, ("ABC", "<DOWN>"), "ABC", "ABC", 0),
    (10, ("ABC", "<LEFT>", "<UP>"), "ABC", "ABC", 0),
    (4, ("A", "<REDO>", "<AID>", "B"), "AB", "AB", 0),
]


@pytest.mark.parametrize(("size", "keys", "value", "cells", "beeps"), STROKES)
def test_strokes(
    desk: Desk, size: int, keys: tuple[str], value: str, cells: str, beeps: int
) -> None:
    desk.machine.screen.repeat_right(9, 0, 42, 32)
    assert desk.accept(desk.area(size), *keys) == value
    assert desk.row() == ("******" + cells.ljust(size)).ljust(32, "*")
    assert desk.sounds == (beeps, 0)


@pytest.mark.parametrize(
    ("text", "size", "keys", "value"),
    [
        ("OLDTXT", 6, ("NEW",), "NEWTXT"),
        ("ABC   ", 6, ("X",), "XBC"),
        ("OLDTXT", 6, ("<ERASE>", "Q"), "Q"),
        ("***", 3, (), "***"),
        ("OLDTXT", 6, ("<DEL>",), "LDTXT"),
    ],
)
def test_a_negative_size_keeps_what_is_there(
    desk: Desk, text: str, size: int, keys: tuple[str], value: str
) -> None:
    desk.machine.screen.write(9, 6, text.encode())
    assert desk.accept(desk.area(-size), *keys) == value


@pytest.mark.parametrize(
    ("words", "keys", "value", "refused"),
    [
        ([UALPHA], "A1B C-D", "AB CD", 2),
        ([NUMERIC], "-1.5E+3A,B", "-1.5E+3", 3),
        ([DIGIT], "1A2.", "12", 2),
        (["YN"], "AYBNC", "YN", 3),
        ([DIGIT, "XZ"], "X1YZ2", "X1Z2", 1),
    ],
)
def test_validation(
    desk: Desk, words: list[frozenset[int] | str], keys: str, value: str, refused: int
) -> None:
    area = desk.area(12)
    for word in words:
        area.validate(word) if isinstance(word, str) else area.admit(word)
    assert desk.accept(area, keys) == value
    assert desk.sounds == (0, refused)


def test_without_size_the_rest_of_the_row_is_the_field(desk: Desk) -> None:
    desk.machine.screen.fill(42)
    assert desk.accept(desk.area(at=(10, 25)), "ABCDEF") == "ABCF"
    assert desk.row() == "*" * 26 + "ABCF**"


def test_without_at_the_bottom_row_is_the_field_and_scrolls(desk: Desk) -> None:
    printer = desk.io.printer()
    printer.string("AB")
    printer.semicolon()
    printer.end()
    assert desk.accept(desk.area(at=None), "XY") == "XY"
    assert desk.row(23) == "  ABXY" + " " * 24 + "\x1f\x1f"
    assert desk.pending.column == 0


def test_numbers(desk: Desk) -> None:
    assert desk.accept(desk.area(8), "1.5E3", string=False) == 1500
    assert desk.accept(desk.area(8), "ABC\n12", string=False) == 12
    assert desk.accept(desk.area(8), "\n7", string=False) == 7
    assert desk.accept(desk.area(8), "1E200", string=False) == LARGEST
    assert desk.warnings == [xb.STRING_NUMBER_MISMATCH, xb.INPUT_ERROR, xb.NUMERIC_OVERFLOW]


def test_a_bad_size_comes_before_the_beep(desk: Desk) -> None:
    area = desk.io.area()
    desk.machine.screen.fill(42)
    area.erase()
    assert desk.row() == " " * 32
    area.beep()
    for size in (0, 256, -256):
        with pytest.raises(XBError) as caught:
            area.sized(size)
        assert caught.value.code == xb.BAD_VALUE
    assert desk.sounds == (0, 0)
    desk.io.begin_accept(area, True)
    assert desk.sounds == (1, 0)


def test_the_field_is_empty_while_it_waits(desk: Desk) -> None:
    desk.machine.screen.fill(42)
    desk.io.begin_accept(desk.area(4), True)
    with pytest.raises(Pause):
        desk.io.finish()
    assert desk.row() == "******\x1e   " + "*" * 22


def test_the_tone_of_a_refused_key_waits_for_the_one_before(desk: Desk) -> None:
    area = desk.area(4)
    area.digit()
    assert desk.accept(area, "XYZ1") == "1"
    written = bytes(desk.machine.sound.written)
    assert written.count(HONK) == 3
    assert written.count(HONK + b"\x9f") >= 2
