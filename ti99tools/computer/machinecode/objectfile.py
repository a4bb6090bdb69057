"""Tagged object code as CALL LOAD of Extended BASIC v110 takes it: uncompressed, without REF.

Source: recorded cases; the tags are described in `assembler.tagged`. Code goes to the first free
address of low memory, names below the last free one, and both may not meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.machinecode.places import FIRST_FREE, LAST_FREE
from ti99tools.hardware.machine.cpu_memory import Memory

NAME, PROGRAM_NAME = 6, 8
ENTRY = 8
"""Bytes of an entry of the table of names: the name and its address."""
TAGS = "0125679ABC8"
DIGITS = 4
_HEX = frozenset(b"0123456789ABCDEF")


class ObjectLoader:
    """Puts object code into memory, record by record."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._base = self._at = memory.word(FIRST_FREE)
        self.ended = False
        """Tell whether the last record was seen."""
        self.tags = 0

    def record(self, data: bytes) -> None:
        """Take one record; XBError as the console's."""
        text = iter(data)
        checksum = 0
        for tag in text:
            self.tags += 1
            checksum += tag
            if tag == ord(":"):
                self.ended = True
                return
            if tag == ord("F"):
                return
            if chr(tag) not in TAGS:
                raise XBError(xb.UNRECOGNIZED_CHARACTER)
            value, digits = _value(text)
            if tag == ord("7") and (checksum + value) & 0xFFFF:
                raise XBError(xb.DATA_ERROR)
            checksum += digits + self._do(chr(tag), value, text)

    def _do(self, tag: str, value: int, text: Iterator[int]) -> int:
        """Carry out a tag; returns the sum of the characters of its name."""
        match tag:
            case "0":
                self._program(value)
                return sum(_taken(text, PROGRAM_NAME))
            case "5" | "6":
                name = _taken(text, NAME)
                self._define(bytes(name), value + self._base * (tag == "5"))
                return sum(name)
            case "9" | "A":
                self._at = (value + self._base * (tag == "A")) & 0xFFFF
            case "B" | "C":
                self._word(value + self._base * (tag == "C"))
        return 0

    def _program(self, length: int) -> None:
        """Take room in low memory."""
        self._base = self._at = self._memory.word(FIRST_FREE)
        end = (self._base + length + 1) & ~1
        if end > self._memory.word(LAST_FREE):
            raise XBError(xb.MEMORY_FULL)
        self._memory.set_word(FIRST_FREE, end)

    def _define(self, name: bytes, address: int) -> None:
        """Enter a name into the table."""
        memory = self._memory
        place = memory.word(LAST_FREE) - ENTRY
        if place <= memory.word(FIRST_FREE):
            raise XBError(xb.MEMORY_FULL)
        memory.store(place, name + (address & 0xFFFF).to_bytes(2, "big"))
        memory.set_word(LAST_FREE, place)

    def _word(self, value: int) -> None:
        self._memory.set_word(self._at, value & 0xFFFF)
        self._at = (self._at + 2) & 0xFFFF


def _value(text: Iterator[int]) -> tuple[int, int]:
    """Four hexadecimal digits: their value, and the sum of the characters."""
    digits = _taken(text, DIGITS)
    if not _HEX.issuperset(digits):
        raise XBError(xb.UNRECOGNIZED_CHARACTER)
    return int(bytes(digits), 16), sum(digits)


def _taken(text: Iterator[int], count: int) -> list[int]:
    """The next characters; blanks after the end of a record."""
    return [next(text, ord(" ")) for _ in range(count)]


def names(memory: Memory, limit: int) -> Iterable[tuple[bytes, int]]:
    """The table of names from its start up to an address: each name and its address."""
    for place in range(memory.word(LAST_FREE), limit, ENTRY):
        name = bytes(memory.peek(place + n) for n in range(NAME))
        yield name, memory.word(place + NAME)
