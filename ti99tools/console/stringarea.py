"""Where Extended BASIC keeps symbols, strings and its stack in video memory, as CALL PEEK tells it.

From >37D7 downwards lie the symbol table and the buffers of open files, below them the strings;
from >0958 upwards grows the stack. Only the pointers are here: the bytes are not in video memory.
Source: SIZE as recorded gives both ends, a recorded PEEK where strings begin.
"""

from __future__ import annotations

from typing import Protocol

from ti99tools.console.programarea import VIDEO_TOP
from ti99tools.interp.run.heap import Heap
from ti99tools.machine.cpu_memory import Memory
from ti99tools.source.prescan.sizes import STRING_OVERHEAD

STRINGS_START = 0x8318
"""Pointers: where strings begin, the next free byte below them, the text of the one made last."""
STACK_BASE, STACK_TOP = 0x8324, 0x836E
BASE = 0x0958


class Owner(Protocol):
    """Who has the memory of strings and stack."""

    @property
    def heap(self) -> Heap | None:
        """That of the program in memory; None when none has run."""
        ...


class StringArea:
    """Has CPU memory follow the pointers."""

    def __init__(self, memory: Memory, owner: Owner) -> None:
        self._owner = owner
        memory.follow(STRINGS_START, self.strings, count=3)
        memory.follow(STACK_BASE, lambda: (BASE,))
        memory.follow(STACK_TOP, lambda: (self.stack(),))

    def strings(self) -> tuple[int, int, int]:
        """The highest byte that strings may take, the highest that none has taken, and the text of
        the string made last (0 before there is one).
        """
        heap = self._owner.heap
        if heap is None:
            return VIDEO_TOP, VIDEO_TOP, 0
        start = VIDEO_TOP - heap.fixed
        end = start - heap.made
        return start, end, 0 if end == start else end + STRING_OVERHEAD

    def stack(self) -> int:
        """The top of the stack."""
        heap = self._owner.heap
        return BASE if heap is None else BASE + heap.stack
