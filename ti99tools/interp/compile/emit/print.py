"""PRINT to the screen or a file, and IMAGE, which does nothing by itself."""

from __future__ import annotations

from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.emit.file_statements import reference
from ti99tools.interp.compile.emit.printlist import print_list
from ti99tools.interp.compile.emit.registry import emits
from ti99tools.source.syntax import statements as st


@emits(st.Print)
def print_(e: Emitter, node: st.Print) -> None:
    """PRINT [USING u:] list, PRINT #n[,REC r][,USING u]: list."""
    if node.file is None:
        print_list(e, "rt.screenio.printer()", node)
    elif node.listed:
        print_list(e, f"rt.files.printer({reference(e, node.file)})", node)
    else:
        e.line(f"rt.files.printer({reference(e, node.file)})")


@emits(st.Image)
def image(e: Emitter, node: st.Image) -> None:
    """IMAGE text: looked up by the USING that names its line."""
