"""PRINT and DISPLAY: items laid out in lines and rows of 28 columns, and put into USING's images.

Columns count from 0 here, within the 28 that Extended BASIC writes to (screen columns 3–30). All
printers share one protocol, in the order of the statement's items. Source: the recorded print and
display cases.

A field is a run of `#` with at most one point in it, a `-` or `+` right before it, and four or
five `^` right after it; everything else is literal text. Source: the recorded using cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import HIGHEST_INTEGER, LOWEST_INTEGER, PRINT_WIDTH
from ti99tools.base.cycles.language import CELL_CYCLES, FIELD_CYCLES, ROW_CYCLES
from ti99tools.base.record import Record
from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers.forms import fixed, print_form, scientific
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.screen import Screen

MARGIN = 2
"""Screen column of the first of them."""

ZONE = 14
"""Columns of a comma's print zone."""

BOTTOM = 23
"""The row that PRINT writes to."""


class Printer(Protocol):
    """What a list of PRINT or DISPLAY items is given to, item by item, then `end`.

    Numbers are written `as_text` or as they are; `comma` returns the number of spaces it has
    written; `padded` is the number of characters that padded records.
    """

    as_text: bool

    @property
    def padded(self) -> int: ...

    def number(self, value: Number) -> None: ...
    def string(self, value: str) -> None: ...
    def text(self, value: str) -> None: ...
    def semicolon(self) -> None: ...
    def comma(self) -> int: ...
    def colon(self) -> None: ...
    def tab(self, value: Number) -> None: ...
    def end(self) -> None: ...


class LinePrinter:
    """Lays items out in lines of `width` columns; a subclass says where they are written.

    `column` is the next column to write, `width` when the line is full.
    """

    as_text = True

    @property
    def padded(self) -> int:
        """The number of characters that padded records."""
        return 0

    def __init__(self, width: int, column: int) -> None:
        self._width = width
        self._column = column
        self._separator = False

    @property
    def column(self) -> int:
        """The next column to write."""
        return self._column

    def number(self, value: Number) -> None:
        """A numeric item, as PRINT writes it."""
        self.form(print_form(value))

    def form(self, text: str) -> None:
        """The text of a numeric item: it fits if it fits without its trailing space."""
        self.made(text)
        self.string(text)
        if self._column < self._width:
            self._put(" ")

    def made(self, text: str) -> None:
        """Note that a string has been made to be shown."""

    def string(self, value: str) -> None:
        """A string item: if it does not fit, it starts a new line; a long one takes several."""
        self._separator = False
        if self._column + len(value) > self._width:
            value = self._wrapped(value)
        self._put(value)

    def text(self, value: str) -> None:
        """A text made by USING: it fills the line and continues in the next."""
        self._separator = False
        while self._column + len(value) > self._width:
            room = self._width - self._column
            self._put(value[:room])
            value = value[room:]
            self._end_line()
        self._put(value)

    def _wrapped(self, value: str) -> str:
        """Write the lines that a string fills; the rest of it goes into the next."""
        if self._column:
            self._end_line()
        while len(value) > self._width:
            self._put(value[: self._width])
            value = value[self._width :]
            self._end_line()
        return value

    def semicolon(self) -> None:
        """`;` adds nothing, and keeps the line open at the end of the list."""
        self._separator = True

    def comma(self) -> int:
        """`,` goes to the next zone of 14 columns, or to a new line if none is left."""
        self._separator = True
        column = (self._column // ZONE + 1) * ZONE
        if column >= self._width:
            self._end_line()
            return 0
        blanks = column - self._column
        self._put(" " * blanks)
        return blanks

    def colon(self) -> None:
        """`:` ends the line."""
        self._separator = True
        self._end_line()

    def tab(self, value: Number) -> None:
        """TAB(n): below 1 counts as 1, above the width modulo it; a column already passed is in a
        new line.

        Raises XBError(BAD_VALUE) beyond 32767.
        """
        self._separator = False
        column = (coordinate(value) - 1) % self._width
        if self._column > column:
            self._end_line()
        self._put(" " * (column - self._column))

    def end(self) -> None:
        """The end of the list: without a trailing separator the line ends."""
        if not self._separator:
            self._end_line()

    def _put(self, text: str) -> None:
        """Write text that fits the line, and move `column` on."""
        raise NotImplementedError

    def _end_line(self) -> None:
        """Go on at column 0 of the next line."""
        raise NotImplementedError


class RowPrinter(LinePrinter):
    """Lines are rows of the screen; a subclass says which row follows.

    When a row ends, the rest of it is blanked.
    """

    def __init__(self, screen: Screen, row: int, left: int, width: int, column: int) -> None:
        """The row's columns begin at screen column `left`."""
        self._width = width
        self._column = column
        self._separator = False
        self._screen = screen
        self._row = row
        self._left = left

    def _put(self, text: str) -> None:
        if text:
            column = self._left + self._column
            self._screen.write(self._row, column, text.encode("latin-1"))
            self._column += len(text)

    def _end_line(self) -> None:
        rest = self._width - self._column
        if rest:
            self._screen.blank(self._row, self._left + self._column, rest)
        self._column = 0
        self._next_row()

    def _next_row(self) -> None:
        raise NotImplementedError


class PrintRow:
    """The row that PRINT is in the middle of: `column` is where the next PRINT goes on.

    `made` is called with each string that PRINT has made: numbers and expressions. `printed` is set
    when a PRINT has ended; `Runtime.note_leftovers` resets it.
    """

    __slots__ = ("column", "made", "printed")

    def __init__(self) -> None:
        self.column = 0
        self.made: Callable[[str], None] = lambda _text: None
        self.printed = False


class ScreenPrinter(RowPrinter):
    """PRINT at the bottom of the screen; a row that ends scrolls it up.

    `pending` is updated only when the statement ends: after an error the next PRINT goes on where
    the failed one began. `begun` are the cells of the last row that the list has written and whose
    time is not in that of a row that ends.
    """

    begun = 0

    def __init__(self, screen: Screen, pending: PrintRow) -> None:
        super().__init__(screen, BOTTOM, MARGIN, PRINT_WIDTH, pending.column)
        self._pending = pending
        self._before = pending.column

    def made(self, text: str) -> None:
        """Note that a string has been made to be shown: it stays in video memory."""
        self._pending.made(text)

    def end(self) -> None:
        """The end of the list: a trailing separator leaves the row pending."""
        super().end()
        self.begun = self._column - self._before
        self._pending.column = self._column
        self._pending.printed = True

    def _next_row(self) -> None:
        # The cells that earlier lists have written took their time then.
        self._screen.scroll(ROW_CYCLES - CELL_CYCLES * self._before)
        self._before = 0


class AreaPrinter(RowPrinter):
    """DISPLAY AT without SIZE: from a place on to the end of its row, then in the rows below.

    Row and column count from 0. After row 24 it goes on in row 1.
    """

    def __init__(self, screen: Screen, row: int, column: int) -> None:
        super().__init__(screen, row, MARGIN, PRINT_WIDTH, column)

    def _next_row(self) -> None:
        self._row = (self._row + 1) % 24


class FieldPrinter(RowPrinter):
    """DISPLAY with SIZE: one field of a row; what does not fit is lost, and so is all that follows
    it.

    Its columns, zones and TABs count from the start of the field. Without AT the field lies in the
    row that PRINT is in (`pending`), which scrolls up at the end.
    """

    def __init__(
        self, screen: Screen, row: int, column: int, size: int, pending: PrintRow | None = None
    ) -> None:
        super().__init__(screen, row, MARGIN + column, min(size, PRINT_WIDTH - column), 0)
        self._full = False
        self._pending = pending

    def end(self) -> None:
        """The end of the list: the rest of the field is blanked.

        In the row of PRINT, without a separator a new row follows, else the place after what was
        shown, or after the field when that is full.
        """
        if not self._full:
            rest = self._width - self._column
            self._screen.blank(self._row, self._left + self._column, rest)
        if self._pending is None:
            return
        if not self._separator:
            self._screen.scroll(FIELD_CYCLES)
            self._pending.column = 0
        else:
            self._pending.column += self._width if self._full else self._column

    def _put(self, text: str) -> None:
        if not self._full:
            super()._put(text)

    def _end_line(self) -> None:
        if not self._full:
            super()._end_line()

    def string(self, value: str) -> None:
        """A string item: cut off if it is longer than the field, omitted if it does not fit."""
        self._separator = False
        if not self._full:
            super().string(value[: self._width] if not self._column else value)

    def _next_row(self) -> None:
        self._full = True


def coordinate(value: Number) -> int:
    """A row, column or TAB as an integer of at least 1, XBError(BAD_VALUE) beyond 32767."""
    number = value if type(value) is int else to_integer(value)
    if not LOWEST_INTEGER <= number <= HIGHEST_INTEGER:
        raise xb.outside(xb.BAD_VALUE, number, LOWEST_INTEGER, HIGHEST_INTEGER)
    return number if number > 0 else 1


DIGITS_LIMIT, EXPONENT_DIGITS_LIMIT = 14, 10
"""Most `#` in a field, without the sign; more is an IMAGE ERROR for a number (not for a string).

The second is for fields with an exponent. Source: the recorded cases for the first, the list of
messages in the Extended BASIC manual for both.
"""

_FIELD = re.compile(r"([-+]?)(?:(#+)(?:(\.)(#*))?|(\.)(#+))(\^{4,5})?")


class ImageField(Record):
    """A field of an image: where it is, and its places before and after the point."""

    start: int
    end: int
    sign: str
    left: int
    point: str
    right: int
    exponent: int

    @property
    def width(self) -> int:
        """Characters of the field, whatever is put into it."""
        return self.end - self.start

    @property
    def overflow(self) -> str:
        """What is shown for a value that does not fit."""
        return "*" * self.width

    def string(self, value: str) -> str:
        """A string, left-justified; every character of the field is a place for it."""
        return self.overflow if len(value) > self.width else value.ljust(self.width)

    def number(self, value: Number) -> str:
        """A number, right-justified. Raises XBError(IMAGE_ERROR) in a field of too many digits."""
        if self.left + self.right > (EXPONENT_DIGITS_LIMIT if self.exponent else DIGITS_LIMIT):
            raise XBError(xb.IMAGE_ERROR)
        return self._scientific(value) if self.exponent else self._fixed(value)

    def _fixed(self, value: Number) -> str:
        """Without a sign in the image, `-` takes one of the places before the point.

        `-3.145` in `###.##` is ` -3.15`, `.5` in `#.##` is ` .50`, `-.001` in `##.##` is ` -.00`,
        0 is `  0` in `###` and `  .` in `##.`.
        """
        negative, digits = fixed(value, self.right)
        digits = digits.zfill(self.right)
        whole = digits[: len(digits) - self.right].lstrip("0")
        fraction = digits[len(digits) - self.right :]
        needed = len(whole) if self.right else max(len(whole), 1)
        if needed + (negative and not self.sign) > self.left:
            return self.overflow
        if not whole and not self.point:
            whole = "0"
        sign = "-" if negative else self.sign.replace("-", "")
        return f"{sign}{whole}{self.point}{fraction}".rjust(self.width)

    def _scientific(self, value: Number) -> str:
        """Without a sign in the image, the first place before the point is kept for it.

        `1234.5` in `##.##^^^^` is ` 1.23E+03`, in `-##.##^^^^` it is ` 12.35E+02`; 0 is laid out
        as without an exponent.
        """
        left = self.left if self.sign else max(self.left - 1, 0)
        count = left + self.right
        roomless = value < 0 and not self.sign and not self.left
        if not count or roomless:
            return self.overflow
        if value == 0:
            return f"{self._fixed(0)[self.exponent :]}{self._exponent(0)}"
        negative, digits, power = scientific(value, count)
        sign = "-" if negative else self.sign.replace("-", " ") or (" " if self.left else "")
        mantissa = f"{digits[:left]}{self.point}{digits[left:]}"
        return f"{sign}{mantissa}{self._exponent(power + 1 - left)}"

    def _exponent(self, power: int) -> str:
        places = self.exponent - 2
        digits = f"{abs(power):0{places}d}"
        if len(digits) > places:
            digits = "*" * places
        return f"E{'-' if power < 0 else '+'}{digits}"


def next_field(image: str, at: int) -> ImageField | None:
    """The first field at or after `at`; None when only literal text is left."""
    match = _FIELD.search(image, at)
    if match is None:
        return None
    sign, before, point, following, first_point, fraction, carets = match.groups("")
    return ImageField(
        match.start(),
        match.end(),
        sign,
        len(before),
        point or first_point,
        len(following or fraction),
        len(carets),
    )


class UsingList:
    """One PRINT USING: values go into the image's fields, lines of text to a printer.

    Calls in the order of the statement: `begin` before the first value, `number` or `string` for
    each, `comma` between two, `show` and `end` after the last. When all fields are used the next
    value starts the image again in a new row; a list that ends early leaves out everything from
    the first unused field on. A text that reaches the end of its row goes on in the next.
    """

    def __init__(self, printer: Printer, image: str) -> None:
        self._printer = printer
        self._image = image
        self._text = ""
        self._at = 0

    def begin(self) -> None:
        """Begin with the values. Raises XBError(IMAGE_ERROR) without a field."""
        if next_field(self._image, 0) is None:
            raise XBError(xb.IMAGE_ERROR)

    def number(self, value: Number) -> None:
        """Raises XBError(IMAGE_ERROR) when the field has too many digits."""
        text = self._field().number(value)
        self._text += text

    def string(self, value: str) -> None:
        """Put a string into the next field of the image."""
        text = self._field().string(value)
        self._text += text

    def comma(self) -> None:
        """Another value follows: end the row if the image is used up."""
        if next_field(self._image, self._at) is None:
            self._printer.text(self._text + self._image[self._at :])
            self._printer.colon()
            self._text, self._at = "", 0

    def show(self) -> None:
        """End the values: write the text, up to the first unused field."""
        field = next_field(self._image, self._at)
        stop = len(self._image) if field is None else field.start
        self._printer.text(self._text + self._image[self._at : stop])

    def end(self, pending: bool = False) -> None:
        """The list ends; `pending`: with a `;`, so that the row stays open."""
        if pending:
            self._printer.semicolon()
        self._printer.end()

    def _field(self) -> ImageField:
        field = next_field(self._image, self._at)
        assert field is not None, "begin and comma see to it"
        self._text += self._image[self._at : field.start]
        self._at = field.end
        return field
