"""Listings whose lines are wrapped, as LIST and magazines print them: rows joined to lines again.

LIST cuts a line after so many characters, with no regard for words: a row that is full may go on
in the next one, and a row that goes on is full (blanks at its end may be lost). The next row
begins a line if it begins with a number that is greater than the one before, and smaller than the
next one that is known to be a line's. `150 PRINT "…` in full and `160 NEXT I` are two lines;
`150 …GOTO 1` in full and `20 :: END` are one, and so are they before `155 …` with 155 not greater.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ti99tools.source.tokenize import MAX_LINE_NUMBER

WIDTHS = (28, 80)
"""Columns of the screen, and of a file or printer."""

_NUMBER = re.compile(r"[0-9]{1,5}")
_SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Joined:
    """A line of a listing; `pieces` are (row from 1, index in `text` where the row begins)."""

    text: str
    pieces: tuple[tuple[int, int], ...]

    def place(self, index: int) -> tuple[int, int]:
        """Row and 0-based column of a character of `text`."""
        row, start = next(piece for piece in reversed(self.pieces) if piece[1] <= index)
        return row, index - start


def plain(rows: Sequence[str]) -> list[Joined]:
    """Each row as a line of its own."""
    return [Joined(text, ((row, 0),)) for row, text in enumerate(rows, 1)]


def joined(rows: Sequence[str], width: int) -> list[Joined]:
    """The lines of rows that are wrapped after `width` characters; empty rows stay."""
    lines: list[Joined] = []
    for start, stop in _groups(rows, width):
        lines += _split(rows, start, stop, width)
    return lines


def width_of(rows: Sequence[str]) -> int | None:
    """After how many characters the rows of a listing are wrapped, None if they are not.

    That is the longest row's length, if it is one that LIST uses and full rows go on: most rows
    without a number follow a full one. Where all rows begin with a number, as they may, there are
    several that must go on, and the lines then ascend.
    """
    longest = max(map(len, rows), default=0)
    if longest not in WIDTHS:
        return None
    going_on = lost = 0
    for before, row in pairwise(rows):
        if row.strip() and _number(row) is None:
            if len(before) >= longest - 1:
                going_on += 1
            else:
                lost += not _is_remark(row)
    if going_on:
        return longest if lost <= going_on else None
    lines = joined(rows, longest)
    numbers = [number for number in map(_number, (line.text for line in lines)) if number]
    several = sum(len(line.pieces) > 1 for line in lines) >= _SEVERAL
    return longest if several and not lost and numbers == sorted(numbers) else None


def _groups(rows: Sequence[str], width: int) -> Iterator[tuple[int, int]]:
    """Stretches of rows that begin with a line and end with a row that is not full."""
    start = 0
    for at, row in enumerate(rows):
        following = rows[at + 1] if at + 1 < len(rows) else ""
        full = len(row) >= width
        goes_on = full or (_number(following) is None and not _is_remark(following))
        if not (goes_on and row.strip() and (following.strip() or (full and following))):
            yield start, at + 1
            start = at + 1


def _split(rows: Sequence[str], start: int, stop: int, width: int) -> Iterator[Joined]:
    """The lines of a stretch of rows."""
    after = next((n for n in map(_number, rows[stop:]) if n is not None), MAX_LINE_NUMBER + 1)
    first = _number(rows[start])
    number = first if first is not None else 0
    pieces: list[tuple[int, str]] = [(start + 1, rows[start])]
    for at in range(start + 1, stop):
        found = _number(rows[at])
        if found is not None and number < found < after:
            yield _join(pieces, width)
            pieces, number = [], found
        pieces.append((at + 1, rows[at]))
    yield _join(pieces, width)


def _join(pieces: Sequence[tuple[int, str]], width: int) -> Joined:
    """One line of its rows; blanks lost at the end of all but the last are put back."""
    text = ""
    places: list[tuple[int, int]] = []
    for row, piece in pieces:
        text = text.ljust(width * len(places)) if places else text
        places.append((row, len(text)))
        text += piece
    return Joined(text, tuple(places))


def _number(row: str) -> int | None:
    """The line number that a row begins with."""
    digits = _NUMBER.match(row)
    number = int(digits.group()) if digits else 0
    return number if 1 <= number <= MAX_LINE_NUMBER else None


def _is_remark(row: str) -> bool:
    return row.lstrip(" \t")[:3].upper() == "REM" or row.lstrip(" \t").startswith("!")
