"""Text to number: constants in programs, VAL, INPUT, ACCEPT and DATA items.

The machine's reader takes an optional sign, digits with at most one point, and an exponent of E,
optional sign and digits. A sign alone, or an exponent without digits before it, is 0; a point
needs a digit. Digits past the seventh base-100 digit round half up.
"""

from __future__ import annotations

import re

from ti99tools.base.xberrors import BAD_ARGUMENT, XBError
from ti99tools.numbers.radix import OVERFLOW_NEG, OVERFLOW_POS, Number, normal

_NUMBER = re.compile(r"([+-]?)(\d*)(?:(\.)(\d*))?(?:E([+-]?\d+))?")
_KEPT_DIGITS = 20
_FAR = 1000
"""Decimal exponents beyond this certainly overflow or underflow: strings have 255 characters."""


def parse_number(text: str) -> Number:
    """Read a whole text, blanks around it ignored, as a number.

    An exponent too large gives the flagged overflow value, one too small 0. Raises ValueError
    when the text is not a number; the caller knows which error of the machine that is.
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
