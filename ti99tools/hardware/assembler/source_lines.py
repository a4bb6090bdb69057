"""Source lines: label, operation, operand field, comment; files and what they copy.

COPY "DSK2.PART" is the file PART, part.a99 … in the folder of the source: in capital or small
letters, with or without one of `ENDINGS`. COPY "part" finds the same files, with a note.

A label begins in column 1, and `*` there makes the line a comment. The operand field ends at the
first space outside quotes. Capital and small letters are the same.

Relaxed sources, as other assemblers of today take them, may have single spaces within the operands;
two spaces, a tab or a semicolon begin the comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from ti99tools.base.errors import Place, Remedy, SourceError
from ti99tools.base.hostio import read_text
from ti99tools.base.inputs import is_input, listed, resolved

MOST_LINES = 200_000
"""Most lines of a source, with everything it copies."""
LINES_KEPT = 1 << 15
"""Lines of which the fields are kept."""
DEEPEST = 8
"""Most levels of COPY within COPY."""
ENDINGS = ("", ".a99", ".asm", ".s", ".txt")

_HEAD = re.compile(r"(?P<label>[^\s*;]\S*?)?:?(?=\s|$)(?:\s+(?P<operation>[^\s*;]\S*))?")
_FIELD = re.compile(r"(?:[^\s'\"]|'[^']*(?:'|$)|\"[^\"]*(?:\"|$))*")
NAME = r"[A-Z_$][A-Z0-9_$#]*"
"""A symbol, as a pattern. TI's assembler takes # and $ in it, and $ as its first character; `$`
alone is the address of the line.
"""
_NAME = re.compile(NAME)
_RELAXED = re.compile(r"(?: (?! |;|\t|$)|[^\s;'\"]|'[^']*(?:'|$)|\"[^\"]*(?:\"|$))*")
_ON_DISK = re.compile(r"DSK(?:[0-9]|\.[^.]+)\.(?P<name>[^./]+)", re.IGNORECASE)


class AssemblyLine(NamedTuple):
    """One line: its place, its text, and its fields; label and operation in capitals, operands as
    written.

    `column` is the first column of the operand field, counted from 1.
    """

    file: str
    number: int
    text: str
    label: str
    operation: str
    operands: str = ""
    column: int = 1
    operation_column: int = 1
    depth: int = 0
    """The number of COPYs that led to it."""
    gaps: tuple[int, ...] = ()
    """Where spaces were left out of relaxed operands: the index of the character after each."""

    def column_of(self, at: int) -> int:
        """The column of the character `at` of the operands."""
        return self.column + at + sum(gap <= at for gap in self.gaps)

    @property
    def comment(self) -> str:
        """What follows the operand field, without the spaces before it."""
        return self.text[self.column_of(len(self.operands)) - 1 :].lstrip()

    def error(self, problem: str, remedy: str | Remedy, column: int | None = None) -> SourceError:
        """A mistake in this line, at a column (default: that of the operands)."""
        place = Place(self.file, self.number, self.column if column is None else column)
        return SourceError(problem, remedy=remedy, place=place)


Reader = Callable[[str], str]
"""Name of a file → its text; raises TIError."""


Fields = tuple[str, str, str, int, int]
"""Label, operation, operands, and the columns of the last two."""


def parse(text: str, file: str, number: int, relaxed: bool = False, depth: int = 0) -> AssemblyLine:
    """Split a line into its fields. `relaxed` operands may have single spaces."""
    # 1A is what XMODEM and DOS put at the end of a file.
    text = text.rstrip("\r\n\x1a")
    (label, operation, operands, column, begins), gaps = _split(text, relaxed)
    return AssemblyLine(file, number, text, label, operation, operands, column, begins, depth, gaps)


@lru_cache(maxsize=LINES_KEPT)
def _split(text: str, relaxed: bool) -> tuple[Fields, tuple[int, ...]]:
    """The fields of a line, and the gaps in its operands; compiled programs share most lines."""
    if not text.strip() or text.lstrip()[0] in "*;":
        return ("", "", "", 1, 1), ()
    head = _HEAD.match(text)
    assert head is not None
    label, operation = (head[group] or "" for group in ("label", "operation"))
    start = head.end()
    start += len(text[start:]) - len(text[start:].lstrip())
    field = (_RELAXED if relaxed else _FIELD).match(text, start)
    operands, gaps = _joined(field[0]) if field else ("", ())
    begins = head.start("operation") + 1 if operation else 1
    return (label.upper(), operation.upper(), operands, start + 1, begins), gaps


_PIECE = re.compile(r" |'[^']*'?|\"[^\"]*\"?|[^ '\"]+")


def _joined(field: str) -> tuple[str, tuple[int, ...]]:
    """Operands without the spaces outside quotes, and where these were."""
    joined, gaps = "", []
    for piece in _PIECE.findall(field):
        if piece == " ":
            gaps.append(len(joined))
        else:
            joined += piece
    return joined, tuple(gaps)


LOCAL = "!"
NO_LOCAL = "local labels of other assemblers are not known: give each place a name"


def check_label(line: AssemblyLine) -> None:
    """Raise SourceError when the label is not a valid name."""
    if line.label and (line.label == "$" or not _NAME.fullmatch(line.label)):
        remedy = (
            "use letters, digits, _, $ and #, a letter, _ or $ first; begin lines without label"
            " with a space"
        )
        if line.label[0] == LOCAL:
            remedy = NO_LOCAL
        raise line.error(f"{line.label} is no label", remedy, 1)


_IN_LIBRARY = re.compile(r"<([a-z0-9_-]+\.a99)>")


class Sources:
    """The lines of a source and of what it copies, in order.

    `folder` is where COPY may read; None forbids it. `library` holds the files in angle brackets,
    `COPY "<log.a99>"`. `relaxed`: see `parse`. `errors` are the files that cannot be copied;
    reading goes on after them. `notes` tell which files of other names were copied.
    """

    def __init__(self, folder: Path | None, library: Path | None, relaxed: bool = False) -> None:
        self.errors: list[SourceError] = []
        self.notes: list[SourceError] = []
        self._relaxed = relaxed
        self._folder = None if folder is None else folder.resolve()
        self._library = library
        self._folder_in_titles = Path()
        self._homes: dict[str, Path] = {}
        self._count = 0
        self._ended = False

    def lines(self, text: str, file: str) -> Iterator[AssemblyLine]:
        """Each line; a COPY is followed by the lines of its file. Ends after END, copied or not.

        Raises SourceError for too many lines, and for files nested too deep.
        """
        self._folder_in_titles = Path(file).parent
        return self._lines(text, file, 0)

    def _lines(self, text: str, file: str, depth: int) -> Iterator[AssemblyLine]:
        # Not by splitlines: it ends lines at form feeds and others that editors do not count.
        for number, each in enumerate(StringIO(text, None), 1):
            line = parse(each, file, number, self._relaxed, depth)
            self._count += 1
            if self._count > MOST_LINES:
                raise line.error(f"more than {MOST_LINES} lines", "divide the source", 1)
            yield line
            if line.operation == "END":
                self._ended = True
            elif line.operation == "COPY":
                yield from self._copied(line)
            if self._ended:
                return

    def _copied(self, line: AssemblyLine) -> Iterator[AssemblyLine]:
        # A file that copies itself would never end.
        if line.depth == DEEPEST:
            raise line.error(
                f"COPY more than {DEEPEST} deep", "a file may copy itself: remove that"
            )
        try:
            title, path = self._found(line, copied_name(line))
            text = read_text(path)
        except SourceError as error:
            self.errors.append(error)
        except Exception as error:
            problem = getattr(error, "problem", str(error))
            mistake = line.error(f"{copied_name(line)}: {problem}", "check the name")
            self.errors.append(mistake)
        else:
            yield from self._lines(text, title, line.depth + 1)

    def _found(self, line: AssemblyLine, name: str) -> tuple[str, Path]:
        """The file that a line copies: how messages show it, and its path.

        A name in angle brackets is looked for in the library, any other beside the source, then
        beside the file with the COPY. Raises SourceError for a file outside the folder of the
        source.
        """
        if self._library is not None and (match := _IN_LIBRARY.fullmatch(name)):
            return name, self._library / match[1]
        top = self._folder
        if top is None:
            raise line.error("COPY without a folder", "put the copied lines into the source")
        homes = (top, self._homes.get(line.file, top))
        places = [resolved(place) for home in homes for place in _places(home, name, top)]
        path = next((place for place in places if is_input(place)), places[0])
        if not path.is_relative_to(top):
            remedy = "copy files from the folder of the source only"
            raise line.error(f"{name} is outside the folder of the source", remedy)
        title = str(self._folder_in_titles / path.relative_to(top))
        if is_input(path) and path.name != Path(name).name and not _ON_DISK.fullmatch(name):
            # On a case-sensitive disk the file that the source names would not be found.
            self.notes.append(line.error(f"{name} is read from {title}", "write its name so"))
        self._homes[title] = path.parent
        return title, path


def _places(home: Path, name: str, top: Path) -> Iterator[Path]:
    """Where a copied file may be in a folder: under its name, under that of a file on a disk, or in
    other capitals or without its ending. Folders outside `top` are not looked into.
    """
    path = home / name
    yield path
    on_disk = _ON_DISK.fullmatch(name)
    if on_disk is not None:
        path = home / on_disk["name"]
    if resolved(path.parent).is_relative_to(top):
        entries = {entry.name.lower(): entry for entry in reversed(_entries(path.parent))}
        names = (path.name.lower() + ending for ending in ENDINGS)
        yield from (entries[each] for each in names if each in entries)


def _entries(folder: Path) -> list[Path]:
    try:
        return listed(folder)
    except OSError:
        return []


def copied_name(line: AssemblyLine) -> str:
    """The file that a COPY names, in quotes of either kind. Raises SourceError."""
    text = line.operands
    if len(text) < 3 or text[0] not in "\"'" or text[-1] != text[0] or "\0" in text:
        raise line.error("COPY without a file name", 'write COPY "FILE"')
    return text[1:-1]
