"""The strings of a program as they lie in video memory.

Each string made lies below the one before: a word that points back to its owner, its length, its
text, and its length again. Nothing is freed until the room is used up; then the strings that
variables hold move up to the top, in their order, and all others are gone. A constant, what
an operator or function makes, and a number that is shown are new strings; a variable takes such a
string over, but copies that of another variable. Empty strings take nothing.

Source: the recorded starts of POS above 256 and the recorded pointers. That VAL copies its string
with a blank after it is taken from descriptions of the interpreter. Not modelled are the words
that point back (0 here), strings that INPUT and READ convert to numbers and those of USING, and
what lies above the strings: the symbol table and the disk's buffers (0, too).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any

from ti99tools.numbers.format import print_form
from ti99tools.numbers.radix import Number
from ti99tools.source.prescan.sizes import STACK_RESERVE, STRING_OVERHEAD

BEFORE_TEXT = 3
"""Bytes of a string's word and length."""


class Placed(str):
    """A string that knows its place: `end` bytes had been made when it was there, its own with
    them. `owned` if a variable holds it.
    """

    __slots__ = ("end", "owned")

    end: int
    owned: bool


class StringSpace:
    """Makes strings and knows where they lie.

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
        self.collections = 0
        """How often the strings in use have been moved to the top."""
        self._keep = keep
        self._room = room
        self._strings = strings
        self._strings_there: list[Placed] = []
        self._made = 0
        self._collected = 0
        self._enough = 0

    @property
    def used(self) -> int:
        """Bytes that strings take, those that nobody uses any more too."""
        return self._made - self._collected

    @property
    def names(self) -> dict[str, Any]:
        """Globals of generated code."""
        return {
            "made": self.made, "kept": self.kept, "taken": self.taken, "shown": self.shown,
            "ended": self.ended,
        }  # fmt: skip

    def made(self, text: str) -> str:
        """A string that an expression makes."""
        return self._put(text) if text else text

    def kept(self, text: str) -> str:
        """A string that is going to be assigned; MEMORY FULL if there is no room for it."""
        return self.taken(self._keep(text))

    def taken(self, text: str) -> str:
        """A string that a parameter or a variable gets: taken over if it is of nobody."""
        if not text:
            return text
        if not isinstance(text, Placed) or text.owned:
            text = self._put(text)
        text.owned = True
        return text

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
        found = ""
        if isinstance(text, Placed) and text.end > self._collected:
            there = self._strings_there
            above = there[: bisect_right(there, text.end, key=lambda string: string.end)]
            first = BEFORE_TEXT + offset
            found = "".join(map(_as_stored, reversed(above)))[first : first + length]
        return found.ljust(length, "\0")

    def _put(self, text: str) -> Placed:
        """A new string below all others."""
        string = Placed(text)
        string.owned = False
        self._made = string.end = self._made + len(text) + STRING_OVERHEAD
        if string.end > self._enough:
            self._make_room(string)
        self._strings_there.append(string)
        return string

    def _make_room(self, last: Placed) -> None:
        """Look how much room there is; collect if it is too little for the last string."""
        room = self._room() - STACK_RESERVE
        if self.used > room:
            self._collect()
            self._made = last.end = self._made + len(last) + STRING_OVERHEAD
        self._enough = self._made + (room - self.used) // 2

    def _collect(self) -> None:
        """Move the strings that variables hold to the top."""
        held = {id(s): s for s in self._strings() if isinstance(s, Placed)}
        live = sorted((s for s in held.values() if s.end > self._collected), key=lambda s: s.end)
        self.collections += 1
        self._collected = self._made
        for string in live:
            self._made = string.end = self._made + len(string) + STRING_OVERHEAD
        self._strings_there = list(live)


def _as_stored(text: str) -> str:
    """The bytes of a string, the lowest first."""
    length = chr(len(text))
    return f"\0\0{length}{text}{length}"
