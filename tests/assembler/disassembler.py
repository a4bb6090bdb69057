"""Words back to instructions, as text that the assembler must turn into the same words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ti99tools.hardware.assembler.encoding import PSEUDO
from ti99tools.hardware.cpu.instructions import DECODED, Format, Instruction

_PSEUDO = {word: name for name, word in PSEUDO.items()}
_SYMBOLIC = 2
"""The mode of an operand that has a word of its own."""


@dataclass(frozen=True)
class Decoded:
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
    text = _PSEUDO.get(code) or (_canonical(row, code) and reader.text(row))
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
        operands = _OPERANDS[row.format](self, self._words[0])
        return f"{row.name} {operands}" if operands else row.name

    def _next(self) -> int:
        at, self.used = self.used, self.used + 1
        return self._words[at] if at < len(self._words) else 0

    def general(self, field: int) -> str:
        """A general operand from the six bits of its field."""
        mode, number = field >> 4 & 3, field & 15
        if mode != _SYMBOLIC:
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


_OPERANDS: dict[Format, Callable[[_Operands, int], str]] = {
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
