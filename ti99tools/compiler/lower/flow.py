"""Where control goes: IF, GOTO, GOSUB, ON, RETURN, END."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.statements import lowers, statements
from ti99tools.compiler.refusing import refuse
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement


def block_of_line(low: Context, number: int) -> str:
    """The block of a line that a statement names. Raises Refused."""
    if number not in low.program.tokens:
        refuse(f"there is no line {number}", "name a line that is there")
    if low.scopes[number] != low.names.scope.name:
        refuse(f"line {number} is not in the same subprogram", "name a line of the same one")
    return low.names.block(f"L{number}")


@lowers(st.If)
def _if(low: Context, node: st.If) -> None:
    """IF … THEN … ELSE …: what follows in the line belongs to a branch."""
    number = low.blocks.spot[0]
    if node.condition.is_string:
        refuse("it fails with STRING-NUMBER MISMATCH", "compare the string")
    condition = values.number(low, node.condition)
    _check_else(low, node)
    after = _after(low, number)
    names = [
        block_of_line(low, b.line)
        if isinstance(b, st.Jump)
        else after
        if b is None
        else low.blocks.fresh("if")
        for b in (node.then, node.otherwise)
    ]
    low.blocks.finish_at(ir.Branch(condition, names[0], names[1], low.blocks.spot))
    for branch, name in zip((node.then, node.otherwise), names, strict=True):
        if isinstance(branch, tuple):
            low.blocks.enter(name)
            statements(low, number, branch)
            low.blocks.finish(ir.Jump(after, low.blocks.spot))


def _check_else(low: Context, node: st.If) -> None:
    """Refuse a GOSUB or CALL right before an ELSE that has a `::` (see below; recorded)."""
    if not isinstance(node.then, tuple) or not isinstance(node.otherwise, tuple):
        return
    last = list(every_statement(node.then))[-1]
    # RETURN and SUBEND go on after the next `::`, which is within the ELSE.
    comes_back = isinstance(last, st.Gosub) or (isinstance(last, st.OnGo) and last.gosub)
    comes_back |= isinstance(last, st.Call) and last.name in low.scan.subs
    if comes_back and len(list(every_statement(node.otherwise))) > 1:
        refuse(
            "after GOSUB or CALL, before ELSE, the machine goes on within the ELSE",
            "give the ELSE a line of its own",
        )


def _after(low: Context, number: int) -> str:
    """The block of the line after a line; after the last line, a block that stops."""
    later = [n for n, _ in low.program.lines if n > number]
    if later and low.scopes[later[0]] == low.names.scope.name:
        return low.names.block(f"L{later[0]}")
    name = low.names.block("over " + low.names.scope.name)
    low.blocks.put(name, ir.Stop(low.blocks.spot))
    return name


@lowers(st.Goto)
def _goto(low: Context, node: st.Goto) -> None:
    """GOTO."""
    low.blocks.finish_at(ir.Jump(block_of_line(low, node.line), low.blocks.spot))


@lowers(st.Gosub)
def _gosub(low: Context, node: st.Gosub) -> None:
    """GOSUB."""
    back = low.blocks.fresh("back")
    low.blocks.finish_at(ir.Gosub(block_of_line(low, node.line), back, low.blocks.spot))
    low.blocks.enter(back)


@lowers(st.OnGo)
def _on_go(low: Context, node: st.OnGo) -> None:
    """ON … GOTO, ON … GOSUB; a number without a line is a BAD VALUE."""
    selector = values.whole(low, node.selector, 1, len(node.lines), xb.BAD_VALUE)
    lines = tuple(block_of_line(low, line) for line in node.lines)
    back = low.blocks.fresh("back") if node.gosub else None
    low.blocks.finish_at(ir.Switch(selector, lines, low.blocks.spot, back))
    if back is not None:
        low.blocks.enter(back)


@lowers(st.Return)
def _return(low: Context, node: st.Return) -> None:
    """RETURN from a GOSUB."""
    if node.next or node.line is not None:
        refuse("RETURN with more words is for ON ERROR")
    low.blocks.finish_at(ir.Return(low.names.scope.name, low.blocks.spot))


@lowers(st.End)
def _end(low: Context, _: st.Statement) -> None:
    """END, STOP."""
    low.blocks.finish_at(ir.Stop(low.blocks.spot))
