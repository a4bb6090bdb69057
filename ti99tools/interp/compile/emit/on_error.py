"""ON ERROR, ON WARNING, ON BREAK."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.registry import costs, emits
from ti99tools.interp.compile.timing import Timing
from ti99tools.source.syntax import statements as st

HANDLER, SOUGHT = 121_000, 13_080
"""Cycles of ON ERROR with a line, and for each line before that one (measured, the round of the
measuring loop taken off, and a little less, as recorded programs have it)."""
NO_HANDLER = 39_000
"""Cycles of ON ERROR STOP (measured)."""


@emits(st.OnError, cycles=0)
def on_error(e: Emitter, node: st.OnError) -> None:
    """ON ERROR line (looked for at once) or STOP."""
    e.line(f"on_error({node.line!r})")


@costs(st.OnError)
def _on_error(timing: Timing, node: st.OnError) -> int:
    return NO_HANDLER if node.line is None else HANDLER + SOUGHT * timing.before(node.line)


@emits(st.OnWarning)
def on_warning(e: Emitter, node: st.OnWarning) -> None:
    """ON WARNING PRINT, STOP, NEXT."""
    e.line(f"rt.options.warning = {tk.KEYWORDS[node.mode]!r}")


@emits(st.OnBreak)
def on_break(e: Emitter, node: st.OnBreak) -> None:
    """ON BREAK STOP, NEXT."""
    e.line(f"rt.options.stop_at_breaks = {node.mode == tk.STOP}")
