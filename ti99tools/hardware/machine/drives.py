"""The disk drives: device service routines for DSK1 to DSK4 on mounted images.

Names are `DSK1.NAME`, `DSK.VOLUME.NAME` or `DSK1.` (the catalogue). At most three files are open at
a time, or as many as CALL FILES has reserved. Every refusal is an `IOFailure` with the controller's
code. In a drive without a disk no file is found, none can be made, and nothing is deleted. The
recorded controller has three drives; DSK4, which other controllers have, exists when a disk is in
it. Source: the recorded files-* cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from ti99tools.base.cycles import console as cycles
from ti99tools.base.errors import DiskError, TIError
from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.dsrfiles import CatalogFile, DiskDataFile, FixedFile, VariableFile
from ti99tools.hardware.machine.dsrvolume import DiskVolume, Drive
from ti99tools.hardware.machine.pab import (
    BAD_ATTRIBUTE,
    BAD_DEVICE,
    DEVICE_ERROR,
    FILE_ERROR,
    ILLEGAL_OPERATION,
    OUT_OF_SPACE,
    WRITE_PROTECTED,
    DeviceFile,
    IOFailure,
    Mode,
    OpenRequest,
)
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.descriptors import Fdr
from ti99tools.media.disk.geometry import GEOMETRIES, SECTOR, Geometry
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import longest
from ti99tools.media.disk.volume import VOLUME_BLOCK

RESERVED = 3
"""Files that the controller has room for at power-on."""
ALWAYS = ("DSK1", "DSK2", "DSK3")
DRIVES = (*ALWAYS, "DSK4")
DISK_DEVICES = ("DSK", *DRIVES)
"""The devices whose files are on disks; the volume's name follows DSK."""
DEFAULT_RECORD_LENGTH = 80
"""The record length of files that OPEN gives none."""


class Drives:
    """Mounted disks and the files open on them, in drives that are `turning` or answer at once."""

    def __init__(
        self,
        disks: Mapping[str, DiskImage] | None = None,
        clock: Clock | None = None,
        turning: bool = False,
    ) -> None:
        self.clock = clock or Clock()
        self.reserved = RESERVED
        """Most files that may be open; CALL FILES changes it."""
        self._turning = turning
        self._volumes: dict[str, DiskVolume] = {}
        self._out: dict[str, DiskVolume] = {}
        """Disks that were taken out, by drive, until another one is put in."""
        self._open: dict[tuple[DiskVolume | None, str], VariableFile | FixedFile | CatalogFile] = {}
        self._named: dict[str, VariableFile | FixedFile] = {}
        """Open files by the names that opened them: another disk may be in the drive by now."""
        self.overheard: Callable[[bytes], None] | None = None
        """Called with each record that machine code writes."""
        for drive, image in (disks or {}).items():
            self.mount(drive, image)

    def mount(self, drive: str, image: DiskImage, *, write_protected: bool = False) -> None:
        """Put a disk into a drive ("DSK1" to "DSK4").

        Raises TIError for another name, and for something that is not an image.
        """
        if drive not in DRIVES:
            raise TIError(f"no drive {drive!r}", remedy=f"use one of {', '.join(DRIVES)}")
        if not isinstance(image, DiskImage):
            raise TIError(
                f"{image!r} is not a disk image",
                remedy='write DiskImage.open("game.dsk") for a file',
            )
        last = self._out.pop(drive, None)
        # The same disk has come back: its open files can be used again.
        if last is not None and last.image is image:
            last.absent, last.write_protected = False, write_protected
            self._volumes[drive] = last
            return
        geometry = _geometry(image) if self._turning else None
        self._volumes[drive] = DiskVolume(image, Drive(self.clock, geometry), write_protected)

    def eject(self, drive: str) -> None:
        """Take the disk out of a drive, if one is in it.

        A file that is open on it can be used again if the same image comes back into that drive
        before any other.
        """
        volume = self._volumes.pop(drive, None)
        if volume is not None:
            volume.absent = True
            self._out[drive] = volume

    def images(self) -> dict[str, DiskImage]:
        """The mounted disks by drive."""
        return {drive: volume.image for drive, volume in self._volumes.items()}

    def open(self, name: str, request: OpenRequest) -> DeviceFile:
        """Open a data file or the catalogue."""
        volume, file_name = self._place(name)
        changes = request.mode in (Mode.UPDATE, Mode.APPEND)
        self.clock.advance(cycles.DISK_OPENED_TO_CHANGE if changes else cycles.DISK_OPENED)
        self._forget_closed()
        if file_name == "":
            return self._open_catalog(volume, request)
        _check_name(file_name)
        # The controller looks for the index before it gives up, and that takes time.
        if volume is None:
            self._found(volume, file_name)
            if request.mode is Mode.OUTPUT:
                self.clock.advance(cycles.DISK_STILL_NOT_READY)
            raise IOFailure(BAD_ATTRIBUTE if request.mode is Mode.INPUT else DEVICE_ERROR)
        if (volume, file_name) in self._open:
            raise IOFailure(FILE_ERROR)
        if len(self._open) >= self.reserved:
            raise IOFailure(OUT_OF_SPACE)
        place = volume.find(file_name)
        file: VariableFile | FixedFile
        if place is None:
            file = self._create(volume, file_name, request)
        else:
            file = self._open_found(volume, *place, request)
        file.namesake = partial(self.opened, name)
        self._open[volume, file_name] = self._named[name] = file
        return file

    def opened(self, name: str) -> DeviceFile:
        """The open file of a name, which is all that the controller identifies it by.

        Raises IOFailure. Source: the recorded files-code-same-file, files-delete-open.
        """
        for file in (self._named.get(name), self._open.get(self._place(name))):
            if file is not None and file.is_open:
                return file
        raise IOFailure(FILE_ERROR)

    def _create(
        self, volume: DiskVolume, name: str, request: OpenRequest
    ) -> VariableFile | FixedFile:
        if request.mode is Mode.INPUT:
            raise IOFailure(BAD_ATTRIBUTE)
        # A new file without a record length gets the default; an existing one is asked for its own.
        length = request.record_length or DEFAULT_RECORD_LENGTH
        if length > longest(request.variable):
            raise IOFailure(BAD_ATTRIBUTE)
        if request.mode is Mode.APPEND and not request.variable:
            raise IOFailure(BAD_ATTRIBUTE)
        sector = volume.create(name)
        file = _data_file(volume, sector, _descriptor(name, length, request), [], request.mode)
        file.mark_modified()
        file.reserve(request.initial)
        return file

    def _open_found(
        self, volume: DiskVolume, sector: int, fdr: Fdr, request: OpenRequest
    ) -> VariableFile | FixedFile:
        if fdr.flags & descriptors.PROTECTED and request.mode is not Mode.INPUT:
            raise IOFailure(WRITE_PROTECTED)
        if request.mode is Mode.OUTPUT:
            return self._replace(volume, sector, fdr, request)
        if fdr.flags & descriptors.PROGRAM:
            raise IOFailure(BAD_ATTRIBUTE)
        matches = (
            bool(fdr.flags & descriptors.VARIABLE) == request.variable
            and bool(fdr.flags & descriptors.INTERNAL) == request.internal
            and request.record_length in (0, fdr.record_length)
            and fdr.record_length > 0
            and (request.variable or request.mode is not Mode.APPEND)
        )
        if not matches:
            raise IOFailure(BAD_ATTRIBUTE)
        return _data_file(volume, sector, fdr, volume.sectors(fdr), request.mode)

    def _replace(
        self, volume: DiskVolume, sector: int, fdr: Fdr, request: OpenRequest
    ) -> VariableFile | FixedFile:
        """OUTPUT to an existing file of any kind: its sectors are freed, its descriptor emptied."""
        length = request.record_length or DEFAULT_RECORD_LENGTH
        if length > longest(request.variable):
            raise IOFailure(BAD_ATTRIBUTE)
        volume.drive.spend(cycles.DISK_REPLACED)
        volume.release(fdr)
        volume.write_descriptor(sector, Fdr(name=fdr.name), [])
        name = descriptors.clean_name(fdr.name)
        file = _data_file(volume, sector, _descriptor(name, length, request), [], request.mode)
        file.reserve(request.initial)
        return file

    def _open_catalog(self, volume: DiskVolume | None, request: OpenRequest) -> DeviceFile:
        legal = (
            request.mode is Mode.INPUT
            and request.internal
            and not request.variable
            and request.record_length in (0, CatalogFile.record_length)
        )
        if not legal:
            raise IOFailure(BAD_ATTRIBUTE)
        if len(self._open) >= self.reserved:
            raise IOFailure(OUT_OF_SPACE)
        file = CatalogFile(volume)
        self._open[volume, ""] = file
        return file

    def delete(self, name: str) -> None:
        """Delete a file, even an open one; a missing one is no error. Raises IOFailure."""
        volume, file_name = self._place(name)
        self.clock.advance(cycles.DISK_SOUGHT)
        if file_name == "":
            raise IOFailure(ILLEGAL_OPERATION)
        _check_name(file_name)
        place = self._found(volume, file_name)
        if volume is None:
            self.clock.advance(cycles.DISK_STILL_NOT_READY)
        if volume is None or place is None:
            return
        sector, fdr = place
        if fdr.flags & descriptors.PROTECTED:
            raise IOFailure(WRITE_PROTECTED)
        file = self._open.pop((volume, file_name), None)
        if isinstance(file, DiskDataFile):
            file.abandon()
            # The sectors written since OPEN are in no descriptor yet: without this they would stay
            # used.
            volume.write_descriptor(sector, fdr, file.sectors)
            fdr = descriptors.parse_fdr(volume.read(sector))
        volume.remove(sector, fdr)

    def load_program(self, name: str) -> bytes:
        """The bytes of a PROGRAM file; error 2 when there is none of that name and type."""
        volume, file_name = self._place(name)
        _check_name(file_name)
        place = self._found(volume, file_name)
        if volume is None or place is None or not place[1].flags & descriptors.PROGRAM:
            raise IOFailure(BAD_ATTRIBUTE)
        fdr = place[1]
        sectors = volume.sectors(fdr)
        for sector in sectors:
            volume.drive.read(sector)
        data = b"".join(volume.read(sector) for sector in sectors)
        # EOF offset 0 is a full last sector.
        return data[: len(data) - (SECTOR - fdr.eof_offset if fdr.eof_offset else 0)]

    def save_program(self, name: str, data: bytes) -> None:
        """Write a PROGRAM file in place of any file of that name."""
        volume, file_name = self._place(name)
        _check_name(file_name)
        place = self._found(volume, file_name)
        if volume is None:
            self.clock.advance(cycles.DISK_STILL_NOT_READY)
            raise IOFailure(DEVICE_ERROR)
        if place is None:
            sector = volume.create(file_name)
        else:
            sector, old = place
            if old.flags & descriptors.PROTECTED:
                raise IOFailure(WRITE_PROTECTED)
            volume.release(old)
            volume.write_descriptor(sector, Fdr(name=old.name), [])
        fdr = Fdr(
            name=descriptors.pad_name(file_name),
            flags=descriptors.PROGRAM,
            eof_offset=len(data) % SECTOR,
        )
        sectors: list[int] = []
        try:
            for at in range(0, len(data), SECTOR):
                volume.extend(sectors)
                volume.write(sectors[-1], data[at : at + SECTOR].ljust(SECTOR, b"\0"))
                volume.drive.write(sectors[-1])
        # Even a file that ran out of room gets its descriptor.
        finally:
            volume.write_descriptor(sector, fdr, sectors)
            volume.drive.write(VOLUME_BLOCK)

    def _found(self, volume: DiskVolume | None, name: str) -> tuple[int, Fdr] | None:
        """Descriptor sector and descriptor of a file; None if the file or the disk is missing."""
        if volume is None:
            self.clock.advance(cycles.DISK_NOT_READY)
            return None
        return volume.find(name)

    def _place(self, name: str) -> tuple[DiskVolume | None, str]:
        """Volume (None: no disk in the drive) and file name of a device name.

        Error 0 for an unknown device.
        """
        device, dot, rest = name.partition(".")
        if device == "DSK" and dot:
            volume_name, dot, rest = rest.partition(".")
            for volume in self._volumes.values():
                if volume.name == volume_name and dot:
                    return volume, rest
            raise IOFailure(FILE_ERROR)
        if device not in ALWAYS and device not in self._volumes:
            raise IOFailure(BAD_DEVICE)
        if not dot:
            raise IOFailure(FILE_ERROR)
        return self._volumes.get(device), rest

    def lose_files(self) -> None:
        """Forget the open files without closing them: their descriptors stay as they are."""
        for file in self._open.values():
            file.is_open = False
        self._forget_closed()

    def _forget_closed(self) -> None:
        self._open = {key: file for key, file in self._open.items() if file.is_open}
        self._named = {name: file for name, file in self._named.items() if file.is_open}


def _geometry(image: DiskImage) -> Geometry:
    try:
        return image.geometry
    except DiskError:
        return GEOMETRIES["SSSD"]


def _check_name(name: str) -> None:
    """Error 7 for a name that is empty, over ten characters, or has a space or dot."""
    if not 1 <= len(name) <= 10 or " " in name or "." in name:
        raise IOFailure(FILE_ERROR)


def _descriptor(name: str, length: int, request: OpenRequest) -> Fdr:
    flags = (descriptors.VARIABLE if request.variable else 0) | (
        descriptors.INTERNAL if request.internal else 0
    )
    per_sector = (SECTOR - 1) // (length + 1) if request.variable else SECTOR // length
    return replace(
        Fdr(name=descriptors.pad_name(name)),
        flags=flags,
        records_per_sector=per_sector & 0xFF,
        record_length=length,
    )


def _data_file(
    volume: DiskVolume, sector: int, fdr: Fdr, sectors: list[int], mode: Mode
) -> VariableFile | FixedFile:
    kind = VariableFile if fdr.flags & descriptors.VARIABLE else FixedFile
    return kind(volume, sector, fdr, sectors, mode)
