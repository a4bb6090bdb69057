"""Random numbers of Extended BASIC, to the digit of the console.

RND: X ← (14389820420821·X + 21132486540519) mod 10**14, and the value is X / 10**14.

The machine keeps X as two numbers of seven decimal digits and multiplies the halves in radix 100.
RANDOMIZE splits the mantissa of its argument into the halves. A negative number has its first word
negated, so that its first base-100 digit d is stored as 256 − d, which is not a valid digit. What
the first RND makes of it follows from the machine's digit arithmetic, byte by byte
(`_after_negative_seed`); from the second on everything is normal.
"""

from __future__ import annotations

from ti99tools.computer.numbers.radix import LIMIT, Number, normal, parts

MULTIPLIER = 14389820420821
INCREMENT = 21132486540519
"""The constants of RND; see the module."""
START = 335212624223
"""X before the first RND of a program without RANDOMIZE; every RUN begins here."""

_HALF_MODULUS = 10**7
_LOW_MULTIPLIER = MULTIPLIER % _HALF_MODULUS
_INVERSE = pow(MULTIPLIER, -1, LIMIT)
_FIRST_DIGIT = LIMIT // 100
_LARGEST_WRAPPING_DIGIT = 56


def _seed_mantissa(mantissa: int) -> int:
    """A mantissa (not 0) scaled to seven base-100 digits, the first not 0."""
    while mantissa < _FIRST_DIGIT:
        mantissa *= 100
    return mantissa


def _after_negative_seed(mantissa: int) -> int:
    """The X that the first RND makes after a negative seed of this mantissa (see the module).

    The low half is formed by subtracting from the mantissa its upper half × 10**7. The subtraction
    notes a borrow only if the byte difference of two digits is negative. At the first digit that is
    0 − 200 for d up to 56, which wraps round to +56: the low half becomes 2.56E14, its product has
    no digits below 10**8 left, and X is 0. For d from 57 on the difference is −100 and ends as 0,
    so that d counts as 156 − d when the low half is 0; otherwise it borrows again and leaves a
    digit 255. Then the product's first digit is 107, and the remainder of its division by 10**7 is
    what two roundings leave. If the result is negative X is taken as 0: not recorded.
    """
    first = mantissa // _FIRST_DIGIT
    low = mantissa % _HALF_MODULUS
    if first <= _LARGEST_WRAPPING_DIGIT:
        return 0
    if not low:
        first = (156 - first) % 100
        return (MULTIPLIER * (first * _FIRST_DIGIT + mantissa % _FIRST_DIGIT) + INCREMENT) % LIMIT
    millions = 256 * 10**6 - -(-low // 10**6)
    product = millions * _LOW_MULTIPLIER - 7
    tens = (product + 5) // 10
    return max(0, (tens + 5) // 10 * 100 - product) * 10**6


def seed_state(n: Number) -> int:
    """X as `RANDOMIZE n` sets it: for n ≥ 0 its mantissa, left-aligned by base-100 digits."""
    mantissa = parts(n)[0]
    if mantissa > 0:
        return _seed_mantissa(mantissa)
    if not mantissa:
        return 0
    return (_after_negative_seed(_seed_mantissa(-mantissa)) - INCREMENT) * _INVERSE % LIMIT


class RandomNumbers:
    """The generator of RND; `state` is X, 0 ≤ X < 10**14."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = START

    def reset(self) -> None:
        """Start over as RUN does."""
        self.state = START

    def randomize(self, n: Number) -> None:
        """RANDOMIZE n: the same number gives the same sequence."""
        self.state = seed_state(n)

    def digits(self) -> int:
        """The first two digits of the value that comes next: 0 to 99."""
        return (MULTIPLIER * self.state + INCREMENT) % LIMIT // _FIRST_DIGIT

    def next(self) -> Number:
        """RND: the next value, 0 ≤ value < 1."""
        self.state = state = (MULTIPLIER * self.state + INCREMENT) % LIMIT
        return normal(state, 7)
