"""FOR and NEXT.

A loop whose NEXT stands in its place becomes a Python loop inside the block it begins in. The
loop is on the program's stack all the same: whatever leaves the Python loop (GOTO, GOSUB, an
error, a pause) finds everything in its place, and the loop goes on as a block of its own, which
begins at the body's first statement: `L120_loop`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.interp.emit.registry import emits
from ti99tools.interp.emit.value import Value
from ti99tools.interp.frames import LOOP_BODY, Place
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.cursor import Cursor
from ti99tools.source.syntax.nodes import Variable

if TYPE_CHECKING:
    from ti99tools.interp.emit.emitter import Emitter
    from ti99tools.interp.listing import Listing


@emits(st.For)
def for_(e: Emitter, node: st.For) -> None:
    """FOR: start, limit and step are evaluated, then the variable is set."""
    values = _operands(e, node)
    if node.fault is not None or len(values) < 3:
        return
    slot = e.slot(node.variable)
    if not slot.good:
        e.line(slot.load)
        e.stop()
        return
    start, limit, step = values
    if step.bounds is None:
        e.line(f"if {step} == 0: raise XBError({xb.BAD_VALUE})")
    elif step.bounds == (0, 0):
        e.fail(xb.BAD_VALUE)
        return
    e.line(slot.store(start.source))
    body = e.after() or (e.line_index, node.end)
    ends = find_next(e.listing, body)
    if ends is None:
        _without_next(e, start, limit, step)
        return
    variable = getattr(node.variable, "name", "")
    if _fits(e, variable, body, ends[0]):
        _python_loop(e, variable, (start, limit, step), body, ends)
        return
    e.line(f"if {_passed(start.source, limit, step)}:")
    with e.indented():
        e.resume(ends[1])
    e.stopped = False
    e.line(f"start_loop({variable!r}, {limit}, {step}, {e.block(body)}, {body})")
    e.resume(body)


def _operands(e: Emitter, node: st.For) -> list[Value]:
    """Evaluate start, limit and step into temporaries; constants stay as they are."""
    values: list[Value] = []
    for part in (node.start, node.limit, node.step):
        if part is None:
            break
        value = e.value(part)
        if value.bounds is None or value.low != value.high:
            temp = e.temp()
            e.line(f"{temp} = {value}")
            value = Value(temp, value.low, value.high)
        values.append(value)
    if len(values) == 2:
        values.append(Value("1", 1, 1))
    return values


def _passed(variable: str, limit: Value, step: Value) -> str:
    """Source that is true when the variable has passed the limit."""
    if step.low is not None and step.low > 0:
        return f"{variable} > {limit}"
    if step.high is not None and step.high < 0:
        return f"{variable} < {limit}"
    return f"({variable} > {limit} if {step} > 0 else {variable} < {limit})"


def _without_next(e: Emitter, start: Value, limit: Value, step: Value) -> None:
    """A loop that has no NEXT runs its body once, unless it has to be skipped."""
    e.line(f"if {_passed(start.source, limit, step)}:")
    with e.indented():
        e.fail(xb.FOR_NEXT_NESTING)
    e.stopped = False


def _fits(e: Emitter, variable: str, body: Place, end: Place) -> bool:
    """Whether a loop from `body` to its NEXT at `end` can be written as a Python loop here.

    An inner loop of the same variable takes this loop off the stack, so that NEXT will fail.
    """
    if e.careful or e.in_branch or e.loop_depth > 15 or (e.until is not None and end >= e.until):
        return False
    node = e.listing.statements(*end)[0]
    if not isinstance(node, st.Next) or node.variable != variable:
        return False
    return variable not in _inner_variables(e.listing, body, end)


def _inner_variables(listing: Listing, body: Place, end: Place) -> set[str]:
    """The variables of all FORs between two places."""
    found: set[str] = set()
    line, at = body
    while (line, 0) <= end:
        cursor = Cursor(listing.tokens[line], at)
        while cursor.token and (line, cursor.at) < end:
            if cursor.token == tk.FOR:
                cursor.at += 1
                found.add(cursor.name())
            else:
                cursor.step()
        line, at = line + 1, 0
    return found


def _python_loop(
    e: Emitter,
    variable: str,
    values: tuple[Value, Value, Value],
    body: Place,
    ends: tuple[Place, Place],
) -> None:
    start, limit, step = values
    block = e.block(body, LOOP_BODY)
    certain = (
        limit.low is not None and start.high is not None and step.low is not None
        and step.low > 0 and start.high <= limit.low
    )  # fmt: skip
    if certain:
        _round(e, variable, (start, limit, step), body, ends, block)
    else:
        e.line(f"if not ({_passed(start.source, limit, step)}):")
        with e.indented():
            _round(e, variable, (start, limit, step), body, ends, block)
    e.onward = ends[1]


def _round(
    e: Emitter,
    variable: str,
    values: tuple[Value, Value, Value],
    body: Place,
    ends: tuple[Place, Place],
    block: str,
) -> None:
    _, limit, step = values
    e.line(f"start_loop({variable!r}, {limit}, {step}, {block}, {body}, {LOOP_BODY})")
    _while(e, variable, limit, step, body, ends[0], block)


def _while(
    e: Emitter,
    variable: str,
    limit: Value,
    step: Value,
    body: Place,
    next_place: Place,
    block: str,
) -> None:
    """The Python loop: body, step, test; leaves the loop's frame when it is over."""
    e.line("while True:")
    with e.indented():
        e.inline += 1
        e.loop_depth += 1
        e.line(f"if clock.cycles >= clock.next_event: return {block}")
        e.walk(body, next_place)
        e.inline -= 1
        e.loop_depth -= 1
        if not e.stopped:
            line, at = next_place
            e.line_index = line
            node = e.listing.statements(line, at)[0]
            e.charge(e.timing.statement(node))
            e.mark(node)
            name = e.slot(Variable(variable)).load
            e.line(f"{name} = {e.added(Variable(variable), step)}")
            e.line(f"if {_passed(name, limit, step)}: break")
    e.stopped = False
    e.line("frames.pop()")


def body_block(e: Emitter, body: Place) -> None:
    """The block of a loop that is under way: its frame is the last on the stack."""
    block = e.block(body, LOOP_BODY)
    next_place, after = find_next(e.listing, body) or (body, body)
    node = e.listing.statements(*next_place)[0]
    assert isinstance(node, st.Next)
    e.line("if clock.cycles >= clock.next_event: attend()")
    frame, limit, step = e.temp(), e.temp(), e.temp()
    e.line(f"{frame} = frames[-1]")
    e.line(f"{limit} = {frame}.limit")
    known = constant_step(e, body)
    if known is None:
        e.line(f"{step} = {frame}.step")
        known = Value(step)
    _while(e, node.variable, Value(limit), known, body, next_place, block)
    e.walk(after, None)


def constant_step(e: Emitter, body: Place) -> Value | None:
    """The step of the FOR before a loop's body, if it is a constant."""
    line, at = body
    for i in (line, line - 1):
        if i < 0:
            continue
        for node in e.listing.statements(i):
            behind = node.end + 1 if i == line else None
            if isinstance(node, st.For) and (behind == at or (i < line and not at)):
                if node.end < len(e.listing.tokens[i]) and i < line:
                    continue
                if node.step is None:
                    return Value("1", 1, 1)
                value = e.value(node.step)
                return value if value.low is not None and value.low == value.high else None
    return None


@emits(st.Next)
def next_(e: Emitter, node: st.Next) -> None:
    """NEXT by itself: step the variable and go round, or drop the loop."""
    symbol = e.symbol(node.variable, 0)
    if symbol is None or symbol.function is not None or symbol.is_string:
        e.fail(xb.NEXT_WITHOUT_FOR)
        return
    variable = e.assign(symbol)
    frame = e.temp()
    e.line(f"{frame} = loop({node.variable!r})")
    e.line(f"{variable} = {e.added(Variable(node.variable), Value(f'{frame}.step'))}")
    e.line(f"if {variable} <= {frame}.limit if {frame}.step > 0 else {variable} >= {frame}.limit:")
    with e.indented():
        e.line(f"return {frame}.body")
    e.line("frames.pop()")


def find_next(listing: Listing, body: Place) -> tuple[Place, Place] | None:
    """The NEXT that ends the loop whose body begins at a place, and the place behind it."""
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
                    return (line, cursor.at), _behind_next(line, cursor)
            cursor.step()
        line, at = line + 1, 0
    return None


def _is_option(cursor: Cursor) -> bool:
    """Whether this NEXT belongs to ON BREAK NEXT, ON WARNING NEXT or RETURN NEXT."""
    before = cursor.data[cursor.at - 1] if cursor.at else 0
    return before in (tk.BREAK, tk.WARNING, tk.RETURN)


def _behind_next(line: int, cursor: Cursor) -> Place:
    ahead = Cursor(cursor.data, cursor.at + 1)
    ahead.name()
    if ahead.token == tk.STATEMENT_SEP:
        return (line, ahead.at + 1)
    return (line + 1, 0)
