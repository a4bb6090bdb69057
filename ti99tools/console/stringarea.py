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

STRINGS_START, STRINGS_END, LAST_STRING = 0x8318, 0x831A, 0x831C
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
        for address, read in (
            (STRINGS_START, self.start),
            (STRINGS_END, self.end),
            (LAST_STRING, self.last),
            (STACK_BASE, lambda: BASE),
            (STACK_TOP, self.stack),
        ):
            memory.follow(address, read)

    def start(self) -> int:
        """The highest byte that strings may take."""
        heap = self._owner.heap
        return VIDEO_TOP if heap is None else VIDEO_TOP - heap.fixed

    def end(self) -> int:
        """The highest byte that no string has taken."""
        heap = self._owner.heap
        return self.start() - (0 if heap is None else heap.made)

    def last(self) -> int:
        """The text of the string made last; 0 before there is one."""
        end = self.end()
        return 0 if end == self.start() else end + STRING_OVERHEAD

    def stack(self) -> int:
        """The top of the stack."""
        heap = self._owner.heap
        return BASE if heap is None else BASE + heap.stack
