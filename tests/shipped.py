"""The games as they are shipped, built once for all workers of a run."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache

from ti99tools.games.making.artefacts import Built
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.keeping import kept_game
from ti99tools.media.disk.image import DiskImage


def shipped(name: str, passes: Collection[str] | None = None) -> Built:
    """A game as `build_game` builds it, with a disk of its own to write on."""
    built = _built(name, None if passes is None else tuple(passes))
    return replace(built, image=DiskImage.from_bytes(built.image.to_bytes()))


@cache
def _built(name: str, passes: tuple[str, ...] | None) -> Built:
    return kept_game(find_game(name), passes)
