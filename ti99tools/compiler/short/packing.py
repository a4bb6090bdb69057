"""Texts and DATA in fewer bytes: two that often follow each other become one, again and again.

A byte from `FIRST` on is one of the pairs, in which there may be pairs again; `LITERAL` comes
before a byte that is as high itself. The program unpacks them when it begins (start.a99).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

FIRST, LITERAL = 0x80, 0xFF
_MOST = LITERAL - FIRST
_LEAST_USES = 4
"""A pair takes two bytes, and saves one wherever it is."""
MOST_NESTED = 16
"""Seconds of pairs that may wait, each in a word, while the first of the pair is unpacked."""
_CODE = 0x100
"""Begins the characters that stand for pairs while they are made."""


@dataclass(frozen=True)
class Packed:
    """Packed bytes, and the pairs that bytes from `FIRST` on stand for."""

    data: bytes
    pairs: tuple[tuple[int, int], ...]

    @property
    def words(self) -> list[int]:
        """The pairs as words: the first of a pair is in the low byte."""
        return [first | second << 8 for first, second in self.pairs]

    def unpacked(self) -> bytes:
        """The bytes from which these were made."""
        found, waiting = bytearray(), list(reversed(self.data))
        while waiting:
            code = waiting.pop()
            if code == LITERAL:
                found.append(waiting.pop())
            elif code >= FIRST:
                waiting += reversed(self.pairs[code - FIRST])
            else:
                found.append(code)
        return bytes(found)


def pack(data: bytes) -> Packed:
    """Make pairs of two that often follow each other, the most usual first."""
    text = data.decode("latin-1")
    pairs: list[tuple[int, int]] = []
    depths: dict[str, int] = {}
    while len(pairs) < _MOST:
        best = _best(text, depths)
        if best is None:
            break
        code = chr(_CODE + len(pairs))
        depths[code] = max(1 + depths.get(best[0], 0), depths.get(best[1], 0))
        pairs.append((_byte(best[0]), _byte(best[1])))
        text = text.replace(best, code)
    packed = bytearray()
    for character in text:
        if FIRST <= ord(character) < _CODE:
            packed.append(LITERAL)
        packed.append(_byte(character))
    return Packed(bytes(packed), tuple(pairs))


def _best(text: str, depths: dict[str, int]) -> str | None:
    """The two characters that follow each other most often; None if too rarely."""
    for (first, second), count in Counter(pairwise(text)).most_common():
        if count < _LEAST_USES:
            return None
        # A byte that has LITERAL before it cannot be part of a pair.
        plain = not any(FIRST <= ord(each) < _CODE for each in (first, second))
        if plain and depths.get(first, 0) < MOST_NESTED:
            return first + second
    return None


def _byte(character: str) -> int:
    code = ord(character)
    return code - _CODE + FIRST if code >= _CODE else code
