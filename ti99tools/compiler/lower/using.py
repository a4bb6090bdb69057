"""USING: the image of PRINT and DISPLAY, and the values for its fields."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.refusing import fail
from ti99tools.language.syntax import statements as st


def lower_using(low: Context, using: st.Using, items: tuple[st.PrintItem, ...]) -> bool:
    """The list of a statement with USING; tell whether the row stays open after it."""
    low.blocks.do("using", _image(low, using), data=bool(items))
    pending = False
    for item in items:
        match item:
            case st.Separator(token) if token == tk.COMMA:
                low.blocks.do("using comma")
            case st.Separator() | st.Tab():
                pending = True
            case _ if item.is_string:
                low.blocks.do("using text", values.text(low, item))
            case _:
                low.blocks.do("using number", values.number(low, item))
    low.blocks.do("using done")
    return pending


def _image(low: Context, using: st.Using) -> ir.Expr:
    if using.image is not None:
        return values.text(low, using.image)
    first = low.program.parsed.get(using.line or 0, (None,))[0]
    if not isinstance(first, st.Image):
        fail(xb.IMAGE_ERROR, "name a line with IMAGE")
    return ir.Expr("text", (), first.text)
