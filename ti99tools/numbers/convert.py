"""Numbers to whole numbers: INT, and arguments of statements and logical operators."""

from __future__ import annotations

from ti99tools.numbers.radix import POWERS, Number


def to_integer(n: Number) -> int:
    """Round to the nearest integer, halves upwards: floor(n + .5), exact and unbounded."""
    if isinstance(n, int):
        return n
    places = n.places
    if places <= 0:
        return n.mantissa * POWERS[-places]
    unit = POWERS[places]
    return (n.mantissa + unit // 2) // unit


def floor(n: Number) -> Number:
    """INT: the largest whole number not above n."""
    if isinstance(n, int) or n.places <= 0:
        return n
    return n.mantissa // POWERS[n.places]
