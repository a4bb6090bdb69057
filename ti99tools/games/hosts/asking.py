"""The lines of a disk's programs, and which of them look for keys.

Extended BASIC keeps the line that runs at 832Eh, as a place between start and end of its line
number table (8330h, 8332h): from this a driver knows the table's size and the entry. The tables of
the programs on the disk give them a meaning. A key that is pressed while another line runs may be
found by a scan of that line (CALL SOUND that waits, CALL JOYST), and is lost then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from ti99tools.base import tokens
from ti99tools.base.errors import TIError
from ti99tools.language.program.image import Image, parse_program
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import FileType

OWN_SCANS = (b"SOUND", b"JOYST")
"""Calls whose scans of the keyboard take keys that no statement gets."""


@dataclass(frozen=True)
class LineTable:
    """A program's line numbers, highest first as in its table; and which lines look for keys.

    `asking` are indexes.
    """

    numbers: tuple[int, ...]
    asking: frozenset[int]

    @property
    def size(self) -> int:
        """How many lines there are."""
        return len(self.numbers)


def line_tables(disk: DiskImage) -> list[LineTable]:
    """The tables of all programs on a disk, longest first; unreadable files are skipped."""
    return sorted(_tables(disk), key=lambda table: table.size, reverse=True)


def _tables(disk: DiskImage) -> Iterator[LineTable]:
    for info in disk.files():
        with suppress(TIError):
            file = disk.read(info.name)
            if file.type is FileType.PROGRAM:
                yield _table(parse_program(file.data)[0])
            elif file.type is FileType.INT_VAR:
                yield _table(Program.from_records(file.records).image)


def _table(image: Image) -> LineTable:
    # A table lies with the highest line first, `image.table` with the lowest.
    lines = list(reversed(image.table))
    asking = set()
    for at, (_, distance) in enumerate(lines):
        start = len(image.memory) - distance
        # A line's length is in the byte before it.
        if looks_for_keys(image.memory[start : start + image.memory[start - 1]]):
            asking.add(at)
    return LineTable(tuple(number for number, _ in lines), frozenset(asking))


def looks_for_keys(code: bytes) -> bool:
    """Tell whether a line has CALL KEY, ACCEPT, or INPUT or LINPUT not from a file.

    CALL LINK counts too where no other call of the line looks for keys, since machine code may do
    so. INPUT after a comma is the mode of a file.
    """
    parts = [(0, b""), *_parts(code), (0, b"")]
    calls = {b[1] for a, b in pairwise(parts) if a[0] == tokens.CALL}
    if b"KEY" in calls or (b"LINK" in calls and not calls.intersection(OWN_SCANS)):
        return True
    # One token before and after: the mode INPUT follows a comma, a file's # comes after.
    for before, (token, _), after in zip(parts, parts[1:], parts[2:], strict=False):
        if token == tokens.ACCEPT:
            return True
        statement = token in (tokens.INPUT, tokens.LINPUT) and before[0] != tokens.COMMA
        if statement and after[0] != tokens.HASH:
            return True
    return False


def _parts(code: bytes) -> Iterator[tuple[int, bytes]]:
    """The tokens of a line, with their text where they have one."""
    at = 0
    while at < len(code):
        token = code[at]
        at += 1
        text = b""
        if token in (tokens.QUOTED, tokens.UNQUOTED) and at < len(code):
            text = code[at + 1 : at + 1 + code[at]]
            at += 1 + code[at]
        # Two bytes of number follow: they are not tokens.
        elif token == tokens.LINE_NUMBER:
            at += 2
        # The rest of the line is a remark.
        if token in (tokens.REM, tokens.BANG):
            return
        yield token, text


def entries_of(tables: Iterable[LineTable], line: int) -> list[tuple[int, int]]:
    """The table sizes and indexes that a line number may have."""
    return [(t.size, t.numbers.index(line)) for t in tables if line in t.numbers]


def number_of(tables: Iterable[LineTable], size: int, index: int) -> int | None:
    """The line number at an index in the longest table of a size; None when it is not known."""
    for table in tables:
        if table.size == size and 0 <= index < size:
            return table.numbers[index]
    return None
