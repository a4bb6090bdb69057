"""The debugger of the page: where a run of the page stops, what it shows there, and the way back.

Going back is a new run on a new console, which is given what the other one got. It works in slices,
as the page's runs do, so that the page can show how far it is, and end it. It begins at a copy of a
console at rest on its way, not at power-on. The farther back, the fewer there are, so that their
number grows only with the logarithm of the time. Each takes memory as a console does, 1 or 2 MB
with a disk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ti99tools.app.debug.halting import Halting
from ti99tools.app.debug.inspection import View
from ti99tools.app.debug.sources import FileLine, StatementLines
from ti99tools.app.debug.stoprule import Position
from ti99tools.app.debug.stops import Breakpoint, Breakpoints, Reach, StopReason, Watch
from ti99tools.base.errors import TIError
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.copying import Copier
from ti99tools.computer.console.evaluating import value_text
from ti99tools.fronts.web.recording import Input, Moment

if TYPE_CHECKING:
    from ti99tools.fronts.web.page_run import PageRun

PACES = {"run": Reach.RUN, "step": Reach.STEP, "over": Reach.OVER, "out": Reach.OUT}
MOST_ELEMENTS = 64
"""The most elements of an array that are shown."""
MOST_WATCHES = 50
"""The most watches: each takes time before every statement."""

Point = int | tuple[int, str]
"""The row of a breakpoint, or with its condition."""


class PageDebugger:
    """The stops of one run."""

    def __init__(self, run: PageRun, at_start: bool) -> None:
        self.halting = Halting(run.book_for, at_start)
        self.waypoints = RunCopies()
        self._run = run
        self._end = 0
        """The cycle from which the program goes back: a new run comes to a stop there at last."""

    @property
    def _points(self) -> Breakpoints:
        return self.halting.rule.points

    @property
    def shows(self) -> bool:
        """Tell whether the program stands before a statement."""
        return self.halting.stop is not None

    @property
    def _book(self) -> StatementLines | None:
        book = self.halting.rule.book
        return book if book is not None and book.main else self._run.main

    # -- where it stops -------------------------------------------------------------------

    def break_at(self, rows: Mapping[str, Sequence[Point]]) -> list[dict[str, Any]]:
        """Set breakpoints before these rows of files, and remove all others.

        Returns what is wrong with conditions: file, row and text. Such a breakpoint stops, too.
        """
        wrong: list[dict[str, Any]] = []
        self._points.breakpoints.clear()
        for file, wishes in rows.items():
            points = [_breakpoint(file, each) for each in wishes]
            for point in points:
                try:
                    point.settle(self._book)
                except TIError as error:
                    wrong.append({"file": file, "row": point.number, "text": str(error)})
            self._points.replace(file, points)
        self._points.arm(self.halting.rule.book)
        return wrong

    def watch(self, text: str, at: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Watch an expression, in the names of the place where the program stands. Raises TIError.

        `at` is what `watch` returned before, for the same names in another run.
        """
        if len(self._points.watches) >= MOST_WATCHES:
            raise TIError(f"{MOST_WATCHES} values are watched", remedy="remove one first")
        if at is not None:
            line = FileLine(at["file"], at["row"]) if at.get("file") else None
            watch = Watch(text, at["sub"], at["inside"], line)
        else:
            level = next(iter(View(self.halting).stack), None) if self.shows else None
            watch = Watch.at(text, level, self.halting.rule.book)
        self._points.watch(watch)
        return _described(watch)

    def unwatch(self, at: Mapping[str, Any]) -> None:
        """Stop watching, by what `watch` returned."""
        others = [each for each in self._points.watches if _described(each) != dict(at)]
        self._points.watches = others

    def go(self, pace: str) -> None:
        """Continue; `pace` is `run`, `step`, `over` or `out`."""
        self.halting.go(PACES[pace])

    # -- the way back ---------------------------------------------------------------------

    def back(self, pace: str) -> str:
        """Begin to go back; `pace` as in `go`. Returns why that is impossible; else `retrace`."""
        refusal = self.halting.back(PACES[pace])
        if not refusal:
            self._end = self._run.console.clock.cycles
            self._set_out()
        return refusal

    def _set_out(self) -> None:
        """Begin a new run, as near as possible before where it is to stop."""
        inputs = self._run.engine.recording.inputs
        waypoint = self.waypoints.before(self.halting.rule.begin_before, inputs)
        self._run.renew(
            None if waypoint is None else waypoint.copy(*self._shared(waypoint.position))
        )

    def _shared(self, at: Position) -> tuple[object, ...]:
        return self.halting, at.book

    def rest(self) -> None:
        """Between two slices: keep a copy of the console if one is due."""
        halting, engine = self.halting, self._run.engine
        position, recording = halting.rule.position, engine.recording
        if halting.standing_at or not self.waypoints.due(position.count, recording.inputs):
            return
        now = RunCopy(engine.console, position, recording.moment, recording.done)
        with engine.unnoticed():
            self.waypoints.add(now, *self._shared(position))

    def retrace(self, seconds: float) -> float:
        """Work on the way back for `seconds` of the host; returns how much of it is done: to 1."""
        halting, run = self.halting, self._run
        if run.engine.retrace(seconds, self._end):
            if halting.stop is not None:
                return 1.0
            # CLEAR may have stopped this run a statement earlier, so that it never comes there.
            if not halting.again and halting.rule.end() is None:
                halting.back(Reach.STEP)
            self._set_out()
            return 0.5
        share = run.console.clock.cycles / max(1, self._end)
        return min(0.99, share / 2 if halting.rule.searches else share)

    # -- what it shows --------------------------------------------------------------------

    def stop(self) -> dict[str, Any]:
        """Where the program stands, and why."""
        halting = self.halting
        stop, book, spot = halting.stop, halting.rule.book, halting.rule.spot
        assert stop is not None
        assert book is not None
        assert spot is not None
        place = place_of(book.line(spot))
        # In the page breakpoints have places, and no numbers.
        text = re.sub(r"^breakpoint \d+", StopReason.BREAKPOINT.value, stop.text)
        return {**place, "reason": stop.reason.value, "text": text, "count": stop.count}

    def variables(self) -> dict[str, Any]:
        """The stack, the variables of its innermost level, and the values that are watched."""
        view = View(self.halting)
        stack = [
            {**place_of(level.line), "name": level.name, "number": level.number}
            for level in view.stack
        ]
        rows = rows_of(view.variables(), view.base())
        return {"stack": stack, "values": rows, "watches": self.watches(), "stands": True}

    def watches(self) -> list[dict[str, Any]]:
        """What is watched, each with its value, or with the reason why it has none here."""
        return [{"at": _described(each), **self._value(each)} for each in self._points.watches]

    def _value(self, watch: Watch) -> dict[str, str]:
        execution = self.halting.rule.execution
        if execution is None:
            return {"none": "no program runs"}
        try:
            return {"value": value_text(self._points.watched(watch, execution))}
        except TIError as error:
            return {"none": str(error)}

    # -- values ---------------------------------------------------------------------------

    def set(self, name: str, text: str) -> None:
        """Set a variable where the program stands, and whenever it comes here again.

        Raises TIError.
        """
        if not self.shows:
            raise TIError("the program runs", remedy="stop it before a statement first")
        self._run.engine.recording.do("set", name, text)

    def assign(self, name: str, text: str) -> None:
        """Set a variable of the present console. Raises TIError."""
        View(self.halting).assign(name, text)


def _breakpoint(file: str, point: Point) -> Breakpoint:
    if isinstance(point, int):
        return Breakpoint(file, point)
    row, condition = point
    return Breakpoint(file, row, condition=condition.strip())


def _described(watch: Watch) -> dict[str, Any]:
    line = watch.line
    place = {"file": line.file, "row": line.number} if line is not None else {}
    return {"text": watch.text, "sub": watch.sub, "inside": watch.inside, **place}


def place_of(line: FileLine) -> dict[str, Any]:
    """A line of a source as the page names it."""
    return {"file": Path(line.file).name, "row": line.number}


def rows_of(values: Mapping[str, Any], base: int) -> list[dict[str, Any]]:
    """Variables by name with their values as text; `base` is the lowest subscript."""
    return [{"name": name, "value": _shown(value, base)} for name, value in sorted(values.items())]


def _shown(value: object, base: int) -> str:
    """A value as text; an array as its elements from subscript `base` on."""
    if not isinstance(value, list):
        return value_text(value)
    parts = [_shown(each, base) for each in value[:MOST_ELEMENTS]]
    more = ", …" if len(value) > MOST_ELEMENTS else ""
    return f"({base}) [{', '.join(parts)}{more}]" if base else f"[{', '.join(parts)}{more}]"


SPACING = 200_000
"""Statements between two copies: those take a second to run again, a copy a tenth of one."""


@dataclass(frozen=True, slots=True)
class RunCopy:
    """A console in the midst of a run, which nobody lets work, and what had been done to it."""

    console: AnyConsole
    position: Position
    moment: Moment
    inputs: Sequence[Input]

    @property
    def count(self) -> int:
        """The number of the statement that had begun last."""
        return self.position.count

    def fits(self, inputs: Sequence[Input]) -> bool:
        """Tell whether a run that is given these inputs comes to this point."""
        done = len(self.inputs)
        same = len(inputs) >= done and (not done or inputs[done - 1] is self.inputs[-1])
        later = len(inputs) <= done or inputs[done].cycle >= self.console.clock.cycles
        return same and later

    def copy(self, *shared: object) -> RunCopy:
        """The same once more, to let it work; `shared` is not copied."""
        console, position = Copier(shared).copy((self.console, self.position))
        return RunCopy(console, position, self.moment, self.inputs)


class RunCopies:
    """The copies of one run."""

    def __init__(self) -> None:
        self._kept: list[RunCopy] = []
        self._impossible = False

    def __len__(self) -> int:
        """How many there are."""
        return len(self._kept)

    def due(self, count: int, inputs: Sequence[Input]) -> bool:
        """Tell whether a copy at this statement of a run with these inputs is worth its time."""
        if self._kept and self._kept[-1].count > count:
            self._kept = [each for each in self._kept if each.fits(inputs)]
        last = self._kept[-1].count if self._kept else 0
        return count - last >= SPACING and not self._impossible

    def add(self, now: RunCopy, *shared: object) -> None:
        """Keep a copy; `shared` is not copied."""
        try:
            self._kept.append(now.copy(*shared))
        except TypeError:  # a device with an open file of the host: the way back begins at power-on
            self._impossible = True
        self._kept = _thinned(self._kept)

    def before(self, count: int, inputs: Sequence[Input]) -> RunCopy | None:
        """The last one before a statement of a run with these inputs; None: power-on.

        Those to which no run comes any more are forgotten.
        """
        self._kept = [each for each in self._kept if each.fits(inputs)]
        return next((each for each in reversed(self._kept) if each.count < count), None)


def _thinned(copies: Sequence[RunCopy]) -> list[RunCopy]:
    """Those to keep: the distance to the next grows with the distance to the last."""
    last = copies[-1].count if copies else 0
    thinned: list[RunCopy] = []
    for each in reversed(copies):
        if not thinned or thinned[-1].count - each.count >= (last - thinned[-1].count) // 2:
            thinned.append(each)
    return thinned[::-1]
