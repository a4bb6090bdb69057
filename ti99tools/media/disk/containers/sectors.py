"""What every form of a disk image can do, and sector images, the plainest of them.

Formats that hold tracks are written back by patching: the sectors that changed get their new data
and CRC in place, in the format's own coding, and everything else stays as it was read.

Some files carry data after the last sector, such as V9T9's map of bad sectors (768 bytes, a whole
number of sectors that the volume block does not count). It is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record
from ti99tools.media.disk.containers.tracks import Place, TrackVolume
from ti99tools.media.disk.descriptors import MARK, parse_vib
from ti99tools.media.disk.geometry import SECTOR, Geometry


class Container(Protocol):
    """The format that an image is stored in."""

    @property
    def form(self) -> str:
        """The format's name for users."""
        ...

    def pack(self, sectors: bytes, unreadable: Collection[int] = ()) -> bytes:
        """The file's bytes with `sectors` (logical order) in it; everything else as it was read.

        Sectors listed as `unreadable` keep what the file has there.
        """
        ...


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What a file contains: sectors in logical order, and which of them could not be read."""

    sectors: bytes
    container: Container
    defects: Mapping[int, str] = field(default_factory=dict)
    """Logical sector → what is wrong with it, e.g. `bad CRC at cylinder 3, side 0, sector 5`."""


class Codec(Record):
    """What the module of a format offers.

    `read` gives the volume in a file's bytes (of a card, the volume of that number), or None when
    they are not of this format; it raises `DiskError` when they are, but damaged. `create` makes a
    new file from sectors, with `DiskError` for a geometry that the format cannot hold. A format of
    cards has `put` instead: it stores the sectors as a volume of a card.
    """

    read: Callable[[bytes, int], Unpacked | None]
    create: Callable[[bytes, Geometry], bytes] | None
    put: Callable[[bytes, bytes, int], bytes] | None = None


def patches(
    volume: TrackVolume, sectors: bytes, unreadable: Collection[int]
) -> Iterator[tuple[Place, bytes]]:
    """Where each sector to be written lies, and its new content.

    These are the sectors that differ from the volume read, and bad sectors that have been rewritten
    (`unreadable` names those that have not). Raises `DiskError` for another number of sectors, and
    for a sector that has no place on its track.
    """
    if len(sectors) != len(volume.sectors):
        raise DiskError(
            "the image's size cannot change in this form",
            remedy="convert it to a sector image first",
        )
    for logical in range(len(sectors) // SECTOR):
        extent = slice(logical * SECTOR, (logical + 1) * SECTOR)
        content = sectors[extent]
        # A bad sector is written even if its content is the same: its CRC is what is wrong.
        changed = logical in volume.defects or content != volume.sectors[extent]
        if changed and logical not in unreadable:
            yield _place(volume, logical), content


def _place(volume: TrackVolume, logical: int) -> Place:
    place = volume.places.get(logical)
    if place is None:
        raise DiskError(
            f"sector {logical} cannot be written ({volume.defects.get(logical, 'missing')})",
            remedy="convert the disk to a sector image and back, which makes fresh tracks",
        )
    return place


def contents_by_track(
    sectors: bytes, geometry: Geometry
) -> dict[tuple[int, int], dict[int, bytes]]:
    """(cylinder, side) → sector number → data, for newly made tracks."""
    contents: dict[tuple[int, int], dict[int, bytes]] = {}
    for logical in range(geometry.sectors):
        cylinder, side, number = geometry.place(logical)
        content = sectors[logical * SECTOR : (logical + 1) * SECTOR]
        contents.setdefault((cylinder, side), {})[number] = content
    return contents


class SectorImage(Record):
    """A sector image; `tail` is what follows the last whole sector, at `size`."""

    tail: bytes = b""
    size: int = 0

    form = "sector image"

    def pack(self, sectors: bytes, _unreadable: Collection[int] = ()) -> bytes:
        """The sectors and the tail; where sectors have been added, it begins the first of them."""
        if len(sectors) > self.size > 0:
            return sectors[: self.size] + self.tail + sectors[self.size + len(self.tail) :]
        return sectors + self.tail


def read(data: bytes, _volume: int) -> Unpacked | None:
    """The disk in an image whose volume block has its mark."""
    block = parse_vib(bytes(data[:SECTOR]).ljust(SECTOR, b"\0"))
    return unpack_sectors(data) if block.magic == MARK else None


def create(sectors: bytes, _geometry: Geometry) -> bytes:
    """The sectors as they are."""
    return sectors


def unpack_sectors(data: bytes) -> Unpacked:
    """Sectors and container of a sector image."""
    whole = len(data) // SECTOR * SECTOR
    return Unpacked(data[:whole], SectorImage(data[whole:], whole))


CODEC = Codec(read, create)
