"""DISPLAY: like PRINT, or at a place of the screen."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.emit.clauses import clause_cycles, clauses, known_place
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.printlist import SHOWN, print_list
from ti99tools.interp.compile.emit.registry import costs, emits
from ti99tools.interp.compile.timing import Timing
from ti99tools.source.syntax import statements as st


@emits(st.Display, cycles=41_400)
def display(e: Emitter, node: st.Display) -> None:
    """DISPLAY [clauses:] [USING u:] list."""
    place = known_place(e, node.clauses) if node.listed else None
    if place is not None:
        print_list(e, f"rt.screenio.display_at({place})", node, SHOWN)
        return
    area = clauses(e, node.clauses)
    if not node.listed:
        return
    print_list(e, f"{area}.printer()", node, SHOWN)
    if node.fault is None and any(clause.token == tk.BEEP for clause in node.clauses):
        e.line(f"{area}.sound()")


@costs(st.Display)
def _display(timing: Timing, node: st.Display) -> int:
    return clause_cycles(timing, node.clauses)
