"""The screen as text: letters alone, or drawings with two characters a cell.

With one character a cell, for terminals and reports: a cell with a standard character's pattern
shows that character, whatever its code; a letter that the program has drawn shows that letter
(`letters`). Another pattern shows the block or line-drawing character that differs in the fewest
dots. Sprites cover the cells that they overlap most.

With two characters a cell: a cell that shows a letter shows that letter. In other cells each
character holds two by four dots of the half-size picture (braille patterns); of the two commonest
colours the rarer one is drawn as dots on the other. So dice, boards and sprites are recognisable in
a terminal.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

from ti99tools.base.basic import CELL
from ti99tools.base.codes import RGB
from ti99tools.base.record import Record
from ti99tools.hardware.machine.screen import COLUMNS, ROWS
from ti99tools.hardware.machine.spritedots import DOTS, sprite_places
from ti99tools.hardware.machine.vdp import COLORS, OFFSET, PATTERNS, SCREEN, VDP, standard_pattern
from ti99tools.hardware.render.letters import ALL_DOTS, letter_of
from ti99tools.hardware.render.picture import render

_TOO_FAR = 20
_CLOSE = 4
"""A pattern that differs from a character in no more dots counts as that character."""
_SHADES = " ░▒▓█"
_KEPT = 4096
"""Patterns whose characters are cached; a program may draw any number of them."""


class TextCell(Record):
    """A character and its VDP colours 1–15, transparency resolved."""

    character: str
    foreground: int
    background: int


def text(vdp: VDP) -> str:
    """24 lines of 32 characters."""
    return "\n".join("".join(cell.character for cell in row) for row in cells(vdp))


def cells(vdp: VDP) -> list[list[TextCell]]:
    """24 rows of 32 cells."""
    backdrop = vdp.backdrop or 1
    rows = []
    for row in range(ROWS):
        patterns = vdp.ram[SCREEN + COLUMNS * row : SCREEN + COLUMNS * (row + 1)]
        rows.append([_cell(vdp, pattern, backdrop) for pattern in patterns])
    # The foremost sprite comes last, over the others.
    for color, top, left, pattern in reversed(sprite_places(vdp)):
        row, column = (
            (top + CELL // 2) // CELL,
            (left + CELL // 2) // CELL,
        )
        if color and 0 <= row < ROWS and 0 <= column < COLUMNS:
            glyph = glyph_of(_bits(vdp, pattern))
            if glyph != " ":
                rows[row][column] = TextCell(glyph, color, rows[row][column].background)
    return rows


def _cell(vdp: VDP, pattern: int, backdrop: int) -> TextCell:
    color = vdp.ram[COLORS + pattern // 8]
    bits = _bits(vdp, pattern)
    glyph = _letter_in(bits, pattern) or glyph_of(bits)
    return TextCell(glyph, color >> 4 or backdrop, color & 0x0F or backdrop)


def _letter_in(bits: int, pattern: int) -> str | None:
    """The character that a pattern is or means; None for drawings."""
    return standard_glyph(bits) or letter_of(bits, pattern - OFFSET & 0xFF)


def _bits(vdp: VDP, pattern: int) -> int:
    at = PATTERNS + CELL * pattern
    return int.from_bytes(vdp.ram[at : at + CELL], "big")


@lru_cache(maxsize=_KEPT)
def glyph_of(bits: int) -> str:
    """The character that best shows an 8×8 pattern (64 bits, the top left dot highest)."""
    standard = standard_glyph(bits)
    if standard is not None:
        return standard
    distance, glyph = _nearest(bits)
    if distance <= _TOO_FAR:
        return glyph
    # Nothing fits: a shade of grey by the number of dots.
    return _SHADES[(bits.bit_count() * 4 + 32) // 64]


def is_drawing(bits: int) -> bool:
    """Tell whether no block or line-drawing character looks like an 8×8 pattern."""
    return standard_glyph(bits) is None and _nearest(bits)[0] > _CLOSE


@lru_cache(maxsize=_KEPT)
def _nearest(bits: int) -> tuple[int, str]:
    """The smallest number of dots by which a character differs, and that character."""
    return min(((bits ^ shape).bit_count(), glyph) for shape, glyph in _shapes())


def standard_glyph(bits: int) -> str | None:
    """The character whose standard pattern this is; None for drawings."""
    return _standard_glyphs().get(bits)


@cache
def _standard_glyphs() -> dict[int, str]:
    # Downwards, so that of characters with the same pattern the lowest code wins.
    glyphs = {
        int.from_bytes(standard_pattern(code), "big"): chr(code) for code in range(126, 31, -1)
    }
    return {**glyphs, 0: " ", int.from_bytes(standard_pattern(30), "big"): "█"}


@cache
def _shapes() -> tuple[tuple[int, str], ...]:
    """Dots and the character that shows them: quadrants, eighths, lines of one or two dots."""
    shapes = [(_quadrants(n), glyph) for n, glyph in enumerate(" ▗▖▄▝▐▞▟▘▚▌▙▀▜▛█")]
    for eighths, glyph in enumerate("▁▂▃▄▅▆▇", start=1):
        shapes.append((_box(CELL - eighths, CELL, 0, CELL), glyph))
    for eighths, glyph in enumerate("▏▎▍▌▋▊▉", start=1):
        shapes.append((_box(0, CELL, 0, eighths), glyph))
    shapes += [
        (_box(0, 1, 0, CELL), "▔"),
        (_box(0, CELL, 7, CELL), "▕"),
    ]
    for arms, glyph in _LINES.items():
        for thickness, row, column in _CENTRES:
            shapes.append((_arms(arms, thickness, row, column), glyph))
    backslash = sum(1 << (CELL * row + row) for row in range(CELL))
    slash = sum(1 << (CELL * row + 7 - row) for row in range(CELL))
    frame = ALL_DOTS ^ _box(1, 7, 1, 7)
    disc = _box(1, 7, 0, CELL) | _box(0, CELL, 1, 7)
    small_disc = _box(2, 6, 1, 7) | _box(1, 7, 2, 6)
    ring = disc ^ small_disc
    dot = _box(2, 6, 2, 6)
    shapes += [(slash, "╱"), (backslash, "╲"), (slash | backslash, "╳")]
    shapes += [(frame, "□"), (ring, "○"), (disc, "●"), (small_disc, "●"), (dot, "▪")]
    shapes.append((_box(3, 5, 3, 5), "·"))
    return tuple(shapes)


_CENTRES = ((1, 3, 3), (1, 3, 4), (1, 4, 3), (1, 4, 4), (2, 3, 3))
"""Thickness of lines in dots, and the row and column of dots where they meet."""

_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_LINES = {
    _LEFT | _RIGHT: "─",
    _UP | _DOWN: "│",
    _RIGHT | _DOWN: "┌",
    _LEFT | _DOWN: "┐",
    _UP | _RIGHT: "└",
    _UP | _LEFT: "┘",
    _UP | _RIGHT | _DOWN: "├",
    _UP | _LEFT | _DOWN: "┤",
    _LEFT | _RIGHT | _DOWN: "┬",
    _UP | _LEFT | _RIGHT: "┴",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
}


def _box(top: int, bottom: int, left: int, right: int) -> int:
    """A filled rectangle; bounds as in slices."""
    line = (1 << (CELL - left)) - (1 << (CELL - right))
    return sum(line << CELL * (CELL - 1 - row) for row in range(top, bottom))


def _quadrants(which: int) -> int:
    """Quarter blocks: bit 3 top left, 2 top right, 1 bottom left, 0 bottom right."""
    quarters = (_box(4, 8, 4, 8), _box(4, 8, 0, 4), _box(0, 4, 4, 8), _box(0, 4, 0, 4))
    return sum(quarter for bit, quarter in enumerate(quarters) if which >> bit & 1)


def _arms(which: int, thickness: int, row: int, column: int) -> int:
    """Lines from the edges to the middle, `thickness` dots from dot (`row`, `column`) on."""
    end_row, end_column = row + thickness, column + thickness
    shape = 0
    if which & _UP:
        shape |= _box(0, end_row, column, end_column)
    if which & _DOWN:
        shape |= _box(row, CELL, column, end_column)
    if which & _LEFT:
        shape |= _box(row, end_row, 0, end_column)
    if which & _RIGHT:
        shape |= _box(row, end_row, column, CELL)
    return shape


WIDTH = 2 * COLUMNS
"""Characters of a row."""
_CELL_DOTS, _HALF, _FULL = 8, 4, 4
_BRAILLE = 0x2800
"""The first of Unicode's braille patterns; their dots are bits."""
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille pattern, by row and column of its dots."""
_BLOCKS_KEPT = 8192
"""Blocks that are cached; a program may draw any number of them."""


def mosaic(vdp: VDP, plain: bool = False) -> list[list[TextCell]]:
    """24 rows of 64 cells, each of one character; `plain` for a terminal without colours."""
    dots = bytes(render(vdp))
    backdrop = vdp.backdrop or 1
    rows = []
    for row in range(ROWS):
        lines = [dots[at : at + DOTS] for at in _starts(row)]
        cells: list[TextCell] = []
        for column in range(COLUMNS):
            left = _CELL_DOTS * column
            block = b"".join(line[left : left + _CELL_DOTS] for line in lines)
            cells += _cells(vdp, vdp.ram[SCREEN + COLUMNS * row + column], backdrop, block, plain)
        rows.append(cells)
    return rows


def has_drawings(vdp: VDP) -> bool:
    """Tell whether the screen shows something that one character a cell cannot."""
    cells = {*vdp.ram[SCREEN : SCREEN + ROWS * COLUMNS]}
    drawn = {pattern for pattern in cells if _letter_in(_bits(vdp, pattern), pattern) is None}
    drawn |= {pattern for color, _, _, pattern in sprite_places(vdp) if color}
    return any(is_drawing(_bits(vdp, pattern)) for pattern in drawn)


def _starts(row: int) -> range:
    first = row * _CELL_DOTS * DOTS
    return range(first, first + _CELL_DOTS * DOTS, DOTS)


def _cells(
    vdp: VDP, pattern: int, backdrop: int, block: bytes, plain: bool
) -> tuple[TextCell, TextCell]:
    """The two characters of a cell that shows these 64 dots."""
    color = vdp.ram[COLORS + pattern // 8]
    ink, paper = color >> 4 or backdrop, color & 0x0F or backdrop
    letter = _letter(_bits(vdp, pattern), pattern, ink, paper, block)
    return letter or _drawn(block, plain)


@lru_cache(maxsize=_BLOCKS_KEPT)
def _letter(
    bits: int, pattern: int, ink: int, paper: int, block: bytes
) -> tuple[TextCell, TextCell] | None:
    """A letter and a space, if the dots are those of a letter and nothing covers them."""
    glyph = _letter_in(bits, pattern)
    # A sprite over the cell, or a colour that hides the pattern: then it is drawn, not named.
    if glyph is None or block != bytes((paper, ink)[bits >> bit & 1] for bit in range(63, -1, -1)):
        return None
    return TextCell(glyph, ink, paper), TextCell(glyph if glyph == "█" else " ", ink, paper)


@lru_cache(maxsize=_BLOCKS_KEPT)
def _drawn(block: bytes, plain: bool) -> tuple[TextCell, TextCell]:
    """64 dots at half size, as two braille patterns; on the darker colour if `plain`."""
    common = Counter(block).most_common(2)
    paper, ink = common[0][0], common[-1][0]
    # Terminals show dots in the text colour, which is bright on dark.
    if plain and _bright(paper) > _bright(ink):
        paper, ink = ink, paper
    grid = _halved(tuple(color != paper for color in block))
    left, right = (_pattern(grid, 2 * half) for half in range(2))
    if paper == ink:
        left = right = "█" if plain and _bright(paper) else " "
    return TextCell(left, ink, paper), TextCell(right, ink, paper)


def _bright(color: int) -> int:
    return sum(RGB[color])


def _halved(dots: tuple[bool, ...]) -> list[list[bool]]:
    """Four by four dots from eight by eight: two of four suffice if no neighbour has all."""
    many = [
        [
            sum(int(dots[_CELL_DOTS * y + x]) for y in (row, row + 1) for x in (column, column + 1))
            for column in range(0, _CELL_DOTS, 2)
        ]
        for row in range(0, _CELL_DOTS, 2)
    ]

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


def _pattern(grid: list[list[bool]], left: int) -> str:
    """The braille pattern of the two by four dots from column `left` on."""
    code = sum(
        bit * grid[row][left + column]
        for row, bits in enumerate(_BITS)
        for column, bit in enumerate(bits)
    )
    return chr(_BRAILLE + code) if code else " "
