"""Where SUBs have their memory: in low memory where that is free, else within the code.

CALL INIT leaves low memory from >24F4 on to machine code, up to the names at its end. What the
program's twins in machine code have there is known from their sources: addresses of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ti99tools.computer.machinecode.addresses import ENTRY, FREE_AFTER_INIT, NAMES_END

HEAP_BYTES = 1024
"""The least bytes of the heap for texts where the source states none."""

Blocks = Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Room:
    """Low memory for SUBs, up to `end`; `heap`: the bytes that the source states, or 0."""

    end: int = FREE_AFTER_INIT
    heap: int = 0


def room_below(addresses: Iterable[int], names: int, heap: int) -> Room:
    """The room below addresses that other code uses, and below so many names."""
    highest = NAMES_END - ENTRY * names
    end = min([highest, *(one for one in addresses if FREE_AFTER_INIT <= one < NAMES_END)])
    return Room(end & ~1, heap)


@dataclass(frozen=True)
class SubMemory:
    """The rows that reserve memory: `equates` for low memory, `blocks` within the code."""

    equates: str
    blocks: str
    low_end: int
    """Where the part in low memory ends; 0 if there is none."""
    lasting: int
    """Bytes that last from call to call."""
    total: int
    heap: int

    @property
    def low_bytes(self) -> int:
        """The bytes of low memory that are taken."""
        return self.low_end - FREE_AFTER_INIT if self.low_end else 0


def laid_out(lasting: Blocks, scratch: Blocks, texts: bool, room: Room) -> SubMemory:
    """Lay out memory that lasts, memory that does not, and the heap for texts."""
    sizes = [sum(size + (size & 1) for _, size in blocks) for blocks in (lasting, scratch)]
    heap = (room.heap or HEAP_BYTES) if texts else 0
    heap += heap & 1
    left = room.end - FREE_AFTER_INIT
    if texts and not room.heap:
        heap = max(heap, left - sum(sizes))
    sections = (
        ("RAMBEG", lasting, "RAMEND", sizes[0]),
        ("SCRBEG", scratch, "SCREND", sizes[1]),
        ("HEAPLO", (), "HEAPHI", heap),
    )
    equates, blocks, at = "", "", FREE_AFTER_INIT
    for begin, own, end, size in sections:
        if at + size <= room.end:
            equates += f"{begin:<6} EQU  >{at:04X}\n"
            for label, one in own:
                equates += f"{label:<6} EQU  >{at:04X}\n"
                at += one + (one & 1)
            at = at if own else at + size
            equates += f"{end:<6} EQU  >{at:04X}\n"
        else:
            rows = own or ([("", size)] if size else [])
            blocks += f"{begin}\n" + "".join(map(_block, rows)) + f"{end}\n"
    return SubMemory(
        equates, blocks, at if at > FREE_AFTER_INIT else 0, sizes[0], sum(sizes) + heap, heap
    )


def _block(memory: tuple[str, int]) -> str:
    label, size = memory
    return (f"{label}\n" if label else "") + f"       BSS  {size + (size & 1)}\n"
