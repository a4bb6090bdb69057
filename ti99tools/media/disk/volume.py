"""A TI volume as sectors: volume block, bitmap, indexes, descriptors and clusters.

This is the raw level of the file system. It trusts nothing it reads: sector numbers outside the
volume raise `DiskError`. `image` deals with names and whole files, `checks` with damage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.descriptors import Fdr, Subdirectory, Vib
from ti99tools.media.disk.geometry import (
    BITMAP_BYTES,
    CLUSTER_REACH,
    SECTOR,
    Geometry,
    by_size,
    sectors_per_unit,
)
from ti99tools.media.disk.tifile import StoredFile, is_legal_name

VOLUME_BLOCK, ROOT_INDEX = 0, 1
"""Sectors of the volume block, which holds the bitmap, and of the root index."""

_MARKS = (b"\0", b"\1")
"""A sector's byte in `Volume.unlisted`: no, yes."""


class Volume:
    """Sectors of a disk and the structures in them; the sectors are the only state."""

    def __init__(
        self,
        sectors: bytes | Callable[[], bytes],
        defects: Mapping[int, str] | None = None,
        resizable: bool = True,
    ) -> None:
        self._sectors = sectors
        self.defects = dict(defects or {})
        """Sectors that could not be read from their tracks, with the reason."""
        self.resizable = resizable
        """True if the image's format can take more sectors than it has."""

    @cached_property
    def data(self) -> bytearray:
        """All sectors. An empty disk is made on first use: few programs look at theirs."""
        sectors, self._sectors = self._sectors, b""
        return bytearray(sectors() if callable(sectors) else sectors)

    @property
    def held(self) -> int:
        """The number of sectors that really exist."""
        return len(self.data) // SECTOR

    @property
    def size(self) -> int:
        """Sectors of the volume, as its block says.

        A larger number than exists counts only if the geometry in the block gives the same number:
        then the image is cut off.
        """
        bare = self.sector(0)[:-BITMAP_BYTES].ljust(SECTOR, b"\0")
        vib = descriptors.parse_vib(bare)  # without the bitmap, so that the cache knows it again
        claimed = vib.total_sectors
        known = vib.tracks * vib.sides * vib.sectors_per_track == claimed
        return claimed if 2 < claimed <= self.held or (claimed > self.held and known) else self.held

    @property
    def total(self) -> int:
        """Sectors of the volume that exist."""
        return min(self.size, self.held)

    def sector(self, number: int) -> bytes:
        """The 256 bytes of a sector.

        Raises DiskError for one that could not be read.
        """
        data = self.data
        # Read far more often than anything else of a disk: the rest is looked at when it matters.
        if self.defects or not 0 <= number < len(data) // SECTOR:
            self._require(number)
            self._require_read(number)
        return bytes(data[number * SECTOR : (number + 1) * SECTOR])

    def _require_read(self, number: int) -> None:
        if number in self.defects:
            raise DiskError(
                f"sector {number} cannot be read ({self.defects[number]})",
                remedy=Remedy.FORCE,
            )

    def write_sector(self, number: int, content: bytes) -> None:
        """Replace a sector; `content` has 256 bytes."""
        self._require(number)
        if len(content) != SECTOR:
            raise ValueError(f"a sector has {SECTOR} bytes, not {len(content)}")
        self.data[number * SECTOR : (number + 1) * SECTOR] = content
        # A rewritten sector can be read again.
        self.defects.pop(number, None)

    def _require(self, number: int) -> None:
        if not 0 <= number < self.held:
            raise DiskError(
                f"sector {number} is outside the disk of {self.held} sectors",
                remedy=Remedy.CHECK_DISK,
            )

    @property
    def vib(self) -> Vib:
        """The volume block: sector 0, with name, size and bitmap."""
        return descriptors.parse_vib(self.sector(0))

    @vib.setter
    def vib(self, vib: Vib) -> None:
        self.write_sector(0, descriptors.build_vib(vib))

    @property
    def geometry(self) -> Geometry:
        """The geometry in the volume block; without one there, the usual one of this size."""
        vib = self.vib
        in_block = Geometry(vib.tracks, vib.sides, vib.sectors_per_track, vib.density)
        if in_block.sectors == vib.total_sectors > 0:
            return in_block
        # An odd size still needs some geometry: one track of all sectors, as far as a byte counts.
        return by_size(self.size) or Geometry(1, 1, min(self.held, 255), vib.density)

    @property
    def unit(self) -> int:
        """Sectors a bitmap bit covers."""
        return sectors_per_unit(self.size)

    def is_used(self, sector: int) -> bool:
        """Tell whether the bitmap calls `sector` used; sectors that it does not cover are."""
        bit = sector // self.unit
        bits = self.sector(0)[-BITMAP_BYTES:]
        # What no bit covers must not be given away.
        return bit >= 8 * len(bits) or bool(bits[bit >> 3] & 1 << (bit & 7))

    def unlisted(self, used: bool) -> bytearray:
        """A byte for each sector that exists: 1 if nothing points at it and the bitmap agrees.

        The bitmap agrees if it calls the sector used, or free where `used` is False.
        """
        sectors = self.marked(used)
        for sector in self.referenced():
            if sector < len(sectors):
                sectors[sector] = 0
        return sectors

    def marked(self, used: bool) -> bytearray:
        """A byte for each sector that exists: 1 if the bitmap calls it used, or free where `used`
        is False. One pass over all sectors: a damaged image may have a descriptor in every one.
        """
        bits = self.sector(0)[-BITMAP_BYTES:]
        total, unit = self.total, self.unit
        count = min(-(-total // unit), 8 * len(bits))
        wanted = 1 if used else 0
        runs = [_MARKS[bits[bit >> 3] >> (bit & 7) & 1 == wanted] * unit for bit in range(count)]
        # Sectors that the bitmap does not cover count as used.
        return bytearray(b"".join(runs)[:total].ljust(total, _MARKS[wanted]))

    def mark(self, sectors: set[int], used: bool) -> None:
        """Set or clear the bitmap bits of `sectors`, as far as they belong to the volume."""
        block = bytearray(self.sector(0))
        size, unit = self.size, self.unit
        bitmap = len(block) - BITMAP_BYTES
        for bit in {sector // unit for sector in sectors if sector < size}:
            if used:
                block[bitmap + (bit >> 3)] |= 1 << (bit & 7)
            else:
                block[bitmap + (bit >> 3)] &= ~(1 << (bit & 7))
        self.write_sector(0, bytes(block))

    def indexes(self) -> dict[str, int]:
        """Directory name → sector of its index; the root is "".

        Early disks have arbitrary bytes where later controllers name directories: an entry counts
        only if its name is legal and its index points at sectors of the disk.
        """
        indexes = {"": ROOT_INDEX}
        for entry in self.vib.subdirectories:
            name = descriptors.clean_name(entry.name)
            # Of two directories of the same name the first counts.
            if name not in indexes and self.is_directory(entry):
                indexes[name] = entry.fdir
        return indexes

    def is_directory(self, entry: Subdirectory) -> bool:
        """Tell whether `entry` of the volume block names an existing directory."""
        name = descriptors.clean_name(entry.name)
        if not is_legal_name(name) or entry.name != descriptors.pad_name(name):
            return False
        if not ROOT_INDEX < entry.fdir < self.held or entry.fdir in self.defects:
            return False
        return all(pointer < self.held for pointer in self.pointers(entry.fdir))

    def pointers(self, index: int) -> tuple[int, ...]:
        """Descriptor sectors listed in the index sector `index`."""
        return descriptors.parse_fdir(self.sector(index))

    def set_pointers(self, index: int, pointers: tuple[int, ...]) -> None:
        """Write an index sector."""
        self.write_sector(index, descriptors.build_fdir(pointers))

    def fdr(self, sector: int) -> Fdr:
        """The descriptor in `sector`."""
        return descriptors.parse_fdr(self.sector(sector))

    def set_fdr(self, sector: int, fdr: Fdr) -> None:
        """Write the descriptor of a file into a sector."""
        self.write_sector(sector, descriptors.build_fdr(fdr))

    @property
    def scale(self) -> int:
        """Sectors per step of a cluster's start: 1 except on very large volumes."""
        return self.unit if self.size >= CLUSTER_REACH else 1

    def extents(self, fdr: Fdr) -> list[range]:
        """The file's sectors in order, as ranges. Raises `DiskError` where a chain is damaged."""
        scale = self.scale
        return [
            range(start * scale, start * scale + count)
            for start, count in descriptors.read_chain(fdr.chain)
        ]

    def chain(self, extents: list[range]) -> bytes:
        """The descriptor's cluster blocks for `extents`.

        Raises `DiskError` for more than a descriptor holds, and on very large volumes for extents
        that do not start at an allocation unit.
        """
        scale = self.scale
        if any(extent.start % scale for extent in extents):
            raise DiskError("a file's pieces must start at allocation units on so large a disk")
        return descriptors.encode_chain([(e.start // scale, len(e)) for e in extents])

    def file_sectors(self, fdr: Fdr) -> list[int]:
        """Every sector of the file's content, in order: as many as the descriptor counts.

        Raises `DiskError` when its clusters hold fewer.
        """
        sectors = [sector for extent in self.extents(fdr) for sector in extent]
        if len(sectors) < fdr.sectors:
            raise DiskError(
                f"the clusters of {descriptors.clean_name(fdr.name)} hold {len(sectors)} "
                f"sectors of {fdr.sectors}",
                remedy=Remedy.CHECK_DISK,
            )
        return sectors[: fdr.sectors]

    def stored(self, sector: int) -> StoredFile:
        """The file whose descriptor is in `sector`, with its content. Raises DiskError."""
        fdr = self.fdr(sector)
        content = b"".join(map(self.sector, self.file_sectors(fdr)))
        return StoredFile.of(fdr, content)

    def referenced(self) -> set[int]:
        """Every sector that a structure points at: indexes, descriptors, contents.

        Damaged chains count as far as they can be followed. Raises DiskError where a descriptor
        cannot be read.
        """
        sectors = {0, ROOT_INDEX}
        for index in self.indexes().values():
            if not 0 < index < self.held:
                continue
            sectors.add(index)
            for pointer in self.pointers(index):
                if not 0 < pointer < self.held:
                    continue
                sectors.add(pointer)
                for extent in self.sound_extents(self.fdr(pointer)):
                    sectors.update(extent)
        return sectors

    def sound_extents(self, fdr: Fdr) -> list[range]:
        """The extents before the first damage (offsets that decrease, sectors outside the disk)."""
        scale = self.scale
        sound: list[range] = []
        try:
            for start, count in descriptors.read_chain(fdr.chain):
                extent = range(start * scale, start * scale + count)
                # What follows a cluster outside the disk cannot be trusted.
                if extent.stop > self.held:
                    break
                sound.append(extent)
        except DiskError:
            pass
        return sound
