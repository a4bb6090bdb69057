"""The variables that a line names, with what they hold now."""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.console.evaluating import Evaluator, Value, shown
from ti99tools.interp.compile.blocks import Place
from ti99tools.interp.run.execution import Execution
from ti99tools.source.syntax.nodes import Element, Variable
from ti99tools.source.syntax.walk import every_statement, parts


def mentioned(
    execution: Execution, place: Place, written: Callable[[int, int], object]
) -> dict[str, Value]:
    """Name → value, those of the statement at a place first, then those of the rest of its line.

    `written` tells of a line number and an offset which line of the source that is. Of an array
    the elements that are named: `A(2)`. What cannot be evaluated is left out.
    """
    line, at = place
    if line >= len(execution.listing):
        return {}
    number = execution.listing.numbers[line]
    here = written(number, at)
    every = every_statement(execution.listing.statements(line))
    whole = [statement for statement in every if written(number, statement.at) == here]
    evaluator = Evaluator(execution)
    found: dict[str, Value] = {}
    for statement in (*execution.listing.statements(line, at)[:1], *whole):
        for node in parts(statement):
            if isinstance(node, Variable | Element):
                found.update(_held(evaluator, node))
    return found


def _held(evaluator: Evaluator, node: Variable | Element) -> dict[str, Value]:
    """What a variable or element holds; nothing for functions and where an error comes of it."""
    symbol = evaluator.symbols.get(node.name)
    if symbol is None or symbol.function is not None:
        return {}
    try:
        name = node.name
        if isinstance(node, Element):
            subscripts = (shown(evaluator.quietly(part)) for part in node.subscripts)
            name = f"{name}({','.join(subscripts)})"
        return {name: evaluator.quietly(node)}
    except (TIError, XBError):
        return {}
