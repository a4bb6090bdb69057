"""FOR and NEXT.

A loop with its NEXT in the usual place becomes a Python loop inside the block in which it begins.
The loop is on the program's stack all the same: whatever leaves the Python loop (GOTO, GOSUB, an
error, a pause) finds everything in its place, and the loop goes on as a block of its own, which
begins at the body's first statement: `line120_loop`.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.language import FOR, FOR_SKIPPED, FOR_STEP, NEXT
from ti99tools.base.record import Record
from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
from ti99tools.computer.interp.compile.emit.registry import costs, emits
from ti99tools.computer.interp.compile.emit.variable_code import PythonValue, VariableText
from ti99tools.computer.interp.compile.timing import Timing, counting
from ti99tools.computer.interp.compile.units import (
    BODY,
    LIMIT,
    LOOP_BODY,
    SPENT,
    STEP,
    Listing,
    StatementPlace,
)
from ti99tools.language.analysis.constants import integer
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import Cursor
from ti99tools.language.syntax.nodes import Variable
from ti99tools.language.syntax.statements import every_statement


class PythonLoop(Record):
    """A loop that is written as a Python loop: operands, start of the body, place of its NEXT."""

    variable: str
    limit: PythonValue
    step: PythonValue
    body: StatementPlace
    next: StatementPlace


@emits(st.For, cycles=FOR)
def for_(e: BlockEmitter, node: st.For) -> None:
    """FOR: start, limit and step are evaluated, then the variable is set.

    A running loop of the same variable is dropped before that. A start that is a string is noticed
    last, when the loop is on the stack; see `half_loop` for other failures.
    """
    if not isinstance(node.variable, Variable):
        return
    slot = e.slot(node.variable)
    if not slot.good:
        e.line(slot.load)
        e.stop()
        return
    if node.start is not None:
        e.line(f"if frames: drop_loop({node.variable.name!r})")
    e.check_memory(node)
    values = _operands(e, node)
    if node.fault is not None or len(values) < 3:
        return
    start, limit, step = values
    if not _step_is_good(e, node, step):
        return
    body = e.flow.back
    if node.start is not None and node.start.is_string:
        _push(e, f"{node.variable.name!r}, {limit}, {step}, {e.block(body)}, {body}, 0")
        _no_loop(e, xb.STRING_NUMBER_MISMATCH)
        return
    e.line(slot.store(start.source))
    ends = find_next(e.listing, body)
    variable = node.variable.name
    if ends is not None and _fits(e, variable, body, ends[0]):
        _python_loop(e, PythonLoop(variable, limit, step, body, ends[0]), start)
        e.flow.onward = ends[1]
        return
    e.line(f"if {_passed(start.source, limit, step)}:")
    with e.indented():
        if ends is None:  # only where the pre-scan is off; that it is pushed then is not recorded
            e.fail(xb.FOR_NEXT_NESTING)
        else:
            e.spend(FOR_SKIPPED)
            _skip_over(e, variable, *ends)
    e.flow.stopped = False
    _push(e, f"{variable!r}, {limit}, {step}, {e.block(body)}, {body}, 0")
    e.resume(body)


def _step_is_good(e: BlockEmitter, node: st.For, step: PythonValue) -> bool:
    """Check the step, which must not be a string or 0; False if FOR always fails here."""
    if step.bounds == (0, 0):
        _no_loop(e, xb.BAD_VALUE)
    elif node.step is not None and node.step.is_string:
        _no_loop(e, xb.STRING_NUMBER_MISMATCH)
    elif step.bounds is None or step.bounds[0] <= 0 <= step.bounds[1]:
        e.line(f"if {step} == 0: raise NoLoop({xb.BAD_VALUE}, detail='STEP is 0')")
    return not e.flow.stopped


def _no_loop(e: BlockEmitter, code: int) -> None:
    """Fail and leave the stack as it is; see `half_loop`."""
    e.line(f"raise NoLoop({code})  # {xb.TEXTS[code]}")
    e.stop()


@costs(st.For)
def _for(timing: Timing, node: st.For) -> int:
    step = 0 if node.step is None else FOR_STEP
    return step + timing.expressions((node.variable, node.start, node.limit, node.step))


def _push(e: BlockEmitter, parts: str) -> None:
    """Put the loop on the stack."""
    e.line(f"frames.append([{parts}])")
    e.line("looped()")


def _operands(e: BlockEmitter, node: st.For) -> list[PythonValue]:
    """Evaluate start, limit and step into temporaries; constants stay as they are."""
    values: list[PythonValue] = []
    for part in (node.start, node.limit, node.step):
        if part is None:
            break
        value = e.value(part)
        if value.bounds is None or value.low != value.high:
            temp = e.temp()
            e.line(f"{temp} = {value}")
            value = PythonValue(temp, value.low, value.high)
        values.append(value)
    if len(values) == 2:
        values.append(PythonValue("1", 1, 1))
    return values


def _passed(variable: str, limit: PythonValue, step: PythonValue) -> str:
    """Source that is true when the variable has passed the limit."""
    if step.low is not None and step.low > 0:
        return f"{variable} > {limit}"
    if step.high is not None and step.high < 0:
        return f"{variable} < {limit}"
    return f"({variable} > {limit} if {step} > 0 else {variable} < {limit})"


def _skip_over(e: BlockEmitter, variable: str, end: StatementPlace, after: StatementPlace) -> None:
    """Go on after the NEXT at `end`; an error in it belongs to its line."""
    node = e.listing.statements(*end)[0]
    fault = node.fault
    if not isinstance(node, st.Next) or node.variable != variable:
        fault = xb.FOR_NEXT_NESTING
    if fault is None:
        e.resume(after)
        return
    e.text.mark(end)
    e.fail(fault)
    e.text.mark(e.flow.place)


def _fits(e: BlockEmitter, variable: str, body: StatementPlace, end: StatementPlace) -> bool:
    """Tell whether a loop from `body` to its NEXT at `end` can be written as a Python loop here.

    An inner loop of the same variable takes this loop off the stack, so that NEXT will fail.
    """
    if not e.flow.runs_straight(end, loop=True):
        return False
    line, at = end
    # From the start of the line: an empty statement changes how the next one is parsed.
    every = every_statement(e.listing.statements(line))
    node = next((each for each in every if each.at == at), None)
    if not isinstance(node, st.Next) or node.variable != variable or node.fault is not None:
        return False
    return variable not in _inner_variables(e.listing, body, end)


def _inner_variables(listing: Listing, body: StatementPlace, end: StatementPlace) -> set[str]:
    """The variables of all FORs between two places."""
    names: set[str] = set()
    line, at = body
    while (line, 0) <= end:
        cursor = Cursor(listing.tokens[line], at)
        while cursor.token and (line, cursor.at) < end:
            if cursor.token == tk.FOR:
                cursor.at += 1
                names.add(cursor.name())
            else:
                cursor.step()
        line, at = line + 1, 0
    return names


def _python_loop(e: BlockEmitter, loop: PythonLoop, start: PythonValue) -> None:
    """The loop from its FOR on: nothing happens if the variable starts beyond the limit."""
    limit, step = loop.limit, loop.step
    certain = (
        limit.low is not None
        and start.high is not None
        and step.low is not None
        and step.low > 0
        and start.high <= limit.low
    )
    if certain:
        _enter(e, loop)
    else:
        e.line(f"if not ({_passed(start.source, limit, step)}):")
        with e.indented():
            _enter(e, loop)
        e.line("else:")
        with e.indented():
            e.spend(FOR_SKIPPED)


def _enter(e: BlockEmitter, loop: PythonLoop) -> None:
    block = e.block(loop.body, LOOP_BODY)
    _push(e, f"{loop.variable!r}, {loop.limit}, {loop.step}, {block}, {loop.body}, {LOOP_BODY}")
    _while(e, loop)


def _while(e: BlockEmitter, loop: PythonLoop) -> None:
    """The Python loop: body, step, test; it pops the loop's frame when it ends."""
    if e.text.counted:
        _rounds(e, loop)
    else:
        with e.text.adding_up():
            _rounds(e, loop)
    e.flow.stopped = False
    e.line("frames.pop()")


def _rounds(e: BlockEmitter, loop: PythonLoop) -> None:
    e.line("while True:")
    with e.indented():
        e.line(f"if {SPENT} >= room: return {e.block(loop.body, LOOP_BODY)}")
        e.text.gathered = 0
        outer = e.narrow.get(loop.variable)
        _narrow(e, loop.variable, loop.limit, loop.step)
        with e.flow.inline(loop=True):
            e.walk(loop.body, loop.next)
        if outer is None:
            e.narrow.pop(loop.variable, None)
        if not e.flow.stopped:
            _step(e, loop)


def _step(e: BlockEmitter, loop: PythonLoop) -> None:
    """The loop's NEXT."""
    e.flow.line, at = loop.next
    node = e.listing.statements(e.flow.line, at)[0]
    e.charge(node)
    begun = loop_before(e.listing, loop.body)
    if begun is not None and (more := counting(begun)):
        e.text.add(loop.next, more)
    e.text.mark(loop.next)
    e.step(node)
    variable = Variable(loop.variable)
    slot = e.slot(variable)
    e.line(f"{slot.load} = {e.added(variable, loop.step)}")
    e.line(f"if {_passed(slot.load, loop.limit, loop.step)}: break")
    _hold(e, slot)


def _hold(e: BlockEmitter, variable: VariableText) -> None:
    """Hold the variable against its RANGE for another round; it may leave its loop outside."""
    if variable.declared is not None:
        e.line(variable.store(variable.load))


def _narrow(e: BlockEmitter, variable: str, limit: PythonValue, step: PythonValue) -> None:
    """Note that in the body the variable has not passed a constant limit."""
    known = e.outline.ranges.get(variable)
    if known is None or limit.low is None or limit.low != limit.high:
        return
    if step.low is not None and step.low > 0:
        e.narrow[variable] = (known[0], max(limit.low, known[0]))
    elif step.high is not None and step.high < 0:
        e.narrow[variable] = (min(limit.low, known[1]), known[1])


def body_block(e: BlockEmitter) -> None:
    """The block of a running loop: its frame is the last on the stack."""
    body = e.flow.key[:2]
    next_place, after = find_next(e.listing, body) or (body, body)
    node = e.listing.statements(*next_place)[0]
    assert isinstance(node, st.Next)
    e.line("if clock.cycles >= clock.next_event: attend()")
    frame, limit, step = e.temp(), e.temp(), e.temp()
    e.line(f"{frame} = frames[-1]")
    loop = loop_before(e.listing, body)
    last = None if loop is None else integer(loop.limit)
    if last is None:
        e.line(f"{limit} = {frame}[{LIMIT}]")
    known = None if loop is None else 1 if loop.step is None else integer(loop.step)
    if known is None:
        e.line(f"{step} = {frame}[{STEP}]")
    _while(
        e,
        PythonLoop(
            node.variable,
            PythonValue(limit) if last is None else PythonValue(str(last), last, last),
            PythonValue(step) if known is None else PythonValue(str(known), known, known),
            body,
            next_place,
        ),
    )
    e.walk(after, None)
    e.close()


def loop_before(listing: Listing, body: StatementPlace) -> st.For | None:
    """The FOR whose body begins at a place."""
    line, at = body
    before = listing.statements(line) if at else listing.statements(line - 1) if line else ()
    for node in before:
        if isinstance(node, st.For):
            last = node.end >= len(listing.tokens[line - 1]) if not at else node.end + 1 == at
            if last:
                return node
    return None


@emits(st.Next, cycles=NEXT)
def next_(e: BlockEmitter, node: st.Next) -> None:
    """NEXT by itself: step the variable and go round, or drop the loop."""
    symbol = e.symbol(node.variable, 0)
    if symbol is None or symbol.function is not None or symbol.is_string:
        e.fail(xb.NEXT_WITHOUT_FOR)
        return
    variable = e.assign(symbol)
    frame = e.temp()
    own = "frames and frames[-1].__class__ is list and frames[-1][0]"
    e.line(f"{frame} = frames[-1] if {own} == {node.variable!r} else find_loop({node.variable!r})")
    step, limit = f"{frame}[{STEP}]", f"{frame}[{LIMIT}]"
    e.line(f"{variable} = {e.added(Variable(node.variable), PythonValue(step))}")
    e.line(f"if {variable} <= {limit} if {step} > 0 else {variable} >= {limit}:")
    with e.indented():
        _hold(e, e.slot(Variable(node.variable)))
        e.line(f"return {frame}[{BODY}]")
    e.line("frames.pop()")


@costs(st.Next)
def _next(timing: Timing, node: st.Next) -> int:
    return timing.expression(Variable(node.variable))


def find_next(
    listing: Listing, body: StatementPlace
) -> tuple[StatementPlace, StatementPlace] | None:
    """The NEXT that ends the loop whose body begins at a place, and the place after it."""
    line, at = body
    depth = 1
    while line < len(listing):
        cursor = Cursor(listing.tokens[line], at)
        while cursor.token:
            if cursor.token == tk.FOR:
                depth += 1
            elif cursor.token == tk.NEXT and not _is_option(cursor):
                depth -= 1
                if not depth:
                    return (line, cursor.at), _after_next(line, cursor)
            cursor.step()
        line, at = line + 1, 0
    return None


def _is_option(cursor: Cursor) -> bool:
    """Tell whether this NEXT belongs to ON BREAK NEXT, ON WARNING NEXT or RETURN NEXT."""
    before = cursor.data[cursor.at - 1] if cursor.at else 0
    return before in (tk.BREAK, tk.WARNING, tk.RETURN)


def _after_next(line: int, cursor: Cursor) -> StatementPlace:
    ahead = Cursor(cursor.data, cursor.at + 1)
    ahead.name()
    if ahead.token == tk.STATEMENT_SEP:
        return (line, ahead.at + 1)
    return (line + 1, 0)
