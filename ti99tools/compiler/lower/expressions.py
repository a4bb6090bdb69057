"""Numeric and string expressions, functions, and built-in subprograms that give strings."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LONGEST_STRING
from ti99tools.compiler import ir
from ti99tools.compiler.actions import expression_fails
from ti99tools.compiler.ir import Expr, const
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.values import Operands, function, number_from, text_from
from ti99tools.compiler.refusing import fail
from ti99tools.computer.numbers.forms import val
from ti99tools.computer.numbers.functions import PI, sub
from ti99tools.computer.numbers.radix import overflowed
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW
from ti99tools.language.analysis.ranges import BITS, RELATIONS, SUMS
from ti99tools.language.syntax import nodes as nd

_OPERATORS = {**SUMS, **BITS, **RELATIONS, tk.POWER: "pow"}
_WHOLE = {"and", "or", "xor", "not", "len", *ir.COMPARISONS}
_WHOLE |= {f"t{name}" for name in ir.COMPARISONS}
"""Operations whose value is always a word."""
_WORD = (WORD_LOW, WORD_HIGH)


@number_from(nd.Number)
def _constant(low: Context, node: nd.Number) -> Expr:
    """A number of the program; one that is too large gives a warning each time it is read."""
    value = val(node.text)
    if overflowed(value):
        low.blocks.do("warn of overflow")
        return const(value.value_after_warning)
    return const(value)


# -- operators ------------------------------------------------------------------------------


@number_from(nd.Unary)
def _unary(low: Context, node: nd.Unary) -> Expr:
    operand = values.number(low, node.operand)
    if node.operator == tk.PLUS:
        return operand
    if node.operator == tk.MINUS:
        return const(sub(0, operand.data)) if operand.op == "const" else Expr("neg", (operand,))
    return Expr("not", (Expr("round", (operand,), (*_WORD, xb.SYNTAX_ERROR)),))


@number_from(nd.Binary)
def _binary(low: Context, node: nd.Binary) -> Expr:
    if nd.faulty(node.left) or nd.faulty(node.right):
        values.of_any_type(low, node.left)
        values.of_any_type(low, node.right)
    op = _OPERATORS[node.operator]
    if node.left.is_string or node.right.is_string:
        left = values.of_any_type(low, node.left)
        right = values.of_any_type(low, node.right)
        if left.is_text != right.is_text:
            fail(xb.STRING_NUMBER_MISMATCH, "compare two strings or two numbers")
        return Expr("t" + op, (left, right))
    left, right = values.number(low, node.left), values.number(low, node.right)
    if op in ("and", "or", "xor"):
        whole = left.op in _WHOLE or not expression_fails(_word(left))
        if not whole and expression_fails(right) and not low.draws_numbers:
            left, right = _kept_for_logic(low, left), _kept_for_logic(low, right)
        return Expr(op, (_word(left), _word(right)))
    if op == "pow" and right.op == "const" and right.data == 2 and _is_plain(left):
        # A square is a product, digit for digit, and quicker so.
        factor = left if left.op == "var" else _kept(low, left)
        return Expr("mul", (factor, factor))
    if op == "sub" and right.op == "mul":
        for divisor, quotient in (right.args, right.args[::-1]):
            # A-B*INT(A/B): a division gives the remainder as well.
            if quotient.op == "quot" and quotient.args == (left, divisor):
                return Expr("mod", (left, divisor), Expr("sub", (left, right)))
    return Expr(op, (left, right))


def _word(value: Expr) -> Expr:
    return Expr("round", (value,), (*_WORD, xb.BAD_VALUE))


def _kept_for_logic(low: Context, value: Expr) -> Expr:
    """A variable with an operand: both are calculated before either is rounded."""
    if value.op == "const":
        return value
    values.keep_order(low, value)
    return _kept(low, value)


def _is_plain(value: Expr) -> bool:
    """Tell whether nobody notices when a value is worked out: sums of variables and constants."""
    return all(part.op in ("var", "const", "add", "sub", "neg") for part in ir.walk(value))


def _kept(low: Context, value: Expr) -> Expr:
    """A variable with a value, which is needed twice."""
    low.squares += 1
    return low.held(f"squared {low.squares}", value)


# -- functions ------------------------------------------------------------------------------


@function(tk.PI)
def _pi(_low: Context, _: Operands) -> Expr:
    return const(PI)


@function(tk.RND)
def _random(low: Context, _: Operands) -> Expr:
    if not low.keeps_draws:
        return Expr("rnd")
    low.draws += 1
    return low.held(f"drawn {low.draws}", Expr("rnd"))


@function(tk.INT)
def _int(low: Context, args: Operands) -> Expr:
    value = values.number(low, args[0])
    plain = Expr("int", (value,))
    if value.op == "div":
        return Expr("quot", value.args, plain)
    if value.op == "mul" and "rnd" in (value.args[0].op, value.args[1].op):
        other = value.args[1] if value.args[0].op == "rnd" else value.args[0]
        # With another RND in it the order of the two would be lost.
        if all(part.op != "rnd" for part in ir.walk(other)):
            return Expr("randint", (other,), plain)
    return plain


def _plain(token: int, op: str) -> None:
    """A function of numbers that is an operation of the intermediate form."""

    @function(token)
    def lower(low: Context, args: Operands) -> Expr:
        return Expr(op, tuple(values.number(low, arg) for arg in args))


for _token, _op in {
    tk.ABS: "abs", tk.SGN: "sgn", tk.SQR: "sqr", tk.EXP: "exp", tk.LOG: "log", tk.SIN: "sin",
    tk.COS: "cos", tk.TAN: "tan", tk.ATN: "atn", tk.MAX: "max", tk.MIN: "min",
}.items():  # fmt: skip
    _plain(_token, _op)


@text_from(nd.String)
def _constant_text(_: Context, node: nd.String) -> Expr:
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
    text, start = values.text(low, args[0]), _whole(low, args[1], 1)
    return Expr("seg", (text, start, _whole(low, args[2], 0)))


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
    text, part = values.text(low, args[0]), values.text(low, args[1])
    return Expr("pos", (text, part, _whole(low, args[2], 1)))


def _whole(low: Context, node: nd.Expression, least: int) -> Expr:
    return values.whole(low, node, least, WORD_HIGH, xb.BAD_VALUE)


@built_in("CHARPAT")
def _charpat(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        code, place = args.whole(32, 143, error=xb.BAD_ARGUMENT), args.text_place()
        # What it is calculated from comes before the subscripts of an element.
        code = code if isinstance(place, str) else args.once(code)
        low.blocks.store_at(place, Expr("charpat", (code,)))


@built_in("SAY")
def _say(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        low.blocks.do("look at text", args.text())


@built_in("SPGET")
def _spget(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        low.blocks.do("look at text", args.text())
        low.blocks.store_at(args.text_place(), Expr("text", (), ""))
