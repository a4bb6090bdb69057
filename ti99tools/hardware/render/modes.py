"""The video processor's background in each of its modes, as its registers say.

Extended BASIC shows graphics mode 1; machine code may choose text (40 columns), bitmap or
multicolor, other tables, or a dark screen. Source: the TMS9918A data manual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ti99tools.hardware.machine.spritedots import DOTS, LINES
from ti99tools.hardware.machine.vdp import VDP

BITMAP, SHOWN, TEXT, MULTICOLOR = 0x02, 0x40, 0x10, 0x08
"""Bits of register 0 (bitmap) and of register 1 (the others)."""
COLUMNS, ROWS, TEXT_COLUMNS = 32, 24, 40
TEXT_WIDTH, TEXT_MARGIN = 6, 8
"""Dots of a character in text mode, and of the backdrop on either side."""
_MEMORY = 0x3FFF


def background(vdp: VDP) -> bytearray:
    """VDP colours 1–15 of all dots, 192 lines of 256, sprites aside.

    Transparent shows as the backdrop, which is black where it is transparent itself.
    """
    # Colour 0 is transparent: it shows the backdrop, or black if that is transparent too.
    shades = [vdp.backdrop or 1, *range(1, 16)]
    zero, one = vdp.registers[:2]
    if not one & SHOWN:
        return bytearray(bytes((shades[0],)) * (DOTS * LINES))
    if one & TEXT:
        return _text(vdp, shades)
    if zero & BITMAP:
        return _rows(vdp, shades, _bitmap_cell)
    return _rows(vdp, shades, _multicolor_cell if one & MULTICOLOR else _cell)


def sprites_shown(vdp: VDP) -> bool:
    """Tell whether the mode has sprites."""
    return vdp.registers[1] & (SHOWN | TEXT) == SHOWN


Cell = Callable[[VDP, int, int, Sequence[int]], list[bytes]]
"""The eight lines of a place: from its pattern, its row on the screen, the shades."""


def _names(vdp: VDP, columns: int) -> Iterator[bytearray]:
    start = (vdp.registers[2] & 0x0F) << 10
    for row in range(ROWS):
        yield vdp.ram[start + columns * row : start + columns * (row + 1)]


def _rows(vdp: VDP, shades: Sequence[int], cell: Cell) -> bytearray:
    cells: dict[tuple[int, int], list[bytes]] = {}
    # Only bitmap and multicolor cells depend on the row.
    repeats = 1 if cell is _cell else ROWS
    dots = bytearray()
    for row, patterns in enumerate(_names(vdp, COLUMNS)):
        part = row % repeats
        for pattern in patterns:
            if (pattern, part) not in cells:
                cells[pattern, part] = cell(vdp, pattern, part, shades)
        for line in zip(*(cells[pattern, part] for pattern in patterns), strict=True):
            dots += b"".join(line)
    return dots


def _cell(vdp: VDP, pattern: int, row: int, shades: Sequence[int]) -> list[bytes]:
    """Graphics mode 1: eight patterns share a colour."""
    color = vdp.ram[((vdp.registers[3] << 6) + pattern // 8) & _MEMORY]
    at = _patterns(vdp) + 8 * pattern
    return [_dots(bits, *_pair(color, shades)) for bits in vdp.ram[at : at + 8]]


def _bitmap_cell(vdp: VDP, pattern: int, row: int, shades: Sequence[int]) -> list[bytes]:
    """Bitmap mode: each line of a pattern has its own colours, each third of the screen its own
    patterns.
    """
    four, three = vdp.registers[4], vdp.registers[3]
    at = (row // 8 << 11) + 8 * pattern
    # Registers 3 and 4 are a base and a mask in bitmap mode; unset mask bits fold the tables.
    patterns = ((four & 4) << 11) + (at & ((four & 3) << 11 | 0x7FF))
    colors = ((three & 0x80) << 6) + (at & ((three & 0x7F) << 6 | 0x3F))
    lines = zip(vdp.ram[patterns : patterns + 8], vdp.ram[colors : colors + 8], strict=True)
    return [_dots(bits, *_pair(color, shades)) for bits, color in lines]


def _multicolor_cell(vdp: VDP, pattern: int, row: int, shades: Sequence[int]) -> list[bytes]:
    """Four blocks of 4 × 4 dots: two bytes of a pattern, which two by the row."""
    at = _patterns(vdp) + 8 * pattern + 2 * (row % 4)
    lines = []
    for color in vdp.ram[at : at + 2]:
        right, left = _pair(color, shades)
        lines += [bytes((left,)) * 4 + bytes((right,)) * 4] * 4
    return lines


def _text(vdp: VDP, shades: Sequence[int]) -> bytearray:
    pair = _pair(vdp.registers[7], shades)
    margin = bytes((shades[0],)) * TEXT_MARGIN
    start, dots = _patterns(vdp), bytearray()
    for patterns in _names(vdp, TEXT_COLUMNS):
        for line in range(8):
            rows = (vdp.ram[start + 8 * pattern + line] for pattern in patterns)
            # A text character is six dots wide: the left ones of its pattern.
            shown = b"".join(_dots(bits, *pair)[:TEXT_WIDTH] for bits in rows)
            dots += margin + shown + margin
    return dots


def _patterns(vdp: VDP) -> int:
    return (vdp.registers[4] & 7) << 11


def _pair(color: int, shades: Sequence[int]) -> tuple[int, int]:
    """Background and foreground."""
    return shades[color & 0x0F], shades[color >> 4]


@cache
def _dots(bits: int, background: int, foreground: int) -> bytes:
    """The eight dots of one byte of a pattern."""
    pair = background, foreground
    return bytes(pair[bits >> bit & 1] for bit in range(7, -1, -1))
