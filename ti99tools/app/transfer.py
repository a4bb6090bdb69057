"""Files taken off a disk: the form that fits each, and the host files they become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ti99tools.app.disk_programs import program_in
from ti99tools.base.errors import DiskError
from ti99tools.media.disk.extract import host_path, write_all, write_new
from ti99tools.media.disk.hostfiles import write_form
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import is_text
from ti99tools.media.disk.tifile import FileType

BY_EXTENSION = {".txt": "text", ".xb": "listing", ".bas": "listing", ".bin": "raw"}
EXTENSIONS = {"text": ".txt", "listing": ".xb", "raw": ".bin"}


@dataclass(frozen=True)
class Taken:
    """A file of a disk as a host file in some form."""

    name: str
    form: str
    path: Path
    content: bytes


def form_of(path: Path | None) -> str:
    """The form that an output's name implies."""
    return BY_EXTENSION.get(path.suffix.lower(), "tifiles") if path else "tifiles"


def take(
    disk: DiskImage, names: Sequence[str], form: str, into: Path, output: Path | None
) -> list[Taken]:
    """The files in a form, each for a path in the folder `into`, or the only one for `output`."""
    taken = []
    for name in names:
        used, content = _content(disk, name, form)
        path = output or host_path(into, name, EXTENSIONS.get(used, ""))
        taken.append(Taken(name, used, path, content))
    return taken


def write(taken: Sequence[Taken], into: Path, output: Path | None, replace: bool) -> None:
    """Write the files, all or none. Raises DiskError when one is in the way."""
    files = {file.path: file.content for file in taken}
    if output is not None:
        write_new(output, files[output], replace)
    else:
        write_all(into, files, replace)


def _content(disk: DiskImage, name: str, form: str) -> tuple[str, bytes]:
    """The form used and the bytes of the file `name` in it."""
    stored = disk.read_stored(name)
    if form in ("auto", "listing"):
        file = disk.read(name)
        program = program_in(file)
        if program is not None:
            return "listing", program.listing().encode("utf-8")
        if form == "listing":
            raise DiskError(f"{name} holds no BASIC program", remedy="choose another form")
        text = file.type is FileType.DIS_VAR and is_text(file.records)
        form = "text" if text else "tifiles"
    return form, write_form(stored, form)
