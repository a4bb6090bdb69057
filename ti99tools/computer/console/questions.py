"""When a program on our console asks for a key: what the rule in `asking` is told of each look.

Two looks are at the same place if their statements and all callers are the same. Besides what is
shown and heard, the program's own counting matters: the FOR loops that are running, and variables
that a decision (IF, ON) depends on, other than those in which CALL KEY and CALL JOYST return what
they found. Counting that decides nothing, as the number of looks so far, does not.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from ti99tools.base import tokens as tk
from ti99tools.computer.console.asking import Look, Loops, Question, shown_memory
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.units import VARIABLE, Listing, StatementPlace
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.locating import spot_now
from ti99tools.computer.interp.run.stack import Activation, CallFrame
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.typist import KeyQuestions
from ti99tools.language.syntax.cursor import Cursor

Calls = tuple[StatementPlace, ...]
"""Where a program looks for a key: the statement, and where its subroutines will return to."""


def calls_now(execution: Execution) -> Calls:
    """Where the program is (called from below a running block)."""
    spot = spot_now(execution.compiler)
    back = (
        frame.place if isinstance(frame, CallFrame) else frame[1]
        for frame in execution.frames
        if isinstance(frame, tuple | CallFrame)
    )
    return (*(() if spot is None else (spot[1],)), *back)


class Questions:
    """Asks the rule for each look of the program that `execution` returns; `others` without one."""

    def __init__(
        self,
        machine: Machine,
        execution: Callable[[], Execution | None],
        others: KeyQuestions,
    ) -> None:
        self._machine = machine
        self._execution = execution
        self._others = others
        self._asked: Execution | None = None
        self._question = Question()
        self._counting: _Counting | None = None

    deaf = False

    def asks(self, half: bool) -> bool:
        """Note a look for a key that finds none; tell whether the program asks for one.

        `half`: it is a look at one half of the keyboard.
        """
        execution = self._execution()
        if execution is None:
            return self._others.asks(half)
        if execution is not self._asked:
            self._asked, self._question = execution, Question()
        return self._question.asks(self._look(execution, half))

    def given(self) -> None:
        """A key was given."""
        self._question.forget()
        self._others.given()

    def _look(self, execution: Execution, half: bool) -> Look:
        machine = self._machine
        machine.sync()
        vdp = machine.vdp
        return Look(
            place=calls_now(execution),
            cycle=machine.clock.cycles,
            sight=(shown_memory(vdp.ram), bytes(vdp.registers), len(machine.sound.written)),
            loops=_loops(execution),
            counted=self._counted(execution),
            half=half,
        )

    def _counted(self, execution: Execution) -> tuple[object, ...]:
        """The values of variables that decisions depend on."""
        active, counting = execution.active, self._counting
        if counting is None or not counting.holds(active):
            counting = self._counting = _Counting(active, _deciding(execution))
        return counting.values()


def _loops(execution: Execution) -> Loops:
    """The FORs that are running, each with the value of its variable."""
    symbols, active = execution.active.scope.symbols, execution.active
    return tuple(
        (frame, active.value(symbols[frame[VARIABLE]]))
        for frame in execution.frames
        if isinstance(frame, list) and frame[VARIABLE] in symbols
    )


class _Counting:
    """The variables of an activation that decisions depend on: a loop looks at them often."""

    def __init__(self, active: Activation, deciding: frozenset[str]) -> None:
        self._active, self._many = active, len(active.scope.symbols)
        symbols = [
            symbol
            for name, symbol in active.scope.symbols.items()
            if name in deciding and not symbol.dimensions and symbol.function is None
        ]
        self._cells = [active.variable(symbol) for symbol in symbols if not symbol.element]
        # Which element a parameter stands for lies in cells, too.
        self._elements = [symbol for symbol in symbols if symbol.element]

    def holds(self, active: Activation) -> bool:
        """Tell whether these are the variables of an activation, to which none was added."""
        return active is self._active and self._many == len(active.scope.symbols)

    def values(self) -> tuple[object, ...]:
        """What they hold now."""
        plain = [cell.cell_contents for cell in self._cells]
        return (*plain, *map(self._active.value, self._elements))


def _deciding(execution: Execution) -> frozenset[str]:
    deciding = _DECIDING.get(execution.compiler)
    if deciding is None:
        deciding = _DECIDING[execution.compiler] = deciding_names(execution.listing)
    return deciding


_DECIDING: WeakKeyDictionary[Compiler, frozenset[str]] = WeakKeyDictionary()
_ENDS = (tk.THEN, tk.GOTO, tk.GOSUB, tk.STATEMENT_SEP)
"""What may end the condition of IF and the number of ON."""


def deciding_names(listing: Listing) -> frozenset[str]:
    """The names of variables in decisions, without those in which keys and sticks are returned."""
    deciding: set[str] = set()
    names: set[str] = set()
    for tokens in listing.tokens:
        cursor = Cursor(tokens)
        while cursor.token:
            if cursor.token in (tk.IF, tk.ON):
                deciding.update(_names_up_to(cursor, _ENDS))
            elif cursor.take(tk.CALL):
                if cursor.token == tk.UNQUOTED and cursor.text() in ("KEY", "JOYST"):
                    _names_up_to(cursor, (tk.COMMA,))
                    names.update(_names_up_to(cursor, (tk.STATEMENT_SEP,)))
            else:
                cursor.step()
    return frozenset(deciding - names)


def loop_names(listing: Listing) -> frozenset[str]:
    """The names of the variables of FOR."""
    names: set[str] = set()
    for tokens in listing.tokens:
        cursor = Cursor(tokens)
        while cursor.token:
            if cursor.take(tk.FOR):
                names.update(_names_up_to(cursor, (tk.EQUAL,)))
            else:
                cursor.step()
    return frozenset(names)


def _names_up_to(cursor: Cursor, ends: tuple[int, ...]) -> list[str]:
    """The names on the way to one of some tokens, or to the end of the line."""
    names = []
    while cursor.token and cursor.token not in ends:
        if cursor.is_name():
            names.append(cursor.name())
        else:
            cursor.step()
    return names
