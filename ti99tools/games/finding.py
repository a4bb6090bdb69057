"""Which games there are: the folders with a `game.toml` under `xbasic/`.

In a checkout that is the repository's `xbasic/`, in an installed package its copy
`ti99tools/_xbasic`.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import ti99tools
from ti99tools.base.errors import BuildError
from ti99tools.games.manifest import NAME, Manifest, read_manifest


def games_root() -> Path:
    """The folder of the games. Raises BuildError when there is none."""
    package = Path(ti99tools.__file__).resolve().parent
    for folder in (package.parent / "xbasic", package / "_xbasic"):
        if any(folder.glob(f"*/{NAME}")):
            return folder
    raise BuildError(
        "no games found", remedy="use a checkout, or install the package as it is published"
    )


def game_names(root: Path | None = None) -> list[str]:
    """The games' names (their folders), sorted."""
    folder = root if root is not None else games_root()
    return sorted(path.parent.name for path in folder.glob(f"*/{NAME}"))


def find_game(name: str, root: Path | None = None) -> Manifest:
    """The manifest of a game, by name in any case. Raises BuildError for an unknown name."""
    folder = root if root is not None else games_root()
    names = game_names(folder)
    wanted = name.lower()
    if wanted not in names:
        near = difflib.get_close_matches(wanted, names, 1)
        hint = f"is {near[0]} meant?" if near else f"there are {', '.join(names) or 'none'}"
        raise BuildError(f"no game named {name}", remedy=hint)
    return read_manifest(folder / wanted)
