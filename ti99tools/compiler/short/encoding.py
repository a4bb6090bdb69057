"""Steps to bytes: operands by their number in a table, jumps by their distance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ti99tools.compiler.short.templates import FIRST, Shape, Step, Table

NEAR_WORDS = 224
"""Operands that one byte names."""
WRITTEN, PAGE, OWN = range(3)
"""The bytes for words that follow themselves, for templates that a second byte names, and for the
first template that one byte names.
"""
_FAR, _BYTE, _WORD, _TEXT = 0xE0, 0xFD, 0xFE, 0xFF
"""First bytes of other operands: two bytes name a word of the table; a byte with its sign follows;
a word follows; a text follows, and the operand is its address.
"""
_NEAR, _FURTHER, _ANYWHERE = 112, 0xE0, 0xF0
"""A jump: one byte is the distance and 112; two bytes from >E000 on are the distance and 2,048; two
bytes from >F000 on name a word of the table.
"""
_NUMBER = re.compile(r"-?\d+$|>[0-9A-F]{1,4}$")


def number(operand: str) -> int | None:
    """The value of an operand that is a number, -32768 to 32767."""
    if not _NUMBER.match(operand):
        return None
    value = int(operand[1:], 16) if operand[0] == ">" else int(operand)
    return ((value + 0x8000) & 0xFFFF) - 0x8000


class Operands:
    """The table of operands, those used most first."""

    def __init__(self, uses: Counter[str], texts: Mapping[str, bytes]) -> None:
        """`texts`: operands that are texts used once, which go into the byte code."""
        self.texts = texts
        self.numbers: dict[str, int] = {}
        rank = [(count, word) for word, count in uses.items() if word not in texts]
        rank.sort(key=lambda each: (-each[0], each[1]))
        for count, word in rank:
            if len(self.numbers) < NEAR_WORDS and count > (3 if _is_byte(word) else 1):
                self.number(word)
        for _, word in rank:
            # One byte names it, two bytes hold it in the table: used twice it is worth a place.
            if len(self.numbers) < NEAR_WORDS and number(word) is None:
                self.number(word)

    def number(self, word: str) -> int:
        """The place of a word in the table, which it gets now if it has none."""
        return self.numbers.setdefault(word, len(self.numbers))

    def encoded(self, word: str) -> bytes:
        """The bytes of an operand."""
        if word in self.texts:
            return bytes((_TEXT, *self.texts[word]))
        value = number(word)
        if value is not None and word not in self.numbers:
            if -128 <= value <= 127:
                return bytes((_BYTE, value & 0xFF))
            return bytes((_WORD, value >> 8 & 0xFF, value & 0xFF))
        at = self.number(word)
        return bytes((at,)) if at < NEAR_WORDS else bytes((_FAR + at // 256, at % 256))


def _is_byte(word: str) -> bool:
    value = number(word)
    return value is not None and -128 <= value <= 127


@dataclass
class Encoded:
    """Byte code: its bytes, the offsets of its labels, its tables."""

    data: bytes
    labels: dict[str, int]
    tables: list[Table]


def encoded(
    pieces: Sequence[Step | str | Table], templates: Sequence[Shape], operands: Operands
) -> Encoded:
    """The bytes of all pieces."""
    codes = {
        shape: bytes((OWN + at,)) if at < FIRST else bytes((PAGE, at - FIRST))
        for at, shape in enumerate(templates)
    }
    heads = [_head(piece, codes, operands) for piece in pieces]
    jumps = [isinstance(p, Step) and bool(p.target) for p in pieces]
    sizes = [len(head) + jump for head, jump in zip(heads, jumps, strict=True)]
    while True:
        at, labels, ends = 0, {}, []
        for piece, size in zip(pieces, sizes, strict=True):
            if isinstance(piece, str):
                labels[piece] = at
            at += size
            ends.append(at)
        tails = [
            _jump(piece.target, labels, end, operands, size - len(head))
            if isinstance(piece, Step) and jump
            else b""
            for piece, head, jump, end, size in zip(pieces, heads, jumps, ends, sizes, strict=True)
        ]
        now = [len(head) + len(tail) for head, tail in zip(heads, tails, strict=True)]
        if now == sizes:
            break
        sizes = now
    data = b"".join(part for both in zip(heads, tails, strict=True) for part in both)
    return Encoded(data, labels, [piece for piece in pieces if isinstance(piece, Table)])


def _head(piece: Step | str | Table, codes: Mapping[Shape, bytes], operands: Operands) -> bytes:
    """A step without the distance of its jump."""
    if not isinstance(piece, Step):
        return b""
    code = codes.get(piece.shape)
    if code is not None:
        return code + b"".join(map(operands.encoded, piece.operands))
    given = iter(piece.operands)
    words = [word if word is not None else next(given) for word in piece.shape.words]
    # A bit for each word, and the bit that ends them.
    bits = (0xFF << (7 - len(words))) & 0xFF
    return bytes((WRITTEN, bits)) + b"".join(map(operands.encoded, words))


def _jump(
    target: str, labels: Mapping[str, int], end: int, operands: Operands, least: int
) -> bytes:
    """The distance of a jump from its end; `least` bytes, so that jumps only grow."""
    if target in labels:
        distance = labels[target] - end
        if least == 1 and -_NEAR <= distance < _FURTHER - _NEAR:
            return bytes((distance + _NEAR,))
        if -2048 <= distance < 2048:
            both = distance + 2048
            return bytes((_FURTHER + both // 256, both % 256))
    at = operands.number(target)
    return bytes((_ANYWHERE + at // 256, at % 256))
