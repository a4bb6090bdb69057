"""Radix: a number of the TI-99/4A that is not a Python int.

The machine computes with seven base-100 digits and an exponent of 100 from -64 to 63. A whole
number below 10**14 in magnitude is a plain `int` here; any other is a `Radix`: `mantissa` ×
100**-`places`, the mantissa below 10**14 in magnitude and not a multiple of 100. So a value has
exactly one representation, small sums and products are exact ints without rounding, and only
results longer than seven base-100 digits cost time for it.

Rules of rounding (from the recorded vectors): × and ÷ round the exact result half up, on
magnitude; + and − keep two base-100 guard digits of the operand with the smaller exponent and
drop the rest before adding, then round half up.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias, TypeGuard

LIMIT: Final = 10**14
"""Ints from here on in magnitude do not fit into seven base-100 digits."""

POWERS: Final[tuple[int, ...]] = tuple(100**i for i in range(160))
"""Index: n → 100**n."""

_SMALLEST_SEVEN, _BEYOND_EIGHT, _BEYOND_NINE = POWERS[6], POWERS[8], POWERS[9]
"""Mantissas: the first of seven base-100 digits, the first of more than eight and than nine."""

_MIN_PLACES_SURE: Final = -57
_MAX_PLACES_SURE: Final = 64
"""Between these no exponent is out of range: -64 with one digit to 63 with seven."""
_HUGE_MANTISSA: Final = LIMIT - 1
_HUGE_PLACES: Final = -57
"""The largest number, 9.9999999999999E+127."""


def _rounding_table() -> tuple[tuple[int, int, int, int], ...]:
    """Bit length → (first value with a digit more, divisor, half of it, places to drop)."""
    rows = []
    for bits in range(480):
        drop = max(1, (len(str(1 << max(bits - 1, 0))) + 1) // 2 - 7)
        rows.append((POWERS[drop + 7], POWERS[drop], POWERS[drop] // 2, drop))
    return tuple(rows)


_ROUNDING: Final = _rounding_table()


def _quotient_table() -> tuple[tuple[int, int], ...]:
    """Bits of the divisor less those of the dividend → (factor, places) for seven digits.

    The factor is 2 × 100**places, and the quotient most probably has seven digits. Both numbers
    are below 2**47; a negative difference counts from the end.
    """
    rows = []
    for index in range(96):
        bits = index if index < 48 else index - 96
        places = max(0, round((bits + 43.2) / math.log2(100)))
        rows.append((2 * POWERS[places], places))
    return tuple(rows)


_QUOTIENT: Final = _quotient_table()


class Radix:
    """`mantissa` × 100**-`places`; immutable by convention, made only by this room."""

    __slots__ = ("mantissa", "places")

    mantissa: int
    places: int
    overflow: bool = False

    def __add__(self, other: Number) -> Number:
        return plus(self, other)

    def __radd__(self, other: int) -> Number:
        return plus(other, self)

    def __sub__(self, other: Number) -> Number:
        return minus(self, other)

    def __rsub__(self, other: int) -> Number:
        return minus(other, self)

    def __mul__(self, other: Number) -> Number:
        return times(self, other)

    def __rmul__(self, other: int) -> Number:
        return times(other, self)

    def __truediv__(self, other: Number) -> Number:
        return divide(self, other)

    def __rtruediv__(self, other: int) -> Number:
        return divide(other, self)

    def __neg__(self) -> Radix:
        return _make(-self.mantissa, self.places)

    def __pos__(self) -> Radix:
        return self

    def __abs__(self) -> Radix:
        return self if self.mantissa > 0 else -self

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Radix):
            return self.mantissa == other.mantissa and self.places == other.places
        return isinstance(other, float) and float(self) == other

    def __hash__(self) -> int:
        return hash(float(self))

    def __float__(self) -> float:
        """The nearest float; no two numbers have the same, as fifteen digits fit into one."""
        if self.places > 0:
            return self.mantissa / POWERS[self.places]
        return float(self.mantissa * POWERS[-self.places])

    def __lt__(self, other: Number) -> bool:
        return order(self, other) < 0

    def __le__(self, other: Number) -> bool:
        return order(self, other) <= 0

    def __gt__(self, other: Number) -> bool:
        return order(self, other) > 0

    def __ge__(self, other: Number) -> bool:
        return order(self, other) >= 0

    @property
    def value_after_warning(self) -> Number:
        """The value with which a program goes on after the overflow warning: unflagged."""
        return self

    def __repr__(self) -> str:
        return f"Radix({self.mantissa}, {self.places})"


Number: TypeAlias = int | Radix
"""A value: an int below 10**14 in magnitude, or a `Radix`."""
Value: TypeAlias = Number | str
"""What a variable may hold."""


class _Overflow(Radix):
    """The result of an operation that overflowed; acts as ±9.9999999999999E+127."""

    __slots__ = ()
    overflow = True

    def __neg__(self) -> Radix:
        return OVERFLOW_NEG if self.mantissa > 0 else OVERFLOW_POS

    @property
    def value_after_warning(self) -> Number:
        return LARGEST if self.mantissa > 0 else -LARGEST


def _make(mantissa: int, places: int, kind: type[Radix] = Radix) -> Radix:
    result = kind()
    result.mantissa = mantissa
    result.places = places
    return result


LARGEST: Final = _make(_HUGE_MANTISSA, _HUGE_PLACES)
"""9.9999999999999E+127, bytes 7F 63 63 63 63 63 63 63."""

OVERFLOW_POS: Final = _make(_HUGE_MANTISSA, _HUGE_PLACES, _Overflow)
OVERFLOW_NEG: Final = _make(-_HUGE_MANTISSA, _HUGE_PLACES, _Overflow)


def normal(mantissa: int, places: int) -> Number:
    """Round mantissa × 100**-places half up to seven base-100 digits, in its one representation.

    The mantissa may have up to 479 bits. Overflow gives a flagged value, underflow 0.
    """
    if mantissa >= LIMIT:
        if mantissa < _BEYOND_EIGHT:
            mantissa = (mantissa + 50) // 100
            places -= 1
        elif mantissa < _BEYOND_NINE:
            mantissa = (mantissa + 5000) // 10000
            places -= 2
        else:
            mantissa, dropped = _rounded(mantissa)
            places -= dropped
    elif mantissa <= -LIMIT:
        size, dropped = _rounded(-mantissa)
        mantissa = -size
        places -= dropped
    if mantissa % 100 and 0 < places <= _MAX_PLACES_SURE:
        result = Radix()
        result.mantissa = mantissa
        result.places = places
        return result
    return _unusual(mantissa, places)


def _rounded(mantissa: int) -> tuple[int, int]:
    """A mantissa of more than seven digits rounded to seven, and how many were dropped."""
    limit, divisor, half, drop = _ROUNDING[mantissa.bit_length()]
    if mantissa >= limit:
        divisor *= 100
        half *= 100
        drop += 1
    return (mantissa + half) // divisor, drop


def _unusual(mantissa: int, places: int) -> Number:
    """The less usual cases of `normal`: whole numbers, trailing zeros, the ends of the range.

    The mantissa has at most seven trailing zero digits; they are removed four, two and one at a
    time.
    """
    if not mantissa:
        return 0
    if places <= 0:
        if places > -7:
            whole = mantissa * POWERS[-places]
            if -LIMIT < whole < LIMIT:
                return whole
        for size in (4, 2, 1):
            if not mantissa % POWERS[size]:
                mantissa //= POWERS[size]
                places -= size
    else:
        for size in (4, 2, 1):
            if size <= places and not mantissa % POWERS[size]:
                mantissa //= POWERS[size]
                places -= size
        if not places:
            return mantissa
    if _MIN_PLACES_SURE <= places <= _MAX_PLACES_SURE:
        return _make(mantissa, places)
    return _checked(mantissa, places)


def exponent(mantissa: int, places: int) -> int:
    """The power of 100 of the first base-100 digit of a mantissa that is not 0."""
    return (len(str(abs(mantissa))) + 1) // 2 - 1 - places


def _checked(mantissa: int, places: int) -> Number:
    """A `Radix` near the ends of the range, whose exponent must be checked."""
    power = exponent(mantissa, places)
    # Exponents of 100 run from -64 to 63: beyond is overflow, below is 0.
    if power > 63:
        return OVERFLOW_POS if mantissa > 0 else OVERFLOW_NEG
    if power < -64:
        return 0
    return _make(mantissa, places)


def settle(x: Number) -> Number:
    """Make the result of a Python int operation (of any size) a proper number."""
    if type(x) is int and not -LIMIT < x < LIMIT:
        if -POWERS[64] < x < POWERS[64]:
            return normal(x, 0)
        return OVERFLOW_POS if x > 0 else OVERFLOW_NEG
    return x


def overflowed(value: object) -> TypeGuard[Radix]:
    """Tell whether a value is a number that was too large."""
    return isinstance(value, Radix) and value.overflow


def parts(n: Number) -> tuple[int, int]:
    """A number as (mantissa, places): its value is mantissa × 100**-places.

    The four operations do this in line, to save the time of a call.
    """
    if type(n) is int:
        return n, 0
    return n.mantissa, n.places  # type: ignore[union-attr]


def plus(a: Number, b: Number) -> Number:
    """a + b; settled, for operands that are mostly not ints."""
    if type(a) is int:
        m1, k1 = a, 0
    else:
        m1, k1 = a.mantissa, a.places  # type: ignore[union-attr]
    if type(b) is int:
        return _sum(m1, k1, b, 0)
    return _sum(m1, k1, b.mantissa, b.places)  # type: ignore[union-attr]


def minus(a: Number, b: Number) -> Number:
    """a − b; settled, for operands that are mostly not ints."""
    if type(a) is int:
        m1, k1 = a, 0
    else:
        m1, k1 = a.mantissa, a.places  # type: ignore[union-attr]
    if type(b) is int:
        return _sum(m1, k1, -b, 0)
    return _sum(m1, k1, -b.mantissa, b.places)  # type: ignore[union-attr]


def _sum(m1: int, k1: int, m2: int, k2: int) -> Number:
    """m1 × 100**-k1 + m2 × 100**-k2 by the machine's rule of two guard digits.

    The exact sum, rounded, is right as long as no digit is dropped before adding: when the operand
    with fewer places is short enough for the other to end within its guard digits.
    """
    if k1 == k2:
        return normal(m1 + m2, k1)
    if k1 < k2:
        m1, k1, m2, k2 = m2, k2, m1, k1
    shift = k1 - k2
    if shift <= 8:
        total = m2 * POWERS[shift] + m1
        if shift <= 2 or -LIMIT < total < LIMIT or -POWERS[9 - shift] < m2 < POWERS[9 - shift]:
            return normal(total, k1)
    return _far_sum(m1, k1, m2, k2)


def _far_sum(m1: int, k1: int, m2: int, k2: int) -> Number:
    """The sum where digits of one operand may lie beyond the guard digits."""
    if not m1 or not m2:
        return normal(m1 or m2, k1 if m1 else k2)
    if exponent(m1, k1) > exponent(m2, k2):
        m1, k1, m2, k2 = m2, k2, m1, k1
    guard = 8 - exponent(m2, k2)
    if k1 > guard:
        excess = k1 - guard
        if excess >= 8:
            return normal(m2, k2)
        m1 = m1 // POWERS[excess] if m1 > 0 else -(-m1 // POWERS[excess])
        k1 = guard
    if k1 >= k2:
        return normal(m2 * POWERS[k1 - k2] + m1, k1)
    return normal(m1 * POWERS[k2 - k1] + m2, k2)


def times(a: Number, b: Number) -> Number:
    """a × b; settled, for operands that are mostly not ints."""
    if type(a) is int:
        m1, k1 = a, 0
    else:
        m1, k1 = a.mantissa, a.places  # type: ignore[union-attr]
    if type(b) is int:
        return normal(m1 * b, k1)
    return normal(m1 * b.mantissa, k1 + b.places)  # type: ignore[union-attr]


def divide(a: Number, b: Number) -> Number:
    """a ÷ b; by zero the flagged overflow with the dividend's sign, 0/0 positive.

    Most quotients have seven digits at once: they are rounded by the division itself.
    """
    if type(a) is int:
        if type(b) is int and b and not a % b:
            return a // b
        m1, places = a, 0
    else:
        m1, places = a.mantissa, a.places  # type: ignore[union-attr]
    if type(b) is int:
        m2 = b
    else:
        m2 = b.mantissa  # type: ignore[union-attr]
        places -= b.places  # type: ignore[union-attr]
    if m1 > 0 and m2 > 0:
        factor, extra = _QUOTIENT[m2.bit_length() - m1.bit_length()]
        mantissa = (m1 * factor + m2) // (m2 + m2)
        if _SMALLEST_SEVEN < mantissa < LIMIT and mantissa % 100:
            extra += places
            if 0 < extra <= _MAX_PLACES_SURE:
                result = Radix()
                result.mantissa = mantissa
                result.places = extra
                return result
    return _quotient(m1, m2, places)


def _quotient(m1: int, m2: int, places: int) -> Number:
    """m1 ÷ m2 × 100**-places, for any m1 and m2."""
    if not m2:
        return OVERFLOW_NEG if m1 < 0 else OVERFLOW_POS
    if not m1 % m2:
        return normal(m1 // m2, places)
    factor, extra = _QUOTIENT[m2.bit_length() - m1.bit_length()]
    digits = abs(m1) * factor * 5000 // abs(m2)
    return normal(digits if (m1 < 0) is (m2 < 0) else -digits, places + extra + 2)


def magnitude(n: Number) -> Number:
    """ABS: n without its sign."""
    return n if n >= 0 else -n


def order(a: Number, b: Number) -> int:
    """Negative, zero or positive as a is less than, equal to or greater than b; exact."""
    if type(a) is int:
        m1, k1 = a, 0
    else:
        m1, k1 = a.mantissa, a.places  # type: ignore[union-attr]
    if type(b) is int:
        m2, k2 = b, 0
    else:
        m2, k2 = b.mantissa, b.places  # type: ignore[union-attr]
    if k1 == k2:
        return m1 - m2
    if k1 < k2:
        return m1 * POWERS[k2 - k1] - m2
    return m1 - m2 * POWERS[k1 - k2]
