"""The screen as a console hands it out: its text, and its picture."""

from __future__ import annotations

import os
from collections.abc import Callable

from ti99tools.base.errors import TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.machine.screen import Screen
from ti99tools.machine.vdp import VDP, Snapshot
from ti99tools.render.picture import png

LARGEST = 64
"""The largest scale and border of a picture, in pixels and dots."""


class Display(Screen):
    """A screen that can be drawn.

    `picture` gives what is seen now.
    """

    __slots__ = ("_picture",)

    def __init__(self, vdp: VDP, picture: Callable[[], Snapshot]) -> None:
        super().__init__(vdp)
        self._picture = picture

    def png(
        self, path: str | os.PathLike[str] | None = None, *, scale: int = 2, border: int = 16
    ) -> bytes:
        """The picture, sprites included, as a PNG file's bytes; written to `path` if one is given.

        Each dot becomes `scale` × `scale` pixels; `border` dots of screen colour lie around. Needs
        Pillow. Raises TIError where `path` cannot be written, and for sizes that no picture has.
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
