"""Read a numbered listing: a text file with a program line on each line.

Accepts what people's files have: a byte order mark, CR LF, leading blanks and tabs, blank lines,
lower case. Characters of a program that are no text in a file (codes 00–1F and 7F, and a blank at
the end of a line, which the editor would drop) are written as Unicode's control pictures
(U+2400–U+2421) and read back from them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ti99tools.base.errors import Place, SourceError, together
from ti99tools.source.listing import list_line
from ti99tools.source.tokenize import MAX_LINE_BYTES, EntryError, tokenize_marked

_TO_TEXT = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}
STRANGE = 10
"""Wrong lines from which on a text is taken for something else, if they are two thirds of all."""
_FINAL_BLANK = "\u2420"
_FROM_TEXT = {text: code for code, text in _TO_TEXT.items()} | {ord(_FINAL_BLANK): 0x20}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a listing: what entering it in the editor does, and where it came from.

    No tokens: the line is to be deleted. `marks` tell the column of each token (see `column`).
    """

    number: int
    tokens: bytes
    place: Place
    marks: tuple[tuple[int, int], ...] = ()

    def column(self, offset: int) -> int:
        """The 1-based column, in the file, of the token at `offset`."""
        found = self.place.column or 1
        for at, column in self.marks:
            if at > offset:
                break
            found = column
        return found


def to_text(listed: str) -> str:
    """A line of a program as a text file can hold it."""
    if listed.endswith(" "):
        listed = listed[:-1] + _FINAL_BLANK
    return listed.translate(_TO_TEXT)


def from_text(text: str) -> str:
    """The inverse of `to_text`; other blanks at the end go."""
    return text.rstrip(" ").translate(_FROM_TEXT)


def reads_back(number: int, tokens: bytes) -> bool:
    """Tell whether reading the line's listing gives the same tokens."""
    text = from_text(to_text(list_line(number, tokens)))
    try:
        return tokenize_marked(text, limit=MAX_LINE_BYTES, trim=False)[:2] == (number, tokens)
    except EntryError:
        return False


def is_numbered(text: str) -> bool:
    """True if a text is a plain listing: its first line that is not empty begins with a number."""
    return re.match(r"\ufeff?\s*[0-9]", text) is not None


def as_one(errors: Sequence[SourceError], rows: int, file: str | None) -> SourceError:
    """Several mistakes (at least one) as an error; for a text that is no source just that.

    `rows` are the lines of the file that are not empty.
    """
    wrong = len({error.place.line for error in errors if error.place.file == file})
    if wrong >= STRANGE and 3 * wrong >= 2 * rows:
        return SourceError(
            f"no source of Extended BASIC: {wrong} of {rows} lines are wrong",
            remedy="choose another file",
            place=Place(file),
        )
    return together(errors)


def rows_of(text: str) -> int:
    """How many lines of a text are not empty."""
    return sum(not row.isspace() for row in text.split("\n") if row)


def read_lines(
    text: str, file: str | None = None, *, limit: int = MAX_LINE_BYTES, strict: bool = True
) -> tuple[list[Entry], list[EntryError]]:
    """The entries of a listing in the order of the text, and what the editor refuses.

    Each error has its file, line and column; lines of more than `limit` token bytes are
    LINE TOO LONG. `strict` as in `tokenize_marked`.
    """
    entries = []
    errors = []
    for row, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.removesuffix("\r")
        content = line.lstrip(" \t")
        if not content.strip():
            continue
        shift = len(line) - len(content)
        try:
            number, tokens, marks = tokenize_marked(
                from_text(content), limit=limit, strict=strict, trim=False
            )
        except EntryError as error:
            place = Place(file, row, (error.place.column or 1) + shift)
            errors.append(EntryError(error.problem, remedy=error.remedy, place=place))
        else:
            moved = tuple((at, column + shift) for at, column in marks)
            entries.append(Entry(number, tokens, Place(file, row, 1 + shift), moved))
    return entries, errors


def read_listing(
    text: str, file: str | None = None, *, limit: int = MAX_LINE_BYTES, strict: bool = True
) -> list[Entry]:
    """The entries of a listing; raises what is refused, SourceError when no line is there."""
    entries, errors = read_lines(text, file, limit=limit, strict=strict)
    if errors:
        raise as_one(errors, rows_of(text), file)
    if not entries:
        raise SourceError(
            "no program line found", remedy="write lines like 100 PRINT", place=Place(file)
        )
    return entries
