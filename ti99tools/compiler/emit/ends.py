"""Where a block goes on: jumps, GOSUB and RETURN, NEXT, CALL of a SUB, RUN, the end.

R10 points behind the top of the stack that GOSUB and FOR share.

Code goes on in another bank of the cartridge by routines of the runtime, in high memory. A bank is
named by the address that selects it when it is written to. On the stack of GOSUB the place in a
bank takes two words, both from >8000 on and below >A000: the address, and the bank on top. So
numbers of loops are below, and addresses in high memory above.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit import conditions, values, words
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.computer.console.compiledmemory import STACKED
from ti99tools.language.analysis.fixpoint import State
from ti99tools.language.analysis.intervals import NEGATED

_NO_LOOP = ">7F00"
"""The number of no variable: NEXT finds no loop of it."""


def go_across(e: Emission, to: str) -> None:
    """Go on at a block, wherever it is."""
    if e.near(to):
        e.out.jump("JMP", e.block_label(to))
        return
    e.out.op("BL", f"@{e.out.uses('FAR')}")
    e.out.op("DATA", f"{e.selector(e.home(to))},{e.block_label(to)}")


def stacked(e: Emission, block: str) -> list[str]:
    """The words of the stack of GOSUB that stand for a block, the last on top."""
    home, label = e.home(block), e.block_label(block)
    return [f"{label}+{STACKED}", f"{e.selector(home) + STACKED}"] if home else [label]


def emit_end(e: Emission, end: ir.End, state: State, after: str | None) -> bool:
    """Generate a block's end; tell whether control never falls through to what follows."""
    match end:
        case ir.Jump(to):
            return go(e, to, after)
        case ir.Branch():
            return branch(e, end, state, after)
        case ir.Next():
            _next(e, end)
        case ir.Gosub(to, back):
            return _gosub(e, to, back, after)
        case ir.Switch():
            _switch(e, end, state)
        case ir.Return(scope):
            _return(e, scope)
        case ir.Resume():
            _resume(e, end)
        case ir.Enter(sub, to, back):
            return _enter(e, sub, to, back, after)
        case ir.Leave(sub):
            _leave(e, sub)
        case ir.Rerun(to):
            bank = (f"{e.selector(e.home(to))}",) if e.banked else ()
            e.out.call("AGAIN", *bank, e.block_label(to))
        case ir.Stop(_, code, inside):
            with e.out.function(*inside) if inside else nullcontext():
                _stop(e, code)
    return True


def _leave(e: Emission, sub: str) -> None:
    number = e.code.subs.index(sub)
    if e.code.sets_warnings:
        e.out.op("MOV", f"@SW{number},@{e.out.uses('WRNHK')}")
    if not e.hot:
        e.out.call("LEAVE", f"SR{number}")
        return
    back = "R11" if e.banked else "R0"
    e.out.op("MOV", f"@SR{number},{back}")
    e.out.op("CLR", f"@SR{number}")
    e.out.op("MOV", f"@SB{number},R10")
    if e.banked:
        e.out.op("MOV", f"@SK{number},R0")
        e.out.op("B", f"@{e.out.uses('FARGO')}")
    else:
        e.out.op("B", "*R0")


def _stop(e: Emission, code: int | None) -> None:
    if code is not None:
        e.out.fail(code)
    else:
        e.out.op("BL", f"@{e.out.uses('DONE')}")


def go(e: Emission, to: str, after: str | None) -> bool:
    """Go on at a block; false if it comes next."""
    if to == after:
        return False
    go_across(e, to)
    return True


def branch(e: Emission, end: ir.Branch, state: State, after: str | None) -> bool:
    """Go on at one of two blocks; false if control may fall through."""
    then, otherwise, ranges = end.then, end.otherwise, e.kinds.ranges
    for other, truth in ((otherwise, True), (then, False)):
        # A condition that draws a number or may fail is calculated even if its result is known.
        if ranges.narrowed(end.condition, state, truth) is None and pure(end.condition):
            return go(e, other, after)
    typed = e.kinds.condition(end.condition, state)
    if then == otherwise:
        conditions.jump_if(e, typed, "", "")
        return go(e, then, after)
    if e.near_checks and then == after and typed.op in NEGATED:
        # One comparison is sharper than two jumps.
        typed, then, otherwise = replace(typed, op=NEGATED[typed.op]), otherwise, then
    true = "" if then == after else e.way(then)
    false = "" if otherwise == after else e.way(otherwise)
    conditions.jump_if(e, typed, true, false)
    return bool(true and false)


def _next(e: Emission, end: ir.Next) -> None:
    """Find the loop of a variable on the stack; go on by the number of its FOR."""
    if not end.cases:
        e.out.call("FINDLP", _NO_LOOP, stack_base(e, end.scope))
        return
    number, first = end.cases[0]
    if e.hot:
        # As a rule the loop on top is its own: one comparison saves the search.
        e.out.op("MOV", "@-2(R10),R0")
        e.out.op("CI", f"R0,{number}")
        e.out.jump("JEQ", e.way(first))
    # The high byte is the variable's number, which all its loops share.
    e.out.call("FINDLP", str(number & 0xFF00), stack_base(e, end.scope))
    for number, to in end.cases[1:]:
        e.out.op("CI", f"R0,{number}")
        e.out.jump("JEQ", e.way(to))
    go_across(e, first)


def _switch(e: Emission, end: ir.Switch, state: State) -> None:
    words.as_word(e, e.kinds.typed(end.selector, state), 1)
    if end.back is not None:
        push(e, *stacked(e, end.back))
    table = e.out.fresh()
    e.out.op("A", "R1,R1")
    # The selector counts from 1.
    e.out.op("MOV", f"@{table}-2(R1),R0")
    e.out.op("B", "*R0")
    e.out.label(table)
    e.out.op("DATA", ",".join(map(e.way, end.to)))


def _gosub(e: Emission, to: str, back: str, after: str | None) -> bool:
    if not e.hot and back == after:
        e.out.call("GOSUB", e.way(to))
        return False  # RETURN goes on after the call
    push(e, *stacked(e, back))
    _branch_to(e, to)
    return True


def _branch_to(e: Emission, to: str) -> None:
    """Go on at a block that is expected to be far away."""
    if e.near(to):
        e.out.op("B", f"@{e.block_label(to)}")
    else:
        go_across(e, to)


def _return(e: Emission, scope: str) -> None:
    if not e.hot:
        e.out.call("RETURN", stack_base(e, scope))
        return
    bad = e.out.failing(xb.RETURN_WITHOUT_GOSUB)
    again = e.out.fresh()
    e.out.label(again)
    if scope:
        e.out.op("C", f"R10,@SB{e.code.subs.index(scope)}")
    else:
        e.out.op("CI", "R10,STACK")
    e.out.jump("JEQ", bad)
    e.out.op("DECT", "R10")
    e.out.op("MOV", "*R10,R0")
    # Numbers of loops are positive words, addresses of code (from >A000 on) negative ones.
    if scope in e.code.stacked:  # loops that were left
        e.out.jump("JGT", again)
    if e.banked:
        e.out.op("CI", "R0,>A000")
        e.out.jump("JL", e.out.aside(lambda: e.out.op("B", f"@{e.out.uses('FARRET')}")))
    e.out.op("B", "*R0")


def _resume(e: Emission, end: ir.Resume) -> None:
    """RETURN from an error: the runtime finds its entry on the stack of the scope."""
    base = stack_base(e, end.scope)
    if end.to is not None:
        e.out.call("RETLIN", base, e.way(end.to))
    else:
        e.out.call("RETBAD" if end.fault else "RETNXT", base)


def _enter(e: Emission, sub: str, to: str, back: str, after: str | None) -> bool:
    number = e.code.subs.index(sub)
    if e.code.sets_warnings:
        e.out.op("MOV", f"@{e.out.uses('WRNHK')},@SW{number}")
    if not e.hot:
        e.out.call("ENTER", f"SR{number}", e.way(to))
        return go(e, back, after)  # SUBEND goes on after the call
    # Not 0 while the SUB runs: where it goes back to.
    # Messages name the line before the place to go back to: that is the block if it comes next.
    near = back == after and not e.banked
    landing = e.block_label(back) if near else e.out.fresh()
    e.out.op("LI", f"R0,{landing}")
    e.out.op("MOV", f"R0,@SR{number}")
    e.out.op("MOV", f"R10,@SB{number}")
    if e.out.section.number:
        e.out.op("LI", f"R0,{e.selector(e.out.section.number)}")
        e.out.op("MOV", f"R0,@SK{number}")
    _branch_to(e, to)
    if near:
        return True
    e.out.label(landing)
    return go(e, back, after)


def pure(expr: ir.Expr) -> bool:
    """Tell whether an expression has no effect and cannot fail, so that it may be left out."""
    return all(part.op in ("const", "var", *ir.COMPARISONS) for part in ir.walk(expr))


@emits("check step")
def _check_step(e: Emission, _: ir.Do, args: Args) -> None:
    """A step of 0 is a BAD VALUE."""
    bad = e.out.failing(xb.BAD_VALUE)
    e.out.call("CSGN", values.cell(e, args[0], 1))
    e.out.jump("JEQ", bad)


@emits("push loop")
def _push_loop(e: Emission, action: ir.Do, _: Args) -> None:
    push(e, f"{action.data}")


@emits("room")
def _room(e: Emission, action: ir.Do, _: Args) -> None:
    """A statement that has no room in Extended BASIC where so many GOSUBs are under way."""
    bad = e.out.failing(xb.MEMORY_FULL)
    e.out.op("CI", f"R10,STACK+{action.data * e.gosub_bytes}")
    e.out.jump("JH", bad)


@emits("pop loop")
def _pop_loop(e: Emission, _action: ir.Do, _: Args) -> None:
    e.out.op("DECT", "R10")


@emits("empty stack")
def _empty_stack(e: Emission, _action: ir.Do, _: Args) -> None:
    e.out.op("LI", "R10,STACK")


@emits("drop loop")
def _drop_loop(e: Emission, action: ir.Do, _: Args) -> None:
    number, scope = action.data
    e.out.call("DROPLP", str(number & 0xFF00), stack_base(e, scope))


def stack_base(e: Emission, scope: str) -> str:
    """The word that says where the stack of a scope begins."""
    if scope:
        return f"SB{e.code.subs.index(scope)}"
    e.out.uses("STKBAS")
    return "STKBAS"


def push(e: Emission, *words: str) -> None:
    """Push the place where RETURN goes on, or the number of a loop."""
    if not e.hot:
        for word in words:
            e.out.call("PUSHWD", word)
        return
    bad = e.out.failing(xb.MEMORY_FULL)
    e.out.op("CI", "R10,STKEND")
    e.out.jump("JHE", bad)
    for word in words:
        e.out.op("LI", f"R0,{word}")
        e.out.op("MOV", "R0,*R10+")
