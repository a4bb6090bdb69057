"""Which games there are, and the one that a name or a folder means.

Our own games are the folders with a `game.toml` under `xbasic/`: in a checkout the repository's,
in an installed package its copy `ti99tools/_xbasic`. Installed packages offer more by the
entry-point group `ti99tools.games`; a folder anywhere is a game when it holds a `game.toml`.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path

import ti99tools
from ti99tools.base.errors import BuildError
from ti99tools.base.remedy import Remedy
from ti99tools.games.manifest import NAME, Manifest, read_manifest
from ti99tools.games.offers import Offer, offers


class UnknownGame(BuildError):
    """No game has this name, or a folder is no game."""


def games_root() -> Path:
    """The folder of our own games. Raises BuildError when there is none."""
    package = Path(ti99tools.__file__).resolve().parent
    for folder in (package.parent / "xbasic", package / "_xbasic"):
        if any(folder.glob(f"*/{NAME}")):
            return folder
    raise BuildError(
        "no games found", remedy="use a checkout, or install the package as it is published"
    )


def game_names(root: Path | None = None) -> list[str]:
    """The names of our own games (their folders), sorted."""
    folder = root if root is not None else games_root()
    return sorted(path.parent.name for path in folder.glob(f"*/{NAME}"))


def is_path(text: str) -> bool:
    """True if a word means a file or a folder whatever games there are: `./chess`, `a/b`, `.`."""
    return text in (".", "..", "~") or any(mark in text for mark in {"/", os.sep})


def find_game(game: str | Path, root: Path | None = None) -> Manifest:
    """The manifest of a game: in a folder, or by name in any case.

    A folder with a `game.toml` comes first, then our own games, then those of installed packages.
    Raises UnknownGame for an unknown name or a folder that is no game, BuildError for one that is
    broken.
    """
    name, folder = str(game), Path(game).expanduser()
    if (folder / NAME).is_file():
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
    raise _unknown(name, [*game_names(own), *_offered(root)])


def no_game_in(folder: Path) -> UnknownGame:
    """The error for a folder that is no game."""
    if not folder.is_dir():
        return UnknownGame(f"no folder {folder}", remedy="check the name")
    return UnknownGame(
        f"{folder}: a folder without {NAME}",
        remedy=Remedy.NEW_GAME,
    )


def _offered(root: Path | None) -> list[str]:
    return sorted({offer.name.lower() for offer in offers()}) if root is None else []


def _unknown(name: str, names: list[str]) -> UnknownGame:
    near = difflib.get_close_matches(name.lower(), names, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}"
    return UnknownGame(f"no game named {name}", remedy=hint)


def _clash(name: str, found: Iterable[Offer]) -> BuildError:
    packages = " and ".join(sorted(offer.package for offer in found))
    return BuildError(
        f"{packages} both offer a game named {name}",
        remedy="give its folder instead, or uninstall one of them",
    )


def all_games() -> tuple[list[Manifest], dict[str, BuildError]]:
    """Our own games and those of installed packages; and what keeps others from being used.

    A BuildError is kept by the name of the game and its package. No broken game, and no game whose
    name another one has, keeps the rest from being found.
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
