"""What a compiled program has in memory when it begins: pieces, divided into parts for files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ti99tools.compiler.linking import HIGH_END, ORIGIN, Linked
from ti99tools.compiler.memory import LOW, LOW_END

MEMORY = ((LOW, LOW_END), (ORIGIN, HIGH_END))
"""First address and end of the two parts of the 32K memory expansion."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that belong at an even address; their number is even."""

    address: int
    data: bytes

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.address + len(self.data)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program in memory: its pieces in order of their addresses, and where it begins."""

    entry: int
    pieces: tuple[Piece, ...]


def loaded(linked: Linked) -> Loaded:
    """What a linked program without banks has in memory when it begins."""
    assert not linked.banks, "a cartridge is needed for banks"
    kept = linked.low.rjust(len(linked.low) + len(linked.low) % 2, b"\0")
    low = (Piece(LOW_END - len(kept), kept),) if kept else ()
    return Loaded(ORIGIN, (*low, even(ORIGIN, linked.image)))


def even(address: int, data: bytes) -> Piece:
    """A piece of data; a byte is added to an odd number of them."""
    return Piece(address, data + bytes(len(data) & 1))


def divided(pieces: Iterable[Piece], most: int) -> Iterator[Piece]:
    """The pieces in parts of at most `most` bytes, an even number."""
    for piece in pieces:
        for at in range(0, len(piece.data), most):
            yield Piece(piece.address + at, piece.data[at : at + most])


def gap(pieces: Sequence[Piece], size: int) -> int | None:
    """The highest address in low memory, or else in high memory, where `size` bytes are free.

    `size` is even; None where there is no such place.
    """
    for first, end in MEMORY:
        for piece in sorted(pieces, key=lambda each: -each.address):
            if first <= piece.address < end:
                if end - piece.end >= size:
                    break
                end = piece.address
        if end - first >= size:
            return end - size
    return None
