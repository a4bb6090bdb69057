"""The eight bytes of a number, as in INTERNAL files and in the machine's memory.

Byte 0 is the exponent of 100 plus 40h, bytes 1–7 are base-100 digits, the first never 0; so 1.5
is 40 01 32 00 00 00 00 00. A negative number has its first word (two bytes) negated: -1.5 is
BF FF 32 …. A first word of 0000 is zero, whatever follows.
"""

from __future__ import annotations

from ti99tools.numbers.radix import Number, normal

LENGTH = 8


def to_bytes(n: Number) -> bytes:
    """Encode a number; zero is eight zero bytes."""
    mantissa, places = (n, 0) if isinstance(n, int) else (n.mantissa, n.places)
    if not mantissa:
        return bytes(LENGTH)
    digits = f"{abs(mantissa)}"
    if len(digits) % 2:
        digits = "0" + digits
    first = 0x40 + len(digits) // 2 - 1 - places
    tail = bytes(int(digits[i : i + 2]) for i in range(0, len(digits), 2))
    word = first << 8 | tail[0]
    if mantissa < 0:
        word = 0x10000 - word
    return (word.to_bytes(2, "big") + tail[1:]).ljust(LENGTH, b"\0")


def from_bytes(data: bytes) -> Number:
    """Decode eight bytes; digits above 99, which no machine writes, count as they stand.

    Raises ValueError unless there are exactly eight bytes.
    """
    if len(data) != LENGTH:
        raise ValueError(f"a number has {LENGTH} bytes, not {len(data)}")
    word = int.from_bytes(data[:2], "big")
    if not word:
        return 0
    negative = word >= 0x8000
    if negative:
        word = 0x10000 - word
    mantissa = word & 0xFF
    for digit in data[2:]:
        mantissa = mantissa * 100 + digit
    places = 6 - ((word >> 8) - 0x40)
    return normal(-mantissa if negative else mantissa, places)
