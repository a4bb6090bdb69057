"""The games as they are shipped, built once in a process."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache

from ti99tools.games.build.artefacts import Built, build_game
from ti99tools.games.build.finding import find_game, games_root
from ti99tools.games.build.manifest import Manifest
from ti99tools.media.disk.image import DiskImage


def shipped(name: str, passes: Collection[str] | None = None) -> Built:
    """A game as `build_game` builds it, with a disk of its own to write on."""
    built = _built(name, None if passes is None else tuple(passes))
    return replace(built, image=DiskImage.from_bytes(built.image.to_bytes()))


def build_or_shipped(
    manifest: Manifest, passes: Collection[str] | None = None, *, native: bool = True
) -> Built:
    """See `build_game`; a game that is shipped is not built again."""
    if native and manifest.folder.parent == games_root():
        return shipped(manifest.game, passes)
    return build_game(manifest, passes, native=native)


@cache
def _built(name: str, passes: tuple[str, ...] | None) -> Built:
    return build_game(find_game(name), passes)
