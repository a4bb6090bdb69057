"""Virtual time: CPU cycles, events at given cycles, and the request to pause.

Nothing here reads the host's clock. Running code adds its cost to `Clock.cycles` and, where it can
be re-entered, compares that with `Clock.next_event`. Whatever waits (tones, key presses) moves the
time itself with `advance_to`. So an event may be noticed late, but while it runs the clock stands
at the event's own time.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

CPU_HZ = 3_000_000
"""Cycles a second of the TMS9900 in the TI-99/4A."""

FRAME = 50_064
"""Cycles between two VDP interrupts (262 lines at 59.92 Hz, NTSC), as the recordings count them."""

FRAME_SECONDS = FRAME / CPU_HZ
"""Seconds that a frame lasts."""

FRAMES_A_SECOND = 60
"""Frames that count as a second where a person gives the time."""

NEVER = 1 << 62
"""`next_event` when nothing is due: later than any program runs."""


class Pause(Exception):
    """Execution stops here and can go on later from the same point.

    Raised only where running code can be re-entered: by `Clock.service` at the start of a block,
    and while waiting for a key.
    """


class ScheduledEvent:
    """Something scheduled; pass it to `Clock.cancel` to cancel it."""

    __slots__ = ("at", "callback")

    def __init__(self, at: int, callback: Callable[[], None]) -> None:
        self.at = at
        self.callback: Callable[[], None] | None = callback


class Clock:
    """Counts CPU cycles from power-on and runs callbacks when they are due."""

    def __init__(self) -> None:
        self.cycles = 0
        self.next_event = NEVER
        self._events: list[tuple[int, int, ScheduledEvent]] = []
        # A running number keeps events of one cycle in the order in which they were scheduled.
        self._order = 0
        self._pause = False
        self._attention = False
        self._taken = 0
        self._running_to = 0
        """The cycle up to which events are being run, or were run last."""
        self._watchers: set[object] = set()
        self.watched = False
        """Whether it matters which interrupts are served; see `watch`."""
        self.phase = 0
        """Cycles by which interrupts come before a whole number of frames."""

    @property
    def seconds(self) -> float:
        """Machine time since power-on."""
        return self.cycles / CPU_HZ

    @property
    def frame(self) -> int:
        """Number of VDP interrupts since power-on."""
        return self.frame_at(self.cycles)

    @property
    def next_interrupt(self) -> int:
        """The cycle at which the next VDP interrupt comes."""
        return self.interrupt(self.frame + 1)

    def frame_at(self, cycle: int) -> int:
        """Number of VDP interrupts up to a cycle."""
        return (cycle + self.phase) // FRAME

    def interrupt(self, number: int) -> int:
        """The cycle at which a VDP interrupt comes, by its number."""
        return number * FRAME - self.phase

    def schedule(self, at_cycle: int, callback: Callable[[], None]) -> ScheduledEvent:
        """Have `callback` run when the time reaches `at_cycle` (at once if that is past)."""
        at_cycle = max(at_cycle, self.cycles)
        event = ScheduledEvent(at_cycle, callback)
        self._order += 1
        heapq.heappush(self._events, (at_cycle, self._order, event))
        if at_cycle < self.next_event:
            self.next_event = at_cycle
        return event

    def cancel(self, event: ScheduledEvent) -> None:
        """Cancel an event; one that has run or was cancelled before is left alone."""
        event.callback = None

    def watch(self, watcher: object, on: bool = True) -> None:
        """Note that it matters to `watcher` which interrupts are served, or no longer."""
        (self._watchers.add if on else self._watchers.discard)(watcher)
        self.watched = bool(self._watchers)

    def request_pause(self) -> None:
        """Make the next `service` raise `Pause`."""
        self._pause = True
        self.next_event = 0

    def request_attention(self) -> None:
        """Make running code come to `service` at the next place where it can stop."""
        self._attention = True
        self.next_event = 0

    def cancel_pause(self) -> None:
        """Cancel a requested pause that has not happened."""
        self._pause = False
        self._set_next()

    def service(self) -> None:
        """Run what is due, in order of time; raise `Pause` if one was requested."""
        self._run_due(self.cycles, working=True)
        self._attention = False
        if self._pause:
            self._pause = False
            self._set_next()
            raise Pause
        self._set_next()

    @property
    def pausing(self) -> bool:
        """Tell whether a pause was requested and has not happened yet."""
        return self._pause

    def run_to(self, cycle: int) -> None:
        """Run what is due up to a cycle, within running code. Its caller then decides whether it
        goes on, and calls `settle`.
        """
        self._run_due(cycle, working=True)

    def run_before(self, cycle: int) -> None:
        """Run what is due up to a cycle that running code has passed, and come back there."""
        if cycle >= self.next_event:
            self._run_due(cycle, working=True)

    def settle(self, attention: bool) -> None:
        """After `run_to`, make running code come back at the next event; at once if something needs
        its `attention`.
        """
        self._attention = attention
        self._set_next()

    def advance(self, cycles: int) -> None:
        """Let `cycles` pass, with the events that fall into them."""
        self.advance_to(self.cycles + cycles)

    def work(self, cycles: int) -> None:
        """Let the processor work for `cycles`, and for those that events `take` meanwhile."""
        self._run_due(self.cycles + cycles, working=True)
        self._set_next()

    def advance_to(self, cycle: int) -> None:
        """Let the time pass up to `cycle`; every due event runs at its own time.

        A pause requested by one of them waits for the next `service`.
        """
        # Events that are already due run first, at the present time.
        if self.cycles >= self.next_event:
            self._run_due(self.cycles, working=True)
        self._run_due(cycle, working=False)
        self._set_next()

    def take(self, cycles: int) -> None:
        """Charge running code with cycles that an event took from it."""
        self._taken += cycles

    def catch_up(self) -> None:
        """Run what has fallen due, within running code, before something changes."""
        if self.cycles >= self.next_event:
            self._run_due(self.cycles, working=True)
            self._set_next()

    def _run_due(self, limit: int, working: bool) -> None:
        """Run what is due up to `limit`; `working` code reaches that later by the cycles taken from
        it.
        """
        events = self._events
        end = max(self.cycles, limit)
        while events and events[0][0] <= limit:
            self._running_to = limit
            at, _, event = heapq.heappop(events)
            callback = event.callback
            # Cancelled events stay in the heap until they come up: removing them there would cost
            # more.
            if callback is None:
                continue
            event.callback = None
            self.cycles = at
            before = self._taken
            callback()
            length = self._taken - before
            if working:
                # Work is pushed back by the time that the event took from the processor.
                limit += length
                end += length
            else:
                # Waiting is not: only an event that outlasts the wait ends later.
                end = max(end, self.cycles + length)
        self.cycles = end

    @property
    def next_change(self) -> int:
        """While an event runs: the first cycle at which anything can change.

        At that cycle another event comes, or running code goes on.
        """
        return min(self._running_to + 1, self._events[0][0] if self._events else NEVER)

    @property
    def due(self) -> int:
        """The cycle of the next event, regardless of requests for a pause or attention."""
        events = self._events
        while events and events[0][2].callback is None:
            heapq.heappop(events)
        return events[0][0] if events else NEVER

    def _set_next(self) -> None:
        self.next_event = 0 if self._pause or self._attention else self.due
