"""READ and RESTORE."""

from __future__ import annotations

from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.registry import costs, emits
from ti99tools.interp.compile.timing import Timing
from ti99tools.source.syntax import statements as st

ITEM = 85_000
"""Cycles of each item that is read."""
FROM_FIRST = 16_000
FROM_LINE, SOUGHT = 175_000, 12_600
"""Cycles of RESTORE: alone; with a line, and for each line before that one (measured)."""


@emits(st.Read, cycles=0)
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


@costs(st.Read)
def _read(timing: Timing, node: st.Read) -> int:
    return ITEM * len(node.targets) + timing.expressions(node.targets)


@emits(st.Restore, cycles=0)
def restore(e: Emitter, node: st.Restore) -> None:
    """RESTORE [line]; what follows is looked at afterwards."""
    e.line(f"data.restore({node.line!r})")


@costs(st.Restore)
def _restore(timing: Timing, node: st.Restore) -> int:
    return FROM_FIRST if node.line is None else FROM_LINE + SOUGHT * timing.before(node.line)
