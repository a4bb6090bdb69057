"""The build of a game: its program and its disk, in the forms that people load.

The machine code of SUBs with a twin is made by `twins`.

`LOAD` is the program that Extended BASIC starts from a disk: a picture while the game loads. The
picture is `picture.xb` in the game's folder: statements in the dialect that draw it, without
jumps. Subprograms that they call may be machine code, which `LOAD` then contains. RUN of a program
keeps characters, colours, sprites and the screen (recorded), so the picture stays until the game
draws over it. `LOAD` first resets what an earlier program may have left. A game that needs standard
colours where its picture has others sets them itself.

A program in the long form cannot be loaded without the 32K memory expansion: RUN then fails with
I/O ERROR 57, which no ON ERROR catches, since the program with the ON ERROR is gone. CALL INIT
fails with SYNTAX ERROR without the expansion and does no harm with it, so `LOAD` tests with CALL
INIT first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import AUTOSTART, CLEAN, NEEDS, PRINT_WIDTH, quoted
from ti99tools.base.cache import from_cache
from ti99tools.base.decoding import decode
from ti99tools.base.errors import BuildError, Place, TIError
from ti99tools.base.inputs import digest, is_input, read_input
from ti99tools.base.record import Record
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.manual import plain_text
from ti99tools.games.making.twins import INIT, Twins
from ti99tools.language.dialect import Generated, generate, generate_file
from ti99tools.language.lint.hidden import hidden
from ti99tools.language.listing.listing import Line, list_lines, listed_marks
from ti99tools.language.listing.numbered import Entry, to_text
from ti99tools.language.listing.tokenize import EDITOR_LINE_BYTES, refuse
from ti99tools.language.optimize import optimize
from ti99tools.language.optimize.pipeline import mapped
from ti99tools.language.program.editor import with_code
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import to_records
from ti99tools.media.disk.tifile import DiskFile

PICTURE = "picture.xb"
"""The picture's source in the game's folder."""
FIRST_LINE = 100


class Drawing(Record):
    """The lines of statements that draw a picture, without numbers, and what they call."""

    lines: tuple[str, ...]
    code: bytes = b""
    """Machine code for the top of memory, just below any other code. It needs CALL INIT."""
    names: tuple[str, ...] = ()
    """The names of its routines."""


def drawing(manifest: Manifest, above: int = 0) -> Drawing:
    """How to draw the game's picture, with `above` bytes of other code above its own.

    Without a picture the lines say which game is loading. Raises SourceError for a mistake in the
    picture's source.
    """
    path = manifest.folder / PICTURE
    if not is_input(path):
        message = quoted(f"LOADING {manifest.title.upper()[: PRINT_WIDTH - 11]}...")
        return Drawing((f"CALL CLEAR::DISPLAY AT(12,1):{message}",))
    text = decode(read_input(path))
    twins = Twins(manifest.folder, above)
    picture = generate(
        text,
        str(path),
        root=manifest.folder,
        defines=manifest.constants,
        native=twins.entered,
        review=hidden,
    )
    # Line numbers and CALL INIT are dropped: `LOAD` numbers its lines, and has its own CALL INIT.
    lines = [line.split(" ", 1)[1] for line in picture.text.splitlines()]
    lines[0] = lines[0].removeprefix(f"{INIT}::")
    return Drawing(tuple(lines), twins.code, tuple(twins.names))


def loading(manifest: Manifest, drawn: Drawing) -> list[str]:
    """The numbered lines of `LOAD`: picture, test for the 32K, RUN; a message without the 32K."""
    lines = starting(manifest, drawn)
    lines[0] = f"ON BREAK NEXT::{lines[0]}"
    last = FIRST_LINE + len(lines)
    # ON ERROR is for CALL INIT alone.
    check = f"ON ERROR {last + 1}::{INIT}::ON ERROR STOP"
    lines.insert(1 if drawn.code else len(lines) - 1, check)
    lines.append(f"CALL CLEAR::PRINT {quoted(f'{manifest.title.upper()} {NEEDS}')}:")
    return [f"{number} {line}" for number, line in enumerate(lines, FIRST_LINE)]


def starting(manifest: Manifest, drawn: Drawing) -> list[str]:
    """Lines of statements, without numbers, that clean up, draw the picture and run the game.

    If the picture has machine code, CALL INIT must come before the second line.
    """
    return [CLEAN, *drawn.lines, f"RUN {quoted(f'DSK1.{manifest.program}')}"]


SIZES = ("SSSD", "DSSD")
"""Geometries that every controller and emulator reads, smallest first."""
ROOM = 60
"""Sectors to leave free on a disk for high scores and play logs."""


class Artefact(Record):
    """A file to be written: its name and its bytes."""

    name: str
    data: bytes


class Bundle(Protocol):
    """A build result whose files belong together: a game, or the disk of all games."""

    @property
    def name(self) -> str:
        """The first part of its files' names."""
        ...

    @property
    def label(self) -> str:
        """Its title in CATALOG."""
        ...

    @property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The files to write, in the order in which they are listed."""
        ...


@dataclass(frozen=True)
class Built:
    """A built game; `files` are those on its disk besides `LOAD`, `drawn` draws its picture."""

    manifest: Manifest
    generated: Generated
    program: Program
    image: DiskImage
    files: tuple[DiskFile, ...]
    drawn: Drawing
    fast: DiskImage | None = None
    """The disk that starts from a memory image, if it was asked for."""
    compiled: tuple[Artefact, ...] = ()
    """The files of the compiled game, if they were asked for."""
    no_disks: str = ""
    """Why these are cartridges alone, and no disks."""

    @property
    def name(self) -> str:
        """The first part of its files' names: the game's folder."""
        return self.manifest.game

    @property
    def label(self) -> str:
        """Its title in CATALOG: title and version of the manifest."""
        return f"{self.manifest.title} {self.manifest.version}"

    @cached_property
    def artefacts(self) -> tuple[Artefact, ...]:
        """See `Bundle`: the disks in all forms, and the files as TIFILES."""
        plain = (
            *disk_artefacts(self.name, self.image),
            *(tifiles_artefact(self.name, self.image, file.name) for file in self.files),
        )
        fast = () if self.fast is None else disk_artefacts(self.fast_name, self.fast)
        return (*plain, *fast, *self.compiled)

    @property
    def fast_name(self) -> str:
        """The name of its fast disk's files, without extension."""
        return f"{self.name}-fast"


def generate_game(
    manifest: Manifest, path: Path | None = None, *, twins: Twins | None = None
) -> Generated:
    """The numbered listing of a game's main program, or of another source of it.

    VERSION$ is set to its version. `twins` receives the machine code of SUBs that have it; without
    it they stay SUBs.
    """
    return generate_file(
        path or manifest.source_path,
        root=manifest.folder,
        defines=manifest.constants,
        native=None if twins is None else twins.entered,
        review=hidden,
    )


def as_program(generated: Generated, path: Path) -> Program:
    """The program of a listing; `path` is named in errors. Raises SourceError for a long line."""
    for entry in generated.entries:
        if len(entry.tokens) > EDITOR_LINE_BYTES:
            place = generated.sourcemap.place(entry.number) or entry.place
            too_long = refuse(xb.LINE_TOO_LONG, 0, "split the line")
            raise too_long.moved(Place(str(path), place.line, place.column))
    return Program.of(Source.of_generated(generated, str(path)))


def optimized(
    generated: Generated,
    program: Program,
    passes: Collection[str] | None,
    routines: Collection[str] = (),
    hot: Sequence[str] = (),
) -> tuple[Generated, Program]:
    """A listing and its program after passes of `optimize` (None: all).

    `routines` names machine code that does not look at the program; `hot` are the names that are
    looked up most. Raises TIError for an unknown pass.
    """
    given = list(program.lines)
    result = optimize(given, passes, routines, hot)
    if not result.applied:
        return generated, program
    lines = [Line(number, tokens) for number, tokens in result.lines]
    entries = [Entry(*line, Place(), listed_marks(*line)) for line in lines]
    listing = [to_text(row) for row in list_lines(lines)]
    sourcemap = mapped(generated.sourcemap, result)
    return Generated(entries, listing, sourcemap), Program.from_lines(lines)


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

    `passes` names passes of `optimize`; None: those of the manifest. SUBs with a twin in machine
    code are replaced by it unless `native` is false. Raises SourceError, ProgramError or
    BuildError.
    """
    twins = Twins(manifest.folder)
    generated = generate_game(manifest, twins=twins if native else None)
    chosen = manifest.passes if passes is None else passes
    program = as_program(generated, manifest.source_path)
    generated, program = optimized(generated, program, chosen, twins.names, manifest.hot)
    program = with_code(program, twins.code)
    files = [program_file(program, manifest.program)]
    files += [_extra(manifest, index) for index in range(len(manifest.files))]
    if is_input(manifest.manual_path):
        files.append(_manual(manifest))
    drawn = drawing(manifest)
    image = packed_disk(
        manifest.game,
        manifest.disk,
        [_autostart(manifest, program, drawn), *files],
        [manifest.geometry] if manifest.geometry else SIZES,
    )
    return Built(manifest, generated, program, image, tuple(files), drawn)


def _autostart(manifest: Manifest, program: Program, drawn: Drawing) -> DiskFile:
    """`LOAD`: the program itself, or (long form, slow to load) one with a picture that runs it."""
    whole = program_file(program, AUTOSTART)
    if whole.type.label == "PROGRAM":
        return whole
    listing = "".join(f"{line}\n" for line in loading(manifest, drawn))
    load = with_code(Program.from_listing(listing, AUTOSTART), drawn.code)
    return program_file(load, AUTOSTART)


def packed_disk(
    who: str, name: str, files: Sequence[DiskFile], geometries: Sequence[str]
) -> DiskImage:
    """A disk named `name` with the files, in the first geometry that leaves `ROOM` sectors free.

    If none does, the last geometry. Raises BuildError, which names `who`, when the files do not
    fit.
    """
    names = [file.name for file in files]
    for file in names:
        # `add` would raise too, but its message would not name the game.
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
        # After the last geometry there is no larger one, so less room will do.
        if image.free_sectors >= ROOM or geometry == geometries[-1]:
            return image
    raise BuildError(problem, remedy='choose a larger geometry, e.g. geometry = "DSDD"')


def disk_artefacts(name: str, image: DiskImage) -> tuple[Artefact, ...]:
    """A disk as a sector image and as HFE."""
    from ti99tools.media.disk.containers.hfe import create_hfe

    sectors, geometry = image.to_bytes(), image.geometry
    about = [digest(sectors), repr(geometry)]
    hfe = from_cache("hfe", about, lambda: create_hfe(sectors, geometry), bytes, bytes)
    return Artefact(f"{name}.dsk", sectors), Artefact(f"{name}.hfe", hfe)


def tifiles_artefact(name: str, image: DiskImage, file: str) -> Artefact:
    """A file of a disk as TIFILES."""
    return Artefact(f"{name}-{file}.tfi", build_tifiles(image.read_stored(file)))


def _extra(manifest: Manifest, index: int) -> DiskFile:
    entry = manifest.files[index]
    path = manifest.folder / entry.source
    if entry.type == "PROGRAM":
        return program_file(as_program(generate_game(manifest, path), path), entry.name)
    return DiskFile.display_var(entry.name, to_records(decode(read_input(path))))


def _manual(manifest: Manifest) -> DiskFile:
    path = manifest.manual_path
    text = plain_text(decode(read_input(path)), str(path))
    return DiskFile.display_var(manifest.manual_name, to_records(text))
