"""What a TARGET on the command line is: a source, a program file, a disk image, or a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import Place, SourceError, TIError
from ti99tools.base.hostio import check_output
from ti99tools.cli.sources import spare
from ti99tools.disk.image import DiskImage
from ti99tools.games.manifest import Seed
from ti99tools.machine.drives import DRIVES
from ti99tools.program.program import Program
from ti99tools.program.sourcefile import Source, read_source
from ti99tools.source.numbered import read_lines

if TYPE_CHECKING:
    from ti99tools.console.session import Console

SOURCES = (".xb", ".bas", ".txt", ".b99", ".lst")
"""File names that end so are sources; other files are told by their content."""


@dataclass
class Target:
    """Something to run: `program` to put into memory, or None to start from DSK1."""

    name: str
    program: Program | None = None
    disk: DiskImage | None = None
    seed: Seed | None = None
    file: str | None = None
    source: Source | None = None

    def where(self, line: int, offset: int = 0) -> Place:
        """The place in the source of a numbered line, or of the token at `offset` in it."""
        place = self.source.where(line, offset) if self.source else Place(self.file)
        return Place(_near(place.file), place.line, place.column)

    def start(self, console: Console) -> None:
        """Start the program, or the disk in DSK1."""
        if self.program is None:
            console.boot()
        else:
            console.load(self.program)
            console.start()


def _near(file: str | None) -> str | None:
    """A path as seen from here, when it lies below."""
    if file is None or not Path(file).is_relative_to(Path.cwd()):
        return file
    return str(Path(file).relative_to(Path.cwd()))


def find_target(name: str) -> Target:
    """Open a target: a path if there is such a file, else a game. Raises TIError."""
    path = Path(name)
    if not path.exists():
        return _game(name)
    if path.is_dir():
        raise TIError(f"{name}: a folder", remedy="give a source, a program or a disk image")
    if path.suffix.lower() not in SOURCES:
        try:
            return Target(name, disk=DiskImage.open(path), file=name)
        except TIError as error:
            not_a_disk = error
        try:
            return Target(name, Program.open(path), file=name)
        except SourceError:
            raise
        except TIError as error:
            raise TIError(
                f"{name}: neither a program nor a disk image",
                remedy=f"as a program: {error.problem}; as a disk: {not_a_disk.problem}",
            ) from error
    return _source(path)


def _source(path: Path) -> Target:
    source = read_source(path)
    return Target(str(path), source.program(), file=str(path), source=source)


def _game(name: str) -> Target:
    from ti99tools.games.artefacts import build_game
    from ti99tools.games.finding import find_game

    try:
        manifest = find_game(name)
    except TIError as error:
        raise TIError(f"{name}: no such file, and no such game", remedy=error.remedy) from error
    built = build_game(manifest)
    file = str(manifest.source_path)
    entries, _ = read_lines(built.generated.text, file)
    source = Source(file, entries, sourcemap=built.generated.sourcemap)
    return Target(name, disk=built.image, seed=manifest.seed, file=file, source=source)


def mounted(target: Target, disks: Iterable[str]) -> dict[str, DiskImage]:
    """The drives: the target's own disk, a blank DSK1 without one, and `DSKn=FILE` options."""
    images: dict[str, DiskImage] = {"DSK1": target.disk or DiskImage.new(name="BLANK")}
    for name, file in _drives(disks):
        images[name] = DiskImage.open(file)
    return images


def check_saves(target: Target, images: Mapping[str, DiskImage], saves: Iterable[str]) -> None:
    """Raise TIError when `save_disks` could not do what the options say."""
    for name, file in _drives(saves):
        if target.file is not None and target.disk is None:
            spare(Path(target.file), Path(file))
        if name not in images:
            raise TIError(f"no disk in {name}", remedy=f"give one with --disk {name}=FILE")
        check_output(file)


def save_disks(images: Mapping[str, DiskImage], saves: Iterable[str]) -> None:
    """Write images as `[DSKn=]FILE` options say."""
    for name, file in _drives(saves):
        images[name].save(file)


def _drives(options: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Drive and file of each `[DSKn=]FILE`."""
    for option in options:
        drive, _, file = option.rpartition("=")
        name = drive_name(drive or "DSK1")
        if not file:
            raise TIError(f"{option or name}: no file is named", remedy=f"write {name}=FILE")
        yield name, file


def drive_name(text: str) -> str:
    """`DSK2` for `dsk2`. Raises TIError for other names."""
    name = text.upper()
    if name not in DRIVES:
        drives = ", ".join(DRIVES)
        raise TIError(f"{text}: no drive", remedy=f"drives are {drives}: write DSK2=FILE")
    return name
