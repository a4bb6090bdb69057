"""The work of `verify --stage shipped`: build the disks of games, replay and save failures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ti99tools.app.build import fast_disk
from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import Place, ScriptError
from ti99tools.base.hostio import read_text, write_atomically
from ti99tools.base.tables import json_value
from ti99tools.computer.console.keyscript import write
from ti99tools.games.hosts.host import Video
from ti99tools.games.making.artefacts import Built
from ti99tools.games.making.finding import all_games, find_game, game_names, games_root
from ti99tools.games.making.keeping import kept_collection, kept_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.verify.loading import adapter_of
from ti99tools.games.verify.shipped.flaws import StageMatch, StageVerdict
from ti99tools.games.verify.shipped.series import Series, seat_at
from ti99tools.games.verify.shipped.situation import DistributedGame, Medium, Situation
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render.picture import png
from ti99tools.media.disk.image import DiskImage

MARK = "# shipped: "
"""The beginning of the first line of a saved match; a line of JSON follows."""


@dataclass(frozen=True)
class Distribution:
    """Games with all the disks on which they are distributed.

    `games` are to be played; `others` are only run before them, from their own disk or the menu.
    `idle` are verdicts that say why a game cannot be played.
    """

    games: tuple[DistributedGame, ...]
    others: tuple[DistributedGame, ...] = ()
    idle: tuple[StageVerdict, ...] = ()

    def series(self, host: str, matches: int, seed: int) -> Iterator[Series]:
        """A series of matches for each game; all the other games run before it in turn."""
        everything = (*self.games, *self.others)
        for game in self.games:
            others = tuple(other for other in everything if other is not game)
            yield Series(game, others, host, matches, seed)


def shipment(names: Sequence[str], host: str, root: Path | None = None) -> Distribution:
    """Games by name or folder; without names all of ours. One of ours brings the others with it.

    `root` is the folder of our games. Raises TIError when a named game is unknown or broken, and
    for a host without a session.
    """
    seat_at(host)
    home = games_root() if root is None else root
    if names:
        return _shipped([find_game(name, root) for name in names], home)
    manifests, problems = all_games()
    missing = "there is no model of its rules"
    idle = [
        StageVerdict(manifest.game, manifest.version, host, not_run=missing)
        for manifest in manifests
        if not manifest.model
    ]
    idle += [
        StageVerdict(name, "", host, not_run=str(error), broken=True)
        for name, error in problems.items()
    ]
    return _shipped([manifest for manifest in manifests if manifest.model], home, tuple(idle))


def _shipped(
    manifests: Sequence[Manifest], root: Path, idle: tuple[StageVerdict, ...] = ()
) -> Distribution:
    for manifest in manifests:
        adapter_of(manifest)
    named = {manifest.folder.resolve(): manifest for manifest in manifests}
    ours = {folder: find_game(folder) for folder in _folders(root)}
    if not named.keys() & ours.keys():
        return Distribution(
            tuple(_delivery(kept_game(manifest)) for manifest in named.values()), idle=idle
        )
    built = {folder: kept_game(manifest) for folder, manifest in {**ours, **named}.items()}
    menu = kept_collection(root, [built[folder] for folder in ours]).image.to_bytes()
    keys = {folder: str(number) for number, folder in enumerate(ours, 1)}
    deliveries = {
        folder: _delivery(game, menu, keys.get(folder, ""), fast=folder in named)
        for folder, game in built.items()
    }
    return Distribution(
        tuple(deliveries[folder] for folder in named),
        tuple(game for folder, game in deliveries.items() if folder not in named),
        idle,
    )


def _folders(root: Path) -> list[Path]:
    """The folders of our own games, in the order of the menu."""
    return [(root / name).resolve() for name in game_names(root)]


def _delivery(game: Built, menu: bytes = b"", key: str = "", fast: bool = True) -> DistributedGame:
    """A game on its disk, its fast disk and the common disk, as far as it is on them."""
    disks = {Medium.PLAIN: game.image.to_bytes()}
    if fast and game.manifest.fast:
        disks[Medium.FAST] = fast_disk(game).to_bytes()
    if key:
        disks[Medium.MENU] = menu
    folder = str(game.manifest.folder.resolve())
    return DistributedGame(game.name, disks, _program_on(game.image, game), key, folder)


def _program_on(image: DiskImage, game: Built) -> str:
    """The file that starts the game: its program, or `LOAD` where that is the same."""
    program = game.manifest.program
    if program not in image:
        return AUTOSTART
    own, load = image.read(program), image.read(AUTOSTART)
    return AUTOSTART if (own.data, own.records) == (load.data, load.records) else program


def is_saved(path: Path) -> bool:
    """Tell whether a file is a match that `save` wrote."""
    return read_text(path).startswith(MARK)


def replay(path: Path, host: str) -> StageVerdict:
    """Replay a saved match. Raises TIError if it is damaged, or its game no longer exists."""
    first = read_text(path).splitlines()[0]
    try:
        data = json_value(first.removeprefix(MARK))
        names = [str(name) for name in data["games"]]
        seed, situation = int(data["seed"]), Situation.from_data(data["situation"])
    except (ValueError, KeyError, TypeError) as error:
        raise ScriptError(
            f"a damaged match: {error}",
            remedy="let verify write the file again",
            place=Place(str(path), 1),
        ) from error
    series = next(shipment(names, host).series(host, 1, 0))
    verdict = series.verdict()
    if not verdict.not_run:
        match = series.play(seed, situation)
        verdict.add(match)
        verdict.failures = [match] if match.flaws else []
    return verdict


def save(verdict: StageVerdict, games: Sequence[str], folder: Path) -> list[Path]:
    """Write each failure as a file that replays it, and its first flaw as two pictures.

    `games` are the game's name or folder and those of the others. Returns the files that replay.
    """
    paths = []
    for number, match in enumerate(verdict.failures, 1):
        folder.mkdir(parents=True, exist_ok=True)
        stem = folder / f"{verdict.game}-shipped-{number}"
        paths.append(stem.with_suffix(".keys"))
        write_atomically(paths[-1], _text(match, games))
        for name, video in _pictures(match):
            write_atomically(stem.with_name(f"{stem.name}-{name}.png"), _drawn(video))
    return paths


def _text(match: StageMatch, games: Sequence[str]) -> str:
    data: dict[str, Any] = {
        "games": list(games),
        "seed": match.seed,
        "situation": match.situation.to_data(),
    }
    lines = (line for flaw in match.flaws for line in flaw.lines())
    remarks = "".join(f"# {line}\n" for line in (str(match.situation), *lines))
    return f"{MARK}{json.dumps(data)}\n{remarks}{write(match.steps)}"


def _pictures(match: StageMatch) -> Iterator[tuple[str, Video]]:
    flaw = match.flaws[0]
    for name, moment in (("clean", flaw.clean), ("seen", flaw.seen)):
        if moment is not None:
            yield name, moment.seen.video


def _drawn(video: Video) -> bytes:
    return png(Snapshot(video.ram, video.registers).vdp())
