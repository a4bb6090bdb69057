"""FOR and NEXT to blocks: limit and step are kept in variables of their own.

Of a loop on the stack the number of its FOR is pushed; NEXT takes off what lies above the loop of
its variable and goes on by that number. A variable has one loop at most on the stack: FOR takes off
the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.ir import QUIET
from ti99tools.compiler.lowering_loops import Loop
from ti99tools.compiler.refusing import refuse
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

if TYPE_CHECKING:
    from ti99tools.compiler.lowering import Lowering

_MOST_ROUNDS = 30_000
"""Of an empty loop that the runtime waits for at once."""
_MOST_VARIABLES = 127
"""Whose loops are on the stack: their numbers stay below those of addresses."""


def lower_for(low: Lowering, node: st.For) -> None:
    """FOR: the body, or what follows the NEXT. Raises Refused."""
    if not isinstance(node.variable, nd.Variable) or node.start is None or node.limit is None:
        refuse("it fails with SYNTAX ERROR", "correct it")
    operands = [node.start, node.limit] + ([] if node.step is None else [node.step])
    if any(one.is_string for one in operands):
        refuse("it fails with STRING-NUMBER MISMATCH", "use numbers")
    name = low.values.plain_variable(node.variable)
    loop = low.loops.by_for[low.spot]
    if loop.stacked:
        if loop.number >= 256 * (_MOST_VARIABLES + 1):
            refuse("so many loops are not well made", "let each NEXT follow its FOR")
        low.do("drop loop", data=(loop.number, loop.scope))
    start, limit = low.values.number(node.start), low.values.number(node.limit)
    step = ir.const(1) if node.step is None else low.values.number(node.step)
    if step.op == "const" and not step.data:
        refuse("it fails with BAD VALUE: the step is 0", "use another step")
    loop.limit = _kept(low, limit, f"limit of {loop.name}")
    loop.step = _kept(low, step, f"step of {loop.name}")
    if step.op != "const":
        low.do("check step", loop.step)
    if loop.empty:
        _delay(low, name, start, loop.limit, loop.step)
    else:
        low.assign(name, start)
    passed = _passed(ir.var(name), loop.limit, loop.step)
    loop.body, loop.after = low.fresh("body"), low.fresh("after")
    if not loop.stacked:
        low.finish_at(ir.Branch(passed, loop.after, loop.body, low.spot))
        low.enter(loop.body)
        return
    over = _skipped(low, loop)
    low.finish_at(ir.Branch(passed, over, loop.body, low.spot))
    low.enter(loop.body)
    if loop.ending is not None:
        low.do("push loop", data=loop.number)
    low.enter(f"{loop.body} again")


def _kept(low: Lowering, value: ir.Expr, word: str) -> ir.Expr:
    """A constant, or a variable that holds a value."""
    if value.op == "const":
        return value
    kept = low.hidden(word)
    low.assign(kept, value)
    return ir.var(kept)


def _skipped(low: Lowering, loop: Loop) -> str:
    """The block where a loop on the stack that is not entered goes on, or an error."""
    if loop.ending is not None and loop.ending_variable == loop.variable:
        return _after_next(low, loop.ending)
    name = low.fresh("no next")
    spot = loop.ending or low.spot
    low.put(name, ir.Stop(spot, xb.FOR_NEXT_NESTING))
    return name


def _after_next(low: Lowering, spot: ir.Spot) -> str:
    return low.own(f"after {spot[0]}.{spot[1]}")


def _delay(low: Lowering, name: str, start: ir.Expr, limit: ir.Expr, step: ir.Expr) -> None:
    """A loop with nothing in it takes the time that it takes in Extended BASIC.

    The variable is set to what it has in the last round; NEXT then goes on.
    """
    bounds = [part.data for part in (start, limit, step) if part.op == "const"]
    if len(bounds) == 3 and all(isinstance(bound, int) for bound in bounds):
        rounds = (limit.data - start.data) // step.data + 1
        if rounds >= 1:
            for _ in range(rounds // _MOST_ROUNDS):
                low.do("delay", ir.const(_MOST_ROUNDS))
            low.do("delay", ir.const(rounds % _MOST_ROUNDS))
            low.assign(name, ir.const(start.data + (rounds - 1) * step.data))
            return
        low.assign(name, start)
        return
    low.assign(name, start)
    left = ir.Expr("sub", (limit, ir.var(name)))
    whole = ir.Expr("int", (left,))
    if step.op != "const" or step.data != 1:
        whole = ir.Expr("quot", (left, step), ir.Expr("int", (ir.Expr("div", (left, step)),)))
    count = ir.Expr("add", (whole, ir.const(1)))
    count = ir.Expr("max", (ir.const(0), ir.Expr("min", (ir.const(_MOST_ROUNDS), count))))
    low.do("delay", ir.Expr("round", (count,), (0, _MOST_ROUNDS, xb.BAD_VALUE)))


def lower_next(low: Lowering, node: st.Next) -> None:
    """NEXT: the variable moves on; the body again unless it has passed the limit."""
    loop = low.loops.by_next.get(low.spot)
    if loop is not None:
        if not loop.after:  # its FOR is refused
            return
        _round(low, loop)
        low.enter(loop.after)
        return
    after = _after_next(low, low.spot)
    own = low.loops.stacked.get((low.scope.name, node.variable), [])
    cases = [(one.number, low.fresh("next")) for one in own if one.ending is not None]
    spot = low.spot
    if not cases:
        low.finish_at(ir.Stop(spot, xb.NEXT_WITHOUT_FOR))
    else:
        low.finish_at(ir.Next(low.scope.name, tuple(cases), spot))
        low.later(lambda: _cases(low, own, dict(cases), after, spot))
    low.enter(after)


def _cases(
    low: Lowering, own: list[Loop], cases: dict[int, str], after: str, spot: ir.Spot
) -> None:
    """What NEXT does with each loop that it may find on the stack: once all FORs are lowered."""
    for loop in own:
        if loop.number not in cases:
            continue
        low.spot = spot
        low.enter(cases[loop.number])
        if not loop.body:
            low.finish_at(ir.Stop(spot, xb.NEXT_WITHOUT_FOR))
            continue
        off = low.fresh("off")
        _round(low, loop, off)
        low.enter(off)
        low.do("pop loop")
        low.finish_at(ir.Jump(after, spot))


def _round(low: Lowering, loop: Loop, after: str = "") -> None:
    assert loop.limit is not None and loop.step is not None
    name = low.full_name(low.scope, loop.variable)
    low.assign(name, ir.Expr("add", (ir.var(name), loop.step), QUIET))
    passed = _passed(ir.var(name), loop.limit, loop.step)
    # A loop on the stack goes on at the body proper: its frame lies there still.
    body = f"{loop.body} again" if loop.stacked else loop.body
    low.finish_at(ir.Branch(passed, after or loop.after, body, low.spot))


def _passed(name: ir.Expr, limit: ir.Expr, step: ir.Expr) -> ir.Expr:
    """Tell whether a loop's variable has passed its limit."""
    if step.op != "const":
        return ir.Expr("passed", (name, limit, step))
    return ir.Expr("gt" if step.data > 0 else "lt", (name, limit))
