"""The games that are to be built, by name or folder, and the disk of all of ours."""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base.errors import BuildError
from ti99tools.games.artefacts import Built, build_game
from ti99tools.games.collection import NAME, Collection, build_collection
from ti99tools.games.finding import find_game, game_names, games_root
from ti99tools.games.manifest import Manifest


def make(games: Sequence[str]) -> tuple[list[Built], Collection | None]:
    """Build games; without names all of ours and their common disk, which is named `games`.

    Raises TIError when a game is unknown or broken, or two are called the same.
    """
    whole = not games
    together = whole or NAME in map(str.lower, games)
    own = [build_game(find_game(games_root() / name)) for name in game_names() if together]
    collection = build_collection(games_root(), own) if together else None
    if whole:
        return own, collection
    return [build_game(manifest) for manifest in _chosen(games)], collection


def _chosen(games: Sequence[str]) -> list[Manifest]:
    """The manifests of the games named, each once."""
    chosen: dict[str, Manifest] = {}
    for name in games:
        if name.lower() == NAME:
            continue
        manifest = find_game(name)
        other = chosen.setdefault(manifest.game, manifest)
        if other.folder.resolve() != manifest.folder.resolve():
            raise BuildError(
                f"{other.folder} and {manifest.folder} are both called {manifest.game}",
                remedy="build one at a time, each with its own output folder",
            )
    return list(chosen.values())
