"""Constants among the arguments of a CALL that the built-in subprogram refuses.

The console rounds numbers, halves up, before it compares them. A value outside its range is an
error when the CALL runs, whatever its other arguments are.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from ti99tools.base import tokens as t
from ti99tools.base.record import Record
from ti99tools.language.listing.builtins import SUBPROGRAMS, VALUE, Argument, kinds
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st

if TYPE_CHECKING:
    from decimal import Decimal

_DIGITS = 9
"""Numbers with more digits before the point are outside every range, however they are rounded."""
_FAR: int = 10**_DIGITS


class Outside(Record):
    """A constant that the console refuses: its meaning and its range."""

    counts: str
    value: str
    allowed: str


def _paired(name: str, arguments: Sequence[st.Argument]) -> Iterable[tuple[st.Argument, Argument]]:
    """Each argument of a CALL of a built-in subprogram with what it stands for."""
    known = SUBPROGRAMS[name].arguments(kinds(arguments))
    return zip(arguments, known, strict=False)


def outside(name: str, arguments: Sequence[st.Argument]) -> Iterator[Outside]:
    """The constants of a CALL of the built-in subprogram `name` that are out of range."""
    for argument, meant in _paired(name, arguments):
        value = constant(argument.number if isinstance(argument, st.Hash) else argument)
        if not meant.values or value is None:
            continue
        rounded = whole(value)
        if not any(low <= rounded <= high for low, high in meant.values):
            allowed = " or ".join(f"{low} to {high}" for low, high in meant.values)
            yield Outside(meant.name, f"{value}", allowed)


class Mixed(Record):
    """A text where the console takes a number, or vice versa; `kind` is what it takes."""

    counts: str
    kind: str
    remedy: str


def mixed(name: str, arguments: Sequence[st.Argument]) -> Iterator[Mixed]:
    """The arguments of a CALL of the built-in subprogram `name` that are of the other type."""
    for argument, meant in _paired(name, arguments):
        if isinstance(argument, st.Hash | st.All | st.WholeArray | nodes.Fault):
            continue
        if meant.kind != VALUE or meant.stored or argument.is_string == meant.string:
            continue
        remedy = "give a text" if meant.string else "give a number"
        if isinstance(argument, nodes.String) and len(argument.text) == 1:
            remedy = f"write {ord(argument.text)}, its code"
        yield Mixed(meant.name, "text" if meant.string else "number", remedy)


def unstored(
    name: str, arguments: Sequence[st.Argument], functions: Container[str]
) -> Iterator[Mixed]:
    """The arguments of a CALL of `name` that should be variables of the type it returns, but are
    not.

    `functions` are the names of DEFs.
    """
    for argument, meant in _paired(name, arguments):
        if not meant.stored or isinstance(argument, nodes.Fault | st.Hash | st.All | st.WholeArray):
            continue
        named = argument.name if isinstance(argument, nodes.Variable | nodes.Element) else None
        if named and named not in functions and argument.is_string == meant.string:
            continue
        yield Mixed(meant.name, "text" if meant.string else "number", "")


@overload
def whole(value: int | Decimal) -> int: ...
@overload
def whole(value: None) -> None: ...
@overload
def whole(value: int | Decimal | None) -> int | None: ...
def whole(value: int | Decimal | None) -> int | None:
    """A number as the console rounds it, halves up; a huge one as far outside of all ranges."""
    if value is None or isinstance(value, int):
        return value
    from decimal import Decimal

    if value.adjusted() > _DIGITS:
        return _FAR if value > 0 else -_FAR
    return math.floor(value + Decimal("0.5"))


def constant(node: object) -> int | Decimal | None:
    """The value of a number written as such, with signs and parentheses; else None."""
    match node:
        case nodes.Number(text):
            if text.isdecimal() and len(text) <= _DIGITS:
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
