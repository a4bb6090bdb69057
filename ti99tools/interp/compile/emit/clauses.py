"""The clauses of DISPLAY and ACCEPT: AT, SIZE, BEEP, ERASE ALL, VALIDATE, in the order written."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.timing import Timing
from ti99tools.interp.io.area import LARGEST_SIZE
from ti99tools.interp.io.printer import WIDTH
from ti99tools.machine.screen import ROWS
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.nodes import Number, Variable

_SIMPLE = {tk.BEEP: "beep", tk.ERASE: "erase"}
_WORDS = {tk.NUMERIC: "numeric", tk.DIGIT: "digit", tk.UALPHA: "ualpha"}
_CYCLES = {
    tk.AT: 41_400, tk.SIZE: 18_440,
    tk.BEEP: 20_000, tk.ERASE: 45_000, tk.VALIDATE: 10_000,
}  # fmt: skip
"""What a clause costs besides its arguments: AT and SIZE measured, the others estimated."""
_NUMBERS = {tk.AT: ("at_row", "at_column"), tk.SIZE: ("sized",)}


def clauses(e: Emitter, nodes: tuple[st.Clause, ...]) -> str:
    """Evaluate and apply clauses one after the other; the name of the `Area` that holds them."""
    area = e.temp()
    e.line(f"{area} = rt.screenio.area()")
    for node in nodes:
        if node.token in _SIMPLE:
            e.line(f"{area}.{_SIMPLE[node.token]}()")
        elif node.token == tk.VALIDATE:
            _validate(e, area, node)
        else:
            _numbers(e, area, node)
    return area


def known_place(e: Emitter, nodes: tuple[st.Clause, ...]) -> str | None:
    """Row and column from 0, and the SIZE if there is one, of clauses that are just AT and SIZE.

    None if they hold anything else, or anything that is not known to lie on the screen: then it
    matters when each is evaluated.
    """
    if [node.token for node in nodes] not in ([tk.AT], [tk.AT, tk.SIZE]):
        return None
    arguments = [argument for node in nodes for argument in node.arguments]
    limits = ((1, ROWS), (1, WIDTH), (1, LARGEST_SIZE))[: len(nodes) + 1]
    if len(arguments) != len(limits):
        return None
    values: list[str] = []
    for argument, (low, high) in zip(arguments, limits, strict=True):
        if not isinstance(argument, Number | Variable):
            return None
        value = e.value(argument)
        if not value.within(low, high):
            return None
        values.append(value.source)
    row, column, *size = values
    return ", ".join((_from_0(row), _from_0(column), *size))


def _from_0(source: str) -> str:
    return str(int(source) - 1) if source.isdecimal() else f"{source} - 1"


def _validate(e: Emitter, area: str, node: st.Clause) -> None:
    for argument in node.arguments:
        if isinstance(argument, int):
            e.line(f"{area}.{_WORDS[argument]}()")
        else:
            e.line(f"{area}.validate({e.value(argument)})")


def _numbers(e: Emitter, area: str, node: st.Clause) -> None:
    """Arguments beyond those that the clause takes are faults: evaluating them raises the error."""
    methods = _NUMBERS[node.token]
    for index, argument in enumerate(node.arguments):
        assert not isinstance(argument, int)
        source = e.number(argument)
        e.line(f"{area}.{methods[index]}({source})" if index < len(methods) else source)


def clause_cycles(timing: Timing, nodes: tuple[st.Clause, ...]) -> int:
    """What the clauses cost."""
    arguments = [a for node in nodes for a in node.arguments if not isinstance(a, int)]
    return sum(_CYCLES[node.token] for node in nodes) + timing.expressions(arguments)
