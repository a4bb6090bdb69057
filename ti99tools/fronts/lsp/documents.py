"""Texts as an editor has them, before they are saved, and the source and files they belong to.

Places in a text are counted as the editor counts them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from ti99tools.app.source import Written, written
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import decode
from ti99tools.language.dialect.reader import included, library_folder

_WORD = re.compile(r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*\$?")
MOST = 1 << 22
"""Characters of a text, at most."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a row: its text in capitals, and the columns (from 0) it goes from and to."""

    text: str
    start: int
    end: int


class Documents:
    """The open texts, by their files."""

    def __init__(self) -> None:
        self._texts: dict[Path, str] = {}

    def __contains__(self, path: Path) -> bool:
        return path in self._texts

    @property
    def paths(self) -> list[Path]:
        """The files of all open texts."""
        return list(self._texts)

    def set(self, path: Path, text: str) -> None:
        """Open a text, or replace it."""
        self._texts[path] = text[:MOST]

    def close(self, path: Path) -> None:
        """The editor has closed it: the file counts again."""
        self._texts.pop(path, None)

    def read(self, path: Path) -> bytes:
        """The text of a file as the editor has it, else as it is on disk. Raises OSError."""
        text = self._texts.get(path.resolve())
        return path.read_bytes() if text is None else text.encode("utf-8", "replace")

    def rows(self, path: Path) -> list[str]:
        """The rows of a text; none where it cannot be read."""
        try:
            return decode(self.read(path)).split("\n")
        except OSError:
            return []


def path_of(uri: str) -> Path | None:
    """The file that an editor names; None if it is not a file."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    return Path(url2pathname(unquote(parts.path))).resolve()


def units(row: str, column: int) -> int:
    """The column (characters from 0) as editors count it: in UTF-16 units."""
    return len(row[:column].encode("utf-16-le", "surrogatepass")) // 2


def column(row: str, count: int) -> int:
    """The column (characters from 0) of so many UTF-16 units."""
    total = 0
    for index, character in enumerate(row):
        if total >= count:
            return index
        total += 2 if ord(character) > 0xFFFF else 1
    return len(row)


def word_at(row: str, at: int) -> Word | None:
    """The word that column `at` (from 0) is in, or after."""
    for match in _WORD.finditer(row):
        if match.start() <= at <= match.end():
            return Word(match.group().upper(), match.start(), match.end())
    return None


MANIFEST = "game.toml"
_MOST_FILES = 200
"""The files of a folder that are searched for one that includes another."""


class Project:
    """Finds out which files belong together, by the editor's texts."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def main_of(self, path: Path) -> Written:
        """The source to check when a file changes: its game's, or one that includes it."""
        if path.is_relative_to(library_folder()):
            return Written(path)
        game = next((folder for folder in path.parents[:3] if (folder / MANIFEST).is_file()), None)
        if game is not None:
            try:
                main = written(str(game))
            except TIError:
                main = None
            if main is not None and path in self.files(main.path):
                return main
        for folder in path.parents[:2]:
            for other in self._beside(folder):
                if other != path and path in self.files(other):
                    return Written(other)
        return Written(path)

    def _beside(self, folder: Path) -> list[Path]:
        try:
            found = sorted(file for file in folder.iterdir() if file.suffix.lower() == ".xb")
        except OSError:
            return []
        return [file.resolve() for file in found[:_MOST_FILES]]

    def files(self, main: Path) -> list[Path]:
        """A source and all files that it includes, itself first."""
        found: list[Path] = []
        waiting = [main.resolve()]
        while waiting and len(found) < _MOST_FILES:
            path = waiting.pop(0)
            if path not in found:
                found.append(path)
                waiting += included("\n".join(self._documents.rows(path)), path.parent)
        return found
