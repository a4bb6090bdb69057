"""The operators of Extended BASIC on numbers, for callers that do not inline them.

Overflow gives a flagged value (see radix), never an exception; underflow gives 0.
"""

from __future__ import annotations

from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_VALUE, XBError
from ti99tools.numbers import functions
from ti99tools.numbers.convert import to_integer
from ti99tools.numbers.radix import OVERFLOW_POS, POWERS, Number, Radix, order, quotient, settle


def add(a: Number, b: Number) -> Number:
    """a + b."""
    return settle(a + b)


def sub(a: Number, b: Number) -> Number:
    """a − b."""
    return settle(a - b)


def mul(a: Number, b: Number) -> Number:
    """a × b."""
    return settle(a * b)


def div(a: Number, b: Number) -> Number:
    """a ÷ b; by zero the flagged overflow with the dividend's sign, 0/0 positive."""
    if isinstance(a, int):
        if isinstance(b, int):
            if b and not a % b:
                return a // b
            return quotient(a, 0, b, 0)
        return quotient(a, 0, b.mantissa, b.places)
    if isinstance(b, int):
        return quotient(a.mantissa, a.places, b, 0)
    return quotient(a.mantissa, a.places, b.mantissa, b.places)


def floor(n: Number) -> Number:
    """INT: the largest whole number not above n."""
    if isinstance(n, int) or n.places <= 0:
        return n
    return n.mantissa // POWERS[n.places]


def sgn(n: Number) -> int:
    """SGN: -1, 0 or 1."""
    if isinstance(n, int):
        return (n > 0) - (n < 0)
    return 1 if n.mantissa > 0 else -1


def compare(a: Number, b: Number) -> int:
    """-1, 0 or 1 as a is less than, equal to or greater than b; exact."""
    difference = order(a, b)
    return (difference > 0) - (difference < 0)


def power(a: Number, b: Number) -> Number:
    """a ^ b: repeated multiplication for whole exponents, otherwise EXP(b × LOG(a)).

    BAD ARGUMENT for a negative base with a fractional exponent; BAD VALUE when the power of a
    base below 1 underflows before the reciprocal that a negative exponent asks for.
    """
    if not b:
        return 1
    if not a:
        return 0 if b > 0 else OVERFLOW_POS
    whole = isinstance(b, int) or b.places <= 0
    if not whole:
        if a < 0:
            raise XBError(BAD_ARGUMENT)
        result = functions.exp(mul(b, functions.log(a)))
    else:
        result = _whole_power(a, b)
    return result


def _whole_power(a: Number, b: Number) -> Number:
    count = abs(to_integer(b))
    if a == 1 or a == -1:
        return 1 if a == 1 or count % 2 == 0 else -1
    negative = a < 0 and count % 2 == 1
    base: Number = abs(a)
    result: Number = 1
    while count:
        if count & 1:
            result = mul(result, base)
        count >>= 1
        if count:
            base = mul(base, base)
        if (isinstance(result, Radix) and result.overflow) or not result:
            break
        if (isinstance(base, Radix) and base.overflow) or not base:
            result = base
            break
    if b < 0:
        if isinstance(result, Radix) and result.overflow:
            return 0
        if not result:
            raise XBError(BAD_VALUE)
        result = div(1, result)
    return -result if negative and result else result
