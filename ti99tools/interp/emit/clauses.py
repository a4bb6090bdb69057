"""The clauses of DISPLAY and ACCEPT: AT, SIZE, BEEP, ERASE ALL, VALIDATE, in the order written."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.interp.emit.emitter import Emitter
from ti99tools.source.syntax import statements as st

_SIMPLE = {tk.BEEP: "beep", tk.ERASE: "erase"}
_WORDS = {tk.NUMERIC: "numeric", tk.DIGIT: "digit", tk.UALPHA: "ualpha"}
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
