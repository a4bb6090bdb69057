"""The names that generated code uses: functions of Extended BASIC and helpers of the runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LONGEST_STRING
from ti99tools.base.cycles.language import (
    ATN_DIGIT_LESS,
    CELL_CYCLES,
    COSTS,
    DEF_COLLECTS,
    DEF_UNSERVED,
    EXP_TOO_LARGE,
    EXP_UPPER,
    MATCHED,
    MOVED,
    NEGATIVE_INT,
    NOTHING_MULTIPLIED,
    NOTHING_SHOWN,
    OF_NOTHING,
    PRINT_ENDED,
    SCANNED,
    SECOND_TAKEN,
    SEGMENT_CHARACTER,
    SEGMENT_EMPTY,
    SHOWN,
    SHOWN_FIGURE,
    VAL_REFUSED,
    VAL_TOO_LARGE,
    VAL_WARNED,
)
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.printer import LinePrinter, ScreenPrinter
from ti99tools.computer.interp.run.arithmetic import (
    MOST_DIGITS,
    digit_count,
    divide,
    minus_0,
    multiply,
    plus_0,
    powering,
    saved_by_0,
    series_digits,
    upper_half,
)
from ti99tools.computer.interp.run.datareader import DataReader
from ti99tools.computer.interp.run.heap import UNCHECKED, Heap, StringSpace
from ti99tools.computer.interp.run.runtime import Runtime
from ti99tools.computer.interp.run.signals import EmptyStatementHang, NoLoop
from ti99tools.computer.interp.run.stack import Frame
from ti99tools.computer.interp.subprograms import LATER, SUBPROGRAMS
from ti99tools.computer.interp.subprograms.args import Arg, Args
from ti99tools.computer.numbers import functions, radix
from ti99tools.computer.numbers.forms import parse_number, print_form, to_str, val
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number, Radix
from ti99tools.hardware.machine.clock import Clock
from ti99tools.language.prescan.symbols import LOOP_FRAME

PI = parse_number("3.1415926535898")
WORD_MIN, WORD_MAX = -32768, 32767
"""What subscripts, counts and operands of AND are limited to: integers of 16 bits."""


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
    """CHR$; only the low byte of the code counts."""
    return chr(natural(n) & 255)


def seg(clock: Clock, text: str, start: int, length: Number) -> str:
    """SEG$; its start is a `natural` number from 1."""
    if length.__class__ is not int or not 0 <= length <= WORD_MAX:
        length = natural(length)
    part = text[start - 1 : start - 1 + length]
    clock.cycles += SEGMENT_CHARACTER * len(part) if part else -SEGMENT_EMPTY
    return part


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


_SIGNED = bytes((code + 128) & 255 for code in range(256)).decode("latin-1")


def order(a: str, b: str) -> int:
    """Negative, 0 or positive as `a` is before, equal to or after `b`; codes from 128 on first."""
    if a == b:
        return 0
    if not (a.isascii() and b.isascii()):
        # The machine compares bytes with a sign.
        a, b = a.translate(_SIGNED), b.translate(_SIGNED)
    return -1 if a < b else 1


def max_(clock: Clock, a: Number, b: Number) -> Number:
    """MAX; to give the second number takes longer."""
    if a >= b:
        return a
    clock.cycles += SECOND_TAKEN
    return b


def min_(clock: Clock, a: Number, b: Number) -> Number:
    """MIN; to give the second number takes longer."""
    if a <= b:
        return a
    clock.cycles += SECOND_TAKEN
    return b


_SHOWN_WHOLE = 10**10
"""Whole numbers from here on are shown with an exponent."""


def text_of(clock: Clock, n: Number) -> str:
    """STR$, whose time depends on the number of characters."""
    text = str(n) if n.__class__ is int and 0 <= n < _SHOWN_WHOLE else to_str(n)
    clock.cycles += SHOWN_FIGURE * len(text)
    return text


def floor(clock: Clock, n: Number) -> Number:
    """INT of numbers that are mostly not ints."""
    if n < 0:
        clock.cycles += NEGATIVE_INT
    return functions.floor(n)


def rpt(rt: Runtime, text: str, times: Number, to_come: int = 0) -> str:
    """RPT$, cut after 255 characters with a warning."""
    count = natural(times)
    most = LONGEST_STRING // len(text) if text else 0
    each = COSTS["repetition"] + MOVED * len(text)
    rt.clock.cycles += each * min(count, most)
    if text and count > most:
        rt.warn(xb.STRING_TRUNCATED, to_come=to_come)
        # The last copy is cut.
        return (text * (most + 1))[:LONGEST_STRING]
    return text * count


def names(rt: Runtime, frames: Sequence[Frame], data: DataReader, heap: Heap) -> dict[str, Any]:
    """The globals of generated code: `frames` is the stack, `heap` the strings of its program."""
    space = heap.space
    names_of_code: dict[str, Any] = {
        "rt": rt, "clock": rt.clock, "frames": frames, "data": data,
        "shut": rt.machine.interrupts.shut,
        "kept": heap.kept, "press": heap.press, "need": heap.need,
        "strings": heap.count, "tidy": heap.tidy, "opening": heap.opening, "closing": heap.closing,
        "looped": partial(heap.pushed, LOOP_FRAME), UNCHECKED: 0, "tidied": _tidied(rt, heap),
        "XBError": XBError, "NoLoop": NoLoop, "StandsStill": EmptyStatementHang,
        "outside": xb.outside, "fault": fault,
        "Radix": Radix, "Arg": Arg, "Args": Args, "pi": PI,
        "and_": and_, "or_": or_, "xor_": xor_, "not_": not_,
        "subscript": subscript, "choice": choice, "natural": natural, "asc": asc,
        "chr_": chr_, "seg": partial(seg, rt.clock),
        "pos": partial(pos, rt.clock, space), "order": order,
        "max_": partial(max_, rt.clock), "min_": partial(min_, rt.clock),
        "to_str": partial(text_of, rt.clock), "sgn": functions.sgn,
        "floor": partial(floor, rt.clock), "big": rt.big, "capped": capped,
        "plus": radix.plus, "minus": radix.minus,
        "saved_by_0": saved_by_0,
        "plus_0": partial(plus_0, rt.clock), "minus_0": partial(minus_0, rt.clock),
        "times": partial(multiply, rt.clock), "div": partial(divide, rt.clock),
        "over": radix.OVERFLOW_POS, "under": radix.OVERFLOW_NEG,
        "rpt": partial(rpt, rt), "rnd": rt.rnd.next, "eof": rt.files.eof, "rec": rt.files.rec,
        **_arithmetic(rt), **_functions(rt), **_texts(rt), **_shows(rt, space),
    }  # fmt: skip
    if space is not None:
        names_of_code.update(space.names)
    names_of_code.update({f"call_{name}": function for name, function in SUBPROGRAMS.items()})
    names_of_code.update({f"later_{name}": function for name, function in LATER.items()})
    return names_of_code


def _arithmetic(rt: Runtime) -> dict[str, Any]:
    """`^`, and what follows a product or a sum that is not usual."""
    big, clock = rt.big, rt.clock
    stay_shut = rt.machine.interrupts.stay_shut

    def power(a: Number, b: Number, to_come: int = 0) -> Number:
        cycles = powering(a, b)
        stay_shut(cycles)
        clock.cycles += cycles
        return big(functions.power(a, b), to_come)

    def no_product(n: Number, to_come: int = 0) -> Number:
        """A product that is 0, or out of range."""
        if n:
            return big(n, to_come)
        clock.cycles -= NOTHING_MULTIPLIED
        return 0

    def no_sum(n: Number, a: Number, b: Number, to_come: int = 0) -> Number:
        """A sum or difference of a 0 and something, or out of range."""
        if not a or not b:
            clock.cycles -= saved_by_0(a, b)
        return n if n.__class__ is int and -radix.LIMIT < n < radix.LIMIT else big(n, to_come)

    return {"power": power, "no_product": no_product, "no_sum": no_sum}


def _functions(rt: Runtime) -> dict[str, Any]:
    """The functions that the machine calculates from series, with their time."""
    big, clock = rt.big, rt.clock
    stay_shut = rt.machine.interrupts.stay_shut

    def of(name: str, function: Callable[[Number], Number]) -> Callable[[Number], Number]:
        usual = COSTS[name]
        quick = OF_NOTHING.get(name, usual)
        each = COSTS[f"{name} digit"]

        def timed(n: Number) -> Number:
            cycles = usual + each * (digit_count(abs(radix.parts(n)[0])) - 1) if n else quick
            stay_shut(cycles)
            clock.cycles += cycles
            return function(n)

        return timed

    tangent, exponential = of("TAN", functions.tan), of("EXP", functions.exp)
    arc = of("ATN", functions.atn)

    def atn(n: Number) -> Number:
        cycles = -ATN_DIGIT_LESS * (MOST_DIGITS - series_digits(n)) if n else 0
        stay_shut(cycles)
        clock.cycles += cycles
        return arc(n)

    def exp(n: Number, to_come: int = 0) -> Number:
        value = exponential(n)
        if upper_half(value):
            stay_shut(EXP_UPPER)
            clock.cycles += EXP_UPPER
        if not value or (isinstance(value, Radix) and value.overflow):
            clock.cycles -= COSTS["EXP"] - EXP_TOO_LARGE
            stay_shut(EXP_TOO_LARGE - COSTS["EXP"])
        return big(value, to_come)

    return {
        "exp": exp, "tan": lambda n, to_come=0: big(tangent(n), to_come), "atn": atn,
        "sqr": of("SQR", functions.sqr), "log": of("LOG", functions.log),
        "cos": of("COS", functions.cos), "sin": of("SIN", functions.sin),
    }  # fmt: skip


def _texts(rt: Runtime) -> dict[str, Any]:
    """`&` and VAL."""
    clock = rt.clock

    def joined(a: str, b: str, to_come: int = 0) -> str:
        text = a + b
        clock.cycles += MOVED * len(text)
        if len(text) > LONGEST_STRING:
            rt.warn(xb.STRING_TRUNCATED, to_come=to_come)
            return text[:LONGEST_STRING]
        return text

    def value(text: str, to_come: int = 0) -> Number:
        clock.cycles += COSTS["VAL character"] * len(text)
        try:
            number = val(text)
        except XBError:
            clock.cycles += VAL_REFUSED
            raise
        if not isinstance(number, Radix) or not number.overflow:
            return rt.big(number, to_come)
        clock.cycles += VAL_TOO_LARGE
        value = rt.big(number, to_come)
        clock.cycles += VAL_WARNED
        return value

    return {"joined": joined, "val": value}


_FIRST_FIGURE = 2
"""Characters of a number up to its first figure, the sign or blank included."""


def _shows(rt: Runtime, space: StringSpace | None) -> dict[str, Any]:
    """Items of PRINT and DISPLAY, which are made and shown in one go, and the end of a PRINT."""
    clock = rt.clock
    character = SHOWN["character"]
    figure = SHOWN["figure"]

    def show_number(printer: LinePrinter, value: Number, cycles: int) -> None:
        text = print_form(value)
        clock.cycles += cycles
        if not value:
            clock.cycles -= NOTHING_SHOWN
        elif not -10 < value < 10:
            clock.cycles += figure * (len(text) - _FIRST_FIGURE)
        printer.form(text)
        if space is not None:
            space.made(text)

    def show_string(printer: LinePrinter, text: str, cycles: int) -> None:
        """The string of a variable, of which nothing is made."""
        clock.cycles += cycles + character * len(text)
        printer.string(text)

    def show_text(printer: LinePrinter, text: str, cycles: int) -> None:
        clock.cycles += cycles + character * len(text)
        printer.made(text)
        printer.string(text)

    def print_ended(printer: ScreenPrinter) -> None:
        clock.cycles += PRINT_ENDED + CELL_CYCLES * printer.begun

    return {
        "show_number": show_number, "show_string": show_string, "show_text": show_text,
        "print_ended": print_ended,
    }  # fmt: skip


def _tidied(rt: Runtime, heap: Heap) -> Callable[[], None]:
    """What a function of DEF does with the strings in use before it goes on."""
    clock, interrupts = rt.clock, rt.machine.interrupts
    # How many strings had been made when the time was last calculated, and that time.
    known = [-1, 0]

    def tidied() -> None:
        """Take the time in which it collects them, twice."""
        total, cycles = known
        if total != heap.bytes_made:
            cycles = DEF_COLLECTS + heap.collection()
            known[:] = heap.bytes_made, cycles
        for before in (DEF_UNSERVED, 0):
            if clock.watched:
                interrupts.shut(before, before + cycles)
            clock.cycles += cycles

    return tidied
