"""Strings and the stack of a running program share video memory: who fills it gets MEMORY FULL.

Strings grow downwards from the symbol table and the buffers of open files, the stack upwards: 8
bytes for a GOSUB or an error being handled, 16 for a SUB, 32 for a FOR. What a statement needs for
a moment comes besides (`compile/needs`). Counting all this takes long, so the program runs on
without looking as far as there is certainly room; near the end of memory it is `tight`, and every
statement looks. Source: the recorded depths of GOSUB, numbers of strings and SIZE (lang-asked).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.interp.run.frames import CallFrame
from ti99tools.interp.run.stringspace import StringSpace
from ti99tools.source.prescan.sizes import (
    LOOP_FRAME,
    OTHER_FRAME,
    STACK_RESERVE,
    STRING_OVERHEAD,
    SUB_FRAME,
    VIDEO_SPACE,
)
from ti99tools.source.prescan.taken import Taken

UNCHECKED = "unchecked"
"""The name in generated code of the number of GOSUB's frames up to which nobody looks."""

MARGIN = 1000
"""Bytes that a few statements may take: with less left, memory is tight."""

PLENTY = 2000
"""Bytes: with more left, strings need not be counted exactly."""


class Heap:
    """The memory of strings and stack.

    `taken` is what the pre-scan took, `strings` are all that variables hold, `buffers` gives the
    bytes of open files, `shown` those of strings that PRINT has made. Memory becoming tight calls
    `alarm`. `space` has the strings' bytes, if the program's strings are `placed`.
    """

    def __init__(
        self,
        taken: Taken,
        frames: Sequence[object],
        strings: Callable[[], Iterable[str]],
        buffers: Callable[[], int] = int,
        alarm: Callable[[], None] = lambda: None,
        shown: Callable[[], int] = int,
        placed: bool = False,
    ) -> None:
        self.taken = taken
        self.tight = False
        self.names: dict[str, Any] = {UNCHECKED: 0}
        """Globals of generated code."""
        self._frames = frames
        self._strings = strings
        self._buffers = buffers
        self._alarm = alarm
        self._shown = shown
        # `_assigned - _left` is the most that strings can take: those counted last and all that
        # were assigned since then, which `_left` has gone down by.
        self._assigned = 0
        self._left = 0
        self.space = StringSpace(self.kept, self.room, strings) if placed else None

    @property
    def free(self) -> int:
        """Bytes of stack free, as SIZE tells them: a reserve is not counted."""
        return self.room() - self._counted() - STACK_RESERVE

    @property
    def made(self) -> int:
        """Bytes of the strings made since RUN, those that nobody uses any more too.

        Counted are those assigned and those that PRINT made; where they would fill the memory only
        those in use are left. A string space knows exactly.
        """
        if self.space is not None:
            return self.space.used
        made = self._assigned - self._left + self._shown()
        return made if made < self.room() - STACK_RESERVE else self._counted()

    @property
    def fixed(self) -> int:
        """Bytes of symbols and buffers, which lie above the strings."""
        return self.taken.video + self._buffers()

    @property
    def stack(self) -> int:
        """Bytes of the stack."""
        kinds = list(map(type, self._frames))
        loops, subs = kinds.count(list), kinds.count(CallFrame)
        return LOOP_FRAME * loops + SUB_FRAME * subs + OTHER_FRAME * (len(kinds) - loops - subs)

    def kept(self, text: str) -> str:
        """A string that is going to be assigned; MEMORY FULL if there is no room for it."""
        if text:
            size = STRING_OVERHEAD + len(text)
            self._left -= size
            if self._left < 0:
                room, strings = self.room(), self._counted()
                if strings + size + OTHER_FRAME + STACK_RESERVE >= room:
                    raise XBError(xb.MEMORY_FULL)
                self._share(room, strings + size)
        return text

    def pushed(self, size: int) -> None:
        """A frame of `size` bytes has been pushed, larger than those that `unchecked` counts."""
        self.names[UNCHECKED] -= size // OTHER_FRAME - 1
        if len(self._frames) > self.names[UNCHECKED]:
            self.press()

    def press(self) -> None:
        """The stack has grown: say how far it may go on without looking."""
        room, strings = self.room(), self._assigned - self._left
        if room - strings < MARGIN + PLENTY:
            strings = self._counted()
        self._share(room, strings)

    def need(self, size: int) -> None:
        """A statement needs so many bytes for a moment; MEMORY FULL if they are not there."""
        if self.tight:
            room, strings = self.room(), self._counted()
            if strings + size > room:
                raise XBError(xb.MEMORY_FULL)
            self._share(room, strings)

    def _share(self, room: int, strings: int) -> None:
        """What is left is for strings and stack."""
        free = room - strings - MARGIN
        half = max(free, 0) // 2
        self._assigned, self._left = strings + half, half
        self.names[UNCHECKED] = len(self._frames) + half // OTHER_FRAME
        if self.tight != (free <= MARGIN * self.tight):
            self.tight = not self.tight
            self._alarm()

    def room(self) -> int:
        """Bytes that symbols, buffers and the stack leave, the reserve included."""
        return VIDEO_SPACE + STACK_RESERVE - self.fixed - self.stack

    def _counted(self) -> int:
        """Bytes of the strings that are still there."""
        return sum(STRING_OVERHEAD + len(text) for text in self._strings() if text)
