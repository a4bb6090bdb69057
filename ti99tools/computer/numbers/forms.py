"""Numbers as eight bytes and as text, both ways.

Eight bytes, as in INTERNAL files and in the machine's memory: byte 0 is the exponent of 100 plus
40h, bytes 1–7 are base-100 digits, the first never 0: 1.5 is 40 01 32 00 00 00 00 00. A negative
number has its first word (two bytes) negated: -1.5 is BF FF 32 …. A first word of 0000 is zero,
whatever follows.

Number to text (PRINT, STR$ and the digits for PRINT USING): up to ten significant digits. A number
that needs more than ten places before the point, or whose first six digits reach below the tenth
decimal, takes E form with six digits; an exponent of three digits prints as `**`. A fraction that
rounds to a whole number keeps its point: `10.`.

Text to number (constants in programs, VAL, INPUT, ACCEPT and DATA items): an optional sign, digits
with at most one point, and an exponent of E, optional sign and digits. A sign alone, or an exponent
without digits before it, is 0; a point needs a digit. Digits past the seventh base-100 digit round
half up.
"""

from __future__ import annotations

import re

from ti99tools.base.xberrors import BAD_ARGUMENT, XBError
from ti99tools.computer.numbers.radix import OVERFLOW_NEG, OVERFLOW_POS, Number, normal

LENGTH = 8
"""Bytes of a number: sign and exponent, then seven digits of radix 100."""


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
    # Six digits follow the first one in the mantissa.
    for digit in data[2:]:
        mantissa = mantissa * 100 + digit
    places = 6 - ((word >> 8) - 0x40)
    return normal(-mantissa if negative else mantissa, places)


_DIGITS = 10
_E_DIGITS = 6
_TOP_EXPONENT = 127
"""Most digits that are shown, those before an E, and the largest power of ten of a number."""


def decimal_digits(n: Number) -> tuple[str, int]:
    """All significant digits of |n|, and the power of ten of the first; zero is ("0", 0)."""
    mantissa, places = (n, 0) if isinstance(n, int) else (n.mantissa, n.places)
    digits = str(abs(mantissa))
    return digits.rstrip("0") or "0", len(digits) - 1 - 2 * places


def round_digits(digits: str, power: int, count: int) -> tuple[str, int]:
    """Round digits half up to `count` of them, without zeros at their end.

    With `count` 0 the result is "0" or "1", below 0 it is "0".
    """
    if count >= len(digits):
        return digits, power
    if count < 0:
        return "0", power
    rounded = int(digits[:count] or "0") + (digits[count] >= "5")
    if rounded == 10**count and rounded:
        power += 1
    return str(rounded).rstrip("0") or "0", power


def fixed(n: Number, decimals: int) -> tuple[bool, str]:
    """The sign of n (True below 0), and |n| × 10**decimals rounded half up to a whole, as text.

    `fixed(-1.255, 2)` is (True, "126"); the sign is kept even when the digits are "0".
    """
    mantissa, places = (n, 0) if isinstance(n, int) else (n.mantissa, n.places)
    shift = decimals - 2 * places
    if shift >= 0:
        return mantissa < 0, str(abs(mantissa) * 10**shift)
    unit = int(10**-shift)
    return mantissa < 0, str((2 * abs(mantissa) + unit) // (2 * unit))


def scientific(n: Number, count: int) -> tuple[bool, str, int]:
    """The sign of n (True below 0), `count` digits of |n| rounded half up, and a power of ten.

    The power of ten belongs to the first digit: `scientific(1255, 3)` is (False, "126", 3). Where
    rounding up would leave the range, all digits are 9: 9.996E127 to two digits is 99.
    """
    digits, power = _within_range(*round_digits(*decimal_digits(n), count), count)
    return n < 0, digits.ljust(count, "0"), power


def _within_range(digits: str, power: int, count: int) -> tuple[str, int]:
    """The digits and their power, or `count` digits 9 and power 127 beyond the range."""
    if power > _TOP_EXPONENT:
        return "9" * count, _TOP_EXPONENT
    return digits, power


def to_str(n: Number) -> str:
    """STR$: no spaces, `-` before a negative number."""
    if isinstance(n, int) and -(10**_DIGITS) < n < 10**_DIGITS:
        return str(n)
    sign = "-" if n < 0 else ""
    digits, power = decimal_digits(n)
    if not isinstance(n, int):
        text = _fraction(digits, power)
        if text is not None:
            return sign + text
    return sign + _e_form(digits, power)


def _fraction(digits: str, power: int) -> str | None:
    """Fixed form of a number that is not an int; None where the machine takes E form."""
    short, short_power = round_digits(digits, power, _E_DIGITS)
    if len(short) - 1 - short_power > _DIGITS:
        return None
    digits, power = round_digits(digits, power, _DIGITS if power >= 0 else _DIGITS + 1 + power)
    if power >= _DIGITS:
        return None
    if power < 0:
        return "." + "0" * (-1 - power) + digits
    digits = digits.ljust(power + 1, "0")
    return digits[: power + 1] + "." + digits[power + 1 :]


def _e_form(digits: str, power: int) -> str:
    digits, power = _within_range(*round_digits(digits, power, _E_DIGITS), _E_DIGITS)
    size = abs(power)
    exponent = f"{size:02d}" if size < 100 else "**"
    return f"{digits[0]}.{digits[1:]}E{'-' if power < 0 else '+'}{exponent}"


def print_form(n: Number) -> str:
    """PRINT's form: a space or `-` before the digits, no space after them."""
    text = to_str(n)
    return text if text[0] == "-" else " " + text


_NUMBER = re.compile(r"([+-]?)(\d*)(?:(\.)(\d*))?(?:E([+-]?\d+))?")
_KEPT_DIGITS = 20
"""Decimal digits that are read: 14 have room, and the next one decides how they are rounded."""
_FAR = 1000
"""Decimal exponents beyond this certainly overflow or underflow: strings have 255 characters."""


def parse_number(text: str) -> Number:
    """Read a text as a number; spaces around it are ignored.

    An exponent too large gives the flagged overflow value, one too small 0. Raises ValueError
    when the text is not a number; the caller knows which of the machine's errors that is.
    """
    match = _NUMBER.fullmatch(text.strip(" "))
    if match is None:
        raise ValueError(text)
    sign, whole, point, fraction, power = match.groups()
    digits = whole + (fraction or "")
    if not digits and (point or not (sign or power)):
        raise ValueError(text)
    scale = -len(fraction or "")
    digits = digits.lstrip("0")
    if not digits:
        return 0
    if power:
        scale += max(-2 * _FAR, min(int(power), 2 * _FAR))
    if len(digits) > _KEPT_DIGITS:
        scale += len(digits) - _KEPT_DIGITS
        digits = digits[:_KEPT_DIGITS]
    if scale > _FAR:
        return OVERFLOW_NEG if sign == "-" else OVERFLOW_POS
    if scale < -_FAR:
        return 0
    mantissa = int(digits) * 10 if scale % 2 else int(digits)
    return normal(-mantissa if sign == "-" else mantissa, -(scale // 2))


def val(text: str) -> Number:
    """VAL of a string; BAD ARGUMENT when it is not a number."""
    try:
        return parse_number(text)
    except ValueError:
        raise XBError(BAD_ARGUMENT) from None
