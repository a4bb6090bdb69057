"""How a script presses keys.

A key of a script is held for some frames of machine time and then released for some. So that a slow
loop loses no key, it goes down when the program asks for one (INPUT and ACCEPT always do; for CALL
KEY, `computer.console.asking` has the rule), stays down until CALL KEY, INPUT, ACCEPT or machine
code has read it, and the next waits until the reader has found none. Keys with a CLEAR after them
in the queue do not wait: they go down and up in real time, seen or not, so that CLEAR stops a busy
program. The scans of CALL JOYST and CALL SOUND read no key: no key of a script goes down for them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from ti99tools.base.codes import CLEAR
from ti99tools.hardware.machine.clock import FRAME, NEVER, Clock, ScheduledEvent
from ti99tools.hardware.machine.keycodes import Key, Matrix

MISSES = 3
"""Scans after which a key that none of them can find (it lies in the other half of the keyboard)
counts as read, and a missing gap as seen.
"""


class KeyStroke:
    """One key pressed for `hold` frames, then up for `gap` frames; not before a given cycle.

    `anywhere`: any look may find it, whether or not the program asks for a key there.
    """

    __slots__ = ("anywhere", "gap", "hold", "key", "missed", "not_before", "seen")

    def __init__(self, key: Key, hold: int, gap: int, not_before: int, anywhere: bool) -> None:
        self.anywhere = anywhere
        self.key = key
        self.hold = hold
        self.gap = gap
        self.not_before = not_before
        self.missed = 0
        self.seen = False


class KeyQuestions(Protocol):
    """What knows whether the program asks for a key; see `computer.console.questions`."""

    @property
    def deaf(self) -> bool:
        """Tell whether the look that begins asks for no key, and tells nothing of later ones."""
        ...

    def asks(self, half: bool) -> bool:
        """Note a look at the keyboard, or at a half of it, that finds no key; tell whether the
        program asks for one.
        """
        ...

    def given(self) -> None:
        """A key was given."""
        ...


class Typist:
    """Presses queued keys on a matrix, one after the other. Without an `asker` every look asks."""

    def __init__(self, clock: Clock, matrix: Matrix) -> None:
        self.asker: KeyQuestions | None = None
        self._clock = clock
        self._matrix = matrix
        self._queue: deque[KeyStroke] = deque()
        self._when_rested: Callable[[], None] | None = None
        self._rest_event: ScheduledEvent | None = None
        self._down: KeyStroke | None = None
        self._down_until = 0
        self._up_until = 0
        self._gap_seen = True
        self._gap_missed = 0
        self._reader = 0
        self._clears = 0
        self._clear_event: ScheduledEvent | None = None

    @property
    def busy(self) -> bool:
        """Tell whether a key was down or queued at the last `update`."""
        return self._down is not None or bool(self._queue)

    @property
    def rested(self) -> bool:
        """Tell whether no key is down or queued, and the last gap is over."""
        self.update()
        return not self.busy and self._clock.cycles >= self._up_until

    @property
    def settled(self) -> bool:
        """Tell whether further looks as the one that begins change nothing.

        A key may be queued if it waits for a question, and this look is none.
        """
        self.update()
        return self._gap_seen and (not self.busy or self._kept)

    @property
    def _kept(self) -> bool:
        """Tell whether no key is down, and all that are queued wait for a question."""
        if self._down is not None or self._clears or self.asker is None or not self.asker.deaf:
            return False
        return not any(press.anywhere for press in self._queue)

    @property
    def quiet_at(self) -> int:
        """The cycle at which the gap after the last key ends, if every key is seen in time."""
        self.update()
        at = max(self._clock.cycles, self._up_until)
        if self._down is not None:
            at = max(at, self._down_until) + self._down.gap * FRAME
        for press in self._queue:
            at = max(at, press.not_before) + (press.hold + press.gap) * FRAME
        return at

    def press(self, key: Key, hold: int, gap: int, anywhere: bool) -> None:
        """Queue one key; `hold` and `gap` are frames."""
        self._queue.append(KeyStroke(key, hold, gap, self._clock.cycles, anywhere))
        if key.basic == CLEAR:
            self._clears += 1
            self._watch_for_clear()

    def tell_when_rested(self, listener: Callable[[], None] | None) -> None:
        """Call a function when the last key has been seen and its gap is over.

        None cancels it.
        """
        self._when_rested = listener
        if listener is None and self._rest_event is not None:
            self._clock.cancel(self._rest_event)

    def read(self, unit: int, key: Key | None) -> None:
        """Note that CALL KEY or a line editor has scanned a unit, and found a key or none."""
        half = unit if unit in (1, 2) else 0
        press = self._down
        if press is None:
            self._gap_missed += 1
            # The gap must be seen by the reader of the key, not by a look at the other half.
            self._gap_seen |= half == self._reader or self._gap_missed >= MISSES
        elif not press.seen:
            press.missed += 1
            if key is press.key or press.missed >= MISSES:
                self._reader = half
                if half:  # the whole keyboard may be looked at next
                    until = self._clock.cycles + press.hold * FRAME
                    self._down_until = max(self._down_until, until)
                self.looked()

    def looked(self) -> None:
        """Note that the key that is down has been seen: it may go up, or the next go down."""
        press = self._down
        if press is None:
            self._gap_seen = True
        elif not press.seen:
            press.seen = True
            if self._when_rested is not None and not self._queue:
                rested = self._down_until + press.gap * FRAME
                self._rest_event = self._clock.schedule(rested, self._when_rested)

    def unread(self, key: Key | None) -> bool:
        """Tell whether a key is the script's and nobody has read it yet."""
        press = self._down
        return press is not None and not press.seen and key is press.key

    def lift(self) -> None:
        """Release the key that is down if its time has come."""
        if self._down is not None:
            self._lift(self._clock.cycles)

    def update(self) -> None:
        """Release and press keys as the time and the scans since the last look require.

        A key that waits for a question goes down only in `scanned` and `wanted`.
        """
        self._go_on(scans=False)

    def wanted(self) -> None:
        """As `update`, before a look of a line editor or of machine code, which wants any key."""
        self._go_on(scans=True)

    def scanned(self, unit: int) -> None:
        """As `update`, before a look of CALL KEY at a unit."""
        self._go_on(scans=False)
        if self._down is None and self._queue:
            self._go_on(self.asker is None or self.asker.asks(unit in (1, 2)))

    def _go_on(self, scans: bool) -> None:
        now = self._clock.cycles
        while self._down is not None or self._queue:
            changed = self._lift(now) if self._down is not None else self._strike(now, scans)
            if not changed:
                return

    @property
    def next_change(self) -> int:
        """When the key that is down goes up, or else the next goes down; NEVER without keys."""
        if self._down is not None:
            return self._down_until if self._queue else NEVER
        return max(self._up_until, self._queue[0].not_before) if self._queue else NEVER

    @property
    def lifts_at(self) -> int:
        """When the key that is down goes up, if it has been seen; NEVER without one."""
        return NEVER if self._down is None else self._down_until

    def _lift(self, now: int) -> bool:
        """Release the key that is down if its time has come."""
        press = self._down
        assert press is not None
        # A CLEAR in the queue must not wait for a program that never looks at its keys.
        if now < self._down_until or not (press.seen or self._clears):
            return False
        self._up_until = self._down_until + press.gap * FRAME
        self._gap_seen = False
        self._gap_missed = 0
        self._down = None
        self._matrix.release(press.key)
        return True

    def _strike(self, now: int, scans: bool) -> bool:
        """Press the next key if its time has come."""
        press = self._queue[0]
        start = max(self._up_until, press.not_before)
        due = self._gap_seen and (scans or press.anywhere)
        if now < start or not (due or self._clears):
            return False
        self._queue.popleft()
        if self.asker is not None:
            self.asker.given()
        self._down = press
        self._down_until = start + press.hold * FRAME
        self._matrix.press(press.key)
        if press.key.basic == CLEAR:
            self._clears -= 1
            if self._clears:
                self._watch_for_clear()
        return True

    def _watch_for_clear(self) -> None:
        """Make running code look at the keyboard when CLEAR goes down."""
        if self._clear_event is not None:
            self._clock.cancel(self._clear_event)
        at = max(self._clock.cycles, self._up_until)
        if self._down is not None:
            at = max(at, self._down_until + self._down.gap * FRAME)
        for press in self._queue:
            at = max(at, press.not_before)
            if press.key.basic == CLEAR:
                break
            at += (press.hold + press.gap) * FRAME
        self._clear_event = self._clock.schedule(at, self._clock.request_attention)
