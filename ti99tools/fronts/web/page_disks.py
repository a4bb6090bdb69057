"""The disks of the page: created, opened from files, listed, changed, and saved.

Each program of the page has drives of its own, so that no program reads, changes or replaces the
disks of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from ti99tools.app.disk_contents import program_in
from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import DiskError, TIError
from ti99tools.hardware.machine.drives import DRIVES
from ti99tools.language.program.hostfile import HostFile
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.checks.index import ERROR
from ti99tools.media.disk.convert import convert
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import is_text, to_text
from ti99tools.media.disk.tifile import FileType, StoredFile

LARGEST = 4_000_000
"""The most bytes of an image; the largest disk has 1.5 million, twice that as HFE."""


class ProgramDrives:
    """The drives of each program by the program's name; they are empty at first."""

    def __init__(self) -> None:
        self._owners: dict[str, PageDisks] = {}

    def __getitem__(self, owner: str) -> PageDisks:
        """The drives of a program."""
        return self._owners.setdefault(owner, PageDisks())

    def copy(self, owner: str, name: str) -> None:
        """Give a program, which has no disks yet, copies of another one's."""
        copied = self._owners[name] = PageDisks()
        for drive, image in self[owner].images.items():
            copied.restore(drive, self[owner].origin(drive), image.to_bytes())

    def move(self, owner: str, name: str) -> None:
        """Give the disks of a program to the name that it has from now on."""
        if owner in self._owners:
            self._owners[name] = self._owners.pop(owner)

    def forget(self, owner: str) -> None:
        """Forget the drives of a program that is no more."""
        self._owners.pop(owner, None)

    def described(self) -> list[dict[str, Any]]:
        """All disks of all programs: see `PageDisks.record_of`."""
        return [
            {"owner": owner, **disks.record_of(drive)}
            for owner, disks in self._owners.items()
            for drive in disks.images
        ]


@dataclass(frozen=True)
class OriginalDisk:
    """A disk as its program brought it: SHA-256 of the whole, and of each file by name."""

    whole: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, image: DiskImage) -> OriginalDisk:
        """What a disk is now."""
        files = {name: _file_digest(image, name) for name in image.names()}
        return cls(sha256(image.to_bytes()).hexdigest(), files)


def _file_digest(image: DiskImage, name: str) -> str:
    stored = image.read_stored(name)
    return sha256(hostfiles.write_form(stored, "tifiles")).hexdigest()


@dataclass(frozen=True)
class Exchange:
    """The disk that a program's own disk has replaced.

    `old` is its content; `carried` are the files that were taken over from it, since play had
    written them, `left` those that found no room.
    """

    old: bytes
    carried: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True)
class Loss:
    """Files that play has written to a disk, and that its successor does not have so."""

    drive: str
    name: str
    files: tuple[str, ...]


class PageDisks:
    """The disks of one program by drive; a drive may be empty."""

    def __init__(self) -> None:
        self.images: dict[str, DiskImage] = {}
        self._origins: dict[str, tuple[DiskImage, OriginalDisk]] = {}
        """Drive → the disk that a program brought, and what it was then."""

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

    def in_the_way(self, drive: str) -> bool:
        """Tell whether a drive has a disk that is a user's own, or cannot be read."""
        image = self.images.get(drive)
        if image is None:
            return False
        try:
            return not self._brought(drive).whole and bool(image.names())
        except TIError:
            return True

    def insert(self, drive: str, image: DiskImage) -> Exchange | None:
        """Put a program's disk into a drive, unless it is there already, perhaps changed.

        Files that play has written to an earlier disk of the program come along, since they are
        scores and the like. Returns what was replaced, None if that was nothing.
        """
        new, before = OriginalDisk.of(image), self._brought(drive)
        if before.whole == new.whole:
            return None
        old = self.images.get(drive)
        exchange = None if old is None else _carried(old, before, image, new)
        self.put(drive, image)
        self._origins[drive] = image, new
        return exchange

    def lost_for(self, others: PageDisks) -> list[Loss]:
        """What would be lost if others took the places of these disks."""
        found = []
        for drive, image in self.images.items():
            other = others.images.get(drive)
            if other is None:
                continue
            before, there = self._brought(drive), OriginalDisk.of(other)
            files = (name for name in _names(image) if _is_lost(image, name, before, there))
            if lost := tuple(files):
                found.append(Loss(drive, image.name, lost))
        return found

    def take_over(self, others: PageDisks) -> None:
        """Put the disks of others into these drives, with their origins."""
        for drive, image in others.images.items():
            self.images[drive] = image
            self._origins.pop(drive, None)
            if drive in others._origins:
                self._origins[drive] = others._origins[drive]

    def _brought(self, drive: str) -> OriginalDisk:
        """What the disk in a drive was when its program brought it; empty for a user's disk."""
        image, brought = self._origins.get(drive, (None, OriginalDisk()))
        return brought if image is not None and image is self.images.get(drive) else OriginalDisk()

    def swap(self, images: Mapping[str, DiskImage]) -> list[str]:
        """Put the same disks as they were earlier into their drives; they keep their origins.

        Returns the drives whose disks were different.
        """
        changed = []
        for drive, image in images.items():
            if drive in self.images and image.to_bytes() != self.images[drive].to_bytes():
                changed.append(drive)
            if self._brought(drive).whole:
                self._origins[drive] = image, self._brought(drive)
            self.images[drive] = image
        return changed

    def origin(self, drive: str) -> dict[str, Any] | None:
        """The same as a JSON object; None for a user's disk."""
        brought = self._brought(drive)
        return asdict(brought) if brought.whole else None

    def restore(self, drive: str, origin: str | Mapping[str, Any] | None, data: bytes) -> None:
        """Put back a disk that the browser has kept, with its `origin`. Raises TIError.

        Before 1.2 the origin was the SHA-256 of the whole disk alone.
        """
        image = DiskImage.from_bytes(data)
        self.put(drive, image)
        if origin:
            original = OriginalDisk(origin) if isinstance(origin, str) else OriginalDisk(**origin)
            self._origins[drive] = image, original

    def record_of(self, drive: str) -> dict[str, Any]:
        """A disk as the browser is to keep it: its drive, name, origin and SHA-256."""
        image, description = self[drive], self._drive(drive)
        digest = sha256(image.to_bytes()).hexdigest()
        facts = {"drive": drive, "name": description["name"], "origin": description["origin"]}
        return {**facts, "digest": digest, "damaged": "damaged" in description}

    def look(self, drive: str, name: str, data: bytes) -> dict[str, Any]:
        """What `take` would do with a host file: `replaces`, `damage`, and what they are about.

        `replaces`: `disk` if the disk in the drive has to go, `file` if a file of it has to, else
        empty. `program`: name and listing of the program that a disk starts, or of its first one.
        Raises TIError like `take`.
        """
        content, damage = _read(name, data)
        image = self.images.get(drive)
        if isinstance(content, DiskImage):
            same = image is not None and image.to_bytes() == content.to_bytes()
            replaces = "disk" if image is not None and not same and _has_work(image) else ""
            description = {"replaces": replaces, "damage": damage, "name": PurePath(name).name}
            return {**description, "program": _program_on(content)}
        there = image is not None and content.name in image
        return {
            "replaces": "file" if there else "",
            "damage": "",
            "name": content.name,
            "program": None,
        }

    def take(self, drive: str, name: str, data: bytes) -> str:
        """Take a host file: a disk goes into the drive, a TI file onto the disk there.

        Returns a line about it, which says what is wrong with a damaged disk. Raises TIError for
        anything else, and for a disk that cannot be read; the drive then keeps its disk.
        """
        stored, damage = _read(name, data)
        if isinstance(stored, DiskImage):
            self.put(drive, stored)
            warning = f", but it is damaged: {damage}" if damage else ""
            return f"{PurePath(name).name} is in {drive}{warning}"
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
            return {"drive": drive, "name": None, "origin": None}
        try:
            return {"drive": drive, "origin": self.origin(drive), **_described(image)}
        except TIError as error:
            description = {
                "name": "?",
                "damaged": error.problem,
                "files": [],
                "free": 0,
                "total": 0,
            }
            return {"drive": drive, "origin": self.origin(drive), **description}

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


def _read(name: str, data: bytes) -> tuple[DiskImage | StoredFile, str]:
    """The disk or TI file in a host file, and what is wrong with the disk. Raises TIError."""
    if not data:
        raise DiskError(f"{name} is empty: it has no bytes", remedy="copy it here again")
    if len(data) > LARGEST:
        problem = f"{name} is too large for a disk: {len(data):,} bytes"
        raise DiskError(problem, remedy="of a card's image open one volume, cut out of it")
    file = HostFile(data, name)
    stored, image = file.ti_file, file.disk
    if stored is not None:
        return stored, ""
    if image is None:
        raise file.no_disk.at(name)
    try:
        _described(image)
    except TIError as error:
        problem = f"{name} is damaged: {error.problem}"
        raise DiskError(problem, remedy="repair it, or take another copy") from None
    wrong = [each for each in check(image.volume) if each.severity == ERROR]
    return image, f"{wrong[0].place}: {wrong[0].problem}" if wrong else ""


def _program_on(image: DiskImage) -> tuple[str, str] | None:
    """The program that a disk starts, or its first one: name and listing."""
    names = sorted(_names(image), key=lambda name: name != AUTOSTART)
    for name in names:
        try:
            program = program_in(image.read(name))
        except TIError:
            continue
        if program is not None:
            return name, program.listing()
    return None


def _has_work(image: DiskImage) -> bool:
    """Tell whether something would be lost with a disk."""
    try:
        return bool(image.files())
    except TIError:
        return True


def _carried(old: DiskImage, before: OriginalDisk, image: DiskImage, new: OriginalDisk) -> Exchange:
    """Take what play has written to a program's old disk over to its new one."""
    data = old.to_bytes()
    carried, left = [], []
    for name in _names(old):
        try:
            if _played(name, _file_digest(old, name), before, new):
                image.add_stored(old.read_stored(name), replace=True)
                carried.append(name)
        except TIError:
            left.append(name)
    return Exchange(data, tuple(carried), tuple(left))


def _is_lost(image: DiskImage, name: str, before: OriginalDisk, there: OriginalDisk) -> bool:
    """Tell whether a file is neither as its program brought it nor as it is on the other disk."""
    try:
        return _file_digest(image, name) not in (before.files.get(name), there.files.get(name))
    except TIError:
        return True


def _played(name: str, digest: str, before: OriginalDisk, new: OriginalDisk) -> bool:
    """Tell whether play has written a file: it is not as the program brought it."""
    if not before.files:  # kept by an older version
        return name not in new.files
    return digest not in (before.files.get(name), new.files.get(name))


def _names(image: DiskImage) -> list[str]:
    """The files of a disk; none if its catalogue cannot be read."""
    try:
        return image.names()
    except TIError:
        return []


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
