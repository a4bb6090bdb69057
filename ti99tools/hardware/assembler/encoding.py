"""Instructions from their operands, one function a format."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ti99tools.base.errors import SourceError
from ti99tools.hardware.assembler.operands import Field, Spot, Value, Word
from ti99tools.hardware.assembler.source_lines import NAME
from ti99tools.hardware.cpu.instructions import BY_NAME, Format, Instruction

PSEUDO = {"RT": 0x045B, "NOP": 0x1000}
"""RT is B *R11, NOP a jump to the next instruction."""


_SYMBOL = re.compile(rf"(?P<name>{NAME})(?P<more>[+-][0-9]{{1,5}})?", re.IGNORECASE)
_HERE = re.compile(r"\$(?:[+-][0-9]{1,5})?")


class Reference(NamedTuple):
    """A word of an instruction or of DATA, by its place, that is a symbol and a number added."""

    place: int
    symbol: str
    more: int


def reference(place: int, text: str) -> Reference | None:
    """The reference that an expression is; None if it is anything else."""
    found = _SYMBOL.fullmatch(text)
    return found and Reference(place, found["name"].upper(), int(found["more"] or 0))


class Encoder:
    """The words of one instruction at a place in memory. `notes` collects mistakes that TI's
    assembler accepts.

    Once it is encoded, `references` has the words that are symbols, and `target` what the word of a
    jump depends on; `field.depends` tells of anything else that is not the same everywhere.
    """

    def __init__(self, field: Field, spot: Spot, notes: list[SourceError]) -> None:
        self.field = field
        self.spot = spot
        self.references: list[Reference] = []
        self.target: Reference | None = None
        self._notes = notes
        self._more: list[Word] = []

    def encoded(self, name: str, extended: dict[str, int]) -> list[Word]:
        """The words of the instruction. `extended` has the names of DXOP. Raises SourceError."""
        if name in extended:
            code = BY_NAME["XOP"].code | extended[name] << 6 | self._general()
        else:
            instruction = BY_NAME[name]
            code = FORMATS[instruction.format](self, instruction)
        if not (name in BY_NAME and BY_NAME[name].format is Format.ALONE):
            self.field.end()
        return [Word(code), *self._more]

    def _address(self) -> None:
        """Add the word of an expression."""
        field = self.field
        before, start, field.depends = field.depends, field.at, False
        self._more.append(word_of(field.expression()))
        if field.depends and (found := reference(len(self._more), field.read_since(start))):
            self.references.append(found)
            field.depends = False
        field.depends |= before

    def _general(self) -> int:
        """The six bits of a general operand; its address word is kept for later."""
        field = self.field
        if field.take("*"):
            register = field.register()
            # Mode 3 is *R+, mode 1 is *R; the mode takes bits 4 and 5.
            return (0x30 if field.take("+") else 0x10) | register
        if not field.take("@"):
            return field.register_expression()
        self._address()
        register = 0
        if field.take("("):
            start = field.at
            register = field.register()
            if not register:
                raise field.error("R0 cannot be an index", "use R1 to R15", start)
            if not field.take(")"):
                raise field.error("a ) is missing", "write @TABLE(R1)")
        return 0x20 | register

    def two(self, instruction: Instruction) -> int:
        """Two general operands, source and destination."""
        source = self._general()
        self.field.comma()
        return instruction.code | self._general() << 6 | source

    def register(self, instruction: Instruction) -> int:
        """A general source and a workspace register."""
        source = self._general()
        self.field.comma()
        return instruction.code | self.field.register_expression() << 6 | source

    def counted(self, instruction: Instruction) -> int:
        """General source, and a count from 0 to 15 (LDCR and STCR also take 16, which is stored as
        0).
        """
        source = self._general()
        self.field.comma()
        most = 16 if instruction.format is Format.CRU else 15
        return instruction.code | (self._number("the count", 0, most) & 15) << 6 | source

    def one(self, instruction: Instruction) -> int:
        """The only operand, a general one."""
        return instruction.code | self._general()

    def shift(self, instruction: Instruction) -> int:
        """Register, count; R0 means count 0, which takes the count from R0."""
        register = self.field.register_expression()
        self.field.comma()
        return instruction.code | self._number("the count", 0, 15) << 4 | register

    def immediate(self, instruction: Instruction) -> int:
        """A register, and a word that follows the instruction."""
        register = self.field.register_expression()
        self.field.comma()
        self._address()
        return instruction.code | register

    def word(self, instruction: Instruction) -> int:
        """A word that follows the instruction."""
        field, start = self.field, self.field.at
        self._address()
        if instruction.name != "LWPI":
            return instruction.code
        field.depends = True  # to note it at each of its uses
        if self._more[-1].value % 2:
            problem = "a workspace at an odd address begins at the byte before it"
            self._notes.append(field.error(problem, "put EVEN before its label", start))
        return instruction.code

    def store(self, instruction: Instruction) -> int:
        """The register that the instruction stores into."""
        return instruction.code | self.field.register_expression()

    def alone(self, instruction: Instruction) -> int:
        """Nothing: the rest of the line is a comment."""
        return instruction.code

    def bit(self, instruction: Instruction) -> int:
        """The displacement of a CRU bit, or 128 to 255 for -128 to -1."""
        return instruction.code | self._number("the bit", -128, 255) & 0xFF

    def jump(self, instruction: Instruction) -> int:
        """An address at most 127 words back or 128 ahead of the jump."""
        field, start = self.field, self.field.at
        target = field.expression()
        text = field.read_since(start)
        self.target = reference(0, text)
        # A distance from the jump itself is the same everywhere, a number is not.
        field.depends = not (self.target or _HERE.fullmatch(text))
        if not target.known:
            return instruction.code
        if target.external or target.bases != int(self.spot.segment.moves):
            remedy = f"use {_OPPOSITE.get(instruction.name, 'JMP')} and B @LABEL"
            raise field.error("a jump into another segment", remedy, start)
        distance = target.number - self.spot.address - 2
        if distance % 2:
            field.depends = True  # to note it at each of its uses
            problem = "a jump to an odd address goes to the byte before it"
            self._notes.append(field.error(problem, "put EVEN before the label", start))
        # The displacement is a signed byte in words, counted from the next instruction.
        if not -256 <= distance <= 254:
            remedy = "use B @LABEL, after a jump over it where there is a condition"
            raise field.error(f"a jump of {distance // 2} words", remedy, start)
        return instruction.code | distance // 2 & 0xFF

    def _number(self, what: str, least: int, most: int) -> int:
        start = self.field.at
        value = self.field.expression()
        number = value.number
        if value.known and not (value.absolute and least <= number <= most):
            raise self.field.error(f"{what} is {number}", f"use {least} to {most}", start)
        return number


_OPPOSITE = {
    "JEQ": "JNE",
    "JNE": "JEQ",
    "JOC": "JNC",
    "JNC": "JOC",
    "JL": "JHE",
    "JHE": "JL",
    "JH": "JLE",
    "JLE": "JH",
}

FORMATS: dict[Format, Callable[[Encoder, Instruction], int]] = {
    Format.TWO: Encoder.two,
    Format.JUMP: Encoder.jump,
    Format.BIT: Encoder.bit,
    Format.REGISTER: Encoder.register,
    Format.XOP: Encoder.counted,
    Format.CRU: Encoder.counted,
    Format.SHIFT: Encoder.shift,
    Format.ONE: Encoder.one,
    Format.ALONE: Encoder.alone,
    Format.IMMEDIATE: Encoder.immediate,
    Format.WORD: Encoder.word,
    Format.STORE: Encoder.store,
}


def word_of(value: Value) -> Word:
    """A value as a word of output."""
    return Word(value.number & 0xFFFF, bool(value.bases), value.external)
