"""How long the console works at a time: to a moment, until keys are taken, until one is required.

The worker stops where the clock asks it to (`Pause`) and goes on from there when it is called
again, so the stops do not change what the program does. A program that only looks for a key is
recognised by its scans while its screen and sound stay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, Clock, Pause, ScheduledEvent
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.vdp import Snapshot


class Stillness:
    """Compares a machine with itself, from one look to the next.

    Everything that the video processor shows counts, including moving sprites, patterns and
    colours, and so does every byte sent to the sound chip.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._scans = machine.keyboard.idle_scans
        self._seen: tuple[Snapshot, int] | None = None
        self._same = 0

    def look(self, scans: int = 1) -> int:
        """Look now, and count the looks in a row, up to this one, that found no change.

        With fewer than `scans` scans without a key since the last look, the count is 0, and the
        next look has nothing to compare with.
        """
        machine = self._machine
        before, self._scans = self._scans, machine.keyboard.idle_scans
        if self._scans - before < scans:
            self._seen, self._same = None, 0
            return 0
        machine.sync()
        seen = Snapshot.of(machine.vdp), len(machine.sound.written)
        self._same = self._same + 1 if seen == self._seen else 0
        self._seen = seen
        return self._same


IDLE_LOOK = 60 * FRAME
"""Cycles between checks whether a program only looks for keys: one second."""

IDLE_SCANS = 1000
"""Scans without a key, down or queued, after which a program is taken to require one."""

STILL_SECONDS, STILL_SCANS = 28, 4
"""So is a program that for this many seconds changes nothing, with at least this many scans in
each: the time that the shortest loop needs for `IDLE_SCANS`.
"""


class Worker(Protocol):
    """What gets the time."""

    @property
    def running(self) -> bool:
        """Tell whether a program runs, or a line typed without a number."""
        ...

    @property
    def busy(self) -> bool:
        """Tell whether there is anything to do, apart from keys."""
        ...

    def work(self) -> None:
        """Do a piece of work. Raises Pause when a pause is due, and when it waits for a key."""
        ...


class WorkEnd(Enum):
    """Why the work stopped."""

    DONE = "nothing is left to do"
    KEYS = "INPUT or ACCEPT wants a key and none is queued"
    SCANS = "a program goes on looking for a key and none is queued"
    LIMIT = "the time is over"


def next_look(base: int, cycle: int, look: int) -> int:
    """The first look not before a cycle; there is one every `look` cycles from `base` on."""
    return base - (base - cycle) // look * look


class _PauseAt:
    """Asks for a pause at a cycle while the body runs, however it ends.

    A class, not a generator: somebody who waits frame by frame comes here very often.
    """

    __slots__ = ("_clock", "_event")

    def __init__(self, clock: Clock, cycle: int) -> None:
        self._clock = clock
        self._event = clock.schedule(cycle, clock.request_pause)

    def __enter__(self) -> None:
        """Do nothing: the pause has been asked for."""

    def __exit__(self, *_: object) -> None:
        """Take back what was asked for."""
        self._clock.cancel(self._event)
        self._clock.cancel_pause()


class Timekeeper:
    """Lets a worker work on a machine."""

    def __init__(self, machine: Machine, worker: Worker) -> None:
        self._clock = machine.clock
        self._keyboard = machine.keyboard
        self._worker = worker
        self._stillness = Stillness(machine)

    def after(self, seconds: float) -> int:
        """The cycle `seconds` from now."""
        return self._clock.cycles + round(seconds * CPU_HZ)

    def work_to(self, cycle: int) -> None:
        """Let it work until the clock has reached a cycle.

        The clock may be slightly past it: statements that have begun are finished.
        """
        self._work_to(cycle, lambda: False)

    def _work_to(self, cycle: int, over: Callable[[], bool]) -> None:
        """As `work_to`, but end once `over` holds; what makes it hold must request a pause."""
        clock = self._clock
        with _PauseAt(clock, cycle):
            while clock.cycles < cycle and not over():
                try:
                    self._worker.work()
                except Pause:
                    if clock.cycles < cycle and not over():
                        clock.advance_to(min(cycle, max(clock.due, clock.cycles + 1)))

    def work_until(
        self, reached: Callable[[], bool], limit: int, look: int, since: int | None = None
    ) -> int | None:
        """Let it work until `reached`, which is asked now and every `look` cycles from `since` on.

        `reached` may depend on what the machine does, but not on the time itself. Returns the cycle
        of the look that found it true (the worker may have gone on a little), or None when the
        cycle `limit` came first.
        """
        clock = self._clock
        if reached():
            return clock.cycles
        base = clock.cycles if since is None else since
        seen: int | None = None
        event: ScheduledEvent

        def ask() -> None:
            nonlocal seen, event
            if reached():
                seen = clock.cycles
                clock.request_pause()
            else:
                # Most looks fall into long statements: leave out those before anything happens.
                now = clock.cycles
                event = clock.schedule(next_look(now, max(now + 1, clock.next_change), look), ask)

        event = clock.schedule(next_look(base, clock.cycles + 1, look), ask)
        try:
            while seen is None and clock.cycles < limit:
                self._work_to(limit, lambda: seen is not None)
        finally:
            clock.cancel(event)
        return seen

    def take_keys(self, limit: int) -> bool:
        """Let it work until all keys have been taken, and not a frame longer.

        False when the cycle `limit` came first.
        """
        clock, keyboard = self._clock, self._keyboard
        with _PauseAt(clock, limit):
            keyboard.tell_when_rested(clock.request_pause)
            try:
                while not keyboard.rested and clock.cycles < limit:
                    try:
                        self._worker.work()
                    except Pause:
                        if not keyboard.rested and clock.cycles < limit:
                            clock.advance_to(min(limit, keyboard.quiet_at))
            finally:
                keyboard.tell_when_rested(None)
        return keyboard.rested

    def work_off(self, limit: int) -> WorkEnd:
        """Let it work until nothing is left to do, a key is required, or a cycle is reached.

        A program that only looks for keys is left at the end of a second, counted from now.
        """
        clock, keyboard, worker = self._clock, self._keyboard, self._worker
        scans = keyboard.idle_scans
        idle = False
        event: ScheduledEvent

        def look() -> None:
            nonlocal idle, event
            if self._wants_key(scans):
                idle = True
                clock.request_pause()
            event = clock.schedule(clock.cycles + IDLE_LOOK, look)

        event = clock.schedule(clock.cycles + IDLE_LOOK, look)
        with _PauseAt(clock, limit):
            try:
                while worker.busy or not keyboard.idle:
                    try:
                        worker.work()
                    except Pause:
                        if clock.cycles >= limit:
                            return WorkEnd.LIMIT
                        if not idle:
                            return WorkEnd.KEYS if worker.running else WorkEnd.DONE
                        if worker.running:
                            return WorkEnd.SCANS
                        idle = False
            finally:
                clock.cancel(event)
        return WorkEnd.DONE

    def _wants_key(self, before: int) -> bool:
        """Tell whether a program only looks for keys; it had made `before` scans at the start.

        This is called every second of machine time.
        """
        still = self._stillness.look(STILL_SCANS)
        scans = self._keyboard.idle_scans
        return scans > before and (scans >= IDLE_SCANS or still >= STILL_SECONDS)
