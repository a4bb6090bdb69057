"""A game's manifest, `game.toml`: what it is, what it is made of, what goes on its disk.

```toml
title = "D5000"                 # what people call it
version = "1.0"                 # the constant VERSION$ of the sources
source = "d5000.xb"             # the main source, dialect or numbered listing
program = "D5000"               # the program's name on the disk, beside LOAD
disk = "D5000"                  # the disk's name
# basic = "rxb"                 # a later Extended BASIC that it is written for; then no passes
geometry = "SSSD"               # optional; without it SSSD, or DSSD where that is too small
summary = "Five dice, first past 5000"

optimize = true                 # optional: false, or a list of passes; see docs/games.md

hot = "I K A$"                  # optional: names that are looked up most; see docs/games.md
fast = true                     # optional: also a disk that starts from a memory image

[define]                        # optional constants for the sources
DEBUG = 0

[seed]                          # how `run --seed N` answers the game's question
prompt = "SEED"                 # text on the screen that asks
keys = "{seed}\\n"               # what to type then

[verify]                        # optional; see docs/games.md
model = "model.py:D5000"        # the rules: FILE:CLASS in this folder, or PACKAGE.MODULE:CLASS
adapter = "adapter.py:D5000Adapter"   # optional: what verification must know beside the rules

[arcade]                        # optional: its cabinet in the arcade of the disk of all games
name = "D5000"                  # on the cabinet: 1 to 6 characters
line = "FIVE DICE. FIRST PAST 5000."  # said where it is chosen: up to 28 characters
color = 16                      # optional: of the picture, 3 to 16; white without it
picture = '''
................
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
.XXXXXXXXXXXXXX.
................
'''

[[files]]                       # optional further files on the disk
name = "D5000DOC"
source = "manual.txt"           # text as DIS/VAR 80, or a dialect source with type "PROGRAM"
type = "DIS/VAR"
```
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import BuildError, DiskError, Place
from ti99tools.base.hostio import MANIFEST
from ti99tools.base.inputs import read_regular
from ti99tools.base.record import Record
from ti99tools.base.tables import toml_table
from ti99tools.language.listing.laterprofiles import PROFILES
from ti99tools.language.optimize import PASSES
from ti99tools.media.disk.geometry import geometry
from ti99tools.media.disk.tifile import NAME_RULE, is_legal_name

LARGEST = 1 << 20
"""The most bytes of a manifest."""
MANUAL = "MANUAL.md"
"""The manual in the game's folder; a plain-text form of it goes on the disk."""

NAME_WIDTH, LINE_WIDTH = 6, 28
"""Characters that a cabinet has for its name, and for its line."""
DOTS = 16
"""Rows and columns of a picture."""
COLORS = range(3, 17)
"""Colours of a picture, numbered as in CALL SPRITE; 1 and 2 are invisible on black."""
WHITE = 16
SOMETHING = """
................
.....XXXXXX.....
....XXXXXXXX....
...XXX....XXX...
...XXX....XXX...
..........XXX...
.........XXX....
........XXX.....
.......XXX......
.......XXX......
.......XXX......
................
.......XXX......
.......XXX......
.......XXX......
................
"""
"""The picture for a game without one."""

_CLASS = re.compile(r"[^:]+:[^\W\d]\w*")


class Seed(Record):
    """How a game asks for its random seed and how the answer is typed."""

    prompt: str
    answer: str

    def keys(self, seed: int) -> str:
        """What to type once `prompt` is on the screen; a newline is ENTER."""
        return self.answer.replace("{seed}", str(seed))


class ExtraFile(Record):
    """A further file on the disk: text as DIS/VAR 80, or another program."""

    name: str
    source: str
    type: str


class Cabinet(Record):
    """What a cabinet shows; `picture` is a sprite of 16 × 16 dots: 64 digits for CALL CHAR."""

    name: str
    line: str
    picture: str
    color: int = WHITE


def sprite_digits(picture: str) -> str:
    """The digits of a picture of 16 rows of 16 dots. Raises ValueError if it is of another form."""
    rows = picture.split()
    if [len(row) for row in rows] != [DOTS] * DOTS or set(picture) - set("X. \n"):
        raise ValueError("a picture has 16 rows of 16 dots, X or .")
    dots = [row.replace("X", "1").replace(".", "0") for row in rows]
    columns = (slice(0, 8), slice(8, 16))
    return "".join(f"{int(row[half], 2):02X}" for half in columns for row in dots)


def usual_cabinet(program: str, summary: str) -> Cabinet:
    """The cabinet of a game whose manifest has none: its program's name and its summary."""
    return Cabinet(program[:NAME_WIDTH], _shortened(summary), sprite_digits(SOMETHING))


def _shortened(summary: str) -> str:
    """As much of a summary as fits in a row, cut at a comma, or else at a space."""
    text = summary
    while len(text) > LINE_WIDTH and "," in text:
        text = text.rpartition(",")[0]
    if len(text) <= LINE_WIDTH:
        return text
    return summary[: LINE_WIDTH - 3].rpartition(" ")[0] + " ..."


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of `game.toml`; `game` is its folder's name, `folder` where the sources are."""

    game: str
    folder: Path
    title: str
    version: str
    source: str
    program: str
    disk: str
    geometry: str | None
    """None: the smallest that will do."""
    summary: str = ""
    define: dict[str, int | str] = field(default_factory=dict)
    seed: Seed | None = None
    files: tuple[ExtraFile, ...] = ()
    passes: tuple[str, ...] | None = None
    """The passes that make the program faster; None: all of them."""
    model: str = ""
    """Where the class of the model is, `FILE:CLASS` or `PACKAGE.MODULE:CLASS`; empty: no model."""
    hot: tuple[str, ...] = ()
    """Names of the main program that are looked up most, in that order."""
    fast: bool = False
    """Whether to build a second disk, whose LOAD starts the game from a memory image."""
    basic: str = ""
    """The profile of a later Extended BASIC that the game is written for; empty: TI's."""
    adapter: str = ""
    """Where the class of the adapter is, in the same form; empty: the general one."""
    arcade: Cabinet | None = None
    """Its cabinet on the disk of all games, if the manifest has one."""

    @property
    def cabinet(self) -> Cabinet:
        """Its cabinet on the disk of all games."""
        return self.arcade or usual_cabinet(self.program, self.summary)

    @property
    def source_path(self) -> Path:
        """The path of the main source, whether or not it exists."""
        return self.folder / self.source

    @property
    def constants(self) -> dict[str, int | str]:
        """The constants of the sources: those of `[define]`, and VERSION$."""
        return {"VERSION$": self.version, **self.define}

    @property
    def manual_path(self) -> Path:
        """The path of the manual, which may not exist."""
        return self.folder / MANUAL

    @property
    def manual_name(self) -> str:
        """The manual's name on the disk."""
        return f"{self.program[:7]}DOC"

    @property
    def log_name(self) -> str:
        """The play log's name on the disk, unless the game's adapter gives another."""
        return f"{self.program[:7]}LOG"


def read_manifest(folder: Path, game: str | None = None) -> Manifest:
    """Read the manifest in a game's folder; the game's name is `game`, or else the folder's.

    Raises BuildError, which names the key at fault.
    """
    path = folder / MANIFEST
    try:
        table = toml_table(read_regular(path, LARGEST).decode())
    except OSError as error:
        raise BuildError(
            f"cannot read {path}: {error.strerror}", remedy="a game needs a game.toml"
        ) from None
    except ValueError as error:
        raise BuildError(f"no TOML: {error}", remedy="fix it", place=Place(str(path))) from None
    return _Reader(path, table).manifest(folder, game or folder.resolve().name)


class _Reader:
    """Takes keys out of a table, and reports those that are missing, invalid or left over."""

    def __init__(self, path: Path, table: dict[str, Any]) -> None:
        self.path = path
        self.table = dict(table)

    def error(self, problem: str, remedy: str) -> BuildError:
        return BuildError(problem, remedy=remedy, place=Place(str(self.path)))

    def text(self, table: dict[str, Any], key: str, where: str, default: str | None = None) -> str:
        value = table.pop(key, default)
        if value is None:
            raise self.error(f"{where} has no {key}", f'add {key} = "…"')
        if not isinstance(value, str) or (not value and default is None):
            raise self.error(f"{key} in {where} is not text", f'write {key} = "…"')
        return value

    def disk_name(self, table: dict[str, Any], key: str, where: str) -> str:
        name = self.text(table, key, where)
        if not is_legal_name(name):
            raise self.error(f"{key} = {name!r} is not a valid name on a TI disk", NAME_RULE)
        return name

    def tables(self, key: str, kind: type) -> Any:
        value = self.table.pop(key, kind())
        if not isinstance(value, kind):
            raise self.error(f"{key} has the wrong form", "see the description of game.toml")
        return value

    def done(self, table: dict[str, Any], where: str) -> None:
        if table:
            unknown = ", ".join(sorted(table))
            raise self.error(f"{where} has unknown keys: {unknown}", "remove them")

    def manifest(self, folder: Path, game: str) -> Manifest:
        where = MANIFEST
        define = self.tables("define", dict)
        for name, value in define.items():
            if not isinstance(value, int | str) or isinstance(value, bool):
                raise self.error(
                    f"{name} in [define] is neither a number nor text", "write NAME = 1"
                )
        seed = self.tables("seed", dict)
        files = self.tables("files", list)
        verify = self.tables("verify", dict)
        arcade = self.tables("arcade", dict)
        shape = self.text(self.table, "geometry", where, "") or None
        try:
            geometry(shape or "SSSD")
        except DiskError as error:
            raise self.error(error.problem, error.remedy) from None
        basic = self.text(self.table, "basic", where, "")
        if basic and basic not in PROFILES:
            known = ", ".join(PROFILES)
            raise self.error(f"basic = {basic!r} is no profile", f"profiles are {known}")
        if basic:
            # The passes know only the subprograms of TI's cartridge.
            self.table.pop("optimize", None)
        passes = self._passes()
        manifest = Manifest(
            game=game,
            folder=folder,
            title=self.text(self.table, "title", where),
            version=self.text(self.table, "version", where),
            source=self.text(self.table, "source", where),
            program=self.disk_name(self.table, "program", where),
            disk=self.disk_name(self.table, "disk", where),
            geometry=shape,
            summary=self.text(self.table, "summary", where, ""),
            define=define,
            passes=() if basic else passes,
            hot=tuple(self.text(self.table, "hot", where, "").upper().split()),
            fast=self._fast(),
            basic=basic,
            seed=self._seed(seed) if seed else None,
            files=tuple(self._file(entry) for entry in files),
            model=self._class(verify, "model"),
            adapter=self._class(verify, "adapter"),
            arcade=self._cabinet(arcade) if arcade else None,
        )
        self.done(verify, "[verify]")
        self.done(self.table, where)
        self._check(manifest)
        return manifest

    def _passes(self) -> tuple[str, ...] | None:
        value = self.table.pop("optimize", True)
        if isinstance(value, bool):
            return None if value else ()
        if not isinstance(value, list) or not set(map(str, value)) <= set(PASSES):
            raise self.error(
                "optimize is neither true, false nor a list of passes",
                f"passes are {', '.join(PASSES)}",
            )
        return tuple(map(str, value))

    def _fast(self) -> bool:
        value = self.table.pop("fast", False)
        if not isinstance(value, bool):
            raise self.error("fast is neither true nor false", "write fast = true")
        return value

    def _seed(self, table: dict[str, Any]) -> Seed:
        seed = Seed(self.text(table, "prompt", "[seed]"), self.text(table, "keys", "[seed]"))
        self.done(table, "[seed]")
        if "{seed}" not in seed.answer:
            raise self.error("keys in [seed] has no {seed}", 'write keys = "{seed}\\n"')
        return seed

    def _cabinet(self, table: dict[str, Any]) -> Cabinet:
        where = "[arcade]"
        name, line = (self.text(table, key, where) for key in ("name", "line"))
        for text, width in ((name, NAME_WIDTH), (line, LINE_WIDTH)):
            if len(text) > width:
                raise self.error(f"{text!r} in {where} is too long", f"use {width} characters")
        color = table.pop("color", WHITE)
        if color not in COLORS:
            raise self.error(f"color in {where} is not 3 to 16", "see CALL COLOR")
        picture = self.text(table, "picture", where)
        self.done(table, where)
        try:
            return Cabinet(name, line, sprite_digits(picture), color)
        except ValueError as error:
            raise self.error(f"picture in {where}: {error}", "count them") from None

    def _class(self, table: dict[str, Any], key: str) -> str:
        """Where a class is, as the table names it; empty when it does not."""
        where = self.text(table, key, "[verify]", "")
        if where and not _CLASS.fullmatch(where):
            raise self.error(
                f"{key} = {where!r} in [verify] names no class",
                f'write {key} = "{key}.py:{key.title()}", or "PACKAGE.MODULE:CLASS"',
            )
        return where

    def _file(self, table: Any) -> ExtraFile:
        if not isinstance(table, dict):
            raise self.error("files has the wrong form", "write [[files]]")
        file = ExtraFile(
            self.disk_name(table, "name", "[[files]]"),
            self.text(table, "source", "[[files]]"),
            self.text(table, "type", "[[files]]", "DIS/VAR"),
        )
        self.done(table, "[[files]]")
        if file.type not in ("DIS/VAR", "PROGRAM"):
            raise self.error(f"{file.name} has the type {file.type}", "use DIS/VAR or PROGRAM")
        return file

    def _check(self, manifest: Manifest) -> None:
        names = [AUTOSTART, manifest.program, *(file.name for file in manifest.files)]
        if manifest.manual_path.is_file():
            names.append(manifest.manual_name)
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise self.error(f"two files on the disk are named {doubled}", "rename one")
        for source in (manifest.source, *(file.source for file in manifest.files)):
            path = (manifest.folder / source).resolve()
            if not path.is_relative_to(manifest.folder.resolve()):
                raise self.error(f"{source} is outside the game's folder", "move it into it")
            if not path.is_file():
                raise self.error(f"{source} does not exist", "check the name")
