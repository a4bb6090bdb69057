"""A new game: a folder with a small working game, made from the files in `template/`.

In a template `@name@` stands for the game's name, `@TITLE@` for what people call it, `@PROGRAM@`
for its program on the disk, `@LOG@` for its play log, `@Class@` for the first part of its classes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.decoding import decode
from ti99tools.base.errors import BuildError
from ti99tools.base.hostio import write_together
from ti99tools.base.inputs import read_regular
from ti99tools.games.making.collection import NAME as ALL_GAMES
from ti99tools.games.making.finding import game_names

TEMPLATE = Path(__file__).parent / "template"
ENDING = ".in"
"""The last extension of templates, so that no tool takes them for modules."""
RULES = "a name has 1 to 10 letters and digits and begins with a letter, as files on a TI disk do"

MOST_LETTERS = 10
"""The longest name of a file on a TI disk."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{0,9}")


def new_game(folder: Path) -> list[Path]:
    """Make the folder of a new game, named after the folder; returns the files written.

    An existing folder must be empty, hidden files aside: `.` is the current one. Raises BuildError
    when the name is not allowed or the folder has files.
    """
    name = folder.resolve().name
    _check_name(name)
    there = folder.exists()
    if there and (not folder.is_dir() or any(not p.name.startswith(".") for p in folder.iterdir())):
        what = "the current folder is not empty" if folder == Path() else f"{folder} exists"
        raise BuildError(what, remedy="choose another name")
    if not folder.parent.is_dir():
        raise BuildError(f"no folder {folder.parent}", remedy="make it first")
    files: dict[Path, bytes | str] = {folder / path: text for path, text in _files(name).items()}
    write_together(files, [folder])
    return list(files)


def left_as_made(folder: Path) -> list[str]:
    """The modules in a game's folder that are still what `new_game` wrote there, sorted."""
    originals = _files(folder.resolve().name)
    names = ("adapter.py", "model.py")
    there = (name for name in names if (folder / name).is_file())
    return [name for name in there if decode(read_regular(folder / name)) == originals[name]]


def smallest_manifest(source: str) -> str:
    """A game.toml for a folder with that one source, which has neither model nor manual."""
    stem = Path(source).stem
    letters = re.sub(r"[^A-Z0-9]", "", stem.upper())
    program = letters[:MOST_LETTERS] if letters[:1].isalpha() else "GAME"
    program = "GAME" if program == AUTOSTART else program
    values = {
        "title": stem.replace("_", " ").title(),
        "version": "1.0",
        "source": source,
        "program": program,
        "disk": program,
    }
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


def _files(name: str) -> dict[str, str]:
    """The names and texts of a new game's files."""
    words = {
        "@name@": name.lower(),
        "@TITLE@": name.upper(),
        "@PROGRAM@": name.upper(),
        "@LOG@": f"{name.upper()[:7]}LOG",
        "@Class@": name.lower().capitalize(),
    }
    files = {}
    for template in sorted(TEMPLATE.glob(f"*{ENDING}")):
        text = template.read_text(encoding="utf-8")
        for mark, word in words.items():
            text = text.replace(mark, word)
        files[_file_name(template, words["@name@"])] = text
    return files


def _file_name(template: Path, game: str) -> str:
    """`game.xb.in` becomes `chess.xb`, `test_game.py.in` `test_chess.py`; others keep theirs."""
    name = template.name.removesuffix(ENDING)
    return {"game.xb": f"{game}.xb", "test_game.py": f"test_{game}.py"}.get(name, name)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise BuildError(f"{name!r} cannot be the name of a game", remedy=RULES)
    if name.lower() in game_names():
        raise BuildError(f"{name.lower()} is a game of ti99tools", remedy="choose another name")
    if name.upper() == AUTOSTART:
        raise BuildError(f"{AUTOSTART} starts every disk", remedy="choose another name")
    if name.lower() == ALL_GAMES:
        raise BuildError(f"{ALL_GAMES} is the disk of all games", remedy="choose another name")
