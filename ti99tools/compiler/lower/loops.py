"""FOR and NEXT to blocks: which loops are well made, and which need the stack shared with GOSUB.

A loop that is well made (see `language.analysis.loops`) needs nothing on the stack: what a jump out
of it would leave there could only be found by its own NEXT, and only its FOR leads there. All other
loops are on the stack at run time, as in Extended BASIC.

FOR pushes the number of a loop that is on the stack. NEXT removes what lies above the loop of its
variable, and goes on by that number. A variable has at most one loop on the stack: FOR removes the
earlier one.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.ir import QUIET
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context, Loop, Loops
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import refuse
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import Flow
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

_MOST_ROUNDS = 30_000
"""The most rounds of an empty loop that the runtime waits for at once."""
_MOST_VARIABLES = 127
"""The most variables whose loops are on the stack: so these numbers differ from addresses."""


def find_loops(program: Analysis) -> Loops:
    """The loops of a program, as the analysis has matched them."""
    flow, known = program.flow, program.loops
    needing = {
        known.variables[at] for at in known.fors if at not in known.well_made and known.runs(at)
    }
    found = Loops()
    for at in known.fors:
        variable = known.variables[at]
        line, offset = spot = _spot(flow, at)
        name = f"{line}.{offset}"
        loop = Loop(name, variable[1], _is_empty(flow, at, variable[1]), variable in needing)
        end = known.ends.get(at)
        if end is not None and flow.nodes[end].scope == variable[0]:
            loop.ending, loop.ending_variable = _spot(flow, end), known.variables[end][1]
        found.by_for[spot] = loop
        if loop.stacked:
            found.stacked.setdefault(variable, []).append(loop)
        elif at in known.well_made:
            found.by_next[_spot(flow, known.well_made[at])] = loop
    for number, (_, own) in enumerate(sorted(found.stacked.items()), 1):
        for index, loop in enumerate(own):
            loop.number = 256 * number + index
    return found


def _spot(flow: Flow, at: int) -> ir.Spot:
    return flow.nodes[at].line, flow.nodes[at].statement.at


def _is_empty(flow: Flow, at: int, variable: str) -> bool:
    """Tell whether a loop has remarks at most before the NEXT of its variable."""
    node = flow.nodes[flow.nodes[at].ways[0]]
    while isinstance(node.statement, st.EmptyStatement):
        node = flow.nodes[node.ways[0]]
    return isinstance(node.statement, st.Next) and node.statement.variable == variable


@lowers(st.For)
def _for(low: Context, node: st.For) -> None:
    """FOR: control goes to the body, or to what follows the NEXT. Raises Refused."""
    if not isinstance(node.variable, nd.Variable) or node.start is None or node.limit is None:
        refuse("it fails with SYNTAX ERROR", "correct it")
    operands = [node.start, node.limit] + ([] if node.step is None else [node.step])
    if any(one.is_string for one in operands):
        refuse("it fails with STRING-NUMBER MISMATCH", "use numbers")
    name = values.plain_variable(low, node.variable)
    loop = low.loops.by_for[low.blocks.spot]
    if loop.stacked:
        if loop.number >= 256 * (_MOST_VARIABLES + 1):
            refuse("so many loops are not well made", "let each NEXT follow its FOR")
        low.blocks.do("drop loop", data=(loop.number, low.names.scope.name))
    start, limit = values.number(low, node.start), values.number(low, node.limit)
    step = ir.const(1) if node.step is None else values.number(low, node.step)
    if step.op == "const" and not step.data:
        refuse("it fails with BAD VALUE: the step is 0", "use another step")
    loop.limit = _kept(low, limit, f"limit of {loop.name}")
    loop.step = _kept(low, step, f"step of {loop.name}")
    if step.op != "const":
        low.blocks.do("check step", loop.step)
    if loop.empty:
        _delay(low, name, start, loop.limit, loop.step)
    else:
        low.blocks.assign(name, start)
    passed = _passed(ir.var(name), loop.limit, loop.step)
    loop.body, loop.after = low.blocks.fresh("body"), low.blocks.fresh("after")
    if not loop.stacked:
        low.blocks.finish_at(ir.Branch(passed, loop.after, loop.body, low.blocks.spot))
        low.blocks.enter(loop.body)
        return
    over = _skipped(low, loop)
    low.blocks.finish_at(ir.Branch(passed, over, loop.body, low.blocks.spot))
    low.blocks.enter(loop.body)
    if loop.ending is not None:
        low.blocks.do("push loop", data=loop.number)
    # The block before pushes the loop; rounds after the first leave that out.
    low.blocks.enter(f"{loop.body} again")


def _kept(low: Context, value: ir.Expr, word: str) -> ir.Expr:
    """A constant, or a variable that holds a value."""
    if value.op == "const":
        return value
    kept = low.names.hidden(word)
    low.blocks.assign(kept, value)
    return ir.var(kept)


def _skipped(low: Context, loop: Loop) -> str:
    """The block where a loop on the stack that is not entered goes on, or an error."""
    if loop.ending is not None and loop.ending_variable == loop.variable:
        return _after_next(low, loop.ending)
    name = low.blocks.fresh("no next")
    spot = loop.ending or low.blocks.spot
    low.blocks.put(name, ir.Stop(spot, xb.FOR_NEXT_NESTING))
    return name


def _after_next(low: Context, spot: ir.Spot) -> str:
    return low.names.block(f"after {spot[0]}.{spot[1]}")


def _delay(low: Context, name: str, start: ir.Expr, limit: ir.Expr, step: ir.Expr) -> None:
    """A loop with nothing in it takes the time that it takes in Extended BASIC.

    The variable is set to what it has in the last round; NEXT then goes on.
    """
    bounds = [part.data for part in (start, limit, step) if part.op == "const"]
    if len(bounds) == 3 and all(isinstance(bound, int) for bound in bounds):
        rounds = (limit.data - start.data) // step.data + 1
        if rounds >= 1:
            for _ in range(rounds // _MOST_ROUNDS):
                low.blocks.do("delay", ir.const(_MOST_ROUNDS))
            low.blocks.do("delay", ir.const(rounds % _MOST_ROUNDS))
            low.blocks.assign(name, ir.const(start.data + (rounds - 1) * step.data))
            return
        low.blocks.assign(name, start)
        return
    low.blocks.assign(name, start)
    left = ir.Expr("sub", (limit, ir.var(name)))
    whole = ir.Expr("int", (left,))
    if step.op != "const" or step.data != 1:
        whole = ir.Expr("quot", (left, step), ir.Expr("int", (ir.Expr("div", (left, step)),)))
    count = ir.Expr("add", (whole, ir.const(1)))
    count = ir.Expr("max", (ir.const(0), ir.Expr("min", (ir.const(_MOST_ROUNDS), count))))
    low.blocks.do("delay", ir.Expr("round", (count,), (0, _MOST_ROUNDS, xb.BAD_VALUE)))


@lowers(st.Next)
def _next(low: Context, node: st.Next) -> None:
    """NEXT: the variable moves on; the body again unless it has passed the limit."""
    loop = low.loops.by_next.get(low.blocks.spot)
    if loop is not None:
        if not loop.after:  # its FOR is refused
            return
        _round(low, loop)
        low.blocks.enter(loop.after)
        return
    after = _after_next(low, low.blocks.spot)
    own = low.loops.stacked.get((low.names.scope.name, node.variable), [])
    cases = [(one.number, low.blocks.fresh("next")) for one in own if one.ending is not None]
    spot = low.blocks.spot
    if not cases:
        low.blocks.finish_at(ir.Stop(spot, xb.NEXT_WITHOUT_FOR))
    else:
        low.blocks.finish_at(ir.Next(low.names.scope.name, tuple(cases), spot))
        low.waiting.append(lambda: _cases(low, own, dict(cases), after, spot))
    low.blocks.enter(after)


def _cases(low: Context, own: list[Loop], cases: dict[int, str], after: str, spot: ir.Spot) -> None:
    """What NEXT does with each loop that it may find on the stack: once all FORs are lowered."""
    for loop in own:
        if loop.number not in cases:
            continue
        low.blocks.spot = spot
        low.blocks.enter(cases[loop.number])
        if not loop.body:
            low.blocks.finish_at(ir.Stop(spot, xb.NEXT_WITHOUT_FOR))
            continue
        off = low.blocks.fresh("off")
        _round(low, loop, off)
        low.blocks.enter(off)
        low.blocks.do("pop loop")
        low.blocks.finish_at(ir.Jump(after, spot))


def _round(low: Context, loop: Loop, after: str = "") -> None:
    assert loop.limit is not None
    assert loop.step is not None
    name = low.names.full(loop.variable)
    low.blocks.assign(name, ir.Expr("add", (ir.var(name), loop.step), QUIET))
    passed = _passed(ir.var(name), loop.limit, loop.step)
    # A loop on the stack goes on after the push: its number is still there.
    body = f"{loop.body} again" if loop.stacked else loop.body
    low.blocks.finish_at(ir.Branch(passed, after or loop.after, body, low.blocks.spot))


def _passed(name: ir.Expr, limit: ir.Expr, step: ir.Expr) -> ir.Expr:
    """Tell whether a loop's variable has passed its limit."""
    if step.op != "const":
        return ir.Expr("passed", (name, limit, step))
    return ir.Expr("gt" if step.data > 0 else "lt", (name, limit))
