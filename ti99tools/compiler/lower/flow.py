"""Where control goes: IF, GOTO, GOSUB, ON, RETURN, END."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.pacing import on_the_way, ways_from_if
from ti99tools.compiler.lower.places import block_after, block_after_line, block_of_line
from ti99tools.compiler.lower.statements import lowers, statements
from ti99tools.compiler.refusing import fail
from ti99tools.language.syntax import statements as st


@lowers(st.If)
def _if(low: Context, node: st.If) -> None:
    """IF … THEN … ELSE …: what follows in the line belongs to a branch."""
    number, _ = spot = low.blocks.spot
    condition = values.number(low, node.condition)
    if node.then is None:
        return
    after = block_after_line(low, number)
    ways = ways_from_if(low, node)
    branches = (node.then, node.otherwise)
    names = [_branch(low, branch, after) for branch in branches]
    for at, (branch, cycles) in enumerate(zip(branches, ways, strict=True)):
        if isinstance(branch, st.Jump) or (branch is None and cycles):
            names[at] = on_the_way(low, names[at], cycles)
    low.blocks.finish_at(ir.Branch(condition, names[0], names[1], spot))
    for branch, name, cycles in zip(branches, names, ways, strict=True):
        if isinstance(branch, tuple):
            low.blocks.enter(name)
            low.blocks.note_time(cycles)
            if branch and branch[0].at == node.at:  # what follows THEN and a line is wrong
                low.blocks.finish(ir.Stop(spot, branch[0].fault))
                continue
            statements(low, number, branch)
            low.blocks.finish(ir.Jump(after, low.blocks.spot))


def _branch(low: Context, branch: st.Branch | None, after: str) -> str:
    """The block of a branch. A line that is missing is an error on the way to it only."""
    if branch is None:
        return after
    if not isinstance(branch, st.Jump):
        return low.blocks.fresh("if")
    if branch.line in low.program.tokens:
        return block_of_line(low, branch.line)
    return lost(low, low.blocks.spot)


def lost(low: Context, spot: ir.Spot) -> str:
    """A block where a statement fails because it names a line that is missing."""
    name = low.blocks.fresh("lost")
    low.blocks.put(name, ir.Stop(spot, xb.LINE_NOT_FOUND))
    low.blocks.code.failing.append((spot, xb.LINE_NOT_FOUND, "name a line that is there"))
    return name


@lowers(st.Goto)
def _goto(low: Context, node: st.Goto) -> None:
    """GOTO."""
    low.blocks.finish_at(ir.Jump(block_of_line(low, node.line), low.blocks.spot))


@lowers(st.Gosub)
def _gosub(low: Context, node: st.Gosub) -> None:
    """GOSUB; a line that is missing is noticed when its entry is on the stack."""
    spot = low.blocks.spot
    to = block_of_line(low, node.line) if node.line in low.program.tokens else lost(low, spot)
    low.blocks.finish_at(ir.Gosub(to, block_after(low, spot), spot))


@lowers(st.OnGo)
def _on_go(low: Context, node: st.OnGo) -> None:
    """ON … GOTO, ON … GOSUB; a number without a line is a BAD VALUE."""
    spot = low.blocks.spot
    selector = values.number(low, node.selector)
    if not node.lines:
        low.blocks.do("calculate", _selector(_at_most(selector, 1), 1))
        if node.fault is not None:
            fail(node.fault, "name lines")
        return
    lines = tuple(
        block_of_line(low, line) if line in low.program.tokens else lost(low, spot)
        for line in node.lines
    )
    # What follows the list is looked at only beyond it. GOSUB has pushed its entry by then, which
    # matters where the program goes on.
    if node.fault is not None or (node.gosub and low.handling):
        lines += (_wrong(low, spot, node.fault or xb.BAD_VALUE),)
        selector = _at_most(selector, len(lines))
    back = block_after(low, spot) if node.gosub else None
    low.blocks.finish_at(ir.Switch(_selector(selector, len(lines)), lines, spot, back))


def _selector(value: ir.Expr, most: int) -> ir.Expr:
    return ir.Expr("round", (value,), (1, most, xb.BAD_VALUE))


def _at_most(value: ir.Expr, most: int) -> ir.Expr:
    return ir.Expr("min", (value, ir.const(most)))


def _wrong(low: Context, spot: ir.Spot, code: int) -> str:
    name = low.blocks.fresh("wrong")
    low.blocks.put(name, ir.Stop(spot, code))
    return name


@lowers(st.Return)
def _return(low: Context, node: st.Return) -> None:
    """RETURN from a GOSUB or from an error; with more words from an error only."""
    spot, scope = low.blocks.spot, low.names.scope.name
    if not (node.next or node.line is not None or node.fault is not None):
        low.blocks.finish_at(ir.Return(scope, spot))
    elif not low.handling:
        fail(xb.RETURN_WITHOUT_GOSUB, "use it in lines that ON ERROR names")
    elif node.line is None:
        low.blocks.finish_at(ir.Resume(scope, spot, fault=node.fault is not None))
    else:
        there = node.line in low.program.tokens
        to = block_of_line(low, node.line) if there else lost(low, spot)
        low.blocks.finish_at(ir.Resume(scope, spot, to))


@lowers(st.EmptyStatement)
def _empty(low: Context, node: st.EmptyStatement) -> None:
    """A remark, or nothing; the machine stands still at a second empty statement in a row."""
    if node.hangs:
        low.blocks.do("stand still")
        low.blocks.finish_at(ir.Stop(low.blocks.spot))


@lowers(st.End)
def _end(low: Context, _: st.Statement) -> None:
    """END, STOP."""
    low.blocks.finish_at(ir.Stop(low.blocks.spot))
