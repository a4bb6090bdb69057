"""Texts as an editor has them, before they are saved, and places in them as it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from ti99tools.base.hosttext import decode

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
    """The texts that are open, by their files."""

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
        """From here on the file counts."""
        self._texts.pop(path, None)

    def read(self, path: Path) -> bytes:
        """The text of a file as it stands in the editor, else as it is on disk. Raises OSError."""
        text = self._texts.get(path.resolve())
        return path.read_bytes() if text is None else text.encode("utf-8", "replace")

    def rows(self, path: Path) -> list[str]:
        """The rows of a text; none where it cannot be read."""
        try:
            return decode(self.read(path)).split("\n")
        except OSError:
            return []


def path_of(uri: str) -> Path | None:
    """The file that an editor names; None for what is no file."""
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
