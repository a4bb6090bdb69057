"""The names that generated code uses: functions of Extended BASIC and helpers of the runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles import (
    COSTS,
    DIGIT_LESS,
    DIGIT_PRODUCT,
    EXP_TOO_LARGE,
    MATCHED,
    MOVED,
    NOTHING_DIVIDED,
    OF_NOTHING,
    POWER_BY_LOGARITHM,
    POWER_INVERTED,
    POWER_NOT_POSITIVE,
    POWER_OF_FRACTION,
    POWER_STEP,
    SCANNED,
    VAL_REFUSED,
    VAL_TOO_LARGE,
    VAL_WARNED,
)
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.run.datareader import DataReader
from ti99tools.computer.interp.run.heap import UNCHECKED, Heap, StringSpace
from ti99tools.computer.interp.run.runtime import Runtime
from ti99tools.computer.interp.run.signals import NoLoop, StandsStill
from ti99tools.computer.interp.run.stack import Frame
from ti99tools.computer.interp.subprograms import LATER, SUBPROGRAMS
from ti99tools.computer.interp.subprograms.args import Arg, Args
from ti99tools.computer.numbers import functions, radix
from ti99tools.computer.numbers.forms import parse_number, to_str, val
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number, Radix
from ti99tools.hardware.machine.clock import Clock
from ti99tools.language.prescan.symbols import LOOP_FRAME

PI = parse_number("3.1415926535898")
WORD_MIN, WORD_MAX = -32768, 32767


def fault(code: int, *_before: object) -> NoReturn:
    """Raise an error of Extended BASIC, once the operands before it have been evaluated."""
    raise XBError(code)


def word(n: Number) -> int:
    """A number rounded to a 16-bit integer; BAD VALUE outside -32768 to 32767."""
    value = n if type(n) is int else to_integer(n)
    if WORD_MIN <= value <= WORD_MAX:
        return value
    raise xb.outside(xb.BAD_VALUE, value, WORD_MIN, WORD_MAX)


def and_(a: Number, b: Number) -> int:
    """AND, bit by bit."""
    return word(a) & word(b)


def or_(a: Number, b: Number) -> int:
    """OR, bit by bit."""
    return word(a) | word(b)


def xor_(a: Number, b: Number) -> int:
    """XOR, bit by bit."""
    return word(a) ^ word(b)


def not_(n: Number) -> int:
    """NOT; out of range it is a SYNTAX ERROR (recorded)."""
    value = n if type(n) is int else to_integer(n)
    if WORD_MIN <= value <= WORD_MAX:
        return ~value
    raise XBError(xb.SYNTAX_ERROR)


def subscript(n: Number, base: int, extent: int, to_come: int = 0) -> int:
    """A subscript as a position from 0, rounded; BAD SUBSCRIPT outside the array.

    `to_come` are cycles already charged for what the statement does afterwards.
    """
    value = (n if type(n) is int else to_integer(n)) - base
    if 0 <= value < extent:
        return value
    error = xb.outside(xb.BAD_SUBSCRIPT, value + base, base, base + extent - 1)
    error.unspent = to_come
    raise error


def choice(n: Number) -> int:
    """The selector of ON … GOTO, rounded. The list's length, which is checked next, limits it."""
    return n if type(n) is int else to_integer(n)


def natural(n: Number, low: int = 0, to_come: int = 0) -> int:
    """An argument from `low` to 32767, rounded; BAD VALUE otherwise; `to_come`: see `subscript`."""
    value = n if type(n) is int else to_integer(n)
    if low <= value <= WORD_MAX:
        return value
    error = xb.outside(xb.BAD_VALUE, value, low, WORD_MAX)
    error.unspent = to_come
    raise error


def capped(n: Number) -> Number:
    """The result of an operation as a proper number, without an overflow warning."""
    value = radix.settle(n)
    return value.value_after_warning if isinstance(value, Radix) else value


def asc(text: str) -> int:
    """ASC; BAD ARGUMENT of an empty string."""
    if not text:
        raise XBError(xb.BAD_ARGUMENT, detail="the string is empty")
    return ord(text[0])


def chr_(n: Number) -> str:
    """CHR$, modulo 256."""
    return chr(natural(n) & 255)


def seg(text: str, start: int, length: Number) -> str:
    """SEG$; its start is a `natural` number from 1."""
    return text[start - 1 : start - 1 + natural(length)]


def pos(clock: Clock, space: StringSpace | None, text: str, wanted: str, start: Number) -> int:
    """POS: the first position of `wanted` from `start` on, 0 if there is none.

    The machine compares the low byte of the offset with the length, but uses the offset itself: one
    above 255 leads into what lies in memory after the string (without a `space`, zeros). If nothing
    is found the value is the high byte of the offset: 0 up to a start of 256.
    """
    offset = natural(start, 1) - 1
    high = offset & 0xFF00
    if offset - high >= len(text):
        return high
    if not wanted:
        return offset + 1
    if not high:
        looked_at = text[offset:]
    elif space is not None:
        looked_at = space.beyond(text, offset)
    else:
        looked_at = "\0" * (len(text) - (offset & 0xFF))
    found = looked_at.find(wanted)
    if found >= 0:
        looked_at = looked_at[: found + 1]
    matches = looked_at.count(wanted[:1])
    clock.cycles += SCANNED * (len(looked_at) - matches) + MATCHED * (matches - 1)
    return high if found < 0 else offset + found + 1


_DIGITS = tuple(-(-bits * 1000 // 6644) for bits in range(512))
"""Bits of a whole number → its base-100 digits, sometimes one too many."""
_QUOTIENT_DIGITS, _FULL = 8, 41


def divide(clock: Clock, a: Number, b: Number) -> Number:
    """`/`: the machine stops at a dividend of 0, and has less to do where digits are 0."""
    quotient = radix.divide(a, b)
    size = quotient if quotient.__class__ is int else quotient.mantissa  # type: ignore[union-attr]
    bits = size.bit_length()
    if not bits:
        clock.cycles -= NOTHING_DIVIDED
    elif bits < _FULL:
        clock.cycles -= DIGIT_LESS * (_QUOTIENT_DIGITS - _DIGITS[bits])
    return quotient


def multiply(clock: Clock, a: Number, b: Number) -> Number:
    """`*` of numbers that are mostly not ints: every digit is multiplied by every other."""
    one = a if a.__class__ is int else a.mantissa  # type: ignore[union-attr]
    other = b if b.__class__ is int else b.mantissa  # type: ignore[union-attr]
    pairs = _DIGITS[one.bit_length()] * _DIGITS[other.bit_length()]
    clock.cycles += DIGIT_PRODUCT * (pairs - 1)
    return radix.times(a, b)


_MOST_STEPS = 24


def powering(a: Number, b: Number) -> int:
    """Cycles of a `^` beyond those that each one takes."""
    if isinstance(b, Radix) and b.places > 0:
        return POWER_BY_LOGARITHM if a > 0 else POWER_NOT_POSITIVE
    cycles = 0 if isinstance(a, int) else POWER_OF_FRACTION
    if b < 0:
        cycles += POWER_INVERTED
    left = abs(b) if isinstance(b, int) else 1 << _MOST_STEPS
    factor = abs(a if isinstance(a, int) else a.mantissa)
    product = 1
    steps = 0
    while left and steps < _MOST_STEPS:
        digits = _digits(factor)
        if left & 1:
            cycles += POWER_STEP + DIGIT_PRODUCT * digits * _digits(product)
            product = _significant(product * factor)
            steps += 1
        left >>= 1
        if left:
            cycles += POWER_STEP + DIGIT_PRODUCT * digits * digits
            factor = _significant(factor * factor)
            steps += 1
    return cycles


def _digits(mantissa: int) -> int:
    """Number of base-100 digits of a whole number."""
    return (len(str(mantissa)) + 1) // 2


def _significant(mantissa: int) -> int:
    """A number's first seven base-100 digits, without zeros at their end."""
    while mantissa >= radix.LIMIT or (mantissa and not mantissa % 100):
        mantissa //= 100
    return mantissa


_SIGNED = bytes((code + 128) & 255 for code in range(256)).decode("latin-1")


def order(a: str, b: str) -> int:
    """Negative, 0 or positive as `a` is before, equal to or after `b`; codes from 128 on first."""
    if a == b:
        return 0
    if not (a.isascii() and b.isascii()):
        # The machine compares bytes with a sign.
        a, b = a.translate(_SIGNED), b.translate(_SIGNED)
    return -1 if a < b else 1


def max_(a: Number, b: Number) -> Number:
    """MAX."""
    return a if a >= b else b


def min_(a: Number, b: Number) -> Number:
    """MIN."""
    return a if a <= b else b


def rpt(rt: Runtime, text: str, times: Number, to_come: int = 0) -> str:
    """RPT$, cut after 255 characters with a warning."""
    count = natural(times)
    most = 255 // len(text) if text else 0
    each = COSTS["repetition"] + MOVED * len(text)
    rt.clock.cycles += each * min(count, most)
    if text and count > most:
        rt.warn(xb.STRING_TRUNCATED, to_come=to_come)
        # The last copy is cut.
        return (text * (most + 1))[:255]
    return text * count


def names(rt: Runtime, frames: Sequence[Frame], data: DataReader, heap: Heap) -> dict[str, Any]:
    """The globals of generated code: `frames` is the stack, `heap` the strings of its program."""

    big = rt.big
    stay_shut = rt.machine.interrupts.stay_shut

    def power(a: Number, b: Number, to_come: int = 0) -> Number:
        cycles = powering(a, b)
        stay_shut(cycles)
        rt.clock.cycles += cycles
        return big(functions.power(a, b), to_come)

    def of(name: str, function: Callable[[Number], Number]) -> Callable[[Number], Number]:
        usual = COSTS[name]
        quick = OF_NOTHING.get(name, usual)

        def timed(n: Number) -> Number:
            cycles = usual if n else quick
            stay_shut(cycles)
            rt.clock.cycles += cycles
            return function(n)

        return timed

    tangent, exponential = of("TAN", functions.tan), of("EXP", functions.exp)

    def exp(n: Number, to_come: int = 0) -> Number:
        value = exponential(n)
        if not value or (isinstance(value, Radix) and value.overflow):
            rt.clock.cycles -= COSTS["EXP"] - EXP_TOO_LARGE
            stay_shut(EXP_TOO_LARGE - COSTS["EXP"])
        return big(value, to_come)

    def joined(a: str, b: str, to_come: int = 0) -> str:
        text = a + b
        rt.clock.cycles += MOVED * len(text)
        if len(text) > 255:
            rt.warn(xb.STRING_TRUNCATED, to_come=to_come)
            return text[:255]
        return text

    def value(text: str, to_come: int = 0) -> Number:
        rt.clock.cycles += COSTS["VAL character"] * len(text)
        try:
            number = val(text)
        except XBError:
            rt.clock.cycles += VAL_REFUSED
            raise
        if not isinstance(number, Radix) or not number.overflow:
            return big(number, to_come)
        rt.clock.cycles += VAL_TOO_LARGE
        made = big(number, to_come)
        rt.clock.cycles += VAL_WARNED
        return made

    space = heap.space
    found: dict[str, Any] = {
        "rt": rt, "clock": rt.clock, "frames": frames, "data": data,
        "shut": rt.machine.interrupts.shut,
        "kept": heap.kept, "press": heap.press, "need": heap.need,
        "strings": heap.count, "tidy": heap.tidy, "opening": heap.opening, "closing": heap.closing,
        "looped": partial(heap.pushed, LOOP_FRAME), UNCHECKED: 0,
        "XBError": XBError, "NoLoop": NoLoop, "StandsStill": StandsStill,
        "outside": xb.outside, "fault": fault,
        "Radix": Radix, "Arg": Arg, "Args": Args, "pi": PI,
        "and_": and_, "or_": or_, "xor_": xor_, "not_": not_,
        "subscript": subscript, "choice": choice, "natural": natural, "asc": asc,
        "chr_": chr_, "seg": seg,
        "pos": partial(pos, rt.clock, space), "order": order, "max_": max_, "min_": min_,
        "to_str": to_str, "sgn": functions.sgn,
        "floor": functions.floor, "big": big, "capped": capped, "plus": radix.plus,
        "minus": radix.minus,
        "times": partial(multiply, rt.clock), "div": partial(divide, rt.clock),
        "over": radix.OVERFLOW_POS, "under": radix.OVERFLOW_NEG, "power": power,
        "joined": joined,
        "rpt": partial(rpt, rt), "rnd": rt.rnd.next, "eof": rt.files.eof, "rec": rt.files.rec,
        "val": value,
        "exp": exp,
        "tan": lambda n, to_come=0: big(tangent(n), to_come), "sqr": of("SQR", functions.sqr),
        "log": of("LOG", functions.log), "cos": of("COS", functions.cos),
        "sin": of("SIN", functions.sin), "atn": of("ATN", functions.atn),
    }  # fmt: skip
    if space is not None:
        found.update(space.names)
    found.update({f"call_{name}": function for name, function in SUBPROGRAMS.items()})
    found.update({f"later_{name}": function for name, function in LATER.items()})
    return found
