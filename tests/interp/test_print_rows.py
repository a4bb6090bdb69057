"""Printers: items laid out on the screen as the recorded print and display cases show them."""

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.printer import (
    AreaPrinter,
    FieldPrinter,
    Printer,
    PrintRow,
    ScreenPrinter,
    coordinate,
)
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.hardware.machine.machine import Machine

ITEMS = {";": "semicolon", ",": "comma", ":": "colon"}


def give(printer: Printer, *items: object) -> None:
    """Separators as they are, numbers, TABs as ("TAB", n), other strings; then the end."""
    for item in items:
        if isinstance(item, str) and item in ITEMS:
            getattr(printer, ITEMS[item])()
        elif isinstance(item, str):
            printer.string(item)
        elif isinstance(item, tuple):
            printer.tab(item[1])
        else:
            printer.number(item)  # type: ignore[arg-type]
    printer.end()


class Paper:
    """A machine whose PRINT can be looked at."""

    def __init__(self) -> None:
        self.machine = Machine()
        self.pending = PrintRow()

    def print(self, *items: object) -> None:
        give(ScreenPrinter(self.machine.screen, self.pending), *items)

    @property
    def text(self) -> list[str]:
        """The rows above the bottom one, blank ones on top left out, without margins."""
        rows = [row[2:30].rstrip() for row in self.machine.screen.rows]
        while rows and not rows[0]:
            rows.pop(0)
        return rows

    def row(self, number: int) -> str:
        return self.machine.screen.rows[number - 1]


@pytest.fixture
def paper() -> Paper:
    return Paper()


ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ01"

ROWS = [
    ((",", "X"), [" " * 14 + "X"]),
    (("A", ",", ",", ",", "W"), ["A", " " * 14 + "W"]),
    ((123456789012, ",", 1), [" 1.23457E+11   1"]),
    (("ABCDEFGHIJK", ";", 1, ",", 2), ["ABCDEFGHIJK 1", " 2"]),
    (("ABCDEFGHIJKLMNOPQRST", ";", "12345678"), ["ABCDEFGHIJKLMNOPQRST12345678"]),
    (("ABCDEFGHIJKLMNOPQRST", ";", "123456789"), ["ABCDEFGHIJKLMNOPQRST", "123456789"]),
    (("AB", ";", "x" * 30), ["AB", "x" * 28, "xx"]),
    ((ALPHABET, ";", "X"), [ALPHABET, "X"]),
    ((ALPHABET[:27], ";", "", ";", "X"), [ALPHABET[:27] + "X"]),
    ((ALPHABET[:25], ";", 12), [ALPHABET[:25] + " 12"]),
    ((ALPHABET[:26], ";", 12), [ALPHABET[:26], " 12"]),
    ((ALPHABET[:24], ";", 12, ";", "Z"), [ALPHABET[:24] + " 12", "Z"]),
    ((("TAB", 5), ";", "A", ";", ("TAB", 10), ";", "B"), ["    A    B"]),
    (("ABCDE", ";", ("TAB", 5), ";", "F"), ["ABCDE", "    F"]),
    (("ABCDE", ";", ("TAB", 6), ";", "F"), ["ABCDEF"]),
    (("AB", ";", ("TAB", 20), ",", "C"), ["AB", "C"]),
    ((("TAB", 29), ";", "A"), ["A"]),
    ((("TAB", 56), ";", "C"), [" " * 27 + "C"]),
    ((("TAB", 1000), ";", "F"), [" " * 19 + "F"]),
    (("XY", ";", ("TAB", -300), ";", "D"), ["XY", "D"]),
    (("A", ":"), ["A"]),
]


@pytest.mark.parametrize(("items", "rows"), ROWS)
def test_print_lays_items_out(paper: Paper, items: tuple[object, ...], rows: list[str]) -> None:
    paper.print(*items)
    assert paper.text == [*rows, ""]


def test_print_without_items_prints_a_row_and_two_colons_two(paper: Paper) -> None:
    paper.print("1")
    paper.print()
    paper.print(":", ":")
    paper.print("2")
    assert paper.text == ["1", "", "", "", "2", ""]


def test_trailing_separators_keep_the_row_open(paper: Paper) -> None:
    paper.print("A", ",")
    paper.print("B", ",")
    paper.print(5, ";")
    paper.print("C")
    assert paper.text == ["A" + " " * 13 + "B", " 5 C", ""]


def test_a_full_row_stays_open_until_something_follows(paper: Paper) -> None:
    paper.print(ALPHABET, ";")
    assert paper.row(24)[2:30] == ALPHABET
    paper.print()
    paper.print("Y")
    assert paper.text == [ALPHABET, "Y", ""]


def test_a_row_is_blanked_to_column_28_and_no_further(paper: Paper) -> None:
    paper.machine.screen.repeat_right(23, 0, 42, 32)
    paper.print("AB")
    assert paper.row(23) == "**AB" + " " * 26 + "**"
    assert paper.row(24) == "\x1f\x1f" + " " * 28 + "\x1f\x1f"


def test_pending_output_leaves_the_rest_of_the_row(paper: Paper) -> None:
    paper.print("AB", ";")
    paper.machine.screen.repeat_right(23, 0, 42, 32)
    paper.print("CD", ";")
    assert paper.row(24) == "****CD" + "*" * 26


def test_a_statement_cut_short_is_written_over(paper: Paper) -> None:
    paper.print("P", ";")
    ScreenPrinter(paper.machine.screen, paper.pending).string("LOST")
    paper.print("Q")
    assert paper.text == ["PQ", ""]


def test_tab_beyond_32767_is_a_bad_value(paper: Paper) -> None:
    with pytest.raises(XBError) as caught:
        paper.print(("TAB", 32768))
    assert caught.value.code == xb.BAD_VALUE


def stars() -> Machine:
    machine = Machine()
    machine.screen.fill(42)
    return machine


DISPLAYS = [
    (5, 10, ("HI",), {5: "*" * 9 + "HI" + " " * 17}),
    (3, 20, (ALPHABET[:26],), {3: "*" * 19 + " " * 9, 4: ALPHABET[:26] + "  "}),
    (24, 5, ("A", ":", "B"), {24: "****A" + " " * 23, 1: "B" + " " * 27}),
    (3, 26, (12,), {3: "*" * 25 + " 12", 4: "*" * 28}),
    (5, 27, (12,), {5: "*" * 26 + "  ", 6: " 12" + " " * 25}),
    (7, 5, (("TAB", 3), ";", "C"), {7: "****" + " " * 24, 8: "  C" + " " * 25}),
    (9, 5, (), {9: "****" + " " * 24}),
    (9, 5, ("AB", ";"), {9: "****AB" + "*" * 22}),
]


@pytest.mark.parametrize(("row", "column", "items", "rows"), DISPLAYS)
def test_display_at(row: int, column: int, items: tuple[object], rows: dict[int, str]) -> None:
    machine = stars()
    give(AreaPrinter(machine.screen, row - 1, column - 1), *items)
    for number, text in rows.items():
        assert machine.screen.rows[number - 1] == f"**{text}**"


SIZES = [
    (10, 5, ("HI",), "HI   "),
    (10, 5, ("HELLO WORLD",), "HELLO"),
    (20, 28, ("ABCDEFGHIJKLMNOP",), "ABCDEFGHI"),
    (5, 4, ("AB", ";", 12), "AB  "),
    (5, 5, ("AB", ";", 12), "AB 12"),
    (5, 6, ("ABCD", ";", "EFGH", ";", "I"), "ABCD  "),
    (5, 4, (12345,), " 123"),
    (5, 1, (7,), " "),
    (5, 4, ("AB", ";"), "AB  "),
    (5, 4, ("A", ":", "B"), "A   "),
]


@pytest.mark.parametrize(("column", "size", "items", "text"), SIZES)
def test_display_size(column: int, size: int, items: tuple[object], text: str) -> None:
    machine = stars()
    give(FieldPrinter(machine.screen, 4, column - 1, size), *items)
    left = "*" * (column + 1)
    assert machine.screen.rows[4] == (left + text).ljust(32, "*")
    assert machine.screen.rows[5] == "*" * 32


@pytest.mark.parametrize(("value", "place"), [("-7", 1), ("0", 1), ("2.5", 3), ("32767", 32767)])
def test_coordinates_are_rounded_and_at_least_one(value: str, place: int) -> None:
    assert coordinate(parse_number(value)) == place


@pytest.mark.parametrize("value", [32768, -32769, 10**13])
def test_coordinates_beyond_an_integer_are_bad_values(value: int) -> None:
    with pytest.raises(XBError):
        coordinate(value)


def test_the_text_of_using_fills_its_row(paper: Paper) -> None:
    paper.print("ABCDEFGHIJKLMNOPQRSTUVWX", ";")
    printer = ScreenPrinter(paper.machine.screen, paper.pending)
    printer.text("     5")
    printer.end()
    assert paper.text == ["ABCDEFGHIJKLMNOPQRSTUVWX", " 5", ""]


def test_an_error_leaves_the_column_where_its_print_began(paper: Paper) -> None:
    paper.print("AB", ";")
    cut_short = ScreenPrinter(paper.machine.screen, paper.pending)
    cut_short.string("CD")
    cut_short.colon()
    paper.print("X")
    assert paper.text == ["ABCD", "  X", ""]


@pytest.mark.parametrize(("items", "column"), [(("A", ":"), 5), (("A", ";"), 1), (("A",), 0)])
def test_print_goes_on_behind_a_field_without_at(
    paper: Paper, items: tuple[str, ...], column: int
) -> None:
    give(FieldPrinter(paper.machine.screen, 23, 0, 5, paper.pending), *items)
    assert paper.pending.column == column
