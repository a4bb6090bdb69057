"""Sector images (`.dsk`, V9T9): the sectors in logical order, nothing else.

Some files carry something behind the last sector (V9T9's map of bad sectors has 768 bytes, a
whole number of sectors that the volume block does not count); it is kept.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ti99tools.disk.containers.base import Unpacked
from ti99tools.disk.geometry import SECTOR


@dataclass(frozen=True, slots=True)
class SectorImage:
    """A sector image; `tail` is what follows the last whole sector."""

    tail: bytes = b""

    @property
    def form(self) -> str:
        """The form's name."""
        return "sector image"

    def pack(self, sectors: bytes, unreadable: Collection[int] = ()) -> bytes:
        """The sectors and the tail."""
        return sectors + self.tail


def unpack_sectors(data: bytes) -> Unpacked:
    """Sectors and container of a sector image."""
    whole = len(data) // SECTOR * SECTOR
    return Unpacked(data[:whole], SectorImage(data[whole:]))
