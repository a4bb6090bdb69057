"""A console played in real time: its frames, and the player's keys, written down as a key script.

The keys and joysticks are the player's own: a key that no scan looks for while it is down is lost,
as on the machine. The script holds and releases at the same frames, so that it plays back to the
same picture at the same cycle.

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
from typing import Protocol

from ti99tools.base.errors import TIError
from ti99tools.computer.console.keyscript import Hold, Joystick, Release, Step, Wait
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, Clock
from ti99tools.hardware.machine.keys import FUNCTION_KEYS, find_key
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.soundchip import Registers
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render.picture import save_png

LEAST = 4
"""The fewest frames that a key is down, however short the host says it was."""

TAP = 6
"""Frames that a key is down where its release cannot be seen: a tenth of a second."""


class Playable(Protocol):
    """What a player needs of a console, with Extended BASIC or with a cartridge."""

    @property
    def machine(self) -> Machine:
        """Its hardware."""

    @property
    def clock(self) -> Clock:
        """Machine time."""

    @property
    def loading_cycles(self) -> int:
        """How long programs have taken to load."""

    def advance_to(self, cycle: int) -> None:
        """Work until the clock has reached a cycle."""

    def hold(self, key: str) -> None:
        """A key goes down."""

    def release(self, key: str) -> None:
        """A key goes up."""

    def joystick(self, unit: int, x: int, y: int, fire: bool = False) -> None:
        """A joystick is moved."""


@dataclass(frozen=True, slots=True)
class Down:
    """A key goes down; `tap`: it goes up by itself."""

    key: str
    tap: bool = False


@dataclass(frozen=True, slots=True)
class Up:
    """A key goes up."""

    key: str


class Pilot:
    """One player at the keyboard of a console. Keys are named as in key scripts."""

    def __init__(self, console: Playable) -> None:
        self._console = console
        self._events: deque[Down | Up | Joystick] = deque()
        self._frame = 0
        self._since: dict[str, int] = {}
        """The keys that are down, and the frame at which each went down."""
        self._until: dict[str, int] = {}
        """The frame at which a key goes up, where that is known."""
        self._tap: str | None = None
        """The key that was tapped last, while it is down."""
        self._up_at: dict[str, int] = {}
        """The frame at which a key went up last."""
        self._steps: list[Step] = []
        self._base = console.clock.cycles
        self._frames = 0
        self._loading = console.loading_cycles

    def down(self, key: str) -> None:
        """A key goes down. Raises ScriptError for a key the keyboard does not have."""
        find_key(key)
        self._events.append(Down(key))

    def up(self, key: str) -> None:
        """A key goes up."""
        self._events.append(Up(key))

    def tap(self, key: str) -> None:
        """A key goes down and up. Raises ScriptError for a key the keyboard does not have.

        A key that is already down stays down for longer, as when a terminal repeats it.
        """
        # An unknown key is refused here, not a frame later when it is due.
        find_key(key)
        if key == self._tap and not self._events and self._since[key] < self._frame:
            self._until[key] = self._frame + TAP
        else:
            self._events.append(Down(key, tap=True))

    def move(self, unit: int, x: int, y: int, fire: bool) -> None:
        """Joystick 1 or 2 is moved: each axis −4, 0 or 4, right and up positive."""
        self._events.append(Joystick(unit, x, y, fire))

    def step(self) -> None:
        """Let the console work for one frame; players do not wait while programs are loaded."""
        self._lift()
        while self._events and self._happens(self._events[0]):
            self._events.popleft()
        self._frame += 1
        self._frames += 1
        self._console.advance_to(self._base + self._frames * FRAME)
        loading = self._console.loading_cycles
        # Loading takes machine time, which the player does not wait for; the script must have it.
        self._frames += (loading - self._loading) // FRAME
        self._loading = loading

    def take_over(self, steps: list[Step]) -> None:
        """Continue a session of which these steps have already been done."""
        self._steps = list(steps)

    def finish(self) -> list[Step]:
        """Let go of all keys; the script of the whole session."""
        # Presses that were never seen by the console are not part of the session.
        self._events.clear()
        for key in list(self._since):
            self._let_go(key)
        self._mark()
        return self._steps

    def _happens(self, event: Down | Up | Joystick) -> bool:
        """Do what the player did; False if it has to wait for the next frame."""
        if isinstance(event, Joystick):
            self._console.joystick(event.unit, event.x, event.y, event.fire)
            self._write(event)
        elif isinstance(event, Up):
            if event.key in self._since:
                # A shorter press might fall between two scans.
                self._until[event.key] = max(self._frame, self._since[event.key] + LEAST)
                self._lift()
        # A terminal reports no releases: the next tap ends the one before.
        elif event.tap and self._tap is not None:
            least = self._since[self._tap] + LEAST
            self._until[self._tap] = min(self._until[self._tap], max(self._frame, least))
            self._lift()
            return self._tap is None and self._press(event)
        else:
            return self._press(event)
        return True

    def _press(self, event: Down) -> bool:
        """A key goes down; one that has just gone up is up for a frame before."""
        key = event.key
        if self._up_at.get(key) == self._frame:
            return False
        if key not in self._since:
            self._console.hold(key)
            self._write(Hold(key))
            self._since[key] = self._frame
            if event.tap:
                self._tap = key
                self._until[key] = self._frame + TAP
        return True

    def _lift(self) -> None:
        """Let those keys go whose time has come."""
        for key in [key for key, frame in self._until.items() if frame <= self._frame]:
            self._let_go(key)

    def _let_go(self, key: str) -> None:
        self._console.release(key)
        self._write(Release(key))
        del self._since[key]
        self._until.pop(key, None)
        self._up_at[key] = self._frame
        if self._tap == key:
            self._tap = None

    def _write(self, step: Step) -> None:
        """Put a step of the player into the script, after the frames before it."""
        self._mark()
        self._steps.append(step)

    def _mark(self) -> None:
        """The frames since the last step become a step."""
        if self._frames:
            self._steps.append(Wait(self._frames))
        # Counted anew from the clock: a statement may have overrun the frame.
        self._base = self._console.clock.cycles
        self._frames = 0


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
