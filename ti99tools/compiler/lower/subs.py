"""CALL of a SUB: parameters are variables of their own, which the caller sets and takes back.

A SUB sees no variable of its caller, so this looks like passing by reference, unless two of the
arguments lie in the same place. Parameters that may do so are bound to one place, and the SUB's
code is made once for each way in which its parameters are bound, a *variant*. All variants share
the SUB's variables and the word that says that it is running. An array parameter is always bound to
the array that is passed.
"""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.assigning import store_in, within_range
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.names import Bound, full_name, subscript
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail
from ti99tools.language.prescan.symbols import AUTOMATIC_SUBSCRIPT, Scope
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st


@dataclass(slots=True)
class _Passed:
    """An argument that is passed by reference: where it lies."""

    at: int
    parameter: str
    place: ir.Target

    @property
    def is_text(self) -> bool:
        return ir.is_text_name(self.parameter)

    @property
    def whose(self) -> str:
        return self.place if isinstance(self.place, str) else self.place[0]

    @property
    def fixed(self) -> tuple[object, ...] | None:
        """The subscripts, where they are known."""
        if isinstance(self.place, str):
            return None
        found = [position.args[0] for position in self.place[1]]
        return tuple(one.data if one.op == "const" else None for one in found)


@lowers(st.Subend, st.Subexit)
def _leave(low: Context, node: st.Statement) -> None:
    """SUBEND, SUBEXIT; where no SUB runs, all that is on the stack is lost before the error."""
    if node.fault is not None:
        return
    scope = low.names.scope.name
    if not scope:
        low.blocks.do("empty stack")
        fail(xb.MUST_BE_IN_SUBPROGRAM, "enter it by CALL only")
    low.blocks.finish_at(ir.Leave(scope, low.blocks.spot))


def lower_sub_call(low: Context, node: st.Call, sub: Scope) -> None:
    """Set the parameters, enter the SUB, take back what was passed by reference.

    A SUB that runs is refused before the arguments are calculated, a surplus argument afterwards.
    Raises Refused, Fails.
    """
    arguments = node.arguments or ()
    low.blocks.do("check sub", data=sub.name)
    binding: list[Bound | None] = [None] * len(sub.parameters)
    passed: list[_Passed] = []
    wrong: int | None = None
    for at, argument in enumerate(arguments):
        if at >= len(sub.parameters):
            wrong = xb.INCORRECT_ARGUMENT_LIST
            if sub.parameters and isinstance(argument, nd.Expression):
                values.of_any_type(low, argument)
            break
        last = at == len(arguments) - 1
        wrong = _pass(low, _Argument(at, argument, sub, last), binding, passed)
        if wrong is not None:
            break
    else:
        if node.fault is not None or len(arguments) < len(sub.parameters):
            wrong = xb.INCORRECT_ARGUMENT_LIST
    # The end of an argument is found before the argument is checked against its parameter.
    if node.broken is not None and _ends_wrongly(node, sub, wrong):
        wrong = node.broken
    if wrong is not None:
        fail(wrong, "pass what the SUB takes")
    _bind(low, passed, binding)
    passed = [one for one in passed if binding[one.at] is None]
    # Texts move once all arguments are known: they are gone from where they were.
    for one in passed:
        if one.is_text:
            low.blocks.assign(one.parameter, ir.moved(values.held(one.place)))
    suffix = low.names.variants.label(sub.name, tuple(binding))
    after = low.blocks.fresh("back")
    low.blocks.finish_at(ir.Enter(sub.name, f"SUB {sub.name}{suffix}", after, low.blocks.spot))
    low.blocks.enter(after)
    for one in passed:
        back = ir.var(one.parameter)
        if one.is_text:
            low.blocks.store_at(one.place, ir.moved(back))
        else:
            store_in(low, one.place, back)


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument of a CALL; `last`: none follows."""

    at: int
    node: st.Argument
    sub: Scope
    last: bool


def _ends_wrongly(node: st.Call, sub: Scope, wrong: int | None) -> bool:
    """Tell whether wrong syntax after the last argument is met before anything else is wrong."""
    arguments = node.arguments or ()
    return len(arguments) <= len(sub.parameters) and wrong in (None, xb.INCORRECT_ARGUMENT_LIST)


def _pass(
    low: Context, one: _Argument, binding: list[Bound | None], passed: list[_Passed]
) -> int | None:
    """Pass an argument; the error if it does not fit its parameter. Raises Refused, Fails."""
    parameter, node = one.sub.parameters[one.at], one.node
    is_string = ir.is_text_name(parameter.name)
    if isinstance(node, st.Hash | st.All):
        return xb.SYNTAX_ERROR
    if isinstance(node, st.WholeArray):
        symbol = low.names.scope.symbols.get(node.name)
        if symbol is None or symbol.dimensions != node.dimensions or symbol.function is not None:
            return xb.SYNTAX_ERROR
        if parameter.dimensions != node.dimensions or symbol.is_string != is_string:
            return xb.INCORRECT_ARGUMENT_LIST
        binding[one.at] = Bound("array", low.names.array(node.name))
        return None
    if isinstance(node, nd.Variable | nd.Element) and values.is_place(low, node):
        if parameter.dimensions or node.is_string != is_string:
            return xb.INCORRECT_ARGUMENT_LIST
        name = full_name(one.sub, parameter.name)
        place = _with_subscripts_once(low, values.place(low, node), one.at)
        passed.append(_Passed(one.at, name, place))
        if not is_string:
            low.blocks.assign(name, within_range(low, name, values.held(place)))
        return None
    return _pass_value(low, one, parameter, binding)


def _pass_value(
    low: Context, one: _Argument, parameter: st.Parameter, binding: list[Bound | None]
) -> int | None:
    """Pass a value; the error if it does not fit its parameter. Raises Refused, Fails."""
    assert isinstance(one.node, nd.Expression)
    is_string = ir.is_text_name(parameter.name)
    _look_at_element(low, one.node)
    value = values.of_any_type(low, one.node)
    if parameter.dimensions:
        if is_string and value.is_text and one.last:
            low.blocks.do("look at text", value)
            binding[one.at] = Bound("array", _no_array(low, one.sub, parameter))
            return None
        if is_string:
            return xb.INCORRECT_ARGUMENT_LIST if value.is_text else xb.STRING_NUMBER_MISMATCH
        return xb.SYNTAX_ERROR if one.last else xb.INCORRECT_ARGUMENT_LIST
    if value.is_text != is_string:
        return xb.STRING_NUMBER_MISMATCH
    name = full_name(one.sub, parameter.name)
    low.blocks.assign(name, within_range(low, name, value))
    return None


def _look_at_element(low: Context, node: nd.Expression) -> None:
    """Calculate an element with which an expression begins: the machine does so twice.

    It takes the expression for the element first. Source: see `compile.emit.calls` of the console.
    """
    first = node
    while isinstance(first, nd.Binary):
        first = first.left
    if first is node or not isinstance(first, nd.Element) or not values.is_place(low, first):
        return
    before = len(low.blocks.loose)
    element = values.of_any_type(low, first)
    del low.blocks.loose[before:]
    if any(part.op not in _STEADY for part in ir.walk(element)):
        low.blocks.do("calculate", element)


_STEADY = frozenset({"const", "var", "elem", "round", "add", "sub", "mul", "neg"})
"""Operations in subscripts that may as well be done once."""


def _no_array(low: Context, sub: Scope, parameter: st.Parameter) -> str:
    """The array of a parameter that is given the value of a string instead (recorded).

    What the machine finds in it is not known; here it begins empty.
    """
    name = full_name(sub, f"no {parameter.name}")
    extents = (AUTOMATIC_SUBSCRIPT + 1 - low.scan.base,) * parameter.dimensions
    low.blocks.code.arrays.setdefault(name, ir.Array(name, extents, low.scan.base))
    return name


def _bind(low: Context, passed: list[_Passed], binding: list[Bound | None]) -> None:
    """Bind what may lie in the same place as something else that is passed."""
    whole = {bound.name for bound in binding if bound is not None}
    first: dict[str, _Passed] = {}
    for one in passed:
        if isinstance(one.place, str):
            if one.place in first:
                binding[one.at] = Bound("same", first[one.place].parameter)
            first.setdefault(one.place, one)
            continue
        others = [other for other in passed if other is not one and other.whose == one.whose]
        # Its array is also passed, or an element that may be the same: a copy would be wrong.
        if one.whose in whole or not all(_apart(one, other) for other in others):
            binding[one.at] = Bound("element", one.whose)
            for n, position in enumerate(one.place[1]):
                low.blocks.assign(subscript(one.parameter, n), position)


def _apart(one: _Passed, other: _Passed) -> bool:
    """Tell whether two elements of an array are certainly not the same."""
    pairs = zip(one.fixed or (), other.fixed or (), strict=True)
    return any(a is not None and b is not None and a != b for a, b in pairs)


def _with_subscripts_once(low: Context, place: ir.Target, number: int) -> ir.Target:
    """The place of an element, its subscripts calculated once."""
    if isinstance(place, str):
        return place
    subscripts = []
    for n, position in enumerate(place[1]):
        if position.args[0].op == "const":
            subscripts.append(position)
            continue
        # The SUB may change what the subscript is made of; the value goes back to this element.
        line, at = low.blocks.spot
        own = low.held(f"subscript {line}.{at}.{number}.{n}", position)
        subscripts.append(ir.Expr("round", (own,), position.data))
    return place[0], tuple(subscripts)


def declare_arrays(low: Context) -> None:
    """Declare the arrays of the current scope, except its parameters."""
    parameters = {p.name for p in low.names.scope.parameters}
    for symbol in low.names.scope.symbols.values():
        if symbol.is_array and symbol.name not in parameters:
            name = low.names.full(symbol.name)
            extents = symbol.extents(low.scan.base)
            low.blocks.code.arrays.setdefault(name, ir.Array(name, extents, low.scan.base))
