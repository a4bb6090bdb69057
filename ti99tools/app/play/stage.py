"""A console played in real time: the common part of the window and the terminal.

The host's clock is read here and nowhere below: it decides how many frames are due, and the
machine's own clock decides what happens in them. A statement may take many frames (CALL SOUND waits
for the tone before), so the console may have run ahead of what the player has seen. Therefore each
frame is captured when the machine's time comes to it, and kept until it is shown.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path

from ti99tools.app.play.pilot import Pilot, Playable
from ti99tools.base.errors import TIError
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.keys import FUNCTION_KEYS
from ti99tools.hardware.machine.soundchip import Registers
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render.picture import save_png


@dataclass(frozen=True, slots=True)
class Frame:
    """Picture and sound at one video interrupt; equal pictures in a row are one object."""

    picture: Snapshot
    sound: Registers


class Film:
    """The frames that have not been shown yet."""

    def __init__(self, console: Playable) -> None:
        self._machine = console.machine
        self._frames: deque[Frame] = deque()
        self._picture = self.picture()
        self._next = console.clock.next_interrupt
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
        """Skip so many of the frames that have not been shown, but not the last one."""
        for _ in range(min(frames, len(self._frames) - 1)):
            self._frames.popleft()

    def _take(self) -> None:
        picture = self.picture()
        if picture != self._picture:
            self._picture = picture
        chip = self._machine.sound.registers
        # A copy: the chip's registers change before the frame is shown.
        sound = Registers(list(chip.periods), chip.noise, list(chip.attenuations))
        self._frames.append(Frame(self._picture, sound))
        self._next += FRAME
        # Each frame schedules the next, in step with the machine's interrupts.
        self._event = self._machine.clock.schedule(self._next, self._take)


FRAME_SECONDS = FRAME / CPU_HZ
"""How long a frame lasts on the machine, and here at real speed."""

_NOTE_SECONDS = 3.0
"""How long a note stays in the title."""

_BUDGET = FRAME_SECONDS * 0.8
"""Seconds that turbo computes before a picture is shown."""

_MOST_DUE = 6
"""The most frames to catch up on when the host was busy elsewhere."""


class Control(Enum):
    """What a player does to the stage, not to the console."""

    PAUSE = "F10"
    TURBO = "F11"
    PICTURE = "F12"


def function_key(number: int) -> str | Control:
    """The key of function key 1–12: F1–F9 are FCTN-1 to FCTN-9 (DEL … BACK), then the controls."""
    return FUNCTION_KEYS[str(number)] if number < 10 else Control(f"F{number}")


class Pace:
    """How many frames are due at real speed."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._next = now()

    def due(self) -> int:
        """Frames due since the last call; what the host slept through is left out."""
        late = self._now() - self._next
        # The frame that is just due counts, hence plus one.
        frames = max(0, int(late // FRAME_SECONDS) + 1)
        if frames > _MOST_DUE:
            self.restart()
            return _MOST_DUE
        self._next += frames * FRAME_SECONDS
        return frames

    def restart(self) -> None:
        """The next frame is due now."""
        self._next = self._now()

    @property
    def rest(self) -> float:
        """Seconds until the next frame is due."""
        return max(0.0, self._next - self._now())


class Stage:
    """The console, its player and its speed."""

    def __init__(
        self,
        console: Playable,
        name: str,
        turbo: bool = False,
        scale: int = 2,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`name` is shown in titles, `scale` is for saved pictures, `now` gives host seconds."""
        self.name = name
        self.pilot = Pilot(console)
        self.turbo = turbo
        self.paused = False
        self.scale = scale
        self.folder = Path()
        self.when_paused: Callable[[], None] | None = None
        """Called, if set, instead of a pause."""
        self._note = ""
        self._note_until = 0.0
        self._film = Film(console)
        self._now = now
        self._pace = Pace(now)
        self._shown = self._film.picture()

    def frames(self) -> list[Frame]:
        """The frames that are due: none while paused, the last of many in turbo."""
        if self.paused:
            # Time that passes in a pause is not made up for.
            self._pace.restart()
            return []
        if self.turbo:
            frames = [self._hurry()]
            # Turbo has no due frames; the pace begins anew when it ends.
            self._pace.restart()
        else:
            frames = [self._film.next(self.pilot.step) for _ in range(self._pace.due())]
        if frames:
            self._shown = frames[-1].picture
        return frames

    def _hurry(self) -> Frame:
        end = self._now() + _BUDGET
        while True:
            frame = self._film.next(self.pilot.step)
            if self._now() >= end:
                return frame

    @property
    def rest(self) -> float:
        """Seconds until something is due."""
        if self.paused:
            return FRAME_SECONDS
        return 0.0 if self.turbo else self._pace.rest

    @property
    def picture(self) -> Snapshot:
        """What is shown."""
        return self._shown

    @property
    def status(self) -> str:
        """Unusual states for the title; may be empty."""
        note = self._note if self._now() < self._note_until else ""
        words = ["paused"] * self.paused + ["turbo"] * self.turbo + [note] * bool(note)
        return ", ".join(words)

    def down(self, key: str) -> None:
        """A key goes down, named as in key scripts. In turbo every key is a short one."""
        # The host's time of a press would be far too many frames in turbo.
        if self.turbo:
            self.pilot.tap(key)
        else:
            self.pilot.down(key)

    def do(self, control: Control) -> None:
        """Pause or continue, switch turbo, or save the picture."""
        if control is Control.PAUSE and self.when_paused is not None:
            self.when_paused()
        elif control is Control.PAUSE:
            self.paused = not self.paused
        elif control is Control.TURBO:
            self.turbo = not self.turbo
        else:
            self._save_picture()

    def _save_picture(self) -> None:
        """Write what is shown as `NAME-1.png` or the next free number."""
        stem = Path(self.name).stem
        names = (self.folder / f"{stem}-{number}.png" for number in count(1))
        path = next(name for name in names if not name.exists())
        try:
            save_png(self._shown.vdp(), path, self.scale)
            self._note = f"saved {path.name}"
        except TIError as error:
            self._note = str(error)
        self._note_until = self._now() + _NOTE_SECONDS
