"""INPUT, LINPUT and ACCEPT: a line of the keyboard.

What is typed is an expression, which is assigned as any other. The subscripts of an element are
evaluated where Extended BASIC does it: for INPUT when its value is assigned, for LINPUT after the
prompt, for ACCEPT after the clauses.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.assigning import settled, store, store_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.files import input_from_file, line_from_file
from ti99tools.compiler.lower.showing import any_size, place_at, whole_arguments
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail
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
    """INPUT [prompt:] targets, INPUT #n[,REC r]: targets."""
    if node.file is not None:
        input_from_file(low, node, node.file, lambda: _asked(low, node))
    else:
        _asked(low, node)


def _asked(low: Context, node: st.Input) -> None:
    """The values from the keyboard."""
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
    """LINPUT [prompt:] target, LINPUT #n[,REC r]: target."""
    if node.file is not None:
        line_from_file(low, node.file, node.target)
        return
    if node.fault is not None or node.target is None:
        _show(low, node.prompt)
        return
    if not node.target.is_string:
        _show(low, node.prompt)
        low.blocks.do("prompt tone")
        fail(xb.IMPROPERLY_USED_NAME, "use a string variable")
    low.blocks.do("linput", _prompt(low, node.prompt))
    _take(low, node.target, ir.Expr("typed line"))


@lowers(st.Accept)
def _accept(low: Context, node: st.Accept) -> None:
    """ACCEPT [clauses:] target."""
    placed = any(clause.token == tk.AT for clause in node.clauses)
    low.blocks.do("accept" if placed else "accept below")
    for clause in node.clauses:
        _clause(low, clause)
    if node.target is None:
        return
    _take(low, node.target, ir.Expr("accepted text" if node.target.is_string else "accepted"))


def _take(low: Context, target: nd.Target, line: ir.Expr) -> None:
    """Take a line for a variable; for a DEF without an argument, which then fails."""
    if isinstance(target, nd.Variable) and low.names.symbol(target.name).function is not None:
        low.blocks.assign(low.names.hidden("for a DEF$" if target.is_string else "for a DEF"), line)
    store_in(low, settled(low, values.place(low, target)), line)


def _clause(low: Context, clause: st.Clause) -> None:
    """Each clause has its effect when its arguments have been evaluated."""
    numbers = whole_arguments(low, clause, any_size)
    match clause.token:
        case tk.AT:
            low.blocks.do("accept at", *place_at(numbers))
        case tk.SIZE:
            low.blocks.do("accept size", numbers[0])
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
