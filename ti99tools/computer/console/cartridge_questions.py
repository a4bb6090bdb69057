"""When a compiled program asks for a key: the rule of `asking`, from what it has in memory.

A program reports the line of a statement that has looked for a key twice in a row in vain. That may
be a pause, which a key would end, and a loop may look at two places in turn. So the rule is applied
to each look, as in Extended BASIC.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.computer.console.asking import (
    MOST_OWED,
    Deciding,
    Look,
    Loops,
    Question,
    Span,
    shown_memory,
)
from ti99tools.computer.console.compiled import STACK_POINTER
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.machine.machine import Machine

RUNTIME = 0x838C
"""The workspace of the runtime."""
SCANNED, CALLED = RUNTIME + 2 * 7, RUNTIME + 2 * 14
"""Its R7, where the scan of the keyboard returns to, and R14, where the program goes on."""


class CartridgeQuestions:
    """The `KeyQuestions` of a compiled program."""

    def __init__(self, machine: Machine, bus: Callable[[], Bus | None], deciding: Deciding) -> None:
        """`bus` leads to its memory, to none before it runs."""
        self._machine = machine
        self._bus = bus
        self._deciding = deciding
        self._question = Question()

    @property
    def deaf(self) -> bool:
        """Tell whether a scan that begins is none of the program's own for a key."""
        bus = self._bus()
        return bus is not None and not self._reads(bus.word_at(SCANNED))

    def _reads(self, back: int) -> bool:
        return any(_within(back, code) for code in self._deciding.readers)

    def asks(self, half: bool) -> bool:
        """Note a look that finds no key; tell whether the program asks for one there."""
        bus = self._bus()
        if bus is None:
            return False
        back, deciding = bus.word_at(SCANNED), self._deciding
        if not self._reads(back):
            return False
        # Of the looks of one CALL KEY the last counts.
        if _within(back, deciding.patient) and 0 < bus.word_at(deciding.owed) <= MOST_OWED:
            return False
        return self._question.asks(self._look(bus, half))

    def given(self) -> None:
        """A key was given."""
        self._question.forget()

    def _look(self, bus: Bus, half: bool) -> Look:
        machine = self._machine
        machine.sync()
        vdp = machine.vdp
        top = bus.word_at(STACK_POINTER)
        loops: Loops = tuple((span, bus.bytes_at(*span)) for span in self._deciding.loops)
        return Look(
            place=(bus.word_at(CALLED), top, *bus.words_at(top - 4, 2)),
            cycle=machine.clock.cycles,
            sight=(shown_memory(vdp.ram), bytes(vdp.registers), len(machine.sound.written)),
            loops=loops,
            counted=tuple(bus.bytes_at(*span) for span in self._deciding.values),
            half=half,
        )


def _within(address: int, span: Span) -> bool:
    return span[0] <= address < span[0] + span[1]
