"""The instruction set as a table: mnemonic, operation code, format and cycles.

Core, compiler and assembler read it. Formats are numbered as in TI's data manual;
unused bits of an instruction word are ignored. Cycles are clock cycles at 3 MHz without operands
and wait states, as recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

T = TypeVar("T")


class Format(Enum):
    """What follows the operation code; the value is the number of bits after it, ×10 where two
    formats share one.
    """

    TWO = 12
    """I: two general operands (A, MOV, …)."""
    JUMP = 8
    """II: a signed displacement in words, counted from the next instruction."""
    BIT = 80
    """II: a signed displacement of a CRU bit (SBO, SBZ, TB)."""
    REGISTER = 10
    """III and IX: general source, workspace register (COC, CZC, XOR, MPY, DIV)."""
    XOP = 100
    """IX: general source, number of the extended operation."""
    CRU = 101
    """IV: general source, count 0-15 (0 = 16)."""
    SHIFT = 81
    """V: workspace register, count 0-15 (0 = count in R0)."""
    ONE = 6
    """VI: one general operand."""
    ALONE = 5
    """VII: no operand."""
    IMMEDIATE = 50
    """VIII: workspace register and a word (LI, AI, ANDI, ORI, CI)."""
    WORD = 51
    """VIII: a word (LWPI, LIMI)."""
    STORE = 52
    """VIII: workspace register (STWP, STST)."""

    @property
    def bits(self) -> int:
        """Bits of the instruction word after the operation code."""
        return self.value if self.value < 50 else self.value // 10


@dataclass(frozen=True, slots=True)
class Instruction:
    """One row of the table."""

    name: str
    code: int
    format: Format
    cycles: int


def _rows(form: Format, rows: str) -> list[Instruction]:
    """Rows written as `NAME CODE CYCLES`."""
    words = rows.split()
    return [
        Instruction(name, int(code, 16), form, int(cycles))
        for name, code, cycles in zip(words[::3], words[1::3], words[2::3], strict=True)
    ]


INSTRUCTIONS: tuple[Instruction, ...] = (
    *_rows(
        Format.TWO,
        """
        SZC 4000 14   SZCB 5000 14   S   6000 14   SB   7000 14
        C   8000 14   CB   9000 14   A   A000 14   AB   B000 14
        MOV C000 14   MOVB D000 14   SOC E000 14   SOCB F000 14""",
    ),
    *_rows(
        Format.JUMP,
        """
        JMP 1000 10   JLT 1100 8   JLE 1200 8   JEQ 1300 8   JHE 1400 8   JGT 1500 8
        JNE 1600 8    JNC 1700 8   JOC 1800 8   JNO 1900 8   JL  1A00 8   JH  1B00 8
        JOP 1C00 8""",
    ),
    *_rows(Format.BIT, "SBO 1D00 12   SBZ 1E00 12   TB 1F00 12"),
    *_rows(Format.REGISTER, "COC 2000 14  CZC 2400 14  XOR 2800 14  MPY 3800 52  DIV 3C00 92"),
    *_rows(Format.XOP, "XOP 2C00 36"),
    *_rows(Format.CRU, "LDCR 3000 20   STCR 3400 42"),
    *_rows(Format.SHIFT, "SRA 0800 12   SRL 0900 12   SLA 0A00 12   SRC 0B00 12"),
    *_rows(
        Format.ONE,
        """
        BLWP 0400 26  B    0440 8   X    0480 4   CLR  04C0 10  NEG  0500 12  INV 0540 10
        INC  0580 10  INCT 05C0 10  DEC  0600 10  DECT 0640 10  BL   0680 12  SWPB 06C0 10
        SETO 0700 10  ABS  0740 12""",
    ),
    *_rows(Format.IMMEDIATE, "LI 0200 12  AI 0220 14  ANDI 0240 14  ORI 0260 14  CI 0280 14"),
    *_rows(Format.STORE, "STWP 02A0 8   STST 02C0 8"),
    *_rows(Format.WORD, "LWPI 02E0 10   LIMI 0300 16"),
    *_rows(
        Format.ALONE,
        """
        IDLE 0340 12  RSET 0360 12  RTWP 0380 14  CKON 03A0 0  CKOF 03C0 0  LREX 03E0 0""",
    ),
)

ILLEGAL = Instruction("ILLEGAL", 0, Format.ALONE, 10)
"""A word that is not an instruction: it does nothing, in 10 cycles."""

BY_NAME = {instruction.name: instruction for instruction in INSTRUCTIONS}


def by_word(value: Callable[[Instruction], T]) -> list[T]:
    """Instruction word → a value of its row, which is asked for once for each row."""
    table = [value(ILLEGAL)] * 0x10000
    for instruction in INSTRUCTIONS:
        size = 1 << instruction.format.bits
        table[instruction.code : instruction.code + size] = [value(instruction)] * size
    return table


DECODED: list[Instruction] = by_word(lambda row: row)
"""Instruction word → its row."""
