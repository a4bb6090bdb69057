"""PRINT to the screen, and IMAGE, which does nothing by itself."""

from __future__ import annotations

from ti99tools.interp.emit.emitter import Emitter
from ti99tools.interp.emit.fileforms import file_form
from ti99tools.interp.emit.printlist import print_list
from ti99tools.interp.emit.registry import emits
from ti99tools.source.syntax import statements as st


@emits(st.Print)
def print_(e: Emitter, node: st.Print) -> None:
    """PRINT [USING u:] list; PRINT #n is the file family's."""
    if node.file is not None:
        file_form(e, node)
    else:
        print_list(e, "rt.screenio.printer()", node)


@emits(st.Image)
def image(e: Emitter, node: st.Image) -> None:
    """IMAGE text: looked up by the USING that names its line."""
