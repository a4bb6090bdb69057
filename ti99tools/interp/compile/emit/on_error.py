"""ON ERROR, ON WARNING, ON BREAK."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.registry import emits
from ti99tools.source.syntax import statements as st


@emits(st.OnError, about=105_000)
def on_error(e: Emitter, node: st.OnError) -> None:
    """ON ERROR line (looked for at once) or STOP."""
    e.line(f"on_error({node.line!r})")


@emits(st.OnWarning)
def on_warning(e: Emitter, node: st.OnWarning) -> None:
    """ON WARNING PRINT, STOP, NEXT."""
    e.line(f"rt.options.warning = {tk.KEYWORDS[node.mode]!r}")


@emits(st.OnBreak)
def on_break(e: Emitter, node: st.OnBreak) -> None:
    """ON BREAK STOP, NEXT."""
    e.line(f"rt.options.stop_at_breaks = {node.mode == tk.STOP}")
