"""PRINT to the screen or a file."""

from __future__ import annotations

from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.file_statements import reference
from ti99tools.interp.compile.emit.printlist import FILED, SHOWN, print_list
from ti99tools.interp.compile.emit.registry import costs, emits
from ti99tools.interp.compile.timing import Timing
from ti99tools.source.syntax import statements as st

TO_FILE = 7_200
"""Cycles of PRINT # besides what it prints (fitted to recorded programs)."""


@emits(st.Print, cycles=0)
def print_(e: Emitter, node: st.Print) -> None:
    """PRINT [USING u:] list, PRINT #n[,REC r][,USING u]: list."""
    if node.file is None:
        print_list(e, "rt.screenio.printer()", node, SHOWN)
    elif node.listed:
        print_list(e, f"rt.files.printer({reference(e, node.file)})", node, FILED)
        e.spend(FILED.record)
    else:
        e.line(f"rt.files.printer({reference(e, node.file)})")


@costs(st.Print)
def _print(timing: Timing, node: st.Print) -> int:
    return 0 if node.file is None else TO_FILE + timing.expression(node.file.number)
