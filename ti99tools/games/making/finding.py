"""Which games exist, here and in installed packages, and which one a name or a folder means.

Our own games are the folders with a `game.toml` below `xbasic/`: in a checkout the repository's, in
an installed package its copy `ti99tools/_xbasic`. Any other folder with a `game.toml` is a game
too.

Installed packages offer more games in the entry-point group `ti99tools.games`. An entry
point's name is the game's name. Its object leads to the game's folder: it is a path (a string or
anything with `__fspath__`, e.g. `importlib.resources.files("chess")`), or the package or module
whose folder has the `game.toml`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

import ti99tools
from ti99tools.base.errors import BuildError, Place, Remedy, TIError, suggestion
from ti99tools.base.hostio import MANIFEST
from ti99tools.base.record import Record
from ti99tools.games.making.manifest import Manifest, read_manifest

GROUP = "ti99tools.games"


class OfferedGame(Record):
    """A game that an installed package offers."""

    entry: EntryPoint

    @property
    def name(self) -> str:
        """The word by which commands know the game: the name of its entry point."""
        return self.entry.name

    @property
    def package(self) -> str:
        """The name of the package, as installed."""
        return self.entry.dist.name if self.entry.dist is not None else self.entry.value

    def manifest(self) -> Manifest:
        """The game's manifest. Raises a BuildError that names the package."""
        try:
            return read_manifest(self._folder(), self.name)
        except BuildError as error:
            raise BuildError(
                f"the game {self.name} of {self.package}: {error}", remedy="tell its author"
            ) from error

    def _folder(self) -> Path:
        try:
            loaded = self.entry.load()
        except TIError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise BuildError(f"{self.entry.value} cannot be loaded: {kind}: {error}") from error
        if isinstance(loaded, ModuleType):
            places = [*getattr(loaded, "__path__", [])] or [str(Path(loaded.__file__ or "").parent)]
            games = (Path(each) for each in places if Path(each, MANIFEST).is_file())
            folder = next(games, Path(places[0]))
        elif isinstance(loaded, str | os.PathLike):
            folder = Path(loaded)
        else:
            raise BuildError(
                f"{self.entry.value} is neither a folder nor a package",
                place=Place(self.entry.group),
            )
        return folder


def offers() -> list[OfferedGame]:
    """All games that installed packages offer, sorted by name and package."""
    found = [OfferedGame(entry) for entry in entry_points(group=GROUP)]
    return sorted(found, key=lambda offer: (offer.name, offer.package))


class UnknownGame(BuildError):
    """No game has this name, or a folder is not a game."""


def games_root() -> Path:
    """The folder of our own games. Raises BuildError if there is none."""
    package = Path(ti99tools.__file__).resolve().parent
    for folder in (package.parent / "xbasic", package / "_xbasic"):
        if any(folder.glob(f"*/{MANIFEST}")):
            return folder
    raise BuildError(
        "no games found", remedy="use a checkout, or install the package as it is published"
    )


def game_names(root: Path | None = None) -> list[str]:
    """The names of our own games (their folders), sorted."""
    folder = root if root is not None else games_root()
    return sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}"))


def is_path(text: str) -> bool:
    """True if a word means a file or a folder, whatever games exist: `./chess`, `a/b`, `.`."""
    return text in (".", "..", "~") or any(mark in text for mark in {"/", os.sep})


def find_game(game: str | Path, root: Path | None = None) -> Manifest:
    """The manifest of a game, given by folder, or by name (upper or lower case).

    A folder with a `game.toml` comes first, then our own games, then those of installed packages.
    Raises UnknownGame for an unknown name or a folder that is not a game, BuildError for a broken
    one.
    """
    name, folder = str(game), Path(game).expanduser()
    if (folder / MANIFEST).is_file():
        return read_manifest(folder)
    if isinstance(game, Path) or is_path(name):
        raise no_game_in(folder)
    own = root if root is not None else games_root()
    wanted = name.lower()
    if wanted in game_names(own):
        return read_manifest(own / wanted)
    found = [offer for offer in offers() if offer.name.lower() == wanted] if root is None else []
    if len(found) > 1:
        raise _clash(wanted, found)
    if found:
        return found[0].manifest()
    if folder.is_dir():
        raise no_game_in(folder)
    offered = sorted({offer.name.lower() for offer in offers()}) if root is None else []
    raise _unknown(name, [*dict.fromkeys((*game_names(own), *offered))])


def no_game_in(folder: Path) -> UnknownGame:
    """The error for a folder that is not a game."""
    if not folder.is_dir():
        return UnknownGame(f"no folder {folder}", remedy="check the name")
    return UnknownGame(
        f"{folder}: a folder without {MANIFEST}",
        remedy=Remedy.NEW_GAME,
    )


def _unknown(name: str, names: list[str]) -> UnknownGame:
    if Path(name).is_file():
        problem = f"{name}: a file, and a game is a folder"
        return UnknownGame(problem, remedy=f"put it into one with a {MANIFEST} (docs/games.md)")
    hint = suggestion(name, names, f"there are {', '.join(names) or 'none'}")
    return UnknownGame(f"no game named {name}", remedy=hint)


def _clash(name: str, rivals: Iterable[OfferedGame]) -> BuildError:
    packages = " and ".join(sorted(offer.package for offer in rivals))
    return BuildError(
        f"{packages} both offer a game named {name}",
        remedy="give its folder instead, or uninstall one of them",
    )


def all_games() -> tuple[list[Manifest], dict[str, BuildError]]:
    """Our own games and those of installed packages; and why other games cannot be used.

    The key of a BuildError names its game and package. A game that is broken, or whose name is
    taken, does not affect the others.
    """
    own = game_names()
    manifests: list[Manifest] = []
    problems: dict[str, BuildError] = {}
    for name in own:
        try:
            manifests.append(find_game(games_root() / name))
        except BuildError as error:
            problems[name] = error
    offered = offers()
    for offer in offered:
        name = offer.name.lower()
        rivals = [other for other in offered if other.name.lower() == name]
        try:
            if name in own:
                raise BuildError(f"{name} is a game of ti99tools", remedy="give its folder instead")
            if len(rivals) > 1:
                raise _clash(name, rivals)
            manifests.append(offer.manifest())
        except BuildError as error:
            problems[f"{offer.name} of {offer.package}"] = error
    return manifests, problems
