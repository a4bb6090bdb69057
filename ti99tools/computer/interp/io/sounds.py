"""CALL SOUND's wait for the sound in progress, which can be left and resumed.

The machine scans the keyboard during the whole wait; only what the last of these scans finds makes
a difference to later ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ti99tools.base.cycles import SOUND_AFTER_WAIT, SOUND_STOPPED
from ti99tools.hardware.machine.machine import Machine


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound of up to three tones (period, attenuation) and a noise (control, attenuation).

    Its length is in milliseconds; a negative one does not wait.
    """

    milliseconds: int
    tones: Sequence[tuple[int, int]]
    noise: tuple[int, int] | None


class Sounds:
    """Plays the sounds of a program; `attend` does what is due while one is waited for."""

    def __init__(self, machine: Machine, attend: Callable[[], None]) -> None:
        self._chip = machine.sound
        self._clock = machine.clock
        self._keyboard = machine.keyboard
        self._attend = attend
        self._next: Sound | None = None

    def begin(self, sound: Sound) -> None:
        """Take a sound; `finish` plays it."""
        self._next = sound

    def finish(self, since: int) -> None:
        """Play the sound taken last, after the one in progress if it waits for that.

        A length below 0 stops the one in progress when the length has been evaluated, `since`
        cycles and `AFTER_WAIT` ago. Raises Pause when one is due meanwhile; call it again to go on.
        """
        sound = self._next
        assert sound is not None, "no sound is to be played"
        if sound.milliseconds < 0:
            if self._chip.forget(since + SOUND_AFTER_WAIT):
                self._clock.cycles += SOUND_STOPPED
        elif self._chip.playing:
            self._wait()
            self._clock.advance(SOUND_AFTER_WAIT)
        self._next = None
        self._chip.play(abs(sound.milliseconds), sound.tones, sound.noise)

    def _wait(self) -> None:
        chip, clock = self._chip, self._clock
        while chip.playing:
            clock.advance_to(min(chip.quiet_at, max(clock.next_event, clock.cycles)))
            if clock.cycles >= clock.next_event:
                self._attend()
        self._keyboard.scan_aside(0)
