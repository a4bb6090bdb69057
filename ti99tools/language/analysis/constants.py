"""Constants as programs write them: numbers with signs and in parentheses, and strings of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, overload

from ti99tools.base import tokens as t
from ti99tools.base.basic import LONGEST_STRING
from ti99tools.language.syntax import nodes

if TYPE_CHECKING:
    from decimal import Decimal

MOST_DIGITS = 9
"""Numbers with more digits before the point are outside every range, however they are rounded."""
FAR: int = 10**MOST_DIGITS


def constant(node: object) -> int | Decimal | None:
    """The value of a number written as such, with signs and parentheses; else None."""
    match node:
        case nodes.Number(text):
            if text.isdecimal() and len(text) <= MOST_DIGITS:
                return int(text)
            from decimal import Decimal, InvalidOperation

            try:
                return Decimal(text)
            except InvalidOperation:
                return None
        case nodes.Group(inner):
            return constant(inner)
        case nodes.Unary(t.MINUS | t.PLUS as operator, operand):
            value = constant(operand)
            return -value if value is not None and operator == t.MINUS else value
    return None


@overload
def whole(value: int | Decimal) -> int: ...
@overload
def whole(value: None) -> None: ...
@overload
def whole(value: int | Decimal | None) -> int | None: ...
def whole(value: int | Decimal | None) -> int | None:
    """A number as the console rounds it, halves up; a huge one becomes ±`FAR`."""
    if value is None or isinstance(value, int):
        return value
    from decimal import Decimal

    if value.adjusted() > MOST_DIGITS:
        return FAR if value > 0 else -FAR
    return math.floor(value + Decimal("0.5"))


def integer(node: object) -> int | None:
    """The value of a constant that is whole as it is written, up to ±`FAR`; else None."""
    value = constant(node)
    rounded = whole(value)
    return rounded if rounded == value and rounded is not None and abs(rounded) <= FAR else None


def text_length(node: nodes.Expression) -> int | None:
    """The length of a string that consists of constants; None if only a run shows it."""
    match node:
        case nodes.String(text):
            return len(text)
        case nodes.Group(inner):
            return text_length(inner)
        case nodes.Function(t.CHR, (code,)) if constant(code) is not None:
            return 1
        case nodes.Function(t.RPT, (nodes.String(text), nodes.Number() as times)):
            count = integer(times)
            return None if count is None else min(len(text) * count, LONGEST_STRING)
        case nodes.Binary(t.CONCAT, left, right):
            one, other = text_length(left), text_length(right)
            return None if one is None or other is None else min(one + other, LONGEST_STRING)
    return None
