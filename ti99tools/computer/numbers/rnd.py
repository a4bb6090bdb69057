"""Random numbers of Extended BASIC, to the digit of the console, and where code finds their X.

RND: X ← (14389820420821·X + 21132486540519) mod 10**14, and the value is X / 10**14.

The machine keeps X as two numbers of seven decimal digits and multiplies the halves in radix 100.
RANDOMIZE splits the mantissa of its argument into the halves. A negative number has its first word
negated, so that its first base-100 digit d is stored as 256 − d, which is not a valid digit. What
the first RND makes of it follows from the machine's digit arithmetic, byte by byte
(`_after_negative_seed`); from the second on everything is normal.

In video memory X is two numbers of five bytes, of seven decimal digits each: the upper half at
>03A0, the lower one at >03A5 (measured); the form of an upper half of 0 is not recorded.
"""

from __future__ import annotations

from functools import lru_cache

from ti99tools.computer.numbers.forms import to_bytes
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
AT, SIZE = 0x03A0, 5
END = AT + 2 * SIZE
_ONE = 0x40
"""The exponent of a number with one digit of base 100 before the point."""


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


@lru_cache(maxsize=1)
def stored(state: int) -> bytes:
    """The ten bytes of X, which is the same in most LINKs as in the one before."""
    return b"".join(to_bytes(half)[:SIZE] for half in divmod(state, _HALF_MODULUS))


def taken(data: bytes) -> int | None:
    """X of ten bytes; None if they are no two whole numbers of seven digits."""
    state = 0
    for half in (data[:SIZE], data[SIZE:]):
        exponent, *digits = half
        value = 0
        if exponent:
            for at, digit in enumerate(digits):
                value += digit * 100 ** (exponent - _ONE - at) if at <= exponent - _ONE else 0
        if not (0 <= value < _HALF_MODULUS) or any(digit > 99 for digit in digits):
            return None
        state = state * _HALF_MODULUS + value
    return state


class RandomState:
    """X while machine code runs: what it leaves is where RND goes on."""

    def __init__(self, rnd: RandomNumbers, ram: bytearray) -> None:
        self._rnd = rnd
        self._ram = ram
        self._before = self._others = b""

    def publish(self) -> None:
        """Put X where code finds it."""
        self._before = stored(self._rnd.state)
        self._others = bytes(self._ram[AT:END])
        self._ram[AT:END] = self._before

    def take(self) -> None:
        """Take X if code has changed it; else it is where only code can see it."""
        data = bytes(self._ram[AT:END])
        if data == self._before:
            self._ram[AT:END] = self._others
            return
        state = taken(data)
        if state is not None:
            self._rnd.state = state
