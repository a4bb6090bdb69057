"""Sector images (`.dsk`, V9T9): the sectors in logical order, nothing else.

Some files carry something behind the last sector (V9T9's map of bad sectors has 768 bytes); it is
kept.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SectorImage:
    """A sector image; `tail` is what follows the last whole sector."""

    tail: bytes = b""

    @property
    def form(self) -> str:
        """The form's name."""
        return "sector image"

    def pack(self, sectors: bytes) -> bytes:
        """The sectors and the tail."""
        return sectors + self.tail


def unpack_sectors(data: bytes) -> tuple[bytes, SectorImage]:
    """Sectors and container of a sector image."""
    whole = len(data) // 256 * 256
    return data[:whole], SectorImage(data[whole:])
