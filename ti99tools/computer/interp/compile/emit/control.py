"""Where control goes: IF, GOTO, GOSUB, ON, RETURN, END, RUN, SUBEND (loops: see loops)."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.counts import THEN
from ti99tools.base.cycles import language as cy
from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
from ti99tools.computer.interp.compile.emit.registry import costs, emits
from ti99tools.computer.interp.compile.timing import Timing, passing
from ti99tools.computer.interp.compile.units import StatementPlace
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import next_statement

MAX_SKIPPED = 40
"""Lines that a forward jump may cross and still become an `if`."""

MAX_DEPTH, DEEPEST = 14, 40
"""Python allows 100 levels of indentation: deeper than the first limit jumps stay jumps, deeper
than the second every branch of an IF is a block of its own.
"""


@emits(st.If, cycles=cy.IF)
def if_(e: BlockEmitter, node: st.If) -> None:
    """Write both branches in a Python `if`; they join again at the next line."""
    if node.then is None:
        e.line(f"{e.condition(node.condition)}")
        if node.fault is None:
            e.fail(xb.SYNTAX_ERROR)
        return
    condition = e.condition(node.condition)
    false = passing(e.listing.tokens[e.flow.line], node)
    place = e.flow.place
    for branch, test in ((node.then, f"not ({condition})"), (node.otherwise, condition)):
        # A jump a little forward becomes an `if` around what it skips: most IFs of old programs.
        label = None if branch is None else _skips_to(e, branch)
        if label is not None:
            onward = _jump(e, branch) + (false if branch is node.otherwise else 0)
            here = -onward + (false if branch is node.then else 0)
            e.text.add(place, onward)
            _skip(e, node, test, branch, label, here)
            return
    always = false if node.otherwise is None else 0
    if always:
        e.text.add(place, always)
    e.line(f"if {condition}:")
    with e.text.block():
        _branch(e, node, node.then, place, _jump(e, node.then) + _else(node) - always)
    then_stops, e.flow.stopped = e.flow.stopped, False
    if node.otherwise is None:
        return
    e.line("else:")
    with e.text.block():
        _branch(e, node, node.otherwise, place, _jump(e, node.otherwise) + false)
    e.flow.stopped = e.flow.stopped and then_stops


def _else(node: st.If) -> int:
    """Cycles of passing over ELSE, for which the statements of THEN end."""
    return 0 if node.otherwise is None or isinstance(node.then, st.Jump) else cy.ELSE_PASSED


def _jump(e: BlockEmitter, branch: st.Branch | None) -> int:
    """Cycles of the search for the line that a branch names."""
    return cy.IF_JUMP + e.timing.search(branch.line) if isinstance(branch, st.Jump) else 0


@costs(st.If)
def _if(timing: Timing, node: st.If) -> int:
    return timing.expression(node.condition)


def _branch(
    e: BlockEmitter, node: st.If, branch: st.Branch, place: StatementPlace, cycles: int
) -> None:
    """Write a branch; on this way the IF at `place` takes `cycles` more."""
    if cycles:
        e.text.add(place, cycles)
    if isinstance(branch, st.Jump):
        if branch is node.then:
            e.text.count(e.flow.place, THEN)
        e.goto(branch.line)
    elif e.text.depth > DEEPEST:
        e.resume((e.flow.line, branch[0].at))
    else:
        e.branch(branch)


def _skips_to(e: BlockEmitter, branch: st.Branch | None) -> StatementPlace | None:
    """The target line of a branch, if it is a little further on in what is being written."""
    if isinstance(branch, st.Jump):
        number = branch.line
    elif branch and isinstance(branch[-1], st.Goto):
        number = branch[-1].line
    else:
        return None
    line = e.listing.index.get(number)
    if line is None or not 0 < line - e.flow.line <= MAX_SKIPPED or e.text.depth > MAX_DEPTH:
        return None
    return (line, 0) if e.flow.runs_straight((line, 0)) else None


def _skip(
    e: BlockEmitter,
    node: st.If,
    test: str,
    branch: st.Branch | None,
    label: StatementPlace,
    cycles: int,
) -> None:
    """Write a forward jump: what it skips goes into the other branch, which takes `cycles` more."""
    place, line = e.flow.place, e.flow.line
    other = node.otherwise if branch is node.then else node.then
    e.line(f"if {test}:")
    with e.text.block():
        if other is not None:
            _branch(e, node, other, place, cycles + _jump(e, other))
        elif cycles:
            e.text.add(place, cycles)
        if not e.flow.stopped:
            with e.flow.inline():
                e.walk((line + 1, 0), label)
    e.flow.stopped = False
    e.flow.line = line
    _on_the_way(e, branch, place if branch is node.then else None)
    e.flow.stopped = False
    e.flow.onward = label


def _on_the_way(e: BlockEmitter, branch: st.Branch | None, then: StatementPlace | None) -> None:
    """Write what a branch does before it jumps forward: statements, steps and counts.

    `then` is the place of the IF if the branch follows THEN.
    """
    statements = branch[:-1] if isinstance(branch, tuple) else ()
    jumps = isinstance(branch, tuple)
    if not (statements or e.outline.watched or (jumps and e.outline.stepping)):
        return
    if not jumps and then is None:
        return
    e.line("else:")
    with e.indented():
        e.branch(statements)
        if isinstance(branch, tuple):
            e.step(branch[-1])
            e.text.count((e.flow.line, branch[-1].at))
        elif then is not None:
            e.text.count(then, THEN)


@emits(st.Goto, cycles=cy.GOTO)
def goto(e: BlockEmitter, node: st.Goto) -> None:
    """GOTO; the machine never looks at what follows it."""
    e.goto(node.line)


@emits(st.Gosub, cycles=cy.GOSUB)
def gosub(e: BlockEmitter, node: st.Gosub) -> None:
    """GOSUB; its frame is pushed even if the line is missing, or the statement before is empty."""
    _push_return(e)
    if node.fault is None:
        e.goto(node.line)


@costs(st.Goto)
@costs(st.Gosub)
def _search(timing: Timing, node: st.Goto | st.Gosub) -> int:
    return timing.search(node.line)


def _push_return(e: BlockEmitter) -> None:
    """Push a frame; RETURN goes on after the next `::`, whatever comes before it, even ELSE."""
    assert e.flow.statement is not None
    line = e.flow.line
    following = next_statement(e.listing.tokens[line], e.flow.statement.end)
    place = (line + 1, 0) if following is None else (line, following)
    # The stack may fill up only where GOSUBs nest deeply; up to there nothing is checked.
    e.line("if len(frames) > unchecked: press()")
    e.line(f"frames.append(({e.block(place)}, {place}))")


@emits(st.OnGo, cycles=cy.ON_GO)
def on_go(e: BlockEmitter, node: st.OnGo) -> None:
    """ON … GOTO and GOSUB: a number below 1 or past the list is a BAD VALUE.

    Below 1 it comes before everything else, past the list after the GOSUB's frame has been pushed.
    """
    temp = e.temp()
    outside = f"raise outside({xb.BAD_VALUE}, {temp}, 1, {len(node.lines) or 1})"
    e.line(f"{temp} = choice({e.value(node.selector)})")
    # Before the GOSUB's frame is pushed (recorded).
    e.line(f"if {temp} < 1: {outside}")
    if not node.lines:
        return
    if node.gosub:
        _push_return(e)
    for i, number in enumerate(node.lines):
        e.line(f"if {temp} == {i + 1}:")
        with e.indented():
            e.spend(cy.ON_GO_PASSED * (i + 1) + e.timing.search(number))
            e.goto(number)
    e.flow.stopped = False
    if node.fault:
        e.fail(node.fault)
        return
    e.line(outside)
    e.stop()


@costs(st.OnGo)
def _on_go(timing: Timing, node: st.OnGo) -> int:
    return (cy.GOSUB + cy.ON_GOSUB if node.gosub else cy.GOTO) + timing.expression(node.selector)


@emits(st.Return, cycles=0)
def return_(e: BlockEmitter, node: st.Return) -> None:
    """RETURN alone ends a subroutine or an error handler; with more words only the latter."""
    other = f"return_({node.next}, {node.line!r}, {node.fault!r})"
    if node.next or node.line is not None or node.fault is not None:
        e.line(f"return {other}")
    else:
        # A tuple is the frame of a GOSUB, a list that of a loop, which RETURN first takes off.
        e.line(f"return frames.pop()[0] if frames and frames[-1].__class__ is tuple else {other}")
    e.stop()


@costs(st.Return)
def _return(_timing: Timing, node: st.Return) -> int:
    return cy.RETURN_NEXT if node.next else cy.GOSUB


@emits(st.End, cycles=cy.END)
def end(e: BlockEmitter, _node: st.End) -> None:
    """END and STOP: the program ends here."""
    e.line("return end_of_program()")
    e.stop()


@emits(st.Run)
def run(e: BlockEmitter, node: st.Run) -> None:
    """RUN, RUN line, RUN "device.file"."""
    if node.fault is None:
        e.line(f"run_again({node.line!r}, {node.file!r})")
        e.stop()


@emits(st.Sub)
def sub(e: BlockEmitter, _node: st.Sub) -> None:
    """Running into a SUB ends the program."""
    e.line("return end_of_program")
    e.stop()


@emits(st.Subend, cycles=cy.SUBEND)
@emits(st.Subexit, cycles=cy.SUBEND)
def subend(e: BlockEmitter, node: st.Statement) -> None:
    """Back to the caller."""
    if node.fault is None:
        e.line("return leave_sub()")
        e.stop()
