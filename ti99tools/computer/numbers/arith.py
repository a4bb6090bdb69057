"""The operators of Extended BASIC on numbers, for callers that do not inline them.

Overflow gives a flagged value (see radix), never an exception; underflow gives 0.
"""

from __future__ import annotations

from ti99tools.base.xberrors import BAD_ARGUMENT, XBError
from ti99tools.computer.numbers.functions import exp, floor, log, to_integer
from ti99tools.computer.numbers.radix import (
    LIMIT,
    OVERFLOW_POS,
    Number,
    Radix,
    divide,
    magnitude,
    order,
    settle,
)

__all__ = ["add", "compare", "div", "floor", "mul", "power", "sgn", "sub"]

_MOST_EXACT_EXPONENT = 46
"""2**46 is the highest power of an int above 1 that may stay below 10**14."""

div = divide


def add(a: Number, b: Number) -> Number:
    """a + b."""
    return settle(a + b)


def sub(a: Number, b: Number) -> Number:
    """a − b."""
    return settle(a - b)


def mul(a: Number, b: Number) -> Number:
    """a × b."""
    return settle(a * b)


def sgn(n: Number) -> int:
    """SGN: -1, 0 or 1."""
    return (n > 0) - (n < 0)


def compare(a: Number, b: Number) -> int:
    """-1, 0 or 1 as a is less than, equal to or greater than b; exact."""
    difference = order(a, b)
    return (difference > 0) - (difference < 0)


def power(a: Number, b: Number) -> Number:
    """a ^ b: repeated squaring for whole exponents, otherwise EXP(b × LOG(a)).

    BAD ARGUMENT for a negative base with a fractional exponent, and where a negative exponent of
    a base below 1 leaves the range of numbers (that of a base above 1 gives 0).
    """
    if isinstance(b, int):
        if 0 <= b <= _MOST_EXACT_EXPONENT and isinstance(a, int):
            exact: int = a**b
            if -LIMIT < exact < LIMIT:
                return exact
        return _whole_power(a, b)
    if not a:
        return 0 if b > 0 else OVERFLOW_POS
    if b.places <= 0:
        return _whole_power(a, to_integer(b))
    if a < 0:
        raise XBError(BAD_ARGUMENT)
    result = exp(b * log(a))
    if b < 0 and _overflowed(result):
        raise XBError(BAD_ARGUMENT)
    return result


def _overflowed(n: Number) -> bool:
    return isinstance(n, Radix) and n.overflow


def _whole_power(a: Number, b: int) -> Number:
    """The power by squaring from the lowest bit up; the reciprocal is taken at the end."""
    if not a:
        return OVERFLOW_POS if b < 0 else int(not b)
    count = abs(b)
    negative = a < 0 and count & 1
    base = magnitude(a)
    if base == 1:
        return -1 if negative else 1
    result: Number = 1
    while count:
        if count & 1:
            result = settle(result * base)
        count >>= 1
        if count:
            base = settle(base * base)
            if not base or _overflowed(base):
                result = base
                break
    if b < 0:
        if not result:
            raise XBError(BAD_ARGUMENT)
        result = 0 if _overflowed(result) else divide(1, result)
    return -result if negative else result
