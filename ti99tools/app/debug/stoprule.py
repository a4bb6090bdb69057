"""The one rule that decides where a run stops, forward and back. Every debugger asks it.

A run depends on nothing but the program, its disks and what is given to it: statement number 1000
is the same in every run. So the way back is a new run that stops at an earlier statement. The rule
finds out which one; whoever uses it makes the runs, and tells it when each statement begins.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ti99tools.app.debug.sources import StatementLines
from ti99tools.app.debug.stops import Backward, Breakpoints, Reach, Restart, StopPlace, StopReason
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.interp.compile.units import StatementPlace
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.stack import CallFrame

DEEPEST = 1 << 30
"""More than the possible depth of nested subroutines."""

RECENT = 64
"""Statements whose numbers are remembered: a step back to one of them needs no search."""


@dataclass(frozen=True, slots=True)
class NewRun:
    """The statement to stop at has passed: the run is to begin again, and stops there."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a run is, for a copy of it to go on from: see `StopRule`."""

    count: int
    spot: StatementPlace | None
    before: StatementPlace | None
    execution: Execution | None
    book: StatementLines | None
    recent: tuple[int, ...]


@dataclass(slots=True)
class _Search:
    """A search for the last statement before number `end` at which `fits` gives a standstill."""

    end: int
    fits: Callable[[], StopPlace | None]
    place: StopPlace | None = None


class StopRule:
    """Breakpoints, watches, steps and the way back of the runs of one program.

    `book` gives the statements of a running program. With `at_start` the run stops before the
    first statement of the program that is debugged; nothing stops before that one.
    """

    def __init__(self, book: Callable[[Execution], StatementLines], at_start: bool = True) -> None:
        self.points = Breakpoints()
        self.count = 0
        """The number of the statement that began last, from 1."""
        self.spot: StatementPlace | None = None
        """That statement; None at the end of the program."""
        self.before: StatementPlace | None = None
        """The statement before it."""
        self.execution: Execution | None = None
        self.book: StatementLines | None = None
        """The statements of the program that runs."""
        self.begin_before = 0
        """Where a new run is due: the number of a statement before which it has to begin."""
        self._book_of = book
        self._at_start = at_start
        self._first = 0
        """The number of the first statement of the program that is debugged."""
        self._pace = Reach.RUN
        self._depth = 0
        self._goal = 0
        self._why: StopPlace | None = None
        self._search: _Search | None = None
        self._begun = 0
        """The number of the last statement before this run: 0 if it began at power-on."""
        self._recent: deque[int] = deque(maxlen=RECENT)

    @property
    def position(self) -> Position:
        """Where the run is."""
        recent = tuple(self._recent)
        return Position(self.count, self.spot, self.before, self.execution, self.book, recent)

    @property
    def goal(self) -> int:
        """The number of the statement that the run is to go back to; 0 on the way forward."""
        return self._goal if self._search is not None or self._why is not None else 0

    @property
    def searches(self) -> bool:
        """Tell whether this run only finds out where the next one is to stop."""
        return self._search is not None

    # -- what happens in a run ------------------------------------------------------------

    def begin(self, at: Position | None = None) -> None:
        """A new run begins, from power-on, or where another one has been."""
        at = at or Position(0, None, None, None, None, ())
        self.count = self._begun = at.count
        self.spot, self.before, self.execution, self.book = (
            at.spot,
            at.before,
            at.execution,
            at.book,
        )
        self._recent = deque(at.recent, RECENT)
        self.points.arm(at.book)
        self.points.forget()
        if at.execution is not None:
            self.points.changed(at.execution)

    def begins(self, spot: StatementPlace, execution: Execution | None) -> None:
        """Note that a statement begins at `spot`; another execution has other lines."""
        self.count += 1
        self.before, self.spot = self.spot, spot
        if execution is not self.execution:
            assert execution is not None
            self.execution, self.book = execution, self._book_of(execution)
            self.points.arm(self.book)
        assert self.book is not None
        if spot in self.book.lines:
            self._recent.append(self.count)

    def end(self) -> NewRun | None:
        """The program has ended or waits: no statement follows now."""
        self.before, self.spot = self.spot or self.before, None
        if self._search is None:
            return None
        self._search.place = self._late_find(self.count) or self._search.place
        return self._end_search()

    # -- the decision ---------------------------------------------------------------------

    def decide(self) -> StopPlace | NewRun | None:
        """The reason to stop before the statement that began last; None if the run goes on."""
        count, search = self.count, self._search
        if count < self._goal:
            if search is not None:
                search.place = search.fits() or search.place
            return None
        if search is not None and count == self._goal:
            search.place = self._late_find(count - 1) or search.place
            return self._end_search()
        if count == self._goal and self._why is not None:
            why, self._why = self._why, None
            return why
        return self._reason() if self._first else self._start()

    def _start(self) -> StopPlace | None:
        """The reason to stop before the first statement of the program that is debugged."""
        assert self.book is not None
        assert self.execution is not None
        assert self.spot is not None
        if not self.book.main or self.spot not in self.book.lines:
            return None
        self._first = self.count
        if not self._at_start:
            return self._reason()
        text = self.points.hit(self.spot, self.execution)
        return StopPlace(
            StopReason.BREAKPOINT if text else StopReason.START, self.count, text or ""
        )

    def _reason(self) -> StopPlace | None:
        """A breakpoint, a watched value that changed, or the end of a step."""
        count, points, execution, spot = self.count, self.points, self.execution, self.spot
        assert execution is not None
        assert self.book is not None
        assert spot is not None
        text = points.hit(spot, execution) if spot in points.armed else None
        if text is not None:
            return StopPlace(StopReason.BREAKPOINT, count, text)
        text = points.changed(execution) if points.watches else None
        if text is not None:
            return StopPlace(StopReason.WATCH, count, text)
        if self._pace is not Reach.RUN and spot in self.book.lines and self._step_ends(execution):
            return StopPlace(StopReason.STEP, count)
        return None

    def _step_ends(self, execution: Execution) -> bool:
        if self._pace is Reach.STEP:
            return True
        level = depth(execution)
        return level <= self._depth if self._pace is Reach.OVER else level < self._depth

    # -- orders ---------------------------------------------------------------------------

    def forward(self, pace: Reach) -> None:
        """Go on from where the run stands."""
        self._goal, self._pace, self._why = 0, pace, None
        if self.execution is not None:
            self._depth = depth(self.execution)
            self.points.changed(self.execution)

    def backward(self, order: Backward | Restart) -> str:
        """Go back from where the run stands: a new run is due. Otherwise the reason why not."""
        first = self._first
        if isinstance(order, Restart) and first:
            return self._go_to(StopPlace(StopReason.START, first))
        now = self.count + (self.spot is None)
        if isinstance(order, Restart) or not first or now <= first:
            return "there is nothing before"
        near = [count for count in self._recent if first <= count < now]
        if order.pace is Reach.STEP and near:
            return self._go_to(StopPlace(StopReason.STEP, near[-1]))
        if self.spot is None and order.pace is not Reach.RUN:
            return self._go_to(StopPlace(StopReason.STEP, now - 1))
        self._search = _Search(now, self._finder(order.pace))
        self._goal = self.begin_before = now
        self._why = None
        return ""

    def _finder(self, pace: Reach) -> Callable[[], StopPlace | None]:
        level = 0 if self.execution is None else depth(self.execution)
        most = {Reach.STEP: DEEPEST, Reach.OVER: level, Reach.OUT: level - 1}.get(pace)
        return self._find_stop if most is None else partial(self._find_level, most)

    def _go_to(self, stop: StopPlace) -> str:
        self._search, self._why = None, stop
        self._goal = self.begin_before = stop.count
        return ""

    # -- the search for an earlier statement ----------------------------------------------

    def _find_level(self, most: int) -> StopPlace | None:
        assert self.execution is not None
        assert self.book is not None
        here = self.count >= self._first and self.spot in self.book.lines
        if here and depth(self.execution) <= most:
            return StopPlace(StopReason.STEP, self.count)
        return None

    def _find_stop(self) -> StopPlace | None:
        """A breakpoint here, or a watched value that the previous statement changed."""
        assert self.execution is not None
        assert self.spot is not None
        if self.count < self._first:
            return None
        text = self.points.hit(self.spot, self.execution)
        changed = self._late_find(self.count - 1)
        return StopPlace(StopReason.BREAKPOINT, self.count, text) if text else changed

    def _late_find(self, count: int) -> StopPlace | None:
        """A watched value that statement `count`, the last that ran, has changed."""
        search = self._search
        if search is None or search.fits != self._find_stop or not self.points.watches:
            return None
        assert self.execution is not None
        text = self.points.changed(self.execution)
        return StopPlace(StopReason.WATCH, count, f"{text}, by this statement") if text else None

    def _end_search(self) -> NewRun:
        """Stop at what was found, or at the beginning, in a new run."""
        assert self._search is not None
        place = self._search.place
        if place is None and self._begun > self._first:
            # It may be before this run's own beginning.
            self._search.end = self._goal = self._begun + 1
            self.begin_before = self._begun
            return NewRun()
        if place is None:
            place = StopPlace(StopReason.START, self._first, "there is nothing to stop at before")
        self._go_to(place)
        return NewRun()


def depth(execution: Execution) -> int:
    """The number of subroutines and SUBs that are running."""
    return sum(isinstance(frame, tuple | CallFrame) for frame in execution.frames)


class Ruled:
    """A run that a rule stops: what the rule knows of it."""

    console: AnyConsole
    """The console of the present run, set by the code that makes it."""

    def __init__(self, rule: StopRule) -> None:
        self.rule = rule
