"""INPUT and LINPUT on the screen, as the recorded input cases have them."""

from collections.abc import Sequence

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.computer.interp.io.lineeditor import BadLine, input_values, split_items
from ti99tools.computer.interp.io.printer import PrintRow
from ti99tools.computer.interp.io.screenio import ScreenIO
from ti99tools.computer.interp.run import runtime
from ti99tools.computer.numbers.forms import to_str
from ti99tools.computer.numbers.radix import Radix
from ti99tools.hardware.machine.clock import Pause
from ti99tools.hardware.machine.machine import Machine

BEEP = bytes((0xBF, 0xDF, 0xFF, 0x80, 0x05, 0x92))
HONK = bytes((0xBF, 0xDF, 0xFF, 0x80, 0x20, 0x90))


class Stopped(Exception):
    """CLEAR was pressed."""


class Desk:
    """A machine, its screen statements, and keys to type."""

    def __init__(self) -> None:
        self.machine = Machine()
        self.pending = PrintRow()
        self.warnings: list[int] = []
        self.quiet = False

        def warn(code: int, pushed: str = "") -> None:
            self.warnings.append(code)
            if not self.quiet:
                where = runtime.Where(110)
                self.machine.sound.honk()
                runtime.show(self.machine.screen, runtime.warning_rows(xb.TEXTS[code], where))

        def clear() -> None:
            raise Stopped

        self.io = ScreenIO(self.machine, self.pending, warn, clear)

    def print(self, text: str) -> None:
        printer = self.io.printer()
        printer.string(text)
        printer.semicolon()
        printer.end()

    def keys(self, *keys: str) -> None:
        """Text to type; words in angle brackets are named keys."""
        for key in keys:
            if key.startswith("<"):
                self.machine.keyboard.press(key.strip("<>"))
            else:
                self.machine.keyboard.type(key)

    @property
    def text(self) -> list[str]:
        rows = [row.replace("\x1e", " ")[2:30].rstrip() for row in self.machine.screen.rows]
        while rows and not rows[0]:
            rows.pop(0)
        return rows


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.parametrize(
    ("line", "strings", "values"),
    [
        ("JOE,5,-2.5", (True, False, False), ["JOE", 5, "-2.5"]),
        ('"A,B"," C "', (True, True), ["A,B", " C "]),
        ('"A""B"', (True,), ['A"B']),
        ('A"B', (True,), ['A"B']),
        ("", (True,), [""]),
        (",X,", (True, True, True), ["", "X", ""]),
        ("1E3,+5,-.5, 7 ", (False,) * 4, [1000, 5, "-.5", 7]),
        (" 12.50 ", (True,), ["12.50"]),
    ],
)
def test_good_lines(line: str, strings: Sequence[bool], values: list[object]) -> None:
    got = input_values(line, strings)
    assert [to_str(v) if isinstance(v, Radix) else v for v in got] == values


@pytest.mark.parametrize(
    ("line", "strings", "early"),
    [
        ("5,6,7", (False, False), False),
        ("5", (False, False), False),
        ("A,B", (True,), False),
        ("", (False,), False),
        ("1 2", (False,), False),
        ('"12"', (False,), False),
        ("5,X", (False, False), False),
        ('"AB', (True,), True),
        ('"AB"C', (True,), True),
        ('X,"', (True, True), True),
    ],
)
def test_bad_lines(line: str, strings: Sequence[bool], early: bool) -> None:
    with pytest.raises(BadLine) as caught:
        input_values(line, strings)
    assert (caught.value.code, caught.value.early) == (xb.INPUT_ERROR, early)


def test_items_keep_whether_they_were_quoted() -> None:
    assert split_items(' "A" , B ') == [("A", True), ("B", False)]


def test_a_number_too_large_asks_again() -> None:
    with pytest.raises(BadLine) as caught:
        input_values("1E200", (False,))
    assert caught.value.code == xb.NUMERIC_OVERFLOW


def test_input_prompts_waits_and_goes_on(desk: Desk) -> None:
    desk.io.begin_input(None, (True,))
    with pytest.raises(Pause):
        desk.io.finish()
    row = desk.machine.screen.rows[23]
    assert row == "  ? \x1e" + " " * 25 + "\x1f\x1f"
    assert desk.io.editor is not None
    assert desk.io.editor.cursor == (23, 4)
    assert bytes(desk.machine.sound.written) == BEEP
    desk.keys("HEL")
    with pytest.raises(Pause):
        desk.io.finish()
    assert desk.text == ["? HEL"]
    desk.keys("LO\n")
    assert desk.io.finish() == ["HELLO"]
    assert desk.text == ["? HELLO", ""]
    assert desk.io.editor is None


def test_input_goes_on_in_a_pending_row(desk: Desk) -> None:
    desk.print("ABC")
    desk.io.begin_input("S? ", (True,))
    desk.keys("X\n")
    assert desk.io.finish() == ["X"]
    assert desk.text == ["ABCS? X", ""]
    assert desk.pending.column == 0


def test_linput_gets_a_blank_behind_a_line_that_goes_on_in_a_second_row(desk: Desk) -> None:
    for prompt, typed in (("?" * 21, "12/31/1999"), ("?" * 21, "12/31/9")):
        desk.io.begin_linput(prompt)
        desk.keys(typed + "\n")
        assert desk.io.finish() == [typed + " " * (len(prompt + typed) > 28)]


def test_no_beep_while_something_sounds(desk: Desk) -> None:
    desk.machine.sound.play(1000, [(254, 0)])
    before = bytes(desk.machine.sound.written)
    desk.io.begin_input(None, (True,))
    assert bytes(desk.machine.sound.written) == before


def test_a_bad_line_is_asked_for_again_without_a_beep(desk: Desk) -> None:
    desk.io.begin_input("A,B? ", (False, False))
    desk.keys("5,6,7\n6,7\n")
    assert desk.io.finish() == [6, 7]
    assert desk.text == [
        *("A,B? 5,6,7", "", "* WARNING", "  INPUT ERROR IN 110", "", "A,B? 6,7", ""),
    ]
    written = bytes(desk.machine.sound.written)
    assert written.count(BEEP) == 1
    assert written.count(HONK) == 1


def test_a_bad_quote_warns_before_the_row_ends(desk: Desk) -> None:
    desk.io.begin_input("S? ", (True,))
    desk.keys('"AB\nZ\n')
    assert desk.io.finish() == ["Z"]
    assert desk.text == ['S? "AB', "* WARNING", "  INPUT ERROR IN 110", "", "S? Z", ""]


def test_without_warnings_an_empty_row_is_left(desk: Desk) -> None:
    desk.quiet = True
    desk.io.begin_input("N? ", (False,))
    desk.keys("ABC\n4\n")
    assert desk.io.finish() == [4]
    assert desk.text == ["N? ABC", "", "N? 4", ""]


def test_a_line_takes_140_characters_with_its_prompt(desk: Desk) -> None:
    desk.io.begin_input("TEXT? ", (True,))
    desk.keys("".join(f"{n:09d}X" for n in range(17)) + "\n")
    (text,) = desk.io.finish()
    assert isinstance(text, str)
    assert len(text) == 134
    assert text.endswith("000000012X000X")
    assert desk.text[0] == "TEXT? 000000000X000000001X00"
    assert len(desk.text) == 6


def test_editing(desk: Desk) -> None:
    desk.io.begin_input("S? ", (True,))
    desk.keys("ABCD", "<LEFT>", "<LEFT>", "<DEL>", "X", "<LEFT>", "<INS>", "12\n")
    assert desk.io.finish() == ["AB12X"]
    desk.io.begin_input("T? ", (True,))
    desk.keys("ABC", "<ERASE>", "Z\n")
    assert desk.io.finish() == ["Z"]
    assert desk.text == ["S? AB12X", "T? Z", ""]


def test_editing_across_rows(desk: Desk) -> None:
    desk.io.begin_input("", (True,))
    desk.keys("A" * 30, *(["<LEFT>"] * 10), "<INS>", "B", *(["<LEFT>"] * 19), "<DEL>", "\n")
    assert desk.io.finish() == ["A" * 19 + "B" + "A" * 10]
    assert desk.text == ["A" * 19 + "B" + "A" * 8, "AA", ""]


def test_linput_takes_a_line_as_typed(desk: Desk) -> None:
    desk.io.begin_linput("S? ")
    desk.keys('  "A",B \n')
    assert desk.io.finish() == ['  "A",B ']


def test_clear_stops_the_program(desk: Desk) -> None:
    desk.io.begin_linput(None)
    desk.keys("AB", "<CLEAR>")
    with pytest.raises(Stopped):
        desk.io.finish()
