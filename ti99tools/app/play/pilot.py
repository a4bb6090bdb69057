"""Passes a player's keys to the console and records them as a key script.

The keys and joysticks are the player's own: a key that no scan looks for while it is down is lost,
as on the machine. The script holds and releases at the same frames, so that it plays back to the
same picture at the same cycle.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Protocol

from ti99tools.computer.console.keyscript import Hold, Joystick, Release, Step, Wait
from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.hardware.machine.keys import find_key
from ti99tools.hardware.machine.machine import Machine

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
