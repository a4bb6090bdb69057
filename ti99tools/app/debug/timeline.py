"""A run that can be stopped before every statement, resumed, and stepped back.

A run depends on nothing but the program, its disks and its keys: statement number 1000 is the same
in every run. Going back is a new run up to an earlier statement, which takes a fraction of a second
for ten minutes of machine time.

`Halting` is for a caller that drives one console itself. Unlike a `Timeline` it never starts a new
run, so it cannot go back; and it does not block: to stop, it raises an exception through the call
that lets the console work, and the next such call goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NoReturn, Protocol

from ti99tools.app.debug.sources import Book, SourceTexts
from ti99tools.app.debug.stops import (
    Backward,
    EndSession,
    Forward,
    GiveKeys,
    Order,
    Points,
    Reach,
    Restart,
    Standstill,
    StopReason,
)
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.compile.units import Place as Spot
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.locating import uncharged
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.computer.interp.run.stack import CallFrame

DEEPEST = 1 << 30
"""More than the possible depth of nested subroutines."""

POLL = 32
"""Statements between two checks for a pause."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run came to its end, or to a wait for keys."""

    reason: StopReason
    text: str


class Play(Protocol):
    """One run of the program from power-on."""

    console: Console

    def go(self) -> Ended:
        """Start, do the script and type the keys given."""
        ...

    def more(self, keys: str) -> Ended:
        """Type more keys for which the program waits."""
        ...

    def book(self, execution: Execution) -> Book:
        """The statements of the program that runs."""
        ...


class Front(Protocol):
    """A front end, which shows a stopped run and decides what comes next."""

    def stopped(self, stop: Standstill) -> Order:
        """Called when the run has stopped; returns what to do."""
        ...

    def pause_wanted(self) -> bool:
        """Tell whether the run must stop; called every `POLL` statements."""
        ...


class _Rewind(BaseException):
    """Start a new run."""


class _Over(BaseException):
    """The session is over."""


@dataclass(slots=True)
class _Given:
    """Keys given before statement `count`, or, if `waiting`, when the program waited after it."""

    count: int
    waiting: bool
    text: str


@dataclass(slots=True)
class _Search:
    """A search for the last statement before number `end` at which `fits` gives a standstill."""

    end: int
    fits: Callable[[], Standstill | None]
    found: Standstill | None = None


class Timeline:
    """The runs of one program; the last one is shown."""

    def __init__(self, begin: Callable[[Stepper], Play], front: Front) -> None:
        """`begin` makes a new run, which calls the stepper given before each statement."""
        self.points = Points()
        self.texts = SourceTexts()
        self.count = 0
        """The number of the statement before which the run stands."""
        self.spot: Spot | None = None
        """That statement; None at the end of the program."""
        self.before: Spot | None = None
        """The statement that ran last."""
        self.play: Play
        self.book: Book | None = None
        """The statements of the program that runs."""
        self.execution: Execution | None = None
        self._begin = begin
        self._front = front
        self._pace = Reach.RUN
        self._depth = 0
        self._given: list[_Given] = []
        self._first = 0
        self._goal = 0
        self._why: Standstill | None = None
        self._search: _Search | None = None

    @property
    def console(self) -> Console:
        """The console of the present run."""
        return self.play.console

    # -- the session ----------------------------------------------------------------------

    def run(self) -> None:
        """Run until the front leaves."""
        while True:
            try:
                self._run_once()
            except _Rewind:
                continue
            except _Over:
                return

    def _run_once(self) -> NoReturn:
        self.count = 0
        self.spot = self.before = self.book = self.execution = None
        self.points.forget()
        self.play = self._begin(self._step)
        ended = self.play.go()
        waits = 0
        while True:
            self.before, self.spot = self.spot or self.before, None
            given = [one for one in self._given if one.waiting]
            if len(given) <= waits:
                self._at_end(ended)
                given = [one for one in self._given if one.waiting]
            ended = self.play.more(given[waits].text)
            waits += 1

    def _at_end(self, ended: Ended) -> None:
        """Handle a run's end or wait for keys; returns once keys were given."""
        if self._search is not None:
            self._search.found = self._late_find(self.count) or self._search.found
            self._end_search()
        stop = Standstill(ended.reason, self.count, ended.text)
        while True:
            order = self._front.stopped(stop)
            if isinstance(order, GiveKeys):
                if ended.reason is StopReason.KEYS:
                    self._give(order.text, waiting=True)
                    self._pace = Reach.RUN
                    return
                stop = Standstill(
                    ended.reason, self.count, "no keys are asked for: the run is over"
                )
            elif isinstance(order, Forward):
                text = "it waits for keys: give it some" if ended.reason is StopReason.KEYS else ""
                stop = Standstill(ended.reason, self.count, text or "the run is over: go back")
            else:
                stop = Standstill(ended.reason, self.count, self._turn(order, self.count + 1))

    # -- statements -----------------------------------------------------------------------

    def _step(self, line: int, at: int, spent: int = 0) -> None:
        """Called by the console when a statement begins."""
        self.count = count = self.count + 1
        self.before, self.spot = self.spot, (line, at)
        execution = self.play.console.execution
        if execution is not self.execution:
            self._enter(execution)
        if self._given:
            self._give_again()
        if count < self._goal:
            if self._search is not None:
                self._search.found = self._search.fits() or self._search.found
            return
        stop = self._stop_here()
        if stop is not None:
            self._stand(stop)

    def _enter(self, execution: Execution | None) -> None:
        """Note that another program runs, or the same one from its start."""
        assert execution is not None
        self.execution = execution
        self.book = self.play.book(execution)
        self.points.arm(self.book)
        for file in self.book.files() if self.book.has_source else ():
            self.texts.lines(file)

    def _stop_here(self) -> Standstill | None:
        """The reason to stop before the present statement; None if the run goes on."""
        count, points, execution = self.count, self.points, self.execution
        assert self.spot is not None and execution is not None
        if self._search is not None and count == self._goal:
            self._search.found = self._late_find(count - 1) or self._search.found
            self._end_search()
        if count == self._goal and self._why is not None:
            why, self._why = self._why, None
            return why
        assert self.book is not None
        if not self._first:
            if not self.book.main or self.spot not in self.book.lines:
                return None
            self._first = count
            text = points.hit(self.spot, execution)
            return Standstill(
                StopReason.BREAKPOINT if text else StopReason.START, count, text or ""
            )
        text = points.hit(self.spot, execution) if self.spot in points.armed else None
        if text is not None:
            return Standstill(StopReason.BREAKPOINT, count, text)
        text = points.changed(execution) if points.watches else None
        if text is not None:
            return Standstill(StopReason.WATCH, count, text)
        if self._pace is not Reach.RUN and self.spot in self.book.lines and self._paced():
            return Standstill(StopReason.STEP, count)
        if not count % POLL and self._front.pause_wanted():
            return Standstill(StopReason.PAUSE, count)
        return None

    def _paced(self) -> bool:
        """Tell whether the current step ends here."""
        assert self.execution is not None
        if self._pace is Reach.STEP:
            return True
        level = depth(self.execution)
        return level <= self._depth if self._pace is Reach.OVER else level < self._depth

    def _stand(self, stop: Standstill) -> None:
        """Stop before the present statement; returns when the run continues."""
        assert self.execution is not None
        while True:
            order = self._front.stopped(stop)
            if isinstance(order, Forward):
                self._goal, self._pace = 0, order.pace
                self._depth = depth(self.execution)
                self.points.changed(self.execution)
                return
            if isinstance(order, GiveKeys):
                self._give(order.text, waiting=False)
                self.play.console.machine.keyboard.type(order.text)
                stop = Standstill(StopReason.TYPED, self.count)
            else:
                stop = Standstill(stop.reason, self.count, self._turn(order, self.count))

    # -- going back -----------------------------------------------------------------------

    def _turn(self, order: Order, now: int) -> str:
        """Leave, or go back from statement `now`; returns a message if that is impossible."""
        if isinstance(order, EndSession):
            raise _Over
        if isinstance(order, Restart) and self._first:
            self._rewind(self._first, Standstill(StopReason.START, self._first))
        if not isinstance(order, Backward) or not self._first or now <= self._first:
            return "there is nothing before"
        ended = self.spot is None
        if ended and order.pace is not Reach.RUN:
            self._rewind(now - 1, Standstill(StopReason.STEP, now - 1))
        self.points.forget()
        level = 0 if self.execution is None else depth(self.execution)
        most = {Reach.STEP: DEEPEST, Reach.OVER: level, Reach.OUT: level - 1}.get(order.pace)
        fits = self._find_stop if most is None else partial(self._find_level, most)
        self._search = _Search(now, fits)
        self._rewind(now, None)

    def _rewind(self, goal: int, why: Standstill | None) -> NoReturn:
        self._goal, self._why = goal, why
        raise _Rewind

    def _find_level(self, most: int) -> Standstill | None:
        assert self.execution is not None
        assert self.book is not None
        here = self.count >= self._first and self.spot in self.book.lines
        if here and depth(self.execution) <= most:
            return Standstill(StopReason.STEP, self.count)
        return None

    def _find_stop(self) -> Standstill | None:
        """A breakpoint here, or a watched value that the previous statement changed."""
        assert self.execution is not None and self.spot is not None
        text = self.points.hit(self.spot, self.execution) if self._first else None
        changed = self._late_find(self.count - 1)
        return Standstill(StopReason.BREAKPOINT, self.count, text) if text else changed

    def _late_find(self, count: int) -> Standstill | None:
        """A watched value that statement `count`, the last that ran, has changed."""
        search = self._search
        if search is None or search.fits != self._find_stop or not self.points.watches:
            return None
        assert self.execution is not None
        text = self.points.changed(self.execution)
        return Standstill(StopReason.WATCH, count, f"{text}, by this statement") if text else None

    def _end_search(self) -> NoReturn:
        """Go to what was found, or to the beginning."""
        assert self._search is not None
        found, self._search = self._search.found, None
        if found is None:
            found = Standstill(StopReason.START, self._first, "there is nothing to stop at before")
        self._rewind(found.count, found)

    # -- keys -----------------------------------------------------------------------------

    def _give(self, text: str, waiting: bool) -> None:
        """Note keys, and forget those given after this point before the run was stepped back."""
        now = self.count, waiting
        self._given = [one for one in self._given if (one.count, one.waiting) <= now]
        self._given.append(_Given(self.count, waiting, text))

    def _give_again(self) -> None:
        """Give the keys that an earlier run got before this statement."""
        for one in self._given:
            if one.count == self.count and not one.waiting:
                self.play.console.machine.keyboard.type(one.text)


def depth(execution: Execution) -> int:
    """The number of subroutines and SUBs that are running."""
    return sum(isinstance(frame, tuple | CallFrame) for frame in execution.frames)


class Halt(BaseException):
    """Raised to stop the program before the statement that was about to begin."""


class Halting:
    """Stops one console before statements; `step` is to be the console's stepper.

    `book` gives the statements of a running program.
    """

    def __init__(self, book: Callable[[Execution], Book]) -> None:
        self.points = Points()
        self.console: Console
        """Set by the code that makes the console."""
        self.execution: Execution | None = None
        self.book: Book | None = None
        """The statements of the program that runs."""
        self.spot: Spot | None = None
        """The statement before which the program stands; None while it runs."""
        self.before: Spot | None = None
        """The statement that began last."""
        self.reason = StopReason.START
        self.text = ""
        """The message of the stop; may be empty."""
        self._book = book
        self._pace = Reach.RUN
        self._depth = 0
        self._again = False

    # -- what the console calls -----------------------------------------------------------

    def step(self, line: int, at: int, spent: int = 0) -> None:
        """Called by the console when a statement begins. Raises Halt."""
        execution = self.console.execution
        if execution is not self.execution:
            self._enter(execution)
        assert execution is not None and self.book is not None
        before, self.before = self.before, (line, at)
        if self._again:
            self._again = False
            return
        if not self._stops(execution):
            return
        self.spot, self.before = (line, at), before
        raise Halt

    def _enter(self, execution: Execution | None) -> None:
        """Note that another program runs, or the same one from its start."""
        assert execution is not None
        self.execution, self.book = execution, self._book(execution)
        self.points.arm(self.book)
        self._again = False

    def _stops(self, execution: Execution) -> bool:
        """Tell whether to stop before the present statement; notes why."""
        assert self.book is not None and self.before is not None
        hit = self.points.hit(self.before, execution)
        if hit is not None:
            self.reason, self.text = StopReason.BREAKPOINT, hit
            return True
        if self._pace is Reach.RUN or self.before not in self.book.lines:
            return False
        if self._pace is not Reach.STEP:
            level = self._depth - (self._pace is Reach.OUT)
            if depth(execution) > level:
                return False
        self.reason, self.text = StopReason.STEP, ""
        return True

    # -- what its user calls --------------------------------------------------------------

    def stand(self, halt: Halt) -> None:
        """Put the console before the statement where it stopped; its time has not passed."""
        execution = self.execution
        assert execution is not None and self.spot is not None
        execution.rt.clock.cycles -= uncharged(execution.compiler, halt)
        execution.next_block = execution.active.block(self.spot, careful=execution.careful)

    def go(self, pace: Reach) -> None:
        """Set how far the console goes when it works next."""
        self._pace = pace
        if self.execution is not None:
            self._depth = depth(self.execution)
        self._again, self.spot = self.spot is not None, None
