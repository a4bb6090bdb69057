"""A stopped program: its stack, its variables, its screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ti99tools.app.debug.sources import Level
from ti99tools.app.debug.stoprule import Ruled
from ti99tools.base.errors import TIError
from ti99tools.computer.console.variables import Variables, values_of
from ti99tools.computer.interp.compile.units import StatementPlace
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.stack import Activation, CallFrame
from ti99tools.computer.numbers.radix import Value
from ti99tools.hardware.render.textpicture import text
from ti99tools.language.listing.sourcemap import Routine, SourceNames


class View:
    """A view of a stopped run."""

    def __init__(self, timeline: Ruled) -> None:
        self._timeline, self._rule = timeline, timeline.rule

    @property
    def stack(self) -> list[Level]:
        """The levels from the present statement outwards; empty when no program runs."""
        execution, spot = self._rule.execution, self._rule.spot or self._rule.before
        if execution is None or spot is None:
            return []
        levels: list[Level] = []
        activation = execution.active
        for frame in reversed(execution.frames):
            if isinstance(frame, CallFrame):
                levels.append(self._level(spot, activation, f"SUB {activation.scope.name}"))
                spot = self._caller(frame.place)
                activation = frame.caller
            elif isinstance(frame, tuple):
                caller = self._caller(frame[1])
                levels.append(self._level(spot, activation, self._routine(spot, caller)))
                spot = caller
        name = activation.scope.name
        levels.append(self._level(spot, activation, f"SUB {name}" if name else "program"))
        return levels

    def _caller(self, back: StatementPlace) -> StatementPlace:
        book = self._rule.book
        return back if book is None else book.caller(back)

    def _routine(self, spot: StatementPlace, caller: StatementPlace) -> str:
        """The name of a GOSUB's level: the PROC of `spot`, unless `caller` is inside it too."""
        book = self._rule.book
        assert book is not None
        proc = book.proc(book.line(spot))
        if proc is None or proc is book.proc(book.line(caller)):
            return "GOSUB"
        return f"PROC {proc.name}"

    def _level(self, spot: StatementPlace, activation: Activation, name: str) -> Level:
        book = self._rule.book
        assert book is not None
        spot = min(spot[0], len(book.listing) - 1), spot[1]
        number, line = book.listing.numbers[spot[0]], book.line(spot)
        return Level(name, line, book.column(spot), number, book.position(spot), activation)

    def variables(self, level: int = 0) -> dict[str, Any]:
        """The variables at a level by name; arrays as lists under `A()`.

        Those of a PROC that is not at this level are `PROC.NAME`.
        """
        execution, stack = self._rule.execution, self.stack
        if execution is None or level >= len(stack):
            return {}
        activation = stack[level].activation
        scope = execution.scope if activation is execution.active else activation.scope
        return values_of(activation, scope, self._meaning(level).written(scope.symbols))

    def proc(self, level: int) -> Routine | None:
        """The PROC that a level is in."""
        return self._meaning(level).here

    def _meaning(self, level: int) -> SourceNames:
        book, at = self._rule.book, self.stack[level]
        assert book is not None
        return book.meaning(at.activation.scope.name, at.line)

    def base(self) -> int:
        """The lowest subscript: 0, or 1 with OPTION BASE 1."""
        execution = self._rule.execution
        return 0 if execution is None else execution.compiler.scan.base

    def value(self, expression: str, level: int = 0) -> Value:
        """The value of an expression at a level. Raises TIError."""
        execution, stack = self._rule.execution, self.stack
        if execution is None or level >= len(stack):
            raise TIError("no program runs", remedy="go back, or restart")
        assert self._rule.book is not None
        at = stack[level]
        return self._rule.book.evaluator(execution, at.activation, at.line).value(expression)

    def assign(self, name: str, text: str) -> None:
        """Set a variable or an element to the value of an expression, as if the program did it.

        The names are those of the innermost level. Of variables that share one name in the
        program, as in `A/B`, all get it. Raises TIError.
        """
        execution, value = self._standing_execution(), self.value(text)
        name = name.strip().upper().partition("/")[0]
        Variables(execution, names=self._meaning(0))[name] = value

    def _standing_execution(self) -> Execution:
        execution = self._rule.execution
        if execution is None or not self.stack or self._rule.spot is None:
            raise TIError("no program stands here", remedy="stop before a statement first")
        return execution

    def screen(self) -> list[str]:
        """The 24 rows of the screen as they appear."""
        return text(self._timeline.console.machine.picture().vdp()).split("\n")

    @property
    def seconds(self) -> float:
        """Machine time since power-on; it may be a few statements ahead."""
        return self._timeline.console.clock.seconds

    def elements(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Variables with arrays taken apart: `A(0)`, `A(1)`, …"""
        parts: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, list):
                self._take_apart(name[:-1], value, parts)
            else:
                parts[name] = value
        return parts

    def _take_apart(self, name: str, values: list[Any], parts: dict[str, Any]) -> None:
        for subscript, value in enumerate(values, self.base()):
            if isinstance(value, list):
                self._take_apart(f"{name}{subscript},", value, parts)
            else:
                parts[f"{name}{subscript})"] = value
