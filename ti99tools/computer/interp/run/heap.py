"""Strings and the stack of a running program share video memory; MEMORY FULL when it is full.

Strings grow downwards from the symbol table and the buffers of open files, the stack upwards: 8
bytes for a GOSUB or an error being handled, 16 for a SUB, 32 for a FOR. The momentary needs of a
statement are added (`compile/needs`). Counting all this is slow, so the program runs unchecked
while there is certainly room; near the end of memory it is `tight`, and every statement checks.
Source: the recorded depths of GOSUB, numbers of strings and SIZE (lang-asked).

Each new string lies below the previous one: a word that points back to its owner, its length, its
text, and its length again. Nothing is freed until the room is used up; then the strings that
variables hold move up to the top, in their order, and all others are gone. That takes time. So does
OPEN, which makes room for a buffer. A constant, the result of an operator or function, and a number
that is shown are new strings; a variable takes such a string over, but copies that of another
variable. Empty strings take nothing.

Source: recorded times of programs with many strings and of OPEN, the recorded starts of POS above
256 and the recorded pointers (for USING with an image in quotes). That VAL copies its string with a
blank after it is taken from descriptions of the interpreter. Not modelled are the words that point
back (0 here), strings that INPUT converts to numbers, and what lies above the strings: the symbol
table and the disk's buffers (also 0).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.language import CLOSE_BESIDE_OTHERS, IN_USE, IN_USE_CHARACTER, NO_ROOM
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.needs import ENOUGH, MADE
from ti99tools.computer.interp.run.stack import bytes_of
from ti99tools.computer.numbers.forms import print_form
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.prescan.symbols import (
    OTHER_FRAME,
    STACK_RESERVE,
    STRING_OVERHEAD,
    VIDEO_SPACE,
    MemoryTaken,
)

BEFORE_TEXT = 3
"""Bytes of a string's word and length."""


class Placed(str):
    """A string that knows its place: `end` is the number of bytes made up to and including it.
    `owned` if a variable holds it.
    """

    __slots__ = ("end", "owned")

    end: int
    owned: bool


class StringSpace:
    """Makes strings and knows where they lie.

    `keep` counts a string that is assigned, or raises MEMORY FULL; `room` returns the bytes that
    strings may take, including those between them and the stack; `strings` are all that variables
    hold; `collected` is called with the cycles of a collection.
    """

    def __init__(
        self,
        keep: Callable[[str], str],
        room: Callable[[], int],
        strings: Callable[[], Iterable[str]],
        collected: Callable[[int], None] = lambda _cycles: None,
    ) -> None:
        self.collections = 0
        """The number of times the strings in use have been moved to the top."""
        self.length: int | None = None
        """Characters of the newest string, or of the one that another was appended to; None once
        that has been read.
        """
        self._appended_to = 0
        self._keep = keep
        self._room = room
        self._strings = strings
        self._took = collected
        self._strings_there: list[Placed] = []
        self._made = 0
        self._collected = 0
        self._enough = 0

    @property
    def used(self) -> int:
        """Bytes of all strings, including those no longer in use."""
        return self._made - self._collected

    @property
    def names(self) -> dict[str, Any]:
        """Globals of generated code."""
        return {
            "made": self.made,
            "kept": self.kept,
            "taken": self.taken,
            "lent": self.lent,
            "shown": self.shown,
            "ended": self.ended,
            "appended_to": self.appended_to,
            "spliced": self.spliced,
        }

    def made(self, text: str) -> str:
        """A string that an expression makes."""
        return self._put(text) if text else text

    def appended_to(self, text: str) -> str:
        """Note the left one of two strings about to be joined."""
        self._appended_to = len(text)
        return text

    def spliced(self, text: str) -> str:
        """A string made of two."""
        spliced = self.made(text)
        self.length = self._appended_to
        return spliced

    def kept(self, text: str) -> str:
        """Keep a string about to be assigned; MEMORY FULL if there is no room for it."""
        return self.taken(self._keep(text))

    def taken(self, text: str) -> str:
        """A string that a parameter or a variable gets: taken over if nobody owns it."""
        if not text:
            return text
        # A text that a variable owns already is copied: no two variables share one.
        if not isinstance(text, Placed) or text.owned:
            text = self._put(text)
        text.owned = True
        return text

    def lent(self, text: str, parameter: str) -> str:
        """A string that the parameter of a DEF gets: a copy if a variable owns it. Nobody owns the
        parameter's, so that a variable takes it over when it is the function's value.

        Besides, a string of two characters is made (recorded: asked4-7, where both the function
        and its parameter have names of two; here it is taken for the name of the parameter).
        """
        self.made(parameter)
        if text and (not isinstance(text, Placed) or text.owned):
            return self._put(text)
        return text

    def shown(self, number: Number) -> None:
        """Note that a number is shown: its text is a string first."""
        self.made(print_form(number))

    def ended(self, text: str) -> str:
        """Copy a string that is read as a number, or as the image of USING, with one more
        character.
        """
        self.made(text + " ")
        return text

    def beyond(self, text: str, offset: int) -> str:
        """What POS searches from an offset above 255: as many bytes as the string's length less the
        offset's low byte.

        Zeros where memory is not known.
        """
        length = max(len(text) - (offset & 0xFF), 0)
        beyond = ""
        if isinstance(text, Placed) and text.end > self._collected:
            there = self._strings_there
            above = there[: bisect_right(there, text.end, key=lambda string: string.end)]
            first = BEFORE_TEXT + offset
            beyond = "".join(map(_as_stored, reversed(above)))[first : first + length]
        return beyond.ljust(length, "\0")

    def _put(self, text: str) -> Placed:
        """Put a new string below all others."""
        string = Placed(text)
        string.owned = False
        self.length = len(text)
        self._made = string.end = self._made + len(text) + STRING_OVERHEAD
        if string.end > self._enough:
            self._make_room(string)
        self._strings_there.append(string)
        return string

    def _make_room(self, last: Placed) -> None:
        """Find out how much room there is; collect if it is too little for the last string."""
        room = self._room() - STACK_RESERVE
        if self.used > room:
            self._collect()
            self._made = last.end = self._made + len(last) + STRING_OVERHEAD
        self._enough = self._made + (room - self.used) // 2

    def _collect(self) -> None:
        """Move the strings that variables hold to the top."""
        held = {id(s): s for s in self._strings() if isinstance(s, Placed)}
        # By age, so that they keep their order when they move together.
        live = sorted((s for s in held.values() if s.end > self._collected), key=lambda s: s.end)
        self.collections += 1
        self._took(NO_ROOM + collecting(map(len, live)))
        self._collected = self._made
        for string in live:
            self._made = string.end = self._made + len(string) + STRING_OVERHEAD
        self._strings_there = list(live)


def collecting(lengths: Iterable[int]) -> int:
    """Cycles of a collection of strings of these lengths."""
    return sum(IN_USE + IN_USE_CHARACTER * length for length in lengths)


def _as_stored(text: str) -> str:
    """The bytes of a string, the lowest first."""
    length = chr(len(text))
    return f"\0\0{length}{text}{length}"


UNCHECKED = "unchecked"
"""The name in generated code for the number of GOSUB frames up to which nothing is checked."""

MARGIN = 1000
"""Bytes that a few statements may take: with less left, memory is tight."""

PLENTY = 2000
"""Bytes beyond `MARGIN`: with more left, strings need not be counted exactly."""

FOR_BUFFER = 2
"""An OPEN makes 2 × (2 − n) collections, where n (up to 2) counts closed files whose room has not
been used again (measured).
"""


class Heap:
    """The memory of strings and stack.

    `memory` is what the pre-scan took, `strings` are all that variables hold, `buffers` returns the
    bytes of open files. `alarm` is called when memory becomes tight or no longer is, `collected`
    with the cycles of each collection. `count` has what generated code counts (see
    `compile/needs`). `space` has the strings' bytes, if the program's strings are `placed`.
    """

    def __init__(
        self,
        memory: MemoryTaken,
        frames: Sequence[object],
        strings: Callable[[], Iterable[str]],
        buffers: Callable[[], int] = int,
        alarm: Callable[[], None] = lambda: None,
        collected: Callable[[int], None] = lambda _cycles: None,
        placed: bool = False,
    ) -> None:
        self.memory = memory
        self.tight = False
        self.names: dict[str, Any] = {UNCHECKED: 0}
        """Globals of generated code."""
        self._frames = frames
        self._strings = strings
        self._buffers = buffers
        self._alarm = alarm
        self._collected = collected
        self.count = [0, 0]
        # Strings in use take at most `_live` bytes plus what was made since `_counted_at`; of all
        # bytes made, `_dropped` have been collected.
        self._live = self._counted_at = self._dropped = 0
        self._closed = 0
        self.space = StringSpace(self.kept, self.room, strings, collected) if placed else None

    @property
    def free(self) -> int:
        """Bytes of stack free, as SIZE shows them: without a reserve."""
        return self.room() - self._counted() - STACK_RESERVE

    @property
    def bytes_made(self) -> int:
        """Bytes of the strings made since RUN, including those no longer in use.

        A string space knows them exactly.
        """
        return self._used if self.space is None else self.space.used

    @property
    def _used(self) -> int:
        return self.count[MADE] - self._dropped

    @property
    def fixed(self) -> int:
        """Bytes of symbols and buffers, which lie above the strings."""
        return self.memory.video + self._buffers()

    @property
    def stack(self) -> int:
        """Bytes of the stack."""
        return bytes_of(self._frames)

    def kept(self, text: str) -> str:
        """Keep a string about to be assigned; MEMORY FULL if there is no room for it."""
        if text:
            size = STRING_OVERHEAD + len(text)
            count = self.count
            count[MADE] += size
            # Counting live strings is slow, so it is done only when the bound is reached.
            if count[MADE] > count[ENOUGH]:
                self._look(size)
        return text

    def shown(self, text: str) -> None:
        """Note a string that PRINT has made."""
        self.count[MADE] += STRING_OVERHEAD + len(text)

    def reads(self, typed: str) -> None:
        """Note the strings that ACCEPT makes of a number: the text typed, and a copy with one more
        character, as VAL makes (recorded: 11 bytes for one digit).
        """
        for text in (typed, typed + " "):
            self.shown(text)
            if self.space is not None:
                self.space.made(text)

    def tidy(self) -> None:
        """Check whether the strings thrown away have used up the room."""
        self._look(0)

    def _look(self, size: int) -> None:
        """Count the strings without the last one, of `size` bytes; MEMORY FULL if that does not
        fit.
        """
        room, strings = self.room(), self._counted()
        if self._used > room - STACK_RESERVE and self.space is None:
            self._collected(NO_ROOM + self.collection())
            self._dropped = self.count[MADE] - size - strings
        if size and strings + size + OTHER_FRAME + STACK_RESERVE >= room:
            raise XBError(xb.MEMORY_FULL)
        self._share(room, strings + size)

    def opening(self) -> None:
        """Make room among the strings for the buffer of a file about to be opened.

        The room of a closed file is used again, but only after two were closed do the strings stay
        where they are.
        """
        passes = FOR_BUFFER * max(0, FOR_BUFFER - self._closed)
        self._closed = max(0, self._closed - 1)
        for _ in range(passes):
            self._collected(self.collection())
        if passes:
            self._dropped = self.count[MADE] - self._counted()

    def closing(self, files: int) -> None:
        """Take the time of closing one of `files` open files."""
        self._closed += 1
        if files > 1:
            self._collected(CLOSE_BESIDE_OTHERS)

    def collection(self) -> int:
        """Cycles of a collection now."""
        return collecting(len(text) for text in self._strings() if text)

    def pushed(self, size: int) -> None:
        """Note that a frame of `size` bytes has been pushed, larger than those that `unchecked`
        counts.
        """
        self.names[UNCHECKED] -= size // OTHER_FRAME - 1
        if len(self._frames) > self.names[UNCHECKED]:
            self.press()

    def press(self) -> None:
        """Work out how far the stack may grow without a check."""
        room, strings = self.room(), self._live + self.count[MADE] - self._counted_at
        if room - strings < MARGIN + PLENTY:
            strings = self._counted()
        self._share(room, strings)

    def need(self, size: int) -> None:
        """Require `size` bytes for a moment; MEMORY FULL if they are not there."""
        if self.tight:
            room, strings = self.room(), self._counted()
            if strings + size > room:
                raise XBError(xb.MEMORY_FULL)
            self._share(room, strings)

    def _share(self, room: int, strings: int) -> None:
        """Share what is left between strings and stack."""
        free = room - strings - MARGIN
        half = max(free, 0) // 2
        bytes_made = self.count[MADE]
        self._live, self._counted_at = strings, bytes_made
        self.count[ENOUGH] = bytes_made + min(half, max(room - STACK_RESERVE - self._used, 0))
        self.names[UNCHECKED] = len(self._frames) + half // OTHER_FRAME
        if self.tight != (free <= MARGIN * self.tight):
            self.tight = not self.tight
            self._alarm()

    def room(self) -> int:
        """Bytes that symbols, buffers and the stack leave, including the reserve."""
        return VIDEO_SPACE + STACK_RESERVE - self.fixed - self.stack

    def _counted(self) -> int:
        """Bytes of the strings that are still there."""
        return sum(STRING_OVERHEAD + len(text) for text in self._strings() if text)
