"""The console's random numbers, worked out with whole numbers so that a reader can follow.

X is a whole number below 10^14; each draw makes it (14389820420821·X + 21132486540519) mod 10^14
and RND is X / 10^14. `RANDOMIZE n` takes the digits of n for X: an even number of them, a zero in
front if need be, from the left (1 gives 01000000000000, 42 gives 42000000000000).
"""

from __future__ import annotations

MODULUS = 10**14
DIGITS = 14
FACTOR = 14389820420821
STEP = 21132486540519


class Rnd:
    """The generator after `RANDOMIZE seed`; the seed is a whole number from 0 to 99999999999999."""

    def __init__(self, seed: int) -> None:
        # The console keeps a number as pairs of digits, so an odd length gets a zero.
        digits = str(seed)
        if len(digits) % 2:
            digits = "0" + digits
        self.x = int(digits.ljust(DIGITS, "0"))

    def below(self, n: int) -> int:
        """Draw `INT(RND*n)` as the console works it out, for n from 1 to 99.

        The product has 14 digits in pairs. From 1 on, the pair before the point leaves twelve after
        it, and the product is rounded to those. So the result is n, one too many, when RND is as
        near to 1 as .99999999999992 (for n = 6).
        """
        self.x = (FACTOR * self.x + STEP) % MODULUS
        # Below 1 the product keeps all its digits, and INT gives 0.
        product = n * self.x
        if product < MODULUS:
            return 0
        # Half up at the twelfth place after the point, then INT.
        return (product + 50) // 100 // 10**12
