"""The stack that GOSUB and FOR share, and checks of loops. R10 points behind its top."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission


@emits("check step")
def _check_step(e: Emission, _: ir.Do, args: Args) -> None:
    """A step of 0 is a BAD VALUE."""
    bad = e.out.failing(xb.BAD_VALUE)
    e.out.call("CSGN", values.cell(e, args[0], 1))
    e.out.jump("JEQ", bad)


@emits("push loop")
def _push_loop(e: Emission, action: ir.Do, _: Args) -> None:
    push(e, f"{action.data}")


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
