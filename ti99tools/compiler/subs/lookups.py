"""Characters of constant strings as tables: ASC(SEG$("CBA",N,1))-64 is one byte of three."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir

LOOKUP = "lookup"
"""The operation: a byte of a table; data: the bytes, args: the position from 1 on."""
BYTES = range(256)


def with_lookups(code: ir.Code) -> None:
    """Put tables in the place of single characters of constant strings, everywhere."""
    for block in code.blocks.values():
        block.body = [_in_action(action) for action in block.body]
        end = block.end
        if isinstance(end, ir.Branch):
            block.end = replace(end, condition=_rewritten(end.condition))
        elif isinstance(end, ir.Switch):
            block.end = replace(end, selector=_rewritten(end.selector))


def _in_action(action: ir.Action) -> ir.Action:
    match action:
        case ir.Assign(_, value):
            return replace(action, value=_rewritten(value))
        case ir.Store(_, positions, value):
            return replace(
                action, positions=tuple(map(_rewritten, positions)), value=_rewritten(value)
            )
        case ir.Do(_, args):
            return replace(action, args=tuple(map(_rewritten, args)))


def _rewritten(expr: ir.Expr) -> ir.Expr:
    """An expression with tables."""
    own = replace(expr, args=tuple(map(_rewritten, expr.args)))
    for rule in _RULES:
        found = rule(own)
        if found is not None:
            return found
    return own


def _character(expr: ir.Expr) -> ir.Expr | None:
    """ASC of one character of a constant string; beyond its end that is ASC of nothing."""
    if expr.op != "asc" or expr.args[0].op != "seg":
        return None
    text, position, length = expr.args[0].args
    if text.op != "text" or not text.data or _constant(length) != 1:
        return None
    within = ir.Expr("round", (position,), (1, len(text.data), xb.BAD_ARGUMENT))
    return ir.Expr(LOOKUP, (within,), text.data.encode("latin-1"))


def _constant(expr: ir.Expr) -> object:
    """The value of a rounded constant."""
    return expr.args[0].data if expr.op == "round" and expr.args[0].op == "const" else None


def _moved(expr: ir.Expr) -> ir.Expr | None:
    """A constant added to what a table gives, where the sums are bytes, too."""
    if expr.op not in ("add", "sub") or expr.args[0].op != LOOKUP or expr.args[1].op != "const":
        return None
    by = expr.args[1].data
    if not isinstance(by, int):
        return None
    data = [one + (by if expr.op == "add" else -by) for one in expr.args[0].data]
    if any(one not in BYTES for one in data):
        return None
    return replace(expr.args[0], data=bytes(data))


_RULES: tuple[Callable[[ir.Expr], ir.Expr | None], ...] = (_character, _moved)
