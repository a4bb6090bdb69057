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
"""Snapshots of an animation that become pictures at a time."""
_GIF_TRAILER = b";"


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
        """Tell whether nothing was added."""
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
        self._data += piece[_after_first_picture(piece) if first else 0 :]
        self._before = pictures[-1][0]


def _after_first_picture(gif: bytes) -> int:
    """Where the first picture of a GIF ends, and what belongs to the second begins.

    After the header (13 bytes) and its colours lie extensions, 21h and a label, and pictures, 2Ch
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
