"""Read a numbered listing: a text file with a program line on each line.

Accepts what people's files have: a byte order mark, CR LF, form feeds, tabs and no-break spaces
where a space may stand, the prompt `>` before lines, blank lines, lower case, remarks and page
numbers without a line number, NEW before and RUN after the lines, lines wrapped as LIST wraps them
or indented. Characters of a program that are not text in a file (codes 00–1F and 7F, and a space at
the end of a line, which the editor would drop) are written as Unicode's control pictures
(U+2400–U+2421) and read back from them; codes 80–9F, some of which editors take for line ends, as
block elements (U+2580–U+259F).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from ti99tools.base.errors import Advice, Place, Remedy, SourceError, together
from ti99tools.base.record import Record
from ti99tools.base.tokens import KEYWORDS
from ti99tools.language.findings import elsewhere_of
from ti99tools.language.listing.listing import BEGINNINGS, list_line
from ti99tools.language.listing.tokenize import (
    MAX_LINE_BYTES,
    EntryError,
    number_of,
    tokenize_marked,
)
from ti99tools.language.listing.wrapped import (
    WIDTHS,
    Joined,
    continued,
    hangs,
    hung,
    joined,
    margin_of,
    odd_width_of,
    plain,
    width_of,
    without_dots,
)

_TO_TEXT = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}
_TO_TEXT |= {code: 0x2580 + code - 0x80 for code in range(0x80, 0xA0)}
_REMARK = re.compile(
    r"[ \t]*(?:REM\b|!|#[ #!]|(?:-+ *[0-9]+ *-+|PAGE +[0-9]+|```[A-Z0-9]*) *$)", re.IGNORECASE
)
"""What is not part of a listing but often found in one: remarks without a number, page numbers,
fences.
"""
_BEFORE = re.compile(r"[ >]*NEW *$", re.IGNORECASE)
_AFTER = re.compile(r"[ >]*(?:RUN|LIST|BYE|SAVE +\S+) *$", re.IGNORECASE)
"""Commands that people type before and after a listing; they change no line of it."""
_LISTING = re.compile(
    r"\ufeff?(?:\s*(?:REM\b|!|>?NEW *\r?$|```)[^\n]*\n)*\s*>?[0-9]", re.IGNORECASE | re.MULTILINE
)
_WEB = re.compile(r"^ *>?[0-9]{1,5}\xa0", re.MULTILINE)
"""A line of a web page, where all spaces may be no-break spaces."""
_ENTRY = re.compile(r"\s*>?([0-9]{1,5})\s+[A-Z:!]", re.IGNORECASE)
_SEVERAL = 3
"""Ascending numbers that identify a listing with wrapped lines; a tenth of its rows has one."""
_ENTRY_NUMBER = re.compile(r"\s*>?[0-9]{1,5}")
_PROMPT = re.compile(r"^( *)>(?= *[0-9])")
_TEXT = re.compile(r'("[^"]*"?)')
_KEEPS_TEXT = re.compile(r"REM|!|DATA|IMAGE", re.IGNORECASE)
"""After these, characters stand for themselves."""
_TITLE = "remove what stands before the first line, or begin it with !"
_STATEMENT = re.compile(
    rf"^[ \t]*(?:{'|'.join(KEYWORDS[token] for token in BEGINNINGS)})\b",
    re.IGNORECASE | re.MULTILINE,
)
_SHOWN_HINTS = 10
STRANGE = 10
"""This many wrong lines, if they are two thirds of all, show that a text is not a source."""
_FINAL_BLANK = "\u2420"
_FROM_TEXT = {text: code for code, text in _TO_TEXT.items()} | {ord(_FINAL_BLANK): 0x20}


class Entry(Record):
    """A line of a listing: its effect in the editor, and its origin.

    No tokens: the line is to be deleted. `marks` give the column of each token (see `column`), with
    all rows of a wrapped line counted as one.
    """

    number: int
    tokens: bytes
    place: Place
    marks: tuple[tuple[int, int], ...] = ()
    line: Joined | None = None

    def column(self, offset: int) -> int:
        """The 1-based column, in the file, of the token at `offset`."""
        before = self.place.column or 1
        for at, column in self.marks:
            if at > offset:
                break
            before = column
        return before

    def where(self, offset: int) -> Place:
        """The place, in the file, of the token at `offset`."""
        column = self.column(offset)
        if self.line is None:
            return Place(self.place.file, self.place.line, column)
        return _place(self.place.file, self.line, column)


class Reading(NamedTuple):
    """The content of a listing: entries in the order of the text, and what the editor refuses.

    `skipped` are the places of remarks and commands without a number, `width` is where lines were
    wrapped (0: where their ends say so), and `mended` are the rows after which spaces were put into
    a string.
    """

    entries: list[Entry]
    errors: list[EntryError]
    skipped: list[Place]
    width: int | None
    mended: list[Place]


def to_text(listed: str) -> str:
    """A line of a program as a text file can hold it."""
    if listed.endswith(" "):
        listed = listed[:-1] + _FINAL_BLANK
    return listed.translate(_TO_TEXT)


def from_text(text: str) -> str:
    """The inverse of `to_text`; other spaces at the end are dropped."""
    return text.rstrip(" ").translate(_FROM_TEXT)


def reads_back(number: int, tokens: bytes) -> bool:
    """Tell whether reading the line's listing gives the same tokens."""
    text = from_text(to_text(list_line(number, tokens)))
    try:
        return tokenize_marked(text, limit=MAX_LINE_BYTES, trim=False)[:2] == (number, tokens)
    except EntryError:
        # What the editor refuses cannot be typed back.
        return False


def is_numbered(text: str) -> bool:
    """Tell whether a text is a plain listing: its first meaningful line begins with a number.

    Empty lines and remarks do not count. If the first line is a title, the others decide.
    """
    if _LISTING.match(text):
        return True
    rows = [row for row in text.split("\n") if row.strip() and not _REMARK.match(row)]
    entries = [int(match.group(1)) for row in rows if (match := _ENTRY.match(row))]
    if 2 * len(entries) > len(rows):
        return True
    return len(entries) >= _SEVERAL and entries == sorted(entries) and 10 * len(entries) > len(rows)


def as_one(errors: Sequence[SourceError], rows: int, file: str | None, basic: bool) -> SourceError:
    """Several mistakes (at least one) as one error.

    `rows` is the number of non-empty lines of the file. If most of them are wrong, the error says
    that the text is not a source; the first mistake of each kind comes with it if the text is
    `basic` all the same, or points to another BASIC. If its lines seem to be wrapped, that is what
    is wrong with all of them.
    """
    for error in errors:
        if isinstance(error.remedy, Advice) and error.remedy.meaning is Remedy.JOIN:
            return error
    wrong = len({error.place.line for error in errors if error.place.file == file})
    if wrong >= STRANGE and 3 * wrong >= 2 * rows:
        problem = f"no source of Extended BASIC: {wrong} of {rows} lines are wrong"
        hints = _hints(errors) or (_kinds(errors) if basic else [])
        remedy = "choose another file, or begin with these" if hints else "choose another file"
        return together([SourceError(problem, remedy=remedy, place=Place(file)), *hints])
    return together(errors)


def _hints(errors: Sequence[SourceError]) -> list[SourceError]:
    """The first mistake of each kind that points to another BASIC; none if it may be chance."""
    telling = {word: e for e in reversed(errors) if (word := elsewhere_of(e.remedy))}
    return list(reversed(telling.values()))[:_SHOWN_HINTS] if len(telling) > 2 else []


def _kinds(errors: Sequence[SourceError]) -> list[SourceError]:
    """The first mistake of each kind; ten at most."""
    first = {(each.problem, each.remedy): each for each in reversed(errors)}
    return list(reversed(first.values()))[:_SHOWN_HINTS]


def is_basic(text: str) -> bool:
    """Tell whether most non-empty lines of a text begin with a word that begins a statement."""
    return 2 * len(_STATEMENT.findall(text)) > rows_of(text)


def rows_of(text: str) -> int:
    """The number of non-empty lines of a text."""
    return sum(not row.isspace() for row in text.split("\n") if row)


def read_text(
    text: str,
    file: str | None = None,
    *,
    join: int | None = None,
    limit: int = MAX_LINE_BYTES,
    strict: bool = True,
) -> Reading:
    """Read a text of unknown layout.

    Each error has its file, line and column; lines of more than `limit` token bytes are LINE TOO
    LONG. `strict` as in `tokenize_marked`.

    Its lines may be wrapped: after `join` characters or, without that, as LIST wraps them if the
    text suggests it. With any `join`, rows also go on where their end says so (see `continued`); 0
    says that alone. Remarks without a number are skipped, and so are commands before and after the
    lines.
    """
    read, lengths = _rows(text)
    rows, commands = _without_commands(read)
    lines, width = _lines(rows, lengths, join)
    wrapped = width if any(len(line.pieces) > 1 for line in lines) else None
    skipped = [_place(file, line, 1) for line in lines if _REMARK.match(line.text)]
    skipped = sorted([*skipped, *(Place(file, row, 1) for row in commands)], key=_row_of)
    numbered = (line for line in lines if not _REMARK.match(line.text))
    entries, errors = _read(numbered, file, limit, strict)
    odd = odd_width_of(_listed(_bare(rows))) if errors and not width else None
    if odd is not None:
        errors[0] = errors[0].moved(errors[0].place, Remedy.JOIN.of(width=odd))
    mended = [Place(file, row) for line in lines for row in line.mended]
    return Reading(entries, errors, skipped, wrapped, mended)


def _lines(
    rows: Sequence[str], lengths: Sequence[int], join: int | None
) -> tuple[list[Joined], int | None]:
    """The lines of rows, and the width after which they were wrapped; see `read_text`."""
    margin, bare = margin_of(rows), _bare(rows)
    lengths = [length - margin for length in lengths]
    listed = _listed(bare)
    hang = 0 if join else hangs(bare)
    width = join
    if not width:
        longest = max(map(len, listed))
        width = longest if hang else width_of(listed, lengths[len(bare) - len(listed) :])
    if width is None:
        lines = plain(rows)
    elif hang:
        lines = hung(bare, width, hang, margin)
    else:
        lines = joined(without_dots(bare) if join else bare, width, margin, lengths)
    return (lines, width) if join is None else (continued(lines), width or 0)


def _bare(rows: Sequence[str]) -> list[str]:
    """The rows without the spaces with which all begin."""
    margin = margin_of(rows)
    return [row[margin:] for row in rows]


def _listed(rows: Sequence[str]) -> Sequence[str]:
    """The rows from the first that begins with a number; all of them if none does."""
    return list(dropwhile(lambda row: not _ENTRY_NUMBER.match(row), rows)) or rows


def _row_of(place: Place) -> int:
    return place.line or 0


def _without_commands(rows: list[str]) -> tuple[list[str], list[int]]:
    """The rows, emptied where a command comes before or after all lines; and which those were."""
    written = [at for at, row in enumerate(rows) if row.strip() and not _REMARK.match(row)]
    first = takewhile(lambda at: _BEFORE.match(rows[at]), written)
    last = takewhile(lambda at: _AFTER.match(rows[at]), reversed(written))
    commands = {*first, *(at for at in last if len(rows[at - 1]) not in WIDTHS)}
    lines = ["" if at in commands else row for at, row in enumerate(rows)]
    return lines, sorted(at + 1 for at in commands)


def _rows(text: str) -> tuple[list[str], list[int]]:
    """The rows of a text without the spaces at their ends, and their lengths with them."""
    if _WEB.search(text):
        text = text.replace("\xa0", " ")
    whole = [_row(row) for row in text.removeprefix("\ufeff").replace("\f", " ").split("\n")]
    rows = [*map(from_text, whole)]
    first = next(filter(str.strip, rows), "")
    if _PROMPT.match(first):
        rows = [_PROMPT.sub(r"\1 ", row) for row in rows]
    return rows, [*map(len, whole)]


def _parts(row: str) -> Iterator[tuple[str, bool]]:
    """Texts in quotes and the parts between them, and whether characters stand for themselves."""
    literal = _ENTRY_NUMBER.match(row) is None
    for part in _TEXT.split(row):
        literal = literal or (part[:1] != '"' and _KEEPS_TEXT.search(part) is not None)
        yield part, literal


def _blanked(part: tuple[str, bool]) -> str:
    text, literal = part
    if text[:1] == '"':
        return text
    text = text.replace("\t", " ")
    return text if literal else text.replace("\xa0", " ")


def _row(row: str) -> str:
    """A row of a text file, with spaces where tabs and no-break spaces are meant as such."""
    if row[:1] == "\t" and _ENTRY_NUMBER.match(row) is None:
        bare = row.lstrip(" \t")
        row = row[: len(row) - len(bare)].expandtabs() + bare
    if "\t" in row or "\xa0" in row:
        row = "".join(map(_blanked, _parts(row)))
    return row.removesuffix("\r")


def _read(
    lines: Iterable[Joined], file: str | None, limit: int, strict: bool
) -> tuple[list[Entry], list[EntryError]]:
    entries: list[Entry] = []
    errors: list[EntryError] = []
    for line in lines:
        content = line.text.lstrip(" \t")
        if not content.strip():
            continue
        shift = len(line.text) - len(content)
        try:
            number, tokens, marks = tokenize_marked(content, limit=limit, strict=strict, trim=False)
        except EntryError as error:
            place = _place(file, line, (error.place.column or 1) + shift)
            title = not entries and content[0].isalpha()
            refused = error.moved(place, _TITLE if title else None)
            refused.number = number_of(content)
            errors.append(refused)
        else:
            moved = tuple((at, column + shift) for at, column in marks)
            entries.append(Entry(number, tokens, _place(file, line, 1 + shift), moved, line))
    return entries, errors


def _place(file: str | None, line: Joined, column: int) -> Place:
    row, index = line.place(column - 1)
    return Place(file, row, index + 1)


def no_lines(file: str | None, *, empty: bool = False) -> SourceError:
    """The error of a text without any program line; `empty`: with nothing at all."""
    problem = "the source is empty" if empty else "there is no program line in it"
    return SourceError(problem, remedy="write a program", place=Place(file))
