"""Animated GIFs of a run, made as its snapshots come.

Pillow is imported only when an image is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render.picture import BORDER, image

if TYPE_CHECKING:
    from PIL import Image

PIECE = 64
"""Snapshots that are turned into pictures at a time."""
_GIF_TRAILER = b";"


class Animation:
    """A GIF that is written while its snapshots come, so that only some are in memory.

    Pillow writes the difference between one picture and the next. It is given `PIECE` snapshots at
    a time, with the last picture of the previous ones in front, which is cut off again.
    """

    def __init__(self, scale: int = 1, border: int = BORDER, loop: bool = True) -> None:
        self._scale, self._border, self._loop = scale, border, loop
        self._snapshots: list[tuple[Snapshot, int]] = []
        self._pictures: list[tuple[Image.Image, int]] = []
        self._before: Image.Image | None = None
        self._data = bytearray()

    @property
    def empty(self) -> bool:
        """Tell whether nothing was added."""
        return not self._snapshots

    def add(self, snapshot: Snapshot, milliseconds: int) -> None:
        """Show a snapshot for so long; one equal to the previous is shown on."""
        if self._snapshots and self._snapshots[-1][0] == snapshot:
            self._snapshots[-1] = snapshot, self._snapshots[-1][1] + milliseconds
            return
        if len(self._snapshots) > PIECE:
            last = self._snapshots.pop()
            self._draw()
            self._snapshots = [last]
            # The last picture stays behind: later snapshots may look like it and prolong it.
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
            picture = image(snapshot.vdp(), self._scale, self._border)
            # Browsers slow down frames shorter than 20 ms.
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
            # Disposal 1 leaves the picture in place, so that the next one stores only what changed.
            disposal=1,
            optimize=False,
            **({"loop": 0} if self._loop else {}),
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


def gif(
    frames: Iterable[tuple[Snapshot, int]], scale: int = 1, border: int = BORDER, loop: bool = True
) -> bytes:
    """An animation of snapshots, each shown for so many milliseconds.

    Equal neighbours are joined. Raises ValueError if there are none.
    """
    animation = Animation(scale, border, loop)
    for snapshot, milliseconds in frames:
        animation.add(snapshot, milliseconds)
    return animation.data()
