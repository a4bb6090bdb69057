"""RND and RANDOMIZE: the machine's generator, all 14 digits of it.

X ← (14389820420821·X + 21132486540519) mod 10**14, RND = X / 10**14.
"""

from __future__ import annotations

from ti99tools.numbers.radix import LIMIT, Number, normal

MULTIPLIER = 14389820420821
INCREMENT = 21132486540519
START = 335212624223
"""X before the first RND of a program without RANDOMIZE; every RUN begins here."""


def seed_state(n: Number) -> int:
    """X as `RANDOMIZE n` sets it: the mantissa of n, left-aligned by base-100 digits."""
    mantissa = abs(n if isinstance(n, int) else n.mantissa)
    if not mantissa:
        return 0
    while mantissa < LIMIT // 100:
        mantissa *= 100
    return mantissa


class Rnd:
    """One generator; `state` is X, 0 ≤ X < 10**14."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = START

    def reset(self) -> None:
        """Start over as RUN does."""
        self.state = START

    def randomize(self, n: Number) -> None:
        """RANDOMIZE n."""
        self.state = seed_state(n)

    def next(self) -> Number:
        """RND: the next value, 0 ≤ value < 1."""
        self.state = state = (MULTIPLIER * self.state + INCREMENT) % LIMIT
        return normal(state, 7)
