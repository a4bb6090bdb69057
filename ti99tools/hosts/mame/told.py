"""What the Lua side told of a run: screens, failures, lines executed, machine time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from ti99tools.base.errors import TIError
from ti99tools.disk.image import DiskImage
from ti99tools.disk.tifile import FileType
from ti99tools.hosts.host import Played
from ti99tools.program.image import Image, parse_program
from ti99tools.program.program import Program

UNFINISHED = "MAME ended before the script did"


class Told:
    """The lines of one run, read.

    `problem` is empty when the script went to its end; `notes` what the driver wants known;
    `executed` indexes of executed lines by size of the line number table (0: the highest line).
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.screens: dict[str, tuple[str, ...]] = {}
        self.executed: dict[int, set[int]] = {}
        self.notes: list[str] = []
        self.seconds = 0.0
        self.problem = UNFINISHED
        for line in lines:
            word, _, rest = line.partition(" ")
            self._take(word, rest)

    def _take(self, word: str, rest: str) -> None:
        if word == "SNAP":
            name, _, codes = rest.rpartition(" ")
            self.screens[name] = rows_of(codes)
        elif word == "FAIL":
            self.problem = rest
        elif word == "NOTE":
            self.notes.append(rest)
        elif word == "LINES":
            size, _, indexes = rest.partition(" ")
            self.executed.setdefault(int(size), set()).update(map(int, indexes.split(",")))
        elif word == "DONE":
            self.seconds = float(rest)
            self.problem = "" if self.problem == UNFINISHED else self.problem

    def played(self, disk: DiskImage, log: str) -> Played:
        """The result of the job whose disk came back."""
        records = disk.read(log).records if log in disk else None
        lines = executed_lines(self.executed, disk)
        return Played(records, self.screens, self.seconds, self.problem, lines)


def rows_of(codes: str) -> tuple[str, ...]:
    """24 rows of 32 characters from 768 codes in hexadecimal."""
    text = bytes.fromhex(codes).decode("latin-1")
    return tuple(text[at : at + 32] for at in range(0, 768, 32))


def executed_lines(executed: dict[int, set[int]], disk: DiskImage) -> frozenset[int]:
    """Line numbers of the largest program on the disk of which executed lines are known.

    Lines are told by their place in a line number table of a known size, the highest line first.
    """
    tables = sorted(_line_tables(disk), key=len, reverse=True)
    for numbers in tables:
        if len(numbers) in executed:
            places = executed[len(numbers)]
            return frozenset(numbers[place] for place in places if 0 <= place < len(numbers))
    return frozenset()


def _line_tables(disk: DiskImage) -> Iterator[list[int]]:
    """The line numbers of each program on a disk, highest first."""
    for info in disk.files():
        file = disk.read(info.name)
        with suppress(TIError):
            if file.type is FileType.PROGRAM:
                yield _numbers(parse_program(file.data)[0])
            elif file.type is FileType.INT_VAR:
                yield _numbers(Program.from_records(file.records).image)


def _numbers(image: Image) -> list[int]:
    return [number for number, _ in reversed(image.table)]
