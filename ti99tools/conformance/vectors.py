"""Recorded numbers against numbers/: arithmetic, functions, powers and number texts.

A line of a vector file holds eight-byte numbers in hexadecimal: arguments, then results of the
real machine. `arith`, `INT` and `format` must agree exactly; other functions when the ten
displayed digits agree, their exact bits counted apart.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from ti99tools.base.xberrors import XBError
from ti99tools.conformance.outcome import Difference, Outcome
from ti99tools.numbers import arith, codec, format, functions

ERROR = "455252"
"""Recorded where the machine raised an error: the text ERR."""

Operation = Callable[[Any, Any], Any]


def _abs(value: Any) -> Any:
    return -value if arith.compare(value, 0) < 0 else value


def _truth(holds: bool) -> int:
    return -1 if holds else 0


ARITH: tuple[tuple[str, Operation], ...] = (
    ("a+b", arith.add),
    ("a-b", arith.sub),
    ("a*b", arith.mul),
    ("a/b", arith.div),
    ("a<b", lambda a, b: _truth(arith.compare(a, b) < 0)),
    ("a=b", lambda a, b: _truth(arith.compare(a, b) == 0)),
)
FUNC: tuple[tuple[str, Operation], ...] = (
    ("INT(a)", lambda a, b: arith.floor(a)),
    ("SQR(ABS(a))", lambda a, b: functions.sqr(_abs(a))),
    ("EXP(b)", lambda a, b: functions.exp(b)),
    ("LOG(ABS(a)+1)", lambda a, b: functions.log(arith.add(_abs(a), 1))),
    ("SIN(b)", lambda a, b: functions.sin(b)),
    ("COS(b)", lambda a, b: functions.cos(b)),
    ("TAN(b)", lambda a, b: functions.tan(b)),
    ("ATN(a)", lambda a, b: functions.atn(a)),
)
POW: tuple[tuple[str, Operation], ...] = (
    ("ABS(a)^b", lambda a, b: arith.power(_abs(a), b)),
    ("ABS(a)^INT(b)", lambda a, b: arith.power(_abs(a), arith.floor(b))),
)
EXACT = {name for name, _ in ARITH} | {"INT(a)"}


def decimal(raw: bytes) -> Decimal:
    """The value of eight bytes, worked out apart from numbers/ so that both can be judged."""
    first = int.from_bytes(raw[:2], "big")
    if first == 0:
        return Decimal(0)
    sign = 1
    if first & 0x8000:
        sign, first = -1, 0x10000 - first
    exponent = (first >> 8) - 64
    mantissa = first & 0xFF
    for digit in raw[2:]:
        mantissa = mantissa * 100 + digit
    return Decimal(sign * mantissa).scaleb(2 * (exponent - 6))


def ten_digits(value: Decimal) -> Decimal:
    """Rounded half up to ten significant digits, as the console displays."""
    if value == 0:
        return value
    return value.quantize(Decimal((0, (1,), value.adjusted() - 9)), ROUND_HALF_UP)


def check(stem: str, line: str, values: list[str]) -> list[Outcome]:
    """Hold one line of `vectors/<stem>.jsonl` against numbers/: one outcome a value.

    The outcomes' ids are the line's id and the value's name: `func-12:SIN(b)`.
    """
    if stem == "format":
        a, b, text_a, text_b = values
        results = [_text("STR$(a)", a, text_a), _text("STR$(b)", b, text_b)]
    else:
        operations = {"arith": ARITH, "func": FUNC, "pow": POW}[stem]
        first, second = (codec.from_bytes(bytes.fromhex(text)) for text in values[:2])
        results = [
            _value(name, operation, first, second, text)
            for (name, operation), text in zip(operations, values[2:], strict=True)
        ]
    where = f"a, b = {values[0]}, {values[1]}"
    return [
        Outcome(
            id=f"{line}:{name}",
            area=f"{stem} {name}",
            passed=int(not lines),
            failed=int(bool(lines)),
            differences=(Difference(where, lines),) if lines else (),
            inexact=int(not lines and not exact),
        )
        for name, lines, exact in results
    ]


Result = tuple[str, tuple[str, ...], bool]
"""Name of the value, lines that show a difference (none: it passes), whether exact."""


def _text(name: str, raw: str, expected: str) -> Result:
    try:
        got = format.to_str(codec.from_bytes(bytes.fromhex(raw)))
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
    lines = () if got == expected else (f"real machine  {expected!r}", f"ours          {got!r}")
    return name, lines, not lines


def _value(name: str, operation: Operation, a: Any, b: Any, expected: str) -> Result:
    got = _compute(operation, a, b)
    if got == expected:
        return name, (), True
    if len(got) == len(expected) == 16:
        ours, theirs = (decimal(bytes.fromhex(text)) for text in (got, expected))
        if ours == theirs:
            return name, (), True
        if name not in EXACT and ten_digits(ours) == ten_digits(theirs):
            return name, (), False
        shown = f"real machine  {expected}  {theirs:E}", f"ours          {got}  {ours:E}"
        return name, shown, False
    return name, (f"real machine  {expected}", f"ours          {got}"), False


def _compute(operation: Operation, a: Any, b: Any) -> str:
    """The result as 16 hexadecimal digits, `455252` for an XB error, or a fault of ours."""
    try:
        result = operation(a, b)
        if getattr(result, "overflow", False):
            result = result.value_after_warning
        return codec.to_bytes(result).hex()
    except XBError:
        return ERROR
    except Exception as error:
        return f"{type(error).__name__}: {error}"
