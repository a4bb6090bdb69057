"""Disk images opened, made and written as the `disk` commands do, and files taken off them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ti99tools.app.disk_contents import program_in
from ti99tools.base.errors import DiskError, Place, Remedy
from ti99tools.base.hostio import held, read_bytes, write_atomically
from ti99tools.base.record import Record
from ti99tools.media.disk.containers import FORMS
from ti99tools.media.disk.containers.cf7 import is_card, volumes
from ti99tools.media.disk.convert import convert, form_for, reshape
from ti99tools.media.disk.extract import host_path, select, write_all, write_new
from ti99tools.media.disk.geometry import geometry as named
from ti99tools.media.disk.hostfiles import write_form
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import is_text, load
from ti99tools.media.disk.repair import deleted, restore
from ti99tools.media.disk.tifile import FileType

SECTORS = (".img", ".ima", ".dd", ".dsd", ".v9t9", ".tidisk", ".tmp")
"""Further extensions that mean a sector image."""


def open_image(path: Path, volume: int = 1, strict: bool = True) -> DiskImage:
    """The disk in `path`. Raises DiskError, with a message of its own for a TI file."""
    try:
        return DiskImage.open(path, volume, strict)
    except DiskError as error:
        if not (path.is_file() and is_container(path)):
            raise
        remedy, place = Remedy.ADD_TO_DISK, Place(str(path))
        raise DiskError("a TI file, not a disk image", remedy=remedy, place=place) from error


def open_for_change(path: Path, volume: int = 1) -> DiskImage:
    """The disk in `path`. Raises DiskError as `open_image` does, and for a protected disk."""
    image = open_image(path, volume)
    if image.protected:
        place = Place(str(path))
        raise DiskError("the disk is protected", remedy=Remedy.UNPROTECT_DISK, place=place)
    return image


@contextmanager
def changing(path: Path, volume: int = 1, even_protected: bool = False) -> Iterator[DiskImage]:
    """The disk in `path`, locked while the body runs, and saved unless the body raises.

    Raises DiskError as `open_for_change` does, and TIError when another program changes the file.
    """
    with held(path):
        image = open_image(path, volume) if even_protected else open_for_change(path, volume)
        yield image
        image.save(path)


def is_container(path: Path) -> bool:
    """Tell whether `path` is a TI file in a container."""
    from ti99tools.language.program.hostfile import FileKind, HostFile

    return HostFile.open(path).kind is FileKind.CONTAINER


class Output(Record):
    """Where and how an image is written: its path, form (None: by the extension) and volume.

    With `replace` an existing file is overwritten; a card always keeps its other volumes. With
    `force` unreadable sectors are written as far as they could be read.
    """

    path: Path
    form: str | None = None
    volume: int = 1
    replace: bool = False
    force: bool = False

    @property
    def disk_form(self) -> str:
        """The form of a disk image. Raises DiskError for an unknown extension."""
        named_form = self.form or form_for(str(self.path))
        if named_form is None and self.path.suffix and self.path.suffix.lower() not in SECTORS:
            known = ", ".join(f".{each} ({form.key})" for form in FORMS for each in form.extensions)
            problem = f"{self.path.suffix} is the extension of no disk image"
            remedy = f"use one of {known}, or give the form"
            raise DiskError(problem, remedy=remedy, place=Place(str(self.path)))
        return named_form or "dsk"

    def write(self, disk: DiskImage) -> None:
        """Write `disk`. Raises DiskError when the file or volume exists and may not be replaced."""
        if self.disk_form == "cf7" and self.path.exists():
            with held(self.path):
                self._write_volume(disk)
        else:
            data = convert(disk, self.disk_form, self.volume, b"", self.force)
            write_new(self.path, data, self.replace)

    def _write_volume(self, disk: DiskImage) -> None:
        """Write `disk` to a card, whose other volumes stay."""
        there = read_bytes(self.path)
        card = there if is_card(there) else b""
        if not self.replace and (not card or self.volume in volumes(card)):
            place = Place(str(self.path))
            problem = f"volume {self.volume} already exists"
            raise DiskError(problem, remedy=Remedy.REPLACE_VOLUME, place=place)
        data = convert(disk, self.disk_form, self.volume, card, self.force)
        write_atomically(self.path, data, there)


def new_disk(output: Output, geometry: str | None, name: str) -> DiskImage:
    """An empty disk that fits the output's form."""
    default = "CF" if output.disk_form == "cf7" else "SSSD"
    return DiskImage.new(geometry or default, name)


def convert_image(path: Path, volume: int, geometry: str | None, output: Output) -> DiskImage:
    """Write the disk in `path` in another form or geometry; returns the disk that was written."""
    disk = open_image(path, volume)
    converted = reshape(disk, named(geometry)) if geometry else disk
    output.write(converted)
    return converted


def convert_file(source: Path, output: Path, form: str, replace: bool) -> int:
    """Write the TI file in the container `source` in another form; returns the bytes written.

    Raises DiskError for a file without a container.
    """
    from ti99tools.language.program.hostfile import HostFile

    stored = HostFile.open(source).ti_file
    if stored is None:
        raise DiskError(
            "not a TIFILES or V9T9 file", remedy=Remedy.GET_FILES, place=Place(str(source))
        )
    data = write_form(stored, form)
    write_new(output, data, replace)
    return len(data)


def card_volumes(path: Path) -> dict[int, str]:
    """The names of the volumes on a CF7+ card. Raises DiskError for another file."""
    data = read_bytes(path)
    if not is_card(data):
        place = Place(str(path))
        raise DiskError("only CF7+ cards have volumes", remedy=Remedy.NO_VOLUMES, place=place)
    return volumes(data)


def sector_of(path: Path, number: int, volume: int) -> bytes:
    """A sector's bytes, even of a disk that is damaged or not initialised.

    Raises DiskError for a number outside the disk.
    """
    disk = open_image(path, volume, strict=False)
    held = disk.volume.held
    if number >= held:
        problem = f"sector {number} is outside the disk of {held} sectors"
        raise DiskError(problem, remedy=f"choose one from 0 to {held - 1}")
    return disk.sector(number)


def deleted_files(disk: DiskImage) -> dict[str, int]:
    """Deleted files that can be restored: name → sector of its FDR, ordered by sector."""
    found = {disk.describe(sector).name: sector for sector in reversed(deleted(disk.volume))}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def undelete(disk: DiskImage, patterns: Sequence[str]) -> list[DiskError]:
    """Restore deleted files; returns an error for each that cannot be restored.

    Raises DiskError when none can.
    """
    found = deleted_files(disk)
    try:
        chosen = select(list(found), patterns, "among the deleted ones")
    except DiskError as error:
        known = f"they are {', '.join(found)}" if found else "none is left on the disk"
        raise DiskError(error.problem, remedy=known) from error
    left: list[DiskError] = []
    for name in chosen:
        try:
            restore(disk, found[name])
        except DiskError as error:
            left.append(error)
    if left and len(left) == len(chosen):
        raise left[0]
    return left


BY_EXTENSION = {".txt": "text", ".xb": "listing", ".bas": "listing", ".bin": "raw"}
EXTENSIONS = {"text": ".txt", "listing": ".xb", "raw": ".bin"}


@dataclass(frozen=True)
class TakenFile:
    """A file taken off a disk: its form, its host path and the content to write there."""

    name: str
    form: str
    path: Path
    content: bytes


def form_of(path: Path | None) -> str:
    """The form that an output's extension implies; TIFILES by default."""
    return BY_EXTENSION.get(path.suffix.lower(), "tifiles") if path else "tifiles"


def take(
    disk: DiskImage, names: Sequence[str], form: str, into: Path, output: Path | None
) -> list[TakenFile]:
    """The files in a form, each with its host path: in the folder `into`, or else `output`."""
    files = []
    for name in names:
        used, content = _content(disk, name, form)
        path = output or host_path(into, name, EXTENSIONS.get(used, ""))
        files.append(TakenFile(name, used, path, content))
    return files


def write(outputs: Sequence[TakenFile], into: Path, output: Path | None, replace: bool) -> None:
    """Write all the files or none. Raises DiskError when one exists, unless `replace`."""
    files = {file.path: file.content for file in outputs}
    if output is not None:
        write_new(output, files[output], replace)
    else:
        write_all(into, files, replace)


def _content(disk: DiskImage, name: str, form: str) -> tuple[str, bytes]:
    """The form used and the bytes of the file `name` in it."""
    stored = disk.read_stored(name)
    if form in ("auto", "listing"):
        file = load(stored)
        program = program_in(file)
        if program is not None:
            return "listing", program.listing().encode("utf-8")
        if form == "listing":
            raise DiskError(f"{name} holds no BASIC program", remedy="choose another form")
        text = file.type is FileType.DIS_VAR and is_text(file.records)
        form = "text" if text else "tifiles"
    return form, write_form(stored, form)
