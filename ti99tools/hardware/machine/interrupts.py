"""Which of the video processor's interrupts the console serves.

The console lets an interrupt in between two GPL instructions and at the start of a statement, but
not within the machine code that evaluates numbers, stores them, looks names up and scrolls. One
that comes meanwhile waits and is served at the end; of several, the later ones are lost. Then
sprites stand still and sounds last longer. Source: interrupts counted in costs4, recorded places of
sprites (random4-interrupts).

Time in which interrupts wait is called shut. While there are no sprites and nothing sounds nobody
asks (`Clock.watched`), so nothing is worked out for numbers then.
"""

from __future__ import annotations

from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.hardware.machine.sprites import Sprites


class Interrupts:
    """The interrupts that the console does not serve, told to sprites and sounds."""

    def __init__(self, clock: Clock, sprites: Sprites, sound: SoundChip) -> None:
        self._clock = clock
        self._sprites = sprites
        self._sound = sound
        self._from = self._to = 0
        """The present or last shut time, in cycles."""
        self._lost = 0
        """Interrupts lost in it."""
        self.lost = 0
        """Interrupts lost since power-on, if they are counted."""

    def count(self) -> None:
        """Count all lost interrupts from now on, whether anybody watches or not."""
        self._clock.watch(self)

    def shut(self, since: int, cycles: int) -> None:
        """Let interrupts wait for `cycles`, beginning `since` cycles ago."""
        clock = self._clock
        # What happens before that is not concerned.
        clock.cycles -= since
        clock.run_before(clock.cycles)
        self._from = self._to = clock.cycles
        self._lost = 0
        self._lose_until(self._from + cycles)
        clock.cycles += since

    def stay_shut(self, cycles: int) -> None:
        """Let interrupts go on waiting: `cycles` have been added to what was shut last."""
        if self._clock.watched:
            self._lose_until(self._to + cycles)

    def work(self, cycles: int) -> None:
        """Let time pass in which interrupts wait."""
        self.shut(0, cycles)
        self._clock.work(cycles)

    def _lose_until(self, end: int) -> None:
        """Lose all but one of the interrupts that come in the shut time, now known to last until
        `end`.
        """
        clock = self._clock
        self._to = end
        due = clock.frame_at(end) - clock.frame_at(self._from)
        if due:
            self._sprites.serve_late(end)
        lost = due - 1 - self._lost
        if lost > 0:
            self._lost += lost
            self.lost += lost
            self._sprites.interrupts_lost(lost)
            self._sound.interrupts_lost(lost)
