"""XMLLNK: the console's routines for numbers, on FAC and ARG in the scratch pad.

Each takes the memory and leaves its result in FAC. Source: the Editor/Assembler manual's list of
entries, recorded results, and times measured (without XMLLNK's own).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ti99tools.machine.cpu_memory import Memory
from ti99tools.machine.vdp import VDP
from ti99tools.machinecode.places import ARG, ERROR_BYTE, FAC, GPL_STATUS, STRING_POINTER
from ti99tools.numbers.arith import add, compare, div, mul, sub
from ti99tools.numbers.codec import LENGTH, from_bytes, to_bytes
from ti99tools.numbers.convert import to_integer
from ti99tools.numbers.parse import val
from ti99tools.numbers.radix import OVERFLOW_NEG, OVERFLOW_POS, Number, Radix, settle

OVERFLOW, BY_ZERO, NO_INTEGER = 1, 2, 3
"""What the error byte says."""
_ALWAYS, _EQUAL, _GREATER, _LOGICALLY = 0x10, 0x20, 0x40, 0x80
_TEXT_LIMIT = 64
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:E[+-]?[0-9]+)?")

Routine = Callable[[Memory, VDP], None]


def number_at(memory: Memory, address: int) -> Number:
    """The number in eight bytes of memory."""
    return settle(from_bytes(memory.bus.bytes_at(address, LENGTH)))


def put_number(memory: Memory, address: int, value: Number) -> None:
    """Write a number into eight bytes of memory."""
    memory.bus.load(address, to_bytes(value))


def _result(memory: Memory, value: Number) -> None:
    if isinstance(value, Radix) and value.overflow:
        memory.bus.load(ERROR_BYTE, (OVERFLOW,))
        value = value.value_after_warning
    put_number(memory, FAC, value)


def _operation(operate: Callable[[Number, Number], Number]) -> Routine:
    def routine(memory: Memory, vdp: VDP) -> None:
        _result(memory, operate(number_at(memory, ARG), number_at(memory, FAC)))

    return routine


def _divide(memory: Memory, vdp: VDP) -> None:
    dividend, divisor = number_at(memory, ARG), number_at(memory, FAC)
    if divisor:
        _result(memory, settle(div(dividend, divisor)))
        return
    memory.bus.load(ERROR_BYTE, (BY_ZERO,))
    largest = OVERFLOW_NEG if dividend < 0 else OVERFLOW_POS
    assert isinstance(largest, Radix)
    put_number(memory, FAC, largest.value_after_warning)


def _compare(memory: Memory, vdp: VDP) -> None:
    """ARG compared with FAC: the bits of the GPL status."""
    order = compare(number_at(memory, ARG), number_at(memory, FAC))
    first, second = memory.bus.word_at(ARG), memory.bus.word_at(FAC)
    logically = first > second if first != second else order > 0
    bits = _ALWAYS | _EQUAL * (order == 0) | _GREATER * (order > 0) | _LOGICALLY * logically
    memory.bus.load(GPL_STATUS, (bits,))


def _to_integer(memory: Memory, vdp: VDP) -> None:
    """CFI: FAC becomes a 16-bit integer in its first word."""
    value = to_integer(number_at(memory, FAC))
    if -32768 <= value <= 32767:
        memory.bus.load(FAC, (value & 0xFFFF).to_bytes(2, "big"))
    else:
        memory.bus.load(ERROR_BYTE, (NO_INTEGER,))


def _from_integer(memory: Memory, vdp: VDP) -> None:
    """CIF: the 16-bit integer in FAC's first word becomes a number."""
    word = memory.bus.word_at(FAC)
    put_number(memory, FAC, word - 0x10000 if word & 0x8000 else word)


def _from_text(memory: Memory, vdp: VDP) -> None:
    """CSN: the text in video memory becomes a number; the pointer stops after it."""
    start = memory.bus.word_at(STRING_POINTER) & 0x3FFF
    text = _NUMBER.match(vdp.ram[start : start + _TEXT_LIMIT].decode("latin-1"))
    found = text[0] if text else ""
    memory.bus.load(STRING_POINTER, (start + len(found)).to_bytes(2, "big"))
    _result(memory, val(found) if found else 0)


ROUTINES: dict[int, tuple[Routine, int]] = {
    0x0D80: (_operation(add), 2_224), 0x0D7C: (_operation(sub), 2_240),
    0x0E88: (_operation(mul), 3_060), 0x0FF4: (_divide, 10_556), 0x0D3A: (_compare, 610),
    0x11AE: (_from_text, 6_000), 0x12B8: (_to_integer, 650), 0x0020: (_from_integer, 996),
}  # fmt: skip
"""XMLLNK's word → what it does, and its cycles with XMLLNK's own (FSUB and CSN are estimates)."""
