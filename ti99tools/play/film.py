"""What the console shows and sounds, frame by frame.

A statement may take many frames (CALL SOUND waits for the tone before): the console has then run
ahead of what the player has seen. So every frame is taken when the machine's time comes to it, and
kept until it is shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from ti99tools.console.session import Console
from ti99tools.machine.clock import FRAME
from ti99tools.machine.soundchip import Registers
from ti99tools.machine.vdp import Snapshot


@dataclass(frozen=True, slots=True)
class Frame:
    """Picture and sound at one video interrupt; equal pictures in a row are one object."""

    picture: Snapshot
    sound: Registers


class Film:
    """The frames that nobody has seen yet."""

    def __init__(self, console: Console) -> None:
        self._machine = console.machine
        self._frames: deque[Frame] = deque()
        self._picture = self.picture()
        self._next = (console.clock.frame + 1) * FRAME
        self._event = console.clock.schedule(self._next, self._take)

    def close(self) -> None:
        """Take no more frames."""
        self._machine.clock.cancel(self._event)

    def picture(self) -> Snapshot:
        """What is on the screen now."""
        return self._machine.picture()

    def next(self, more: Callable[[], None]) -> Frame:
        """The next frame; `more` lets the machine go on for about a frame."""
        while not self._frames:
            more()
        return self._frames.popleft()

    def skip(self, frames: int) -> None:
        """Leave out so many frames of those that nobody has seen yet, but not the last one."""
        for _ in range(min(frames, len(self._frames) - 1)):
            self._frames.popleft()

    def _take(self) -> None:
        picture = self.picture()
        if picture != self._picture:
            self._picture = picture
        chip = self._machine.sound.registers
        sound = Registers(list(chip.periods), chip.noise, list(chip.attenuations))
        self._frames.append(Frame(self._picture, sound))
        self._next += FRAME
        self._event = self._machine.clock.schedule(self._next, self._take)
