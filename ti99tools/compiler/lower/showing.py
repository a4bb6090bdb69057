"""PRINT and DISPLAY: an action for each item, between `print` or `display` and `line end`.

With USING there is an image, and an action for each value of its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LARGEST_SIZE, PRINT_WIDTH
from ti99tools.base.cycles.language import NOTHING_SHOWN, PRINT_ENDED, SHOWN
from ti99tools.compiler import ir
from ti99tools.compiler.actions import expression_fails
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.files import begin_items, print_to_file
from ti99tools.compiler.lower.pacing import note_item, note_saved, note_whole
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail, refuse
from ti99tools.hardware.machine.screen import ROWS
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

_SEPARATORS = {tk.COMMA: "comma", tk.COLON: "new line"}
_TIMES = {tk.COMMA: SHOWN["comma"], tk.SEMICOLON: SHOWN["semicolon"]}
WholeSize = Callable[[Context, nd.Expression], ir.Expr]
"""Lowers the number of SIZE."""


@lowers(st.Print)
def _print(low: Context, node: st.Print) -> None:
    """PRINT to the screen. Raises Refused."""
    if node.file is None:
        low.blocks.do("print")
        _list(low, node)
        if node.fault is None:
            low.blocks.do("print done")
            note_whole(low, PRINT_ENDED)
    else:
        screen = print_to_file(low, node.file)
        if node.listed:
            ended = _list(low, node, begin_items(low), noted=False)
            # A record that ends leaves nothing for the next PRINT.
            if node.fault is None and (screen or not ended):
                low.blocks.do("file print done")


@dataclass(slots=True)
class _Area:
    """Where DISPLAY shows its list, and whether it beeps."""

    row: ir.Expr | None = None
    column: ir.Expr | None = None
    size: ir.Expr | None = None
    beep: bool = False

    def keep(self, low: Context) -> None:
        """Calculate what is known so far, before the next clause has its effect."""
        for field in ("row", "column", "size"):
            value = getattr(self, field)
            if value is not None and expression_fails(value):
                setattr(self, field, low.held(f"{field} of DISPLAY", value))

    def calculate(self, low: Context) -> None:
        """Calculate what nothing will use."""
        for value in (self.row, self.column, self.size):
            if value is not None:
                low.blocks.do("calculate", value)


@lowers(st.Display)
def _display(low: Context, node: st.Display) -> None:
    """DISPLAY with its clauses. Raises Refused."""
    area = _Area()
    for clause in node.clauses:
        _clause(low, clause, area)
    if not node.listed:
        area.calculate(low)
        return
    _begin(low, area)
    ended = _list(low, node)
    if node.fault is not None:
        return
    if area.row is None and area.size is None:
        low.blocks.do("print done")
    if area.size is not None:
        _end_field(low, area.row is not None, ended)
    if area.beep:
        low.blocks.do("beep")


def _clause(low: Context, clause: st.Clause, area: _Area) -> None:
    numbers = whole_arguments(low, clause, _positive)
    match clause.token:
        case tk.AT:
            area.keep(low)
            area.row, area.column = place_at(numbers)
        case tk.SIZE:
            area.size = numbers[0]
        case tk.BEEP:
            area.beep = True
        case tk.ERASE:
            area.keep(low)
            low.blocks.do("clear")
        case _:
            refuse(f"{tk.KEYWORDS[clause.token]} in DISPLAY")


def whole_arguments(low: Context, clause: st.Clause, size: WholeSize) -> list[ir.Expr]:
    """The numbers of AT or SIZE, each rounded before the next is calculated; none of others."""
    numbers = [n for n in clause.arguments if isinstance(n, nd.Expression)]
    if clause.token == tk.SIZE:
        return [size(low, n) for n in numbers]
    if clause.token == tk.AT:
        return [values.whole(low, n, WORD_LOW, WORD_HIGH, xb.BAD_VALUE) for n in numbers]
    return []


def any_size(low: Context, node: nd.Expression) -> ir.Expr:
    """A SIZE that may be negative."""
    return values.whole(low, node, -LARGEST_SIZE, LARGEST_SIZE, xb.BAD_VALUE)


def _positive(low: Context, node: nd.Expression) -> ir.Expr:
    """A SIZE; a negative one counts as a positive one."""
    before = len(low.blocks.loose)
    positive = ir.Expr("abs", (any_size(low, node),))
    limits = (1, LARGEST_SIZE, xb.BAD_VALUE)
    return values.in_place_of(low, before, ir.Expr("round", (positive,), limits))


def place_at(numbers: list[ir.Expr]) -> tuple[ir.Expr, ir.Expr]:
    """Row and column from 0: below 1 is the first; beyond the last it starts again."""
    row, column = numbers
    return ir.Expr("wrapped", (row,), ROWS), ir.Expr("wrapped", (column,), PRINT_WIDTH)


def _begin(low: Context, area: _Area) -> None:
    if area.row is None or area.column is None:
        if area.size is None:
            low.blocks.do("print")
        else:
            low.blocks.do("display size", area.size)
    elif area.size is None:
        low.blocks.do("display at", area.row, area.column)
    else:
        low.blocks.do("display in", area.row, area.column, area.size)


def _end_field(low: Context, placed: bool, ended: bool) -> None:
    """The end of a field: `placed` by AT, or in the row of PRINT, which goes on after it."""
    if not ended:
        low.blocks.do("field end" if placed else "field open")
    elif not placed:
        low.blocks.do("new row")


def _list(low: Context, node: st.Print | st.Display, prefix: str = "", noted: bool = True) -> bool:
    """Lower the list of a statement; tell whether a line end follows it.

    A list with wrong syntax after it is not ended. `prefix` begins the names of the actions.
    `noted`: its times are noted, as those of the screen are.
    """
    if node.using is None:
        pending = _items(low, node.items, prefix, noted)
    else:
        pending = lower_using(low, node.using, node.items)
    if node.fault is not None:
        return False
    if not pending:
        low.blocks.do(prefix + "line end")
    return not pending


def _items(low: Context, items: tuple[st.PrintItem, ...], prefix: str, noted: bool) -> bool:
    """Lower the items of a list; tell whether the row stays open after them."""
    pending = False
    for at, item in enumerate(items, start=1):
        pending = False
        match item:
            case st.Separator(token):
                pending = True
                if token in _SEPARATORS:
                    low.blocks.do(prefix + _SEPARATORS[token])
                if noted:
                    between = SHOWN["between"] if at < len(items) else 0
                    note_whole(low, _TIMES[token] + between if token in _TIMES else 0)
            case st.Tab(column):
                if noted:
                    note_item(low, column, shown=False)
                whole = values.whole(low, column, WORD_LOW, WORD_HIGH, xb.BAD_VALUE)
                low.blocks.do(prefix + "tab", whole)
                if noted:
                    note_whole(low, SHOWN["tab"])
            case _:
                if noted:
                    note_item(low, item)
                    if isinstance(item, nd.Variable):
                        note_saved(low, item.name, NOTHING_SHOWN)
                if item.is_string:
                    low.blocks.do(prefix + "show text", values.text(low, item))
                else:
                    low.blocks.do(prefix + "show number", values.number(low, item))
    return pending


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
