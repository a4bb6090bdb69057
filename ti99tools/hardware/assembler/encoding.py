"""Instructions from their operands, one function a format, and words back to instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ti99tools.base.errors import SourceError
from ti99tools.base.record import Record
from ti99tools.hardware.assembler.operands import Field, Spot, Value, Word
from ti99tools.hardware.assembler.source_lines import NAME
from ti99tools.hardware.cpu.instructions import BY_NAME, DECODED, Format, Instruction

RT, NOP = 0x045B, 0x1000
PSEUDO = {"RT": RT, "NOP": NOP}
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
        self._address()
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


SYMBOLIC = 2
"""The mode of an operand that has a word of its own."""


class Decoded(Record):
    """One instruction: its address, its words, its text (`MOV R1,@>834A`)."""

    address: int
    words: tuple[int, ...]
    text: str


def disassemble(words: Sequence[int], address: int = 0) -> list[Decoded]:
    """Read words as instructions; one that is not, or is cut off at the end, becomes DATA."""
    instructions = []
    at = 0
    while at < len(words):
        one = _instruction(words[at : at + 3], (address + 2 * at) & 0xFFFF)
        instructions.append(one)
        at += len(one.words)
    return instructions


def _instruction(words: Sequence[int], address: int) -> Decoded:
    code = words[0]
    row = DECODED[code]
    reader = _Operands(words, address)
    text = {RT: "RT", NOP: "NOP"}.get(code) or (_canonical(row, code) and reader.text(row))
    if not text or reader.used > len(words):
        return Decoded(address, (code,), f"DATA >{code:04X}")
    return Decoded(address, tuple(words[: reader.used]), text)


def _canonical(row: Instruction, code: int) -> bool:
    """Tell whether the bits without a meaning are 0, as the assembler leaves them."""
    if row.name == "ILLEGAL":
        return False
    if row.format in (Format.ALONE, Format.WORD):
        return code == row.code
    return row.format not in (Format.IMMEDIATE, Format.STORE) or not code & 0x10


class _Operands:
    """The operands of one instruction; `used` counts its words."""

    def __init__(self, words: Sequence[int], address: int) -> None:
        self._words = words
        self._address = address
        self.used = 1

    def text(self, row: Instruction) -> str:
        """The instruction as an assembler reads it: mnemonic and operands."""
        operands = OPERANDS[row.format](self, self._words[0])
        return f"{row.name} {operands}" if operands else row.name

    def _next(self) -> int:
        at, self.used = self.used, self.used + 1
        return self._words[at] if at < len(self._words) else 0

    def general(self, field: int) -> str:
        """A general operand from the six bits of its field."""
        mode, number = field >> 4 & 3, field & 15
        if mode != SYMBOLIC:
            return ("R{0}", "*R{0}", "", "*R{0}+")[mode].format(number)
        index = f"(R{number})" if number else ""
        return f"@>{self._next():04X}{index}"

    def two(self, code: int) -> str:
        """Two general operands, source and destination."""
        source = self.general(code)
        return f"{source},{self.general(code >> 6)}"

    def register(self, code: int) -> str:
        """A general source and a workspace register."""
        return f"{self.general(code)},R{code >> 6 & 15}"

    def counted(self, code: int) -> str:
        """A general source and a count of bits."""
        return f"{self.general(code)},{code >> 6 & 15}"

    def jump(self, code: int) -> str:
        """The target of the jump, relative to this instruction."""
        # Two's complement of the low byte, in words, from the next instruction.
        distance = ((code & 0xFF ^ 0x80) - 0x80) * 2 + 2
        return f"${distance:+d}" if distance else "$"

    def bit(self, code: int) -> str:
        """The displacement of a CRU bit, from -128 to 127."""
        return str((code & 0xFF ^ 0x80) - 0x80)

    def immediate(self, code: int) -> str:
        """A register, and the word that follows the instruction."""
        return f"R{code & 15},>{self._next():04X}"


OPERANDS: dict[Format, Callable[[_Operands, int], str]] = {
    Format.TWO: _Operands.two,
    Format.JUMP: _Operands.jump,
    Format.BIT: _Operands.bit,
    Format.REGISTER: _Operands.register,
    Format.XOP: _Operands.counted,
    Format.CRU: _Operands.counted,
    Format.SHIFT: lambda _reader, code: f"R{code & 15},{code >> 4 & 15}",
    Format.ONE: lambda reader, code: reader.general(code),
    Format.ALONE: lambda _reader, _code: "",
    Format.IMMEDIATE: _Operands.immediate,
    Format.WORD: lambda reader, _code: f">{reader._next():04X}",
    Format.STORE: lambda _reader, code: f"R{code & 15}",
}
