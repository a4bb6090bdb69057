"""RND's X in video memory, where machine code finds it.

Extended BASIC keeps X as two numbers of five bytes, of seven decimal digits each: the upper half at
>03A0, the lower one at >03A5 (measured); the form of an upper half of 0 is not recorded.
"""

from __future__ import annotations

from functools import lru_cache

from ti99tools.computer.numbers.forms import to_bytes
from ti99tools.computer.numbers.rnd import RandomNumbers

AT, SIZE = 0x03A0, 5
END = AT + 2 * SIZE
_HALF = 10**7
_ONE = 0x40
"""The exponent of a number with one digit of base 100 before the point."""


@lru_cache(maxsize=1)
def stored(state: int) -> bytes:
    """The ten bytes of X, which is the same in most LINKs as in the one before."""
    return b"".join(to_bytes(half)[:SIZE] for half in divmod(state, _HALF))


def taken(data: bytes) -> int | None:
    """X of ten bytes; None if they are no two whole numbers of seven digits."""
    state = 0
    for half in (data[:SIZE], data[SIZE:]):
        exponent, *digits = half
        value = 0
        if exponent:
            for at, digit in enumerate(digits):
                value += digit * 100 ** (exponent - _ONE - at) if at <= exponent - _ONE else 0
        if not (0 <= value < _HALF) or any(digit > 99 for digit in digits):
            return None
        state = state * _HALF + value
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
