"""The disk of all games: its LOAD is a menu, whose source is made from the manifests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ti99tools.base.errors import BuildError
from ti99tools.base.hostio import decode
from ti99tools.base.inputs import read_input
from ti99tools.games.build.artefacts import (
    SIZES,
    Artefact,
    Built,
    disk_artefacts,
    packed_disk,
    program_file,
    quoted,
    starting,
    tifiles_artefact,
)
from ti99tools.games.build.cabinet import LINE_WIDTH, NAME_WIDTH
from ti99tools.games.build.manifest import AUTOSTART, Manifest
from ti99tools.language.dialect import generate
from ti99tools.language.listing.listing import Line
from ti99tools.language.listing.tokenize import EDITOR_LINE_BYTES
from ti99tools.language.optimize import optimize
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

NAME = "games"
DISK = "GAMES"
MENU = Path("menu", "menu.xb")
"""The menu's source, relative to the folder of the games."""
MOST = 4
"""Games that the menu has room for."""
HOW_MANY = ("ONE GAME", "TWO GAMES", "THREE GAMES", "FOUR GAMES")


@dataclass(frozen=True)
class Collection:
    """The disk of all games, built; see `artefacts.Bundle`."""

    games: tuple[str, ...]
    menu: Program
    image: DiskImage
    name: str = NAME
    label: str = "all games"

    @cached_property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The disk in all forms, and the menu as TIFILES."""
        disks = disk_artefacts(self.name, self.image)
        return (*disks, tifiles_artefact(self.name, self.image, AUTOSTART))


def menu_data(
    manifests: Sequence[Manifest], starts: Sequence[Sequence[str]], files: Sequence[DiskFile] = ()
) -> str:
    """What the menu's source needs of the games: the labels `games` and `start`.

    `starts` are the lines that start each. `files` are their programs: OPEN finds those in the long
    form, and others by the catalogue only. Texts are in capitals: small letters look as the program
    before has left them.

    Raises BuildError for more games than the menu has cabinets.
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
    told = (title, names, keys)
    rows = ["", "games:", f"DATA {len(manifests)}," + ",".join(map(quoted, told))]
    opened = {file.name: f"DSK1.{file.name}" for file in files if file.type.label != "PROGRAM"}
    for manifest in manifests:
        cabinet, file = manifest.cabinet, opened.get(manifest.program, "")
        rows.append(f"DATA {quoted(cabinet.line.upper())},{quoted(file)}")
        rows.append(f"DATA {cabinet.color},{cabinet.picture}")
    rows += ["start:", "ON K-48 GOTO " + ",".join(f"start{number}" for number in numbers)]
    for number, lines in zip(numbers, starts, strict=True):
        rows += [f"start{number}:"]
        rows += [f"KEEP REM {number}.{at}" for at in range(len(lines))]
    return "\n".join(rows) + "\n"


def _with_pictures(listing: str, starts: Sequence[Sequence[str]]) -> str:
    """The menu with each game's picture in the place of the remarks that stand for its lines."""

    def put(found: re.Match[str]) -> str:
        game, at = int(found[2]), int(found[3])
        return f"{found[1]} {starts[game - 1][at]}"

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
    starts = [starting(game.manifest, game.drawn) for game in games]
    source = text + menu_data(manifests, starts, [game.files[0] for game in games])
    listing = _with_pictures(generate(source, str(path)).text, starts)
    written = Program.from_listing(listing, str(path), limit=EDITOR_LINE_BYTES)
    menu = Program.from_lines([Line(*line) for line in optimize(list(written.lines)).lines])
    load = program_file(menu, AUTOSTART)
    image = packed_disk(NAME, DISK, [load, *(file for game in games for file in game.files)], SIZES)
    return Collection(tuple(game.name for game in games), menu, image)
