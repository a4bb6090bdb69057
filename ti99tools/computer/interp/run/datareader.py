"""DATA as READ sees it: a position in the memory that holds the program's lines.

An item begins with the token of a quoted or unquoted string; an empty one is the comma or the end
of the line itself. A number needs an unquoted string. At anything else the machine steps over that
byte and raises STRING-NUMBER MISMATCH: the next READ starts inside the item, or, after the end of
the line, in the line that lies above it in memory. A string that is not a number is a DATA ERROR;
the next READ starts at its comma. Anything else that a READ finds is a DATA ERROR. Source: recorded
lang-data, fuzz and random cases.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.language import COSTS, DATA_LOOKED_AT
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.clock import Clock

LENGTH_BYTE = -1
"""Offset of the byte before a line's tokens, which counts them and the 00 after them."""


class DataReader:
    """The position of the next item; shared by the main program and all SUBs.

    Lines lie in memory as if they were entered in order: each below the one before.
    """

    def __init__(self, listing: Listing, first: int | None, clock: Clock) -> None:
        """`first` is the index of the first line with DATA that the pre-scan saw."""
        self._listing = listing
        self._clock = clock
        self._first = first
        self._statement = 0
        self._place: tuple[int, int] | None = None
        self._started = False

    def restore(self, number: int | None = None) -> None:
        """Go to the first DATA, or the first from line `number` on, if there is one.

        DATA ERROR if no line has that number or a higher one: the position stays.
        """
        line = 0 if number is None else self._line_from(number)
        self._clock.cycles += COSTS["line before"] * line
        if number is not None and line == len(self._listing):
            detail = f"there is no line {number} and none after it"
            raise XBError(xb.DATA_ERROR, detail=detail)
        self._started = True
        self._seek(line)

    def renumber(self, listing: Listing) -> None:
        """Take lines that have new numbers; the position stays."""
        self._listing = listing

    def string(self) -> str:
        """Read an item as a string; `step` goes on after it."""
        token = self._peek()
        if token in (0, tk.COMMA):
            return ""
        self._next()
        if token not in (tk.QUOTED, tk.UNQUOTED):
            raise XBError(xb.DATA_ERROR)
        return self._text()

    def number(self, made_of: Callable[[str], str] = str) -> Number:
        """Read an item as a number; an overflow comes back flagged. `step` goes on after it.

        `made_of` is called with its text, which is a string before it is a number.
        """
        if self._next() != tk.UNQUOTED:
            raise XBError(xb.STRING_NUMBER_MISMATCH)
        text = made_of(self._text())
        try:
            return parse_number(text)
        except ValueError:
            raise XBError(xb.DATA_ERROR, detail=f"the item {text} is not a number") from None

    def step(self) -> None:
        """Skip the comma after the item just assigned, or go to the next DATA."""
        token = self._next()
        if not token:
            self._seek(self._statement + 1)
        elif token != tk.COMMA:
            raise XBError(xb.DATA_ERROR)

    def _at_first(self) -> tuple[tuple[int, int] | None, int]:
        """The place of the first item, which RUN has found, and its line."""
        if self._first is None:
            return None, len(self._listing)
        places = self._listing.data
        place = places[bisect_left(places, (self._first, 0))]
        return place, place[0]

    def _line_from(self, number: int) -> int:
        """The index of a line, or of the next one if it is missing."""
        line = self._listing.index.get(number)
        if line is None:
            numbers = self._listing.numbers
            line = next((i for i, n in enumerate(numbers) if n > number), len(numbers))
        return line

    def _seek(self, line: int) -> None:
        """Go to the first item of the first DATA from line index `line` on, if any."""
        places = self._listing.data
        next_one = bisect_left(places, (line, 0))
        if next_one < len(places):
            self._place = places[next_one]
            self._statement = self._place[0]
        else:
            self._place, self._statement = None, len(self._listing)
        self._clock.cycles += DATA_LOOKED_AT * (min(self._statement + 1, len(self._listing)) - line)

    def _peek(self) -> int:
        """The byte at the position; DATA ERROR when no DATA are left."""
        if not self._started:
            self._started = True
            self._place, self._statement = self._at_first()
        if self._place is None:
            detail = "no DATA are left" if self._listing.data else "the program has no DATA"
            raise XBError(xb.DATA_ERROR, detail=detail)
        line, at = self._place
        if line < 0:
            return 0
        tokens = self._listing.tokens[line]
        if at == LENGTH_BYTE:
            return len(tokens) + 1
        return tokens[at] if at < len(tokens) else 0

    def _next(self) -> int:
        """Step over the byte at the position and return it."""
        byte = self._peek()
        assert self._place is not None
        line, at = self._place
        end = len(self._listing.tokens[line]) if line >= 0 else at + 1
        self._place = (line, at + 1) if at < end else (line - 1, LENGTH_BYTE)
        return byte

    def _text(self) -> str:
        """Step over a counted text and return it."""
        return "".join(chr(self._next()) for _ in range(self._next()))
