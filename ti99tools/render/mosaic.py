"""The screen as text with two characters a cell: letters, and drawings as they are, at half size.

A cell that shows a letter shows that letter. In other cells each character holds two by four dots
of the half-size picture (braille patterns): the rarer of the two commonest colours is dots on the
other. So dice, boards and sprites can be told in a terminal.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from ti99tools.base.colors import RGB
from ti99tools.machine.screen import COLUMNS, ROWS
from ti99tools.machine.spritedots import DOTS, sprite_places
from ti99tools.machine.vdp import COLORS, OFFSET, PATTERNS, SCREEN, VDP
from ti99tools.render.picture import render
from ti99tools.render.textpicture import Cell, is_drawing, standard_glyph

WIDTH = 2 * COLUMNS
"""Characters of a row."""
_SIZE, _HALF, _FULL = 8, 4, 4
_FONT_DOTS = 28
"""A letter or digit of a font of its own has no more dots; a drawing under its code has more."""
_BRAILLE = 0x2800
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille pattern, by row and column of its dots."""
_KEPT = 8192
"""Blocks that are remembered; a program may draw any number of them."""


def mosaic(vdp: VDP, plain: bool = False) -> list[list[Cell]]:
    """24 rows of 64 cells, each of one character; `plain` for a terminal without colours."""
    dots = bytes(render(vdp))
    backdrop = vdp.backdrop or 1
    rows = []
    for row in range(ROWS):
        lines = [dots[at : at + DOTS] for at in _starts(row)]
        cells: list[Cell] = []
        for column in range(COLUMNS):
            left = _SIZE * column
            block = b"".join(line[left : left + _SIZE] for line in lines)
            cells += _cells(vdp, vdp.ram[SCREEN + COLUMNS * row + column], backdrop, block, plain)
        rows.append(cells)
    return rows


def has_drawings(vdp: VDP) -> bool:
    """Tell whether there is something on the screen that one character a cell cannot show."""
    patterns = {*vdp.ram[SCREEN : SCREEN + ROWS * COLUMNS]}
    patterns |= {pattern for color, _, _, pattern in sprite_places(vdp) if color}
    return any(is_drawing(_bits(vdp, pattern)) for pattern in patterns)


def _bits(vdp: VDP, pattern: int) -> int:
    at = PATTERNS + _SIZE * pattern
    return int.from_bytes(vdp.ram[at : at + _SIZE], "big")


def _starts(row: int) -> range:
    first = row * _SIZE * DOTS
    return range(first, first + _SIZE * DOTS, DOTS)


def _cells(vdp: VDP, pattern: int, backdrop: int, block: bytes, plain: bool) -> tuple[Cell, Cell]:
    """The two characters of a cell that shows these 64 dots."""
    color = vdp.ram[COLORS + pattern // 8]
    ink, paper = color >> 4 or backdrop, color & 0x0F or backdrop
    letter = _letter(_bits(vdp, pattern), pattern, ink, paper, block)
    return letter or _drawn(block, plain)


@lru_cache(maxsize=_KEPT)
def _letter(
    bits: int, pattern: int, ink: int, paper: int, block: bytes
) -> tuple[Cell, Cell] | None:
    """A letter and a blank, where the dots are those of a letter and nothing lies over them."""
    glyph = standard_glyph(bits)
    if glyph is None:
        meant = chr(pattern - OFFSET & 0xFF)
        if not (meant.isascii() and meant.isalnum() and 0 < bits.bit_count() <= _FONT_DOTS):
            return None
        glyph = meant
    if block != bytes((paper, ink)[bits >> bit & 1] for bit in range(63, -1, -1)):
        return None
    return Cell(glyph, ink, paper), Cell(glyph if glyph == "█" else " ", ink, paper)


@lru_cache(maxsize=_KEPT)
def _drawn(block: bytes, plain: bool) -> tuple[Cell, Cell]:
    """64 dots at half size, as two braille patterns; on the darker colour if `plain`."""
    common = Counter(block).most_common(2)
    paper, ink = common[0][0], common[-1][0]
    if plain and _bright(paper) > _bright(ink):
        paper, ink = ink, paper
    shown = _halved(tuple(color != paper for color in block))
    left, right = (_pattern(shown, 2 * half) for half in range(2))
    if paper == ink:
        left = right = "█" if plain and _bright(paper) else " "
    return Cell(left, ink, paper), Cell(right, ink, paper)


def _bright(color: int) -> int:
    return sum(RGB[color])


def _halved(dots: tuple[bool, ...]) -> list[list[bool]]:
    """Four by four dots of eight by eight: two of four will do where none beside has all."""
    many = [
        [sum(int(dots[_SIZE * y + x]) for y in (row, row + 1) for x in (column, column + 1))
         for column in range(0, _SIZE, 2)]
        for row in range(0, _SIZE, 2)
    ]  # fmt: skip

    def beside(row: int, column: int) -> int:
        places = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return max(many[y][x] for y, x in places if 0 <= y < _HALF and 0 <= x < _HALF)

    return [
        [
            count > 2 or (count == 2 and beside(row, column) < _FULL)
            for column, count in enumerate(line)
        ]
        for row, line in enumerate(many)
    ]


def _pattern(shown: list[list[bool]], left: int) -> str:
    """The braille pattern of the two by four dots from column `left` on."""
    code = sum(
        bit * shown[row][left + column]
        for row, bits in enumerate(_BITS)
        for column, bit in enumerate(bits)
    )
    return chr(_BRAILLE + code) if code else " "
