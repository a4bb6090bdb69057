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

    `record` is a record that the list ends, `using` a USING; `comma` and `tab` are fitted to the
    times of recorded programs.
    """

    number: int
    text: int
    character: int
    record: int
    comma: int
    tab: int
    using: int = 195_760


SHOWN = Printing(number=72_510, text=44_430, character=333, record=0, comma=31_000, tab=55_700)
"""On the screen (measured); rows take their time when they scroll."""
FILED = Printing(number=67_000, text=67_000, character=0, record=20_000, comma=0, tab=0)
"""In a file besides the device's (measured; numbers estimated from whole programs)."""

_SEPARATORS = {tk.SEMICOLON: "semicolon", tk.COMMA: "comma", tk.COLON: "colon"}


def print_list(e: Emitter, printer: str, node: st.Print | st.Display, printing: Printing) -> None:
    """Give a statement's list to the printer that is the Python expression `printer`.

    Nothing ends the list of a statement that has a fault: what it printed so far stays as it is.
    What USING made of the values before the fault is shown. Each item takes its time when it has
    been evaluated.
    """
    name = e.temp()
    e.line(f"{name} = {printer}")
    if node.using is None:
        _items(e, name, node.items, printing)
        if node.fault is None:
            e.line(f"{name}.end()")
    else:
        _values(e, name, node.using, node, printing)


def _items(e: Emitter, printer: str, items: tuple[st.PrintItem, ...], printing: Printing) -> None:
    for item in items:
        if isinstance(item, st.Separator):
            e.line(f"{printer}.{_SEPARATORS[item.token]}()")
        elif isinstance(item, st.Tab):
            e.line(f"{printer}.tab({e.number(item.column)})")
        else:
            _item(e, printer, item)
        e.spend(_item_cycles(e.timing, printing, item))


def _item(e: Emitter, printer: str, item: Expression) -> None:
    if item.is_string:
        e.line(f"{printer}.string({e.string(item)})")
    else:
        e.line(f"{printer}.number({e.number(item)})")


def _values(
    e: Emitter,
    printer: str,
    using: st.Using,
    node: st.Print | st.Display,
    printing: Printing,
) -> None:
    image = _image(e, using)
    if image is None:
        e.fail(xb.IMAGE_ERROR)
        return
    name = e.temp()
    e.line(f"{name} = rt.screenio.using({printer}, {image})")
    e.spend(printing.using + e.timing.expressions((using.image,)))
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
        e.spend(_value_cycles(e.timing, printing, item))
    if node.items or node.fault is None:
        e.line(f"{name}.show()")
    if node.fault is None:
        e.line(f"{name}.end({pending})")


def _image(e: Emitter, using: st.Using) -> str | None:
    """Source of the image; None where the line named is not an IMAGE."""
    if using.image is not None:
        return e.string(using.image)
    assert using.line is not None
    index = e.listing.index.get(using.line)
    if index is None:
        return None
    first = e.listing.statements(index)[0]
    return repr(first.text) if isinstance(first, st.Image) else None


def _item_cycles(timing: Timing, printing: Printing, item: st.PrintItem) -> int:
    match item:
        case st.Separator(token=token):
            return {tk.COLON: printing.record, tk.COMMA: printing.comma}.get(token, 0)
        case st.Tab(column=column):
            return printing.tab + timing.expression(column)
    if item.is_string:
        return timing.expression(item) + _text_cycles(printing, item)
    return timing.expression(item) + printing.number


def _value_cycles(timing: Timing, printing: Printing, item: st.PrintItem) -> int:
    """A value of USING: the format makes its text, whose time is in that of USING."""
    if isinstance(item, st.Separator | st.Tab):
        return 0
    return timing.expression(item) + (_text_cycles(printing, item) if item.is_string else 0)


def _text_cycles(printing: Printing, item: Expression) -> int:
    return printing.text + printing.character * text_length(item)
