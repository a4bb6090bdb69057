"""Expressions of the language as terms, whose ranges are known: see `terms`."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Any, NamedTuple

from ti99tools.base import tokens as t
from ti99tools.language.analysis.constants import constant
from ti99tools.language.analysis.intervals import ANY, WORD_HIGH, WORD_LOW, Interval
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL

RELATIONS = {
    t.EQUAL: "eq",
    t.LESS: "lt",
    t.GREATER: "gt",
    NOT_EQUAL: "ne",
    LESS_EQUAL: "le",
    GREATER_EQUAL: "ge",
}
SUMS = {t.PLUS: "add", t.MINUS: "sub", t.MULTIPLY: "mul", t.DIVIDE: "div"}
BITS = {t.AND: "and", t.OR: "or", t.XOR: "xor"}
_FUNCTIONS = {
    t.INT: "int",
    t.ABS: "abs",
    t.MAX: "max",
    t.MIN: "min",
    t.SGN: "sgn",
    t.LEN: "len",
    t.ASC: "asc",
    t.POS: "pos",
    t.RND: "rnd",
    t.SIN: "sin",
    t.COS: "cos",
}
CONSTANT = "range"
"""The operation of a term whose `data` is its range."""


class Formula(NamedTuple):
    """An expression as a term."""

    op: str
    args: tuple[Any, ...] = ()
    data: Any = None


def known(value: Interval) -> Formula:
    """The term of a value of which only the range is known."""
    return Formula(CONSTANT, (), value)


ANYTHING, ONE = known(ANY), known(Interval(1, 1))


def formula(node: nd.Expression, unknown: Container[str]) -> Formula:
    """An expression as a term; `unknown` variables may be anything."""
    if node.is_string:
        return ANYTHING
    match node:
        case nd.Number():
            value = constant(node)
            if value is None:
                return ANYTHING
            low, high = math.floor(value), math.ceil(value)
            return known(Interval(low, high, whole=low == high))
        case nd.Variable(name=name):
            return ANYTHING if name in unknown else Formula("var", (), name)
        case nd.Group(inner):
            return formula(inner, unknown)
        case nd.Unary(operator, operand):
            return _signed(operator, formula(operand, unknown))
        case nd.Binary(operator, left, right):
            return _joined(operator, left, right, unknown)
        case nd.Function(token, arguments) if token in _FUNCTIONS:
            args = tuple(formula(each, unknown) for each in arguments)
            return Formula(_FUNCTIONS[token], args)
    return ANYTHING


def _signed(operator: int, operand: Formula) -> Formula:
    if operator == t.NOT:
        return Formula("not", (_word(operand),))
    return Formula("neg", (operand,)) if operator == t.MINUS else operand


def _joined(
    operator: int, left: nd.Expression, right: nd.Expression, unknown: Container[str]
) -> Formula:
    args = formula(left, unknown), formula(right, unknown)
    if operator in RELATIONS:
        return Formula(("t" if left.is_string else "") + RELATIONS[operator], args)
    if operator in SUMS:
        return Formula(SUMS[operator], args)
    if operator in BITS:
        return Formula(BITS[operator], tuple(map(_word, args)))
    return ANYTHING


def _word(operand: Formula) -> Formula:
    """An operand of AND, OR, XOR or NOT, which the machine rounds."""
    return Formula("round", (operand,), (WORD_LOW, WORD_HIGH))
