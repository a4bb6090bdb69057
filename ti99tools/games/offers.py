"""Games of installed packages: entry points of the group `ti99tools.games`.

An entry point's name is the game's name. It leads to the game's folder: to a path (a text or
anything with `__fspath__`, e.g. `importlib.resources.files("chess")`), or to the package or module
whose folder holds the `game.toml`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from ti99tools.base.errors import BuildError, Place, TIError
from ti99tools.games.manifest import NAME, Manifest, read_manifest

GROUP = "ti99tools.games"


@dataclass(frozen=True)
class Offer:
    """A game that an installed package offers."""

    entry: EntryPoint

    @property
    def name(self) -> str:
        """The game's name."""
        return self.entry.name

    @property
    def package(self) -> str:
        """The name of the package as it was installed."""
        return self.entry.dist.name if self.entry.dist is not None else self.entry.value

    def manifest(self) -> Manifest:
        """The game's manifest. Raises BuildError that names the package."""
        try:
            return read_manifest(self._folder(), self.name)
        except BuildError as error:
            raise BuildError(
                f"the game {self.name} of {self.package}: {error}", remedy="tell its author"
            ) from error

    def _folder(self) -> Path:
        try:
            found = self.entry.load()
        except TIError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise BuildError(f"{self.entry.value} cannot be loaded: {kind}: {error}") from error
        if isinstance(found, ModuleType):
            places = [*getattr(found, "__path__", [])] or [str(Path(found.__file__ or "").parent)]
            folder = next((Path(p) for p in places if (Path(p) / NAME).is_file()), Path(places[0]))
        elif isinstance(found, str | os.PathLike):
            folder = Path(found)
        else:
            raise BuildError(
                f"{self.entry.value} is neither a folder nor a package",
                place=Place(self.entry.group),
            )
        return folder


def offers() -> list[Offer]:
    """All games that installed packages offer, by name and package."""
    found = [Offer(entry) for entry in entry_points(group=GROUP)]
    return sorted(found, key=lambda offer: (offer.name, offer.package))
