"""Operators and functions of Extended BASIC, to the digit of the console.

The console reduces the argument and evaluates a polynomial or rational approximation from Hart et
al., "Computer Approximations" (1968), with every operation rounded to seven base-100 digits; the
index there is noted below each table. The reductions, the order of operations and the two constants
that differ from the correctly rounded ones (√10 and the last term of SIN) are those that reproduce
all recorded vectors bit for bit.

Overflow gives a flagged value (see radix), never an exception; underflow gives 0.
"""

from __future__ import annotations

from ti99tools.base.xberrors import BAD_ARGUMENT, XBError
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import (
    LIMIT,
    OVERFLOW_POS,
    POWERS,
    Number,
    Radix,
    divide,
    exponent,
    magnitude,
    normal,
    order,
    overflowed,
    parts,
    settle,
)


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


def _table(*coefficients: str) -> tuple[Number, ...]:
    """Coefficients, highest power first, rounded to seven base-100 digits."""
    return tuple(parse_number(text) for text in coefficients)


PI = parse_number("3.14159265359")
_HALF_PI = parse_number("1.570796326795")
_QUARTER_PI = parse_number(".78539816339745")
_TWO_OVER_PI = parse_number(".63661977236758")
_HALF = parse_number(".5")
_ROOT_TEN = parse_number("3.162277660169")
_LOG10_E = parse_number(".43429448190325")
_LN_10 = parse_number("2.302585092994")
_TAN_PI_8 = parse_number(".4142135623731")
_TAN_3_PI_8 = parse_number("2.414213562373")

_SQR_STEPS = 3
_SQR_P = _table(".5881229", ".5267875", ".0058812")
_SQR_Q = parse_number(".0999998")
"""Hart SQRT 0231: start of Newton's iteration on [.01, 1)."""

_EXP_P = _table("18.3123601592753847615", "831.406721293711034873", "5178.09199151615357439")
_EXP_Q = _table("1", "159.374152360306524376", "2709.31694085158991264", "4497.63355740578417625")
"""Hart EXPD 1444: 10^x on [0, .5] as (Q + x·P) / (Q − x·P), P and Q in x²."""

_LOG_P = _table(
    ".35670510308843769",
    "-11.983033313687614640",
    "63.775482288616605782",
    "-108.83712235583832280",
    "57.947381384444278266",
)
_LOG_Q = _table(
    "1",
    "-13.132597728846403390",
    "47.451822360260600365",
    "-64.076458075255600596",
    "28.973690692222177160",
)
"""Hart LOGE 2687: ln s on [1/√10, √10] as w·P/Q in w², w = (s − 1)/(s + 1)."""

_SIN = _table(
    "-.0000000006447316",
    ".0000000568820333268800",
    "-.0000035988091170313300",
    ".00016044116846982831",
    "-.0046817541310602316800",
    ".07969262624561800806",
    "-.64596409750621907082",
    "1.5707963267948963959",
)
"""Hart SIN 3344: sin(x·π/2) on [0, 1] as x·P(x²); the console's last term is its own."""

_ATN = _table(
    "-.02535718798820",
    ".050279138438850",
    "-.065069999401396",
    ".0767371243916410",
    "-.090895479196719600",
    ".1111104992505266200",
    "-.14285712697596115700",
    ".19999999978996152280",
    "-.33333333333225342750",
    "1",
)
"""Hart ARCTN 4967: atn x on [0, tan π/8] as x·P(x²)."""

_SIN_LIMIT = 10**10
_EXP_LIMIT = 1000
"""SIN fails from here on, in quarter turns; EXP gives its largest or 0, in powers of ten."""
_EXP_LEAST = parse_number("1E-126")
"""EXP underflows one base-100 digit before numbers do: EXP(-294) is 0."""


def _polynomial(coefficients: tuple[Number, ...], x: Number) -> Number:
    """Horner's rule. Arguments here are small, so int products need no `settle`."""
    result = coefficients[0]
    for coefficient in coefficients[1:]:
        result = result * x + coefficient
    return result


def _times_ten_to(n: Number, power: int) -> Number:
    """n × 10**power: one multiplication for an odd power, then a change of exponent."""
    if power % 2:
        n = n * 10
    mantissa, places = parts(n)
    return normal(mantissa, places - power // 2)


def sqr(n: Number) -> Number:
    """SQR: the square root; BAD ARGUMENT below zero."""
    if n <= 0:
        if not n:
            return 0
        raise XBError(BAD_ARGUMENT, detail="give a positive number")
    mantissa, places = parts(n)
    power = exponent(mantissa, places) + 1
    x = normal(mantissa, places + power)
    root = divide(_polynomial(_SQR_P, x), x + _SQR_Q)
    for _ in range(_SQR_STEPS):
        root = _HALF * (root + divide(x, root))
    return _times_ten_to(root, power)


def exp(n: Number) -> Number:
    """EXP: e to the power n; overflow gives the flagged largest number, underflow 0."""
    scaled = n * _LOG10_E
    whole = floor(scaled)
    if isinstance(whole, Radix) or not -_EXP_LIMIT < whole < _EXP_LIMIT:
        return OVERFLOW_POS if n > 0 else 0
    x = scaled - whole
    above = x >= _HALF
    if above:
        x = x - _HALF
    square = x * x
    odd = x * _polynomial(_EXP_P, square)
    even = _polynomial(_EXP_Q, square)
    result = divide(even + odd, even - odd)
    if above:
        result = result * _ROOT_TEN
    result = _times_ten_to(result, whole)
    return 0 if result < _EXP_LEAST else result


def log(n: Number) -> Number:
    """LOG: the natural logarithm; BAD ARGUMENT at zero and below."""
    if n <= 0:
        raise XBError(BAD_ARGUMENT, detail="give a positive number")
    mantissa, places = parts(n)
    digits = len(str(mantissa))
    if digits % 2:
        mantissa *= 10
    s = normal(mantissa, (digits + 1) // 2) * _ROOT_TEN
    w = divide(s - 1, s + 1)
    square = w * w
    result = divide(w * _polynomial(_LOG_P, square), _polynomial(_LOG_Q, square))
    return result + _LN_10 * normal(100 * (digits - 2 * places) - 50, 1)


def sin(n: Number) -> Number:
    """SIN of an angle in radians; BAD ARGUMENT from 10**10 quarter turns on."""
    quarters = magnitude(n) * _TWO_OVER_PI
    whole = floor(quarters)
    if whole >= _SIN_LIMIT or isinstance(whole, Radix):
        raise XBError(BAD_ARGUMENT)
    x = quarters - whole
    if whole & 1:
        x = 1 - x
    result = x * _polynomial(_SIN, x * x)
    return -result if (whole & 2 == 0) == (n < 0) else result


def cos(n: Number) -> Number:
    """COS of an angle in radians: SIN(n + π/2), which makes COS(0) .99999999999999."""
    return sin(n + _HALF_PI)


def tan(n: Number) -> Number:
    """TAN of an angle in radians: SIN over COS; flagged overflow where COS is 0."""
    return divide(sin(n), cos(n))


def atn(n: Number) -> Number:
    """ATN: the arc tangent in radians, between -π/2 and π/2."""
    x = magnitude(n)
    base: Number = 0
    if x > _TAN_3_PI_8:
        x = -divide(1, x)
        base = _HALF_PI
    elif x > _TAN_PI_8:
        x = divide(settle(x - 1), settle(x + 1))
        base = _QUARTER_PI
    result = x * _polynomial(_ATN, x * x) + base
    return -result if n < 0 else result


_MOST_EXACT_EXPONENT = 46
"""2**46 is the highest power of an int above 1 that may stay below 10**14."""

div = divide


def add(a: Number, b: Number) -> Number:
    """a + b, rounded and checked as `settle` does."""
    return settle(a + b)


def sub(a: Number, b: Number) -> Number:
    """a − b, rounded and checked as `settle` does."""
    return settle(a - b)


def mul(a: Number, b: Number) -> Number:
    """a × b, rounded and checked as `settle` does."""
    return settle(a * b)


def sgn(n: Number) -> int:
    """SGN: -1, 0 or 1."""
    return (n > 0) - (n < 0)


def compare(a: Number, b: Number) -> int:
    """-1, 0 or 1 as a is less than, equal to or greater than b; exact."""
    difference = order(a, b)
    return (difference > 0) - (difference < 0)


def power(a: Number, b: Number) -> Number:
    """a ^ b: repeated squaring for whole exponents, otherwise EXP(b × LOG(a)).

    BAD ARGUMENT for a negative base with a fractional exponent, and where a negative exponent of
    a base below 1 leaves the range of numbers (that of a base above 1 gives 0).
    """
    if isinstance(b, int):
        if 0 <= b <= _MOST_EXACT_EXPONENT and isinstance(a, int):
            exact: int = a**b
            if -LIMIT < exact < LIMIT:
                return exact
        return _whole_power(a, b)
    if not a:
        return 0 if b > 0 else OVERFLOW_POS
    if b.places <= 0:
        return _whole_power(a, to_integer(b))
    if a < 0:
        raise XBError(BAD_ARGUMENT)
    result = exp(b * log(a))
    if b < 0 and overflowed(result):
        raise XBError(BAD_ARGUMENT)
    return result


def _whole_power(a: Number, b: int) -> Number:
    """The power by squaring from the lowest bit up; the reciprocal is taken at the end."""
    if not a:
        return OVERFLOW_POS if b < 0 else int(not b)
    count = abs(b)
    negative = a < 0 and count & 1
    base = magnitude(a)
    if base == 1:
        return -1 if negative else 1
    result: Number = 1
    while count:
        if count & 1:
            result = settle(result * base)
        count >>= 1
        if count:
            base = settle(base * base)
            if not base or overflowed(base):
                result = base
                break
    if b < 0:
        if not result:
            raise XBError(BAD_ARGUMENT)
        result = 0 if overflowed(result) else divide(1, result)
    return -result if negative else result
