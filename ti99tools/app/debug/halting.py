"""One console stopped before statements by its caller, who also lets it work.

Unlike a `Timeline` this does not block: to stop, it raises an exception through the call that lets
the console work, and the next such call goes on from there. For the way back its caller makes a new
console, lets it take this one's place (`begin`), and gives it what the other one got.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.app.debug.sources import StatementLines
from ti99tools.app.debug.stoprule import NewRun, Position, Ruled, StopRule
from ti99tools.app.debug.stops import Backward, Reach, StopPlace
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.locating import uncharged


class Halt(BaseException):
    """Raised to stop the program before the statement that was about to begin."""


class Halting(Ruled):
    """Stops one console before statements; `step` is to be the console's stepper.

    `book` gives the statements of a running program. With `at_start` the program stops before its
    first statement.
    """

    def __init__(self, book: Callable[[Execution], StatementLines], at_start: bool = False) -> None:
        super().__init__(StopRule(book, at_start))
        self.stop: StopPlace | None = None
        """Why the program stands before a statement; None while it runs."""
        self.again = False
        """Set where the way back needs another new console."""
        self.wait_at = 0
        """The number of a statement before which the console is to stop for its caller, who says
        with `decide` whether it stays there; 0: none.
        """
        self._standing = False

    @property
    def standing_at(self) -> int:
        """The number of the statement before which the console is; 0 in the midst of one."""
        return self.rule.count if self._standing else 0

    # -- what the console calls -----------------------------------------------------------

    def step(self, line: int, at: int, _spent: int = 0) -> None:
        """Called by the console when a statement begins. Raises Halt."""
        execution, standing = self.console.execution, self._standing
        self._standing = False
        if standing and execution is self.rule.execution:
            return
        self.rule.begins((line, at), execution)
        if self.rule.count == self.wait_at or self.decide():
            raise Halt

    # -- what its user calls --------------------------------------------------------------

    def decide(self) -> bool:
        """Tell whether the program stops before the statement that is about to begin."""
        decision = self.rule.decide()
        self.again = isinstance(decision, NewRun)
        self.stop = None if isinstance(decision, NewRun) else decision
        return decision is not None

    def stand(self, halt: Halt) -> None:
        """Put the console before the statement where it stopped; its time has not passed."""
        execution, spot = self.rule.execution, self.rule.spot
        assert execution is not None
        assert spot is not None
        execution.rt.clock.cycles -= uncharged(execution.compiler, halt)
        execution.next_block = execution.active.block(spot, careful=execution.careful)
        self._standing = True

    def go(self, pace: Reach) -> None:
        """Set how far the console goes when it works next."""
        self.rule.forward(pace)
        self.stop = None

    def back(self, pace: Reach) -> str:
        """Set out for an earlier statement, which a new console is to reach; or say why not."""
        if self.stop is None and not self._standing:
            self.rule.end()
        return self.rule.backward(Backward(pace))

    def begin(self, console: AnyConsole, at: Position | None = None) -> None:
        """Stop another console from now on: just switched on, or copied from another one's run."""
        self.console, self.stop, self.again, self.wait_at = console, None, False, 0
        self._standing = False
        self.rule.begin(at)
