"""Arithmetic on ranges of numbers: what an operation may give when its operands lie in ranges.

Bounds are integers or, without limit, infinities; fractions are rounded outwards to integers, which
is all that the proof of words asks for. `whole`: there are only whole numbers in it.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

WORD_LOW, WORD_HIGH = -32768, 32767
Bound = int | float


NEGATED = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}
SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Relation → the one that holds where it does not, and the one of the operands in turn."""


class Interval(NamedTuple):
    """Numbers from `low` to `high`."""

    low: Bound
    high: Bound
    whole: bool = True

    @property
    def is_word(self) -> bool:
        """Tell whether all of it are 16-bit integers."""
        return self.whole and self.low >= WORD_LOW and self.high <= WORD_HIGH

    def __str__(self) -> str:
        return f"{self.low}..{self.high}" + ("" if self.whole else " with fractions")


ANY = Interval(-inf, inf, whole=False)
ZERO, TRUTH, WORD = Interval(0, 0), Interval(-1, 0), Interval(WORD_LOW, WORD_HIGH)


def join(a: Interval, b: Interval) -> Interval:
    """The smallest range that holds both."""
    return Interval(min(a.low, b.low), max(a.high, b.high), a.whole and b.whole)


def meet(a: Interval, low: Bound, high: Bound) -> Interval | None:
    """The part of a range within bounds; None if there is none."""
    low, high = max(a.low, low), min(a.high, high)
    return Interval(low, high, a.whole) if low <= high else None


BEYOND = 10**128
"""No number reaches it: a calculation ends in an overflow, which gives the largest number."""


def _bounded(low: Bound, high: Bound, whole: bool) -> Interval:
    """A range, without limit beyond all numbers, as Python's integers would grow without end.

    Neither bound becomes the infinity of the other: sums of these are no numbers.
    """
    low = -inf if low <= -BEYOND else min(low, BEYOND)
    high = inf if high >= BEYOND else max(high, -BEYOND)
    return Interval(low, high, whole)


def add(a: Interval, b: Interval) -> Interval:
    """The range of a sum."""
    return _bounded(a.low + b.low, a.high + b.high, a.whole and b.whole)


def neg(a: Interval) -> Interval:
    """The range of a number with the other sign."""
    return Interval(-a.high, -a.low, a.whole)


def sub(a: Interval, b: Interval) -> Interval:
    """The range of a difference."""
    return add(a, neg(b))


def _product(a: Bound, b: Bound) -> Bound:
    return 0 if not a or not b else a * b


def mul(a: Interval, b: Interval) -> Interval:
    """The range of a product."""
    corners = [_product(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return _bounded(min(corners), max(corners), a.whole and b.whole)


def quotient(a: Interval, b: Interval) -> Interval:
    """Bounds that hold for INT(a/b) as well as for a/b."""
    if b.low <= 0 <= b.high or inf in (a.high, -a.low, b.high, -b.low):
        return Interval(-inf, inf, whole=True)
    corners = [x / y for x in (a.low, a.high) for y in (b.low, b.high)]
    unsure = max(map(abs, (*a[:2], *b[:2]))) > 1_000_000  # the quotient as a float is not exact
    return Interval(int(min(corners) // 1) - unsure, int(max(corners) // 1) + 1, whole=True)


def divided(a: Interval, b: Interval) -> Interval:
    """The range of a quotient, which may have a fraction."""
    return quotient(a, b)._replace(whole=False)


def whole_quotient(a: Interval, b: Interval) -> Interval:
    """INT(a/b); exact where both are words and b is above 0."""
    if not (a.is_word and b.is_word and b.low > 0):
        return quotient(a, b)
    corners = [int(x) // int(y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(corners), max(corners))


def larger(a: Interval, b: Interval) -> Interval:
    """The range of MAX of two numbers."""
    return Interval(max(a.low, b.low), max(a.high, b.high), a.whole and b.whole)


def smaller(a: Interval, b: Interval) -> Interval:
    """The range of MIN of two numbers."""
    return Interval(min(a.low, b.low), min(a.high, b.high), a.whole and b.whole)


def absolute(a: Interval) -> Interval:
    """The range of a number without its sign."""
    if a.low >= 0:
        return a
    return neg(a) if a.high <= 0 else Interval(0, max(-a.low, a.high), a.whole)


def floor(a: Interval) -> Interval:
    """INT: the bounds are whole numbers already."""
    return a._replace(whole=True)


def rounded(a: Interval, low: Bound, high: Bound) -> Interval:
    """A number as a whole one within limits.

    Outside them the statement fails, and nothing goes on with the value.
    """
    return meet(a._replace(whole=True), low, high) or Interval(low, high)


def inverted(a: Interval) -> Interval:
    """NOT of a word."""
    return Interval(-1 - a.high, -1 - a.low)


def bits(a: Interval, b: Interval, op: str) -> Interval:
    """AND, OR, XOR of words."""
    if op == "and" and (a.low >= 0 or b.low >= 0):
        tops = [x.high for x in (a, b) if x.low >= 0]
        return Interval(0, min(tops))
    if a.low >= -1 and a.high <= 0 and b.low >= -1 and b.high <= 0:
        return TRUTH
    if a.low >= 0 and b.low >= 0:
        return Interval(0, (1 << max(int(a.high), int(b.high)).bit_length()) - 1)
    return WORD


def possible(op: str, a: Interval, b: Interval) -> bool:
    """Tell whether numbers of two ranges may stand in a relation."""
    match op:
        case "lt":
            return a.low < b.high
        case "le":
            return a.low <= b.high
        case "gt":
            return a.high > b.low
        case "ge":
            return a.high >= b.low
        case "eq":
            return a.low <= b.high and b.low <= a.high
        case _:
            return not (a.low == a.high == b.low == b.high)


def within(own: Interval, op: str, other: Interval) -> Interval | None:
    """What is left of a range that stands in a relation to another."""
    step = 1 if own.whole and other.whole else 0
    match op:
        case "lt":
            return meet(own, -inf, other.high - step)
        case "le":
            return meet(own, -inf, other.high)
        case "gt":
            return meet(own, other.low + step, inf)
        case "ge":
            return meet(own, other.low, inf)
        case "eq":
            return meet(own, other.low, other.high)
        case _:
            if other.low == other.high and own.whole:
                if own.low == other.low:
                    return meet(own, own.low + 1, inf)
                if own.high == other.low:
                    return meet(own, -inf, own.high - 1)
            return own
