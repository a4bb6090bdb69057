"""The games to build, and their fast starts.

Games are chosen by name or folder; without names all of ours are built, and their common disk. The
picture of a fast start is taken from our console. Console and compiler are imported when something
is built with them: most games are taken from the cache.
"""

from __future__ import annotations

from collections import abc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ti99tools.app.source import OutputKind, keep_others, stay_inside
from ti99tools.base.errors import BuildError
from ti99tools.games.making.artefacts import (
    FIRST_LINE,
    SIZES,
    Built,
    Bundle,
    as_program,
    optimized,
    packed_disk,
)
from ti99tools.games.making.collection import NAME, Collection, folder_files, write_folder
from ti99tools.games.making.faststart import PICTURE, SPRITE_BITS, Picture, fast_start
from ti99tools.games.making.finding import find_game, game_names, games_root
from ti99tools.games.making.keeping import kept_collection, kept_fast_disk, kept_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.twins import INIT
from ti99tools.hardware.machine.vdp import COLORS
from ti99tools.language.dialect import Generated
from ti99tools.language.program.editor import with_code
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

DRAWING = 60.0
"""Seconds of machine time that drawing a picture may take."""
_UNIT = 4
_DRAWN = f"CALL KEY({_UNIT},K,S)::CALL KEY(0,K,S)"
"""The first look for a key after a picture. The code that draws it may look for keys too, but not
with this keyboard unit."""


def picture_of(built: Built) -> Picture:
    """The game's picture as it is in VDP memory. Raises BuildError when drawing it does not end."""
    from ti99tools.computer.console.session import Console

    lines = [INIT, *built.drawn.lines, _DRAWN, "STOP"]
    listing = "".join(f"{number} {line}\n" for number, line in enumerate(lines, FIRST_LINE))
    console = Console(max_seconds=DRAWING)
    console.load(with_code(Program.from_listing(listing, "picture"), built.drawn.code))
    keyboard = console.machine.keyboard
    seen: list[Picture] = []

    def look() -> None:
        if keyboard.mapping != _UNIT:
            keyboard.tell_look(look)
            return
        vdp = console.machine.vdp
        colors = bytes(vdp.ram[COLORS : COLORS + 32])
        # RAM changes when the run goes on, so the picture is copied at that moment.
        sprites = vdp.registers[1] & SPRITE_BITS
        seen.append(Picture(bytes(vdp.ram[:PICTURE]), colors, vdp.backdrop, sprites))

    keyboard.tell_look(look)
    console.run()
    if not seen:
        raise BuildError(
            f"{built.name}: its picture does not come to its end",
            remedy="picture.xb draws and does nothing else",
        )
    return seen[0]


def fast_disk(built: Built) -> DiskImage:
    """The game's disk with a `LOAD` that starts it from an image. Raises TIError."""
    return kept_fast_disk(built, lambda: _fast_disk(built))


def _fast_disk(built: Built) -> DiskImage:
    manifest = built.manifest
    files = fast_start(manifest, built.program, picture_of(built))
    everything = [files.load, *files.parts, *built.files]
    return packed_disk(manifest.game, manifest.disk, everything, SIZES)


def with_fast_disk(built: Built) -> Built:
    """The built game with its fast disk added."""
    return replace(built, fast=fast_disk(built))


def build_all(
    games: Sequence[str],
    passes: abc.Collection[str] | None = None,
    *,
    fast: bool = False,
    compiled: bool = False,
) -> tuple[list[Built], Collection | None]:
    """Build games; without names all of ours and their common disk, which is named `games`.

    `passes` of `optimize` are applied; None: those that each game names. With `fast` every game
    gets a disk that starts from a memory image, not only those whose manifests ask for one. With
    `compiled` every game gets its cartridges, and disks of the compiled program if it fits into
    memory; the common disk gets a cartridge with all games. Raises TIError when a game is unknown
    or broken, or two have the same name.
    """
    whole = not games
    together = whole or NAME in map(str.lower, games)
    ours = [find_game(games_root() / name) for name in game_names() if together]
    own = [_made(manifest, passes, fast, compiled) for manifest in ours]
    collection = kept_collection(games_root(), own) if together else None
    if collection is not None and compiled:
        from ti99tools.app.collection import with_cartridge

        collection = with_cartridge(collection, ours)
    if whole:
        return own, collection
    return [_made(manifest, passes, fast, compiled) for manifest in chosen(games)], collection


def _made(
    manifest: Manifest, passes: abc.Collection[str] | None, fast: bool, compiled: bool
) -> Built:
    built = kept_game(manifest, passes)
    if fast or manifest.fast:
        built = with_fast_disk(built)
    if compiled:
        from ti99tools.app.compiled_disk import compiled_game

        made = compiled_game(manifest)
        files = (*made.cartridges, *made.disks)
        built = replace(built, compiled=files, no_disks=made.no_disks)
    return built


def chosen(games: Sequence[str]) -> list[Manifest]:
    """The manifests of the games named, each once; without names all of ours.

    Raises BuildError when two games have the same name.
    """
    if not games:
        return [find_game(games_root() / name) for name in game_names()]
    manifests: dict[str, Manifest] = {}
    for name in games:
        if name.lower() == NAME:
            continue
        manifest = find_game(name)
        other = manifests.setdefault(manifest.game, manifest)
        # Two games of one name would write the same files.
        if other.folder.resolve() != manifest.folder.resolve():
            raise BuildError(
                f"{other.folder} and {manifest.folder} are both called {manifest.game}",
                remedy="build one at a time, each with its own output folder",
            )
    return list(manifests.values())


_KINDS = {
    ".dsk": OutputKind.DISK,
    ".hfe": OutputKind.DISK,
    ".tfi": OutputKind.CONTAINER,
    ".bin": OutputKind.CARTRIDGE,
    ".rpk": OutputKind.CARTRIDGE,
}


def save(
    out: Path, built: Sequence[Bundle], *, whole: bool, named: bool, replace: bool = False
) -> None:
    """Write everything built to the folder `out`; see `write_folder`.

    Raises TIError, and writes nothing, when a file that no build has written is in the way (unless
    `replace`), and when a link leads a file out of the current folder (unless the user has `named`
    the folder `out`).
    """
    files = folder_files(out, built, whole=whole)
    if not named:
        stay_inside(Path(), *files)
    for path, content in files.items():
        kind = _KINDS.get(path.suffix, OutputKind.CATALOG)
        keep_others(path, kind=kind, replace=replace, content=content)
    write_folder(out, built, whole=whole)


def optimized_listing(generated: Generated, path: Path) -> Generated:
    """A listing after all passes. Raises SourceError, which names `path`."""
    return optimized(generated, as_program(generated, path), None)[0]
