"""What the console offers machine code: cells, CRU bits, routines called by address, XMLLNK.

Routines take the bus, work on FAC and ARG, and leave their result in FAC. A cartridge calls
arithmetic by BL, functions by GPL. Source: the Editor/Assembler manual's list of entries, recorded
results, and times measured on the console (without XMLLNK's own).

Cells: a cell that is not modelled keeps what is written to it, without any effect; a remark says
so. Source: the console's published memory map, and users' lists of addresses.

CRU bits: the TMS9901 with keyboard, joysticks and the interrupt line. Bits 18 to 20 choose a column
of the keyboard, bits 3 to 10 are its rows, 0 for a key that is down. Bit 2 is the video processor's
interrupt, 0 while it waits. Bits from >0800 / 2 on belong to cards. Source: TI's technical data of
the console; the timer and cassette lines are not modelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from functools import lru_cache
from struct import pack, unpack

from ti99tools.base.codes import STACK_TOP
from ti99tools.base.cycles.code import (
    BY_ADDRESS,
    DIVIDED,
    DIVIDED_DIGIT,
    DIVIDED_TRIVIAL,
    MULTIPLIED,
    MULTIPLIED_DIGITS,
)
from ti99tools.base.xberrors import XBError
from ti99tools.computer.machinecode.addresses import (
    ARG,
    CARD,
    CARTRIDGE_END,
    ERROR_BYTE,
    FAC,
    GPL_STATUS,
    STRING_POINTER,
)
from ti99tools.computer.numbers import functions
from ti99tools.computer.numbers.forms import from_bytes, print_form, to_bytes, val
from ti99tools.computer.numbers.functions import (
    add,
    compare,
    div,
    floor,
    mul,
    power,
    sub,
    to_integer,
)
from ti99tools.computer.numbers.radix import (
    OVERFLOW_NEG,
    OVERFLOW_POS,
    Number,
    Radix,
    overflowed,
    settle,
)
from ti99tools.hardware.cpu.bus import CARD_LINES, ROM_END, Bus, Cru
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.hardware.machine.vdp import VDP, standard_pattern

OVERFLOW, BY_ZERO, NO_INTEGER = 1, 2, 3
"""Values of the error byte."""
_ALWAYS, _EQUAL, _GREATER, _LOGICALLY = 0x10, 0x20, 0x40, 0x80
"""Bits of the status byte of GPL after FCOMP."""
_TEXT_LIMIT = 64
"""Characters at which CSN looks here, far more than the digits that count."""
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
    if overflowed(value):
        bus.load_byte(ERROR_BYTE, OVERFLOW)
        value = value.value_after_warning
    put_number(bus, FAC, value)


def _operation(operate: Callable[[Number, Number], Number]) -> Routine:
    def routine(bus: Bus, _vdp: VDP) -> None:
        _result(bus, operate(number_at(bus, ARG), number_at(bus, FAC)))

    return routine


def _divide(bus: Bus, _vdp: VDP) -> None:
    dividend, divisor = number_at(bus, ARG), number_at(bus, FAC)
    if divisor:
        _result(bus, settle(div(dividend, divisor)))
        return
    bus.load_byte(ERROR_BYTE, BY_ZERO)
    largest = OVERFLOW_NEG if dividend < 0 else OVERFLOW_POS
    assert isinstance(largest, Radix)
    put_number(bus, FAC, largest.value_after_warning)


def _compare(bus: Bus, _vdp: VDP) -> None:
    """Compare ARG with FAC: set the bits of the GPL status."""
    order = compare(number_at(bus, ARG), number_at(bus, FAC))
    first, second = bus.word_at(ARG), bus.word_at(FAC)
    logically = first > second if first != second else order > 0
    bits = _ALWAYS | _EQUAL * (order == 0) | _GREATER * (order > 0) | _LOGICALLY * logically
    bus.load_byte(GPL_STATUS, bits)


@lru_cache(maxsize=4096)
def _integer(words: tuple[int, ...]) -> int | None:
    """A number as a 16-bit word, rounded; None if it is out of range."""
    value = to_integer(_number(words))
    return value & 0xFFFF if -32768 <= value <= 32767 else None


def _to_integer(bus: Bus, _vdp: VDP) -> None:
    """CFI: FAC becomes a 16-bit integer in its first word."""
    word = _integer(tuple(bus.words_at(FAC, _WORDS)))
    if word is None:
        bus.load_byte(ERROR_BYTE, NO_INTEGER)
    else:
        bus.load_word(FAC, word)


def _from_integer(bus: Bus, _vdp: VDP) -> None:
    """CIF: the 16-bit integer in FAC's first word becomes a number."""
    word = bus.word_at(FAC)
    put_number(bus, FAC, word - 0x10000 if word & 0x8000 else word)


def _from_text(bus: Bus, vdp: VDP) -> None:
    """CSN: the text in video memory becomes a number; the pointer is moved to its end.

    If an E without an exponent follows, nothing is read (recorded answers 18-9).
    """
    start = bus.word_at(STRING_POINTER) & 0x3FFF
    text = vdp.ram[start : start + _TEXT_LIMIT].decode("latin-1")
    number = _NUMBER.match(text)
    digits = number[0] if number and not text.startswith("E", number.end()) else ""
    bus.load(STRING_POINTER, (start + len(digits)).to_bytes(2, "big"))
    _result(bus, val(digits) if digits else 0)


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
"""XMLLNK's word, an address in ROM except for the last → what it does."""


PAD, SOUND, SPEECH, GROM, PORTS_END = 0x8300, 0x8400, 0x9000, 0x9800, 0xA000
SPEECH_END = GROM
OWN = ((0x8300, 0x8318), (0x8326, 0x8328), (0x834A, 0x836E))
"""Cells that programs use as their own; >8326, where a program's end goes on, is checked later."""

NAMES: tuple[tuple[int, int, str], ...] = (
    (0x8318, 0x8320, "pointers to strings in video memory"),
    (0x8320, 0x8326, "pointers of the interpreter"),
    (0x8326, 0x8328, "where the console goes on after a program"),
    (0x8328, 0x832E, "pointers of the interpreter"),
    (0x832E, 0x8334, "line number table"),
    (0x8334, 0x8342, "pointers to DATA, symbols and files"),
    (0x8342, 0x834A, "flags of the interpreter"),
    (0x836E, 0x8370, "top of the stack in video memory"),
    (0x8370, 0x8372, "highest address of video memory"),
    (0x8372, 0x8374, "stacks of the GPL interpreter"),
    (0x8374, 0x8378, "keyboard"),
    (0x837B, 0x837D, "status"),
    (0x8380, 0x8384, "stack of the GPL interpreter"),
    (0x8384, 0x8388, "limits of memory"),
    (0x8388, 0x838A, "flags of the memory expansion"),
    (0x838A, 0x83C0, "stacks of the GPL interpreter"),
    (0x83C0, 0x83C2, "seed of random numbers"),
    (0x83C6, 0x83CC, "memory of the keyboard scan"),
    (0x83CC, 0x83D0, "sound list"),
    (0x83D0, 0x83D4, "search for devices"),
    (0x83D4, 0x83D6, "copy of video register 1"),
    (0x83D6, 0x83D8, "time until the screen goes dark"),
    (0x83D8, 0x83E0, "return addresses of the console's routines"),
    (0x83E0, 0x8400, "registers of the GPL interpreter"),
)
"""First address, end, what lies there."""


def not_loaded(address: int, changed: Container[int]) -> str:
    """The remark on a CALL LOAD at an address; "" if it has its effect.

    `changed` are the cells where writing has an effect.
    """
    if ROM_END <= address < CARD or address >= PORTS_END:
        return ""
    return _remark("LOAD", address, changed, "nothing follows from it")


def not_peeked(address: int, followed: Container[int]) -> str:
    """The remark on a CALL PEEK at an address; "" if it returns what it should.

    `followed` are the cells that follow the console.
    """
    if ROM_END <= address < CARD or address >= PORTS_END or SPEECH <= address < SPEECH_END:
        return ""
    return _remark("PEEK", address, followed, "it got what was last put there, or 0")


def _remark(word: str, address: int, known: Container[int], result: str) -> str:
    own = any(first <= address < end for first, end in OWN)
    if own or address in known or CARD <= address < 0x6000:
        return ""
    if PAD <= address < SOUND:
        what = next((f" ({n})" for first, end, n in NAMES if first <= address < end), "")
        return f"CALL {word} at {address_text(address)}{what}: that is not modelled, {result}"
    if address < ROM_END or CARD <= address < CARTRIDGE_END:
        return f"CALL {word} at {address_text(address)}: no ROM is here, {result}"
    if address < GROM:
        speech = address >= SPEECH
        return (
            f"CALL {word} at {address_text(address)}: no speech synthesizer is here"
            if speech
            else ""
        )
    return f"CALL {word} at {address_text(address)}: no GROM is here, {result}"


def address_text(address: int) -> str:
    """An address as memory maps write it, and in parentheses as programs do."""
    # Extended BASIC writes addresses from 32768 on as negative numbers.
    number = address - 0x10000 if address & 0x8000 else address
    return f">{address:04X} ({number})"


LINES = 32
INTERRUPT, FIRST_ROW, LAST_ROW, COLUMN, OUTPUTS = 2, 3, 10, 18, 16
"""Bits of the console's own chip: the interrupt, the rows and the column of the keyboard (three
bits), and the first that is an output. It has 32, and answers up to the cards' bits.
"""


class ConsoleCru:
    """CRU bits 0 to 31, repeated below those of the cards.

    `waiting` tells whether an interrupt waits; `looked` is called when a column of the keyboard is
    read.
    """

    def __init__(
        self,
        cards: Cru,
        keyboard: Keyboard,
        waiting: Callable[[], bool],
        looked: Callable[[], None],
        column: Callable[[int], int] | None,
    ) -> None:
        """`column` reads a column if it is not the keyboard's own function."""
        self._cards = cards
        self._column = column or keyboard.column
        self._waiting = waiting
        self._looked = looked
        self._sent = [0] * LINES
        self._rows = self._next_row = 0
        """The column read last, and the next bit of it."""

    def read_bit(self, number: int) -> int:
        """A bit of the keyboard's column, of the interrupt's line, or of a card."""
        if number >= CARD_LINES:
            return self._cards.read_bit(number)
        number %= LINES
        if FIRST_ROW <= number <= LAST_ROW:
            if number != self._next_row:
                self._looked()
                sent = self._sent[COLUMN : COLUMN + 3]
                self._rows = self._column(sent[0] + 2 * sent[1] + 4 * sent[2])
            self._next_row = number + 1
            return ~self._rows >> number - FIRST_ROW & 1
        if number == INTERRUPT:
            return int(not self._waiting())
        return self._sent[number] if number >= OUTPUTS else int(number > 0)

    def write_bit(self, number: int, value: int) -> None:
        """Set a bit to 0 or 1."""
        if number >= CARD_LINES:
            self._cards.write_bit(number, value)
        else:
            self._sent[number % LINES] = value
            self._next_row = 0


FADD, FSUB, FMUL, FDIV, FCOMP, CSN, CFI = 0x0D80, 0x0D7C, 0x0E88, 0x0FF4, 0x0D3A, 0x11AE, 0x12B8
"""Where the routines for numbers begin in the console's ROM."""
_WRONG = 2
"""The error byte after a wrong argument of a function."""
_TEXT_AT, _TEXT_LENGTH, _TEXT = 0x8355, 0x8356, 0x8358
"""Where CNS leaves the low byte of its text's address, its length, and the text."""


def _digits(bus: Bus, address: int) -> int:
    """Number of base-100 digits of a number, without zeros at its end."""
    data = bus.bytes_at(address + 1, 7).rstrip(b"\0")
    return max(1, len(data))


def cycles_of(entry: int, bus: Bus) -> int:
    """Cycles of a routine for the operands that are in FAC and ARG."""
    if entry == FMUL:
        return MULTIPLIED + MULTIPLIED_DIGITS * _digits(bus, FAC) * _digits(bus, ARG)
    if entry == FDIV:
        zero = not bus.word_at(FAC) or not bus.word_at(ARG)
        return DIVIDED_TRIVIAL if zero else DIVIDED + DIVIDED_DIGIT * _digits(bus, FAC)
    return BY_ADDRESS[entry]


def call(entry: int, bus: Bus, vdp: VDP) -> int:
    """Do what a routine does; returns its cycles."""
    cycles = cycles_of(entry, bus)
    ROUTINES[entry](bus, vdp)
    return cycles


def _function(of: Callable[[Number], Number]) -> Callable[[Bus, VDP], None]:
    def work(bus: Bus, _vdp: VDP) -> None:
        try:
            value = settle(of(number_at(bus, FAC)))
        except XBError:
            bus.load_byte(ERROR_BYTE, _WRONG)
            return
        _result(bus, value)

    return work


def _power(bus: Bus, vdp: VDP) -> None:
    """Raise to a power: the base is in video memory where >836E points; that is reduced by 8."""
    at = bus.word_at(STACK_TOP)
    exponent = number_at(bus, FAC)
    bus.load(ARG, vdp.ram[at & 0x3FFF : (at & 0x3FFF) + 8])
    base = number_at(bus, ARG)
    bus.load_word(STACK_TOP, (at - 8) & 0xFFFF)
    try:
        _result(bus, settle(power(base, exponent)))
    except XBError:
        bus.load_byte(ERROR_BYTE, _WRONG)


def _to_text(bus: Bus, _vdp: VDP) -> None:
    """CNS in its free form: where the text is, how long it is, the text."""
    text = print_form(number_at(bus, FAC)).encode("latin-1")
    bus.load(_TEXT_AT, (_TEXT & 0xFF, len(text)))
    bus.load(_TEXT, text)


def _characters(first: int, count: int) -> Callable[[Bus, VDP], None]:
    """Write standard patterns to video memory, from the address in FAC on."""

    def work(bus: Bus, vdp: VDP) -> None:
        at = bus.word_at(FAC)
        for n, byte in enumerate(b"".join(map(standard_pattern, range(first, first + count)))):
            vdp.ram[at + n & 0x3FFF] = byte

    return work


GPL: dict[int, Callable[[Bus, VDP], None]] = {
    0x0014: _to_text,
    0x0018: _characters(32, 64),
    0x0022: _function(floor),
    0x0024: _power,
    0x0026: _function(functions.sqr),
    0x0028: _function(functions.exp),
    0x002A: _function(functions.log),
    0x002C: _function(functions.cos),
    0x002E: _function(functions.sin),
    0x0030: _function(functions.tan),
    0x0032: _function(functions.atn),
    0x004A: _characters(96, 31),
}
"""GROM address → what the routine does. Two more begin a tone: `TONES`."""
TONES: dict[int, Callable[[SoundChip], None]] = {
    0x0034: SoundChip.beep,
    0x0036: SoundChip.honk,
}
"""GROM address → the tone that it begins; the interrupts play it."""
