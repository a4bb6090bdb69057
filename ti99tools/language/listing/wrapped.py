"""Listings whose lines are wrapped, as LIST and magazines print them: rows joined to lines again.

LIST cuts a line after a fixed number of characters, regardless of words. A full row may continue in
the next one, and a row that continues is full (spaces at its end may be lost). A row begins a line
if it begins with a number and a space, the number is greater than the one before and smaller than
the next certain line number, and the text before is not a broken line that the row completes. A
full row `150 PRINT "…` and `160 NEXT I` are two lines. A full row `150 …GOTO 1` and `20 :: END` are
one line, and so are a full row `150 PRINT SIN(` and `160)`. Empty rows at a page end may lie
between.

In listings of magazines a line's further rows are indented and begin with a word. LIST does not
indent. The indent tells which rows continue: it is the same for all of them, and every row that
begins a line has less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ti99tools.base.record import Record
from ti99tools.language.listing.failures import failures
from ti99tools.language.listing.tokenize import (
    MAX_LINE_BYTES,
    MAX_LINE_NUMBER,
    EntryError,
    tokenize_marked,
)

WIDTHS = (28, 80)
"""Columns of the screen, and of a file or printer."""

_NUMBER = re.compile(r"[0-9]{1,5}")
_SPACED = re.compile(r"[0-9]{1,5} ")
"""The beginning of a line as LIST shows it."""
_COMMAND = re.compile(r"[ >]*(?:NEW|RUN|LIST|BYE|SAVE +\S+) *$", re.IGNORECASE)
_SEVERAL = 2
_LEAST_WIDTH = 20
_MOST_ROWS = 10
"""Rows of a line of 255 characters on the screen."""


class Joined(Record):
    """A line of a listing; `pieces` are (row from 1, index in `text` where the row begins).

    `margin` is the number of spaces before every row, `hang` the number of further ones before all
    but the first.
    """

    text: str
    pieces: tuple[tuple[int, int], ...]
    margin: int = 0
    hang: int = 0

    def place(self, index: int) -> tuple[int, int]:
        """Row and 0-based column of a character of `text`."""
        row, start = next(piece for piece in reversed(self.pieces) if piece[1] <= index)
        hang = self.hang if row != self.pieces[0][0] else 0
        return row, index - start + self.margin + hang


def plain(rows: Sequence[str]) -> list[Joined]:
    """Each row as a line of its own."""
    return [Joined(text, ((row, 0),)) for row, text in enumerate(rows, 1)]


def margin_of(rows: Sequence[str]) -> int:
    """The number of spaces with which all non-empty rows begin."""
    return min((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), default=0)


def joined(rows: Sequence[str], width: int, margin: int = 0) -> list[Joined]:
    """The lines of rows that are wrapped after `width` characters; empty rows stay.

    The `margin` before the rows only matters for places.
    """
    return [replace(line, margin=margin) for line in _lines(rows, width)]


def _lines(rows: Sequence[str], width: int) -> list[Joined]:
    lines: list[Joined] = []
    pieces: list[tuple[int, str]] = []
    numbers = _without_page_ends(rows, width)
    kept = [rows[number - 1] for number in numbers]
    for at, number in enumerate(numbers):
        if pieces and _begins_line(pieces, kept, at, width):
            lines.append(_join(pieces, width))
            pieces = []
        pieces.append((number, kept[at]))
    return [*lines, _join(pieces, width)] if pieces else lines


def _without_page_ends(rows: Sequence[str], width: int) -> list[int]:
    """The numbers of the rows, from 1, without empty ones in the middle of a line.

    Those follow a full row, and the next non-empty row begins no line.
    """
    numbers: list[int] = []
    empty: list[int] = []
    full = False
    for number, row in enumerate(rows, 1):
        if not row:
            empty.append(number)
            continue
        if empty and not (full and _goes_on(row)):
            numbers += empty
        empty = []
        numbers.append(number)
        full = len(row) >= width - 1
    return numbers + empty


def _goes_on(row: str) -> bool:
    """Tell whether a row does not look like the beginning of a line, a remark or a command."""
    return not (_SPACED.match(row) or _is_remark(row) or _COMMAND.match(row))


def width_of(rows: Sequence[str]) -> int | None:
    """The number of characters after which the rows of a listing are wrapped; None if they are not.

    It is the length of the longest row, if LIST uses that width and full rows continue: most rows
    without a number follow a full one. If all rows begin with a number, as they may, the joined
    lines must ascend, and either several are joined or they make better sense so. With another
    width, rows count as wrapped if all without a number follow a full one, if there are several or
    the full one is broken, and if the editor then accepts all lines. If some rows are longer than
    LIST makes them, the full ones may still continue, provided that each continuation makes sense.
    """
    longest = max(map(len, rows), default=0)
    rows = [rows[number - 1] for number in _without_page_ends(rows, longest)]
    if longest not in WIDTHS:
        return longest if _is_wrapped(rows, longest) else _width_of_some(rows, longest)
    going_on = lost = 0
    for before, row in pairwise(rows):
        if row.strip() and _number(row) is None:
            if len(before) >= longest - 1:
                going_on += 1
            else:
                lost += not _is_remark(row)
    if going_on:
        return longest if lost <= going_on else None
    lines = _lines(rows, longest)
    numbers = [number for number in map(_number, (line.text for line in lines)) if number]
    if lost or numbers != sorted(numbers):
        return None
    long = [line for line in lines if len(line.pieces) > 1]
    told = len(long) >= _SEVERAL or any(_is_mended(rows, line) for line in long)
    return longest if told else None


def _is_wrapped(rows: Sequence[str], width: int) -> bool:
    """Tell whether rows are wrapped after a width that LIST does not use."""
    if width < _LEAST_WIDTH:
        return False
    before = _gone_on_from(rows)
    if not before or any(len(row) < width - 1 for row in before):
        return False
    if len(before) < _SEVERAL and not _is_broken(before[0]):
        return False
    texts = (line.text for line in _lines(rows, width) if line.text.strip())
    return all(_is_remark(text) or _tokens(text) is not None for text in texts)


def _gone_on_from(rows: Sequence[str]) -> list[str]:
    """The rows before non-empty ones that begin neither a line nor a remark."""
    return [a for a, b in pairwise(rows) if b.strip() and not _is_remark(b) and not _number(b)]


def _width_of_some(rows: Sequence[str], longest: int) -> int | None:
    """The width of LIST after which some rows are wrapped though others are longer."""
    before = {
        len(a) for a, b in pairwise(rows) if b.strip() and not _is_remark(b) and not _number(b)
    }
    width = before.pop() if len(before) == 1 else longest
    if width not in WIDTHS or width >= longest:
        return None
    long = [line for line in _lines(rows, width) if len(line.pieces) > 1]
    several = len(long) >= _SEVERAL or any(_is_broken(rows[line.pieces[0][0] - 1]) for line in long)
    return width if several and all(_is_mended(rows, line) for line in long) else None


def _is_mended(rows: Sequence[str], line: Joined) -> bool:
    """Tell whether a line is whole while some of its rows are not lines by themselves."""
    alone = [rows[row - 1] for row, _ in line.pieces]
    if _SPACED.match(alone[0]) and not all(map(_SPACED.match, alone)):
        return _tokens(line.text) is not None
    return any(map(_is_broken, alone)) and not _is_broken(line.text)


def _begins_line(
    pieces: Sequence[tuple[int, str]], rows: Sequence[str], at: int, width: int
) -> bool:
    """Tell whether row `at` begins a line rather than continuing that of the `pieces`."""
    before, row = rows[at - 1], rows[at]
    full = len(before) == width
    blank = not pieces[0][1].strip()
    if blank or not row.strip() or not before:
        return blank or not (full and row)
    number, first = _number(row), pieces[0][1]
    if number is None:
        return _is_remark(row) and not full
    spaced = _SPACED.match(row) is not None or not _SPACED.match(first)
    if full:
        later = (
            _number(rows[n]) or 0 for n in range(at + 1, len(rows)) if len(rows[n - 1]) < width
        )
        after = next(filter(None, later), MAX_LINE_NUMBER + 1)
        likely = spaced and (_number(first) or 0) < number < after
        return likely and not _is_mended_by(pieces, rows[at:], width)
    rest = number <= (_number(first) or 0) or len(before) == width - 1 or not spaced
    return not (rest and _is_mended_by(pieces, rows[at:], width))


def _is_mended_by(pieces: Sequence[tuple[int, str]], following: Sequence[str], width: int) -> bool:
    """Tell whether a line is broken so far, and whole with some of the next rows."""
    if not _is_broken(_join(pieces, width).text):
        return False
    for count in range(1, _MOST_ROWS):
        more = list(enumerate(following[:count], pieces[-1][0] + 1))
        if len(more) < count or not following[count - 1].strip():
            return False
        if not _is_broken(_join([*pieces, *more], width).text):
            return True
    return False


def _is_broken(text: str) -> bool:
    """Tell whether the editor refuses a line, or running it must end in an error."""
    tokens = _tokens(text)
    if tokens is None:
        return True
    return bool(failures(tokens))


def _tokens(text: str) -> bytes | None:
    """The tokens of a line, None if the editor refuses it."""
    try:
        return tokenize_marked(text, limit=MAX_LINE_BYTES, trim=False)[1]
    except EntryError:
        # A row that the editor refuses cannot be a line.
        return None


def _join(pieces: Sequence[tuple[int, str]], width: int) -> Joined:
    """The line of several rows; spaces lost at the end of all but the last are restored."""
    text = ""
    places: list[tuple[int, int]] = []
    for row, piece in pieces:
        text = text.ljust(width * len(places)) if places else text
        places.append((row, len(text)))
        text += piece
    return Joined(text, tuple(places))


def _number(row: str) -> int | None:
    """The line number at the beginning of a row."""
    digits = _NUMBER.match(row)
    number = int(digits.group()) if digits else 0
    return number if 1 <= number <= MAX_LINE_NUMBER else None


def _is_remark(row: str) -> bool:
    return row.lstrip(" \t")[:3].upper() == "REM" or row.lstrip(" \t").startswith("!")


_LINE = re.compile(r" *[0-9]{1,5} *[A-Za-z:!@\\[\]_]")
_REMARK = re.compile(r" *(?:REM\b|!|#|-+ *[0-9]+ *-+ *$|PAGE +[0-9]+ *$)", re.IGNORECASE)
_LEAST = 2
"""Fewest spaces of an indent, and fewest rows that have it."""


def hangs(rows: Sequence[str]) -> int:
    """The number of spaces before continuing rows; 0 if that cannot be told.

    There are several such rows, and all rows with fewer spaces begin a line.
    """
    bodies = [row for row in _after_first(rows) if row.strip() and not _REMARK.match(row)]
    further = [_indent(row) for row in bodies if not row.lstrip(" ")[:1].isdecimal()]
    hang = min(further, default=0)
    if hang < _LEAST or len(further) < _LEAST:
        return 0
    return hang if all(_LINE.match(row) for row in bodies if _indent(row) < hang) else 0


def hung(rows: Sequence[str], width: int, hang: int, margin: int = 0) -> list[Joined]:
    """The lines of rows whose further ones are indented by `hang`; empty rows stay.

    If most rows that continue are full (`width`), spaces were lost at the end of the others; if
    not, rows end between words, where a space was. The `margin` before the rows only matters for
    places.
    """
    lines: list[list[tuple[int, str]]] = []
    for at, row in enumerate(rows, 1):
        if lines and lines[-1][-1][1].strip() and row.strip() and _indent(row) >= hang:
            lines[-1].append((at, row))
        else:
            lines.append([(at, row)])
    going_on = [row for line in lines for _, row in line[:-1]]
    full = sum(len(row) >= width - 1 for row in going_on)
    cut = 2 * full >= len(going_on)
    return [_joined(line, width if cut else 0, hang, margin) for line in lines]


def _joined(rows: Sequence[tuple[int, str]], width: int, hang: int, margin: int) -> Joined:
    """One line; its rows were cut after `width` characters, or between words if that is 0."""
    text = ""
    pieces: list[tuple[int, int]] = []
    for at, row in rows:
        if pieces:
            indent = hang if len(pieces) > 1 else 0
            text = text.ljust(pieces[-1][1] + width - indent) if width else f"{text} "
            row = row[hang:]
        pieces.append((at, len(text)))
        text += row
    return Joined(text, tuple(pieces), margin, hang)


def _after_first(rows: Sequence[str]) -> Iterator[str]:
    """The rows from the first one that begins a line."""
    found = False
    for row in rows:
        found = found or _LINE.match(row) is not None
        if found:
            yield row


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
