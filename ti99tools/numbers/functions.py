"""SQR, EXP, LOG, SIN, COS, TAN, ATN."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal

from ti99tools.base.xberrors import BAD_ARGUMENT, XBError
from ti99tools.numbers.radix import OVERFLOW_POS, Number, normal

_WIDE = Context(prec=60, rounding=ROUND_HALF_UP, Emin=-9999, Emax=9999)
PI_50 = Decimal("3.14159265358979323846264338327950288419716939937510582097494")


def _decimal(n: Number) -> Decimal:
    return Decimal(n) if isinstance(n, int) else _WIDE.scaleb(Decimal(n.mantissa), -2 * n.places)


def _rounded(x: Decimal) -> Number:
    if not x:
        return 0
    sign, digits, power = _WIDE.plus(x).as_tuple()
    assert isinstance(power, int)
    mantissa = int("".join(map(str, digits)))
    if power % 2:
        mantissa *= 10
    return normal(-mantissa if sign else mantissa, -(power // 2))


def sqr(n: Number) -> Number:
    """SQR: the square root; BAD ARGUMENT below zero."""
    if n < 0:
        raise XBError(BAD_ARGUMENT)
    return _rounded(_WIDE.sqrt(_decimal(n)))


def exp(n: Number) -> Number:
    """EXP: e to the power n; overflow gives the flagged largest number."""
    if n > 300:
        return OVERFLOW_POS
    if n < -300:
        return 0
    return _rounded(_WIDE.exp(_decimal(n)))


def log(n: Number) -> Number:
    """LOG: the natural logarithm; BAD ARGUMENT at zero and below."""
    if n <= 0:
        raise XBError(BAD_ARGUMENT)
    return _rounded(_WIDE.ln(_decimal(n)))


def _sine(x: Decimal) -> Decimal:
    """Sine by Taylor's series of a reduced argument."""
    total = term = x
    square = _WIDE.multiply(x, x)
    k = 1
    while abs(term) > Decimal("1E-55"):
        term = _WIDE.divide(_WIDE.multiply(term, -square), Decimal((k + 1) * (k + 2)))
        total = _WIDE.add(total, term)
        k += 2
    return total


def _reduced(n: Number) -> Decimal:
    if not -(10**10) < n < 10**10:
        raise XBError(BAD_ARGUMENT)
    turn = _WIDE.multiply(PI_50, Decimal(2))
    x = _decimal(n)
    return _WIDE.subtract(x, _WIDE.multiply(_WIDE.to_integral_value(x / turn), turn))


def sin(n: Number) -> Number:
    """SIN of an angle in radians."""
    return _rounded(_sine(_reduced(n)))


def cos(n: Number) -> Number:
    """COS of an angle in radians."""
    return _rounded(_sine(_WIDE.add(_reduced(n), _WIDE.divide(PI_50, Decimal(2)))))


def tan(n: Number) -> Number:
    """TAN of an angle in radians."""
    x = _reduced(n)
    sine, cosine = _sine(x), _sine(_WIDE.add(x, _WIDE.divide(PI_50, Decimal(2))))
    return _rounded(_WIDE.divide(sine, cosine))


def atn(n: Number) -> Number:
    """ATN: the arc tangent in radians, between -π/2 and π/2."""
    x = _decimal(n)
    halvings = 0
    while abs(x) > Decimal("0.05"):
        root = _WIDE.sqrt(_WIDE.add(Decimal(1), _WIDE.multiply(x, x)))
        x = _WIDE.divide(x, _WIDE.add(Decimal(1), root))
        halvings += 1
    total = term = x
    square = -_WIDE.multiply(x, x)
    k = 1
    while abs(term) > Decimal("1E-55"):
        term = _WIDE.multiply(term, square)
        k += 2
        total = _WIDE.add(total, _WIDE.divide(term, Decimal(k)))
    return _rounded(_WIDE.multiply(total, Decimal(2**halvings)))
