"""What a program with byte code has in video memory, and where it is before the program begins.

Texts and DATA are packed: two bytes that often follow each other become one, again and again. A
byte from `FIRST` on is one of the pairs, in which there may be pairs again; `LITERAL` comes before
a byte that is as high itself. The program unpacks them when it begins (start.a99).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from ti99tools.compiler.emit.assembly import byte_rows, bytes_of
from ti99tools.compiler.emit.sections import ShortCode
from ti99tools.compiler.tables import texts
from ti99tools.computer.console.compiledmemory import FIRST_TEXT
from ti99tools.hardware.assembler.assembling import assemble

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


@dataclass(frozen=True)
class VideoPart:
    """Sources: what is `there`, `size` bytes from the first byte for strings on, and its `packed`
    end, which the program unpacks there. What comes before that end, `copied` bytes, is copied as
    it is. After it are `ending` bytes of what ends a program.
    """

    there: str
    size: int
    packed: str
    copied: int
    ending: int

    def source(self, begins: int, beyond: int) -> str:
        """The part, and where it lies; see `HighMemory` for `beyond`."""
        # What lies before the strings is as much less for them.
        rows = (
            f"VIDBEG EQU  >{begins:04X}\nVIDEND EQU  >{begins + self.copied:04X}\n"
            f"BEYOND EQU  {max(1, beyond - self.size - self.ending)}\n"
            f"       AORG >{FIRST_TEXT:04X}\n"
        )
        return f"{rows}{self.there}ENDVDP\nHEAPLO EQU  ENDVDP+{self.ending}\n"


def video_part(short: ShortCode, items: str, ending: int) -> VideoPart:
    """What is in video memory: the table of places, and texts and items of DATA if they are."""
    others = texts(short.texts) + (items if short.data else "")
    # Here only the end must be at an even address.
    others = others.replace("       EVEN\n", "")
    if not short.packed:
        there = f"{short.places}{others}       EVEN\n"
        return VideoPart(there, bytes_of(there), "", bytes_of(there), ending)
    places = f"{short.places}       EVEN\n"
    there = f"{places}{others}       EVEN\n"
    packed = pack(assemble(f"       AORG >2000\n{others}       END\n").image().data)
    rows = [f"LITERL EQU  {LITERAL}", f"PAIR1  EQU  {FIRST}", "PAIRS"]
    rows += [f"       DATA {word}" for word in packed.words]
    rows += ["PACKED", *byte_rows(packed.data), "PKEND", "       EVEN", ""]
    return VideoPart(there, bytes_of(there), "\n".join(rows), bytes_of(places), ending)
