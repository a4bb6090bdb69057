"""What a name in an expression means; DEF: the body of a function in place of its use."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.ir import Expr, var
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.values import number_from, text_from
from ti99tools.compiler.refusing import fail, refuse
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.prescan.symbols import Symbol
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax.statements import Def

_DEEPEST = 4
"""DEFs within DEFs: each use is a copy of the body, which grows by every level."""
_STAYS = ("const", "text", "var")
"""Operations whose value is the same wherever it is used in a statement."""


@number_from(nd.Variable)
@text_from(nd.Variable)
def _variable(low: Context, node: nd.Variable) -> Expr:
    if node.name in low.names.definition:
        return low.names.definition[node.name]
    return _named(low, node, None)


@number_from(nd.Element)
@text_from(nd.Element)
def _element(low: Context, node: nd.Element) -> Expr:
    return _named(low, node, node.subscripts[0])


def _named(low: Context, node: nd.Target, argument: nd.Expression | None) -> Expr:
    symbol = low.names.symbol(node.name)
    if symbol.function is not None:
        return _definition(low, symbol, argument)
    return values.held(values.place_of(low, symbol, node))


def _definition(low: Context, symbol: Symbol, argument: nd.Expression | None) -> Expr:
    """The body of a DEF in place of a use; the argument is calculated before the statement."""
    assert symbol.function is not None
    line, at = symbol.function
    node = statements_from(low.program.lines[line][1], at)[0]
    assert isinstance(node, Def)
    if node.fault is not None:
        refuse(f"DEF {node.name} fails")
    if (node.parameter is None) != (argument is None):
        fail(xb.IMPROPERLY_USED_NAME, "use it as its DEF says")
    names = low.names
    if names.definitions_open >= _DEEPEST:
        refuse(f"DEF {node.name} uses itself, or DEFs use others too deeply", "use fewer")
    parameters = {} if argument is None else {str(node.parameter): _argument(low, node, argument)}
    outer, names.definition = names.definition, parameters
    names.definitions_open += 1
    try:
        return _value(low, node.name, node.body)
    finally:
        names.definitions_open -= 1
        names.definition = outer


def _value(low: Context, name: str, node: nd.Expression) -> Expr:
    """A value of the type that a name has."""
    return values.text(low, node) if ir.is_text_name(name) else values.number(low, node)


def _argument(low: Context, node: Def, argument: nd.Expression) -> Expr:
    """The argument of a DEF: a constant, a variable, or kept in a variable of its own."""
    assert node.parameter is not None
    value = _value(low, node.parameter, argument)
    # When the original draws this number is not recorded.
    if any(part.op in ("rnd", "randint") for part in ir.walk(value)):
        refuse("RND is the argument of a DEF", "use a variable")
    if value.op in _STAYS:
        return value
    low.names.definition_uses += 1
    word = f"{node.name}({node.parameter}) {low.names.definition_uses}"
    name = low.names.hidden(f"{word}$" if value.is_text else word)
    low.blocks.assign(name, value)
    return var(name)
