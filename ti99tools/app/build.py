"""The games to build, their fast starts, and what each optimization pass saves.

Games are chosen by name or folder; without names all of ours are built, and their common disk. The
picture of a fast start is taken from our console. Savings are measured in bytes, seconds to the
title, and seconds of a match.
"""

from __future__ import annotations

from collections import Counter, abc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ti99tools.app.collection import with_cartridge
from ti99tools.app.compiled_disk import compiled_game
from ti99tools.app.source import OutputKind, keep_others, stay_inside
from ti99tools.base.counts import RAN
from ti99tools.base.errors import BuildError, TIError
from ti99tools.computer.console.keyscript import Until
from ti99tools.computer.console.session import Console
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.artefacts import (
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
from ti99tools.games.making.keeping import kept_collection, kept_disk, kept_game
from ti99tools.games.making.loader import FIRST_LINE
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.twins import INIT
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter_of
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import Scenario, make
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.hardware.machine.vdp import COLORS
from ti99tools.language.dialect import Generated
from ti99tools.language.optimize import PASSES
from ti99tools.language.optimize.flow import looked_up
from ti99tools.language.optimize.rows import rows_of
from ti99tools.language.program.editor import with_code
from ti99tools.language.program.program import Program
from ti99tools.language.syntax.statements import every_statement
from ti99tools.media.disk.image import DiskImage

DRAWING = 60.0
"""Seconds of machine time that drawing a picture may take."""
_UNIT = 4
_DRAWN = f"CALL KEY({_UNIT},K,S)::CALL KEY(0,K,S)"
"""The first look for a key after a picture. The code that draws it may look for keys too, but not
with this keyboard unit."""


def picture_of(built: Built) -> Picture:
    """The game's picture as it is in VDP memory. Raises BuildError when drawing it does not end."""
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
    return kept_disk("fast", built, lambda: _fast_disk(built))


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


HOT, HOT_MATCHES = 30, 3
"""How many names are reported, and from how many matches."""
STANDARD_SEED = 1
"""The seed of a game's standard match."""
PATIENCE = 300.0
"""Seconds of machine time within which a title must come."""


@dataclass(frozen=True, slots=True)
class Saving:
    """A game after some passes.

    `lines` and `size` (bytes) are the program's. `start` is the machine time in seconds from
    choosing Extended BASIC to the game's first screen, `load` and `prescan` the parts of it that
    these take, `match` that of the standard match after it. Times are None for a game without a
    model.
    """

    name: str
    applied: bool
    lines: int
    size: int
    start: float | None = None
    load: float | None = None
    prescan: float | None = None
    match: float | None = None


def savings(manifest: Manifest) -> Iterator[Saving]:
    """The plain game, then with one more pass each time. Raises TIError as `build_game` does."""
    adapter = adapter_of(manifest) if manifest.model else None
    scenario = make(adapter, STANDARD_SEED)[0] if adapter else None
    chosen: list[str] = []
    before: Built | None = None
    # Passes that the manifest leaves out are not measured.
    wanted = PASSES if manifest.passes is None else manifest.passes
    for name in ("plain", *(name for name in PASSES if name in wanted)):
        chosen += [name] if name in PASSES else []
        built = kept_game(manifest, passes=tuple(chosen))
        changed = before is None or built.program != before.program
        before = built
        size = built.program.size
        yield Saving(
            name, changed, len(built.program.lines), size, *_timed(adapter, scenario, built)
        )


def _timed(
    adapter: Adapter | None, scenario: Scenario | None, built: Built
) -> tuple[float | None, float | None, float | None, float | None]:
    """Seconds to the title, of these for loading and for the pre-scan, and seconds of a match."""
    nothing = None, None, None, None
    if adapter is None or scenario is None:
        return nothing
    title = next((s.text for s in adapter.opening(scenario.setup) if isinstance(s, Until)), None)
    if title is None:
        return nothing
    # Reading back from bytes gives a copy: the run must not change the built disk.
    console = Console({"DSK1": DiskImage.from_bytes(built.image.to_bytes())}, max_seconds=PATIENCE)
    console.boot()
    if not console.run_until(title):
        return nothing
    start = console.clock.seconds
    prescan = console.computer.workspace.scan_cycles
    # Loading includes the pre-scan, which is shown on its own.
    load = console.loading_cycles - prescan
    played = play(adapter, host(), built.image.to_bytes(), scenario)
    return start, load / CPU_HZ, prescan / CPU_HZ, played.seconds - start


def hottest(manifest: Manifest, matches: int = HOT_MATCHES) -> list[str]:
    """The names in a game's main program, most often looked up in `matches` matches first.

    Raises TIError for a game without a model.
    """
    if not manifest.model:
        raise TIError(
            f"{manifest.game} has no model to play it by", remedy="see docs/games.md, The rules"
        )
    adapter, built = adapter_of(manifest), kept_game(manifest, passes=())
    parsed = built.program.analysis.parsed
    statements = {
        row.key: {each.at: each for each in every_statement(parsed[row.key])}
        for row in rows_of(built.program.lines).main
    }
    matches_with: Counter[str] = Counter()
    for seed in range(STANDARD_SEED, STANDARD_SEED + matches):
        scenario = make(adapter, seed)[0]
        played = play(adapter, host(), built.image.to_bytes(), scenario, count=True)
        for (number, at, what), times in (played.hits or {}).items():
            statement = statements.get(number, {}).get(at)
            if what == RAN and statement is not None:
                matches_with.update(dict.fromkeys(looked_up(statement), times))
    return [name for name, _ in matches_with.most_common(HOT)]


def optimized_listing(generated: Generated, path: Path) -> Generated:
    """A listing after all passes. Raises SourceError, which names `path`."""
    return optimized(generated, as_program(generated, path), None)[0]
