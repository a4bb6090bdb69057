"""The disk of all games, whose LOAD is a menu, and the folder of built disks with its CATALOG.

CATALOG has one line for each file, `SHA-256  bytes  name  title version`, sorted by name, so that
anyone can check a copy by its digest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ti99tools.base.basic import AUTOSTART, quoted
from ti99tools.base.decoding import decode
from ti99tools.base.errors import BuildError, Remedy, TIError
from ti99tools.base.hostio import write_together
from ti99tools.base.inputs import read_input, read_regular
from ti99tools.games.making.artefacts import (
    SIZES,
    Artefact,
    Built,
    Bundle,
    Drawing,
    disk_artefacts,
    drawing,
    packed_disk,
    program_file,
    starting,
    tifiles_artefact,
)
from ti99tools.games.making.manifest import LINE_WIDTH, NAME_WIDTH, Manifest
from ti99tools.games.making.twins import Twins
from ti99tools.language.dialect import generate
from ti99tools.language.listing.listing import Line
from ti99tools.language.listing.tokenize import EDITOR_LINE_BYTES
from ti99tools.language.optimize import optimize
from ti99tools.language.program.editor import with_code
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

CATALOG = "CATALOG"
SUFFIXES = (".dsk", ".hfe", ".tfi")
"""Extensions of the files in the folder that are checked against the sources."""

_LINE = re.compile(r"[0-9a-f]{64}  +\d+  (\S+)  ")


def catalog_line(artefact: Artefact, title: str) -> str:
    """One line of CATALOG."""
    digest = hashlib.sha256(artefact.data).hexdigest()
    return f"{digest}  {len(artefact.data):>7}  {artefact.name}  {title}"


def _lines(bundles: Iterable[Bundle]) -> dict[str, str]:
    return {
        artefact.name: catalog_line(artefact, bundle.label)
        for bundle in bundles
        for artefact in bundle.artefacts
    }


def _catalogued(folder: Path) -> dict[str, str]:
    """The lines of an existing CATALOG by name of file."""
    try:
        text = read_regular(folder / CATALOG).decode()
    except (OSError, UnicodeDecodeError):
        return {}
    matches = ((line, _LINE.match(line)) for line in text.splitlines())
    return {match.group(1): line for line, match in matches if match is not None}


def _kept(folder: Path, built: Sequence[Bundle]) -> dict[str, str]:
    """Lines of an existing CATALOG for files other than those built."""
    names = {bundle.name for bundle in built}
    lines = _catalogued(folder)
    return {name: line for name, line in lines.items() if _bundle_of(name) not in names}


def _bundle_of(name: str) -> str:
    return re.split(r"[-.]", name, maxsplit=1)[0]


def catalog_text(folder: Path, built: Sequence[Bundle], *, whole: bool) -> str:
    """The correct text of CATALOG; with `whole` no line of the existing one is kept."""
    lines = ({} if whole else _kept(folder, built)) | _lines(built)
    return "".join(lines[name] + "\n" for name in sorted(lines))


def folder_files(folder: Path, built: Sequence[Bundle], *, whole: bool) -> dict[Path, bytes | str]:
    """Everything built, and CATALOG, by the path where it goes; see `catalog_text`."""
    files: dict[Path, bytes | str] = {
        folder / artefact.name: artefact.data for bundle in built for artefact in bundle.artefacts
    }
    files[folder / CATALOG] = catalog_text(folder, built, whole=whole)
    return files


def write_folder(folder: Path, built: Sequence[Bundle], *, whole: bool) -> list[Path]:
    """Write everything built, or nothing when the disk is full; returns the paths written.

    `whole`: everything was built, so files of an older build are removed. Raises BuildError when
    the folder cannot be made.
    """
    old = strangers(folder, built, whole=True) if whole and folder.is_dir() else []
    files = folder_files(folder, built, whole=whole)
    try:
        write_together(files, [folder])
    except TIError as error:
        if folder.is_dir():
            raise
        problem = error.problem.replace("the folder", str(folder))
        raise BuildError(problem, remedy=Remedy.OTHER_FOLDER) from None
    for path in old:
        path.unlink()
    return list(files)


def strangers(folder: Path, built: Sequence[Bundle], *, whole: bool) -> list[Path]:
    """Files left by an older build: named like those built, or (`whole`) listed in CATALOG."""
    of_this_build = {artefact.name for bundle in built for artefact in bundle.artefacts}
    names = {bundle.name for bundle in built}
    listed = _catalogued(folder) if whole else {}
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in SUFFIXES
        and path.name not in of_this_build
        and (_bundle_of(path.name) in names or path.name in listed)
    )


def differences(folder: Path, built: Sequence[Bundle], *, whole: bool) -> list[str]:
    """How the folder differs from what the sources build, as lines; empty if it does not."""
    lines = []
    for bundle in built:
        for artefact in bundle.artefacts:
            path = folder / artefact.name
            if not path.is_file():
                lines.append(f"{artefact.name} is missing")
            elif read_regular(path) != artefact.data:
                lines.append(f"{artefact.name} is not what the sources build")
    if folder.is_dir():
        lines += [
            f"{path.name} is built by no source" for path in strangers(folder, built, whole=whole)
        ]
    path = folder / CATALOG
    wanted = catalog_text(folder, built, whole=whole)
    if not path.is_file():
        lines.append(f"{CATALOG} is missing")
    elif read_regular(path) != wanted.encode():
        lines.append(f"{CATALOG} does not match")
    return lines


NAME = "games"
DISK = "GAMES"
MENU = Path("menu", "menu.xb")
"""The menu's source, relative to the folder of the games."""
MOST = 4
"""The most games that the menu has room for."""
HOW_MANY = ("ONE GAME", "TWO GAMES", "THREE GAMES", "FOUR GAMES")


@dataclass(frozen=True)
class Collection:
    """The built disk of all games; see `artefacts.Bundle`."""

    games: tuple[str, ...]
    menu: Program
    image: DiskImage
    name: str = NAME
    label: str = "all games"
    compiled: tuple[Artefact, ...] = ()
    """Cartridges with all games, if they were asked for."""
    no_cartridge: str = ""
    """Why there is none, though it was asked for."""

    @cached_property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The disk in all forms, the menu as TIFILES, and cartridges."""
        disks = disk_artefacts(self.name, self.image)
        return (*disks, tifiles_artefact(self.name, self.image, AUTOSTART), *self.compiled)


def menu_data(
    manifests: Sequence[Manifest], starts: Sequence[Sequence[str]], files: Sequence[DiskFile] = ()
) -> str:
    """The part of the menu's source that depends on the games: the labels `games` and `start`.

    `starts` are the lines that start each game. `files` are their programs. The menu looks for a
    program in the long form with OPEN, for any other in the catalogue alone. Texts are in capitals,
    since small letters may look as the previous program defined them.

    Raises BuildError for no game, and for more games than the menu has room for.
    """
    if not 1 <= len(manifests) <= MOST:
        raise BuildError(
            f"the menu has room for 1 to {MOST} games, not for {len(manifests)}",
            remedy="make room in menu.xb, and change MOST with it",
        )
    numbers = range(1, len(manifests) + 1)
    names = " ".join(game.cabinet.name.upper().center(NAME_WIDTH) for game in manifests)
    keys = " ".join(str(number).center(NAME_WIDTH) for number in numbers)
    title = f"{HOW_MANY[len(manifests) - 1]} AND ONE COIN".center(LINE_WIDTH)
    columns = (title, names, keys)
    rows = ["", "games:", f"DATA {len(manifests)}," + ",".join(map(quoted, columns))]
    opened = {file.name: f"DSK1.{file.name}" for file in files if file.type.label != "PROGRAM"}
    for manifest in manifests:
        cabinet, file = manifest.cabinet, opened.get(manifest.program, "")
        rows.append(f"DATA {quoted(cabinet.line.upper())},{quoted(file)}")
    rows += [f"DATA {game.cabinet.color},{game.cabinet.picture}" for game in manifests]
    rows += ["start:", "ON K-48 GOTO " + ",".join(f"start{number}" for number in numbers)]
    for number, lines in zip(numbers, starts, strict=True):
        rows += [f"start{number}:"]
        rows += [f"KEEP REM {number}.{at}" for at in range(len(lines))]
    return "\n".join(rows) + "\n"


def _with_pictures(listing: str, starts: Sequence[Sequence[str]]) -> str:
    """The menu's listing with each remark `REM game.line` replaced by that line of `starts`."""

    def put(match: re.Match[str]) -> str:
        game, at = int(match[2]), int(match[3])
        return f"{match[1]} {starts[game - 1][at]}"

    return re.sub(r"^(\d+) REM (\d+)\.(\d+)$", put, listing, flags=re.MULTILINE)


def build_collection(root: Path, games: Sequence[Built]) -> Collection:
    """The disk of these games, with the menu below `root`. Raises BuildError or SourceError."""
    path = root / MENU
    try:
        text = decode(read_input(path))
    except OSError as error:
        raise BuildError(
            f"cannot read {path}: {error.strerror}", remedy="the disk of all games needs a menu"
        ) from None
    manifests = [game.manifest for game in games]
    drawings: list[Drawing] = []
    code = b""
    for manifest in manifests:
        drawings.append(drawing(manifest, len(code)))
        code = drawings[-1].code + code
    starts = [starting(*each) for each in zip(manifests, drawings, strict=True)]
    source = text + menu_data(manifests, starts, [game.files[0] for game in games])
    twins = Twins(path.parent, len(code))
    native = generate(source, str(path), root=path.parent, native=twins.entered)
    code = twins.code + code
    listing = _with_pictures(native.text, starts)
    written = Program.from_listing(listing, str(path), limit=EDITOR_LINE_BYTES)
    routines = [*twins.names, *(name for drawn in drawings for name in drawn.names)]
    optimized = optimize(list(written.lines), routines=routines)
    menu = with_code(Program.from_lines([Line(*line) for line in optimized.lines]), code)
    load = program_file(menu, AUTOSTART)
    image = packed_disk(NAME, DISK, [load, *(file for game in games for file in game.files)], SIZES)
    return Collection(tuple(game.name for game in games), menu, image)
