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


@dataclass(frozen=True, slots=True)
class ItemCost:
    """Cycles of an item: to evaluate it and to bring it out."""

    evaluate: int
    show: int


class _Spread:
    """Gives the costs of a list's items to the clock between them; the first's evaluation is
    charged with the statement.
    """

    def __init__(self, e: Emitter, node: st.Print | st.Display, printing: Printing) -> None:
        self._e = e
        self._costs = iter(item_costs(e.timing, printing, node))
        self._owed = 0
        self._first = True

    def item(self) -> None:
        """The next item is about to be evaluated."""
        cost = next(self._costs)
        if not self._first:
            self._e.text.charge_now(self._owed + cost.evaluate)
        self._first = False
        self._owed = cost.show

    def end(self) -> None:
        """All items are out."""
        self._e.text.charge_now(self._owed)
        self._owed = 0


def print_list(
    e: Emitter, printer: str, node: st.Print | st.Display, printing: Printing = SHOWN
) -> None:
    """Give a statement's list to the printer that is the Python expression `printer`.

    Nothing ends the list of a statement that has a fault: what it printed so far stays as it is.
    What USING made of the values before the fault is shown.
    """
    name = e.temp()
    e.line(f"{name} = {printer}")
    spread = _Spread(e, node, printing)
    if node.using is None:
        _items(e, name, node.items, spread)
        if node.fault is None:
            e.line(f"{name}.end()")
    else:
        _values(e, name, node.using, node, spread)


def _items(e: Emitter, printer: str, items: tuple[st.PrintItem, ...], spread: _Spread) -> None:
    for item in items:
        spread.item()
        if isinstance(item, st.Separator):
            e.line(f"{printer}.{_SEPARATORS[item.token]}()")
        elif isinstance(item, st.Tab):
            e.line(f"{printer}.tab({e.number(item.column)})")
        else:
            _item(e, printer, item)
    spread.end()


def _item(e: Emitter, printer: str, item: Expression) -> None:
    if item.is_string:
        e.line(f"{printer}.string({e.string(item)})")
    else:
        e.line(f"{printer}.number({e.number(item)})")


def _values(
    e: Emitter, printer: str, using: st.Using, node: st.Print | st.Display, spread: _Spread
) -> None:
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
        spread.item()
        if not isinstance(item, st.Separator | st.Tab):
            _item(e, name, item)
        elif isinstance(item, st.Separator) and item.token == tk.COMMA:
            e.line(f"{name}.comma()")
        else:
            pending = True
    spread.end()
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
    return cycles + sum(c.evaluate + c.show for c in item_costs(timing, printing, node))


def later_cycles(timing: Timing, printing: Printing, node: st.Print | st.Display) -> int:
    """What of it is given to the clock between the items."""
    found = item_costs(timing, printing, node)
    return sum(c.evaluate + c.show for c in found) - (found[0].evaluate if found else 0)


def item_costs(timing: Timing, printing: Printing, node: st.Print | st.Display) -> list[ItemCost]:
    """What each item and separator of a list costs."""
    found: list[ItemCost] = []
    for item in node.items:
        match item:
            case st.Separator(token=token):
                found.append(ItemCost(0, printing.record if token == tk.COLON else 0))
            case st.Tab(column=column):
                found.append(ItemCost(timing.expression(column), 0))
            case _:
                show = 0
                if item.is_string:
                    show = printing.text + printing.character * text_length(item)
                elif node.using is None:
                    show = printing.number
                found.append(ItemCost(timing.expression(item), show))
    return found
