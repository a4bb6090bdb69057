"""Strings of a compiled program: where its variables have them, read and set from outside.

A variable holds a handle, a word: 0 is the empty string; >01cc the single character of code cc; an
address from >8000 on that of a constant; any other the address in video memory. A constant and a
string in video memory are a length and the characters. In video memory the address of its variable
comes first, and a byte is left after it; strings lie one after the other.
"""

from __future__ import annotations

from ti99tools.base.record import Record
from ti99tools.computer.console.variables import WrongValue
from ti99tools.hardware.cpu.bus import Bus

FIRST_TEXT, VIDEO_TOP = 0x0958, 0x8370
"""The first byte of strings in video memory, unless byte code has more before
them; the cell with the address of its last byte."""
ONE_CHARACTER = 0x0100
"""The handle of a single character is this and its code."""
_LAST_CHARACTER = ONE_CHARACTER + 0xFF
_CONSTANTS = 0x8000
_BESIDE = 4
"""Bytes of a string's variable and length, and the one after it."""


class TextMemory(Record):
    """The memory of a program's strings; `taken` is where it counts the bytes that they take, 0 if
    it has no string in video memory; `first` is where they begin there.
    """

    bus: Bus
    video: bytearray
    taken: int = 0
    first: int = FIRST_TEXT

    def text(self, handle: int) -> str:
        """The string of a handle."""
        if handle <= _LAST_CHARACTER:
            return chr(handle & 0xFF) if handle else ""
        if handle >= _CONSTANTS:
            (length,) = self.bus.bytes_at(handle, 1)
            return bytes(self.bus.bytes_at(handle + 1, length)).decode("latin-1")
        length = self.video[handle]
        return self.video[handle + 1 : handle + 1 + length].decode("latin-1")

    def give(self, variable: int, text: str) -> None:
        """Give the variable at an address a string. Raises WrongValue where there is no room."""
        if len(text) <= 1:
            self.bus.load_word(variable, ONE_CHARACTER + ord(text) if text else 0)
            return
        at = self.first + (self.bus.word_at(self.taken) if self.taken else 0)
        end = at + _BESIDE + len(text)
        if not self.taken or end - 1 > self.bus.word_at(VIDEO_TOP):
            remedy = "use a single character, or let the program set it"
            raise WrongValue("there is no room for this string", remedy=remedy)
        owner = variable.to_bytes(2, "big")
        self.video[at:end] = owner + bytes((len(text),)) + text.encode("latin-1")
        self.bus.load_word(self.taken, end - self.first)
        self.bus.load_word(variable, at + len(owner))
