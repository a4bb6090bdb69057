"""Where a run is to stop: breakpoints with their conditions, watched variables, steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ti99tools.app.debug.sources import FileLine, Level, StatementLines
from ti99tools.base.errors import TIError
from ti99tools.computer.console.evaluating import Evaluator, check, value_text
from ti99tools.computer.interp.compile.units import StatementPlace
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.stack import Activation
from ti99tools.computer.numbers.radix import Value


class StopReason(Enum):
    """Why a run stopped."""

    START = "the program begins"
    STEP = "a step is done"
    BREAKPOINT = "a breakpoint"
    WATCH = "a watched value changes"
    PAUSE = "a pause was asked for"
    TYPED = "the keys are queued"
    KEYS = "the program waits for a key"
    ERROR = "the program stopped with an error"
    ENDED = "the program ended"
    OVER = "the run is over"


@dataclass(frozen=True, slots=True)
class StopPlace:
    """A run that stands before its statement number `count`, or at its end; `text` tells more."""

    reason: StopReason
    count: int
    text: str = ""

    @property
    def finished(self) -> bool:
        """Tell whether no statement follows now; a program that waits may still get keys."""
        return self.reason in (StopReason.KEYS, StopReason.ERROR, StopReason.ENDED, StopReason.OVER)


class Reach(Enum):
    """How far a run goes on."""

    STEP = "to the next statement"
    OVER = "to the next statement here: subroutines and SUBs run as a whole"
    OUT = "until the subroutine or SUB is left"
    RUN = "to the next breakpoint"


@dataclass(frozen=True, slots=True)
class Forward:
    """Go on, by one step, to the end of a SUB, or to the next stop: `pace` says how far."""

    pace: Reach


@dataclass(frozen=True, slots=True)
class Backward:
    """Go back; RUN: to the previous breakpoint, or else to the beginning."""

    pace: Reach


@dataclass(frozen=True, slots=True)
class Restart:
    """Go back to the beginning."""


@dataclass(frozen=True, slots=True)
class GiveKeys:
    """Give keys (a newline is ENTER) and go on."""

    text: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """End the session; the program does not go on."""


Order = Forward | Backward | Restart | GiveKeys | EndSession


@dataclass(slots=True)
class Breakpoint:
    """A stop before a line of a source (`file` empty: the main one), or before a numbered line.

    `line` is where the breakpoint is, None while the program is not known. `condition` is an
    expression; empty: always stop.
    """

    file: str
    number: int
    numbered: bool = False
    condition: str = ""
    line: FileLine | None = None
    key: int = 0

    def place(self, book: StatementLines) -> None:
        """Find the line. Raises TIError."""
        if self.numbered:
            self.line = book.numbered(self.number)
        else:
            self.line = book.nearest(self.file, self.number)

    def settle(self, book: StatementLines | None) -> None:
        """Find the line, and check the condition there. Raises TIError.

        Without a program both come later, and mistakes are reported at the first stop.
        """
        if book is None:
            return
        self.place(book)
        if self.condition:
            check(self.condition, book.meaning("", self.line))

    def __str__(self) -> str:
        place = str(self.line or f"{self.file or 'line'} {self.number}")
        return f"{self.key}: {place}" + (f" if {self.condition}" if self.condition else "")


@dataclass(frozen=True, slots=True)
class Watch:
    """A watched expression; its names mean what they do at `line`, or in the SUB `sub`.

    `inside` names that SUB or PROC for people: `SUB SHOW`, `PROC FALL`; empty: the main program.
    """

    text: str
    sub: str = ""
    inside: str = ""
    line: FileLine | None = field(default=None, compare=False)

    @classmethod
    def at(cls, text: str, level: Level | None, book: StatementLines | None) -> Watch:
        """An expression with the names of a stack level. Raises TIError."""
        if level is None or book is None:
            check(text)
            return cls(text)
        sub = level.activation.scope.name
        names = book.meaning(sub, level.line)
        check(text, names)
        if sub:
            return cls(text, sub, f"SUB {sub}")
        inside = "" if names.here is None else f"PROC {names.here.name}"
        return cls(text, "", inside, level.line)

    def __str__(self) -> str:
        return f"{self.text} ({self.inside})" if self.inside else self.text


@dataclass(slots=True)
class Breakpoints:
    """All breakpoints and watches, armed for the running program."""

    breakpoints: list[Breakpoint] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    armed: Mapping[StatementPlace, Sequence[Breakpoint]] = field(default_factory=dict)
    """Statement → the breakpoints before it."""
    _book: StatementLines | None = None
    _last: dict[Watch, Value] = field(default_factory=dict)
    _key: int = 0

    def add(self, point: Breakpoint, book: StatementLines | None) -> Breakpoint:
        """Add a breakpoint, placed in a program if one is known. Raises TIError."""
        point.settle(book)
        for other in self.breakpoints:
            if point.line is not None and other.line == point.line:
                other.condition = point.condition
                return other
        self._key += 1
        point.key = self._key
        self.breakpoints.append(point)
        self.arm(self._book)
        return point

    def remove(self, key: int) -> None:
        """Remove a breakpoint by its number. Raises TIError."""
        point = next((one for one in self.breakpoints if one.key == key), None)
        if point is None:
            known = ", ".join(str(one.key) for one in self.breakpoints)
            remedy = f"there are {known}" if known else "there is none"
            raise TIError(f"no breakpoint {key}", remedy=remedy)
        self.breakpoints.remove(point)
        self.arm(self._book)

    def replace(self, file: str, points: Sequence[Breakpoint]) -> None:
        """Replace all breakpoints of a file."""
        others = [one for one in self.breakpoints if one.numbered or one.file != file]
        self.breakpoints = [*others, *points]
        for point in points:
            self._key += 1
            point.key = self._key
        self.arm(self._book)

    def arm(self, book: StatementLines | None) -> None:
        """Place the breakpoints in a program and watch for them; None: in no program."""
        self._book = book
        armed: dict[StatementPlace, list[Breakpoint]] = {}
        for point in self.breakpoints if book is not None else ():
            assert book is not None
            if point.line is None:
                try:
                    point.place(book)
                except TIError:
                    continue
            for spot in book.entries.get(point.line, ()) if point.line is not None else ():
                armed.setdefault(spot, []).append(point)
        self.armed = armed

    def hit(self, spot: StatementPlace, execution: Execution) -> str | None:
        """The message of the breakpoint before a statement; None if the run does not stop."""
        for point in self.armed.get(spot, ()):
            if not point.condition:
                return f"breakpoint {point.key}"
            try:
                value = self._evaluator(execution, None, point.line).value(point.condition)
            except TIError as error:
                return f"breakpoint {point.key}, whose condition fails: {error}"
            if value not in (0, ""):
                return f"breakpoint {point.key}, {point.condition}"
        return None

    # -- watches --------------------------------------------------------------------------

    def watch(self, watch: Watch) -> None:
        """Stop when the value of an expression changes; a second watch of the same adds nothing."""
        if watch not in self.watches:
            self.watches.append(watch)

    def watched(self, watch: Watch, execution: Execution) -> Value:
        """The value of a watched expression. Raises TIError where its SUB is not running."""
        text, sub = watch.text, watch.sub
        if not sub:
            return self._evaluator(execution, execution.main, watch.line).value(text)
        if execution.active.scope.name != sub:
            raise TIError(f"SUB {sub} is not running")
        return self._evaluator(execution, None, None).value(text)

    def _evaluator(
        self, execution: Execution, activation: Activation | None, line: FileLine | None
    ) -> Evaluator:
        if self._book is None:
            return Evaluator(execution, activation)
        return self._book.evaluator(execution, activation, line)

    def unwatch(self, text: str) -> None:
        """Remove the watches of this text. Raises TIError if there are none."""
        others = [watch for watch in self.watches if watch.text != text]
        if len(others) == len(self.watches):
            known = ", ".join(dict.fromkeys(watch.text for watch in self.watches))
            remedy = f"watched are {known}" if known else "nothing is watched"
            raise TIError(f"{text} is not watched", remedy=remedy)
        self.watches = others

    def forget(self) -> None:
        """Forget the last values of the watched expressions."""
        self._last = {}

    def changed(self, execution: Execution) -> str | None:
        """What changed since the last call: `X: 3 to 4`; None if nothing did, or on the first call.

        An expression that has no value where the program stands counts as unchanged.
        """
        changes: list[str] = []
        for watch in self.watches:
            try:
                value = self.watched(watch, execution)
            except TIError:
                continue
            before = self._last.get(watch, value)
            self._last[watch] = value
            if value != before:
                changes.append(f"{watch}: {value_text(before)} to {value_text(value)}")
        return ", ".join(changes) or None
