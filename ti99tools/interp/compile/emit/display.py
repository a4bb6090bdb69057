"""DISPLAY: like PRINT, or at a place of the screen."""

from __future__ import annotations

from ti99tools.interp.compile.emit.clauses import clauses, known_place
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.printlist import print_list
from ti99tools.interp.compile.emit.registry import emits
from ti99tools.source.syntax import statements as st


@emits(st.Display)
def display(e: Emitter, node: st.Display) -> None:
    """DISPLAY [clauses:] [USING u:] list."""
    place = known_place(e, node.clauses) if node.listed else None
    if place is not None:
        print_list(e, f"rt.screenio.display_at({place})", node)
        return
    area = clauses(e, node.clauses)
    if node.listed:
        print_list(e, f"{area}.printer()", node)
