"""The console's own CRU bits: the TMS9901 with keyboard, joysticks and the interrupt line.

Bits 18 to 20 choose a column of the keyboard, bits 3 to 10 are its rows, 0 for a key that is down.
Bit 2 is the video processor's interrupt, 0 while it waits. Bits from >0800 / 2 on belong to cards.
Source: TI's technical data of the console; the timer and cassette lines are not modelled.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.cpu.ports import Cru
from ti99tools.machine.keyboard import Keyboard

CARDS = 0x0800 // 2
LINES = 32
INTERRUPT, FIRST_ROW, LAST_ROW, COLUMN, OUTPUTS = 2, 3, 10, 18, 16


class ConsoleCru:
    """CRU bits 0 to 31, repeated below those of the cards.

    `waiting` tells of the interrupt; `looked` is called when a column of the keyboard is read.
    """

    def __init__(
        self,
        cards: Cru,
        keyboard: Keyboard,
        waiting: Callable[[], bool],
        looked: Callable[[], None] = lambda: None,
    ) -> None:
        self._cards = cards
        self._keyboard = keyboard
        self._waiting = waiting
        self._looked = looked
        self._sent = [0] * LINES
        self._rows = self._next_row = 0
        """The column read last, and the bit that goes on in it."""

    def read_bit(self, number: int) -> int:
        """0 or 1."""
        if number >= CARDS:
            return self._cards.read_bit(number)
        number %= LINES
        if FIRST_ROW <= number <= LAST_ROW:
            if number != self._next_row:
                self._looked()
                sent = self._sent[COLUMN : COLUMN + 3]
                self._rows = self._keyboard.column(sent[0] + 2 * sent[1] + 4 * sent[2])
            self._next_row = number + 1
            return ~self._rows >> number - FIRST_ROW & 1
        if number == INTERRUPT:
            return int(not self._waiting())
        return self._sent[number] if number >= OUTPUTS else int(number > 0)

    def write_bit(self, number: int, value: int) -> None:
        """Set a bit to 0 or 1."""
        if number >= CARDS:
            self._cards.write_bit(number, value)
        else:
            self._sent[number % LINES] = value
            self._next_row = 0
