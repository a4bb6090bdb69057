"""The programs of the page: a folder of sources for each project, and their import and export.

A project is imported and exported as a ZIP archive; a folder can also be imported as its files'
bytes, concatenated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any

from ti99tools.app.disk_contents import boot_file, host_file
from ti99tools.app.project import basic_in
from ti99tools.app.source import written
from ti99tools.app.target import Target, find_target
from ti99tools.base.basic import AUTOSTART
from ti99tools.base.decoding import decode, is_text
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import MANIFEST
from ti99tools.base.packed import Bounds, unzipped, zipped
from ti99tools.base.tables import toml_table
from ti99tools.games.making.finding import find_game, game_names, games_root
from ti99tools.games.making.keeping import kept_game
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source
from ti99tools.media.disk.extract import from_host
from ti99tools.media.disk.image import DiskImage

LARGEST = 500_000
"""The most bytes of a source; a program that fits into the machine is a tenth of that."""
MOST = 200
"""The most files of a project."""
WHOLE = 4_000_000
"""The most bytes of all files of a project."""
SOURCES = (".xb", ".bas", ".b99")
_BOUNDS = Bounds(total=WHOLE, entries=MOST)
_INCLUDED = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.IGNORECASE | re.MULTILINE)


def packed(files: Mapping[str, str]) -> bytes:
    """The files as a zip archive; the same files give the same bytes."""
    return zipped({name: files[name].encode() for name in sorted(files)})


def unpacked(name: str, data: bytes) -> dict[str, Any]:
    """The project in a zip archive; see `gathered`. Raises TIError."""
    try:
        return gathered(unzipped(data, _BOUNDS))
    except TIError as error:
        raise error.at(name) from None


def in_a_row(sizes: Sequence[tuple[str, int]], data: bytes) -> dict[str, Any]:
    """The project of a folder whose files are concatenated in `data`; see `gathered`.

    `sizes`: path and size in bytes of each. Raises TIError.
    """
    _check(len(sizes), len(data))
    ends = list(accumulate(size for _, size in sizes))
    names = (path for path, _ in sizes)
    starts = [0, *ends]
    return gathered((path, data[a:b]) for path, a, b in zip(names, starts, ends, strict=False))


def _check(count: int, size: int) -> None:
    if count > MOST:
        raise TIError(f"{count} files", remedy=f"a project has {MOST} files at most")
    if size > WHOLE:
        raise TIError(f"{size:,} bytes", remedy=f"a project has {WHOLE:,} bytes at most")


def gathered(contents: Iterable[tuple[str, bytes]]) -> dict[str, Any]:
    """The `files` of a project, its `main` file, and the paths that were `left_out`.

    A project is the texts of one folder: the topmost one with a source. Raises TIError if there is
    no source.
    """
    by_folder: dict[str, dict[str, str]] = {}
    left_out = []
    for path, data in contents:
        place = PurePosixPath(path.replace("\\", "/"))
        hidden = any(part.startswith((".", "__")) for part in place.parts)
        if hidden or len(data) > LARGEST or not is_text(data):
            left_out.append(path)
        else:
            by_folder.setdefault(str(place.parent), {})[place.name] = decode(data)
    folders = sorted(by_folder, key=lambda each: (each.count("/") + (each != "."), each))
    chosen = next((each for each in folders if _sources(by_folder[each])), None)
    if chosen is None:
        raise TIError("no source in it", remedy=f"sources end in {', '.join(SOURCES)}")
    left_out += [f"{each}/{name}" for each in folders if each != chosen for name in by_folder[each]]
    files = by_folder[chosen]
    return {"files": files, "main": main_of(files), "left_out": left_out}


def _sources(files: Mapping[str, str]) -> list[str]:
    return sorted(name for name in files if name.lower().endswith(SOURCES))


def main_of(files: Mapping[str, str]) -> str:
    """The main source: the one that game.toml names, or the first that no other includes."""
    try:
        named = toml_table(files.get(MANIFEST, "")).get("source")
    except ValueError:
        named = None
    if isinstance(named, str) and named in files:
        return named
    included = {name for text in files.values() for name in _INCLUDED.findall(text)}
    sources = _sources(files)
    return next((name for name in sources if name not in included), sources[0])


SAMPLES = Path(__file__).parent / "samples"
"""The folder of small example programs."""


class Projects:
    """The projects of the page: each is a folder in `root`, and its name."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._places = re.compile(re.escape(f"{root.resolve().as_posix()}/") + r"[^/\s\"]+/")

    def folder(self, project: str) -> Path:
        """The folder of a project. Raises TIError for an invalid name."""
        if not project or project != Path(project).name or project.startswith("."):
            raise TIError(f"{project!r} is not a name", remedy="use letters, digits and hyphens")
        return self._root / project

    def shortened(self, text: str) -> str:
        """A text in which files of projects have only their names: nobody else sees our folders."""
        return self._places.sub("", text)

    def put(self, project: str, files: Mapping[str, str]) -> None:
        """Replace the files of a project. Raises TIError."""
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

    def files(self, project: str) -> dict[str, str]:
        """The texts of a project by name."""
        paths = sorted(path for path in self.folder(project).iterdir() if path.is_file())
        return {path.name: path.read_bytes().decode() for path in paths}

    def target(self, project: str, main: str) -> Target:
        """The target to run: a game's disk, or the program of a source. Raises TIError."""
        word = self._word(project, main)
        return find_target(word, basic=basic_in(self.folder(project)))

    def source(self, project: str, main: str) -> Source:
        """The source of a project's program. Raises TIError."""
        return written(self._word(project, main)).read()

    def _word(self, project: str, main: str) -> str:
        """The name of a project's program for `find_target` and the like.

        Makes the project's folder the current one, so that file names in messages are short.
        """
        folder = self.folder(project)
        os.chdir(folder)
        return str(folder) if (folder / MANIFEST).is_file() else main

    def disk(self, project: str, main: str, form: str) -> tuple[str, bytes]:
        """The disk of a project as a file, `dsk` or `hfe`: its name and its bytes.

        For a game it is the disk that `build` writes; for a source the one that `disk new --boot`
        writes, with the program under its own name too. Raises TIError.
        """
        word = self._word(project, main)
        if word == main:
            name, image = project, self._boot_disk(Path(main))
        else:
            built = kept_game(find_game(self.folder(project)))
            name, image = built.name, built.image
        sectors = image.to_bytes()
        if form == "dsk":
            return f"{name}.{form}", sectors
        from ti99tools.media.disk.containers.hfe import create_hfe

        return f"{name}.{form}", create_hfe(sectors, image.geometry)

    def cartridge(self, project: str, main: str) -> tuple[str, bytes]:
        """The program of a project as a ROM cartridge of machine code: its name and its bytes.

        The name suits all loaders. Raises TIError for a program that cannot be compiled.
        """
        from ti99tools.app.compile import compiled_whole, suited

        result = compiled_whole(self._word(project, main))
        return f"{suited(project)}.bin", result.cartridge

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
    """The line number of each row of a source, the LIST output, and the free memory."""
    program = Program.of(source)
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
    entries = [
        {"name": game.game, "title": game.title, "main": game.source, "kind": "game"}
        for game in games
    ]
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in (".xb", ".bas"):
            title = path.read_text().partition("\n")[0].lstrip("0123456789 !")
            entries.append({"name": path.stem, "title": title, "main": path.name, "kind": "sample"})
    return entries


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

    Raises TIError for any other file, for an empty one and for one that is too long.
    """
    if not data:
        raise TIError(f"{name} is empty: it has no bytes", remedy="copy it here again")
    if len(data) > LARGEST:
        problem = f"{name} is too long for a program: {len(data):,} bytes"
        raise TIError(problem, remedy=f"use at most {LARGEST:,} bytes")
    if is_text(data):
        return decode(data)
    try:
        return Program.from_bytes(data).listing()
    except TIError as error:
        raise error.at(name) from None
