"""The processor's registers, how it finds its operands, and its context switches."""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.cpu.bus import Bus
from ti99tools.cpu.ports import Cru
from ti99tools.cpu.status import MASK

EVEN = 0xFFFE
"""The bits that PC and WP have."""


class Core:
    """PC, WP, ST, and the buses that they work on; `bus.cycles` is the clock.

    `pending` is the word that an X has fetched, to be executed next; None without one.
    """

    def __init__(self, bus: Bus, cru: Cru) -> None:
        self.bus = bus
        self.cru = cru
        self.pc = 0
        self.wp = 0
        self.st = 0
        self.pending: int | None = None
        self.on_illegal: Callable[[int], None] | None = None
        """Called with each word that is no instruction, PC after it."""

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

    def operand(self, field: int, byte: bool) -> int:
        """The address of a general operand: 2 bits of mode, 4 of register.

        Modes: register, *R, @ or @(R), *R+. Cycles as recorded: 0, 4, 8, and 8 (byte: 6).
        """
        mode, number = field >> 4 & 3, field & 15
        if mode == 0:
            return self.at(number)
        if mode == 2:
            self.bus.cycles += 8
            address = self.fetch()
            return (address + self.register(number)) & 0xFFFF if number else address
        address = self.register(number)
        if mode == 1:
            self.bus.cycles += 4
            return address
        self.bus.cycles += 6 if byte else 8
        self.bus.write(self.at(number), (address + (1 if byte else 2)) & 0xFFFF)
        return address

    def set_status(self, replaced: int, flags: int) -> None:
        """Replace some bits of the status register."""
        self.st = self.st & ~replaced | flags

    def switch(self, vector: int) -> None:
        """Change context: WP and PC from a vector, the old WP, PC and ST to R13, R14, R15."""
        wp, pc, st = self.wp, self.pc, self.st
        self.wp = self.bus.read(vector) & EVEN
        self.bus.write(self.at(13), wp)
        self.bus.write(self.at(14), pc)
        self.bus.write(self.at(15), st)
        self.pc = self.bus.read((vector + 2) & 0xFFFF) & EVEN

    def restore(self) -> None:
        """The context in R13, R14 and R15, as RTWP does it, without its cycles."""
        wp, pc, self.st = self.bus.words_at(self.at(13), 3)
        self.wp, self.pc = wp & EVEN, pc & EVEN

    @property
    def mask(self) -> int:
        """The interrupt mask, 0-15."""
        return self.st & MASK
