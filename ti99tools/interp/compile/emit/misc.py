"""RANDOMIZE, BREAK and UNBREAK, TRACE and UNTRACE."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.registry import costs, emits
from ti99tools.interp.compile.timing import Timing
from ti99tools.source.syntax import statements as st


@emits(st.Randomize, cycles=64_970)
def randomize(e: Emitter, node: st.Randomize) -> None:
    """RANDOMIZE [n]."""
    if node.seed is None:
        e.line("rt.randomize()")
    else:
        e.line(f"rt.rnd.randomize({e.number(node.seed)})")


@costs(st.Randomize)
def _randomize(timing: Timing, node: st.Randomize) -> int:
    return timing.expressions((node.seed,))


@emits(st.Break)
def break_(e: Emitter, node: st.Break) -> None:
    """BREAK stops here; with lines it marks them, UNBREAK takes the marks away."""
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
def trace(e: Emitter, node: st.Trace) -> None:
    """TRACE and UNTRACE."""
    e.line(f"trace({node.on})")
    _go_on_carefully(e)


def _go_on_carefully(e: Emitter) -> None:
    """Leave for the other kind of blocks, which look at every line, or for the fast ones."""
    place = e.flow.after
    if place is not None and place[0] < len(e.listing):
        e.line(f"return same_mode({place})")
        e.stop()
