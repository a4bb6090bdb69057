"""READ and RESTORE."""

from __future__ import annotations

from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.registry import emits
from ti99tools.source.syntax import statements as st


@emits(st.Read)
def read(e: Emitter, node: st.Read) -> None:
    """Each item is read and assigned before the next variable is looked at."""
    for target in node.targets:
        slot = e.slot(target)
        source = "data.string()" if slot.is_string else "big(data.number())"
        if not slot.good:
            e.line(slot.load)
            return
        e.line(slot.store(source))
        e.line("data.step()")


@emits(st.Restore)
def restore(e: Emitter, node: st.Restore) -> None:
    """RESTORE [line]."""
    if node.fault is None:
        e.line(f"data.restore({node.line!r})")
