"""INPUT, LINPUT and ACCEPT: a line of the keyboard.

What is typed is an expression, which is assigned as any other. The subscripts of an element are
evaluated where Extended BASIC does it: for INPUT when its value is assigned, for LINPUT after the
prompt, for ACCEPT after the clauses.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LARGEST_SIZE, PRINT_WIDTH
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.assigning import store, store_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.showing import coordinate
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail
from ti99tools.hardware.machine.screen import ROWS
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

_DIGITS = "0123456789"
_WORDS = {
    tk.NUMERIC: _DIGITS + "+-.E",
    tk.DIGIT: _DIGITS,
    tk.UALPHA: "ABCDEFGHIJKLMNOPQRSTUVWXYZ ",
}
"""Words of VALIDATE → the characters that they take."""
ONCE, AGAIN = "\x01", "\x00"
"""Whether the prompt can be shown again after a bad line: the constant "" cannot."""


@lowers(st.Input)
def _input(low: Context, node: st.Input) -> None:
    """INPUT [prompt:] targets."""
    if node.fault is not None:
        _show(low, node.prompt)
        return
    kinds = "".join("S" if target.is_string else "N" for target in node.targets)
    once = ONCE if node.prompt == nd.String("") else AGAIN
    # In a SUB a warning names the first variable (recorded).
    name = node.targets[0].name if low.names.scope.name else ""
    low.blocks.do("input", _prompt(low, node.prompt), data=(once + kinds, name))
    for target in node.targets:
        store(low, target, ir.Expr("typed text" if target.is_string else "typed"))


def _show(low: Context, prompt: nd.Expression | None) -> None:
    """Show the prompt of a statement that fails after it."""
    low.blocks.do("print")
    low.blocks.do("show text", _prompt(low, prompt))


def _prompt(low: Context, node: nd.Expression | None) -> ir.Expr:
    return ir.Expr("text", (), "? ") if node is None else values.text(low, node)


@lowers(st.Linput)
def _linput(low: Context, node: st.Linput) -> None:
    """LINPUT [prompt:] target."""
    if node.fault is not None or node.target is None:
        _show(low, node.prompt)
        return
    if not node.target.is_string:
        _show(low, node.prompt)
        low.blocks.do("prompt tone")
        fail(xb.IMPROPERLY_USED_NAME, "use a string variable")
    low.blocks.do("linput", _prompt(low, node.prompt))
    place = _settled(low, values.place(low, node.target))
    store_in(low, place, ir.Expr("typed line"))


@lowers(st.Accept)
def _accept(low: Context, node: st.Accept) -> None:
    """ACCEPT [clauses:] target."""
    low.blocks.do("accept")
    for clause in node.clauses:
        _clause(low, clause)
    if node.target is None:
        return
    place = _settled(low, values.place(low, node.target))
    store_in(low, place, ir.Expr("accepted text" if node.target.is_string else "accepted"))


def _clause(low: Context, clause: st.Clause) -> None:
    """Each clause has its effect when its arguments have been evaluated."""
    expressions = [n for n in clause.arguments if not isinstance(n, int) and not n.is_string]
    numbers = [values.number(low, n) for n in expressions]
    match clause.token:
        case tk.AT:
            places = zip(numbers, (ROWS, PRINT_WIDTH), strict=True)
            low.blocks.do("accept at", *(coordinate(n, most) for n, most in places))
        case tk.SIZE:
            limits = (-LARGEST_SIZE, LARGEST_SIZE, xb.BAD_VALUE)
            low.blocks.do("accept size", ir.Expr("round", (numbers[0],), limits))
        case tk.BEEP:
            low.blocks.do("accept beep")
        case tk.ERASE:
            low.blocks.do("clear")
        case _:
            for argument in clause.arguments:
                _validate(low, argument)


def _validate(low: Context, argument: nd.Expression | int) -> None:
    if isinstance(argument, int):
        low.blocks.do("accept word", data=_WORDS[argument])
    else:
        low.blocks.do("accept validate", values.text(low, argument))


def _settled(low: Context, place: ir.Target) -> ir.Target:
    """A place whose subscripts have been evaluated."""
    if isinstance(place, str):
        return place
    return place[0], tuple(_kept(low, at, one) for at, one in enumerate(place[1]))


def _kept(low: Context, at: int, position: ir.Expr) -> ir.Expr:
    if position.args[0].op == "const":
        return position
    name = low.names.hidden(f"subscript {at}")
    low.blocks.assign(name, position)
    # Where all numbers are cells, the variable has to be rounded to be a position.
    return ir.Expr(position.op, (ir.var(name),), position.data)
