"""A sight: what a player can see of a machine.

A sight is the screen cell by cell as dots and colours, and the sprites. Two machines look alike
when their sights are equal, whatever else is in VDP memory: characters that are nowhere on the
screen, colours of sets that are not shown, sprites off the screen. Extended BASIC's layout of VDP
memory is assumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ti99tools.base.record import Record, field
from ti99tools.hardware.machine.screen import BLANK, COLUMNS, CURSOR
from ti99tools.hardware.machine.spritedots import END_OF_LIST
from ti99tools.hardware.machine.vdp import (
    COLORS,
    MOTION,
    OFFSET,
    SCREEN,
    SCREEN_SIZE,
    SPRITE_COUNT,
    SPRITES,
)

LIT, UNLIT = CURSOR + OFFSET, BLANK + OFFSET
"""What a cell of the screen holds while the cursor is there and visible, and while it is not."""
BELOW = 191
"""The row from which a sprite is off the screen, until it comes in again at the top: sprites are
shown one line below their row.
"""


class Blinking(Record):
    """What a game keeps changing even while it waits for a key.

    `cells`: areas as row, column (from 1), height, width. `sprites` and `characters`: numbers of
    those whose position or looks change.
    """

    cells: tuple[tuple[int, int, int, int], ...] = ()
    sprites: tuple[int, ...] = ()
    characters: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.cells or self.sprites or self.characters)


NO_BLINKING = Blinking()


class SeenCell(Record):
    """A cell of the screen: eight rows of dots, their colour and the background's.

    Cells that look the same are equal: one without dots, or in a single colour, is a plain area.
    """

    dots: bytes
    ink: int
    paper: int


class SeenSprite(Record):
    """A sprite: its number, dots, colour, size, and its position unless it is in motion."""

    number: int
    dots: bytes
    color: int
    size: int
    place: tuple[int, int] | None

    def __str__(self) -> str:
        place = "moving" if self.place is None else "at {}, {}".format(*self.place)
        return f"{self.dots.hex()} in colour {self.color + 1}, {place}"


class Sight(Record):
    """What is seen at a moment, with None for whatever blinks.

    `mode` has the bits of registers 0 and 1 that choose it; only in `GRAPHICS` do cells show what
    is seen. `text`: the rows as characters, for people; it is not compared.
    """

    cells: tuple[SeenCell | None, ...]
    sprites: tuple[SeenSprite, ...]
    backdrop: int
    mode: int
    text: tuple[str, ...] = field(compare=False)


_ZERO, _ONE = 0x02, 0x58
"""Bits of registers 0 and 1 that choose the mode: bitmap; shown, text, multicolor."""
GRAPHICS = 0x40
MODES = {GRAPHICS: "graphics mode", GRAPHICS | _ZERO: "bitmap mode", 0x50: "text mode"}
"""The modes that have a name here."""


def mode_named(mode: int) -> str:
    """A mode in words."""
    return MODES.get(mode, f"mode >{mode:02X}" if mode & GRAPHICS else "switched off")


def sight_of(
    ram: bytes | bytearray, registers: bytes | bytearray, blinking: Blinking = NO_BLINKING
) -> Sight:
    """The sight that VDP memory and registers show. A cursor counts as a space."""
    backdrop = registers[7] & 0x0F
    names = bytes(ram[SCREEN : SCREEN + SCREEN_SIZE]).replace(bytes((LIT,)), bytes((UNLIT,)))
    hidden = {(code + OFFSET) & 0xFF for code in blinking.characters}
    looks = {
        name: None
        if name in hidden
        else _cell(bytes(ram[8 * name : 8 * name + 8]), ram[COLORS + name // 8], backdrop)
        for name in set(names)
    }
    cells = [looks[name] for name in names]
    for row, column, height, width in blinking.cells:
        for top in range(row - 1, row - 1 + height):
            at = COLUMNS * top + column - 1
            cells[at : at + width] = [None] * width
    text = rows_of_screen(names)
    mode = registers[0] & _ZERO | registers[1] & _ONE
    return Sight(tuple(cells), tuple(_sprites(ram, registers, blinking)), backdrop, mode, text)


def rows_of_screen(names: bytes) -> tuple[str, ...]:
    """The 24 rows of screen memory as characters."""
    rows = (names[at : at + COLUMNS] for at in range(0, SCREEN_SIZE, COLUMNS))
    return tuple("".join(chr((name - OFFSET) & 0xFF) for name in row) for row in rows)


@lru_cache(maxsize=4096)
def _cell(dots: bytes, colors: int, backdrop: int) -> SeenCell:
    # Colour 0 is transparent: the backdrop shows.
    ink, paper = colors >> 4 or backdrop, colors & 0x0F or backdrop
    if ink == paper or not any(dots):
        return SeenCell(bytes(8), paper, paper)
    if set(dots) == {0xFF}:
        return SeenCell(bytes(8), ink, ink)
    return SeenCell(dots, ink, paper)


def _sprites(
    ram: bytes | bytearray, registers: bytes | bytearray, blinking: Blinking
) -> Iterator[SeenSprite]:
    """The visible sprites."""
    double, magnified = registers[1] & 2, registers[1] & 1
    for number in range(SPRITE_COUNT):
        at = SPRITES + 4 * number
        row, column, name, color = ram[at : at + 4]
        # The VDP stops at this row: sprites after it are not shown.
        if row == END_OF_LIST:
            return
        moves = any(ram[MOTION + 4 * number : MOTION + 4 * number + 2])
        # Double-size sprites use four characters, starting at a multiple of four.
        dots = bytes(ram[8 * (name & 0xFC) :][:32] if double else ram[8 * name :][:8])
        size = (16 if double else 8) * (1 + magnified)
        # The early clock bit moves a sprite 32 dots to the left.
        left = column - 32 * (color >> 7)
        off = (BELOW <= row < 256 - size or left <= -size) and not moves
        if off or not color & 0x0F or not any(dots) or number + 1 in blinking.sprites:
            continue
        place = None if moves else (row, left)
        yield SeenSprite(number + 1, dots, color & 0x0F, size, place)
