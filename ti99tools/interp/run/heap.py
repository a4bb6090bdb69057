"""Strings and the stack of a running program share video memory: who fills it gets MEMORY FULL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.source.prescan.sizes import LOOP_FRAME, OTHER_FRAME, STRING_OVERHEAD, VIDEO_SPACE
from ti99tools.source.prescan.taken import Taken


class Heap:
    """The strings of a running program.

    What is assigned is only added up; when the sum could fill the memory, the strings that are
    still there are counted, as the machine's garbage collection does.
    """

    def __init__(
        self,
        taken: Taken,
        frames: Sequence[object],
        strings: Callable[[], Iterable[str]],
    ) -> None:
        self.taken = taken
        self._frames = frames
        self._strings = strings
        self.left = 0
        # `_assigned - left` is the most that strings can take: those counted last and all that
        # were assigned since then, which `left` has gone down by.
        self._assigned = 0

    def kept(self, text: str) -> str:
        """A string that is going to be assigned; MEMORY FULL if there is no room for it."""
        if text:
            self.left -= STRING_OVERHEAD + len(text)
            if self.left < 0:
                strings = self._counted()
                free = self._besides_strings() - strings
                self._assigned = strings + free
                self.left = free - STRING_OVERHEAD - len(text)
                if self.left < 0:
                    raise XBError(xb.MEMORY_FULL)
        return text

    def check_stack(self) -> None:
        """GOSUB with many frames on the stack: MEMORY FULL if there is no room for another.

        The strings are counted only where all that were assigned since the last count would not
        leave the room.
        """
        room = self._besides_strings() - OTHER_FRAME
        if self._assigned - self.left > room:
            strings = self._counted()
            self._assigned = strings + self.left
            if strings > room:
                raise XBError(xb.MEMORY_FULL)

    def _besides_strings(self) -> int:
        """Bytes that symbols and the stack leave."""
        loops = list(map(type, self._frames)).count(list)
        stack = LOOP_FRAME * loops + OTHER_FRAME * (len(self._frames) - loops)
        return VIDEO_SPACE - self.taken.video - stack

    def _counted(self) -> int:
        """Bytes of the strings that are still there."""
        return sum(STRING_OVERHEAD + len(text) for text in self._strings() if text)
