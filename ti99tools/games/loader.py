"""What a disk shows while a game loads: the program `LOAD`, and the picture that it draws.

The picture is `picture.xb` in the game's folder: statements in the dialect that draw it, without
jumps. RUN gives characters below 127 their standard patterns back and makes all colours black on
transparent, but leaves the screen's text and the other characters; so the picture stands, plainer,
until the game draws over it.
"""

from __future__ import annotations

from ti99tools.games.manifest import Manifest
from ti99tools.source.dialect import generate

PICTURE = "picture.xb"
"""The picture's source in the game's folder."""
WIDTH = 28
"""Columns of a row of PRINT and DISPLAY AT."""


def quoted(text: str) -> str:
    """A constant text of Extended BASIC."""
    return '"' + text.replace('"', '""') + '"'


def drawing(manifest: Manifest) -> list[str]:
    """Lines of statements that draw the game's picture; without one they say what is loading.

    Raises SourceError for a picture that is no program.
    """
    path = manifest.folder / PICTURE
    if not path.is_file():
        said = quoted(f"LOADING {manifest.title.upper()[: WIDTH - 11]}...")
        return [f"CALL CLEAR::DISPLAY AT(12,1):{said}"]
    text = path.read_text(encoding="utf-8")
    made = generate(text, str(path), root=manifest.folder, defines=manifest.constants)
    return [line.split(" ", 1)[1] for line in made.text.splitlines()]


def starting(manifest: Manifest) -> list[str]:
    """Lines of statements that draw the picture and run the game from DSK1."""
    return [*drawing(manifest), f"RUN {quoted(f'DSK1.{manifest.program}')}"]
