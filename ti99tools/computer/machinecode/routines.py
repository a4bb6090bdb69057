"""XMLLNK: the console's routines for numbers, on FAC and ARG in the scratch pad.

Each takes the bus and leaves its result in FAC. Source: the Editor/Assembler manual's list of
entries, recorded results, and times measured (without XMLLNK's own).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from struct import pack, unpack

from ti99tools.computer.machinecode.places import ARG, ERROR_BYTE, FAC, GPL_STATUS, STRING_POINTER
from ti99tools.computer.numbers.arith import add, compare, div, mul, sub
from ti99tools.computer.numbers.forms import from_bytes, to_bytes, val
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import OVERFLOW_NEG, OVERFLOW_POS, Number, Radix, settle
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.machine.vdp import VDP

OVERFLOW, BY_ZERO, NO_INTEGER = 1, 2, 3
"""Values of the error byte."""
_ALWAYS, _EQUAL, _GREATER, _LOGICALLY = 0x10, 0x20, 0x40, 0x80
_TEXT_LIMIT = 64
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:E[+-]?[0-9]+)?")

_WORDS = 4
"""Words of a number."""

Routine = Callable[[Bus, VDP], None]


@lru_cache(maxsize=4096)
def _number(words: tuple[int, ...]) -> Number:
    return settle(from_bytes(pack(">4H", *words)))


@lru_cache(maxsize=4096)
def _words(value: Number) -> tuple[int, ...]:
    return unpack(">4H", to_bytes(value))


def number_at(bus: Bus, address: int) -> Number:
    """The number in the four words of memory from an even address on."""
    return _number(tuple(bus.words_at(address, _WORDS)))


def put_number(bus: Bus, address: int, value: Number) -> None:
    """Write a number into four words of memory."""
    bus.load_words(address, _words(value))


def _result(bus: Bus, value: Number) -> None:
    if isinstance(value, Radix) and value.overflow:
        bus.load(ERROR_BYTE, (OVERFLOW,))
        value = value.value_after_warning
    put_number(bus, FAC, value)


def _operation(operate: Callable[[Number, Number], Number]) -> Routine:
    def routine(bus: Bus, vdp: VDP) -> None:
        _result(bus, operate(number_at(bus, ARG), number_at(bus, FAC)))

    return routine


def _divide(bus: Bus, vdp: VDP) -> None:
    dividend, divisor = number_at(bus, ARG), number_at(bus, FAC)
    if divisor:
        _result(bus, settle(div(dividend, divisor)))
        return
    bus.load(ERROR_BYTE, (BY_ZERO,))
    largest = OVERFLOW_NEG if dividend < 0 else OVERFLOW_POS
    assert isinstance(largest, Radix)
    put_number(bus, FAC, largest.value_after_warning)


def _compare(bus: Bus, vdp: VDP) -> None:
    """ARG compared with FAC: the bits of the GPL status."""
    order = compare(number_at(bus, ARG), number_at(bus, FAC))
    first, second = bus.word_at(ARG), bus.word_at(FAC)
    logically = first > second if first != second else order > 0
    bits = _ALWAYS | _EQUAL * (order == 0) | _GREATER * (order > 0) | _LOGICALLY * logically
    bus.load(GPL_STATUS, (bits,))


@lru_cache(maxsize=4096)
def _integer(words: tuple[int, ...]) -> int | None:
    """A number as a 16-bit word, rounded; None if it is out of range."""
    value = to_integer(_number(words))
    return value & 0xFFFF if -32768 <= value <= 32767 else None


def _to_integer(bus: Bus, vdp: VDP) -> None:
    """CFI: FAC becomes a 16-bit integer in its first word."""
    word = _integer(tuple(bus.words_at(FAC, _WORDS)))
    if word is None:
        bus.load(ERROR_BYTE, (NO_INTEGER,))
    else:
        bus.load_word(FAC, word)


def _from_integer(bus: Bus, vdp: VDP) -> None:
    """CIF: the 16-bit integer in FAC's first word becomes a number."""
    word = bus.word_at(FAC)
    put_number(bus, FAC, word - 0x10000 if word & 0x8000 else word)


def _from_text(bus: Bus, vdp: VDP) -> None:
    """CSN: the text in video memory becomes a number; the pointer stops after it.

    An E without an exponent spoils the number before it: nothing is read (recorded answers 18-9).
    """
    start = bus.word_at(STRING_POINTER) & 0x3FFF
    text = vdp.ram[start : start + _TEXT_LIMIT].decode("latin-1")
    number = _NUMBER.match(text)
    found = number[0] if number and not text.startswith("E", number.end()) else ""
    bus.load(STRING_POINTER, (start + len(found)).to_bytes(2, "big"))
    _result(bus, val(found) if found else 0)


ROUTINES: dict[int, Routine] = {
    0x0D80: _operation(add),
    0x0D7C: _operation(sub),
    0x0E88: _operation(mul),
    0x0FF4: _divide,
    0x0D3A: _compare,
    0x11AE: _from_text,
    0x12B8: _to_integer,
    0x0020: _from_integer,
}
"""XMLLNK's word, an address in ROM but for the last → what it does."""
