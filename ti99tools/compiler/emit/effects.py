"""What else calculating a value does: errors, warnings, random numbers; whether order matters."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.actions import SURE
from ti99tools.compiler.kinds import CELL, Typed

_WARNING, _DRAWS = "a warning", "a random number"
_WARN = frozenset({"add", "sub", "mul", "div", "exp"})
"""Operations of cells that never fail, but may give a warning."""


def fails(t: Typed) -> bool:
    """Tell whether calculating a value can fail."""
    return any(_fails(part) for part in _walk(t))


def order_matters(first: Typed, second: Typed) -> bool:
    """Tell whether a program can see which of two values is calculated first."""
    effects = [set().union(*map(_effects, _walk(t))) for t in (first, second)]
    both = effects[0] | effects[1]
    return all(effects) and (len(both) > 1 or _DRAWS in both)


def _walk(t: Typed) -> list[Typed]:
    return [t, *(part for arg in t.args for part in _walk(arg))]


def _fails(t: Typed) -> bool:
    if t.op in ("toword", "check"):
        low, high = t.data[:2]
        own = t.args[0].range
        return not (low <= own.low and own.high <= high)
    return t.op not in SURE


def _effects(t: Typed) -> set[object]:
    if _fails(t):
        return {t.data[2] if t.op in ("toword", "check") else t.op}
    if t.op in ("rnd", "randint"):
        return {_DRAWS}
    warns = t.kind == CELL and t.op in _WARN and t.data != ir.QUIET
    return {_WARNING} if warns else set()
