"""The games that are to be built, by name or folder, and the disk of all of ours."""

from __future__ import annotations

from collections.abc import Collection as Names
from collections.abc import Sequence

from ti99tools.base.errors import BuildError
from ti99tools.games.artefacts import Built, build_game
from ti99tools.games.collection import NAME, Collection, build_collection
from ti99tools.games.finding import find_game, game_names, games_root
from ti99tools.games.manifest import Manifest
from ti99tools.tasks.faststarts import with_fast_disk


def make(
    games: Sequence[str], passes: Names[str] | None = None, *, fast: bool = False
) -> tuple[list[Built], Collection | None]:
    """Build games; without names all of ours and their common disk, which is named `games`.

    `passes` of `optimize` are applied; without them those that each game names. With `fast` all of
    them get a disk that starts from a memory image, not only those whose manifests say so. Raises
    TIError when a game is unknown or broken, or two are called the same.
    """
    whole = not games
    together = whole or NAME in map(str.lower, games)
    ours = [find_game(games_root() / name) for name in game_names() if together]
    own = [_made(manifest, passes, fast) for manifest in ours]
    collection = build_collection(games_root(), own) if together else None
    if whole:
        return own, collection
    return [_made(manifest, passes, fast) for manifest in chosen(games)], collection


def _made(manifest: Manifest, passes: Names[str] | None, fast: bool) -> Built:
    built = build_game(manifest, passes)
    return with_fast_disk(built) if fast or manifest.fast else built


def chosen(games: Sequence[str]) -> list[Manifest]:
    """The manifests of the games named, each once; all of ours if none is.

    Raises BuildError for two games of one name.
    """
    if not games:
        return [find_game(games_root() / name) for name in game_names()]
    found: dict[str, Manifest] = {}
    for name in games:
        if name.lower() == NAME:
            continue
        manifest = find_game(name)
        other = found.setdefault(manifest.game, manifest)
        if other.folder.resolve() != manifest.folder.resolve():
            raise BuildError(
                f"{other.folder} and {manifest.folder} are both called {manifest.game}",
                remedy="build one at a time, each with its own output folder",
            )
    return list(found.values())
