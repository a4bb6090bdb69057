"""Where control goes: IF, GOTO, GOSUB, ON, FOR, NEXT, RETURN, END, RUN."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.interp.emit.emitter import Emitter
from ti99tools.interp.emit.registry import emits
from ti99tools.interp.frames import Place
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.cursor import Cursor


@emits(st.If)
def if_(e: Emitter, node: st.If) -> None:
    """Both branches in Python's own if; control meets again at the next line."""
    if node.then is None:
        e.line(f"{e.condition(node.condition)}")
        if node.fault is None:
            e.fail(xb.SYNTAX_ERROR)
        return
    e.line(f"if {e.condition(node.condition)}:")
    with e.indented():
        _branch(e, node.then)
    then_stops, e.stopped = e.stopped, False
    if node.otherwise is None:
        return
    e.line("else:")
    with e.indented():
        _branch(e, node.otherwise)
    e.stopped = e.stopped and then_stops


def _branch(e: Emitter, branch: st.Branch) -> None:
    if isinstance(branch, st.Jump):
        e.goto(branch.line)
    else:
        e.line("pass")
        e.statements(branch)


@emits(st.Goto)
def goto(e: Emitter, node: st.Goto) -> None:
    """GOTO; nothing behind it is ever looked at."""
    e.goto(node.line)


@emits(st.Gosub)
def gosub(e: Emitter, node: st.Gosub) -> None:
    """GOSUB leaves its frame even if the line is missing."""
    _push_return(e)
    e.goto(node.line)


def _push_return(e: Emitter) -> None:
    place = e.after()
    if place is None:
        place = (e.line_index, e.statement.end if e.statement else 0)
    e.line(f"frames.append(GosubFrame({e.block(place)}, {place}))")


@emits(st.OnGo)
def on_go(e: Emitter, node: st.OnGo) -> None:
    """ON … GOTO and GOSUB: a number below 1 or past the list is a BAD VALUE.

    Past the list it is noticed when the GOSUB's frame has been left already.
    """
    source = e.value(node.selector)
    if not node.lines:
        e.line(f"{source}")
        return
    temp = e.temp()
    e.line(f"{temp} = choice({source})")
    if node.gosub:
        e.line(f"if {temp} < 1: raise XBError({xb.BAD_VALUE})")
        _push_return(e)
    for i, number in enumerate(node.lines):
        e.line(f"if {temp} == {i + 1}:")
        with e.indented():
            e.goto(number)
    e.stopped = False
    e.fail(node.fault or xb.BAD_VALUE)


@emits(st.Return)
def return_(e: Emitter, node: st.Return) -> None:
    """RETURN; what stands behind the word matters only when it ends an error handler."""
    e.line(f"return return_({node.next}, {node.line!r}, {node.fault!r})")
    e.stop()


@emits(st.For)
def for_(e: Emitter, node: st.For) -> None:
    """FOR: start, limit and step are evaluated, then the variable is set."""
    if node.start is None:
        return
    start = e.temp()
    e.line(f"{start} = {e.number(node.start)}")
    if node.limit is None:
        return
    limit = e.temp()
    e.line(f"{limit} = {e.number(node.limit)}")
    step = "1"
    if node.step is not None:
        step = e.temp()
        e.line(f"{step} = {e.number(node.step)}")
    if node.fault is not None:
        return
    slot = e.slot(node.variable)
    if not slot.good:
        e.line(slot.load)
        e.stop()
        return
    name = getattr(node.variable, "name", "")
    if node.step is not None:
        e.line(f"if {step} == 0: raise XBError({xb.BAD_VALUE})")
    e.line(slot.store(start))
    body = e.after() or (e.line_index, node.end)
    end = loop_end(e, body)
    test = f"{start} > {limit}" if node.step is None else (
        f"({start} > {limit} if {step} > 0 else {start} < {limit})"
    )  # fmt: skip
    e.line(f"if {test}:")
    with e.indented():
        if end is None:
            e.fail(xb.FOR_NEXT_NESTING)
        else:
            e.resume(end)
    e.stopped = False
    e.line(f"start_loop({name!r}, {limit}, {step}, {e.block(body)}, {body})")
    e.resume(body)


def loop_end(e: Emitter, place: Place) -> Place | None:
    """The place behind the NEXT that ends the loop whose body begins at `place`."""
    line, at = place
    depth = 1
    while line < len(e.listing):
        cursor = Cursor(e.listing.tokens[line], at)
        while cursor.token:
            if cursor.token == tk.FOR:
                depth += 1
            elif cursor.token == tk.NEXT and not _is_option(cursor):
                depth -= 1
                if not depth:
                    return _behind_next(e, line, cursor)
            cursor.step()
        line, at = line + 1, 0
    return None


def _is_option(cursor: Cursor) -> bool:
    """Whether this NEXT belongs to ON BREAK NEXT, ON WARNING NEXT or RETURN NEXT."""
    before = cursor.data[cursor.at - 1] if cursor.at else 0
    return before in (tk.BREAK, tk.WARNING, tk.RETURN)


def _behind_next(e: Emitter, line: int, cursor: Cursor) -> Place:
    cursor.at += 1
    while cursor.is_name():
        cursor.at += 1
    if cursor.token == tk.STATEMENT_SEP:
        return (line, cursor.at + 1)
    return (line + 1, 0)


@emits(st.Next)
def next_(e: Emitter, node: st.Next) -> None:
    """NEXT: step the variable and go round, or drop the loop."""
    symbol = e.symbol(node.variable, 0)
    if symbol is None or symbol.function is not None or symbol.is_string:
        e.line(f"raise XBError({xb.NEXT_WITHOUT_FOR})")
        e.stop()
        return
    variable = e.assign(symbol)
    frame = e.temp()
    e.line(f"{frame} = loop({node.variable!r})")
    e.line(f"{variable} = t if -10**14 < (t := {variable} + {frame}.step) < 10**14 else big(t)")
    e.line(
        f"if {variable} <= {frame}.limit if {frame}.step > 0 else {variable} >= {frame}.limit:"
    )
    with e.indented():
        e.line(f"return {frame}.body")
    e.line("frames.pop()")


@emits(st.End)
def end(e: Emitter, node: st.End) -> None:
    """END and STOP."""
    e.line("return end_of_program")
    e.stop()


@emits(st.Run)
def run(e: Emitter, node: st.Run) -> None:
    """RUN, RUN line, RUN "device.file"."""
    if node.fault is None:
        e.line(f"run_again({node.line!r}, {node.file!r})")
        e.stop()


@emits(st.Sub)
def sub(e: Emitter, node: st.Sub) -> None:
    """Running into a SUB ends the program."""
    e.line("return end_of_program")
    e.stop()


@emits(st.Subend)
@emits(st.Subexit)
def subend(e: Emitter, node: st.Statement) -> None:
    """Back to the caller."""
    if node.fault is None:
        e.line("return leave_sub()")
        e.stop()
