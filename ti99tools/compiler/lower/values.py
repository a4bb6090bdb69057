"""Finds the function for an expression, by its type and by the token of a function of BASIC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ti99tools.base import xberrors as xb
from ti99tools.base.entries import Entries
from ti99tools.compiler.actions import expression_fails
from ti99tools.compiler.ir import Expr, Target, var
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.names import subscript
from ti99tools.compiler.refusing import fail
from ti99tools.language.prescan.symbols import Symbol
from ti99tools.language.syntax import nodes as nd

Lower = Callable[[Context, Any], Expr]
"""Lowers a node of an expression."""
Operands = tuple[nd.Expression, ...]
OfArguments = Callable[[Context, Operands], Expr]
"""Lowers a function of Extended BASIC with its arguments."""


number_from = Entries[type, Lower]()
"""The functions for nodes of numeric expressions."""
text_from = Entries[type, Lower]()
"""The functions for nodes of string expressions."""
function = Entries[int, OfArguments]()
"""The functions that lower functions of Extended BASIC, by their tokens."""


def number(low: Context, node: nd.Expression) -> Expr:
    """A numeric expression. Raises Refused, Fails."""
    return _lowered(low, node, number_from, False)


def text(low: Context, node: nd.Expression) -> Expr:
    """A string expression. Raises Refused, Fails."""
    return _lowered(low, node, text_from, True)


def _lowered(low: Context, node: nd.Expression, table: dict[type, Lower], is_string: bool) -> Expr:
    before = len(low.blocks.loose)
    inner = node
    while isinstance(inner, nd.Group):
        inner = inner.inner
    if isinstance(inner, nd.Fault):
        for part in inner.before:
            of_any_type(low, part)
        fail(inner.code)
    if node.is_string != is_string:
        of_any_type(low, node)
        fail(xb.STRING_NUMBER_MISMATCH, "use a string" if is_string else "use a number")
    return in_place_of(low, before, table[type(node)](low, node))


def of_any_type(low: Context, node: nd.Expression) -> Expr:
    """A number or a string. Raises Refused, Fails."""
    return text(low, node) if node.is_string else number(low, node)


def in_place_of(low: Context, before: int, whole: Expr) -> Expr:
    """Put a value in place of those it is made of: the loose ones from `before` on."""
    del low.blocks.loose[before:]
    if whole.op not in ("const", "text", "var"):
        low.blocks.loose.append(whole)
    return whole


def keep_order(low: Context, value: Expr) -> None:
    """Let what comes before a value in the statement fail before it."""
    for one in [one for one in low.blocks.loose if one is not value]:
        if expression_fails(one):
            low.blocks.do("calculate", one)
            low.blocks.loose.append(one)


@number_from(nd.Group)
def _number_in_brackets(low: Context, node: nd.Group) -> Expr:
    return number(low, node.inner)


@text_from(nd.Group)
def _text_in_brackets(low: Context, node: nd.Group) -> Expr:
    return text(low, node.inner)


@number_from(nd.Function)
@text_from(nd.Function)
def _function(low: Context, node: nd.Function) -> Expr:
    return function[node.token](low, node.arguments)


def whole(low: Context, node: nd.Expression, least: int, most: int, error: int) -> Expr:
    """A number rounded to a whole one, an error outside its limits."""
    before = len(low.blocks.loose)
    return in_place_of(low, before, Expr("round", (number(low, node),), (least, most, error)))


# -- places ---------------------------------------------------------------------------------


def place(low: Context, target: nd.Target) -> Target:
    """What is assigned to: a variable, or an array and positions. Raises Refused."""
    symbol = low.names.symbol(target.name)
    if symbol.function is not None:
        fail(xb.IMPROPERLY_USED_NAME, f"{target.name} is a DEF: assign to a variable")
    return place_of(low, symbol, target)


def is_place(low: Context, target: nd.Target) -> bool:
    """Tell whether a name is that of a variable, or an element of an array that there is."""
    symbol = low.names.scope.symbols.get(target.name)
    if symbol is None or symbol.function is not None:
        return False
    subscripts = () if isinstance(target, nd.Variable) else target.subscripts
    faulty = any(part.is_string or nd.faulty(part) for part in subscripts)
    return len(subscripts) == symbol.dimensions and not faulty


def place_of(low: Context, symbol: Symbol, node: nd.Target) -> Target:
    """Where a variable or an element of an array is. Raises Refused."""
    if isinstance(node, nd.Variable):
        if symbol.dimensions:
            fail(xb.SYNTAX_ERROR, "give subscripts")
        return _simple(low, node.name)
    if len(node.subscripts) != symbol.dimensions:
        fail(xb.SYNTAX_ERROR, "give all subscripts")
    return _position(low, symbol, node)


def held(place: Target) -> Expr:
    """The value of a place."""
    return var(place) if isinstance(place, str) else Expr("elem", place[1], place[0])


def _simple(low: Context, name: str) -> Target:
    """Where a simple variable is: a parameter may be an element."""
    bound = low.names.bound(name)
    if bound is None or bound.kind != "element":
        return low.names.variable(name)
    array = low.blocks.code.arrays[bound.name]
    own = low.names.full(name)
    return bound.name, tuple(
        Expr(
            "round",
            (var(subscript(own, n)),),
            (array.base, array.base + extent - 1, xb.BAD_SUBSCRIPT),
        )
        for n, extent in enumerate(array.extents)
    )


def _position(low: Context, symbol: Symbol, node: nd.Element) -> tuple[str, tuple[Expr, ...]]:
    name = low.names.array(symbol.name)
    array = low.blocks.code.arrays[name]
    found = []
    for part, extent in zip(node.subscripts, array.extents, strict=True):
        found.append(whole(low, part, array.base, array.base + extent - 1, xb.BAD_SUBSCRIPT))
    return name, tuple(found)
