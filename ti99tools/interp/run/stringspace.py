"""The strings of a program as they lie in video memory, byte by byte.

Each string made lies below the one before: a word that points back to its owner, its length, its
text, and its length again. Nothing is freed until the room is used up; then the strings that
variables hold move up to the top, in their order, and all others are gone. A constant, what
an operator or function makes, and a number that is shown are new strings; a variable takes such a
string over, but copies that of another variable. Empty strings take nothing.

Source: the recorded starts of POS above 256 and the recorded pointers. That VAL copies its string
with a blank after it is taken from descriptions of the interpreter. Not modelled are the words
that point back (0 here), strings that INPUT and READ convert to numbers, and what lies above the
strings: the symbol table and the disk's buffers (0, too).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ti99tools.numbers.format import print_form
from ti99tools.numbers.radix import Number
from ti99tools.source.prescan.sizes import STACK_RESERVE, STRING_OVERHEAD, VIDEO_SPACE

SIZE = VIDEO_SPACE + STACK_RESERVE
"""Bytes that strings, stack, symbols and buffers share."""


class Placed(str):
    """A string that knows where its text begins, counted from the end of the space.

    `collections` is how many collections there had been; `owned` if a variable holds it.
    """

    __slots__ = ("collections", "depth", "owned")

    depth: int
    collections: int
    owned: bool


class StringSpace:
    """Makes strings and keeps their bytes.

    `keep` counts a string that is assigned, or raises MEMORY FULL; `room` gives the bytes that
    strings may take, those between them and the stack included; `strings` are all that variables
    hold.
    """

    def __init__(
        self,
        keep: Callable[[str], str],
        room: Callable[[], int],
        strings: Callable[[], Iterable[str]],
    ) -> None:
        self.used = 0
        """Bytes that strings take, those that nobody uses any more too."""
        self.collections = 0
        """How often the strings in use have been moved to the top."""
        self._keep = keep
        self._room = room
        self._strings = strings
        self._memory = bytearray(SIZE)
        self._enough = 0

    @property
    def names(self) -> dict[str, Any]:
        """Globals of generated code."""
        return {
            "made": self.made, "kept": self.kept, "taken": self.taken, "shown": self.shown,
            "ended": self.ended,
        }  # fmt: skip

    def made(self, text: str) -> str:
        """A string that an expression makes."""
        if not text:
            return text
        string = Placed(text)
        string.owned = False
        self._put(string)
        return string

    def kept(self, text: str) -> str:
        """A string that is going to be assigned; MEMORY FULL if there is no room for it."""
        return self.taken(self._keep(text))

    def taken(self, text: str) -> str:
        """A string that a parameter gets."""
        if not text:
            return text
        string = text
        if not isinstance(string, Placed) or string.owned:
            string = Placed(text)
            self._put(string)
        string.owned = True
        return string

    def shown(self, number: Number) -> None:
        """A number is shown: its text is a string first."""
        self.made(print_form(number))

    def ended(self, text: str) -> str:
        """A string that is going to be read as a number: a copy of it with a blank is made."""
        self.made(text + " ")
        return text

    def beyond(self, text: str, offset: int) -> str:
        """What POS looks through from an offset above 255: as much as the offset's low byte leaves
        of the length.

        Zeros where that is not known.
        """
        length = max(len(text) - (offset & 0xFF), 0)
        found = b""
        if isinstance(text, Placed) and text.collections == self.collections:
            first = SIZE - text.depth + offset
            found = bytes(self._memory[first : first + length])
        return found.ljust(length, b"\0").decode("latin-1")

    def _put(self, string: Placed) -> None:
        """Write a string below all others."""
        size = len(string) + STRING_OVERHEAD
        if self.used + size > self._enough:
            self._make_room(size)
        self._write(string, size)

    def _write(self, string: Placed, size: int) -> None:
        end = SIZE - self.used
        self.used += size
        string.depth = self.used - STRING_OVERHEAD + 1
        string.collections = self.collections
        length = size - STRING_OVERHEAD
        self._memory[end - size : end] = (
            bytes((0, 0, length)) + string.encode("latin-1") + bytes((length,))
        )

    def _make_room(self, size: int) -> None:
        """Look how much room there is; collect if it is too little."""
        room = self._room() - STACK_RESERVE
        if self.used + size > room:
            self._collect()
            if self.used + size > room:
                self.used = max(room - size, 0)
        self._enough = self.used + size + (room - self.used - size) // 2

    def _collect(self) -> None:
        """Move the strings that variables hold to the top."""
        held = {id(s): s for s in self._strings() if isinstance(s, Placed)}
        live = [s for s in held.values() if s.collections == self.collections]
        live.sort(key=lambda string: string.depth)
        self.collections += 1
        self.used = 0
        for string in live:
            self._write(string, len(string) + STRING_OVERHEAD)
