"""Disks in the drives of a run, host folders among them, and where they are saved.

A host folder can be in a drive as a disk: its TI files are on the disk, and changes are written
back. Visible are files in containers (TIFILES, V9T9), texts and sources directly in the folder; not
subfolders, and not links. A file that a program changes is written back to where it came from, a
text as text; new files, and programs saved over a source, become files in V9T9 containers. Sources,
and files that are not visible, are never written to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.app.disk_contents import stored_by_kind
from ti99tools.app.source import OutputKind, apart, keep_others, spare
from ti99tools.app.target import Target
from ti99tools.base.basic import SOURCES
from ti99tools.base.errors import DiskError, Place, Remedy, TIError
from ti99tools.base.hostio import check_output, read_bytes, write_atomically
from ti99tools.base.record import Record
from ti99tools.hardware.machine.drives import DRIVES
from ti99tools.language.program.hostfile import HostFile
from ti99tools.media.disk.extract import from_host, host_path
from ti99tools.media.disk.hostfiles import write_form
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import is_text
from ti99tools.media.disk.tifile import FileType, StoredFile, is_legal_name

GEOMETRY = "DSDD"
"""The format of a folder's disk: 1440 sectors, 127 files."""
MOST_BYTES = 400_000
"""The size in bytes above which a host file is skipped, since it cannot fit on that disk."""
_CONTAINERS = ("fiad", "tifiles")
_RANK = {"fiad": 0, "tifiles": 0, "text": 1, "source": 2}
"""Form → rank: of several host files with one TI name, the one of lowest rank is chosen.

Of two with the same rank neither is: they are refused.
"""


class _Seen(Record):
    """A TI file of the folder: its path, its form, and its content.

    `dotted`: its name has a `/` where that of the host file has a dot.
    """

    path: Path
    form: str
    stored: StoredFile
    dotted: bool = False


@dataclass
class FolderDrive:
    """A folder as a disk: `image` goes into the drive, `write_back` writes the changes.

    `hidden` says of host files that are not on the disk why, by the TI name that they would have.
    """

    folder: Path
    image: DiskImage
    seen: dict[str, _Seen] = field(default_factory=dict)
    hidden: dict[str, DiskError] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path) -> FolderDrive:
        """The disk of a folder. Raises TIError when its files do not fit or share a name."""
        by_name: dict[str, _Seen] = {}
        hidden: dict[str, DiskError] = {}
        for each in _files(folder, hidden):
            before = by_name.get(each.stored.name)
            if before is not None and (each.dotted or before.dotted):
                raise _two(folder, before, each)
            if before is None or _RANK[each.form] < _RANK[before.form]:
                by_name[each.stored.name] = each
            elif _RANK[each.form] == _RANK[before.form] and not _same_program(each, before):
                raise _two(folder, before, each)
        image = DiskImage.new(GEOMETRY, _disk_name(folder))
        drive = cls(folder, image, hidden=hidden)
        for name, each in by_name.items():
            try:
                image.add_stored(each.stored)
            except DiskError as error:
                raise DiskError(
                    error.problem,
                    remedy="use fewer files, or a disk image",
                    place=Place(str(each.path)),
                ) from error
            drive.seen[name] = _Seen(each.path, each.form, image.read_stored(name))
        return drive

    def write_back(self) -> None:
        """Write the files that have changed on the disk to the folder.

        A file that the program has deleted is removed if it was in a container. Raises TIError.
        """
        names = set(self.image.names())
        for name in sorted(names):
            stored, seen = self.image.read_stored(name), self.seen.get(name)
            if seen is None or seen.stored != stored:
                path, form = self._place(name, stored, seen)
                write_atomically(path, write_form(stored, form))
                self.seen[name] = _Seen(path, form, stored)
        for name in set(self.seen) - names:
            seen = self.seen.pop(name)
            if seen.form in _CONTAINERS and not seen.path.is_symlink():
                seen.path.unlink(missing_ok=True)

    def _place(self, name: str, stored: StoredFile, seen: _Seen | None) -> tuple[Path, str]:
        """Where a changed file goes, and in which form."""
        if seen is not None and not seen.path.is_symlink():
            if seen.form in _CONTAINERS:
                return seen.path, seen.form
            if seen.form == "text" and self._is_text(name, stored):
                return seen.path, "text"
        path = host_path(self.folder, name)
        for ending in ("", ".fiad", *(f"-{number}.fiad" for number in range(2, 100))):
            free = path.with_name(path.name + ending)
            if free.parent == self.folder and not free.exists() and not free.is_symlink():
                return free, "fiad"
        raise TIError(f"{path}: cannot be written", remedy="take old files out of the folder")

    def _is_text(self, name: str, stored: StoredFile) -> bool:
        return stored.type is FileType.DIS_VAR and is_text(self.image.read(name).records)


def _files(folder: Path, hidden: dict[str, DiskError]) -> Iterator[_Seen]:
    """The TI files of a folder; why others are none goes to `hidden`."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink() or not path.is_file():
            continue
        # What is not a TI file is invisible; a source with a mistake is an error.
        try:
            yield _seen(path)
        except DiskError as error:
            with suppress(DiskError):
                hidden[from_host(path.name)] = error


def _seen(path: Path) -> _Seen:
    """A host file as a file of the folder. Raises DiskError for one that is not a TI file."""
    if path.stat().st_size > MOST_BYTES:
        raise DiskError("the disk has no room for it", place=Place(str(path)))
    file = HostFile(read_bytes(path), str(path))
    form = file.container or ("source" if file.suffix in SOURCES else "text")
    try:
        return _Seen(path, form, stored_by_kind(file))
    except TIError as error:
        if error.meaning is not Remedy.NAME_WITH_SLASH:
            raise error.at(str(path)) from None
    try:
        name = from_host(path.name, dotted=True)
        return _Seen(path, form, stored_by_kind(file, name), dotted=True)
    except TIError as error:
        raise error.at(str(path)) from None


def _same_program(one: _Seen, other: _Seen) -> bool:
    """Tell whether two sources are one program, as a source and its listing are."""
    return one.form == other.form == "source" and one.stored == other.stored


def _two(folder: Path, one: _Seen, other: _Seen) -> TIError:
    both = f"{one.path.name} and {other.path.name} are both {other.stored.name}"
    return TIError(f"{folder}: {both}", remedy="take one of them out of the folder")


def _disk_name(folder: Path) -> str:
    try:
        name = from_host(folder.resolve().name)
    except DiskError:
        return "FOLDER"
    return name if is_legal_name(name) else "FOLDER"


Mounts = Sequence[tuple[str, Path]]
"""Pairs of a drive (`DSK2`) and an image file or folder."""


class RunDrives(dict[str, DiskImage]):
    """Drive → its disk; `folders` are the drives that hold host folders."""

    def __init__(self, images: Mapping[str, DiskImage]) -> None:
        super().__init__(images)
        self.folders: dict[str, FolderDrive] = {}


def mounted(target: Target, disks: Mounts = ()) -> RunDrives:
    """The drives: the target's own disk or an empty one in DSK1, further images and folders.

    Raises TIError for two disks in one drive; the target's own may be replaced.
    """
    images = RunDrives({"DSK1": target.disk or DiskImage.new(name="BLANK")})
    given: dict[str, Path] = {}
    for name, file in disks:
        if name in given:
            problem = f"two disks for {name}: {given[name]} and {file}"
            drive = next((one for one in DRIVES if one not in (*given, "DSK1")), "")
            remedy = f"name a drive for each, such as {drive}={file}" if drive else "leave one out"
            raise TIError(problem, remedy=remedy)
        given[name] = file
        if file.is_dir():
            images.folders[name] = FolderDrive.of(file)
            images[name] = images.folders[name].image
        else:
            images[name] = DiskImage.open(file)
    return images


def check_saves(
    target: Target, images: Mapping[str, DiskImage], saves: Mounts, replace: bool = False
) -> None:
    """Raise TIError when `save_disks` would be impossible, or overwrite something else.

    With `replace` anything may be overwritten; see `keep_others`.
    """
    apart(*(file for _, file in saves))
    for name, file in saves:
        if target.file is not None and target.disk is None:
            spare(Path(target.file), file)
        if name not in images:
            raise TIError(f"no disk in {name}", remedy=Remedy.DISK_FOR_DRIVE.of(drive=name))
        check_output(file)
        if not _keeps_form(images[name], file):
            _check_form(images[name], file)
        if not images[name].is_from(file):
            keep_others(file, kind=OutputKind.DISK, replace=replace)


def _check_form(image: DiskImage, file: Path) -> None:
    """Raise DiskError, before a run that may be long, when `file` cannot hold the image."""
    from ti99tools.app.disk import Output
    from ti99tools.media.disk.convert import convert

    try:
        convert(image, Output(path=file).disk_form)
    except DiskError as error:
        raise error.at(str(file)) from None


def _keeps_form(image: DiskImage, file: Path) -> bool:
    """Tell whether `image` keeps its form: saved to its own file, or to one without extension."""
    return image.is_from(file) or not file.suffix


def save_disks(images: Mapping[str, DiskImage], saves: Mounts) -> None:
    """Write the images of drives to files, and the changes on folders' disks back to the folders.

    A file's extension names the form, as in `disk convert`; without one the image keeps its own.
    """
    for name, file in saves:
        if _keeps_form(images[name], file):
            images[name].save(file)
        else:
            # Imported late: most runs save no disk, and the writers of all forms load slowly.
            from ti99tools.app.disk import Output

            Output(path=file, replace=True).write(images[name])
    if isinstance(images, RunDrives):
        for folder in images.folders.values():
            folder.write_back()
