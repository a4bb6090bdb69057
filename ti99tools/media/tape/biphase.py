"""Bits as changes of level: one at each border of a bit, and one in the middle of a 1."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

BITS_PER_SECOND = 3_000_000 / (2 * 17 * 64)
"""The console's timer counts 17 steps of 64 clocks at 3 MHz for half a bit: 1379 bits a second."""

UNKNOWN = "?"
"""A bit that a gap or noise has hidden."""

_MIDDLE, _BORDER, _LATE = 0.25, 0.75, 1.25
"""Fractions of a bit: from the first a change is its middle, from the second its border, from the
third too late.
"""
_FOLLOW = 0.06
"""The share of a bit's deviation that the clock follows: small, so that noise does not move it."""
_SPEED = (0.6, 1.6)
"""Bounds of a bit's length, as multiples of the right length: recorders run fast or slow."""
_STEADY, _SPREAD = 24, 0.2
"""Number of evenly spaced changes that make a leader, and how much their distance may vary."""
_LOST = 96
"""Bits in a row without a fitting change after which the signal has ended."""
LONGEST_GAP = 0.45
"""Seconds without a signal that a stretch can bridge; units are half a second apart, or more."""


def changes(bits: Iterable[int]) -> Iterator[float]:
    """The times of the changes of level, in bits from 0 on, with the last border."""
    time = 0
    for bit in bits:
        yield float(time)
        if bit:
            yield time + 0.5
        time += 1
    yield float(time)


def bits_of(data: bytes) -> Iterator[int]:
    """The bits of bytes, most significant first."""
    for byte in data:
        for shift in range(7, -1, -1):
            yield byte >> shift & 1


def stretches(times: Iterable[float], bit: float) -> Iterator[str]:
    """The bits of each stretch of signal, as `0`, `1` and `?`.

    `times` are the changes of level, ascending, in any unit; `bit` is the length of a bit at the
    right speed. A stretch begins where changes come as evenly as in a leader of zeros, 0.6 to 1.6
    times that length apart; the clock follows them from there. It ends where the changes stop for
    longer than `LONGEST_GAP`: after a dropout it goes on with the next leader of a block.
    """
    seeking: deque[float] = deque(maxlen=_STEADY + 1)
    clock: _Clock | None = None
    lost = False
    for time in times:
        if clock is not None and not lost:
            if clock.take(time):
                continue
            lost = True
            seeking.clear()
            if clock.silent(time) > LONGEST_GAP * BITS_PER_SECOND:
                yield clock.bits()
                clock = None
        seeking.append(time)
        length = _leader(seeking, bit)
        if length is not None:
            if clock is None:
                clock = _Clock(time, length, bit)
            else:
                clock.resume(seeking[0], time, length)
            lost = False
            seeking.clear()
    if clock is not None:
        yield clock.bits()


def _leader(times: deque[float], bit: float) -> float | None:
    """The length of a bit if the changes are those of a leader; else None."""
    if len(times) <= _STEADY:
        return None
    length = (times[-1] - times[0]) / _STEADY
    low, high = _SPEED
    if not low * bit <= length <= high * bit:
        return None
    before = times[0]
    for index in range(1, len(times)):
        if abs(times[index] - before - length) > _SPREAD * length:
            return None
        before = times[index]
    return length


class _Clock:
    """Follows the borders of bits, also through gaps."""

    def __init__(self, border: float, length: float, bit: float) -> None:
        self._border = border
        self._length = length
        self._bounds = tuple(bound * bit for bound in _SPEED)
        self._middle = False
        # The leader that was found is zeros; its bits count as read.
        self._found = ["0"] * _STEADY
        self._missed = 0

    def take(self, time: float) -> bool:
        """Take a change of level; False if the signal ended before it."""
        # A border was missed: go on from where it should have been.
        while (phase := (time - self._border) / self._length) >= _LATE:
            if self._missed >= _LOST:
                return False
            self._found.append(UNKNOWN)
            self._missed += 1
            self._middle = False
            self._border += self._length
        if phase >= _BORDER:
            self._found.append("1" if self._middle else "0")
            self._missed = 0
            self._middle = False
            low, high = self._bounds
            # Bounded, so that a gap in the signal cannot pull the clock away.
            self._length = min(max(self._length * (1 + _FOLLOW * (phase - 1)), low), high)
            self._border = time
        elif phase >= _MIDDLE:
            self._middle = True
        return True

    def silent(self, time: float) -> float:
        """The bits from the last one that was heard to `time`."""
        return (time - self._border) / self._length + self._missed

    def resume(self, begin: float, border: float, length: float) -> None:
        """Go on with a leader whose changes go from `begin` to `border`, after a gap."""
        missing = round((begin - self._border) / ((self._length + length) / 2))
        self._found += [UNKNOWN] * missing + ["0"] * _STEADY
        self._border, self._length = border, length
        self._missed, self._middle = 0, False

    def bits(self) -> str:
        """All bits so far, without the unknown ones at the end."""
        return "".join(self._found).rstrip(UNKNOWN)
