"""A made-up game that is made of all that games can be made of, and a collection of two."""

from pathlib import Path
from shutil import copytree

from PIL import Image

from ti99tools.games.making.finding import games_root

MANIFEST = """
title = "The {0} game"
version = "1"
source = "little.xb"
program = "{0}"
disk = "{0}"
summary = "A game about nothing"
fast = true

[define]
DEEP = 1

[[files]]
name = "{0}X"
source = "extra.xb"
type = "PROGRAM"

[[files]]
name = "{0}N"
source = "note.txt"
type = "DIS/VAR"
"""
LITTLE = """
#include <keys.xb>
#include "part.xb"
#art 96 "dots.png"
RESTORE page
#text page "page.txt"
CALL TWIN(A)
PRINT A;B
SUB TWIN(X) ASM "twin.a99"
  X=1
SUBEND
"""
TWIN = '       DEF  TWIN\nTWIN   LI   R1,5\n       COPY "rest.a99"\n       END\n'
FILES = {
    "game.toml": MANIFEST,
    "little.xb": LITTLE,
    "part.xb": "B=DEEP\n",
    "page.txt": "A TEXT\n",
    "twin.a99": TWIN,
    "rest.a99": "       B    *R11\n",
    "extra.xb": '#include "part.xb"\nPRINT B\n',
    "note.txt": "A NOTE\n",
    "picture.xb": "CALL SCREEN(3)\n",
    "MANUAL.md": "# Little\n\nA text.\n",
}


def write_game(folder: Path) -> Path:
    """Write the game, whose program has the name of its folder."""
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text.format(folder.name.upper()))
    Image.new("1", (8, 8)).save(folder / "dots.png")
    return folder


def collection(root: Path) -> Path:
    """Write a folder of games: ANT and BEE, and the menu of all games."""
    copytree(games_root() / "menu", root / "menu")
    for name in ("ant", "bee"):
        write_game(root / name)
    return root
