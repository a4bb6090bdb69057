"""USING: fields, values in them and lists of values, as the recorded using cases have them."""

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.printer import UsingList, next_field
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Number

NUMBERS = [
    ("###.##", "3.14159", "  3.14"),
    ("###.##", "-3.145", " -3.15"),
    ("###.##", ".5", "   .50"),
    ("###.##", "-.5", "  -.50"),
    ("###.##", "0", "   .00"),
    ("##.###", "1.0005", " 1.001"),
    ("###.##", "-.001", "  -.00"),
    ("###", "1234", "***"),
    ("###", "-123", "***"),
    ("###", "999.5", "***"),
    ("###", "99.9", "100"),
    ("##.##", "99.996", "*****"),
    ("##.##", "-10", "*****"),
    ("#", "-1", "*"),
    (".##", ".256", ".26"),
    (".##", "1.5", "***"),
    (".###", "-.25", "****"),
    ("##.", "12.6", "13."),
    ("##.", "-5", "-5."),
    ("#.#", ".04", " .0"),
    (".#", ".96", "**"),
    ("-##", "5", "  5"),
    ("-##", "-5", " -5"),
    ("+##", "5", " +5"),
    ("+##", "-5", " -5"),
    ("-##.#", "-12.34", "-12.3"),
    ("-.##", "-.5", "-.50"),
    ("-##", "123", "***"),
    ("##.##^^^^", "1234.5", " 1.23E+03"),
    ("##.##^^^^", "-1234.5", "-1.23E+03"),
    ("##.##^^^^", ".00012345", " 1.23E-04"),
    ("###^^^^", "123456", " 12E+04"),
    ("#.###^^^^", "0", " .000E+00"),
    ("##.##^^^^", "1E99", " 1.00E+99"),
    ("##.##^^^^", "1E100", " 1.00E+**"),
    (".###^^^^", "12345", ".123E+05"),
    ("##.##^^^^", "9.9996", " 1.00E+01"),
    ("#.##^^^^", "12345", " .12E+05"),
    ("#.##^^^^", ".00012", " .12E-03"),
    ("#.#^^^^", "5", " .5E+01"),
    ("-#.##^^^^", "-5", "-5.00E+00"),
    ("+#.##^^^^", "5", "+5.00E+00"),
    ("##.#^^^^^", "1E100", " 1.0E+100"),
    (".##^^^^", "-5", "*******"),
    ("##############", "12345678901234", "12345678901234"),
    ("####.##########", ".33333333333333", "    .3333333333"),
    ("-##############", "1", "              1"),
    ("##.########^^^^", "1", " 1.00000000E+00"),
]


@pytest.mark.parametrize(("image", "value", "text"), NUMBERS)
def test_numbers(image: str, value: str, text: str) -> None:
    field = next_field(image, 0)
    assert field is not None
    assert field.width == len(image)
    assert field.number(parse_number(value)) == text


STRINGS = [
    ("####", "AB", "AB  "),
    ("####", "ABCDE", "****"),
    ("##.##", "ABCDE", "ABCDE"),
    ("##^^^^", "ABCDEF", "ABCDEF"),
    ("-###", "ABCD", "ABCD"),
    ("#" * 20, "ABC", "ABC" + " " * 17),
]


@pytest.mark.parametrize(("image", "value", "text"), STRINGS)
def test_strings(image: str, value: str, text: str) -> None:
    field = next_field(image, 0)
    assert field is not None
    assert field.string(value) == text


@pytest.mark.parametrize(
    "image",
    ["#" * 15, "-" + "#" * 15, "###." + "#" * 12, "#" * 11 + "^^^^", "##." + "#" * 9 + "^^^^^"],
)
def test_a_number_needs_a_field_of_at_most_14_digits_or_10_with_exponent(image: str) -> None:
    field = next_field(image, 0)
    assert field is not None
    with pytest.raises(XBError) as caught:
        field.number(1)
    assert caught.value.code == xb.IMAGE_ERROR


@pytest.mark.parametrize("image", ["", "ABC", "^^^^", ".", "-", "+-."])
def test_literal_text_has_no_field(image: str) -> None:
    assert next_field(image, 0) is None
    with pytest.raises(XBError):
        UsingList(Rows(), image).begin()


class Rows:
    """A printer that keeps rows; `pending` is what a separator left open."""

    as_text = True
    padded = 0

    def __init__(self) -> None:
        self.rows: list[str] = []
        self.pending = ""
        self._open = False

    def number(self, value: Number) -> None:
        raise AssertionError

    def string(self, value: str) -> None:
        raise AssertionError

    def text(self, value: str) -> None:
        self.pending += value
        self._open = False

    def semicolon(self) -> None:
        self._open = True

    def comma(self) -> int:
        raise AssertionError

    def tab(self, value: Number) -> None:
        raise AssertionError

    def colon(self) -> None:
        self.rows.append(self.pending)
        self.pending = ""
        self._open = True

    def end(self) -> None:
        if not self._open:
            self.colon()


LISTS = [
    ("TOTAL $###.## FOR ## ITEMS", (12, 3), ["TOTAL $ 12.00 FOR  3 ITEMS"]),
    ("##", (1, 2, 3), [" 1", " 2", " 3"]),
    ("<##>", (1, 2), ["< 1>", "< 2>"]),
    ("A## B## C## END", (1,), ["A 1 B"]),
    ("A## B## C## END", (1, 2, 3), ["A 1 B 2 C 3 END"]),
    ("A## B##", (1, 2, 3), ["A 1 B 2", "A 3 B"]),
    ("A## B##", (), ["A"]),
    ("HELLO", (), ["HELLO"]),
    ("##-##", (5, 6), [" 5  6"]),
    ("^^^^#", (5,), ["^^^^5"]),
    ("##^^^", (5,), [" 5^^^"]),
    ("..##", ("X",), [".X  "]),
]


@pytest.mark.parametrize(("image", "values", "rows"), LISTS)
def test_lists(image: str, values: tuple[int | str, ...], rows: list[str]) -> None:
    printer = Rows()
    using = UsingList(printer, image)
    for index, value in enumerate(values):
        using.comma() if index else using.begin()
        using.string(value) if isinstance(value, str) else using.number(value)
    using.show()
    using.end()
    assert printer.rows == rows
    assert printer.pending == ""


def test_a_semicolon_keeps_the_row_open() -> None:
    printer = Rows()
    using = UsingList(printer, "##")
    using.number(1)
    using.comma()
    using.number(2)
    using.show()
    using.end(pending=True)
    assert (printer.rows, printer.pending) == ([" 1"], " 2")
