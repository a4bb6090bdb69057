"""Finds the function for an expression, by its type and by the token of a function of BASIC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler.ir import Expr, Target, var
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.names import subscript
from ti99tools.compiler.refusing import refuse
from ti99tools.language.prescan.symbols import Symbol
from ti99tools.language.syntax import nodes as nd

Lower = Callable[[Context, Any], Expr]
"""Lowers a node of an expression."""
Operands = tuple[nd.Expression, ...]
OfArguments = Callable[[Context, Operands], Expr]
"""Lowers a function of Extended BASIC with its arguments."""

_NUMBER_NODES: dict[type, Lower] = {}
_TEXT_NODES: dict[type, Lower] = {}
_FUNCTIONS: dict[int, OfArguments] = {}


def number_from(*kinds: type) -> Callable[[Lower], Lower]:
    """Enter the function for nodes of numeric expressions."""

    def enter(function: Lower) -> Lower:
        _NUMBER_NODES.update(dict.fromkeys(kinds, function))
        return function

    return enter


def text_from(*kinds: type) -> Callable[[Lower], Lower]:
    """Enter the function for nodes of string expressions."""

    def enter(function: Lower) -> Lower:
        _TEXT_NODES.update(dict.fromkeys(kinds, function))
        return function

    return enter


def function(*tokens: int) -> Callable[[OfArguments], OfArguments]:
    """Enter the function that lowers functions of Extended BASIC, by their tokens."""

    def enter(own: OfArguments) -> OfArguments:
        _FUNCTIONS.update(dict.fromkeys(tokens, own))
        return own

    return enter


def number(low: Context, node: nd.Expression) -> Expr:
    """A numeric expression. Raises Refused."""
    _refuse_fault(node)
    if node.is_string:
        refuse("it fails with STRING-NUMBER MISMATCH", "use a number")
    return _NUMBER_NODES[type(node)](low, node)


def text(low: Context, node: nd.Expression) -> Expr:
    """A string expression. Raises Refused."""
    _refuse_fault(node)
    if not node.is_string:
        refuse("it fails with STRING-NUMBER MISMATCH", "use a text")
    return _TEXT_NODES[type(node)](low, node)


def _refuse_fault(node: nd.Expression) -> None:
    while isinstance(node, nd.Group):
        node = node.inner
    if isinstance(node, nd.Fault):
        refuse(f"it fails with {xb.TEXTS[node.code]}", "correct it")


@number_from(nd.Group)
def _number_in_brackets(low: Context, node: nd.Group) -> Expr:
    return number(low, node.inner)


@text_from(nd.Group)
def _text_in_brackets(low: Context, node: nd.Group) -> Expr:
    return text(low, node.inner)


@number_from(nd.Function)
@text_from(nd.Function)
def _function(low: Context, node: nd.Function) -> Expr:
    own = _FUNCTIONS.get(node.token)
    if own is None:
        refuse(f"{tk.KEYWORDS[node.token]} uses a file")
    return own(low, node.arguments)


def whole(low: Context, node: nd.Expression, least: int, most: int, error: int) -> Expr:
    """A number rounded to a whole one, an error outside its limits."""
    return Expr("round", (number(low, node),), (least, most, error))


# -- places ---------------------------------------------------------------------------------


def place(low: Context, target: nd.Target) -> Target:
    """What is assigned to: a variable, or an array and positions. Raises Refused."""
    symbol = low.names.symbol(target.name)
    if symbol.function is not None:
        refuse(f"{target.name} is a DEF", "assign to a variable")
    return place_of(low, symbol, target)


def place_of(low: Context, symbol: Symbol, node: nd.Target) -> Target:
    """Where a variable or an element of an array is. Raises Refused."""
    if isinstance(node, nd.Variable):
        if symbol.dimensions:
            refuse(f"it fails with {xb.TEXTS[xb.IMPROPERLY_USED_NAME]}", "give subscripts")
        return _simple(low, node.name)
    if len(node.subscripts) != symbol.dimensions:
        refuse(f"it fails with {xb.TEXTS[xb.IMPROPERLY_USED_NAME]}", "give all subscripts")
    return _position(low, symbol, node)


def plain_variable(low: Context, node: nd.Variable) -> str:
    """The variable of a loop. Raises Refused."""
    match place(low, node):
        case str(name):
            return name
    refuse(f"{node.name} is an element of an array that is also passed", "use a variable")


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
