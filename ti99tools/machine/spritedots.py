"""Which dots of which sprites the video processor shows on a line.

The TMS9918A looks at sprites 0 to 31 in order until a y of D0h, shows at most four on a line, and
reports a coincidence when two shown sprites share a dot, whatever their colours. Source: the
TMS9918A data manual.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from ti99tools.machine.vdp import PATTERNS, SPRITES, VDP

LINES, DOTS = 192, 256
END_OF_LIST = 0xD0
MAX_ON_LINE = 4

KEPT = 256
"""Attribute lists whose lines are kept: a picture is looked at many times."""
_LARGE, _DOUBLE = 2, 1
_EARLY_CLOCK = 0x80
_EARLY_SHIFT = 32
_TABLE_LENGTH = 32
_OFF_TOP = 0xE0


@dataclass(frozen=True, slots=True)
class SpriteLine:
    """One sprite's part of one line: `dots` has 256 bits, the leftmost dot the highest."""

    number: int
    color: int
    dots: int


def sprites_on_line(vdp: VDP, line: int) -> list[SpriteLine]:
    """The sprites shown on a line 0–191, the foremost first, at most four."""
    shown = []
    size = _size(vdp.registers[1])
    for number, top in _visible(_attributes(vdp)):
        row = line - top
        if not 0 <= row < size:
            continue
        shown.append(_line_of(vdp, number, row))
        if len(shown) == MAX_ON_LINE:
            break
    return shown


def lines_with_sprites(vdp: VDP) -> list[int]:
    """The lines 0–191 that a sprite lies on, from the top."""
    lines: set[int] = set()
    size = _size(vdp.registers[1])
    for _, top in _visible(_attributes(vdp)):
        lines.update(range(max(top, 0), min(top + size, LINES)))
    return sorted(lines)


def any_overlap(vdp: VDP, first: int = 0) -> bool:
    """Tell whether two sprites share a dot anywhere on the screen, from a line on."""
    for line in _shared_lines(_attributes(vdp), vdp.registers[1]):
        if line < first:
            continue
        seen = 0
        for sprite in sprites_on_line(vdp, line):
            if seen & sprite.dots:
                return True
            seen |= sprite.dots
    return False


def fifth_sprite(vdp: VDP) -> int | None:
    """The number of the first sprite that is not shown because four others are on its line."""
    return _fifth(_attributes(vdp), vdp.registers[1])


@lru_cache(maxsize=KEPT)
def _fifth(attributes: bytes, mode: int) -> int | None:
    visible = [(number, top) for number, top in _visible(attributes) if top < LINES]
    if len(visible) <= MAX_ON_LINE:
        return None
    size = _size(mode)
    for line in range(LINES):
        here = [number for number, top in visible if top <= line < top + size]
        if len(here) > MAX_ON_LINE:
            return here[MAX_ON_LINE]
    return None


@lru_cache(maxsize=KEPT)
def _shared_lines(attributes: bytes, mode: int) -> frozenset[int]:
    """The lines on which the squares of two sprites overlap."""
    size = _size(mode)
    places = _places(attributes, mode)
    corners = [(top, left) for _, top, left, _ in places if -size < top < LINES]
    lines: set[int] = set()
    for (top, left), (other_top, other_left) in combinations(corners, 2):
        if abs(top - other_top) < size and abs(left - other_left) < size:
            first, last = max(top, other_top), min(top, other_top) + size
            lines.update(range(max(first, 0), min(last, LINES)))
    return frozenset(lines)


def sprite_places(vdp: VDP) -> list[tuple[int, int, int, int]]:
    """The sprites up to the end of the list, the foremost first.

    For each: VDP colour, top line (may be negative), left dot, first pattern.
    """
    return _places(_attributes(vdp), vdp.registers[1])


def _places(attributes: bytes, mode: int) -> list[tuple[int, int, int, int]]:
    places = []
    for number, top in _visible(attributes):
        _, x, pattern, attribute = attributes[4 * number : 4 * number + 4]
        left = x - _EARLY_SHIFT if attribute & _EARLY_CLOCK else x
        if mode & _LARGE:
            pattern &= 0xFC
        places.append((attribute & 0x0F, top, left, pattern))
    return places


def _attributes(vdp: VDP) -> bytes:
    return bytes(vdp.ram[SPRITES : SPRITES + 4 * _TABLE_LENGTH])


def _visible(attributes: bytes) -> Iterator[tuple[int, int]]:
    """Sprites up to the end of the list: number, top line (may be negative)."""
    for number in range(_TABLE_LENGTH):
        y = attributes[4 * number]
        if y == END_OF_LIST:
            return
        yield number, (y - 256 if y > _OFF_TOP else y) + 1


def _size(mode: int) -> int:
    """The height of sprites in lines."""
    return (16 if mode & _LARGE else 8) << (mode & _DOUBLE)


def _line_of(vdp: VDP, number: int, row: int) -> SpriteLine:
    at = SPRITES + 4 * number
    _, x, pattern, attribute = vdp.ram[at : at + 4]
    mode = vdp.registers[1]
    if mode & _DOUBLE:
        row //= 2
    if mode & _LARGE:
        start = PATTERNS + 8 * (pattern & 0xFC) + row
        bits, width = vdp.ram[start] << 8 | vdp.ram[start + 16], 16
    else:
        bits, width = vdp.ram[PATTERNS + 8 * pattern + row], 8
    if mode & _DOUBLE:
        bits, width = _doubled(bits), 2 * width
    if attribute & _EARLY_CLOCK:
        x -= _EARLY_SHIFT
    shift = DOTS - x - width
    dots = (bits << shift if shift >= 0 else bits >> -shift) & (1 << DOTS) - 1
    return SpriteLine(number, attribute & 0x0F, dots)


@cache
def _doubled(bits: int) -> int:
    """Every bit twice: 10b becomes 1100b."""
    return sum(3 << 2 * place for place in range(16) if bits >> place & 1)
