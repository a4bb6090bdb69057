"""Directory and allocation of a mounted disk, as the disk controller's routines keep them.

File descriptors take the lowest free sector from 2 on. Data continue the file's last cluster if
the next sector is free, else take the lowest free sector from 22h on, then from 2. Source: the
cluster lists of the recorded files-* cases.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from ti99tools.base.errors import DiskError
from ti99tools.disk import layout
from ti99tools.disk.geometry import sectors_per_unit
from ti99tools.disk.layout import Fdr
from ti99tools.machine.pab import IOFailure

FIRST_DATA = 0x22
FIRST_DESCRIPTOR = 2

WRITE_PROTECTED, OUT_OF_SPACE, DEVICE_ERROR, FILE_ERROR = 1, 4, 6, 7


class SectorImage(Protocol):
    """What a drive needs of a disk: sectors of 256 bytes."""

    def sector(self, number: int) -> bytes: ...

    def write_sector(self, number: int, data: bytes) -> None: ...


class DiskVolume:
    """One mounted disk. `write_protected` is the notch of a real diskette.

    Every method raises `IOFailure(6)` when the image's structures cannot be followed.
    """

    def __init__(self, image: SectorImage, write_protected: bool = False) -> None:
        self.image = image
        self.write_protected = write_protected

    def read(self, sector: int) -> bytes:
        """The 256 bytes of `sector`."""
        try:
            return self.image.sector(sector)
        except (DiskError, IndexError):
            raise IOFailure(DEVICE_ERROR) from None

    def write(self, sector: int, data: bytes) -> None:
        """Write 256 bytes; error 1 on a write-protected disk."""
        if self.write_protected:
            raise IOFailure(WRITE_PROTECTED)
        try:
            self.image.write_sector(sector, data)
        except (DiskError, IndexError):
            raise IOFailure(DEVICE_ERROR) from None

    @property
    def vib(self) -> layout.Vib:
        """The volume information block."""
        return layout.parse_vib(self.read(0))

    @property
    def name(self) -> str:
        """The disk's name."""
        return layout.clean_name(self.vib.name)

    @property
    def total(self) -> int:
        """Sectors of the disk."""
        total: int = self.vib.total_sectors
        return total

    @property
    def free(self) -> int:
        """Free sectors."""
        bitmap, total = self.vib.bitmap, self.total
        unit = sectors_per_unit(total)
        free = [sector for sector in range(total) if not _used(bitmap, sector // unit)]
        return len(free)

    def allocate(self, *wishes: int) -> int:
        """Take the first free sector of `wishes`, else the lowest free one from the last wish on.

        Below the last wish the disk is searched last. Raises `IOFailure(4)` on a full disk.
        """
        total = self.total
        unit = sectors_per_unit(total)
        bitmap = self.vib.bitmap
        start = wishes[-1]
        search: tuple[int, ...] = (
            *wishes,
            *range(start, total),
            *range(FIRST_DESCRIPTOR, min(start, total)),
        )
        for sector in search:
            if sector < total and not _used(bitmap, sector // unit):
                self._mark((sector,), True)
                return sector
        raise IOFailure(OUT_OF_SPACE)

    def _mark(self, sectors: tuple[int, ...], used: bool) -> None:
        vib = self.vib
        unit = sectors_per_unit(vib.total_sectors)
        bitmap = bytearray(vib.bitmap)
        for sector in sectors:
            at, bit = divmod(sector // unit, 8)
            if at < len(bitmap):
                bitmap[at] = bitmap[at] | 1 << bit if used else bitmap[at] & ~(1 << bit)
        self.write(0, layout.build_vib(replace(vib, bitmap=bytes(bitmap))))

    def directory(self) -> list[tuple[int, Fdr]]:
        """(descriptor sector, descriptor) of every file, in the order of the index."""
        return [(at, layout.parse_fdr(self.read(at))) for at in layout.parse_fdir(self.read(1))]

    def find(self, name: str) -> tuple[int, Fdr] | None:
        """Descriptor sector and descriptor of the file `name`."""
        raw = layout.pad_name(name)
        return next((entry for entry in self.directory() if entry[1].name == raw), None)

    def create(self, name: str) -> int:
        """A new file's descriptor sector; its descriptor holds just the name until CLOSE."""
        entries = self.directory()
        if len(entries) >= layout.MAX_FILES:
            raise IOFailure(OUT_OF_SPACE)
        if self.write_protected:
            raise IOFailure(WRITE_PROTECTED)
        sector = self.allocate(FIRST_DESCRIPTOR)
        raw = layout.pad_name(name)
        self.write(sector, layout.build_fdr(Fdr(raw)))
        place = sum(fdr.name < raw for _, fdr in entries)
        pointers = [at for at, _ in entries]
        pointers.insert(place, sector)
        self.write(1, layout.build_fdir(tuple(pointers)))
        return sector

    def remove(self, sector: int, fdr: Fdr) -> None:
        """Free a file's sectors and take it off the index."""
        self.release(fdr)
        pointers = tuple(at for at in layout.parse_fdir(self.read(1)) if at != sector)
        self.write(1, layout.build_fdir(pointers))
        self._mark((sector,), False)

    def release(self, fdr: Fdr) -> None:
        """Free the data sectors of a file."""
        self._mark(tuple(self.sectors(fdr)), False)

    def write_descriptor(self, sector: int, fdr: Fdr, clusters: list[int]) -> None:
        """Write `fdr` with its data sectors; error 4 when they are in too many pieces."""
        try:
            chain = layout.encode_chain(_runs(clusters))
        except DiskError:
            raise IOFailure(OUT_OF_SPACE) from None
        self.write(sector, layout.build_fdr(replace(fdr, chain=chain, sectors=len(clusters))))

    def sectors(self, fdr: Fdr) -> list[int]:
        """The data sectors of a file in order."""
        try:
            chain = layout.decode_chain(fdr.chain)
        except DiskError:
            raise IOFailure(DEVICE_ERROR) from None
        found = [start + i for start, count in chain for i in range(count)]
        if any(sector >= self.total for sector in found):
            raise IOFailure(DEVICE_ERROR)
        return found[: fdr.sectors]


def _used(bitmap: bytes, bit: int) -> bool:
    return bool(bitmap[bit >> 3] >> (bit & 7) & 1) if bit < len(bitmap) * 8 else True


def _runs(sectors: list[int]) -> list[tuple[int, int]]:
    """Neighbouring sectors gathered into clusters: [35, 36, 40] → [(35, 2), (40, 1)]."""
    runs: list[tuple[int, int]] = []
    for sector in sectors:
        if runs and sum(runs[-1]) == sector:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((sector, 1))
    return runs
