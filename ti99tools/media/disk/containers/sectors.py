"""Sector images (`.dsk`, V9T9): the sectors in logical order, nothing else.

Some files carry data after the last sector, such as V9T9's map of bad sectors (768 bytes, a whole
number of sectors that the volume block does not count). It is kept.
"""

from __future__ import annotations

from collections.abc import Collection

from ti99tools.base.record import Record
from ti99tools.media.disk.containers.base import Codec, Unpacked
from ti99tools.media.disk.geometry import SECTOR, Geometry
from ti99tools.media.disk.layout import MARK, parse_vib


class SectorImage(Record):
    """A sector image; `tail` is what follows the last whole sector."""

    tail: bytes = b""

    @property
    def form(self) -> str:
        """The form's name."""
        return "sector image"

    def pack(self, sectors: bytes, unreadable: Collection[int] = ()) -> bytes:
        """The sectors and the tail."""
        return sectors + self.tail


def read(data: bytes, volume: int) -> Unpacked | None:
    """The disk in an image whose volume block has its mark."""
    block = parse_vib(bytes(data[:SECTOR]).ljust(SECTOR, b"\0"))
    return unpack_sectors(data) if block.magic == MARK else None


def create(sectors: bytes, geometry: Geometry) -> bytes:
    """The sectors as they are."""
    return sectors


def unpack_sectors(data: bytes) -> Unpacked:
    """Sectors and container of a sector image."""
    whole = len(data) // SECTOR * SECTOR
    return Unpacked(data[:whole], SectorImage(data[whole:]))


CODEC = Codec(read, create)
