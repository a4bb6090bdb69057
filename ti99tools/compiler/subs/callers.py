"""The CALLs of a SUB that is compiled: what it gets is a copy, which goes back when it is left.

So two arguments must not lie in one place if the SUB changes one of them: in Extended BASIC it
would change the other, too.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import combinations

from ti99tools.compiler import ir
from ti99tools.compiler.refusing import Refused
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import all_statements
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st


def calls_of(analysis: Analysis, name: str) -> Iterator[tuple[str, ir.Spot, st.Call]]:
    """All CALLs of a SUB, each with the scope that it is in and its place."""
    for number, node in all_statements(analysis.parsed, analysis.tokens):
        if isinstance(node, st.Call) and node.name == name:
            scope = analysis.flow.nodes[analysis.flow.first[number]].scope
            yield scope, (number, node.at), node


def refused_calls(
    analysis: Analysis, scope: Scope, changed: Container[int]
) -> Iterator[tuple[Refused, ir.Spot]]:
    """The CALLs that are refused; `changed` are the numbers of the parameters that the SUB sets."""
    for _, spot, call in calls_of(analysis, scope.name):
        arguments = call.arguments or ()
        if len(arguments) != len(scope.parameters):
            reason = (
                f"CALL {scope.name} passes {len(arguments)} of {len(scope.parameters)} arguments"
            )
            yield Refused(reason, "pass what the SUB takes"), spot
            continue
        for (at, one), (other_at, other) in combinations(enumerate(arguments, 1), 2):
            if (at in changed or other_at in changed) and _meet(one, other):
                reason = f"CALL {scope.name} passes {_name(one)} twice, and the SUB changes it"
                yield Refused(reason, "pass another variable, or a value in parentheses"), spot


def _name(argument: st.Argument) -> str:
    """The variable or array that is passed by reference; empty for a value."""
    match argument:
        case nd.Variable(name=name) | nd.Element(name=name) | st.WholeArray(name=name):
            return name
    return ""


def _meet(one: st.Argument, other: st.Argument) -> bool:
    """Tell whether two arguments may lie in one place."""
    if not _name(one) or _name(one) != _name(other):
        return False
    if isinstance(one, nd.Variable) or isinstance(other, nd.Variable):
        return isinstance(one, nd.Variable) and isinstance(other, nd.Variable)
    if isinstance(one, nd.Element) and isinstance(other, nd.Element):
        pairs = zip(one.subscripts, other.subscripts, strict=False)
        return not any(
            isinstance(a, nd.Number) and isinstance(b, nd.Number) and a != b for a, b in pairs
        )
    return True
