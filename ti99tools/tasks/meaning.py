"""What a word means: a file, or a game. Looks at games only when the word is no file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import TIError

if TYPE_CHECKING:
    from ti99tools.games.manifest import Manifest


def find(name: str) -> Path | Manifest:
    """The file that a word names, else the game, by folder or by name. Raises TIError."""
    path = Path(name)
    if path.exists() and not path.is_dir():
        return path
    from ti99tools.games.finding import UnknownGame, find_game

    try:
        return find_game(name)
    except UnknownGame as error:
        if path.is_dir():
            raise
        remedy = "check the name" if looks_like_file(name) else error.remedy
        raise TIError(f"{name}: no such file, and no such game", remedy=remedy) from error


def looks_like_file(name: str) -> bool:
    """Tell whether a word that names nothing was meant as a file."""
    from ti99tools.games.finding import is_path

    return is_path(name) or bool(Path(name).suffix)
