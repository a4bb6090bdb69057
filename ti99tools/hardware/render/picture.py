"""Pictures of the screen: dots, images, PNG files; and the screen as a console hands it out.

Pillow is imported only when an image is made.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.codes import RGB
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.hardware.machine.screen import Screen
from ti99tools.hardware.machine.spritedots import DOTS, LINES, lines_with_sprites, sprites_on_line
from ti99tools.hardware.machine.vdp import VDP, Snapshot
from ti99tools.hardware.render.modes import background, sprites_shown

if TYPE_CHECKING:
    from PIL import Image


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


def save_png(vdp: VDP, path: Path, scale: int = 2, border: int = BORDER) -> None:
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
