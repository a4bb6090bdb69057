"""The disks of the page: created, opened from files, listed, changed, and saved."""

from __future__ import annotations

from hashlib import sha256
from pathlib import PurePath
from typing import Any

from ti99tools.app.disk_contents import program_in
from ti99tools.base.errors import DiskError, TIError
from ti99tools.hardware.machine.drives import DRIVES
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.checks.index import ERROR
from ti99tools.media.disk.convert import convert
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import is_text, to_text
from ti99tools.media.disk.tifile import FileType

LARGEST = 4_000_000
"""The most bytes of an image; the largest disk has 1.5 million, twice that as HFE."""


class PageDisks:
    """The disks by drive; a drive may be empty."""

    def __init__(self) -> None:
        self.images: dict[str, DiskImage] = {}
        self._origins: dict[str, tuple[DiskImage, str]] = {}
        """Drive → the disk that a program brought, and the SHA-256 of its original content."""

    def __getitem__(self, drive: str) -> DiskImage:
        """The disk in a drive. Raises DiskError for an empty one."""
        image = self.images.get(drive)
        if image is None:
            raise DiskError(f"there is no disk in {drive}", remedy="make one, or open a file")
        return image

    def make(self, drive: str, geometry: str, name: str) -> None:
        """Put an empty disk into a drive. Raises TIError."""
        self.put(drive, DiskImage.new(geometry, name))

    def put(self, drive: str, image: DiskImage) -> None:
        """Put a disk into a drive. Raises TIError for an unknown drive."""
        if drive not in DRIVES:
            raise TIError(f"no drive {drive}", remedy=f"use one of {', '.join(DRIVES)}")
        self.images[drive] = image

    def insert(self, drive: str, image: DiskImage) -> None:
        """Put a program's disk into a drive, unless it is there already, perhaps changed."""
        origin = sha256(image.to_bytes()).hexdigest()
        if self.origin(drive) != origin:
            self.put(drive, image)
            self._origins[drive] = image, origin

    def origin(self, drive: str) -> str:
        """The SHA-256 of the disk as its program brought it; empty for a user's disk."""
        image, origin = self._origins.get(drive, (None, ""))
        return origin if image is not None and image is self.images.get(drive) else ""

    def restore(self, drive: str, origin: str, data: bytes) -> None:
        """Put back a disk that the browser has kept, with its `origin`. Raises TIError."""
        image = DiskImage.from_bytes(data)
        self.put(drive, image)
        if origin:
            self._origins[drive] = image, origin

    def take(self, drive: str, name: str, data: bytes) -> str:
        """Take a host file: a disk goes into the drive, a TI file or a text onto the disk there.

        Returns a line about it, which says what is wrong with a damaged disk. Raises TIError for
        anything else, and for a disk that cannot be read; the drive then keeps its disk.
        """
        if not data:
            raise DiskError(f"{name} is empty: it has no bytes", remedy="copy it here again")
        if len(data) > LARGEST:
            problem = f"{name} is too large for a disk: {len(data):,} bytes"
            raise DiskError(problem, remedy="of a card's image open one volume, cut out of it")
        stored = hostfiles.read_container(data, name)
        if stored is None:
            try:
                image = DiskImage.from_bytes(data)
            except TIError as error:
                raise error.at(name) from None
            try:
                _described(image)
            except TIError as error:
                problem = f"{name} is damaged: {error.problem}"
                raise DiskError(problem, remedy="repair it, or take another copy") from None
            self.put(drive, image)
            wrong = [each for each in check(image.volume) if each.severity == ERROR]
            told = f", but it is damaged: {wrong[0].place}: {wrong[0].problem}" if wrong else ""
            return f"{PurePath(name).name} is in {drive}{told}"
        if drive not in self.images:
            self.make(drive, "SSSD", "DISK")
        self[drive].add_stored(stored, replace=True)
        return f"{stored.name} is on the disk in {drive}"

    def eject(self, drive: str) -> None:
        """Take the disk out of a drive."""
        self.images.pop(drive, None)

    def described(self) -> list[dict[str, Any]]:
        """All drives: their disks and catalogues; `damaged` says what is wrong with a disk."""
        return [self._drive(drive) for drive in DRIVES]

    def _drive(self, drive: str) -> dict[str, Any]:
        image = self.images.get(drive)
        if image is None:
            return {"drive": drive, "name": None, "origin": ""}
        try:
            return {"drive": drive, "origin": self.origin(drive), **_described(image)}
        except TIError as error:
            told = {"name": "?", "damaged": error.problem, "files": [], "free": 0, "total": 0}
            return {"drive": drive, "origin": self.origin(drive), **told}

    def saved(self, drive: str, form: str) -> bytes:
        """The disk in a drive as a file of a form: `dsk` or `hfe`."""
        return convert(self[drive], form, 1, b"", False)

    def file(self, drive: str, name: str, form: str) -> tuple[str, bytes]:
        """A file of a disk for the host: its name there, and its bytes.

        `form` is `tifiles`, or `text` for a program's listing or a text. Raises TIError.
        """
        image = self[drive]
        if form == "tifiles":
            return f"{name}.tfi", hostfiles.write_form(image.read_stored(name), "tifiles")
        file = image.read(name)
        program = program_in(file)
        if program is not None:
            return f"{name.lower()}.bas", program.listing().encode()
        if file.type is FileType.DIS_VAR and is_text(file.records):
            return f"{name.lower()}.txt", to_text(file.records).encode()
        stored = records.store(file)
        raise DiskError(f"{stored.name} is neither a program nor a text")

    def remove(self, drive: str, name: str) -> None:
        """Remove a file from a disk. Raises DiskError."""
        self[drive].remove(name)


def _described(image: DiskImage) -> dict[str, Any]:
    """A disk's name, room and catalogue. Raises TIError when it is damaged."""
    files = [
        {
            "name": f"{info.directory}.{info.name}" if info.directory else info.name,
            "type": str(info.type.label),
            "length": info.recl,
            "sectors": info.size,
            "protected": info.protected,
        }
        for info in image.files()
    ]
    free, total = image.free_sectors, image.total_sectors
    return {"name": image.name, "free": free, "total": total, "files": files}
