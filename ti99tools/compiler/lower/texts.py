"""String expressions, and functions and built-in subprograms that take or give strings."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LONGEST_STRING
from ti99tools.compiler.ir import Expr
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.values import Operands, function, text_from
from ti99tools.language.analysis.intervals import WORD_HIGH
from ti99tools.language.syntax import nodes as nd


@text_from(nd.String)
def _constant(_: Context, node: nd.String) -> Expr:
    return Expr("text", (), node.text)


@text_from(nd.Binary)
def _joined(low: Context, node: nd.Binary) -> Expr:
    left, right = values.text(low, node.left), values.text(low, node.right)
    # A longer one is cut with a warning, each time that the statement runs.
    if left.op == right.op == "text" and len(left.data + right.data) <= LONGEST_STRING:
        return Expr("text", (), left.data + right.data)
    return Expr("cat", (left, right))


# -- functions whose result is a string -----------------------------------------------------


@function(tk.STR)
def _str(low: Context, args: Operands) -> Expr:
    return Expr("str", (values.number(low, args[0]),))


@function(tk.CHR)
def _chr(low: Context, args: Operands) -> Expr:
    code = _whole(low, args[0], 0)
    given = code.args[0].data
    if code.args[0].op == "const" and isinstance(given, int) and 0 <= given <= WORD_HIGH:
        # CHR$ takes codes modulo 256.
        return Expr("text", (), chr(given & 0xFF))
    return Expr("chr", (code,))


@function(tk.SEG)
def _seg(low: Context, args: Operands) -> Expr:
    start, length = _whole(low, args[1], 1), _whole(low, args[2], 0)
    return Expr("seg", (values.text(low, args[0]), start, length))


@function(tk.RPT)
def _rpt(low: Context, args: Operands) -> Expr:
    return Expr("rpt", (values.text(low, args[0]), _whole(low, args[1], 0)))


# -- functions whose result is a number -----------------------------------------------------


@function(tk.LEN)
def _len(low: Context, args: Operands) -> Expr:
    return Expr("len", (values.text(low, args[0]),))


@function(tk.ASC)
def _asc(low: Context, args: Operands) -> Expr:
    return Expr("asc", (values.text(low, args[0]),))


@function(tk.VAL)
def _val(low: Context, args: Operands) -> Expr:
    return Expr("val", (values.text(low, args[0]),))


@function(tk.POS)
def _pos(low: Context, args: Operands) -> Expr:
    start = _whole(low, args[2], 1)
    return Expr("pos", (values.text(low, args[0]), values.text(low, args[1]), start))


def _whole(low: Context, node: nd.Expression, least: int) -> Expr:
    return values.whole(low, node, least, WORD_HIGH, xb.BAD_VALUE)


@built_in("CHARPAT")
def _charpat(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        code = args.whole(32, 143, error=xb.BAD_ARGUMENT)
        low.blocks.store_at(args.text_place(), Expr("charpat", (code,)))


@built_in("SAY")
def _say(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        low.blocks.do("look at text", args.text())


@built_in("SPGET")
def _spget(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        low.blocks.do("look at text", args.text())
        low.blocks.store_at(args.text_place(), Expr("text", (), ""))
