"""A mounted disk as the controller's routines keep it: directory, allocation, time it takes.

The recordings come from a machine whose drive answers at once: there only the routines' own work
takes time (the figures below, in CPU cycles at 3 MHz). A drive that turns (`mechanics`) adds to it.
Source: loops and whole programs timed from the original ROMs.

In a 5.25-inch drive the head steps from track to track, settles, then waits until the sector comes
by. What was written is read again for a check, one turn later. The position of the disk follows
from the machine's time; the motor is taken to run.

Source: one program timed with a drive that answers at once and with one that turns (MAME, 5.25-inch
drive on the TI controller, SSSD sector image). What the turning adds there, and here, in seconds:
OPEN of a new file 1.58, 1.49; 40 records written 1.63, 1.55; CLOSE 1.25, 1.19; OPEN for INPUT .45,
.45; 40 records read .67, .68; DELETE 1.60, 1.72; RUN of 31 sectors 2.81, 3.05; RUN of the long form
in 60 sectors 10.02, 10.43.

File descriptors take the lowest free sector from 2 on. Data continue the file's last cluster if the
next sector is free, else take the lowest free sector from 22h on, then from 2 to 1Fh: a cluster of
data may go on into 20h and 21h, but none begins there. Source: the cluster lists of the recorded
files-* cases; disks on which only a few sectors were free. Disks of more than 1600 sectors are
unknown to the controller; there, data first fill the allocation unit that the file already has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from itertools import chain
from typing import ParamSpec, TypeVar

from ti99tools.base.cycles import console as cycles
from ti99tools.base.errors import DiskError
from ti99tools.hardware.machine.clock import CPU_HZ, Clock
from ti99tools.hardware.machine.pab import DEVICE_ERROR, OUT_OF_SPACE, WRITE_PROTECTED, IOFailure
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.allocation import FIRST_DATA, FIRST_DESCRIPTOR, merge
from ti99tools.media.disk.containers.tracks import HFE_FM, HFE_HD, HFE_MFM, HFE_MFM16
from ti99tools.media.disk.descriptors import Fdr
from ti99tools.media.disk.geometry import CLUSTER_BLOCKS, CLUSTER_REACH, MAX_FILES, Geometry
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.volume import ROOT_INDEX, VOLUME_BLOCK

TURN = CPU_HZ // 5
"""One turn of the disk: 300 a minute."""
STEP = CPU_HZ // 50
"""One step of the head to the next track: 20 ms."""
SETTLE = CPU_HZ * 15 // 1000
"""Time until the head is at rest after its last step: 15 ms."""


class Mechanics:
    """Head and disk of a drive."""

    verifying = TURN
    """Cycles until a sector that was just written comes by again."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._cylinder = 0
        self._places = _places(geometry.sectors_per_track)

    def access(self, sector: int, now: int) -> int:
        """Cycles from `now` until a sector has passed under the head."""
        cylinder, _, number = self._geometry.place(sector)
        moved = abs(cylinder - self._cylinder)
        seek = moved * STEP + (SETTLE if moved else 0)
        self._cylinder = cylinder
        span = TURN // self._geometry.sectors_per_track
        # The wait until the sector's place arrives after the seek, and the time it takes to pass.
        return seek + (span * self._places[number] - now - seek) % TURN + span


def _places(count: int) -> list[int]:
    """The position of each sector on a track of `count`: consecutive numbers lie some places apart,
    as formatted.
    """
    steps = {form.sectors: form.step for form in (HFE_FM, HFE_MFM, HFE_MFM16, HFE_HD)}
    step = steps.get(count, 1)
    order = [step * n % count for n in range(count)]
    return [order.index(number) for number in range(count)]


class Drive:
    """A disk drive with a disk in it, as far as time is concerned."""

    def __init__(self, clock: Clock, geometry: Geometry | None) -> None:
        """`geometry` is that of the disk in a drive that turns."""
        self._clock = clock
        self._mechanics: Mechanics | None = None
        if geometry is not None:
            self._mechanics = Mechanics(geometry)

    def spend(self, cycles: int) -> None:
        """Let the controller's routines work."""
        self._clock.work(cycles)

    def read(self, sector: int) -> None:
        """Wait until a sector has been read."""
        if self._mechanics is not None:
            self.spend(self._mechanics.access(sector, self._clock.cycles))

    def write(self, sector: int) -> None:
        """Wait until a sector has been written and verified."""
        if self._mechanics is not None:
            self.read(sector)
            self.spend(self._mechanics.verifying)


_LOW_DATA = 32
"""Where the second search for a sector for data ends."""

P = ParamSpec("P")
T = TypeVar("T")


def _device_error(method: Callable[P, T]) -> Callable[P, T]:
    """Turn damage of the disk into the controller's error 6."""

    @wraps(method)
    def refusing(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except DiskError:
            raise IOFailure(DEVICE_ERROR) from None

    return refusing


class DiskVolume:
    """One mounted disk in its drive. `write_protected` is the notch of a real diskette.

    `drive` takes the time of the controller, which keeps neither bitmap nor index in memory from
    one call to the next. Every method raises IOFailure: `DEVICE_ERROR` when the image's structures
    cannot be followed, and those that write raise `WRITE_PROTECTED` on a write-protected disk.

    `absent` is set while it is out of the drive with files open on it. Any access to the disk then
    raises `DEVICE_ERROR`; use of the sector in a file's buffer does not (not recorded).
    """

    def __init__(self, image: DiskImage, drive: Drive, write_protected: bool) -> None:
        self.image = image
        self.drive = drive
        self.write_protected = write_protected
        self.absent = False
        self._volume = image.volume

    @_device_error
    def read(self, sector: int) -> bytes:
        """The 256 bytes of `sector`."""
        return self._volume.sector(sector)

    @_device_error
    def write(self, sector: int, data: bytes) -> None:
        """Write the 256 bytes of a sector. Fails on a write-protected disk."""
        self._check_writable()
        self._volume.write_sector(sector, data)

    @property
    @_device_error
    def name(self) -> str:
        """The name in the volume block, without the spaces that fill it."""
        return self.image.name

    @property
    @_device_error
    def total(self) -> int:
        """Sectors of the disk, as its volume block says."""
        return self._volume.vib.total_sectors

    @property
    @_device_error
    def free(self) -> int:
        """How many sectors the bitmap has free."""
        return self.image.free_sectors

    @_device_error
    def extend(self, sectors: list[int]) -> None:
        """Add the next data sector to those of a file.

        Raises `OUT_OF_SPACE` on a full disk, and where the descriptor cannot hold more.
        """
        if not sectors:
            sectors.append(self._allocate(FIRST_DATA))
            return
        if len(sectors) >= CLUSTER_REACH:
            raise IOFailure(OUT_OF_SPACE)
        following = sectors[-1] + 1
        own = following % self._volume.unit and following < self._volume.total
        sector = following if own else self._allocate(FIRST_DATA, following)
        # One more piece than a descriptor holds: give the sector back.
        if sector != following and len(_extents(sectors)) >= CLUSTER_BLOCKS:
            self._volume.mark({sector}, False)
            raise IOFailure(OUT_OF_SPACE)
        sectors.append(sector)

    def _allocate(self, start: int, wish: int | None = None) -> int:
        """Take `wish` if it is free, else the lowest free sector from `start` on, else from 2.

        A sector is the first of its allocation unit. Raises `OUT_OF_SPACE` on a full disk.
        """
        self._check_writable()
        self.drive.spend(cycles.DISK_ALLOCATED)
        volume = self._volume
        total, unit = volume.total, volume.unit
        rest = range(FIRST_DESCRIPTOR, min(start, _LOW_DATA, total))
        for sector in chain(() if wish is None else (wish,), range(start, total), rest):
            if sector < total and sector % unit == 0 and not volume.is_used(sector):
                volume.mark({sector}, True)
                return sector
        raise IOFailure(OUT_OF_SPACE)

    @_device_error
    def directory(self) -> list[tuple[int, Fdr]]:
        """(descriptor sector, descriptor) of every file, in the order of the index."""
        volume = self._volume
        return [(at, volume.fdr(at)) for at in volume.pointers(ROOT_INDEX)]

    def find(self, name: str) -> tuple[int, Fdr] | None:
        """Descriptor sector and descriptor of the file `name`."""
        raw = descriptors.pad_name(name)
        directory = self.directory()
        self._seek(directory, raw)
        return next((entry for entry in directory if entry[1].name == raw), None)

    def _seek(self, directory: list[tuple[int, Fdr]], raw: bytes) -> None:
        """Search the index by halving, as the controller does; only the time it takes matters."""
        self.drive.read(ROOT_INDEX)
        low, high = 0, len(directory)
        while low < high:
            middle = (low + high) // 2
            sector, fdr = directory[middle]
            self.drive.read(sector)
            if fdr.name == raw:
                return
            low, high = (middle + 1, high) if fdr.name < raw else (low, middle)

    @_device_error
    def create(self, name: str) -> int:
        """A new file's descriptor sector; its descriptor holds just the name until CLOSE."""
        entries = self.directory()
        if len(entries) >= MAX_FILES:
            raise IOFailure(OUT_OF_SPACE)
        sector = self._allocate(FIRST_DESCRIPTOR)
        raw = descriptors.pad_name(name)
        pointers = [at for at, _ in entries]
        pointers.insert(sum(fdr.name < raw for _, fdr in entries), sector)
        self._volume.set_fdr(sector, Fdr(name=raw))
        self._volume.set_pointers(ROOT_INDEX, tuple(pointers))
        self._change_bitmap()
        self.drive.write(sector)
        self.drive.write(ROOT_INDEX)
        self.drive.spend(cycles.DISK_CREATED)
        return sector

    @_device_error
    def remove(self, sector: int, fdr: Fdr) -> None:
        """Free a file's sectors and take it off the index."""
        self._free(fdr)
        volume = self._volume
        pointers = tuple(at for at in volume.pointers(ROOT_INDEX) if at != sector)
        volume.set_pointers(ROOT_INDEX, pointers)
        # Other descriptors may share the unit on large disks.
        if sector // volume.unit not in {at // volume.unit for at in pointers}:
            volume.mark({sector}, False)
        self.drive.write(ROOT_INDEX)
        self.drive.write(VOLUME_BLOCK)
        self.drive.spend(cycles.DISK_DELETED)

    @_device_error
    def release(self, fdr: Fdr) -> None:
        """Free the data sectors of a file, as far as its clusters can be followed."""
        self._free(fdr)
        self._change_bitmap()

    def _free(self, fdr: Fdr) -> None:
        self._check_writable()
        extents = self._volume.sound_extents(fdr)
        self._volume.mark({sector for extent in extents for sector in extent}, False)

    def _change_bitmap(self) -> None:
        """Take the time to read the bitmap and write it back."""
        self.drive.read(VOLUME_BLOCK)
        self.drive.write(VOLUME_BLOCK)

    @_device_error
    def write_descriptor(self, sector: int, fdr: Fdr, sectors: list[int]) -> None:
        """Write `fdr` with its data sectors."""
        self.check_present()
        self._check_writable()
        clusters = self._volume.chain(_extents(sectors))
        self._volume.set_fdr(sector, replace(fdr, chain=clusters, sectors=len(sectors)))
        self.drive.write(sector)

    @_device_error
    def sectors(self, fdr: Fdr) -> list[int]:
        """The data sectors of a file in order."""
        return self._volume.file_sectors(fdr)

    def check_present(self) -> None:
        """Raise `DEVICE_ERROR`, after the time that takes, while the disk is out of its drive."""
        if self.absent:
            self.drive.spend(cycles.DISK_NOT_READY)
            raise IOFailure(DEVICE_ERROR)

    def _check_writable(self) -> None:
        if self.write_protected:
            raise IOFailure(WRITE_PROTECTED)


def _extents(sectors: list[int]) -> list[range]:
    """Sectors gathered into clusters: 35, 36 and 40 become 35–36 and 40."""
    return merge([range(sector, sector + 1) for sector in sectors])
