"""The line number tables of the programs on a disk, and the lines that look for keys.

A driver inside an emulator sees the running line as an index of such a table: see `driver`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from ti99tools.base import tokens
from ti99tools.base.errors import TIError
from ti99tools.language.listing.listing import scan
from ti99tools.language.program.memory_image import ProgramImage, parse_program
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import FileType

OWN_SCANS = ("SOUND", "JOYST")
"""CALLs that scan the keyboard without returning the key, which is then lost."""


@dataclass(frozen=True)
class LineTable:
    """A program's line numbers, highest first as in its table; `asking`: indexes of lines that
    look for keys; `counting`: of those with CALL KEY between a FOR and its NEXT.
    """

    numbers: tuple[int, ...]
    asking: frozenset[int]
    counting: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """The number of lines."""
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


def _table(image: ProgramImage) -> LineTable:
    # A table lies with the highest line first, `image.table` with the lowest.
    lines = list(reversed(image.table))
    code = []
    for _, distance in lines:
        start = len(image.memory) - distance
        # A line's length is in the byte before it.
        code.append(image.memory[start : start + image.memory[start - 1]])
    asking = frozenset(at for at, line in enumerate(code) if looks_for_keys(line))
    last = len(code) - 1
    counting = frozenset(last - at for at in lines_in_loops(code[::-1]))
    return LineTable(tuple(number for number, _ in lines), asking, asking & counting)


def lines_in_loops(lines: Sequence[bytes]) -> set[int]:
    """The indexes of lines that have CALL KEY between a FOR and its NEXT, and no INPUT or ACCEPT.

    The lines come in the order of their numbers. A FOR without a NEXT is not a loop.
    """
    keys: list[int] = []
    loops: list[int] = []
    """For each FOR, in order: the number of CALL KEYs before it."""
    inside: set[int] = set()
    for at, code in enumerate(lines):
        before = 0
        for element in scan(code):
            if element.token == tokens.FOR:
                loops.append(len(keys))
            elif element.token == tokens.NEXT and before not in _OPTIONS and loops:
                inside.update(keys[loops.pop() :])
            elif before == tokens.CALL and element.text == "KEY":
                keys.append(at)
            before = element.token
    return {at for at in inside if not _takes_lines(lines[at])}


_OPTIONS = (tokens.BREAK, tokens.WARNING, tokens.RETURN)
"""NEXT after one of these ends no loop."""


def _takes_lines(code: bytes) -> bool:
    return any(e.token in (tokens.ACCEPT, tokens.INPUT, tokens.LINPUT) for e in scan(code))


def looks_for_keys(code: bytes) -> bool:
    """Tell whether a line has CALL KEY, ACCEPT, or INPUT or LINPUT not from a file.

    CALL LINK counts too, unless the line also has a CALL that loses keys, since machine code may
    look for keys. INPUT after a comma is the mode of a file.
    """
    elements = scan(code)
    calls = {name.text for word, name in pairwise(elements) if word.token == tokens.CALL}
    if "KEY" in calls or ("LINK" in calls and not calls.intersection(OWN_SCANS)):
        return True
    # One token before and after: the mode INPUT follows a comma, a file's # comes after.
    found = [0, *(element.token for element in elements), 0]
    for before, token, after in zip(found, found[1:], found[2:], strict=False):
        if token == tokens.ACCEPT:
            return True
        statement = token in (tokens.INPUT, tokens.LINPUT) and before != tokens.COMMA
        if statement and after != tokens.HASH:
            return True
    return False


def entries_of(tables: Iterable[LineTable], line: int) -> list[tuple[int, int]]:
    """The table sizes and indexes that a line number may have."""
    return [(t.size, t.numbers.index(line)) for t in tables if line in t.numbers]


def number_of(tables: Iterable[LineTable], size: int, index: int) -> int | None:
    """The line number at an index in the longest table of a size; None when it is not known."""
    for table in tables:
        if table.size == size and 0 <= index < size:
            return table.numbers[index]
    return None
