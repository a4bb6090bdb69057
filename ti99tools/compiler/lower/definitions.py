"""What a name in an expression means; DEF: the body of a function in place of its use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import DEEPEST_FUNCTION
from ti99tools.compiler import ir
from ti99tools.compiler.ir import Expr
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.values import number_from, text_from
from ti99tools.compiler.refusing import Fails, fail, refuse
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.prescan.symbols import Symbol
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import faults

_DEEPEST, _MOST_USES = 16, 500
"""DEFs within DEFs, and uses with a calculated argument: each is a copy of the body."""
_STAYS = ("const", "text", "var")
"""Operations whose value is the same wherever it is used in a statement."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A use of a name: the words of the parser's stack that are taken there, and its argument."""

    depth: int
    argument: nd.Expression | None


@number_from(nd.Variable)
@text_from(nd.Variable)
def _variable(low: Context, node: nd.Variable) -> Expr:
    if node.name in low.names.definition:
        return low.names.definition[node.name]
    return _named(low, node, _Use(node.depth, None))


@number_from(nd.Element)
@text_from(nd.Element)
def _element(low: Context, node: nd.Element) -> Expr:
    return _named(low, node, _Use(node.depth, node.subscripts[0]))


def _named(low: Context, node: nd.Target, use: _Use) -> Expr:
    symbol = low.names.symbol(node.name)
    if symbol.function is not None:
        return _definition(low, symbol, use)
    return values.held(values.place_of(low, symbol, node))


def _definition(low: Context, symbol: Symbol, use: _Use) -> Expr:
    """The body of a DEF in place of a use; the argument is calculated before the statement.

    Raises Refused, Fails.
    """
    assert symbol.function is not None
    line, at = symbol.function
    number, tokens = low.program.lines[line]
    node = statements_from(tokens, at, use.depth)[0]
    assert isinstance(node, st.Def)
    names = low.names
    if node.fault is not None:
        refuse(f"DEF {node.name} fails")
    if (node.parameter is None) != (use.argument is None):
        fail(xb.IMPROPERLY_USED_NAME, "use it as its DEF says")
    if names.definitions_open >= _DEEPEST or low.names.definition_uses > _MOST_USES:
        refuse(f"DEFs use DEF {node.name} too often, or too deeply", "use fewer")
    outer = names.definition
    names.definitions_open += 1
    before = len(low.blocks.loose)
    try:
        argument = None if use.argument is None else _argument(low, node, use.argument)
        names.definition = {} if argument is None else {str(node.parameter): argument}
        try:
            body = _body(low, node, argument, use.depth)
        except Fails as failing:
            failing.inside = ((number, at), *failing.inside)
            raise
    finally:
        names.definitions_open -= 1
        names.definition = outer
    return (
        body if body.op in _STAYS else values.in_place_of(low, before, _within(body, (number, at)))
    )


def _within(body: Expr, spot: ir.Spot) -> Expr:
    return Expr("within", (body,), spot)


def _body(low: Context, node: st.Def, argument: Expr | None, depth: int) -> Expr:
    """The value of a DEF, once its argument is known. Raises Refused, Fails."""
    if argument is not None and argument.is_text != ir.is_text_name(str(node.parameter)):
        fail(xb.STRING_NUMBER_MISMATCH, "give an argument of the type of the parameter")
    if depth > DEEPEST_FUNCTION:
        fail(xb.STACK_OVERFLOW, "use fewer DEFs in DEFs")
    return _value(low, node.name, node.body)


def _value(low: Context, name: str, node: nd.Expression) -> Expr:
    """A value of the type that a name has."""
    return values.text(low, node) if ir.is_text_name(name) else values.number(low, node)


def use_of(low: Context, node: object) -> Symbol | None:
    """The DEF that a part of a statement uses; None if it is no use of one."""
    if not isinstance(node, nd.Variable | nd.Element):
        return None
    symbol = low.names.scope.symbols.get(node.name)
    return None if symbol is None or symbol.function is None else symbol


def faults_of_uses(low: Context, node: st.Statement) -> Iterator[int]:
    """The errors with which the DEFs always fail that a statement uses, and those that they use."""
    failing: dict[tuple[str, int], tuple[int, ...]] = {}

    def inside(node: st.Statement, parameter: str | None) -> Iterator[int]:
        for part in st.parts(node):
            symbol = use_of(low, part)
            if symbol is not None and symbol.name != parameter:
                yield from of_use(symbol, part.depth)

    def of_use(symbol: Symbol, depth: int) -> tuple[int, ...]:
        """At most one error: what a body has after its first one is not reached."""
        use = symbol.name, depth
        if use not in failing:
            assert symbol.function is not None
            line, at = symbol.function
            if depth > DEEPEST_FUNCTION:
                failing[use] = (xb.STACK_OVERFLOW,)
            else:
                body = statements_from(low.program.lines[line][1], at, depth)[0]
                assert isinstance(body, st.Def)
                found = chain(faults(body), inside(body, body.parameter))
                failing[use] = tuple(islice(found, 1))
        return failing[use]

    return inside(node, None)


def _argument(low: Context, node: st.Def, argument: nd.Expression) -> Expr:
    """The argument of a DEF: a constant, a variable, or kept in a variable of its own."""
    value = values.of_any_type(low, argument)
    if value.op in _STAYS:
        return value
    values.keep_order(low, value)
    low.names.definition_uses += 1
    word = f"{node.name}({node.parameter}) {low.names.definition_uses}"
    return low.held(f"{word}$" if value.is_text else word, value)


def keep_draws(low: Context, node: st.Statement) -> None:
    """Find out whether numbers that a statement draws are kept in variables: see `Context`."""
    defining = _defining(low)
    lines = [low.program.tokens[number] for number in (low.blocks.spot[0], *defining)]
    draws = bool(defining) and any(tk.RND in tokens for tokens in lines)
    low.keeps_draws = draws and any(map(low.names.is_calculated_use, st.parts(node)))
    low.draws = low.squares = 0


def _defining(low: Context) -> list[int]:
    """The lines of the DEFs of the scope."""
    places = (symbol.function for symbol in low.names.scope.symbols.values())
    return [low.program.lines[place[0]][0] for place in places if place is not None]
