"""A run that can be stopped before every statement, resumed, and stepped back.

A run depends on nothing but the program, its disks and its keys. Going back is a new run up to an
earlier statement, which takes a fraction of a second for ten minutes of machine time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, Protocol

from ti99tools.app.debug.inspection import View
from ti99tools.app.debug.sources import SourceTexts, StatementLines
from ti99tools.app.debug.stoprule import NewRun, Ruled, StopRule
from ti99tools.app.debug.stops import (
    Backward,
    EndSession,
    Forward,
    GiveKeys,
    Order,
    Reach,
    Restart,
    StopPlace,
    StopReason,
)
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.runtime import Stepper

POLL = 32
"""Statements between two checks for a pause."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run came to its end, or to a wait for keys."""

    reason: StopReason
    text: str


class Play(Protocol):
    """One run of the program from power-on."""

    console: AnyConsole

    def go(self) -> Ended:
        """Start, do the script and type the keys given."""
        ...

    def more(self, keys: str) -> Ended:
        """Type more keys for which the program waits."""
        ...

    def book(self, execution: Execution) -> StatementLines:
        """The statements of the program that runs."""
        ...


class Front(Protocol):
    """A front end, which shows a stopped run and decides what comes next."""

    def stopped(self, stop: StopPlace) -> Order:
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
    """Keys given before statement `count`, or, if `waiting`, when the program waited after it.

    With a `name` not keys, but a value for that variable.
    """

    count: int
    waiting: bool
    text: str
    name: str = ""


class Timeline(Ruled):
    """The runs of one program; the last one is shown."""

    def __init__(self, begin: Callable[[Stepper], Play], front: Front) -> None:
        """`begin` makes a new run, which calls the stepper given before each statement."""
        super().__init__(StopRule(self._book_of))
        self.texts = SourceTexts()
        self.play: Play
        self._begin = begin
        self._front = front
        self._given: list[_Given] = []

    def _book_of(self, execution: Execution) -> StatementLines:
        book = self.play.book(execution)
        for file in book.files() if book.has_source else ():
            self.texts.lines(file)
        return book

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
        self.rule.begin()
        self.play = self._begin(self._step)
        self.console = self.play.console
        ended = self.play.go()
        waits = 0
        while True:
            given = [one for one in self._given if one.waiting]
            if len(given) <= waits:
                if self.rule.end() is not None:
                    raise _Rewind
                self._at_end(ended)
                given = [one for one in self._given if one.waiting]
            ended = self.play.more(given[waits].text)
            waits += 1

    def _at_end(self, ended: Ended) -> None:
        """Handle a run's end or wait for keys; returns once keys were given."""
        count = self.rule.count
        stop = StopPlace(ended.reason, count, ended.text)
        while True:
            order = self._front.stopped(stop)
            if isinstance(order, GiveKeys):
                if ended.reason is StopReason.KEYS:
                    self._give(order.text, waiting=True)
                    self.rule.forward(Reach.RUN)
                    return
                stop = StopPlace(ended.reason, count, "no keys are asked for: the run is over")
            elif isinstance(order, Forward):
                text = "give it one" if ended.reason is StopReason.KEYS else ""
                stop = StopPlace(ended.reason, count, text or "the run is over: go back")
            else:
                stop = StopPlace(ended.reason, count, self._turn(order))

    # -- statements -----------------------------------------------------------------------

    def _step(self, line: int, at: int, _spent: int = 0) -> None:
        """Called by the console when a statement begins."""
        rule = self.rule
        rule.begins((line, at), self.console.execution)
        if self._given:
            self._give_again()
        stop = rule.decide()
        if isinstance(stop, NewRun):
            raise _Rewind
        if stop is not None:
            self._stand(stop)
        elif not rule.count % POLL and not rule.goal and self._front.pause_wanted():
            self._stand(StopPlace(StopReason.PAUSE, rule.count))

    def _stand(self, stop: StopPlace) -> None:
        """Stop before the present statement; returns when the run continues."""
        rule = self.rule
        while True:
            order = self._front.stopped(stop)
            if isinstance(order, Forward):
                rule.forward(order.pace)
                return
            if isinstance(order, GiveKeys):
                self._give(order.text, waiting=False)
                self.console.machine.keyboard.type(order.text)
                stop = StopPlace(StopReason.TYPED, rule.count)
            else:
                stop = StopPlace(stop.reason, rule.count, self._turn(order))

    def _turn(self, order: Backward | Restart | EndSession) -> str:
        """Leave, or go back; returns a message if that is impossible."""
        if isinstance(order, EndSession):
            raise _Over
        if refusal := self.rule.backward(order):
            return refusal
        raise _Rewind

    # -- keys and values ------------------------------------------------------------------

    def set(self, name: str, text: str) -> None:
        """Set a variable here, and again whenever the run comes here. Raises TIError."""
        View(self).assign(name, text)
        self._give(text, waiting=False, name=name)

    def _give(self, text: str, waiting: bool, name: str = "") -> None:
        """Note something given; forget what was given later, before the run was stepped back."""
        now = self.rule.count, waiting
        self._given = [one for one in self._given if (one.count, one.waiting) <= now]
        self._given.append(_Given(self.rule.count, waiting, text, name))

    def _give_again(self) -> None:
        """Give what an earlier run got before this statement."""
        for one in self._given:
            if one.count != self.rule.count or one.waiting:
                continue
            if one.name:
                View(self).assign(one.name, one.text)
            else:
                self.console.machine.keyboard.type(one.text)
