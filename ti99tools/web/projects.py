"""The programs of the page: folders of sources, one a project; what can be said of each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.base.hosttext import decode, is_text
from ti99tools.disk.containers.hfe import create_hfe
from ti99tools.disk.hostnames import from_host
from ti99tools.disk.image import DiskImage
from ti99tools.games.artefacts import build_game
from ti99tools.games.finding import find_game, game_names, games_root
from ti99tools.games.manifest import AUTOSTART
from ti99tools.games.manifest import NAME as MANIFEST
from ti99tools.program.program import Program
from ti99tools.program.sourcefile import Source
from ti99tools.tasks.disk_programs import boot_file, host_file
from ti99tools.tasks.sources import written
from ti99tools.tasks.targets import Target, find_target

SAMPLES = Path(__file__).parent / "samples"
"""Small programs to begin with."""


class Projects:
    """Folders below `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def folder(self, project: str) -> Path:
        """The folder of a project. Raises TIError for a name that is no folder's."""
        if not project or project != Path(project).name or project.startswith("."):
            raise TIError(f"{project!r} is not a name", remedy="use letters, digits and hyphens")
        return self._root / project

    def put(self, project: str, files: Mapping[str, str]) -> None:
        """Make the files of a project those given. Raises TIError."""
        folder = self.folder(project)
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            if name != Path(name).name:
                raise TIError(f"{name!r} is not the name of a file", remedy="leave out folders")
        for old in folder.iterdir():
            if old.is_file() and old.name not in files:
                old.unlink()
        for name, text in files.items():
            path = folder / name
            data = text.encode()
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)

    def target(self, project: str, main: str) -> Target:
        """What runs: a game's disk, or the program of a source. Raises TIError."""
        return find_target(self._word(project, main))

    def source(self, project: str, main: str) -> Source:
        """The lines of a project's program. Raises TIError."""
        return written(self._word(project, main)).read()

    def _word(self, project: str, main: str) -> str:
        """What commands call it; names of its files in messages are short."""
        folder = self.folder(project)
        os.chdir(folder)
        return str(folder) if (folder / MANIFEST).is_file() else main

    def disk(self, project: str, main: str, form: str) -> tuple[str, bytes]:
        """The disk of a project as a file, `dsk` or `hfe`: its name and its bytes.

        Of a game it is what `build` writes, of a source what `disk new --boot` writes, the program
        under its own name on it, too. Raises TIError.
        """
        word = self._word(project, main)
        if word == main:
            name, image = project, self._boot_disk(Path(main))
        else:
            built = build_game(find_game(self.folder(project)))
            name, image = built.name, built.image
        sectors = image.to_bytes()
        data = sectors if form == "dsk" else create_hfe(sectors, image.geometry)
        return f"{name}.{form}", data

    @staticmethod
    def _boot_disk(path: Path) -> DiskImage:
        own = host_file(path, None, None, None)
        for geometry in ("SSSD", "DSSD"):
            image = DiskImage.new(geometry, from_host(path.stem))
            try:
                image.add_stored(boot_file(path))
                if own.name != AUTOSTART:
                    image.add_stored(own)
            except TIError:
                if geometry == "DSSD":
                    raise
                continue
            break
        return image


def checked(source: Source) -> dict[str, Any]:
    """Where the lines of a source go, what LIST shows, and the room that is left."""
    program = source.program()
    memory = program.memory
    return {
        "numbers": [
            [Path(place.file or "").name, place.line, number]
            for number, _ in source.lines()
            if (place := source.where(number)).line is not None
        ],
        "listing": program.listing(),
        "size": program.size,
        "free": memory.program_free,
    }


def examples() -> list[dict[str, str]]:
    """The games and the samples: name, title, main file, and kind."""
    games = (find_game(name) for name in game_names())
    found = [
        {"name": game.game, "title": game.title, "main": game.source, "kind": "game"}
        for game in games
    ]
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in (".xb", ".bas"):
            title = path.read_text().partition("\n")[0].lstrip("0123456789 !")
            found.append({"name": path.stem, "title": title, "main": path.name, "kind": "sample"})
    return found


def provable() -> list[dict[str, str]]:
    """The games that have a model of their rules: name and title."""
    games = (find_game(name) for name in game_names())
    return [{"name": game.game, "title": game.title} for game in games if game.model]


def example(name: str) -> dict[str, str]:
    """The files of an example. Raises TIError for an unknown one."""
    if name in game_names():
        folder = games_root() / name
        paths = sorted(path for path in folder.iterdir() if path.is_file())
    else:
        paths = [path for path in SAMPLES.iterdir() if path.stem == name]
    if not paths:
        raise TIError(f"no example {name}")
    contents = ((path.name, path.read_bytes()) for path in paths)
    return {file: decode(data) for file, data in contents if is_text(data)}


def opened(name: str, data: bytes) -> str:
    """The source in a file of the host: its text, or the listing of a program file.

    Raises TIError for what is neither.
    """
    if is_text(data):
        return decode(data)
    return Program.from_bytes(data).listing()
