"""The processor's registers and status, its operands, its context switches.

The status is set by pure functions on words. A byte is handled as the high half of a word, so that
the word's sign, carry and overflow are the byte's. Each function returns the result and the status
bits that it sets; the caller knows from the instruction which bits are replaced. Source: TI's data
manual, checked against the recordings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ti99tools.hardware.cpu.bus import Bus, Cru

LGT = 0x8000
"""L>: logically greater than."""
AGT = 0x4000
"""A>: arithmetically greater than."""
EQ = 0x2000
CARRY = 0x1000
OVERFLOW = 0x0800
PARITY = 0x0400
"""OP: an odd number of ones in a byte."""
XOP_BIT = 0x0200
"""X: an XOP is being carried out."""
MASK = 0x000F
"""Interrupt mask."""

LAE = LGT | AGT | EQ
LAEC = LAE | CARRY
LAECO = LAEC | OVERFLOW

ODD = tuple(bin(byte).count("1") % 2 * PARITY for byte in range(256))
"""Byte → its parity bit in the status register."""


def against_zero(value: int) -> int:
    """Status of a word compared with 0."""
    if value == 0:
        return EQ
    return LGT if value & 0x8000 else LGT | AGT


def compare(first: int, second: int) -> int:
    """Status of one word compared with another, logically and arithmetically."""
    if first == second:
        return EQ
    logical = LGT if first > second else 0
    # Flipping the sign bit turns a signed comparison into an unsigned one.
    return logical | (AGT if first ^ 0x8000 > second ^ 0x8000 else 0)


def add(source: int, target: int) -> tuple[int, int]:
    """Sum of two words; L> A> EQ C OV."""
    total = source + target
    result = total & 0xFFFF
    flags = against_zero(result) | (CARRY if total > 0xFFFF else 0)
    # Both operands have one sign and the result has the other.
    if (source ^ result) & (target ^ result) & 0x8000:
        flags |= OVERFLOW
    return result, flags


def subtract(source: int, target: int) -> tuple[int, int]:
    """Target minus source; L> A> EQ, C (no borrow), OV."""
    result = (target - source) & 0xFFFF
    flags = against_zero(result) | (CARRY if target >= source else 0)
    # The operands differ in sign, and the result's sign is not the target's.
    if (target ^ source) & (target ^ result) & 0x8000:
        flags |= OVERFLOW
    return result, flags


def shift_right_arithmetic(value: int, count: int) -> tuple[int, int]:
    """SRA by 1-16 bits; L> A> EQ, C (the last bit shifted out)."""
    signed = value - 0x10000 if value & 0x8000 else value
    result = (signed >> count) & 0xFFFF
    return result, against_zero(result) | (CARRY if signed >> (count - 1) & 1 else 0)


def shift_right_logical(value: int, count: int) -> tuple[int, int]:
    """SRL by 1-16 bits; L> A> EQ, C (the last bit shifted out)."""
    result = value >> count
    return result, against_zero(result) | (CARRY if value >> (count - 1) & 1 else 0)


def shift_left(value: int, count: int) -> tuple[int, int]:
    """SLA by 1-16 bits; L> A> EQ, C (the last bit shifted out), OV (the sign changed during the
    shift).
    """
    wide = value << count
    result = wide & 0xFFFF
    flags = against_zero(result) | (CARRY if wide & 0x10000 else 0)
    signs = (value << 1) >> (16 - count)
    if signs not in (0, (2 << count) - 1):
        flags |= OVERFLOW
    return result, flags


def rotate_right(value: int, count: int) -> tuple[int, int]:
    """SRC by 1-16 bits; L> A> EQ, C (the last bit that went round)."""
    wide = (value | value << 16) >> count
    result = wide & 0xFFFF
    return result, against_zero(result) | (CARRY if result & 0x8000 else 0)


LINES = 0x0FFF
"""CRU bits that exist: 12 address lines."""
EVEN = 0xFFFE
"""The bits that PC and WP have: their last bit is always 0."""


class Core:
    """PC, WP, ST, and the buses that they work on; `bus.cycles` is the clock.

    `pending` is the word fetched by an X, which is executed next; otherwise None.
    """

    def __init__(self, bus: Bus, cru: Cru) -> None:
        self.bus = bus
        self.cru = cru
        self.pc = 0
        self.wp = 0
        self.st = 0
        self.pending: int | None = None
        self.on_illegal: Callable[[int], None] | None = None
        """Called with each word that is not an instruction; PC is after it."""

    def fetch(self) -> int:
        """The word at PC, which moves on."""
        word = self.bus.read(self.pc)
        self.pc = (self.pc + 2) & 0xFFFF
        return word

    def at(self, number: int) -> int:
        """The address of a workspace register."""
        return (self.wp + 2 * number) & 0xFFFF

    def register(self, number: int) -> int:
        """The value of a workspace register."""
        return self.bus.read(self.at(number))

    def send(self, first: int, count: int, value: int) -> None:
        """Send bits of a value to the CRU, the lowest first, from the bit `first` on."""
        for place in range(count):
            self.cru.write_bit((first + place) & LINES, value >> place & 1)

    def receive(self, first: int, count: int) -> int:
        """Bits of the CRU as a value, the lowest first, from the bit `first` on."""
        value = 0
        for place in range(count):
            value |= self.cru.read_bit((first + place) & LINES) << place
        return value

    def set_status(self, replaced: int, flags: int) -> None:
        """Replace some bits of the status register."""
        self.st = self.st & ~replaced | flags

    def switch(self, vector: int) -> None:
        """Switch context: WP and PC from a vector, the old WP, PC and ST to R13, R14 and R15."""
        wp, pc, st = self.wp, self.pc, self.st
        self.wp = self.bus.read(vector) & EVEN
        self.bus.write(self.at(13), wp)
        self.bus.write(self.at(14), pc)
        self.bus.write(self.at(15), st)
        self.pc = self.bus.read((vector + 2) & 0xFFFF) & EVEN

    def restore(self) -> None:
        """Restore the context in R13, R14 and R15, as RTWP does, without its cycles."""
        wp, pc, self.st = self.bus.words_at(self.at(13), 3)
        self.wp, self.pc = wp & EVEN, pc & EVEN

    @property
    def mask(self) -> int:
        """The interrupt mask, 0-15."""
        return self.st & MASK


@cache
def general(field: int, byte: bool) -> Callable[[Core], int]:
    """The address of a general operand: 2 bits of mode, 4 of register.

    Modes: register, *R, @ or @(R), *R+. Cycles as recorded: 0, 4, 8 and 8 (6 for a byte).
    """
    mode, offset = field >> 4, 2 * (field & 15)
    more = 1 if byte else 2
    cycles = 6 if byte else 8

    def register(core: Core) -> int:
        return core.wp + offset & 0xFFFF

    def indirect(core: Core) -> int:
        core.bus.cycles += 4
        return core.bus.read(core.wp + offset & 0xFFFF)

    def symbolic(core: Core) -> int:
        core.bus.cycles += 8
        return core.fetch()

    def indexed(core: Core) -> int:
        core.bus.cycles += 8
        address = core.fetch()
        return address + core.bus.read(core.wp + offset & 0xFFFF) & 0xFFFF

    def increasing(core: Core) -> int:
        bus, at = core.bus, core.wp + offset & 0xFFFF
        address = bus.read(at)
        bus.cycles += cycles
        bus.write(at, address + more & 0xFFFF)
        return address

    # Register 0 cannot index: its number means that there is no index.
    return (register, indirect, indexed if offset else symbolic, increasing)[mode]
