"""Number to text: PRINT, STR$ and the digits for PRINT USING.

Up to ten significant digits. A number that needs more than ten places before the point, or whose
first six digits reach below the tenth decimal, takes E form with six digits; an exponent of three
digits prints as `**`. A fraction that rounds to a whole number keeps its point: `10.`.
"""

from __future__ import annotations

from ti99tools.numbers.radix import Number

_DIGITS = 10
_E_DIGITS = 6
_TOP_EXPONENT = 127


def decimal_digits(n: Number) -> tuple[str, int]:
    """All significant digits of |n|, and the power of ten of the first; zero is ("0", 0)."""
    mantissa, places = (n, 0) if isinstance(n, int) else (n.mantissa, n.places)
    digits = str(abs(mantissa))
    return digits.rstrip("0") or "0", len(digits) - 1 - 2 * places


def round_digits(digits: str, power: int, count: int) -> tuple[str, int]:
    """Round digits half up to `count` of them (0 or fewer leave one or none); zeros stripped."""
    if count >= len(digits):
        return digits, power
    if count < 0:
        return "0", power
    rounded = int(digits[:count] or "0") + (digits[count] >= "5")
    if rounded == 10**count and rounded:
        power += 1
    return str(rounded).rstrip("0") or "0", power


def fixed(n: Number, decimals: int) -> tuple[bool, str]:
    """True if n is negative, and |n| × 10**decimals rounded half up to a whole number, as text.

    `fixed(-1.255, 2)` is (True, "126"); the sign is kept even when the digits are "0".
    """
    mantissa, places = (n, 0) if isinstance(n, int) else (n.mantissa, n.places)
    shift = decimals - 2 * places
    if shift >= 0:
        return mantissa < 0, str(abs(mantissa) * 10**shift)
    unit = int(10**-shift)
    return mantissa < 0, str((2 * abs(mantissa) + unit) // (2 * unit))


def scientific(n: Number, count: int) -> tuple[bool, str, int]:
    """Tell whether n is negative, `count` significant digits of |n| rounded half up, and the power.

    The power of ten belongs to the first digit: `scientific(1255, 3)` is (False, "126", 3). What
    rounds up beyond the largest number is that number, cut off: 9.996E127 to two digits is 99.
    """
    digits, power = _within_range(*round_digits(*decimal_digits(n), count), count)
    return n < 0, digits.ljust(count, "0"), power


def _within_range(digits: str, power: int, count: int) -> tuple[str, int]:
    """Digits rounded to `count` of them, or those of the largest number."""
    if power > _TOP_EXPONENT:
        return "9" * count, _TOP_EXPONENT
    return digits, power


def to_str(n: Number) -> str:
    """STR$: no blanks, `-` in front of a negative number."""
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
    """Fixed form of a number that is no int; None where the machine takes E form."""
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
    """PRINT's form: a blank or `-` in front, no blank after."""
    text = to_str(n)
    return text if text[0] == "-" else " " + text
