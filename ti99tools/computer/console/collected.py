"""The compiled programs of a cartridge, which has one or several, as its loader knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import Struct, unpack_from
from typing import NamedTuple

from ti99tools.computer.console.compiledmemory import (
    BANKED_MARK,
    MARK,
    SEVERAL_MARK,
    TABLE,
    WORD_COUNT,
    WORDS,
    bank_selected,
)
from ti99tools.computer.machinecode.cartridges import BANK
from ti99tools.hardware.cpu.bus import CARTRIDGE, HIGH

_JUMPS = 4
"""Bytes of the loader before the places of the programs."""
ROUND = 32
"""Bytes that the loader copies in one round."""
_PIECE = 8
"""Bytes of what the loader knows of a piece: four words."""


class StoredProgram(NamedTuple):
    """A program of a cartridge: its name for RUN, what the loader copies to memory, by address, and
    the first bank of its code (0: all code is in memory).
    """

    name: str
    copies: Mapping[int, bytes]
    bank: int

    def memory(self, address: int, size: int) -> bytes:
        """What is copied to an address, up to `size` bytes that lie together."""
        found = bytearray()
        while len(found) < size and (piece := self.copies.get(address + len(found))):
            found += piece
        return bytes(found[:size])


class StoredPrograms(NamedTuple):
    """All programs of a cartridge, those of the menu first; where the header of all banks ends; how
    many banks they use; whether some of them RUN others.
    """

    programs: Sequence[StoredProgram]
    first: int
    used: int
    chained: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Their names for RUN; empty for a program without one."""
        return tuple(program.name for program in self.programs)


def stored_programs(banks: Sequence[bytes]) -> StoredPrograms | None:
    """The programs of a cartridge that ti99tools has compiled; None for any other."""
    try:
        return _stored_programs(banks)
    except (IndexError, KeyError, ValueError):
        return None


def is_cut(data: bytes) -> bool:
    """Tell whether a cartridge that ti99tools has compiled lacks its end; bytes after what is used
    may be missing.
    """
    banks = [data[at : at + BANK] for at in range(0, len(data), BANK)]
    try:
        stored = _stored_programs(banks)
        if stored is None:
            return False
        for bank in banks[1:]:
            mark, _, *tables, _ = _words(bank, WORDS, WORD_COUNT)
            if mark == MARK:
                _bytes(bank, max(tables), 1)
    except (IndexError, KeyError, ValueError):
        return data[WORDS - CARTRIDGE[0] :][:2] == SEVERAL_MARK.to_bytes(2, "big")
    return len(banks) < stored.used


def _stored_programs(banks: Sequence[bytes]) -> StoredPrograms | None:
    """As `stored_programs`. Raises IndexError, KeyError, ValueError where something is missing."""
    mark, count, places, used = _words(banks[0], WORDS, 4)
    if mark != SEVERAL_MARK:
        return None
    programs = [_stored(banks, table) for table in _words(banks[0], places, count)]
    return StoredPrograms(programs, places - _JUMPS, used >> 1, bool(used & 1))


def _stored(banks: Sequence[bytes], table: int) -> StoredProgram:
    copies = {}
    while (words := _words(banks[0], table, 4))[0]:
        by, address, to, rounds = words
        copies[to] = _bytes(banks[bank_selected(by)], address, rounds * ROUND)
        table += _PIECE
    length = _bytes(banks[0], table + _PIECE // 4, 1)[0]
    name = _bytes(banks[0], table + _PIECE // 4 + 1, length).decode("latin-1")
    mark, first = unpack_from(">2H", copies[HIGH[0]], TABLE - HIGH[0])
    return StoredProgram(name, copies, bank_selected(first) if mark == BANKED_MARK else 0)


def _words(bank: bytes, address: int, count: int) -> tuple[int, ...]:
    words = Struct(f">{count}H")
    return words.unpack(_bytes(bank, address, words.size))


def _bytes(bank: bytes, address: int, size: int) -> bytes:
    """Bytes of a bank. Raises ValueError where they are not there."""
    at = address - CARTRIDGE[0]
    data = bank[max(at, 0) : at + size]
    if at < 0 or len(data) != size:
        raise ValueError
    return data
