"""Hands a player's keys to the console and writes them down as a key script.

The script plays back to the same picture at the same cycle, because a key goes the way it goes
when a script presses it: it comes at the end of a wait, the machine is looked at every four frames
until it has taken the key, and only then the next one follows. A key that nobody looks for is lost
after a while, as on the machine, which does not remember keys.

When another key or a joystick follows while a key is still down, and the machine has seen that key,
it stays down: from then on keys go down and up on their own, until all have gone up.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from ti99tools.console.session import Console
from ti99tools.machine.clock import FRAME
from ti99tools.machine.keymap import find_key
from ti99tools.trace.keyscript import Hold, Joystick, Press, Release, Step, Wait

LOOK = 4
"""Frames between looks whether the machine has taken a key (as the console's `press` does it)."""

TAP = 4
"""Frames that a key is held at least, and where nobody can tell when it goes up."""

PATIENCE = 30
"""Frames that a key which has gone up waits for being looked for."""


@dataclass(frozen=True, slots=True)
class Down:
    """A key goes down; `tap`: it goes up by itself."""

    key: str
    tap: bool = False


@dataclass(frozen=True, slots=True)
class Up:
    """A key goes up."""

    key: str


@dataclass(slots=True)
class Flight:
    """A key that the machine has not done with: it went down at cycle `start` for `hold` frames,
    None while it is still down.
    """

    key: str
    start: int
    hold: int | None
    looks: int = 0


class Pilot:
    """One player at the keyboard of a console. Keys are named as in key scripts."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._keyboard = console.machine.keyboard
        self._events: deque[Down | Up | Joystick] = deque()
        self._flight: Flight | None = None
        self._held: dict[str, int] = {}
        """Keys down on their own, and for how many frames they have been wanted to go up."""
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
        """A key goes down and up. Raises ScriptError for a key the keyboard does not have."""
        find_key(key)
        self._events.append(Down(key, tap=True))

    def move(self, unit: int, x: int, y: int, fire: bool) -> None:
        """Joystick 1 or 2 is moved: each axis −4, 0 or 4, right and up positive."""
        self._events.append(Joystick(unit, x, y, fire))

    def step(self) -> None:
        """Let the console work for one frame; players do not wait while programs are loaded."""
        self._attend()
        self._frames += 1
        self._console.advance_to(self._base + self._frames * FRAME)
        if self._flight is not None and self._frames == LOOK:
            self._look(self._flight)
        if self._flight is None:
            loading = self._console.loading_cycles
            self._frames += (loading - self._loading) // FRAME
            self._loading = loading

    def finish(self) -> list[Step]:
        """Let go of all keys and the console come to rest; the script of the whole session."""
        self._forget_keys()
        while self._flight is not None:
            self._release(self._flight)
            self.step()
        self._let_all_go()
        self._mark()
        return self._steps

    def _attend(self) -> None:
        """Do what the player did, as far as the machine is ready for it."""
        while self._events:
            event, flight = self._events[0], self._flight
            if isinstance(event, Up):
                if event.key in self._held and not self._done_with(event.key):
                    return
                self._events.popleft()
                if flight is not None and flight.key == event.key:
                    self._release(flight)
            elif isinstance(event, Down) and event.key in self._held:
                self._events.popleft()
            elif flight is not None:
                if not self._goes_with(flight, event):
                    self._release(flight)
                    return
                self._hold_on(flight)
            else:
                self._events.popleft()
                self._mark()
                self._begin(event)

    def _begin(self, event: Down | Joystick) -> None:
        if isinstance(event, Joystick):
            self._keyboard.set_joystick(event.unit, event.x, event.y, event.fire)
            self._steps.append(event)
        elif event.tap:
            self._let_all_go()
            self._keyboard.press(event.key, TAP, 0)
            self._flight = Flight(event.key, self._base, TAP)
        elif self._held:
            self._keyboard.key_down(event.key)
            self._steps.append(Hold(event.key))
            self._held[event.key] = 0
        else:
            self._keyboard.key_down(event.key)
            self._flight = Flight(event.key, self._base, None)

    def _goes_with(self, flight: Flight, event: Down | Joystick) -> bool:
        """Whether a key that is down stays down although something else follows."""
        alone = isinstance(event, Down) and (event.tap or event.key == flight.key)
        return not alone and flight.hold is None and self._keyboard.has_seen(flight.key)

    def _hold_on(self, flight: Flight) -> None:
        """Have a key go up on its own."""
        self._steps += [Hold(flight.key), *[Wait(LOOK)] * flight.looks]
        self._held[flight.key] = 0
        self._flight = None

    def _done_with(self, key: str) -> bool:
        """Let a key go that is down on its own, once it was seen or nobody looks for it."""
        self._held[key] += 1
        if not self._keyboard.has_seen(key) and self._held[key] <= PATIENCE:
            return False
        self._let_go(key)
        return True

    def _let_all_go(self) -> None:
        for key in list(self._held):
            self._let_go(key)

    def _let_go(self, key: str) -> None:
        self._mark()
        self._keyboard.let_go(key)
        self._steps.append(Release(key))
        del self._held[key]

    def _release(self, flight: Flight) -> None:
        """Let a key go at the end of the frame that has begun."""
        if flight.hold is None:
            passed = (self._console.clock.cycles - flight.start) // FRAME
            flight.hold = self._keyboard.key_up(flight.key, max(TAP, passed + 1))

    def _look(self, flight: Flight) -> None:
        """Has the machine taken the key? If it never does, the key was not there."""
        self._rebase()
        flight.looks += 1
        rested = self._keyboard.rested
        if flight.hold is None:
            return
        if rested:
            self._steps.append(Press(flight.key, flight.hold, 0))
            self._flight = None
        elif flight.looks * LOOK > flight.hold + PATIENCE:
            self._keyboard.release_all()
            self._steps += [Wait(LOOK)] * flight.looks
            self._flight = None
            self._forget_keys()

    def _forget_keys(self) -> None:
        self._events = deque(event for event in self._events if isinstance(event, Joystick))

    def _mark(self) -> None:
        """The frames since the last step become a step."""
        if self._frames:
            self._steps.append(Wait(self._frames))
        self._rebase()

    def _rebase(self) -> None:
        self._base = self._console.clock.cycles
        self._frames = 0
