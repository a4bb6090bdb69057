"""What a word means: a file, or a game. Looks at games only when the word is no file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import TIError
from ti99tools.base.nearby import near_file

if TYPE_CHECKING:
    from ti99tools.games.manifest import Manifest

_TI_NAME = re.compile(r"DSK\d?\.", re.IGNORECASE)
"""How the name of a file on a TI disk begins."""


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
        meant = near_file(path)
        if meant:
            remedy = f"did you mean {meant}?"
        elif _TI_NAME.match(name):
            remedy = "name the disk image, then the program on it"
        else:
            remedy = "check the name" if looks_like_file(name) else error.remedy
        raise TIError(f"{name}: no such file, and no such game", remedy=remedy) from error


def looks_like_file(name: str) -> bool:
    """Tell whether a word that names nothing was meant as a file."""
    from ti99tools.games.finding import is_path

    return is_path(name) or bool(Path(name).suffix)
