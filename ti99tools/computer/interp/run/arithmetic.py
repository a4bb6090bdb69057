"""Arithmetic whose time depends on its operands: what the digits of numbers take.

Source: the figures of `base/cycles/language`.
"""

from __future__ import annotations

from ti99tools.base.cycles.language import (
    DIGIT_LESS,
    DIGIT_PRODUCT,
    DIVISOR_DIGIT,
    NOTHING_ADDED,
    NOTHING_ADDED_TO,
    NOTHING_DIVIDED,
    NOTHING_MULTIPLIED,
    NOTHINGS_ADDED,
    POWER_2,
    POWER_BY_LOGARITHM,
    POWER_DIGIT_PRODUCT,
    POWER_INVERTED,
    POWER_NOT_POSITIVE,
    POWER_OF_FRACTION,
    POWER_STEP,
    QUOTIENT_DIGIT,
)
from ti99tools.computer.numbers import radix
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Number, Radix
from ti99tools.hardware.machine.clock import Clock

_DIGITS = tuple(-(-bits * 1000 // 6644) for bits in range(512))
"""Bits of a whole number → its base-100 digits, sometimes one too many."""
MOST_DIGITS, _BASE = 7, 100
"""Digits of a number, all of which a division calculates, and their radix."""
_PRODUCTS = tuple(DIGIT_PRODUCT * (pairs - 1) for pairs in range(257))
"""Pairs of digits that are multiplied → cycles besides those of one pair."""


def saved_by_0(a: Number, b: Number) -> int:
    """What a sum or difference takes less time, one of whose operands at least is 0."""
    return NOTHING_ADDED if a else NOTHING_ADDED_TO if b else NOTHINGS_ADDED


def plus_0(clock: Clock, a: Number, b: Number) -> Number:
    """`+` of numbers that are mostly not ints, or 0: then it is quicker."""
    if not a or not b:
        clock.cycles -= saved_by_0(a, b)
    return radix.plus(a, b)


def minus_0(clock: Clock, a: Number, b: Number) -> Number:
    """`-` of such numbers."""
    if not a or not b:
        clock.cycles -= saved_by_0(a, b)
    return radix.minus(a, b)


def divide(clock: Clock, a: Number, b: Number) -> Number:
    """`/`: the machine stops at a dividend of 0, and has less to do where digits are 0."""
    quotient = radix.divide(a, b)
    size = quotient if quotient.__class__ is int else quotient.mantissa  # type: ignore[union-attr]
    digits = _DIGITS[size.bit_length()]
    if digits < MOST_DIGITS:
        if not digits:
            clock.cycles -= NOTHING_DIVIDED
            return quotient
        clock.cycles -= DIGIT_LESS * (MOST_DIGITS - digits)
    if b.__class__ is not int:
        b = b.mantissa  # type: ignore[union-attr]
    if not -_BASE < b < _BASE:
        more = DIVISOR_DIGIT + QUOTIENT_DIGIT * digits
        clock.cycles += more * (_DIGITS[b.bit_length()] - 1)
    return quotient


def multiply(clock: Clock, a: Number, b: Number) -> Number:
    """`*` of numbers that are mostly not ints: every digit is multiplied by every other."""
    if a.__class__ is int:
        one, places = a, 0
    else:
        one, places = a.mantissa, a.places  # type: ignore[union-attr]
    if b.__class__ is int:
        other = b
    else:
        other = b.mantissa  # type: ignore[union-attr]
        places += b.places  # type: ignore[union-attr]
    product = one * other
    if not product:
        clock.cycles -= NOTHING_MULTIPLIED
        return 0
    digits = _DIGITS[one.bit_length()]
    others = _DIGITS[other.bit_length()]
    clock.cycles += _PRODUCTS[digits * others]
    return radix.normal(product, places)


_MOST_STEPS = 24
_SQUARE = 2


def powering(a: Number, b: Number) -> int:
    """Cycles of a `^` beyond those that each one takes."""
    if isinstance(b, Radix) and b.places > 0:
        return POWER_BY_LOGARITHM if a > 0 else POWER_NOT_POSITIVE
    if b == _SQUARE:
        return POWER_2
    cycles = 0 if isinstance(a, int) else POWER_OF_FRACTION
    if b < 0:
        cycles += POWER_INVERTED
    left = abs(b) if isinstance(b, int) else 1 << _MOST_STEPS
    factor = abs(a if isinstance(a, int) else a.mantissa)
    product = 1
    steps = 0
    while left and steps < _MOST_STEPS:
        digits = digit_count(factor)
        if left & 1:
            cycles += POWER_STEP + POWER_DIGIT_PRODUCT * digits * digit_count(product)
            product = _significant(product * factor)
            steps += 1
        left >>= 1
        if left:
            cycles += POWER_STEP + POWER_DIGIT_PRODUCT * digits * digits
            factor = _significant(factor * factor)
            steps += 1
    return cycles


def digit_count(mantissa: int) -> int:
    """Number of base-100 digits of a whole number."""
    return (len(str(mantissa)) + 1) // 2


def _significant(mantissa: int) -> int:
    """A number's first seven base-100 digits, without zeros at their end."""
    while mantissa >= radix.LIMIT or (mantissa and not mantissa % 100):
        mantissa //= 100
    return mantissa


NO_SERIES = -2
"""Digits for a series of 0."""
_LEAST_MIDDLE, _MOST_MIDDLE = parse_number(".41421356237"), parse_number("2.4142135624")


def series_digits(n: Number) -> int:
    """Digits of the number that the series of ATN is worked out for."""
    size = radix.magnitude(n)
    if size > _MOST_MIDDLE:
        size = radix.divide(1, size)
    elif size > _LEAST_MIDDLE:
        size = radix.divide(radix.minus(size, 1), radix.plus(size, 1))
    return digit_count(abs(radix.parts(size)[0])) if size else NO_SERIES


_ROOT_OF_10 = "316227766"
"""The figures of 10 to the power of .5."""


def upper_half(power: Number) -> bool:
    """Tell whether a result of EXP is 10 to a power whose fraction is from .5 on."""
    return str(radix.parts(power)[0]) >= _ROOT_OF_10
