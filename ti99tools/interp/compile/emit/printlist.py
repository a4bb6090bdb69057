"""The list of a PRINT or DISPLAY: items, or values for a USING, given to a printer in order."""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.timing import text_length
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.nodes import Element, Expression, Variable


@dataclass(frozen=True, slots=True)
class Printing:
    """What the items of a list cost where they go to, in CPU cycles (3 MHz).

    `record` is a record that the list ends, `using` a USING, `form` each character of its image,
    `image` the look for an IMAGE's line; `comma`, `tab` and how `using`, `form` and `image` share
    what was measured are fitted to the times of recorded programs. `at_once`: an item is made and
    shown in one go, without interrupts (fitted to the tones that a later one cuts short).
    """

    number: int
    text: int
    character: int
    record: int
    comma: int
    tab: int
    semicolon: int = 0
    using: int = 98_000
    form: int = 3_000
    image: int = 79_000
    at_once: bool = False


SHOWN = Printing(number=72_510, text=44_430, character=333, record=0, comma=25_000, tab=48_000,
                 at_once=True)  # fmt: skip
"""On the screen (measured); rows take their time when they scroll."""
FILED = Printing(number=67_000, text=33_100, character=720, record=46_800, comma=10_400, tab=0,
                 semicolon=13_200)  # fmt: skip
"""In a file besides the device's (sums are measured, how items share them is fitted to recorded
programs)."""

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
            e.spend(_separator_cycles(printing, item))
        elif isinstance(item, st.Tab):
            column = _evaluated(e, item.column)
            e.line(f"{printer}.tab({column})")
            e.spend(printing.tab)
        else:
            cycles = _text_cycles(printing, item) if item.is_string else printing.number
            value = _item(e, printer, item, cycles, printing.at_once)
            if e.outline.placed and not item.is_string:
                e.line(f"shown({value})")


def _item(e: Emitter, printer: str, item: Expression, cycles: int, at_once: bool) -> str:
    """Evaluate an item, let its way to the printer take its time, and give it to the printer.

    Returns the name of its value.
    """
    value = _evaluated(e, item)
    if at_once:
        e.line(f"rt.machine.work_unserved({cycles})")
    else:
        e.spend(cycles)
    if at_once and item.is_string and not isinstance(item, Variable | Element):
        e.line(f"{printer}.made({value})")
    e.line(f"{printer}.{'string' if item.is_string else 'number'}({value})")
    return value


def _evaluated(e: Emitter, item: Expression) -> str:
    """Evaluate an expression in its time; the name of its value."""
    e.spend(e.timing.expression(item))
    e.charged(item)
    name = e.temp()
    e.line(f"{name} = {e.value(item)}")
    return name


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
    looked_for = printing.image if using.image is None else 0
    looked_at = printing.form * _image_length(e, using)
    e.spend(printing.using + looked_for + looked_at + e.timing.expressions((using.image,)))
    pending = False
    if node.items:
        e.line(f"{name}.begin()")
    for item in node.items:
        if not isinstance(item, st.Separator | st.Tab):
            cycles = _text_cycles(printing, item) if item.is_string else 0
            _item(e, name, item, cycles, False)
        elif isinstance(item, st.Separator) and item.token == tk.COMMA:
            e.line(f"{name}.comma()")
        else:
            pending = True
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


def _image_length(e: Emitter, using: st.Using) -> int:
    """Characters of the image as far as the program text tells, else the usual."""
    if using.image is not None:
        return text_length(using.image)
    first = e.listing.statements(e.listing.index[using.line or 0])[0]
    return len(first.text) if isinstance(first, st.Image) else 0


def _separator_cycles(printing: Printing, item: st.Separator) -> int:
    costs = {
        tk.COLON: printing.record, tk.COMMA: printing.comma, tk.SEMICOLON: printing.semicolon,
    }  # fmt: skip
    return costs[item.token]


def _text_cycles(printing: Printing, item: Expression) -> int:
    return printing.text + printing.character * text_length(item)
