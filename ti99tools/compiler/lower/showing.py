"""PRINT and DISPLAY: an action for each item, between `print` or `display` and `line end`."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import PRINT_WIDTH
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import USING, refuse
from ti99tools.hardware.machine.screen import ROWS
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

_SEPARATORS = {tk.COMMA: "comma", tk.COLON: "new line"}


@lowers(st.Print)
def _print(low: Context, node: st.Print) -> None:
    """PRINT to the screen. Raises Refused."""
    if node.file is not None:
        refuse("PRINT # uses a file")
    if node.using is not None:
        refuse(USING)
    low.blocks.do("print")
    _items(low, node.items)


@lowers(st.Display)
def _display(low: Context, node: st.Display) -> None:
    """DISPLAY with its clauses. Raises Refused."""
    if node.using is not None:
        refuse(USING)
    row = column = size = None
    beep = False
    for clause in node.clauses:
        numbers = [values.number(low, n) for n in clause.arguments if isinstance(n, nd.Expression)]
        match clause.token:
            case tk.AT:
                row, column = (
                    _coordinate(n, most)
                    for n, most in zip(numbers, (ROWS, PRINT_WIDTH), strict=True)
                )
            case tk.SIZE:
                size = ir.Expr("round", (numbers[0],), (1, 255, xb.BAD_VALUE))
            case tk.BEEP:
                beep = True
            case tk.ERASE:
                low.blocks.do("clear")
            case _:
                refuse(f"{tk.KEYWORDS[clause.token]} in DISPLAY")
    if row is None or column is None:
        if size is not None:
            refuse("DISPLAY SIZE without AT")
        low.blocks.do("print")
    elif size is None:
        low.blocks.do("display at", row, column)
    else:
        low.blocks.do("display in", row, column, size)
    ended = _items(low, node.items, fixed=row is not None)
    if row is not None and size is not None and not ended:
        low.blocks.do("field end")
    if beep:
        low.blocks.do("beep")


def _coordinate(value: ir.Expr, most: int) -> ir.Expr:
    """A row or column counted from 0: below 1 is the first; beyond the last it starts again."""
    whole = ir.Expr("round", (value,), (WORD_LOW, WORD_HIGH, xb.BAD_VALUE))
    return ir.Expr("wrapped", (whole,), most)


def _items(low: Context, items: tuple[st.PrintItem, ...], fixed: bool = False) -> bool:
    """Lower the items of a list; tell whether a line end follows them."""
    ended = False
    for item in items:
        ended = False
        match item:
            case st.Separator(token):
                ended = True
                if token in _SEPARATORS:
                    low.blocks.do(_SEPARATORS[token])
            case st.Tab(column):
                whole = values.whole(low, column, WORD_LOW, WORD_HIGH, xb.BAD_VALUE)
                low.blocks.do("tab", whole)
            case _ if item.is_string:
                low.blocks.do("show text", values.text(low, item))
            case _:
                low.blocks.do("show number", values.number(low, item))
    if not ended:
        low.blocks.do("line end")
    if not fixed:
        low.blocks.do("print done")
    return not ended
