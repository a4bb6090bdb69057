"""The list of a PRINT or DISPLAY: items, or values for a USING, given to a printer in order."""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.timing import Timing, text_length
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.nodes import Expression


@dataclass(frozen=True, slots=True)
class Printing:
    """What the items of a list cost where they go to, in CPU cycles (3 MHz).

    `record` is a record that the list ends, `using` a USING.
    """

    number: int
    text: int
    character: int
    record: int
    using: int = 195_760


SHOWN = Printing(number=72_510, text=44_430, character=333, record=0)
"""On the screen (measured); rows take their time when they scroll."""
FILED = Printing(number=109_000, text=47_000, character=5_600, record=57_000)
"""In a file (estimated from whole programs)."""

_SEPARATORS = {tk.SEMICOLON: "semicolon", tk.COMMA: "comma", tk.COLON: "colon"}


def print_list(e: Emitter, printer: str, node: st.Print | st.Display) -> None:
    """Give a statement's list to the printer that is the Python expression `printer`.

    Nothing ends the list of a statement that has a fault: what it printed so far stays as it is.
    What USING made of the values before the fault is shown.
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
    if node.items:
        e.line(f"{name}.begin()")
    for item in node.items:
        if not isinstance(item, st.Separator | st.Tab):
            _item(e, name, item)
        elif isinstance(item, st.Separator) and item.token == tk.COMMA:
            e.line(f"{name}.comma()")
        else:
            pending = True
    if node.items or node.fault is None:
        e.line(f"{name}.show()")
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


def list_cycles(timing: Timing, printing: Printing, node: st.Print | st.Display) -> int:
    """What the list of a statement costs."""
    cycles = 0
    if node.using is not None:
        cycles += printing.using + timing.expressions((node.using.image,))
    for item in node.items:
        match item:
            case st.Separator(token=token):
                cycles += printing.record if token == tk.COLON else 0
            case st.Tab(column=column):
                cycles += timing.expression(column)
            case _:
                cycles += timing.expression(item)
                if item.is_string:
                    cycles += printing.text + printing.character * text_length(item)
                elif node.using is None:
                    cycles += printing.number
    return cycles
