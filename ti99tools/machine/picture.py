"""Pictures of the screen: PNG, animated GIF, and text for terminals.

A `Snapshot` is what the video processor shows at a moment; everything here works on snapshots, so
that a running machine can be recorded cheaply and drawn later. Pillow is imported only when an
image is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.colors import RGB
from ti99tools.base.hostio import write_atomically
from ti99tools.machine.screen import COLUMNS, ROWS
from ti99tools.machine.spritedots import DOTS, LINES, lines_with_sprites, sprites_on_line
from ti99tools.machine.vdp import COLORS, PATTERNS, SCREEN, VDP

if TYPE_CHECKING:
    from PIL import Image

BORDER = 16
"""Dots of backdrop around the picture (the television shows about as much)."""

PIECE = 64
"""Snapshots of an animation that become pictures at a time."""
_GIF_TRAILER = b";"

_PALETTE = [level for rgb in RGB for level in rgb]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Video RAM and registers at one moment."""

    ram: bytes
    registers: bytes

    @classmethod
    def of(cls, vdp: VDP) -> Snapshot:
        """Copy what is shown now; sync the sprites first."""
        return cls(bytes(vdp.ram), bytes(vdp.registers))

    def vdp(self) -> VDP:
        """A video processor in that state."""
        vdp = VDP()
        vdp.ram[:] = self.ram
        vdp.registers[:] = self.registers
        return vdp


def render(vdp: VDP) -> bytearray:
    """VDP colours 1–15 of all dots, 192 lines of 256; transparent shows as the backdrop.

    A transparent backdrop is black.
    """
    backdrop = vdp.backdrop or 1
    shades = [backdrop, *range(1, 16)]
    cells: dict[int, list[bytes]] = {}
    dots = bytearray()
    for row in range(SCREEN, SCREEN + ROWS * COLUMNS, COLUMNS):
        patterns = vdp.ram[row : row + COLUMNS]
        for pattern in patterns:
            if pattern not in cells:
                cells[pattern] = _cell(vdp, pattern, shades)
        for line in zip(*(cells[pattern] for pattern in patterns), strict=True):
            dots += b"".join(line)
    _draw_sprites(vdp, dots)
    return dots


def _cell(vdp: VDP, pattern: int, shades: Sequence[int]) -> list[bytes]:
    """The eight lines of one character in its colours."""
    color = vdp.ram[COLORS + pattern // 8]
    pair = shades[color & 0x0F], shades[color >> 4]
    rows = vdp.ram[PATTERNS + 8 * pattern : PATTERNS + 8 * pattern + 8]
    return [_dots(row, *pair) for row in rows]


@cache
def _dots(bits: int, background: int, foreground: int) -> bytes:
    """The eight dots of one byte of a pattern."""
    pair = background, foreground
    return bytes(pair[bits >> bit & 1] for bit in range(7, -1, -1))


def _draw_sprites(vdp: VDP, dots: bytearray) -> None:
    for line in lines_with_sprites(vdp):
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


def save_png(vdp: VDP, path: Path, scale: int = 2, border: int = BORDER) -> None:
    """Write the picture to a file, whole or not at all."""
    write_atomically(path, png(vdp, scale, border))


class Animation:
    """A GIF that is made as its snapshots come, so that only some of them are held.

    Pillow writes what differs between one picture and the next. `PIECE` snapshots at a time are
    handed to it, with the last picture of those before in front, which is cut off again.
    """

    def __init__(self, scale: int = 1, border: int = BORDER, loop: bool = True) -> None:
        self._scale, self._border, self._loop = scale, border, loop
        self._snapshots: list[tuple[Snapshot, int]] = []
        self._pictures: list[tuple[Image.Image, int]] = []
        self._before: Image.Image | None = None
        self._data = bytearray()

    @property
    def empty(self) -> bool:
        """Whether nothing was added."""
        return not self._snapshots

    def add(self, snapshot: Snapshot, milliseconds: int) -> None:
        """Show a snapshot for so long; one equal to that before is shown on."""
        if self._snapshots and self._snapshots[-1][0] == snapshot:
            self._snapshots[-1] = snapshot, self._snapshots[-1][1] + milliseconds
            return
        if len(self._snapshots) > PIECE:
            last = self._snapshots.pop()
            self._draw()
            self._snapshots = [last]
            if len(self._pictures) > 2:
                last_drawn = self._pictures.pop()
                self._write()
                self._pictures = [last_drawn]
        self._snapshots.append((snapshot, milliseconds))

    def data(self) -> bytes:
        """The file's bytes; nothing can be added then. Raises ValueError if nothing was."""
        self._draw()
        if not self._pictures:
            raise ValueError("an animation needs at least one snapshot")
        self._write()
        return bytes(self._data) + _GIF_TRAILER

    def _draw(self) -> None:
        """Make pictures of the snapshots, joining those that look alike."""
        for snapshot, milliseconds in self._snapshots:
            picture = image(snapshot.vdp(), self._scale, self._border)
            shown = max(20, milliseconds)
            if self._pictures and self._pictures[-1][0].tobytes() == picture.tobytes():
                self._pictures[-1] = self._pictures[-1][0], self._pictures[-1][1] + shown
            else:
                self._pictures.append((picture, shown))
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
            disposal=1,
            optimize=False,
            **({"loop": 0} if self._loop else {}),
        )
        piece = data.getvalue().removesuffix(_GIF_TRAILER)
        self._data += piece[_behind_first_picture(piece) if first else 0 :]
        self._before = pictures[-1][0]


def _behind_first_picture(gif: bytes) -> int:
    """Where the first picture of a GIF ends, and what belongs to the second begins.

    Behind the header (13 bytes) and its colours lie extensions, 21h and a label, and pictures, 2Ch
    and 8 bytes of place, a byte of flags, their colours and a byte for the codes' width. Flags with
    bit 7 say that 2 to the power of (bits 0 to 2, and 1) colours of three bytes follow. The rest
    of both are blocks that begin with their length, up to one of length 0.
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


def gif(
    frames: Iterable[tuple[Snapshot, int]], scale: int = 1, border: int = BORDER, loop: bool = True
) -> bytes:
    """An animation of snapshots, each shown for so many milliseconds.

    Equal neighbours are joined. Raises ValueError if there is none.
    """
    animation = Animation(scale, border, loop)
    for snapshot, milliseconds in frames:
        animation.add(snapshot, milliseconds)
    return animation.data()
