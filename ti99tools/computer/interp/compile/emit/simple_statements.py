"""LET, READ, RESTORE, RANDOMIZE, BREAK, TRACE, ON ERROR and the like, and declarations."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.cycles import language as cy
from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
from ti99tools.computer.interp.compile.emit.registry import costs, emits
from ti99tools.computer.interp.compile.timing import Timing
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.nodes import Element, Expression, Variable


@emits(st.Let, cycles=cy.LET)
def let(e: BlockEmitter, node: st.Let) -> None:
    """Targets' subscripts from left to right, then the value, then the assignments."""
    slots = [e.slot(target) for target in node.targets]
    for slot in slots:
        if not slot.good:
            e.line(slot.load)
            e.fail(xb.SYNTAX_ERROR)
            return
    if node.value is None:
        return
    e.afterwards = []
    source = e.value(node.value).source
    afterwards, e.afterwards = e.afterwards, None
    if _is_held(node.value) and node.targets != (node.value,):
        if not source.isidentifier():
            temp = e.temp()
            e.line(f"{temp} = {source}")
            source = temp
        copying = f"clock.cycles += {cy.COPIED} + {cy.COPIED_CHARACTER} * len({source})"
        e.line(f"if {source}: {copying}")
    if len(slots) > 1:
        temp = e.temp()
        e.line(f"{temp} = {source}")
        source = temp
    for slot in slots:
        e.line(slot.store(source))
    for name, saved in afterwards:
        e.line(f"if not {name}: clock.cycles -= {saved}")


@costs(st.Let)
def _let(timing: Timing, node: st.Let) -> int:
    cycles = cy.LATER_TARGET * (len(node.targets) - 1) + sum(map(timing.target, node.targets))
    if node.value is not None and node.value.is_string:
        cycles += cy.LET_STRING
    return cycles + timing.expressions((node.value,))


def _is_held(value: Expression) -> bool:
    """Tell whether a value is a string that a variable holds."""
    return isinstance(value, Variable | Element) and value.is_string


@emits(st.EmptyStatement, cycles=cy.PASSED_OVER)
@emits(st.Data, cycles=cy.PASSED_OVER)
@emits(st.Dim, cycles=cy.PASSED_OVER)
@emits(st.OptionBase, cycles=cy.PASSED_OVER)
@emits(st.Def, cycles=cy.PASSED_OVER)
@emits(st.Image, cycles=cy.PASSED_OVER)
def nothing(e: BlockEmitter, node: st.Statement) -> None:
    """Remarks, and what has been handled before the run."""
    if isinstance(node, st.EmptyStatement) and node.hangs:
        e.line("raise StandsStill")
        e.stop()
    elif node.fault is None:
        e.line("pass")


@emits(st.Read, cycles=0)
def read(e: BlockEmitter, node: st.Read) -> None:
    """Each item is read and assigned before the next variable is looked at."""
    for target in node.targets:
        slot = e.slot(target)
        filter_name = "ended" if e.outline.placed else ""
        source = "data.string()" if slot.is_string else f"big(data.number({filter_name}))"
        if not slot.good:
            e.line(slot.load)
            return
        e.line(slot.store(source))
        e.line("data.step()")


@costs(st.Read)
def _read(timing: Timing, node: st.Read) -> int:
    return cy.READ + cy.READ_ITEM * len(node.targets) + timing.expressions(node.targets)


@emits(st.Restore, cycles=cy.RESTORED)
def restore(e: BlockEmitter, node: st.Restore) -> None:
    """RESTORE [line]; what follows is looked at afterwards."""
    e.line(f"data.restore({node.line!r})")


@emits(st.Randomize, cycles=cy.RANDOMIZE)
def randomize(e: BlockEmitter, node: st.Randomize) -> None:
    """RANDOMIZE with a seed, or without one from the clock."""
    if node.seed is None:
        e.line("rt.randomize()")
    else:
        e.line(f"rt.rnd.randomize({e.number(node.seed)})")


@costs(st.Randomize)
def _randomize(timing: Timing, node: st.Randomize) -> int:
    return 0 if node.seed is None else cy.RANDOMIZE_SEED + timing.expression(node.seed)


@emits(st.Break)
def break_(e: BlockEmitter, node: st.Break) -> None:
    """BREAK stops here; with lines it marks them, UNBREAK removes the marks."""
    if not node.lines and not node.remove:
        if e.is_command:
            e.fail(xb.ONLY_LEGAL_IN_A_PROGRAM)
        else:
            e.line("break_here()")
        return
    e.line(f"set_breakpoints({node.lines!r}, {node.remove})")
    if node.fault is None:
        _go_on_carefully(e)


@emits(st.Trace)
def trace(e: BlockEmitter, node: st.Trace) -> None:
    """TRACE and UNTRACE, from the next statement on."""
    e.line(f"trace({node.on})")
    _go_on_carefully(e)


def _go_on_carefully(e: BlockEmitter) -> None:
    """Change to careful blocks, which check at every line, or back to the fast ones."""
    place = e.flow.after
    if place is not None and place[0] < len(e.listing):
        e.line(f"return same_mode({place})")
        e.stop()


@emits(st.OnError, cycles=0)
def on_error(e: BlockEmitter, node: st.OnError) -> None:
    """ON ERROR line (looked for at once) or STOP."""
    e.line(f"on_error({node.line!r})")


@costs(st.OnError)
def _on_error(timing: Timing, node: st.OnError) -> int:
    return (
        cy.NO_HANDLER
        if node.line is None
        else cy.HANDLER + cy.COSTS["line before"] * timing.before(node.line)
    )


@emits(st.OnWarning, cycles=cy.ON_WARNING)
def on_warning(e: BlockEmitter, node: st.OnWarning) -> None:
    """ON WARNING PRINT, STOP, NEXT."""
    e.line(f"rt.options.warning = {tk.KEYWORDS[node.mode]!r}")


@emits(st.OnBreak, cycles=cy.ON_BREAK)
def on_break(e: BlockEmitter, node: st.OnBreak) -> None:
    """ON BREAK STOP, NEXT."""
    e.line(f"rt.options.stop_at_breaks = {node.mode == tk.STOP}")
