"""Machine words back to assembly language that assembles to the same words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ti99tools.hardware.assembler.encoding import NOP, RT
from ti99tools.hardware.cpu.instructions import DECODED, Format, Instruction

SYMBOLIC = 2
"""The mode of an operand that has a word of its own."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """One instruction: its address, its words, its text (`MOV R1,@>834A`)."""

    address: int
    words: tuple[int, ...]
    text: str


def disassemble(words: Sequence[int], address: int = 0) -> list[Decoded]:
    """Read words as instructions; one that is not, or is cut off at the end, becomes DATA."""
    found = []
    at = 0
    while at < len(words):
        one = _instruction(words[at : at + 3], (address + 2 * at) & 0xFFFF)
        found.append(one)
        at += len(one.words)
    return found


def _instruction(words: Sequence[int], address: int) -> Decoded:
    code = words[0]
    row = DECODED[code]
    reader = _Reader(words, address)
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


class _Reader:
    """The operands of one instruction; `used` counts its words."""

    def __init__(self, words: Sequence[int], address: int) -> None:
        self._words = words
        self._address = address
        self.used = 1

    def text(self, row: Instruction) -> str:
        """Mnemonic and operands."""
        operands = OPERANDS[row.format](self, self._words[0])
        return f"{row.name} {operands}" if operands else row.name

    def _next(self) -> int:
        at, self.used = self.used, self.used + 1
        return self._words[at] if at < len(self._words) else 0

    def general(self, field: int) -> str:
        """A general operand."""
        mode, number = field >> 4 & 3, field & 15
        if mode != SYMBOLIC:
            return ("R{0}", "*R{0}", "", "*R{0}+")[mode].format(number)
        index = f"(R{number})" if number else ""
        return f"@>{self._next():04X}{index}"

    def two(self, code: int) -> str:
        """Source, destination."""
        source = self.general(code)
        return f"{source},{self.general(code >> 6)}"

    def register(self, code: int) -> str:
        """Source, register."""
        return f"{self.general(code)},R{code >> 6 & 15}"

    def counted(self, code: int) -> str:
        """Source, count."""
        return f"{self.general(code)},{code >> 6 & 15}"

    def jump(self, code: int) -> str:
        """The target of the jump, relative to this instruction."""
        # Two's complement of the low byte, in words, from the next instruction.
        distance = ((code & 0xFF ^ 0x80) - 0x80) * 2 + 2
        return f"${distance:+d}" if distance else "$"

    def bit(self, code: int) -> str:
        """A signed displacement."""
        return str((code & 0xFF ^ 0x80) - 0x80)

    def immediate(self, code: int) -> str:
        """Register, word."""
        return f"R{code & 15},>{self._next():04X}"


OPERANDS: dict[Format, Callable[[_Reader, int], str]] = {
    Format.TWO: _Reader.two,
    Format.JUMP: _Reader.jump,
    Format.BIT: _Reader.bit,
    Format.REGISTER: _Reader.register,
    Format.XOP: _Reader.counted,
    Format.CRU: _Reader.counted,
    Format.SHIFT: lambda reader, code: f"R{code & 15},{code >> 4 & 15}",
    Format.ONE: lambda reader, code: reader.general(code),
    Format.ALONE: lambda reader, code: "",
    Format.IMMEDIATE: _Reader.immediate,
    Format.WORD: lambda reader, code: f">{reader._next():04X}",
    Format.STORE: lambda reader, code: f"R{code & 15}",
}
