"""A console that stops before statements and goes on from there: breakpoints and single steps.

Unlike a `timeline` it never runs anew, so it cannot go back; and it blocks nobody: what stops is an
exception that comes out of whatever lets the console work, and the next work goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.app.debug.points import Pace, Points, Reason
from ti99tools.app.debug.sources import Book
from ti99tools.app.debug.timeline import depth
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.compile.unit import Place as Spot
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.locating import uncharged


class Halt(BaseException):
    """The program is to stop before the statement that was about to begin."""


class Halting:
    """Where one console stops; its `step` is the console's stepper.

    `book` makes the statements of a program that runs.
    """

    def __init__(self, book: Callable[[Execution], Book]) -> None:
        self.points = Points()
        self.console: Console
        """Set by who makes the console."""
        self.execution: Execution | None = None
        self.book: Book | None = None
        """The statements of the program that runs."""
        self.spot: Spot | None = None
        """The statement before which the program stands; None while it runs."""
        self.before: Spot | None = None
        """The statement that began last."""
        self.reason = Reason.START
        self.text = ""
        """What there is to say of the stop."""
        self._book = book
        self._pace = Pace.RUN
        self._depth = 0
        self._again = False

    # -- what the console calls -----------------------------------------------------------

    def step(self, line: int, at: int, spent: int = 0) -> None:
        """A statement begins. Raises Halt."""
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
        """Another program runs, or the same one anew."""
        assert execution is not None
        self.execution, self.book = execution, self._book(execution)
        self.points.arm(self.book)
        self._again = False

    def _stops(self, execution: Execution) -> bool:
        """Tell whether to stop before the present statement; notes why."""
        assert self.book is not None and self.before is not None
        hit = self.points.hit(self.before, execution)
        if hit is not None:
            self.reason, self.text = Reason.BREAKPOINT, hit
            return True
        if self._pace is Pace.RUN or self.before not in self.book.lines:
            return False
        if self._pace is not Pace.STEP:
            level = self._depth - (self._pace is Pace.OUT)
            if depth(execution) > level:
                return False
        self.reason, self.text = Reason.STEP, ""
        return True

    # -- what its user calls --------------------------------------------------------------

    def stand(self, halt: Halt) -> None:
        """Put the console before the statement where it stopped; its time has not passed."""
        execution = self.execution
        assert execution is not None and self.spot is not None
        execution.rt.clock.cycles -= uncharged(execution.compiler, halt)
        execution.next_block = execution.active.block(self.spot, careful=execution.careful)

    def go(self, pace: Pace) -> None:
        """Let the console go on as far as `pace` says, when it works next."""
        self._pace = pace
        if self.execution is not None:
            self._depth = depth(self.execution)
        self._again, self.spot = self.spot is not None, None
