"""LET, and the declarations that do nothing when control comes to them."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.registry import costs, emits
from ti99tools.interp.compile.timing import Timing, text_length
from ti99tools.source.syntax import statements as st

LATER_TARGET = 894
"""Cycles of each target after the first."""
ASSIGNED_CHARACTER = 734


@emits(st.Let, cycles=597)
def let(e: Emitter, node: st.Let) -> None:
    """Targets' subscripts from left to right, then the value, then the assignments."""
    slots = [e.slot(target) for target in node.targets]
    for slot in slots:
        if not slot.good:
            e.line(slot.load)
            e.fail(xb.SYNTAX_ERROR)
            return
    if node.value is None:
        return
    source = e.value(node.value).source
    if len(slots) == 1:
        e.line(slots[0].store(source))
        return
    temp = e.temp()
    e.line(f"{temp} = {source}")
    for slot in slots:
        e.line(slot.store(temp))


@costs(st.Let)
def _let(timing: Timing, node: st.Let) -> int:
    cycles = LATER_TARGET * (len(node.targets) - 1) + timing.expressions(node.targets)
    if node.value is None:
        return cycles
    characters = text_length(node.value) if node.value.is_string else 0
    return cycles + timing.expression(node.value) + ASSIGNED_CHARACTER * characters


PASSED_OVER = 837
"""Cycles of a statement that does nothing."""


@emits(st.Nothing, cycles=PASSED_OVER)
@emits(st.Data, cycles=PASSED_OVER)
@emits(st.Dim, cycles=PASSED_OVER)
@emits(st.OptionBase, cycles=PASSED_OVER)
@emits(st.Def, cycles=PASSED_OVER)
@emits(st.Image, cycles=PASSED_OVER)
def nothing(e: Emitter, node: st.Statement) -> None:
    """Remarks, and what has been dealt with before the run."""
    if isinstance(node, st.Nothing) and node.hangs:
        e.line("raise StandsStill")
        e.stop()
    elif node.fault is None:
        e.line("pass")
