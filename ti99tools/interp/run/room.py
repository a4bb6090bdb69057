"""The machine's memory while a program runs: who fills it gets MEMORY FULL.

With the 32K expansion, high memory holds the program and the numeric values, video memory the
symbol table, strings and the stack. Sizes of symbols and strings are those that SIZE showed on
the real machine (recorded size-dev); those of stack entries are taken from what they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.interp.compile.names import Symbol

VIDEO_SPACE = 11_840
"""Bytes of video memory with a disk controller attached (three files)."""

HIGH_SPACE = 24_488
"""Bytes of high memory."""

LINE_OVERHEAD = 6
"""Of a program line besides its tokens: line table entry, length byte, end byte."""

ENTRY, PER_DIMENSION, NUMBER, POINTER = 8, 2, 8, 2
SUB_ENTRY, PER_PARAMETER = 14, 2
STRING_OVERHEAD = 4

LOOP_FRAME, OTHER_FRAME = 32, 8
"""Stack bytes of FOR, and of everything else."""

UNCHECKED_FRAMES = 200
"""So many frames fit whatever else there is: deeper, every GOSUB looks."""


class Room:
    """What the program and its symbols have taken of both memories."""

    def __init__(self, program: Iterable[bytes]) -> None:
        self.video = 0
        self.high = sum(LINE_OVERHEAD + len(tokens) for tokens in program)

    def take(self, video: int, high: int = 0) -> None:
        """Reserve bytes; MEMORY FULL if they are not there."""
        self.video += video
        self.high += high
        if self.video > VIDEO_SPACE or self.high > HIGH_SPACE:
            raise XBError(xb.MEMORY_FULL)

    def symbol(self, symbol: Symbol, elements: int) -> None:
        """Enter a variable, array or function; `elements` is 0 for an array parameter."""
        size = ENTRY + len(symbol.name)
        if symbol.function is not None:
            numeric = symbol.argument is not None and not symbol.argument.endswith("$")
            self.take(size, NUMBER if numeric else 0)
            return
        size += PER_DIMENSION * symbol.dimensions
        if not symbol.is_string:
            self.take(size, NUMBER * elements)
        elif symbol.dimensions:
            self.take(size + POINTER * elements - POINTER)
        else:
            self.take(size)

    def subprogram(self, name: str, parameters: int) -> None:
        """Enter a SUB."""
        self.take(SUB_ENTRY + len(name) + PER_PARAMETER * parameters)

    def built_in(self, name: str) -> None:
        """Enter a built-in subprogram that is called."""
        self.take(ENTRY + len(name))


class Heap:
    """The strings of a running program.

    What is assigned is only added up; when the sum could fill the memory, the strings that are
    still there are counted, as the machine's garbage collection does.
    """

    def __init__(
        self,
        room: Room,
        frames: Sequence[object],
        strings: Callable[[], Iterable[str]],
    ) -> None:
        self.room = room
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
        return VIDEO_SPACE - self.room.video - stack

    def _counted(self) -> int:
        """Bytes of the strings that are still there."""
        return sum(STRING_OVERHEAD + len(text) for text in self._strings() if text)
