"""LET and RANDOMIZE, and storing values."""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.actions import expression_fails
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st


@lowers(st.Let)
def _let(low: Context, node: st.Let) -> None:
    """A,B(I)=value."""
    if node.value is None:
        for target in node.targets:
            values.place(low, target)
        return
    mismatch = any(target.is_string != node.value.is_string for target in node.targets)
    places = [values.place(low, target) for target in node.targets]
    # All subscripts are calculated before the value, and this before the first is assigned.
    if mismatch or len(places) > 1:
        places = [settled(low, place, f"{at}.") for at, place in enumerate(places)]
    if mismatch:
        values.of_any_type(low, node.value)
        fail(xb.STRING_NUMBER_MISMATCH, "assign a string to a string variable")
    if node.value.is_string:
        _let_texts(low, places, values.text(low, node.value))
        return
    value = values.number(low, node.value)
    if len(places) > 1 and value.op not in ("const", "var"):
        value = low.held("each target", value)
    for place in places:
        store_in(low, place, value)


def _let_texts(low: Context, places: Sequence[ir.Target], value: ir.Expr) -> None:
    """A$,B$(I)=value: made once, and copied."""
    first, *others = places
    if others and isinstance(first, tuple) and not _stays(value):
        hidden = low.held("each target$", value)
        last = others.pop()
        for place in (first, *others):
            low.blocks.store_at(place, hidden)
        low.blocks.store_at(last, ir.moved(hidden))
        return
    low.blocks.store_at(first, value)
    for place in others:
        low.blocks.store_at(place, values.held(first) if isinstance(first, str) else value)


def _stays(value: ir.Expr) -> bool:
    """Tell whether a text is as it was once a place has been assigned it, and takes no RND."""
    steady = (position.args[0].op in ("const", "var") for position in value.args)
    return value.op in ("text", "var") or (value.op == "elem" and all(steady))


def store(low: Context, target: nd.Target, value: ir.Expr) -> None:
    """Assign to a variable or an element."""
    store_in(low, values.place(low, target), value)


def store_in(low: Context, place: ir.Target, value: ir.Expr) -> None:
    """Assign to a place, within its RANGE."""
    low.blocks.store_at(place, within_range(low, place, value))


def within_range(low: Context, place: ir.Target, value: ir.Expr) -> ir.Expr:
    """A value for a place, or an error where it is not within its RANGE."""
    limits = low.declared.get(place if isinstance(place, str) else place[0])
    return value if limits is None else ir.Expr("round", (value,), (*limits, xb.BAD_VALUE))


def settled(low: Context, place: ir.Target, word: str = "") -> ir.Target:
    """A place whose subscripts have been evaluated; `word`: of which of a statement's places."""
    if isinstance(place, str):
        return place
    positions = (_settled(low, f"{word}{at}", one) for at, one in enumerate(place[1]))
    return place[0], tuple(positions)


def _settled(low: Context, at: str, position: ir.Expr) -> ir.Expr:
    if position.args[0].op == "const" and not expression_fails(position):
        return position
    # Where all numbers are cells, the variable has to be rounded to be a position.
    return ir.Expr(position.op, (low.held(f"subscript {at}", position),), position.data)


@lowers(st.Randomize)
def _randomize(low: Context, node: st.Randomize) -> None:
    """RANDOMIZE [seed]."""
    if node.seed is None:
        low.blocks.do("randomize by chance")
        return
    seed = values.number(low, node.seed)
    # Nothing but RND depends on the seed.
    low.blocks.do("randomize" if low.draws_numbers else "calculate", seed)
