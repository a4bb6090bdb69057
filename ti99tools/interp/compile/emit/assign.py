"""LET, and the declarations that do nothing when control comes to them."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.registry import emits
from ti99tools.source.syntax import statements as st


@emits(st.Let)
def let(e: Emitter, node: st.Let) -> None:
    """Targets' subscripts from left to right, then the value, then the assignments."""
    slots = [e.slot(target) for target in node.targets]
    if node.value is None:
        return
    for slot in slots:
        if not slot.good:
            e.line(slot.load)
            e.fail(xb.SYNTAX_ERROR)
            return
    source = e.value(node.value).source
    if len(slots) == 1:
        e.line(slots[0].store(source))
        return
    temp = e.temp()
    e.line(f"{temp} = {source}")
    for slot in slots:
        e.line(slot.store(temp))


@emits(st.Nothing)
@emits(st.Data)
@emits(st.Image)
@emits(st.Dim)
@emits(st.OptionBase)
@emits(st.Def)
def nothing(e: Emitter, node: st.Statement) -> None:
    """Remarks, and what has been dealt with before the run."""
    if node.fault is None:
        e.line("pass")
