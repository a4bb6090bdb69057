"""PRINT and DISPLAY: one action an item, between `print` or `display` and `line end`."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.intervals import WORD_HIGH, WORD_LOW
from ti99tools.compiler.lowering_values import Context
from ti99tools.compiler.refusing import USING, refuse
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

_ROWS, _COLUMNS = 24, 28
_SEPARATORS = {tk.COMMA: "comma", tk.COLON: "new line"}


def lower_print(low: Context, node: st.Print) -> None:
    """PRINT to the screen. Raises Refused."""
    if node.file is not None:
        refuse("PRINT # uses a file")
    if node.using is not None:
        refuse(USING)
    low.do("print")
    _items(low, node.items)


def lower_display(low: Context, node: st.Display) -> None:
    """DISPLAY with its clauses. Raises Refused."""
    if node.using is not None:
        refuse(USING)
    row = column = size = None
    beep = False
    for clause in node.clauses:
        numbers = [low.number(n) for n in clause.arguments if isinstance(n, nd.Expression)]
        match clause.token:
            case tk.AT:
                row, column = (
                    _coordinate(n, most) for n, most in zip(numbers, (_ROWS, _COLUMNS), strict=True)
                )
            case tk.SIZE:
                size = ir.Expr("round", (numbers[0],), (1, 255, xb.BAD_VALUE))
            case tk.BEEP:
                beep = True
            case tk.ERASE:
                low.do("clear")
            case _:
                refuse(f"{tk.KEYWORDS[clause.token]} in DISPLAY")
    if row is None or column is None:
        if size is not None:
            refuse("DISPLAY SIZE without AT")
        low.do("print")
    elif size is None:
        low.do("display at", row, column)
    else:
        low.do("display in", row, column, size)
    ended = _items(low, node.items, fixed=row is not None)
    if row is not None and size is not None and not ended:
        low.do("field end")
    if beep:
        low.do("beep")


def _coordinate(value: ir.Expr, most: int) -> ir.Expr:
    """A row or column from 0: below 1 is 1, above the last it counts from the first again."""
    whole = ir.Expr("round", (value,), (WORD_LOW, WORD_HIGH, xb.BAD_VALUE))
    return ir.Expr("wrapped", (whole,), most)


def _items(low: Context, items: tuple[st.PrintItem, ...], fixed: bool = False) -> bool:
    """The items of a list; tell whether the row ends with it."""
    ended = False
    for item in items:
        ended = False
        match item:
            case st.Separator(token):
                ended = True
                if token in _SEPARATORS:
                    low.do(_SEPARATORS[token])
            case st.Tab(column):
                whole = low.whole(column, WORD_LOW, WORD_HIGH, xb.BAD_VALUE)
                low.do("tab", whole)
            case _ if item.is_string:
                low.do("show text", low.text(item))
            case _:
                low.do("show number", low.number(item))
    if not ended:
        low.do("line end")
    if not fixed:
        low.do("print done")
    return not ended
