"""The list of a PRINT or DISPLAY: items, or values for a USING, given to a printer in order."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.nodes import Expression

_SEPARATORS = {tk.SEMICOLON: "semicolon", tk.COMMA: "comma", tk.COLON: "colon"}


def print_list(e: Emitter, printer: str, node: st.Print | st.Display) -> None:
    """Give a statement's list to the printer that is the Python expression `printer`.

    Nothing ends the list of a statement that has a fault: what it printed so far stays as it is.
    """
    name = e.temp()
    e.line(f"{name} = {printer}")
    if node.using is None:
        _items(e, name, node.items)
        if node.fault is None:
            e.line(f"{name}.end()")
    else:
        _values(e, name, node.using, node)


def _items(e: Emitter, printer: str, items: tuple[st.PrintItem, ...]) -> None:
    for item in items:
        if isinstance(item, st.Separator):
            e.line(f"{printer}.{_SEPARATORS[item.token]}()")
        elif isinstance(item, st.Tab):
            e.line(f"{printer}.tab({e.number(item.column)})")
        else:
            _item(e, printer, item)


def _item(e: Emitter, printer: str, item: Expression) -> None:
    if item.is_string:
        e.line(f"{printer}.string({e.string(item)})")
    else:
        e.line(f"{printer}.number({e.number(item)})")


def _values(e: Emitter, printer: str, using: st.Using, node: st.Print | st.Display) -> None:
    image = _image(e, using)
    if image is None:
        e.fail(xb.IMAGE_ERROR)
        return
    name = e.temp()
    e.line(f"{name} = rt.screenio.using({printer}, {image})")
    pending = False
    for item in node.items:
        if not isinstance(item, st.Separator | st.Tab):
            _item(e, name, item)
        elif isinstance(item, st.Separator) and item.token == tk.COMMA:
            e.line(f"{name}.comma()")
        else:
            pending = True
    if node.fault is None:
        e.line(f"{name}.end({pending})")


def _image(e: Emitter, using: st.Using) -> str | None:
    """Source of the image; None where the line named is no IMAGE."""
    if using.image is not None:
        return e.string(using.image)
    assert using.line is not None
    index = e.listing.index.get(using.line)
    if index is None:
        return None
    first = e.listing.statements(index)[0]
    return repr(first.text) if isinstance(first, st.Image) else None
