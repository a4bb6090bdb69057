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
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.names import Bound, full_name, subscript
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import refuse
from ti99tools.language.prescan.symbols import Scope
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
def _leave(low: Context, _: st.Statement) -> None:
    low.blocks.finish_at(ir.Leave(low.names.scope.name, low.blocks.spot))


def lower_sub_call(low: Context, node: st.Call, sub: Scope) -> None:
    """Set the parameters, enter the SUB, take back what was passed by reference. Raises Refused."""
    arguments = node.arguments or ()
    if len(arguments) != len(sub.parameters):
        refuse(f"it fails with {xb.TEXTS[xb.INCORRECT_ARGUMENT_LIST]}", "pass what the SUB takes")
    binding: list[Bound | None] = [None] * len(arguments)
    passed: list[_Passed] = []
    for at, (argument, parameter) in enumerate(zip(arguments, sub.parameters, strict=True)):
        text = ir.is_text_name(parameter.name)
        if isinstance(argument, st.WholeArray):
            binding[at] = Bound("array", _array(low, argument, parameter))
            continue
        if not isinstance(argument, st.Hash | st.All) and argument.is_string != text:
            refuse(
                f"it fails with {xb.TEXTS[xb.STRING_NUMBER_MISMATCH]}",
                "pass a string" if text else "pass a number",
            )
        if parameter.dimensions or isinstance(argument, st.Hash | st.All):
            refuse(
                f"it fails with {xb.TEXTS[xb.INCORRECT_ARGUMENT_LIST]}", "pass what the SUB takes"
            )
        name = full_name(sub, parameter.name)
        if isinstance(argument, nd.Variable | nd.Element) and _by_reference(low, argument):
            place = _kept(low, values.place(low, argument), at)
            passed.append(_Passed(at, name, place))
            if not text:
                low.blocks.assign(name, values.held(place))
        elif text:
            low.blocks.assign(name, values.text(low, argument))
        else:
            low.blocks.assign(name, values.number(low, argument))
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
        low.blocks.store_at(one.place, ir.moved(back) if one.is_text else back)


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


def _by_reference(low: Context, argument: nd.Variable | nd.Element) -> bool:
    return low.names.symbol(argument.name).function is None


def _kept(low: Context, place: ir.Target, number: int) -> ir.Target:
    """The place of an element, its subscripts calculated once."""
    if isinstance(place, str):
        return place
    kept = []
    for n, position in enumerate(place[1]):
        if position.args[0].op == "const":
            kept.append(position)
            continue
        # The SUB may change what the subscript is made of; the value goes back to this element.
        name = low.names.hidden(f"subscript {low.blocks.spot[0]}.{low.blocks.spot[1]}.{number}.{n}")
        low.blocks.assign(name, position)
        kept.append(ir.Expr("round", (ir.var(name),), position.data))
    return place[0], tuple(kept)


def _array(low: Context, argument: st.WholeArray, parameter: st.Parameter) -> str:
    """The array that is passed whole."""
    symbol = low.names.symbol(argument.name)
    fits = symbol.dimensions == parameter.dimensions and symbol.is_array
    if not fits or symbol.is_string != ir.is_text_name(parameter.name):
        refuse(f"it fails with {xb.TEXTS[xb.INCORRECT_ARGUMENT_LIST]}", "pass what the SUB takes")
    return low.names.array(argument.name)


def declare_arrays(low: Context) -> None:
    """Declare the arrays of the current scope, except its parameters."""
    parameters = {p.name for p in low.names.scope.parameters}
    for symbol in low.names.scope.symbols.values():
        if symbol.is_array and symbol.name not in parameters:
            name = low.names.full(symbol.name)
            extents = symbol.extents(low.scan.base)
            low.blocks.code.arrays.setdefault(name, ir.Array(name, extents, low.scan.base))
