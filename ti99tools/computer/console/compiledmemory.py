"""What compiled programs have in memory: banks with code, lines, strings, found from outside.

A *place* is an address in high memory; or one in a bank, with the bank's number above its 16 bits.

A variable holds a handle of its string, a word: 0 is the empty string; >01cc the single character
of code cc; an address from >8000 on that of a constant; any other the address in video memory. A
constant and a string in video memory are a length and the characters. In video memory the address
of its variable comes first, and a byte is left after it; strings lie one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ti99tools.base.record import Record
from ti99tools.computer.console.compiledplaces import lines_of
from ti99tools.computer.console.variables import WrongValue
from ti99tools.computer.machinecode.addresses import COMPILED_MARKS, COMPILED_TABLE
from ti99tools.hardware.cpu.bus import CARTRIDGE, HIGH, LOW, Bus

TABLE, (MARK, BANKED_MARK, SHORT_MARK, PLACES_MARK) = COMPILED_TABLE, COMPILED_MARKS
SEVERAL_MARK = 0x5846
"""Where a compiled program says that it has tables of its lines, and the marks for that: `MARK` and
the address of the table; or `BANKED_MARK`, what selects the bank with the table of the lines in
high memory, and where their code ends; or `SHORT_MARK`, the address of the table of places, and
where byte code is fetched. When such a program begins it moves the table to the beginning of its
strings in video memory, and the mark becomes `PLACES_MARK`.
"""
_SHORT_MARKS = (SHORT_MARK, PLACES_MARK)
WORDS, WORD_COUNT = CARTRIDGE[0] + 0x10, 7
"""Where a bank with such a table has words for the runtime: `MARK`, what selects the bank,
addresses of tables, of which the one of lines is the first; and what selects the bank with the
table of the code in high memory of the same program.
"""
STACKED = 0x2000
"""What is added to the address of a place in a bank, and to what selects the bank, when they lie on
the stack of GOSUB; the bank is on top. Both are below high memory then."""
_FIRST, _AFTER = WORDS - CARTRIDGE[0], WORDS - CARTRIDGE[0] + 2 * WORD_COUNT
_END = 0xFFFF
Lines = list[tuple[int, int]]
"""Place and number of the lines of a compiled program, ascending; 0 is the line of code that
belongs to none.
"""
Spot = tuple[int, int]
"""Number of a line, offset of a statement in its tokens."""
NOWHERE: Spot = (0, 0)
"""The statement of code that belongs to none."""
FIRST_TEXT, VIDEO_TOP = 0x0958, 0x8370
"""The first byte of strings in video memory, unless byte code has more before
them; the cell with the address of its last byte."""
ONE_CHARACTER = 0x0100
"""The handle of a single character is this and its code."""
_LAST_CHARACTER = ONE_CHARACTER + 0xFF
_CONSTANTS = 0x8000
_BESIDE = 4
"""Bytes of a string's variable and length, and the one after it."""


def selector(bank: int) -> int:
    """The address that selects a bank when it is written to."""
    return CARTRIDGE[0] + 2 * bank


def bank_selected(address: int) -> int:
    """The bank that an address selects: see `selector`."""
    return (address - CARTRIDGE[0]) // 2


def place(address: int, bank: int) -> int:
    """The place of an address while a bank is selected."""
    return bank << 16 | address if CARTRIDGE[0] <= address < CARTRIDGE[1] else address


def place_back(address: int, selected_by: int) -> int:
    """The place of an address to return to, and of what selects its bank if it is in one."""
    return place(address, bank_selected(selected_by))


def places_on_stack(words: Sequence[int]) -> list[int]:
    """The places that lie on the stack of GOSUB and FOR, the first word first."""
    found = []
    rest = iter(words)
    for word in rest:
        if word >= HIGH[0]:
            found.append(word)
        elif word >= HIGH[0] - STACKED:
            found.append(place_back(word - STACKED, next(rest, 0) - STACKED))
    return found


def line_table(bus: Bus, video: Sequence[int], banks: Sequence[bytes] = ()) -> Lines:
    """The lines of a compiled program, in its cartridge's banks too; none for another program.

    The program must have been copied to memory; `video` is video memory.
    """
    mark, where, end = (bus.word_at(TABLE + 2 * n) for n in range(3))
    if mark == MARK:
        return [*_rows(bus.bytes_at(where, _END - where), 0), (where, 0)]
    if mark == SHORT_MARK:
        return [*lines_of(bus.bytes_at(where, LOW[1] - where))]
    if mark == PLACES_MARK:
        return [*lines_of(video[FIRST_TEXT:])]
    if mark != BANKED_MARK:
        return []
    table: Lines = []
    for number, words in _tables(banks, where):
        first = words[2] - CARTRIDGE[0]
        in_memory = words[1] == where
        table += _rows(banks[number][first:], 0 if in_memory else number << 16)
        table.append((end if in_memory else number << 16 | words[2], 0))
    return table


def has_lines(bus: Bus, banks: Sequence[bytes]) -> bool:
    """Tell whether there is a `line_table`, without reading it: debuggers ask at each step."""
    mark, where = bus.word_at(TABLE), bus.word_at(TABLE + 2)
    return mark in (MARK, *_SHORT_MARKS) or (mark == BANKED_MARK and any(_tables(banks, where)))


def _tables(banks: Sequence[bytes], of: int) -> Iterator[tuple[int, list[int]]]:
    """The banks that have a table of lines of a program, and their words, see `WORDS`.

    `of` selects the bank with the table of its code in high memory.
    """
    for number, bank in enumerate(banks):
        words = [int.from_bytes(bank[at : at + 2], "big") for at in range(_FIRST, _AFTER, 2)]
        if (words[0], words[1], words[-1]) == (MARK, selector(number), of):
            yield number, words


def fetches_at(bus: Bus) -> int:
    """Where a compiled program fetches bytes of byte code; 0: it has none."""
    return bus.word_at(TABLE + 4) if bus.word_at(TABLE) in _SHORT_MARKS else 0


def _rows(data: bytes, above: int) -> Lines:
    rows: Lines = []
    for at in range(0, len(data) - 3, 4):
        address = int.from_bytes(data[at : at + 2], "big")
        if address == _END:
            break
        rows.append((above | address, int.from_bytes(data[at + 2 : at + 4], "big")))
    return rows


class TextMemory(Record):
    """The memory of a program's strings; `taken` is where it counts the bytes that they take, 0 if
    it has no string in video memory; `first` is where they begin there.
    """

    bus: Bus
    video: bytearray
    taken: int
    first: int

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
