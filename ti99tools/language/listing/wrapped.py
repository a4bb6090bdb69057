"""Listings whose lines are wrapped, as LIST and magazines print them: rows joined to lines again.

LIST cuts a line after a fixed number of characters, regardless of words. A full row may continue in
the next one, and a row that continues is full. Spaces at its end may be lost: they are put back,
and reported where they are within a string. A row begins a line if it begins with a number and a
space, the number is greater than the one before and smaller than the next certain line number, and
the text before is not a broken line that the row completes. A full row `150 PRINT "…` and `160 NEXT
I` are two lines. A full row `150 …A=1` and `60 :: END` are one line, and so are a full row `150
PRINT SIN(` and `160)`. Empty rows at a page end may lie between.

In listings of magazines a line's further rows are indented and begin with a word. LIST does not
indent. The indent tells which rows continue: it is the same for all of them, and every row that
begins a line has less.

In listings that people have typed, a row that ends in `::`, THEN, ELSE or `..` may go on in the
next one, wherever it ends; the two dots are no part of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ti99tools.base.record import Record
from ti99tools.language.listing.tokenize import (
    MAX_LINE_BYTES,
    MAX_LINE_NUMBER,
    EntryError,
    tokenize_marked,
)
from ti99tools.language.syntax.failures import failures

WIDTHS = (28, 80)
"""Columns of the screen, and of a file or printer."""

_NUMBER = re.compile(r"([0-9]{1,5})(?= *(?:[A-Za-z:!@\\\[\]_]|$))")
"""A line number, and what may begin a statement, or nothing."""
_DOTS = ".."
_OPEN = re.compile(r"(?:::|\bTHEN|\bELSE|\.\.) *$", re.IGNORECASE)
"""The end of a row that goes on in the next one, as people type listings."""
_REMARKS = re.compile(r"!|\bREM\b", re.IGNORECASE)
_STRINGS = re.compile(r"\b(?:DATA|IMAGE)\b", re.IGNORECASE)
_SPACED = re.compile(r"[0-9]{1,5} ")
"""The beginning of a line as LIST shows it."""
_EMPTY_FIRST = re.compile(r"[0-9]{1,5} *::")
"""A line whose first statement is empty, which nobody writes; or digits at the end of a cut one."""
_COMMAND = re.compile(r"[ >]*(?:NEW|RUN|LIST|BYE|SAVE +\S+) *$", re.IGNORECASE)
_SEVERAL = 2
_LEAST_WIDTH = 20
_MOST_ROWS = 10
"""Rows of a line of 255 characters on the screen."""
_NEAR = 10 * _MOST_ROWS
"""Rows among which the next line is looked for: not all, or a long file takes minutes."""


class Joined(Record):
    """A line of a listing; `pieces` are (row from 1, index in `text` where the row begins).

    `margin` is the number of spaces before every row, `hang` the number of further ones before all
    but the first. `mended`: the rows after which spaces were put into a string.
    """

    text: str
    pieces: tuple[tuple[int, int], ...]
    margin: int = 0
    hang: int = 0
    mended: tuple[int, ...] = ()

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


def joined(
    rows: Sequence[str], width: int, margin: int = 0, lengths: Sequence[int] = ()
) -> list[Joined]:
    """The lines of rows that are wrapped after `width` characters; empty rows stay.

    `lengths` are those of the rows with the spaces at their ends; without them, the rows have none.
    The `margin` before the rows only matters for places.
    """
    lines = _lines(_filled(rows, lengths, width), width)
    return [replace(_without_end(line, rows), margin=margin) for line in lines]


def _filled(rows: Sequence[str], lengths: Sequence[int], width: int) -> list[str]:
    """The rows with the spaces at the end of those that are full with them."""
    if not lengths:
        return list(rows)
    return [
        row.ljust(width) if len(row) < width <= length else row
        for row, length in zip(rows, lengths, strict=True)
    ]


def _without_end(line: Joined, rows: Sequence[str]) -> Joined:
    """The line without the spaces at the end of its last row."""
    row, start = line.pieces[-1]
    return replace(line, text=line.text[:start] + rows[row - 1])


def _lines(rows: Sequence[str], width: int) -> list[Joined]:
    lines: list[Joined] = []
    pieces: list[tuple[int, str]] = []
    numbers = _without_page_ends(rows, width)
    texts = [rows[number - 1] for number in numbers]
    for at, number in enumerate(numbers):
        if pieces and _begins_line(pieces, texts, at, width):
            lines.append(_join(pieces, width))
            pieces = []
        pieces.append((number, texts[at]))
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


def continued(lines: Sequence[Joined]) -> list[Joined]:
    """Lines whose end says that they go on, joined with the next ones, if these begin no line.

    Empty rows may lie between.
    """
    lines_so_far: list[Joined] = []
    empty: list[Joined] = []
    for line in lines:
        if not line.text.strip():
            empty.append(line)
            continue
        before = lines_so_far[-1] if lines_so_far else None
        if before is not None and _ends_open(before.text) and _follows(before.text, line.text):
            lines_so_far[-1] = _both(before, line)
        else:
            lines_so_far += empty
            lines_so_far.append(line)
        empty = []
    return lines_so_far + empty


def without_dots(rows: Sequence[str]) -> list[str]:
    """The rows with spaces for the two dots after which a row goes on in the next one."""
    return [
        f"{row.rstrip()[:-2]}  " if _ends_in_dots(row) and _follows(row, after) else row
        for row, after in pairwise([*rows, "1 END"])
    ]


def _ends_in_dots(row: str) -> bool:
    return row.rstrip().endswith(_DOTS) and _ends_open(row)


def _ends_open(text: str) -> bool:
    """Tell whether a line ends so that it must or may go on, outside strings and remarks."""
    unquoted = "".join(text.split('"')[::2])
    if text.count('"') % 2 or _REMARKS.search(unquoted):
        return False
    return _OPEN.search(text) is not None


def _follows(before: str, row: str) -> bool:
    """Tell whether a row cannot be the next line of a listing."""
    number = _number(row.lstrip())
    if number is None or number <= (_number(before.lstrip()) or 0):
        return not _is_remark(row)
    return row.strip().isdecimal() and not before.rstrip().endswith("::")


def _both(line: Joined, more: Joined) -> Joined:
    """A line and what it goes on with, a space between them."""
    text = line.text.rstrip()
    text = text.removesuffix(_DOTS)
    if not text.endswith(" ") and not more.text.startswith(" "):
        text += " "
    pieces = [(row, len(text) + start) for row, start in more.pieces]
    return replace(line, text=text + more.text, pieces=(*line.pieces, *pieces))


def width_of(rows: Sequence[str], lengths: Sequence[int] = ()) -> int | None:
    """The number of characters after which LIST has wrapped rows; None: it has not.

    It is one of `WIDTHS`, if the longest row is full, or lacks one space, and full rows continue:
    most rows without a number follow a full one. If all rows begin with a number, as they may, the
    joined lines must ascend, and either several are joined or they make better sense so. If some
    rows are longer than LIST makes them, the full ones may still continue, provided that each
    continuation makes sense. `lengths` as for `joined`.
    """
    longest = max(map(len, rows), default=0)
    width = next((width for width in sorted(WIDTHS) if longest <= width), None)
    if width is None:
        return _width_of_some([*_whole(rows, longest)], longest)
    filled = [*_whole(_filled(rows, lengths, width), width)]
    if max(map(len, filled), default=0) < width - 1:
        return _width_of_some([*_whole(rows, longest)], longest)
    return width if _continues(filled, width) else None


def odd_width_of(rows: Sequence[str]) -> int | None:
    """The number of characters, not one of LIST's, after which rows seem to be wrapped."""
    longest = max(map(len, rows), default=0)
    return longest if _is_wrapped([*_whole(rows, longest)], longest) else None


def _whole(rows: Sequence[str], width: int) -> Iterator[str]:
    """The rows without empty ones in the middle of a line."""
    return (rows[number - 1] for number in _without_page_ends(rows, width))


def _continues(rows: Sequence[str], width: int) -> bool:
    """Tell whether full rows continue, so that the listing is wrapped."""
    going_on = lost = 0
    for before, row in pairwise(rows):
        if row.strip() and _number(row) is None:
            if len(before) >= width - 1:
                going_on += 1
            else:
                lost += not _is_remark(row)
    if going_on:
        return lost <= going_on
    lines = _lines(rows, width)
    numbers = [number for number in map(_number, (line.text for line in lines)) if number]
    if lost or numbers != sorted(numbers):
        return False
    long = [line for line in lines if len(line.pieces) > 1]
    return len(long) >= _SEVERAL or any(_is_mended(rows, line) for line in long)


def _is_wrapped(rows: Sequence[str], width: int) -> bool:
    """Tell whether rows are wrapped after a width that LIST does not use."""
    if width < _LEAST_WIDTH or width in WIDTHS:
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
    if full and _EMPTY_FIRST.match(row):
        return False
    spaced = _SPACED.match(row) is not None or not _SPACED.match(first)
    ascending = (_number(first) or 0) < number < _next_number(first, rows, at, width)
    if full:
        return spaced and ascending and not _is_mended_by(pieces, rows[at:], width)
    rest = not ascending or len(before) == width - 1 or not spaced
    return not (rest and _is_mended_by(pieces, rows[at:], width))


def _next_number(first: str, rows: Sequence[str], at: int, width: int) -> int:
    """The number of the next line after row `at` that follows no full row.

    A number smaller than that of the line `first` begins what goes on after a row whose last spaces
    were lost.
    """
    so_far = _number(first) or 0
    near = range(at + 1, min(at + _NEAR, len(rows)))
    later = (_number(rows[n]) or 0 for n in near if len(rows[n - 1]) < width)
    return next((number for number in later if number > so_far), MAX_LINE_NUMBER + 1)


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
    mended: list[int] = []
    for row, piece in pieces:
        if len(text) < width * len(places) and _is_in_string(text):
            mended.append(places[-1][0])
        text = text.ljust(width * len(places)) if places else text
        places.append((row, len(text)))
        text += piece
    return Joined(text, tuple(places), mended=tuple(mended))


def _is_in_string(text: str) -> bool:
    """Tell whether a string goes on after the beginning of a line; items of DATA are strings."""
    unquoted = "".join(text.split('"')[::2])
    return text.count('"') % 2 == 1 or _STRINGS.search(unquoted) is not None


def _number(row: str) -> int | None:
    """The line number at the beginning of a row."""
    digits = _NUMBER.match(row)
    number = int(digits[1]) if digits else 0
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


def hung(rows: Sequence[str], width: int, hang: int, margin: int) -> list[Joined]:
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
    mended: list[int] = []
    for at, row in rows:
        if pieces:
            indent = hang if len(pieces) > 1 else 0
            longer = text.ljust(pieces[-1][1] + width - indent) if width else f"{text} "
            if longer != text and _is_in_string(text):
                mended.append(pieces[-1][0])
            text = longer
            row = row[hang:]
        pieces.append((at, len(text)))
        text += row
    return Joined(text, tuple(pieces), margin, hang, tuple(mended))


def _after_first(rows: Sequence[str]) -> Iterator[str]:
    """The rows from the first one that begins a line."""
    begun = False
    for row in rows:
        begun = begun or _LINE.match(row) is not None
        if begun:
            yield row


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
