"""What the parts of statements take in Extended BASIC, for programs that take all of its time.

As the interpreter does it: most statements take their time before they do anything, an item of
PRINT when it has been evaluated, an argument of a subprogram for sprites when it is taken. What
depends on values is taken by the runtime where it knows them (`IF TAKE` in its files), else here
with usual values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ti99tools.base import tokens as tk
from ti99tools.base.cycles import console as cc
from ti99tools.base.cycles import language as cy
from ti99tools.compiler.basictime import BasicTimes, at_once, of_arguments, usual
from ti99tools.compiler.ir import Spot
from ti99tools.compiler.taking import Span
from ti99tools.computer.interp.compile.emit.calls import each_argument
from ti99tools.computer.interp.compile.emit.screen_statements import ON_SCREEN
from ti99tools.computer.interp.compile.shut import (
    ONE_BY_ONE,
    SERIES,
    Piece,
    heavy,
    of_statement,
    pieces,
)
from ti99tools.computer.interp.compile.timing import Timing, scanning, text_length
from ti99tools.computer.interp.run.arithmetic import divide
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.program.program import Program
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import expressions_in
from ti99tools.media.disk.geometry import SECTOR

_AT_RUN_TIME = frozenset({"HCHAR", "VCHAR"})
"""Subprograms whose work is timed when it is done, as is that of a SOUND that stops another."""


_OF_LENGTH = frozenset({tk.STR, tk.SEG, tk.RPT, tk.POS})
"""Functions whose time depends on characters that the runtime counts."""


class Sum(NamedTuple):
    """The variables of a sum or product (empty: no variable), and the cycles that a 0 saves."""

    left: str
    right: str
    saved_by_left: int
    saved_by_right: int
    saved_by_both: int


class WholeTimes:
    """What the parts of the statements of a program take."""

    def __init__(self, times: BasicTimes) -> None:
        self._times = times

    def begin(self, scope: Scope, spot: Spot, node: st.Statement) -> list[Span]:
        """What a statement takes before it does anything, in order."""
        timing = self._times.timing(scope)
        before = self._times.after(timing, spot[0], node)
        before += self._times.functions(scope, timing, node)
        before += 2 * cy.DEF_COLLECTS * timing.functions_in(node)
        found = _spans(timing.statement(node), of_statement(timing, node))
        own: Sequence[nd.Expression] = ()
        more = 0
        match node:
            case st.Call(name=name) if name in SUBPROGRAMS and not timing.is_own(name):
                if name not in ONE_BY_ONE:
                    own = expressions_in(node)
                    more = of_arguments(node) if name not in _AT_RUN_TIME else 0
                    if name == "SOUND":
                        more -= at_once(node.arguments or ())
            case st.Print(file=None, using=None) | st.Display(using=None):
                pass
            case st.Print(file=None) | st.Display():
                own, more = expressions_in(node), self._times.shown(timing, node)
            case _:
                own, more = expressions_in(node), self._times.more(timing, node)
        return [Span(before), *_with_varying(found, own), Span(more)]

    def item(self, scope: Scope, node: nd.Expression) -> list[Span]:
        """What an item of PRINT or DISPLAY takes until it is shown."""
        timing = self._times.timing(scope)
        found = _spans(timing.expression(node), pieces(timing, [node]))
        shown = ON_SCREEN.number + ON_SCREEN.number_constant * isinstance(node, nd.Number)
        if node.is_string:
            shown = ON_SCREEN.text + ON_SCREEN.character * text_length(node)
            if not isinstance(node, nd.Variable | nd.Element):
                shown += ON_SCREEN.new_string
        return [*_with_varying(found, (node,)), Span(shown)]

    def evaluated(self, scope: Scope, node: nd.Expression) -> list[Span]:
        """What it takes to evaluate an expression in a list of PRINT or DISPLAY."""
        timing = self._times.timing(scope)
        return [*_with_varying(_spans(timing.expression(node), pieces(timing, [node])), (node,))]

    def arguments(self, scope: Scope, node: st.Call) -> Sequence[int]:
        """Cycles of each argument of a subprogram that takes them one by one."""
        if node.name not in ONE_BY_ONE:
            return ()
        each = each_argument(self._times.timing(scope), node)
        words = (isinstance(one, st.All) for one in node.arguments or ())
        return [0 if word else cycles for cycles, word in zip(each, words, strict=True)]

    def after_call(self, scope: Scope, node: st.Call) -> int:
        """Cycles of a built-in subprogram when its work is done."""
        record = SUBPROGRAMS.get(node.name)
        if record is None or record.prepares or self._times.timing(scope).is_own(node.name):
            return 0
        return cy.BUILT_IN.get(node.name, cy.BUILT_IN_LATER)

    def sums(self, scope: Scope, node: st.Statement) -> Iterator[Sum]:
        """The sums and products of variables in a statement, which a 0 makes quicker."""
        timing = self._times.timing(scope)
        for part in st.parts(node):
            if isinstance(part, nd.Binary) and part.operator in _SAVED:
                left, right = (_variable(timing, side) for side in (part.left, part.right))
                if left or right:
                    yield Sum(left, right, *_SAVED[part.operator])


def _variable(timing: Timing, node: nd.Expression) -> str:
    """The name of a variable; empty for anything else."""
    plain = isinstance(node, nd.Variable) and not timing.is_function(node.name)
    return node.name if plain and isinstance(node, nd.Variable) else ""


_SAVED = {
    tk.PLUS: (cy.NOTHING_ADDED_TO, cy.NOTHING_ADDED, cy.NOTHINGS_ADDED),
    tk.MINUS: (cy.NOTHING_ADDED_TO, cy.NOTHING_ADDED, cy.NOTHINGS_ADDED),
    tk.MULTIPLY: (cy.NOTHING_MULTIPLIED, cy.NOTHING_MULTIPLIED, cy.NOTHING_MULTIPLIED),
}
"""Operator → what it saves if its left operand alone is 0, if its right one is, if both are."""


def _spans(cycles: int, shut: Iterable[Piece]) -> list[Span]:
    """Cycles with shut pieces, each given by the cycles from its begin to the end of all."""
    found: list[Span] = []
    left = cycles
    for until_end, length in shut:
        found += [Span(left - until_end), Span(length, True)]
        left = until_end - length
    return [*found, Span(left)]


def _with_varying(spans: Sequence[Span], expressions: Sequence[nd.Expression]) -> Iterator[Span]:
    """Spans with what parts of expressions take for usual values, in shut time if it is long."""
    more = sum(map(_varying, expressions))
    long = any(map(heavy, expressions))
    at = next((n for n, span in enumerate(spans) if span.shut), None) if long else None
    for n, span in enumerate(spans):
        yield Span(span.cycles + more, True) if n == at else span
    if at is None:
        yield Span(more)


def _varying(node: nd.Expression) -> int:
    """What an expression takes beyond its static costs, and beyond what the runtime takes."""
    return _own(node) + sum(map(_varying, nd.operands(node)))


def _own(node: nd.Expression) -> int:
    match node:
        case nd.Function(token=token) if token in SERIES or token in _OF_LENGTH:
            return 0
        case nd.Binary(operator=tk.CONCAT):
            return 0
        case nd.Binary(operator=tk.POWER, left=left, right=right):
            return cy.POWER_2 * (right == nd.Number("2") and _is_plain(left))
        case nd.Binary(operator=tk.DIVIDE, left=nd.Number() as left, right=nd.Number() as right):
            clock = Clock()
            divide(clock, parse_number(left.text), parse_number(right.text))
            return clock.cycles
    return usual(node)


def _is_plain(node: nd.Expression) -> bool:
    """Tell whether the square of a number becomes a product: `lower.expressions`."""
    plain = isinstance(node, nd.Variable | nd.Number | nd.Group) or (
        isinstance(node, nd.Unary | nd.Binary) and node.operator in (tk.PLUS, tk.MINUS)
    )
    return plain and all(map(_is_plain, nd.operands(node)))


def first_statement(program: Program) -> int:
    """The cycle since power-on at which the first statement begins if DSK1.LOAD is the program."""
    analysis, data = program.analysis, program.saved().content
    loaded = cc.LOADED + cc.LOADED_LINE * len(analysis.lines)
    if isinstance(data, bytes):
        sectors, rest = divmod(len(data), SECTOR)
        loaded += cc.LOADED_BYTE * len(data)
        loaded += cc.LOADED_SECTOR * (sectors + bool(rest)) + cc.LOADED_REST * rest
    else:
        each = cc.LOADED_BYTE + cc.DISK_READ_BYTE
        loaded += cc.DISK_OPENED + cc.DISK_CLOSED
        loaded += sum(cc.DISK_READ + each * len(record) for record in data)
    return cc.BOOT_CYCLES + loaded + scanning(analysis.scan.work)


def phase(program: Program) -> int:
    """Cycles from the last interrupt to the first statement of a program."""
    return (first_statement(program) + cc.FRAME_LEFT) % FRAME
