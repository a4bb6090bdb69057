"""What a disk shows while a game loads: the program `LOAD`, and the picture that it draws.

The picture is `picture.xb` in the game's folder: statements in the dialect that draw it, without
jumps. RUN gives characters below 127 their standard patterns back and makes all colours black on
transparent, but leaves the screen's text and the other characters; so the picture stands, plainer,
until the game draws over it.

A program in the long form cannot be loaded without the 32K memory expansion: RUN fails with
I/O ERROR 57 then, which no ON ERROR catches, as the program that has it is gone. CALL INIT fails
with SYNTAX ERROR without the expansion, and does no harm with it: so `LOAD` asks with that first.
"""

from __future__ import annotations

from ti99tools.games.manifest import Manifest
from ti99tools.source.dialect import generate

PICTURE = "picture.xb"
"""The picture's source in the game's folder."""
WIDTH = 28
"""Columns of a row of PRINT and DISPLAY AT."""
FIRST_LINE = 100
NEEDS = "NEEDS 32K MEMORY"


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


def loading(manifest: Manifest) -> list[str]:
    """The numbered lines of `LOAD`: picture, question for the 32K, RUN; or what is missing."""
    lines = starting(manifest)
    last = FIRST_LINE + len(lines)
    asked = [*lines[:-1], f"ON ERROR {last + 1}::CALL INIT::ON ERROR STOP", lines[-1]]
    asked.append(f"CALL CLEAR::PRINT {quoted(f'{manifest.title.upper()} {NEEDS}')}:")
    return [f"{number} {line}" for number, line in enumerate(asked, FIRST_LINE)]


def starting(manifest: Manifest) -> list[str]:
    """Lines of statements that draw the picture and run the game from DSK1."""
    return [*drawing(manifest), f"RUN {quoted(f'DSK1.{manifest.program}')}"]
