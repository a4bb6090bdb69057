"""What a game is built to: its program and its disk in the forms that people need."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ti99tools.base.errors import BuildError, TIError
from ti99tools.base.hosttext import decode
from ti99tools.disk.containers.hfe import create_hfe
from ti99tools.disk.image import DiskImage
from ti99tools.disk.text import to_records
from ti99tools.disk.tifile import DiskFile
from ti99tools.disk.tifiles import build_tifiles
from ti99tools.games.loader import loading
from ti99tools.games.manifest import AUTOSTART, Manifest
from ti99tools.games.manual import plain_text
from ti99tools.games.twins import Twins
from ti99tools.optimize import optimize
from ti99tools.optimize.mapping import mapped
from ti99tools.program.embedding import with_code
from ti99tools.program.image import Line
from ti99tools.program.program import Program
from ti99tools.source.dialect import Generated, generate_file
from ti99tools.source.listing import list_lines
from ti99tools.source.tokenize import EDITOR_LINE_BYTES

SIZES = ("SSSD", "DSSD")
"""Geometries that every controller and emulator reads, the smallest first."""
ROOM = 60
"""Sectors that a disk keeps free for high scores and play logs."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file to be written: its name and its bytes."""

    name: str
    data: bytes


class Bundle(Protocol):
    """Something built to files that belong together: a game, or the disk of all games."""

    @property
    def name(self) -> str:
        """What the files' names begin with."""
        ...

    @property
    def label(self) -> str:
        """What CATALOG calls it."""
        ...

    @property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The files."""
        ...


@dataclass(frozen=True, slots=True)
class Built:
    """A game, built; `files` are those on its disk beside `LOAD`."""

    manifest: Manifest
    generated: Generated
    program: Program
    image: DiskImage
    files: tuple[DiskFile, ...]
    artefacts: tuple[Artefact, ...]

    @property
    def name(self) -> str:
        """See `Bundle`."""
        return self.manifest.game

    @property
    def label(self) -> str:
        """See `Bundle`."""
        return f"{self.manifest.title} {self.manifest.version}"


def generate_game(
    manifest: Manifest, *, pack: bool = True, twins: Twins | None = None
) -> Generated:
    """The numbered listing of a game's main program, VERSION$ being its version.

    `twins` takes the machine code of SUBs that have any; without it they are SUBs.
    """
    return _generated(manifest, manifest.source_path, pack, twins)


def _generated(
    manifest: Manifest, path: Path, pack: bool = True, twins: Twins | None = None
) -> Generated:
    native = None if twins is None else twins.entered
    defines = manifest.constants
    return generate_file(path, root=manifest.folder, defines=defines, pack=pack, native=native)


def as_program(generated: Generated, path: Path) -> Program:
    """The program of a listing; `path` is named in errors."""
    return Program.from_listing(generated.text, str(path), limit=EDITOR_LINE_BYTES)


def optimized(
    generated: Generated,
    program: Program,
    passes: Collection[str] | None,
    routines: Collection[str] = (),
    hot: Sequence[str] = (),
) -> tuple[Generated, Program]:
    """A listing and its program after passes of `optimize` (None: all); TIError: unknown pass.

    `routines` of machine code do not look at the program; `hot` names are looked up most.
    """
    given = [(line.number, line.tokens) for line in program.lines]
    found = optimize(given, passes, routines, hot)
    if not found.applied:
        return generated, program
    listing = list(list_lines(found.lines))
    lines = (Line(number, tokens) for number, tokens in found.lines)
    return Generated(listing, mapped(generated.sourcemap, found)), Program.from_lines(lines)


def program_file(program: Program, name: str) -> DiskFile:
    """The file that SAVE would write."""
    saved = program.saved()
    if saved.type == "PROGRAM":
        assert isinstance(saved.content, bytes)
        return DiskFile.program(name, saved.content)
    assert isinstance(saved.content, tuple)
    return DiskFile.internal_var(name, saved.content, saved.recl)


def build_game(
    manifest: Manifest, passes: Collection[str] | None = None, *, native: bool = True
) -> Built:
    """Generate, optimize, tokenize and package a game. The same sources give the same bytes.

    `passes` names passes of `optimize`; without it those of the manifest are used. SUBs with a twin
    in machine code are that, unless not `native`. Raises SourceError, ProgramError or BuildError.
    """
    twins = Twins(manifest.folder)
    generated = generate_game(manifest, twins=twins if native else None)
    chosen = manifest.passes if passes is None else passes
    program = as_program(generated, manifest.source_path)
    generated, program = optimized(generated, program, chosen, twins.names, manifest.hot)
    program = with_code(program, twins.code)
    files = [program_file(program, manifest.program)]
    files += [_extra(manifest, index) for index in range(len(manifest.files))]
    if manifest.manual_path.is_file():
        files.append(_manual(manifest))
    image = packed_disk(
        manifest.game,
        manifest.disk,
        [_autostart(manifest, program), *files],
        [manifest.geometry] if manifest.geometry else SIZES,
    )
    artefacts = (
        *disk_artefacts(manifest.game, image),
        *(tifiles_artefact(manifest.game, image, file.name) for file in files),
    )
    return Built(manifest, generated, program, image, tuple(files), artefacts)


def _autostart(manifest: Manifest, program: Program) -> DiskFile:
    """`LOAD`: the program again, or, as the long form takes its time, one that draws a picture."""
    whole = program_file(program, AUTOSTART)
    if whole.type.label == "PROGRAM":
        return whole
    listing = "".join(f"{line}\n" for line in loading(manifest))
    return program_file(Program.from_listing(listing, AUTOSTART), AUTOSTART)


def packed_disk(
    who: str, name: str, files: Sequence[DiskFile], geometries: Sequence[str]
) -> DiskImage:
    """A disk named `name` with the files, of the first geometry that leaves `ROOM`, else the last.

    Raises BuildError that says of `who` what does not go on the disk.
    """
    names = [file.name for file in files]
    for file in names:
        if names.count(file) > 1:
            raise BuildError(f"{who}: two files are named {file}", remedy="rename one")
    for geometry in geometries:
        image = DiskImage.new(geometry, name)
        try:
            for entry in files:
                image.add(entry)
        except TIError as error:
            problem = f"{who}: {entry.name} does not go on the disk: {error.problem}"
            continue
        if image.free_sectors >= ROOM or geometry == geometries[-1]:
            return image
    raise BuildError(problem, remedy='choose a larger geometry, e.g. geometry = "DSDD"')


def disk_artefacts(name: str, image: DiskImage) -> tuple[Artefact, ...]:
    """A disk as sector image and as HFE."""
    sectors = image.to_bytes()
    return (
        Artefact(f"{name}.dsk", sectors),
        Artefact(f"{name}.hfe", create_hfe(sectors, image.geometry)),
    )


def tifiles_artefact(name: str, image: DiskImage, file: str) -> Artefact:
    """A file of a disk as TIFILES."""
    return Artefact(f"{name}-{file}.tfi", build_tifiles(image.read_stored(file)))


def _extra(manifest: Manifest, index: int) -> DiskFile:
    entry = manifest.files[index]
    path = manifest.folder / entry.source
    if entry.type == "PROGRAM":
        return program_file(as_program(_generated(manifest, path), path), entry.name)
    return DiskFile.display_var(entry.name, to_records(decode(path.read_bytes())))


def _manual(manifest: Manifest) -> DiskFile:
    path = manifest.manual_path
    text = plain_text(decode(path.read_bytes()), str(path))
    return DiskFile.display_var(manifest.manual_name, to_records(text))
