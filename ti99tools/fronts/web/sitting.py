"""One run of a program in the page: its engine, its place, and its variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ti99tools.app.debug.debugging import book_of
from ti99tools.app.debug.halting import Halting
from ti99tools.app.debug.points import Breakpoint, Pace
from ti99tools.app.debug.sources import Book, Line
from ti99tools.app.debug.view import View
from ti99tools.app.run import Headless
from ti99tools.app.target import Target
from ti99tools.computer.console.evaluating import shown
from ti99tools.computer.console.player import Player
from ti99tools.computer.console.session import Console
from ti99tools.computer.console.variables import values_of
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.fronts.web.engine import Engine
from ti99tools.media.disk.image import DiskImage

PACES = {"run": Pace.RUN, "step": Pace.STEP, "over": Pace.OVER, "out": Pace.OUT}
MOST_ELEMENTS = 64
"""Elements of an array that are shown."""


class Sitting:
    """A target on a console; None: an empty console.

    With `debug` its program can be stopped before each statement.
    """

    def __init__(
        self, target: Target | None, images: Mapping[str, DiskImage], debug: bool = False
    ) -> None:
        self._target = target
        self._book: Book | None = None
        halting = Halting(self._book_for) if debug else None
        console = Console(images, step=None if halting is None else halting.step)
        if halting is not None:
            halting.console = console
        self.console = console
        self.engine = Engine(console, halting)
        self._headless: Headless | None = None
        if target is not None:
            player = Player(console, console.max_seconds)
            self._headless = Headless(target, console, player, dict(images))

    def start(self) -> None:
        """Start the program or the disk; an empty console starts the disk in DSK1."""
        if self._target is None:
            self.console.boot()
        else:
            self._target.start(self.console)

    def _book_for(self, execution: Execution) -> Book:
        """The statements of the program that runs: the target's, or of one beside it."""
        listing, main = execution.listing, self._main
        if main is not None:
            own = main.listing
            if (own.numbers, own.tokens) == (listing.numbers, listing.tokens):
                return main
        return Book(listing, None, "another program", main=False)

    @property
    def _main(self) -> Book | None:
        if self._book is None and self._target is not None:
            self._book = book_of(self._target)
        return self._book

    # -- stops ----------------------------------------------------------------------------

    def break_at(self, rows: Mapping[str, Sequence[int]]) -> None:
        """Stop before these rows of files, and nowhere else."""
        halting = self.engine.halting
        if halting is None:
            return
        points = [Breakpoint(file, row) for file, found in rows.items() for row in found]
        halting.points.breakpoints.clear()
        for file in rows:
            halting.points.replace(file, [point for point in points if point.file == file])
        halting.points.arm(halting.book)

    def go(self, pace: str) -> None:
        """Continue: `run`, `step`, `over` or `out`."""
        if self.engine.halting is not None:
            self.engine.halting.go(PACES[pace])

    # -- what there is to see -------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What the page shows beside the picture."""
        console, engine = self.console, self.engine
        told: dict[str, Any] = {
            "clock": console.clock.seconds,
            "running": console.running,
            "waits": engine.waits,
        }
        if engine.stands:
            told["stop"] = self._stop()
        elif console.error is not None and not console.running:
            told["error"] = self._error()
        return told

    def _stop(self) -> dict[str, Any]:
        halting = self.engine.halting
        assert halting is not None and halting.book is not None and halting.spot is not None
        place = _place(halting.book.line(halting.spot))
        return {**place, "reason": halting.reason.value, "text": halting.text}

    def _error(self) -> dict[str, Any]:
        """The error that ended the program: its meaning, and the row of its statement."""
        error = self.console.error
        assert error is not None
        if self._headless is None:
            return {"text": str(error), "line": error.line}
        place = self._headless.error_place()
        told = {"text": self._headless.error_text(), "line": error.line}
        if place is None or place.line is None or not self._is_targets():
            return told
        return {**told, **_place(Line(place.file or "", place.line))}

    def _is_targets(self) -> bool:
        """Tell whether the program in memory is the target's own."""
        program, source = self.console.program, self._target and self._target.source
        if program is None or not source:
            return False
        return list(program.lines) == source.lines()

    def variables(self) -> dict[str, Any]:
        """The variables where the program is, and how it came there."""
        halting, execution = self.engine.halting, self.console.execution
        if halting is not None and halting.spot is not None:
            view = View(halting)
            stack = [
                {**_place(level.line), "name": level.name, "number": level.number}
                for level in view.stack
            ]
            values, base = view.variables(), view.base()
        elif execution is not None:
            stack, base = [], execution.compiler.scan.base
            values = values_of(execution.active, execution.scope)
        else:
            return {"stack": [], "values": []}
        rows = [{"name": n, "value": _shown(v, base)} for n, v in sorted(values.items())]
        return {"stack": stack, "values": rows}


def _place(line: Line) -> dict[str, Any]:
    return {"file": Path(line.file).name, "row": line.number}


def _shown(value: object, base: int) -> str:
    """A value as text; an array as its elements from its lowest subscript on."""
    if not isinstance(value, list):
        return shown(value)
    parts = [_shown(each, base) for each in value[:MOST_ELEMENTS]]
    more = ", …" if len(value) > MOST_ELEMENTS else ""
    return f"({base}) [{', '.join(parts)}{more}]" if base else f"[{', '.join(parts)}{more}]"
