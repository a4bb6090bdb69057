"""ACCEPT: a line typed into a field of the screen."""

from __future__ import annotations

from ti99tools.interp.compile.emit.clauses import clause_cycles, clauses
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.input import element_store
from ti99tools.interp.compile.emit.registry import costs, emits
from ti99tools.interp.compile.timing import Timing
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.nodes import Element


@emits(st.Accept, phases=2, about=60_000)
def accept(e: Emitter, node: st.Accept, phase: int) -> None:
    """ACCEPT [clauses:] target; the target's subscripts are evaluated before it waits."""
    target = node.target
    if phase:
        if isinstance(target, Element):
            e.line("rt.screenio.finish_element()")
        elif target is not None:
            values = e.temp()
            e.line(f"{values} = rt.screenio.finish()")
            e.line(e.slot(target).store(f"{values}[0]"))
        return
    area = clauses(e, node.clauses)
    if target is None:
        return
    store = ""
    if isinstance(target, Element):
        store = element_store(e, target)
        if not store:
            return
        store = f", {store}"
    e.line(f"rt.screenio.begin_accept({area}, {target.is_string}{store})")
    e.next_phase()


@costs(st.Accept)
def _accept(timing: Timing, node: st.Accept) -> int:
    return clause_cycles(timing, node.clauses) + timing.expressions((node.target,))
