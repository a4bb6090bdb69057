"""PRINT USING and DISPLAY USING: images, their fields, and values put into them.

A field is a run of `#` with at most one point in it, a `-` or `+` right before it, and four or
five `^` right after it; everything else is literal text. Source: the recorded using cases.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.printer import Printer
from ti99tools.computer.numbers.forms import fixed, scientific
from ti99tools.computer.numbers.radix import Number

DIGITS_LIMIT, EXPONENT_DIGITS_LIMIT = 14, 10
"""Most `#` in a field, without the sign; more is an IMAGE ERROR for a number (not for a string).

The second is for fields with an exponent. Source: the recorded cases for the first, the list of
messages in the Extended BASIC manual for both.
"""

_FIELD = re.compile(r"([-+]?)(?:(#+)(?:(\.)(#*))?|(\.)(#+))(\^{4,5})?")


@dataclass(frozen=True, slots=True)
class Field:
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


def next_field(image: str, at: int) -> Field | None:
    """The first field at or after `at`; None when only literal text is left."""
    match = _FIELD.search(image, at)
    if match is None:
        return None
    sign, before, point, following, first_point, fraction, carets = match.groups("")
    return Field(
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
        """A string value."""
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

    def _field(self) -> Field:
        field = next_field(self._image, self._at)
        assert field is not None, "begin and comma see to it"
        self._text += self._image[self._at : field.start]
        self._at = field.end
        return field
