"""Values that are certainly out of range although they are no constants: `A=20::CALL SCREEN(A)`.

The compiler proves ranges of variables in the same way; whatever it would know, lint tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import inf

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import HIGHEST_INTEGER
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.constants import FAR, constant
from ti99tools.language.analysis.flow import Node
from ti99tools.language.analysis.intervals import BEYOND, Bound, Interval
from ti99tools.language.analysis.names import stored
from ti99tools.language.findings import Failing, Noted, Severity, failing
from ti99tools.language.lint.value_limits import NATURAL, paired
from ti99tools.language.listing.builtins import SUBPROGRAMS, Spans
from ti99tools.language.prescan.symbols import Symbol
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import faults
from ti99tools.language.syntax.statements import parts

CODE = "value"
Wrong = tuple[str, str]
"""Message and remedy."""


def proven(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """Errors of statements in `running` lines that fail whenever control comes to them."""
    if not program.ranges.certain:
        return
    values = _Values(program)
    for at in range(len(program.flow.nodes) - 1, 0, -1):
        node = program.flow.nodes[at]
        if at not in program.ranges.before or node.line not in running:
            continue
        if isinstance(node.statement, _DECLARING) or next(faults(node.statement), None) is not None:
            continue
        for message, remedy in values.wrong(at, node):
            yield Noted(CODE, node.line, node.statement.at, message, remedy, Severity.ERROR)


_DECLARING = (st.Dim, st.Def, st.Sub)


class _Values:
    """The values of a program, as far as its ranges are known."""

    def __init__(self, program: Analysis) -> None:
        self._program = program
        self._at = 0
        self._set = {
            target.name
            for node in program.flow.nodes
            for target in stored(node.statement, program.subs)
        }
        """Names that something sets; of others another rule tells that they are 0."""

    def wrong(self, at: int, node: Node) -> Iterator[Wrong]:
        """What is certainly out of range in the statement of a node."""
        self._at = at
        statement = node.statement
        if isinstance(statement, st.Call) and statement.name in SUBPROGRAMS:
            if statement.name not in self._program.subs:
                yield from self._call(statement)
        elif isinstance(statement, st.OnGo):
            last = len(statement.lines)
            if outside := self._outside(statement.selector, ((1, last),)):
                message = failing(xb.BAD_VALUE, f"ON has {last} lines, and none for {outside}")
                yield message, f"use 1 to {last}"
        for part in parts(statement):
            if isinstance(part, nodes.Function):
                yield from self._function(part)
            elif isinstance(part, nodes.Element):
                yield from self._element(part, node.scope)

    def _outside(self, node: object, allowed: Spans) -> str:
        """A value that certainly lies in none of the ranges; empty for constants and the rest."""
        if not isinstance(node, nodes.Expression) or node.is_string or constant(node) is not None:
            return ""
        if not all(one.name in self._set for one in parts(node) if type(one) is nodes.Variable):
            return ""
        value = self._program.ranges.of(self._at, node)
        if any(value.low <= high and low <= value.high for low, high in allowed):
            return ""
        owner = f", the value of {node.name}" if isinstance(node, nodes.Variable) else ""
        return f"{_span(value)}{owner}"

    def _call(self, call: st.Call) -> Iterator[Wrong]:
        for argument, meant in paired(SUBPROGRAMS[call.name], call.arguments or ()):
            given = argument.number if isinstance(argument, st.Hash) else argument
            outside = (
                self._outside(given, meant.values) if meant.values and not meant.stored else ""
            )
            if outside:
                allowed = " or ".join(f"{low} to {high}" for low, high in meant.values)
                message = f"{call.name} takes no {meant.name} {outside}"
                yield message, f"the console takes {allowed}"

    def _function(self, function: nodes.Function) -> Iterator[Wrong]:
        name = t.KEYWORDS[function.token]
        for token, index, least, what in NATURAL:
            if token == function.token:
                outside = self._outside(function.arguments[index], ((least, HIGHEST_INTEGER),))
                if outside:
                    message = failing(xb.BAD_VALUE, f"{what} of {name} is {outside}")
                    yield message, f"use {least} to {HIGHEST_INTEGER}"
        # LOG of 0 fails, too; but a fraction above 0 counts as a range from 0 on.
        roots = function.token in (t.SQR, t.LOG)
        if roots and (outside := self._outside(function.arguments[0], ((0, BEYOND),))):
            text = f"{name} takes no {outside}: this fails with {xb.TEXTS[xb.BAD_ARGUMENT]}"
            yield Failing(text, xb.BAD_ARGUMENT), "give a positive number"

    def _element(self, element: nodes.Element, scope: str) -> Iterator[Wrong]:
        symbol = self._array(element, scope)
        if symbol is None:
            return
        base = self._program.scan.base
        for subscript, extent in zip(element.subscripts, symbol.extents(base), strict=False):
            last = base + extent - 1
            if outside := self._outside(subscript, ((base, last),)):
                fact = f"{element.name} goes from {base} to {last}, not to {outside}"
                remedy = f"DIM {element.name} larger, or correct the subscript"
                yield failing(xb.BAD_SUBSCRIPT, fact), remedy

    def _array(self, element: nodes.Element, scope: str) -> Symbol | None:
        """The array of an element; None for a function, a parameter, or a wrong one."""
        scan = self._program.scan
        own = scan.subs.get(scope) if scope else scan.main
        if own is None or element.name in {one.name for one in own.parameters}:
            return None
        symbol = own.symbols.get(element.name)
        if symbol is None or not symbol.is_array:
            return None
        return symbol if symbol.dimensions == len(element.subscripts) else None


def _span(value: Interval) -> str:
    if value.low == value.high:
        return _number(value.low)
    if value.high == inf:
        return f"{_number(value.low)} or more"
    if value.low == -inf:
        return f"{_number(value.high)} or less"
    return f"{_number(value.low)} to {_number(value.high)}"


def _number(value: Bound) -> str:
    return f"{value}" if abs(value) < FAR else f"{float(value):.0E}".replace("E+", "E")
