"""FOR and NEXT to blocks: which loops are well made, and which need the stack shared with GOSUB.

A loop that is well made (see `language.analysis.loop_matching`) needs nothing on the stack: what a
jump out of it would leave there could only be found by its own NEXT, and only its FOR leads there.
All other loops are on the stack at run time, as in Extended BASIC.

FOR pushes the number of a loop that is on the stack. NEXT removes what lies above the loop of its
variable, and goes on by that number. A variable has at most one loop on the stack: FOR removes the
earlier one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.actions import expression_fails
from ti99tools.compiler.ir import QUIET
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.assigning import store_in, within_range
from ti99tools.compiler.lower.context import Context, Loop, Loops
from ti99tools.compiler.lower.pacing import note_whole, whole_counting
from ti99tools.compiler.lower.places import block_after, block_at, name_of
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail, refuse
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import END, Flow, Node
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import Cursor

_MOST_ROUNDS = 30_000
"""The most rounds of an empty loop that the runtime waits for at once."""
_MOST_VARIABLES = 127
"""The most variables whose loops are on the stack: so these numbers differ from addresses."""
_OPTIONS = (tk.BREAK, tk.WARNING, tk.RETURN)
"""What stands before a NEXT that is not a statement."""


def find_loops(program: Analysis) -> Loops:
    """The loops of a program, as the analysis has matched them."""
    flow, known = program.flow, program.loops
    unsure = any(_crosses(flow, node) for node in flow.nodes) or _lacks_loops(program)
    needing = {
        known.variables[at]
        for at in known.fors
        if unsure or (at not in known.well_made and known.runs(at))
    }
    found = Loops()
    for at in known.fors:
        variable = known.variables[at]
        line, offset = spot = _spot(flow, at)
        name = f"{line}.{offset}"
        stacked = variable in needing or at not in known.well_made
        loop = Loop(name, variable[1], _is_empty(flow, at, variable[1]), stacked)
        end = known.ends.get(at)
        if end is not None and flow.nodes[end].scope == variable[0]:
            loop.ending, loop.ending_variable = _spot(flow, end), known.variables[end][1]
        found.by_for[spot] = loop
        if loop.stacked:
            found.stacked.setdefault(variable, []).append(loop)
        else:
            found.by_next[_spot(flow, known.well_made[at])] = loop
    for number, (_, own) in enumerate(sorted(found.stacked.items()), 1):
        for index, loop in enumerate(own):
            loop.number = 256 * number + index
    return found


def _crosses(flow: Flow, node: Node) -> bool:
    """Tell whether a statement goes to a line of another scope."""
    aims = (flow.nodes[at] for at in (*node.ways, *node.calls) if at != END)
    return any(aim.scope != node.scope for aim in aims)


def _lacks_loops(program: Analysis) -> bool:
    """Tell whether a FOR or NEXT comes after a GOTO, or after wrong syntax, in its line.

    A loop that is over at once may go on after it. The description of the program lacks that.
    """
    nodes = program.flow.nodes
    known = Counter(node.line for node in nodes if isinstance(node.statement, st.For | st.Next))
    return any(
        tokens.count(tk.FOR) + tokens.count(tk.NEXT) > known[line]
        and sum(1 for _ in _bounds(tokens)) > known[line]
        for line, tokens in program.tokens.items()
    )


def _bounds(tokens: bytes, at: int = 0) -> Iterator[Cursor]:
    """The FORs and NEXTs of a line from an offset on: a cursor at each."""
    cursor = Cursor(tokens, at)
    before = 0
    while cursor.token:
        if cursor.token == tk.FOR or (cursor.token == tk.NEXT and before not in _OPTIONS):
            yield cursor
        before = cursor.token
        cursor.step()


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
    """FOR: control goes to the body, or to what follows the NEXT. Raises Refused, Fails."""
    if not isinstance(node.variable, nd.Variable):
        return
    place = values.place(low, node.variable)
    if node.start is None:
        return
    loop = loop_at(low, low.blocks.spot, node.variable.name)
    if loop.stacked:
        if loop.number >= 256 * (_MOST_VARIABLES + 1):
            refuse("so many loops are not well made", "let each NEXT follow its FOR")
        low.blocks.do("drop loop", data=(loop.number, low.names.scope.name))
    operands = _operands(low, node, loop)
    if operands is None:
        return
    start, limit, step = operands
    if node.step is not None and node.step.is_string:
        fail(xb.STRING_NUMBER_MISMATCH, "use numbers")
    if step.op == "const" and not step.data:
        fail(xb.BAD_VALUE, "use a step other than 0")
    if not node.start.is_string and _is_noticed(start) and any(map(_is_noticed, (limit, step))):
        start = _kept(low, start, f"start of {loop.name}")
    loop.limit = _kept(low, limit, f"limit of {loop.name}")
    loop.step = _kept(low, step, f"step of {loop.name}")
    loop.counting = whole_counting(low, node)
    if step.op != "const":
        low.blocks.do("check step", loop.step)
    if node.start.is_string:
        _string_start(low, loop)
    if loop.empty and low.whole is None:
        _delay(low, place, start, loop.limit, loop.step)
    else:
        store_in(low, place, start)
    _enter(low, loop, _passed(values.held(place), loop.limit, loop.step))


def _is_noticed(value: ir.Expr) -> bool:
    """Tell whether it shows when a value is calculated: it may fail, or draws a number."""
    draws = any(part.op in ("rnd", "randint") for part in ir.walk(value))
    return draws or expression_fails(value)


def _operands(low: Context, node: st.For, loop: Loop) -> tuple[ir.Expr, ir.Expr, ir.Expr] | None:
    """Start, limit and step; None if wrong syntax follows them.

    A FOR that fails here leaves a loop on the stack that is over at its NEXT.
    """
    nodes = [one for one in (node.start, node.limit, node.step) if one is not None]
    half = low.handling and loop.stacked and not all(_is_sure(low, one) for one in nodes)
    if half:
        low.blocks.do("push loop", data=loop.number | ir.HALF)
        low.loops.half.add((low.names.scope.name, loop.variable))
    found = [values.of_any_type(low, one) for one in nodes]
    if half:
        words = ("start", "limit", "step")
        found = [
            one if one.is_text else _kept(low, one, f"{word} of {loop.name}")
            for one, word in zip(found, words, strict=False)
        ]
        low.blocks.do("pop loop")
    if node.fault is not None or len(found) < 2:
        return None
    if node.limit is not None and node.limit.is_string:
        fail(xb.STRING_NUMBER_MISMATCH, "use numbers")
    return found[0], found[1], found[2] if len(found) > 2 else ir.const(1)


def _is_sure(low: Context, node: nd.Expression) -> bool:
    """Tell whether this is a number or a variable."""
    if not isinstance(node, nd.Variable):
        return isinstance(node, nd.Number)
    symbol = low.names.scope.symbols.get(node.name)
    return symbol is not None and symbol.function is None


def _string_start(low: Context, loop: Loop) -> None:
    """A start that is a string is noticed last, when the loop is on the stack: NEXT goes round."""
    if loop.stacked:
        low.blocks.do("push loop", data=loop.number)
        loop.body = low.blocks.fresh("body")
        low.blocks.put(_again(loop), ir.Jump(block_after(low, low.blocks.spot), low.blocks.spot))
    fail(xb.STRING_NUMBER_MISMATCH, "use numbers")


def _enter(low: Context, loop: Loop, passed: ir.Expr) -> None:
    """Go to the body, or to what follows the NEXT."""
    loop.body, loop.after = low.blocks.fresh("body"), low.blocks.fresh("after")
    if not loop.stacked:
        low.blocks.finish_at(ir.Branch(passed, loop.after, loop.body, low.blocks.spot))
        low.blocks.enter(loop.body)
        return
    over = _skipped(low, loop)
    low.blocks.finish_at(ir.Branch(passed, over, loop.body, low.blocks.spot))
    low.blocks.enter(loop.body)
    low.blocks.do("push loop", data=loop.number)
    # The block before pushes the loop; rounds after the first leave that out.
    low.blocks.enter(_again(loop))


def _again(loop: Loop) -> str:
    return f"{loop.body} again"


def loop_at(low: Context, spot: ir.Spot, variable: str) -> Loop:
    """The loop of a FOR.

    One in a line of another scope has a loop for the current one; so has one that the description
    of the program lacks, because control comes to it after an error only.
    """
    known = low.loops.by_for.get(spot)
    if known is not None and low.is_own(spot[0]):
        if known.stacked:
            described = known.ending
            _find_ending(low, known, spot)
            known.ending_hidden |= known.ending != described
        return known
    key = (low.names.variant, spot)
    if key not in low.loops.elsewhere:
        own = low.loops.stacked.setdefault((low.names.scope.name, variable), [])
        first = own[0].number if own else 256 * len(low.loops.stacked)
        loop = Loop(
            f"{spot[0]}.{spot[1]} elsewhere", variable, known is not None and known.empty, True
        )
        loop.number = first + len(own)
        _find_ending(low, loop, spot)
        low.loops.elsewhere[key] = loop
        own.append(loop)
    return low.loops.elsewhere[key]


def _find_ending(low: Context, loop: Loop, spot: ir.Spot) -> None:
    """Find the NEXT that closes a loop in the order of the text, whatever comes before it."""
    line: int | None = spot[0]
    at, depth = spot[1] + 1, 1
    while line is not None and low.scopes[line] == low.scopes[spot[0]]:
        for cursor in _bounds(low.program.tokens[line], at):
            depth += 1 if cursor.token == tk.FOR else -1
            if not depth:
                loop.ending = (line, cursor.at)
                cursor.step()
                loop.ending_variable = cursor.name()
                return
        line, at = low.following.get(line), 0


def _kept(low: Context, value: ir.Expr, word: str) -> ir.Expr:
    """A constant, or a variable that holds a value."""
    return value if value.op == "const" else low.held(word, value)


def _skipped(low: Context, loop: Loop) -> str:
    """The block where a loop on the stack that is not entered goes on, or an error."""
    if loop.ending is not None and loop.ending_variable == loop.variable:
        own = low.is_own(loop.ending[0])
        if own and (low.handling or loop.ending_hidden):
            block_at(low, *loop.ending)  # a GOTO before it may be the end of what is met
        return _after_next(low, loop.ending) if own else block_after(low, loop.ending)
    name = low.blocks.fresh("no next")
    spot = loop.ending or low.blocks.spot
    low.blocks.put(name, ir.Stop(spot, xb.FOR_NEXT_NESTING))
    return name


def _after_next(low: Context, spot: ir.Spot) -> str:
    return "after " + name_of(low, *spot)


def _delay(low: Context, place: ir.Target, start: ir.Expr, limit: ir.Expr, step: ir.Expr) -> None:
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
            low.blocks.store_at(place, ir.const(start.data + (rounds - 1) * step.data))
            return
        low.blocks.store_at(place, start)
        return
    steps = [part.data for part in (start, step) if part.op == "const"]
    slow = step.op == "const" and not all(isinstance(each, int) for each in steps)
    if start.op == step.op == "const" and step.data == 1 and not slow:
        last = ir.Expr("min", (ir.const(start.data + _MOST_ROUNDS - 1), ir.Expr("int", (limit,))))
        low.blocks.store_at(place, ir.Expr("max", (start, last)))
        held = values.held(place)
        _wait(low, held if start.data == 1 else ir.Expr("sub", (held, ir.const(start.data - 1))))
        return
    low.blocks.store_at(place, start)
    left = ir.Expr("sub", (limit, values.held(place)))
    whole = ir.Expr("int", (left,))
    if slow:
        # Its rounds, with fractions, take half the time themselves.
        whole = ir.Expr("int", (ir.Expr("div", (left, ir.const(step.data + step.data))),))
    elif step.op != "const" or step.data != 1:
        whole = ir.Expr("quot", (left, step), ir.Expr("int", (ir.Expr("div", (left, step)),)))
    count = ir.Expr("min", (ir.const(_MOST_ROUNDS), ir.Expr("add", (whole, ir.const(1)))))
    _wait(low, ir.Expr("max", (ir.const(0), count)))


def _wait(low: Context, rounds: ir.Expr) -> None:
    """Wait as long as so many rounds of an empty loop take."""
    low.blocks.do("delay", ir.Expr("round", (rounds,), (0, _MOST_ROUNDS, xb.BAD_VALUE)))


@lowers(st.Next)
def _next(low: Context, node: st.Next) -> None:
    """NEXT: the variable moves on; the body again unless it has passed the limit."""
    spot = low.blocks.spot
    symbol = low.names.scope.symbols.get(node.variable)
    if symbol is None or symbol.function is not None or symbol.is_string:
        fail(xb.NEXT_WITHOUT_FOR)
    loop = low.loops.by_next.get(spot) if low.is_own(spot[0]) else None
    if loop is not None:
        if not loop.after:  # its FOR is refused, or fails
            return
        _round(low, loop)
        low.blocks.enter(loop.after)
        return
    end = ir.Next(low.names.scope.name, (), spot)
    low.blocks.finish_at(end)
    after = _after_next(low, spot)
    low.waiting.append(lambda: _cases(low, node.variable, end, after))
    low.blocks.enter(after)


def _cases(low: Context, variable: str, end: ir.Next, after: str) -> None:
    """What NEXT does with each loop that it may find on the stack: once all FORs are lowered."""
    key = (low.names.scope.name, variable)
    low.blocks.spot = end.spot
    cases = []
    for loop in low.loops.stacked.get(key, []):
        if loop.body:
            cases.append((loop.number, low.blocks.fresh("next")))
            low.blocks.enter(cases[-1][1])
            off = low.blocks.fresh("off")
            _round(low, loop, off)
            low.blocks.enter(off)
            _off(low, end, after)
    if key in low.loops.half:
        number = low.loops.stacked[key][0].number
        cases.append((number | ir.HALF, low.blocks.fresh("next")))
        low.blocks.enter(cases[-1][1])
        _off(low, end, after)
    end.cases = tuple(cases)


def _off(low: Context, end: ir.Next, after: str) -> None:
    low.blocks.do("pop loop")
    low.blocks.finish_at(ir.Jump(after, end.spot))


def _round(low: Context, loop: Loop, after: str = "") -> None:
    assert loop.limit is not None
    assert loop.step is not None
    place = values.place(low, nd.Variable(loop.variable))
    held = values.held(place)
    within = within_range(low, place, held)
    note_whole(low, loop.counting)
    low.blocks.store_at(place, ir.Expr("add", (within, loop.step), QUIET))
    passed = _passed(held, loop.limit, loop.step)
    # A loop on the stack goes on after the push: its number is still there.
    body = _again(loop) if loop.stacked else loop.body
    if place not in low.declared:
        low.blocks.finish_at(ir.Branch(passed, after or loop.after, body, low.blocks.spot))
        return
    # A loop may leave its variable beyond its RANGE, but no other round has it so.
    further = low.blocks.fresh("further")
    low.blocks.finish_at(ir.Branch(passed, after or loop.after, further, low.blocks.spot))
    low.blocks.enter(further)
    store_in(low, place, held)
    low.blocks.finish_at(ir.Jump(body, low.blocks.spot))


def _passed(name: ir.Expr, limit: ir.Expr, step: ir.Expr) -> ir.Expr:
    """Tell whether a loop's variable has passed its limit."""
    if step.op != "const":
        return ir.Expr("passed", (name, limit, step))
    return ir.Expr("gt" if step.data > 0 else "lt", (name, limit))
