"""What values the built-in subprograms take, argument by argument.

Numbers are rounded, halves up, before the console compares them. The ranges are those that the
console itself enforces; a value outside is an error when the CALL runs, whatever else it says.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, InvalidOperation

from ti99tools.base import tokens as t
from ti99tools.source.syntax import nodes
from ti99tools.source.syntax import statements as st

Spans = tuple[tuple[int, int], ...]

RANGES: dict[str, Spans] = {
    "row": ((1, 24),),
    "column": ((1, 32),),
    "character code": ((32, 143),),
    "code": ((0, 32767),),
    "repetition": ((0, 32767),),
    "character set": ((0, 14),),
    "color": ((1, 16),),
    "sprite": ((1, 28),),
    "sprite row": ((1, 256),),
    "sprite column": ((1, 256),),
    "velocity": ((-128, 127),),
    "tolerance": ((0, 32767),),
    "magnification": ((1, 4),),
    "duration": ((-4250, -1), (1, 4250)),
    "frequency": ((-8, -1), (110, 44733)),
    "volume": ((0, 30),),
    "keyboard unit": ((0, 5),),
    "joystick unit": ((1, 4),),
}
"""What is counted → from and to, once or twice."""

_SPRITE_PLACE = ("sprite", "sprite row", "sprite column")
_SHAPES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "CHAR": ((), ("character code", "")),
    "CHARPAT": ((), ("character code", "")),
    "COINC hh": (("sprite", "sprite", "tolerance", ""), ()),
    "COINC hv": ((*_SPRITE_PLACE, "tolerance", ""), ()),
    "COLOR h": ((), ("sprite", "color")),
    "COLOR v": ((), ("character set", "color", "color")),
    "DELSPRITE h": ((), ("sprite",)),
    "DISTANCE hh": (("sprite", "sprite", ""), ()),
    "DISTANCE hv": ((*_SPRITE_PLACE, ""), ()),
    "GCHAR": (("row", "column", ""), ()),
    "HCHAR": (("row", "column", "code", "repetition"), ()),
    "JOYST": (("joystick unit", "", ""), ()),
    "KEY": (("keyboard unit", "", ""), ()),
    "LOCATE": ((), _SPRITE_PLACE),
    "MAGNIFY": (("magnification",), ()),
    "MOTION": ((), ("sprite", "velocity", "velocity")),
    "PATTERN": ((), ("sprite", "character code")),
    "POSITION": ((), ("sprite", "", "")),
    "SCREEN": (("color",), ()),
    "SOUND": (("duration",), ("frequency", "volume")),
    "VCHAR": (("row", "column", "code", "repetition"), ()),
}
"""Name, and where needed the kinds its arguments begin with (see source.builtins) → what its first
arguments count, and what the others do, again and again; nothing for what has no range."""
_DIGITS = 9
"""Numbers with more digits before the point are in no range, however they are rounded."""
_ONE_SPRITE = ("sprite", "character code", "color", "sprite row", "sprite column")


@dataclass(frozen=True)
class Outside:
    """A constant that the console does not take: what it counts, and from where to where."""

    counts: str
    value: str
    allowed: str


def outside(name: str, arguments: Sequence[st.Argument], kinds: str) -> Iterator[Outside]:
    """The constants of a CALL that are out of range; `kinds` has a letter for each argument."""
    for argument, counts in zip(arguments, counted(name, kinds), strict=False):
        value = constant(argument.number if isinstance(argument, st.Hash) else argument)
        if not counts or value is None:
            continue
        spans = RANGES[counts]
        rounded = value if value.adjusted() > _DIGITS else _rounded(value)
        if not any(low <= rounded <= high for low, high in spans):
            allowed = " or ".join(f"{low} to {high}" for low, high in spans)
            yield Outside(counts, f"{value}", allowed)


def _rounded(value: Decimal) -> Decimal:
    return (value + Decimal("0.5")).to_integral_value(ROUND_FLOOR)


def counted(name: str, kinds: str) -> Iterator[str]:
    """What the arguments of a subprogram count, one after the other; empty for no range."""
    if name == "SPRITE":
        for one in re.findall("hv*", kinds):
            yield from (*_ONE_SPRITE, "velocity", "velocity")[: len(one)]
        return
    for shape in (name, f"{name} {kinds[:1]}", f"{name} {kinds[:2]}"):
        first, others = _SHAPES.get(shape, ((), ()))
        yield from first
        if others:
            yield from itertools.cycle(others)


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
