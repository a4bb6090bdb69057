"""The TMS9900 as an interpreter: one instruction after the other, interrupts, traps."""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.hardware.cpu.bus import Bus, Cru, NoCru
from ti99tools.hardware.cpu.core import Core
from ti99tools.hardware.cpu.instructions import DECODED, by_word
from ti99tools.hardware.cpu.operations import OPERATIONS, Execute

INTERRUPT_CYCLES = 22
"""Cycles of an interrupt without its accesses to memory."""
STANDING = 10_000
"""Cycles charged for a trap that leads to itself and takes no time."""
FREQUENCY = 3_000_000
"""Cycles a second."""

Trap = Callable[["Processor"], None]


class Traps(dict[int, Trap]):
    """Address → its trap; `version` changes when the set of trapped addresses does."""

    def __init__(self) -> None:
        super().__init__()
        self.version = 0
        self.returning: dict[int, int] = {}
        """Traps that are called by BLWP and return as RTWP does, with the interrupt request
        unchanged → the number of words after the call that they skip.
        """

    def __setitem__(self, address: int, trap: Trap) -> None:
        self.version += address not in self
        super().__setitem__(address, trap)

    def __delitem__(self, address: int) -> None:
        super().__delitem__(address)
        self.returning.pop(address, None)
        self.version += 1


class Processor(Core):
    """A processor on a console's bus.

    `request` is the level of the requested interrupt (1: the video processor's), None without one.
    The caller sets it, and clears it when the device is served. `traps` maps an address to a
    function called instead of the instruction there; the function must change PC.
    """

    def __init__(self, bus: Bus | None = None, cru: Cru | None = None) -> None:
        super().__init__(bus or Bus(), cru or NoCru())
        self.request: int | None = None
        self.traps = Traps()
        self.until = 0
        """The cycle up to which `run` executes; 0 while it does not."""

    def step(self) -> None:
        """Execute one instruction or trap, with a due interrupt before it.

        An X is executed with the instruction that it names; of a chain of X, one link a step.
        """
        request = self.request
        if request is not None and self.pending is None and request <= self.mask:
            self._interrupt(request)
        self._once()
        # X and the instruction it executes belong together: no interrupt comes between them.
        if self.pending is not None:
            self._once()

    def run(self, until: int) -> None:
        """Step until `bus.cycles` has reached `until`."""
        while self.bus.cycles < until:
            self.step()

    def _interrupt(self, level: int) -> None:
        """Answer the requested interrupt: context from its vector, mask one below its level."""
        self.bus.cycles += INTERRUPT_CYCLES
        # Vectors are two words each, from >0000 on.
        self.switch(4 * level)
        self.st = self.st & ~0xF | max(level - 1, 0)

    def _trap(self, place: int, cycles: int) -> None:
        """Call the trap at a place; one that leads to itself and takes no time takes `STANDING`."""
        self.traps[place](self)
        if self.bus.cycles == cycles and self.pc == place and place in self.traps:
            self.bus.cycles += STANDING

    def _once(self) -> None:
        bus, word = self.bus, self.pending
        if word is None:
            pc = self.pc
            if pc in self.traps:
                self._trap(pc, bus.cycles)
                return
            word = bus.read(pc)
            self.pc = pc + 2 & 0xFFFF
        else:
            self.pending = None
        bus.cycles += CYCLES[word]
        (EXECUTED[word] or _executed(word))(self)


CYCLES: list[int] = by_word(lambda row: row.cycles)
"""Instruction word → its cycles, without its accesses to memory."""
EXECUTED: list[Execute | None] = [None] * len(CYCLES)
"""Instruction word → what it does, if it has been met."""


def _executed(word: int) -> Execute:
    """What an instruction does that is met for the first time."""
    execute = EXECUTED[word] = OPERATIONS[DECODED[word].name](word)
    return execute
