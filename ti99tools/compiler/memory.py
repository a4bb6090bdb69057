"""Low memory: what a program has there, and tables and constants that it leaves room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ti99tools.base.errors import TIError
from ti99tools.compiler.emit.assembly import bytes_of

LOW, LOW_END = 0x2000, 0x4000
STACK_BYTES = 400
"""The stack of GOSUB and FOR has at least these bytes; it gets what is left of low memory."""
TEXT_BYTES = 1280
"""Bytes of the buffer in which texts are made: one may begin up to 512 bytes from its start, and
grow by twice 255; one of a variable may be fetched after it."""


class LowMemory:
    """Low memory while it is allocated: from its beginning on, and constants from its end down.

    Arrays and constants leave room for `stack` bytes of the stack, of which the program uses
    `deepest` (0: all that there are).
    """

    def __init__(self, stack: int, deepest: int) -> None:
        self.at = LOW
        self.cleared = LOW
        """Where the part ends that is 0 when a program begins."""
        self.end = LOW_END
        """Where constants begin."""
        self.stack = stack
        self._deepest = deepest
        self._rows: list[str] = []

    @property
    def room(self) -> int:
        """Bytes that are left."""
        return self.end - self.at

    def take(self, label: str, size: int) -> None:
        """Allocate some bytes at an even address. Raises TIError if too few are left."""
        size += size & 1
        if size > self.room:
            raise TIError(
                "the variables of the compiled program do not fit into low memory",
                remedy="use fewer variables",
            )
        self._rows.append(f"{label:<6} EQU  >{self.at:04X}\n")
        self.at += size

    def note(self, label: str) -> None:
        """Give the next address a name."""
        self._rows.append(f"{label:<6} EQU  >{self.at:04X}\n")

    def finish(self) -> None:
        """Allocate the buffer for texts, and the stack, which gets what is left."""
        self.cleared = self.at
        self.take("TXTBUF", TEXT_BYTES)
        self.take("STACK", max(self.room, STACK_BYTES))

    def keep(self, source: str, most: int) -> tuple[str, str]:
        """Put those parts of a source that fit at the end, `most` bytes or less; what is there, and
        the rest.

        The parts begin at labels, and may lie anywhere.
        """
        here, rest = [], []
        free = min(most, self.room - TEXT_BYTES - self.stack)
        parts = [(bytes_of(part), part) for part in _parts(source)]
        # The largest first: small ones fill what these leave.
        for size, part in sorted(parts, key=lambda each: -each[0]):
            if size <= free:
                free -= size
                self.end -= size
                here.append(part)
            else:
                rest.append(part)
        return "".join(here), "".join(rest)

    def equates(self) -> str:
        """All addresses that a program knows by name."""
        last = self.end - 4  # of the stack: two words for a loop or GOSUB, checked before
        if self._deepest:
            last = min(last, self.cleared + TEXT_BYTES + self._deepest)
        ends = (("STKEND", last), ("RAMLO", LOW), ("RAMHI", self.cleared))
        rows = [f"{label:<6} EQU  >{address:04X}\n" for label, address in ends]
        return "".join((*self._rows, *rows))


def _parts(source: str) -> Iterator[str]:
    """The rows of a source from each label to the next one."""
    part: list[str] = []
    for row in source.splitlines(keepends=True):
        if part and not row.startswith(" "):
            yield "".join(part)
            part = []
        part.append(row)
    if part:
        yield "".join(part)


def place_arrays(low: LowMemory, sizes: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Allocate the arrays that fit; return the others, with their sizes in bytes.

    Small ones come before large ones, so that most are in low memory.
    """
    high = []
    for label, size in sorted(sizes, key=lambda each: each[1]):
        if low.room >= size + TEXT_BYTES + low.stack:
            low.take(label, size)
        else:
            high.append((label, size))
    return high
