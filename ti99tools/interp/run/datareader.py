"""DATA as READ sees it: a position in the program's token bytes.

Items: an unquoted or quoted text, or nothing between commas. A number wants an unquoted,
non-empty item: a quoted or empty one is a STRING-NUMBER MISMATCH and is passed; one that is no
number is a DATA ERROR, which leaves the position between the item and its comma, so that the next
READ finds an empty item there. Source: recorded lang-data cases.
"""

from __future__ import annotations

from bisect import bisect_left

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.interp.compile.lines import Listing
from ti99tools.numbers.parse import parse_number
from ti99tools.numbers.radix import Number
from ti99tools.source.syntax.cursor import Cursor


class DataReader:
    """The position of the next item; shared by the main program and all SUBs."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._cursor: Cursor | None = None
        self._line = 0
        self._started = False

    def restore(self, number: int | None = None) -> None:
        """Go to the first DATA, or the first from line `number` on; DATA ERROR if none is there."""
        self._started = True
        self._seek(0 if number is None else self._line_from(number))
        if self._cursor is None and number is not None:
            raise XBError(xb.DATA_ERROR)

    def string(self) -> str:
        """Read an item as a string."""
        text, _ = self._item()
        self._pass()
        return text

    def number(self) -> Number:
        """Read an item as a number; an overflow comes back flagged."""
        text, quoted = self._item()
        if quoted or not text:
            self._pass()
            raise XBError(xb.STRING_NUMBER_MISMATCH)
        try:
            value = parse_number(text)
        except ValueError:
            raise XBError(xb.DATA_ERROR) from None
        self._pass()
        return value

    def _line_from(self, number: int) -> int:
        """The index of a line, or of the next one where it is missing."""
        line = self._listing.index.get(number)
        if line is None:
            numbers = self._listing.numbers
            line = next((i for i, n in enumerate(numbers) if n > number), len(numbers))
        return line

    def _seek(self, line: int) -> None:
        """Stand before the first item of the first DATA from line index `line` on, if any."""
        places = self._listing.data
        next_one = bisect_left(places, (line, 0))
        if next_one < len(places):
            self._line, at = places[next_one]
            self._cursor = Cursor(self._listing.tokens[self._line], at)
        else:
            self._cursor, self._line = None, len(self._listing)

    def _item(self) -> tuple[str, bool]:
        """The text of the item at the position and whether it is quoted; stand behind it."""
        if not self._started:
            self.restore()
        if self._cursor is None:
            raise XBError(xb.DATA_ERROR)
        text, quoted = "", False
        while self._cursor.token in (tk.QUOTED, tk.UNQUOTED):
            quoted = self._cursor.token == tk.QUOTED
            text = self._cursor.text()
        return text, quoted

    def _pass(self) -> None:
        """Step over the comma behind an item, or on to the next DATA line."""
        assert self._cursor is not None
        if not self._cursor.take(tk.COMMA):
            self._seek(self._line + 1)
