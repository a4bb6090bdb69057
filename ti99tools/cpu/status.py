"""The status register and the arithmetic that sets it: pure functions on words.

A byte is handled as the high half of a word: then the word's sign, carry and overflow are the
byte's. Each function returns the result and the status bits that it sets; the caller knows from the
instruction which bits are replaced. Source: TI's data manual, checked against the recordings.
"""

from __future__ import annotations

LGT = 0x8000
"""L>: logically greater than."""
AGT = 0x4000
"""A>: arithmetically greater than."""
EQ = 0x2000
CARRY = 0x1000
OVERFLOW = 0x0800
PARITY = 0x0400
"""OP: an odd number of ones in a byte."""
XOP_BIT = 0x0200
MASK = 0x000F
"""Interrupt mask."""

LAE = LGT | AGT | EQ
LAEC = LAE | CARRY
LAECO = LAEC | OVERFLOW

ODD = tuple(bin(byte).count("1") % 2 * PARITY for byte in range(256))
"""Byte → its parity bit in the status register."""


def against_zero(value: int) -> int:
    """Status of a word compared with 0."""
    if value == 0:
        return EQ
    return LGT if value & 0x8000 else LGT | AGT


def compare(first: int, second: int) -> int:
    """Status of one word compared with another, logically and arithmetically."""
    if first == second:
        return EQ
    logical = LGT if first > second else 0
    return logical | (AGT if first ^ 0x8000 > second ^ 0x8000 else 0)


def add(source: int, target: int) -> tuple[int, int]:
    """Sum of two words; L> A> EQ C OV."""
    total = source + target
    result = total & 0xFFFF
    flags = against_zero(result) | (CARRY if total > 0xFFFF else 0)
    if (source ^ result) & (target ^ result) & 0x8000:
        flags |= OVERFLOW
    return result, flags


def subtract(source: int, target: int) -> tuple[int, int]:
    """Target minus source; L> A> EQ, C (no borrow), OV."""
    result = (target - source) & 0xFFFF
    flags = against_zero(result) | (CARRY if target >= source else 0)
    if (target ^ source) & (target ^ result) & 0x8000:
        flags |= OVERFLOW
    return result, flags


def shift_right_arithmetic(value: int, count: int) -> tuple[int, int]:
    """SRA by 1-16 bits; L> A> EQ, C (the last bit shifted out)."""
    signed = value - 0x10000 if value & 0x8000 else value
    result = (signed >> count) & 0xFFFF
    return result, against_zero(result) | (CARRY if signed >> (count - 1) & 1 else 0)


def shift_right_logical(value: int, count: int) -> tuple[int, int]:
    """SRL by 1-16 bits; L> A> EQ, C (the last bit shifted out)."""
    result = value >> count
    return result, against_zero(result) | (CARRY if value >> (count - 1) & 1 else 0)


def shift_left(value: int, count: int) -> tuple[int, int]:
    """SLA by 1-16 bits; L> A> EQ, C (the last bit out), OV (the sign changed on the way)."""
    wide = value << count
    result = wide & 0xFFFF
    flags = against_zero(result) | (CARRY if wide & 0x10000 else 0)
    signs = (value << 1) >> (16 - count)
    if signs not in (0, (2 << count) - 1):
        flags |= OVERFLOW
    return result, flags


def rotate_right(value: int, count: int) -> tuple[int, int]:
    """SRC by 1-16 bits; L> A> EQ, C (the last bit that went round)."""
    wide = (value | value << 16) >> count
    result = wide & 0xFFFF
    return result, against_zero(result) | (CARRY if result & 0x8000 else 0)
