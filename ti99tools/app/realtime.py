"""A console played in real time: its frames, and the player's keys, recorded as a key script.

Keys and joysticks act as on the machine: a key that is not scanned while it is down is lost. The
script holds and releases keys at the same frames, so that a replay comes to the same picture at the
same cycle.

The host's clock is read here and in no lower layer: it decides how many frames are due, and the
machine's own clock decides what happens in them. A statement may take many frames (CALL SOUND waits
for the tone before), so the console may be ahead of what the player has seen. Therefore each frame
is captured when machine time reaches it, and kept until it is shown.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Protocol

from ti99tools.base.errors import TIError
from ti99tools.computer.console.keyscript import Hold, Joystick, Release, Step, Wait
from ti99tools.hardware.machine.clock import FRAME, FRAME_SECONDS, Clock
from ti99tools.hardware.machine.keycodes import FUNCTION_KEYS, find_key
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.soundchip import Registers
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render.picture import save_png

LEAST = 4
"""The fewest frames that a key is down, however short the press was on the host."""

TAP = 6
"""Frames that a key is down where its release cannot be seen: a tenth of a second."""


class Playable(Protocol):
    """A console that can be played, with Extended BASIC or with a cartridge."""

    @property
    def machine(self) -> Machine:
        """The machine whose picture and sound are shown."""

    @property
    def clock(self) -> Clock:
        """Machine time, in cycles of 3 MHz since power-on."""

    @property
    def loading_cycles(self) -> int:
        """Cycles that loading programs has taken."""

    def advance_to(self, cycle: int) -> None:
        """Work until the clock has reached a cycle."""

    def hold(self, key: str) -> None:
        """A key goes down."""

    def release(self, key: str) -> None:
        """A key goes up."""

    def joystick(self, unit: int, x: int, y: int, fire: bool = False) -> None:
        """Put a joystick into a position; see `Pilot.move`."""


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
        """The frame at which a key is to go up, where that is known."""
        self._tap: str | None = None
        """The last key tapped, while it is down."""
        self._up_at: dict[str, int] = {}
        """The frame at which each key last went up."""
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

        A key that is already down stays down longer: a terminal repeats a key that is held.
        """
        # Refuse an unknown key here, not when its frame comes.
        find_key(key)
        if key == self._tap and not self._events and self._since[key] < self._frame:
            self._until[key] = self._frame + TAP
        else:
            self._events.append(Down(key, tap=True))

    def move(self, unit: int, x: int, y: int, fire: bool) -> None:
        """Joystick 1 or 2 is moved: each axis −4, 0 or 4, right and up positive."""
        self._events.append(Joystick(unit, x, y, fire))

    def step(self) -> None:
        """Let the console work for one frame; the time of loading a program is skipped."""
        self._lift()
        while self._events and self._happens(self._events[0]):
            self._events.popleft()
        self._frame += 1
        self._pass_frame()
        loaded = self._console.loading_cycles - self._loading
        self._loading += loaded
        # The player does not wait for a program to load, but the script must contain that time.
        for _ in range(loaded // FRAME):
            self._pass_frame()

    def _pass_frame(self) -> None:
        """Let the console come to the next frame, as the player of a script does: where CLEAR stops
        a program depends on these stops.
        """
        self._frames += 1
        self._console.advance_to(self._base + self._frames * FRAME)

    def take_over(self, steps: list[Step]) -> None:
        """Continue a session of which these steps have already been done."""
        self._steps = list(steps)

    def finish(self) -> list[Step]:
        """Release all keys; returns the script of the whole session."""
        # Presses that have not reached the console are not part of the session.
        self._events.clear()
        for key in list(self._since):
            self._let_go(key)
        self._mark()
        return self._steps

    def _happens(self, event: Down | Up | Joystick) -> bool:
        """Pass a player's event on; False if it must wait for the next frame."""
        if isinstance(event, Joystick):
            self._console.joystick(event.unit, event.x, event.y, event.fire)
            self._write(event)
        elif isinstance(event, Up):
            if event.key in self._since:
                # A shorter press could fall between two scans.
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
        """A key goes down; False if it went up in this frame, so that it must wait for the next."""
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
        """Release the keys whose time has come."""
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
        """Add a step to the script, after the frames that have passed."""
        self._mark()
        self._steps.append(step)

    def _mark(self) -> None:
        """Add the frames since the last step to the script, as a step."""
        if self._frames:
            self._steps.append(Wait(self._frames))
        # Counted from the clock: a statement may have overrun the frame.
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

    @contextmanager
    def unnoticed(self) -> Iterator[None]:
        """While the body runs, the machine does not know of this film, so that it can be copied."""
        callback, self._event.callback = self._event.callback, None
        try:
            yield
        finally:
            self._event.callback = callback

    def picture(self) -> Snapshot:
        """What is on the screen now."""
        return self._machine.picture()

    def next(self, more: Callable[[], None]) -> Frame:
        """The next frame; `more` lets the machine work for about a frame."""
        while not self._frames:
            more()
        return self._frames.popleft()

    def skip(self, frames: int) -> None:
        """Skip up to `frames` frames that have not been shown, but not the last one."""
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


_NOTE_SECONDS = 3.0
"""Seconds that a note stays in the title."""

_BUDGET = FRAME_SECONDS * 0.8
"""Seconds that turbo computes before it shows a picture."""

_MOST_DUE = 6
"""The most frames to catch up on when the host was busy elsewhere."""


class Control(Enum):
    """A player's order to the stage, not to the console; the value is its function key."""

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
        """Frames due since the last call, at most `_MOST_DUE`: time the host slept is dropped."""
        late = self._now() - self._next
        # Plus one: the frame that is due now.
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
            # The frames of a pause are not made up for.
            self._pace.restart()
            return []
        if self.turbo:
            frames = [self._hurry()]
            # In turbo no frames are due; the pace restarts when it ends.
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
        """The picture shown last."""
        return self._shown

    @property
    def status(self) -> str:
        """Unusual states for the title; may be empty."""
        note = self._note if self._now() < self._note_until else ""
        words = ["paused"] * self.paused + ["turbo"] * self.turbo + [note] * bool(note)
        return ", ".join(words)

    def down(self, key: str) -> None:
        """A key goes down, named as in key scripts. In turbo every key is a tap."""
        # In turbo the host's time of a press would be far too many frames.
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
        """Save the picture as `NAME-1.png`, or with the next free number."""
        stem = Path(self.name).stem
        names = (self.folder / f"{stem}-{number}.png" for number in count(1))
        path = next(name for name in names if not name.exists())
        try:
            save_png(self._shown.vdp(), path, self.scale)
            self._note = f"saved {path.name}"
        except TIError as error:
            self._note = str(error)
        self._note_until = self._now() + _NOTE_SECONDS
