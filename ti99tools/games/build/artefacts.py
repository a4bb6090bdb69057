"""The build of a game: its program and its disk, in the forms that people load.

`LOAD`, the program that Extended BASIC starts from the disk, shows a picture while the game loads.
The picture is `picture.xb` in the game's folder: statements in the dialect that draw it, without
jumps. Subprograms that they call may be machine code, which `LOAD` then contains. RUN of a program
keeps characters, colours, sprites and the screen (recorded), so the picture stays until the game
draws over it. `LOAD` first resets what an earlier program may have left. A game that needs standard
colours where its picture has others sets them itself.

A program in the long form cannot be loaded without the 32K memory expansion: RUN then fails with
I/O ERROR 57, which no ON ERROR catches, since the program with the ON ERROR is gone. CALL INIT
fails with SYNTAX ERROR without the expansion and does no harm with it, so `LOAD` tests with CALL
INIT first.

SUBs with a twin in machine code have it assembled and laid out at the top of the program's memory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

from ti99tools.base import xberrors as xb
from ti99tools.base.cache import kept
from ti99tools.base.errors import BuildError, Place, SourceError, TIError
from ti99tools.base.hostio import decode
from ti99tools.base.inputs import digest, is_input, read_input, resolved
from ti99tools.games.build.manifest import AUTOSTART, Manifest
from ti99tools.games.build.manual import plain_text
from ti99tools.hardware.assembler.assembling import Assembled, assemble, assemble_file
from ti99tools.language.dialect import Generated, generate, generate_file
from ti99tools.language.dialect.declarations import Twin
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.lint.hidden import hidden
from ti99tools.language.listing.listing import Line, list_lines, listed_marks
from ti99tools.language.listing.numbered import Entry, to_text
from ti99tools.language.listing.tokenize import EDITOR_LINE_BYTES, refuse
from ti99tools.language.optimize import optimize
from ti99tools.language.optimize.pipeline import mapped
from ti99tools.language.program.editor import entering, place_of, with_code
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import to_records
from ti99tools.media.disk.tifile import DiskFile

PICTURE = "picture.xb"
"""The picture's source in the game's folder."""
WIDTH = 28
"""Columns of the screen for PRINT and DISPLAY AT."""
FIRST_LINE = 100
NEEDS = "NEEDS 32K MEMORY"
CLEAN = "CALL CHARSET::CALL DELSPRITE(ALL)"
"""Statements that reset what RUN keeps: patterns and colours of text, and sprites."""


def quoted(text: str) -> str:
    """The text as a string constant of Extended BASIC."""
    return '"' + text.replace('"', '""') + '"'


INIT = "CALL INIT"


@dataclass(frozen=True, slots=True)
class Drawing:
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
        said = quoted(f"LOADING {manifest.title.upper()[: WIDTH - 11]}...")
        return Drawing((f"CALL CLEAR::DISPLAY AT(12,1):{said}",))
    text = decode(read_input(path))
    twins = Twins(manifest.folder, above)
    made = generate(
        text,
        str(path),
        root=manifest.folder,
        defines=manifest.constants,
        native=twins.entered,
        review=hidden,
    )
    # Line numbers and CALL INIT are dropped: `LOAD` numbers its lines, and has its own CALL INIT.
    lines = [line.split(" ", 1)[1] for line in made.text.splitlines()]
    lines[0] = lines[0].removeprefix(f"{INIT}::")
    return Drawing(tuple(lines), twins.code, tuple(twins.names))


def loading(manifest: Manifest, drawn: Drawing) -> list[str]:
    """The numbered lines of `LOAD`: picture, test for the 32K, RUN; a message without the 32K."""
    lines = starting(manifest, drawn)
    lines[0] = f"ON BREAK NEXT::{lines[0]}"
    last = FIRST_LINE + len(lines)
    # ON ERROR is for CALL INIT alone.
    asked = f"ON ERROR {last + 1}::{INIT}::ON ERROR STOP"
    lines.insert(1 if drawn.code else len(lines) - 1, asked)
    lines.append(f"CALL CLEAR::PRINT {quoted(f'{manifest.title.upper()} {NEEDS}')}:")
    return [f"{number} {line}" for number, line in enumerate(lines, FIRST_LINE)]


def starting(manifest: Manifest, drawn: Drawing) -> list[str]:
    """Lines of statements, without numbers, that clean up, draw the picture and run the game.

    If the picture has machine code, CALL INIT must come before the second line.
    """
    return [CLEAN, *drawn.lines, f"RUN {quoted(f'DSK1.{manifest.program}')}"]


FEW = 2
"""The most names entered by CALL LOAD, at 49 ms each; a routine in machine code enters more, in
65 ms for all of them.
"""
ENTER = "*NAMES"
"""That routine's own name in LINK's table, until it has entered the others."""
ENTERING = """
       DEF  ENTER
ENTER  LI   R0,TABLE
       LI   R1,>4000-TABEND+TABLE
       MOV  R1,@>2004       the last free address
NAME   MOV  *R0+,*R1+
       CI   R1,>4000
       JNE  NAME
       B    *R11
TABLE  EQU  $
{rows}
TABEND EQU  $
       END
"""


@dataclass
class Twins:
    """The machine code of a game's twins; `code` is known once the listing has been made."""

    folder: Path
    above: int = 0
    """Bytes of other code above that of the twins, at the top of memory."""
    code: bytes = b""
    names: dict[str, int] = field(default_factory=dict)
    """Each twin's address, and that of `ENTER` if it is used."""

    def entered(self, twins: Sequence[Twin]) -> str:
        """Assemble the twins; returns the program's first statements. Raises SourceError."""
        made: dict[str, Assembled] = {}
        for twin in twins:
            if twin.file not in made:
                made[twin.file] = self._assembled(twin)
            _check_defined(twin, made[twin.file])
        sizes = {file: len(code.image().data) for file, code in made.items()}
        many = len(twins) > FEW
        extra = len(_entering(dict.fromkeys((twin.name for twin in twins), 0), 0)) if many else 0
        # The routine lies below the twins, which end at the top of the program or at other code.
        place = first = place_of(self.above + sum(sizes.values()) + extra)
        self.code, self.names = bytes(extra), {}
        place += extra
        for file, code in made.items():
            self.code += code.image(place).data
            for twin in twins:
                if twin.file == file:
                    self.names[twin.name] = code.address_of(twin.name, place)
            place += sizes[file]
        if not many:
            return f"{INIT}::{entering(self.names)}"
        # Now all addresses are known: assemble the routine into the bytes kept for it.
        self.code = _entering(self.names, first) + self.code[extra:]
        self.names[ENTER] = first
        return f'{INIT}::{entering({ENTER: first})}::CALL LINK("{ENTER}")'

    def _assembled(self, twin: Twin) -> Assembled:
        path = resolved(self.folder / twin.file)
        if not path.is_relative_to(self.folder.resolve()):
            problem, remedy = f"{twin.file} is outside the game's folder", "move it into it"
            raise SourceError(problem, remedy=remedy, place=twin.place)
        return assemble_file(path, library_folder())


def _check_defined(twin: Twin, code: Assembled) -> None:
    """Raise SourceError when a twin's file does not define its name."""
    if twin.name not in code.definitions:
        problem, remedy = f"{twin.file} does not define {twin.name}", f"write DEF {twin.name}"
        raise SourceError(problem, remedy=remedy, place=twin.place)


def _entering(names: dict[str, int], place: int) -> bytes:
    """The routine that enters names into LINK's table, assembled for the address `place`."""
    rows = [f"       TEXT '{name:6}'\n       DATA {address}" for name, address in names.items()]
    made = assemble(ENTERING.format(rows="\n".join(rows)), "names")
    return made.image(place).data


SIZES = ("SSSD", "DSSD")
"""Geometries that every controller and emulator reads, smallest first."""
ROOM = 60
"""Sectors to leave free on a disk for high scores and play logs."""


@dataclass(frozen=True, slots=True)
class Artefact:
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
        """The files."""
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

    @property
    def name(self) -> str:
        """See `Bundle`."""
        return self.manifest.game

    @property
    def label(self) -> str:
        """See `Bundle`."""
        return f"{self.manifest.title} {self.manifest.version}"

    @cached_property
    def artefacts(self) -> tuple[Artefact, ...]:
        """See `Bundle`: the disks in all forms, and the files as TIFILES."""
        plain = (
            *disk_artefacts(self.name, self.image),
            *(tifiles_artefact(self.name, self.image, file.name) for file in self.files),
        )
        return plain if self.fast is None else (*plain, *disk_artefacts(self.fast_name, self.fast))

    @property
    def fast_name(self) -> str:
        """The name of its fast disk's files, without extension."""
        return f"{self.name}-fast"


def generate_game(
    manifest: Manifest, *, pack: bool = True, twins: Twins | None = None
) -> Generated:
    """The numbered listing of a game's main program, with VERSION$ set to its version.

    `twins` receives the machine code of SUBs that have it; without it they stay SUBs.
    """
    return _generated(manifest, manifest.source_path, pack, twins)


def _generated(
    manifest: Manifest, path: Path, pack: bool = True, twins: Twins | None = None
) -> Generated:
    native = None if twins is None else twins.entered
    return generate_file(
        path,
        root=manifest.folder,
        defines=manifest.constants,
        pack=pack,
        native=native,
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
    found = optimize(given, passes, routines, hot)
    if not found.applied:
        return generated, program
    lines = [Line(number, tokens) for number, tokens in found.lines]
    entries = [Entry(*line, Place(), listed_marks(*line)) for line in lines]
    listing = [to_text(row) for row in list_lines(lines)]
    sourcemap = mapped(generated.sourcemap, found)
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
    hfe = kept("hfe", about, lambda: create_hfe(sectors, geometry), bytes, bytes)
    return Artefact(f"{name}.dsk", sectors), Artefact(f"{name}.hfe", hfe)


def tifiles_artefact(name: str, image: DiskImage, file: str) -> Artefact:
    """A file of a disk as TIFILES."""
    return Artefact(f"{name}-{file}.tfi", build_tifiles(image.read_stored(file)))


def _extra(manifest: Manifest, index: int) -> DiskFile:
    entry = manifest.files[index]
    path = manifest.folder / entry.source
    if entry.type == "PROGRAM":
        return program_file(as_program(_generated(manifest, path), path), entry.name)
    return DiskFile.display_var(entry.name, to_records(decode(read_input(path))))


def _manual(manifest: Manifest) -> DiskFile:
    path = manifest.manual_path
    text = plain_text(decode(read_input(path)), str(path))
    return DiskFile.display_var(manifest.manual_name, to_records(text))
