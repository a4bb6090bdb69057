"""Constants among the arguments of a CALL that the built-in subprogram does not take.

Numbers are rounded, halves up, before the console compares them. A value outside is an error when
the CALL runs, whatever else it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, InvalidOperation

from ti99tools.base import tokens as t
from ti99tools.source.builtins import SUBPROGRAMS, kinds
from ti99tools.source.syntax import nodes
from ti99tools.source.syntax import statements as st

_DIGITS = 9
"""Numbers with more digits before the point are in no range, however they are rounded."""


@dataclass(frozen=True)
class Outside:
    """A constant that the console does not take: what it counts, and from where to where."""

    counts: str
    value: str
    allowed: str


def outside(name: str, arguments: Sequence[st.Argument]) -> Iterator[Outside]:
    """The constants of a CALL of the built-in subprogram `name` that are out of range."""
    known = SUBPROGRAMS[name].arguments(kinds(arguments))
    for argument, meant in zip(arguments, known, strict=False):
        value = constant(argument.number if isinstance(argument, st.Hash) else argument)
        if not meant.values or value is None:
            continue
        rounded = value if value.adjusted() > _DIGITS else _rounded(value)
        if not any(low <= rounded <= high for low, high in meant.values):
            allowed = " or ".join(f"{low} to {high}" for low, high in meant.values)
            yield Outside(meant.name, f"{value}", allowed)


def _rounded(value: Decimal) -> Decimal:
    return (value + Decimal("0.5")).to_integral_value(ROUND_FLOOR)


def constant(node: object) -> Decimal | None:
    """The value of a number that is written as such, with signs and parentheses; else None."""
    match node:
        case nodes.Number(text):
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
