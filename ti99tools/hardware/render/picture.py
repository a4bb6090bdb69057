"""Pictures of the screen in each mode of the video processor, as PNG files, and as animated GIFs.

Extended BASIC shows graphics mode 1; machine code may choose text (40 columns), bitmap or
multicolor, other tables, or a dark screen. Source: the TMS9918A data manual.

Pillow is imported only when an image is made.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.codes import RGB
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.hardware.machine.screen import COLUMNS, ROWS, Screen
from ti99tools.hardware.machine.spritedots import DOTS, LINES, lines_with_sprites, sprites_on_line
from ti99tools.hardware.machine.vdp import ADDRESS_MASK, VDP, Snapshot

if TYPE_CHECKING:
    from PIL import Image


BITMAP, SHOWN, TEXT, MULTICOLOR = 0x02, 0x40, 0x10, 0x08
"""Bits of register 0 (bitmap) and of register 1 (the others)."""
TEXT_COLUMNS = 40
TEXT_WIDTH, TEXT_MARGIN = 6, 8
"""Dots of a character in text mode, and of the backdrop on either side."""


def background(vdp: VDP) -> bytearray:
    """VDP colours 1–15 of all dots, 192 lines of 256, without sprites.

    Transparent dots show the backdrop, or black if that is transparent, too.
    """
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


def _cell(vdp: VDP, pattern: int, _row: int, shades: Sequence[int]) -> list[bytes]:
    """Graphics mode 1: eight patterns share a colour."""
    color = vdp.ram[((vdp.registers[3] << 6) + pattern // 8) & ADDRESS_MASK]
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
            dots_of_character = b"".join(_dots(bits, *pair)[:TEXT_WIDTH] for bits in rows)
            dots += margin + dots_of_character + margin
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


BORDER = 16
"""Dots of backdrop around the picture; a television shows about as much."""

_PALETTE = [level for rgb in RGB for level in rgb]


def render(vdp: VDP) -> bytearray:
    """VDP colours 1–15 of all dots, 192 lines of 256; transparent shows as the backdrop.

    A transparent backdrop is black.
    """
    dots = background(vdp)
    if sprites_shown(vdp):
        _draw_sprites(vdp, dots)
    return dots


def _draw_sprites(vdp: VDP, dots: bytearray) -> None:
    for line in lines_with_sprites(vdp):
        # Sprite 0 is in front, so it is drawn last.
        for sprite in reversed(sprites_on_line(vdp, line)):
            if not sprite.color:
                continue
            bits = sprite.dots
            while bits:
                place = bits.bit_length() - 1
                dots[line * DOTS + DOTS - 1 - place] = sprite.color
                bits ^= 1 << place


def image(vdp: VDP, scale: int = 2, border: int = BORDER) -> Image.Image:
    """A picture with `border` dots of backdrop around it, each dot `scale` pixels wide."""
    from PIL import Image

    size = DOTS + 2 * border, LINES + 2 * border
    picture = Image.new("P", size, vdp.backdrop or 1)
    picture.putpalette(_PALETTE)
    inner = Image.frombytes("P", (DOTS, LINES), bytes(render(vdp)))
    picture.paste(inner, (border, border))
    if scale == 1:
        return picture
    return picture.resize((size[0] * scale, size[1] * scale), Image.Resampling.NEAREST)


def png(vdp: VDP, scale: int = 2, border: int = BORDER) -> bytes:
    """The picture as a PNG file's bytes."""
    from io import BytesIO

    data = BytesIO()
    image(vdp, scale, border).save(data, "PNG", optimize=True)
    return data.getvalue()


def save_png(vdp: VDP, path: Path, scale: int, border: int = BORDER) -> None:
    """Write the picture to a file, whole or not at all."""
    write_atomically(path, png(vdp, scale, border))


LARGEST = 64
"""The largest scale and border of a picture, in pixels and dots."""


class Display(Screen):
    """A screen that can be drawn.

    `picture` returns what is seen now.
    """

    __slots__ = ("_picture",)

    def __init__(self, vdp: VDP, picture: Callable[[], Snapshot]) -> None:
        super().__init__(vdp)
        self._picture = picture

    def png(
        self, path: str | os.PathLike[str] | None = None, *, scale: int = 2, border: int = 16
    ) -> bytes:
        """The picture, with sprites, as a PNG file's bytes; written to `path` if one is given.

        Each dot becomes `scale` × `scale` pixels, surrounded by `border` dots of the screen colour.
        Needs Pillow. Raises TIError where `path` cannot be written, and for sizes out of range.
        """
        if not (path is None or isinstance(path, str | os.PathLike)):
            raise TIError(f"{path!r} is not a path", remedy='write png("x.png", scale=2)')
        if not (1 <= scale <= LARGEST and 0 <= border <= LARGEST):
            remedy = f"scale is 1 to {LARGEST}, border 0 to {LARGEST}"
            raise TIError(f"a picture with scale {scale} and border {border}", remedy=remedy)
        data = png(self._picture().vdp(), scale, border)
        if path is not None:
            write_atomically(path, data)
        return data


PIECE = 64
"""Snapshots that are turned into pictures at a time."""
_GIF_TRAILER = b";"


class Animation:
    """A GIF that is written while its snapshots come, so that only some are in memory.

    Pillow writes the difference between one picture and the next. It is given `PIECE` snapshots at
    a time, with the last picture of the previous ones in front, which is cut off again.
    """

    def __init__(self, scale: int = 1) -> None:
        self._scale = scale
        self._snapshots: list[tuple[Snapshot, int]] = []
        self._pictures: list[tuple[Image.Image, int]] = []
        self._before: Image.Image | None = None
        self._data = bytearray()

    @property
    def empty(self) -> bool:
        """Tell whether nothing was added."""
        return not self._snapshots

    def add(self, snapshot: Snapshot, milliseconds: int) -> None:
        """Show a snapshot for `milliseconds`; one equal to the previous prolongs that."""
        if self._snapshots and self._snapshots[-1][0] == snapshot:
            self._snapshots[-1] = snapshot, self._snapshots[-1][1] + milliseconds
            return
        if len(self._snapshots) > PIECE:
            last = self._snapshots.pop()
            self._draw()
            self._snapshots = [last]
            # The last picture is not written yet: later snapshots may look like it and prolong it.
            if len(self._pictures) > 2:
                last_drawn = self._pictures.pop()
                self._write()
                self._pictures = [last_drawn]
        self._snapshots.append((snapshot, milliseconds))

    def data(self) -> bytes:
        """The file's bytes; nothing can be added afterwards. Raises ValueError if nothing was."""
        self._draw()
        if not self._pictures:
            raise ValueError("an animation needs at least one snapshot")
        self._write()
        return bytes(self._data) + _GIF_TRAILER

    def _draw(self) -> None:
        """Make pictures of the snapshots, joining those that look alike."""
        for snapshot, milliseconds in self._snapshots:
            picture = image(snapshot.vdp(), self._scale)
            # Browsers slow down frames shorter than 20 ms.
            duration = max(20, milliseconds)
            if self._pictures and self._pictures[-1][0].tobytes() == picture.tobytes():
                self._pictures[-1] = self._pictures[-1][0], self._pictures[-1][1] + duration
            else:
                self._pictures.append((picture, duration))
        self._snapshots = []

    def _write(self) -> None:
        """Append the pictures to the file."""
        from io import BytesIO

        first = [] if self._before is None else [(self._before, 0)]
        pictures = [*first, *self._pictures]
        data = BytesIO()
        pictures[0][0].save(
            data,
            "GIF",
            save_all=True,
            append_images=[picture for picture, _ in pictures[1:]],
            duration=[milliseconds for _, milliseconds in pictures],
            # Disposal 1 leaves the picture in place, so that the next one stores only what changed.
            disposal=1,
            optimize=False,
            loop=0,
        )
        piece = data.getvalue().removesuffix(_GIF_TRAILER)
        self._data += piece[_after_first_picture(piece) if first else 0 :]
        self._before = pictures[-1][0]


def _after_first_picture(gif: bytes) -> int:
    """The offset after the first picture of a GIF, where what belongs to the second begins.

    After the header (13 bytes) and its colours there are extensions (21h and a label) and pictures
    (2Ch, 8 bytes of place, a byte of flags, their colours, and a byte for the width of the codes).
    Bit 7 of the flags announces 2 to the power of (bits 0 to 2, plus 1) colours of three bytes. The
    rest of both are blocks that begin with their length, up to one of length 0.
    """
    at = 13 + _colors(gif[10])
    while True:
        picture = gif[at] == 0x2C
        at += 11 + _colors(gif[at + 9]) if picture else 2
        while gif[at]:
            at += 1 + gif[at]
        at += 1
        if picture:
            return at


def _colors(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0
