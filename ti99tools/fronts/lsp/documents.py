"""Texts as an editor has them: their sources, their names, and the help about a word.

Rows and columns count from 0, columns in characters; `units` and `column` convert to and from the
editor's UTF-16 units. Names are labels, routines, constants, drawings and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from ti99tools.app.source import Written, written
from ti99tools.base import tokens as t
from ti99tools.base.decoding import decode
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import MANIFEST
from ti99tools.base.inputs import read_regular
from ti99tools.language.dialect.lexer import NAME_TEXT
from ti99tools.language.dialect.reader import included, library_folder
from ti99tools.language.listing.builtins import SUBPROGRAMS, Subprogram
from ti99tools.language.remedies.misread_words import BLOCK_WORDS

MOST = 1 << 22
"""The most characters of a text."""


@dataclass(frozen=True, slots=True)
class RowWord:
    """A word of a row: its text in capitals, and its start and end columns (from 0)."""

    text: str
    start: int
    end: int


class Documents:
    """The open texts, by their files."""

    def __init__(self) -> None:
        self._texts: dict[Path, str] = {}

    def __contains__(self, path: Path) -> bool:
        return path in self._texts

    def set(self, path: Path, text: str) -> None:
        """Open a text, or replace it."""
        self._texts[path] = text[:MOST]

    def close(self, path: Path) -> None:
        """Forget a text that the editor has closed: the file on disk counts again."""
        self._texts.pop(path, None)

    def read(self, path: Path) -> bytes:
        """The bytes of a file as the editor has it, or else as it is on disk. Raises OSError."""
        text = self._texts.get(path.resolve())
        return read_regular(path) if text is None else text.encode("utf-8", "replace")

    def rows(self, path: Path) -> list[str]:
        """The rows of a text; empty if it cannot be read."""
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
    """The column (characters from 0) after `count` UTF-16 units."""
    total = 0
    for index, character in enumerate(row):
        if total >= count:
            return index
        total += 2 if ord(character) > 0xFFFF else 1
    return len(row)


def word_at(row: str, at: int) -> RowWord | None:
    """The word that contains column `at` (from 0), or ends there."""
    for match in NAME_TEXT.finditer(row):
        if match.start() <= at <= match.end():
            return RowWord(match.group().upper(), match.start(), match.end())
    return None


_MOST_FILES = 200
"""The most files of a folder that are searched for one that includes another."""


class Project:
    """Finds out which files belong together, according to the editor's texts."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def main_of(self, path: Path) -> Written:
        """The source to check when a file changes: its game's, one that includes it, or itself."""
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
                text = "\n".join(self._documents.rows(path))
                waiting += islice(included(text, path.parent), _MOST_FILES)
        return found


_NAME = r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*"
_LABEL = re.compile(rf"\s*({_NAME})\s*:(?!:)")
_ROUTINE = re.compile(rf"\s*(?:\d+\s*)?(SUB|PROC)\s+({_NAME})([^!]*)", re.I)
_CONSTANTS = re.compile(r"\s*(CONST|ENUM)\s+(.*)", re.I)
_DIRECTIVE = re.compile(rf"\s*#\s*(art|text)\s+({_NAME}\$?)", re.I)
_FUNCTION = re.compile(rf"(?:\s*\d+)?\s*DEF\s+({_NAME}\$?)([^!]*)", re.I)
_NUMBERED = re.compile(r"\s*(\d+)\s")
_BLOCK = re.compile(r'\s*#\s*(?:art|text)\b[^"]*$', re.I)
"""The row before the rows of a drawing or of a text; with a file in quotes there are none."""
_BLOCK_END = re.compile(r"\s*#\s*end\b", re.I)
_QUOTED = re.compile(r'"[^"]*"?')
_SUB_END = re.compile(r"\bSUBEND\b", re.I)
_NOT_LABELS = frozenset(("PRINT", "DISPLAY", "ACCEPT", "ELSE", "REPEAT"))
_DEFINED = re.compile(rf"({_NAME}\$?)(\s*\([^)]*\))?\s*(=[^,]*)?")


@dataclass(frozen=True, slots=True)
class SourceName:
    """A name of a source: its kind, its spelling, and its row and column, both from 0.

    `sub`: the SUB that it is in; empty in the main program.
    """

    name: str
    kind: str
    text: str
    row: int
    column: int
    sub: str = ""


def symbols(rows: Sequence[str]) -> Iterator[SourceName]:
    """All names that the rows define, in order."""
    subs = subs_of(rows)
    for number, row in enumerate(rows):
        sub = subs[number]
        if sub is not None:
            for symbol in _of_row(row, number):
                yield replace(symbol, sub=sub)


def subs_of(rows: Sequence[str]) -> list[str | None]:
    """The SUB that each row is in: empty in the main program, None in a drawing or a text."""
    subs: list[str | None] = []
    sub, in_block = "", False
    for row in rows:
        if in_block:
            in_block = _BLOCK_END.match(row) is None
            subs.append(None)
            continue
        in_block = _BLOCK.match(row) is not None
        if (match := _ROUTINE.match(row)) and match[1].upper() == "SUB":
            sub = match[2].upper()
        subs.append(sub)
        if _SUB_END.search(_QUOTED.sub("", row).partition("!")[0]):
            sub = ""
    return subs


def _of_row(row: str, number: int) -> Iterator[SourceName]:
    if row.lstrip()[:1] in ("!", ""):
        return
    if match := _DIRECTIVE.match(row):
        yield _symbol(match, 2, f"#{match[1].lower()}", row, number)
        return
    if match := _NUMBERED.match(row):
        yield _symbol(match, 1, "line", row, number)
    elif (match := _LABEL.match(row)) and match[1].upper() not in _NOT_LABELS:
        yield _symbol(match, 1, "label", row, number)
    if match := _ROUTINE.match(row):
        yield _symbol(match, 2, match[1].lower(), row, number)
    elif match := _FUNCTION.match(row):
        yield _symbol(match, 1, "function", row, number)
    elif match := _CONSTANTS.match(row):
        yield from _constants(match, row, number)


def _constants(match: re.Match[str], row: str, number: int) -> Iterator[SourceName]:
    """The names of a CONST or ENUM; texts with commas are skipped."""
    start = match.start(2)
    listed = re.sub(r'"[^"]*"', lambda text: "\0" * len(text[0]), match[2])
    listed = re.sub(r"\([^()]*,[^()]*\)", lambda text: "\0" * len(text[0]), listed)
    table = False
    for part in re.finditer(r"[^,!]+", listed):
        match_of_part = _DEFINED.match(part[0].lstrip())
        if match_of_part is None or table:
            continue
        table = match_of_part[2] is not None and match[1].upper() == "CONST"
        at = start + part.start() + len(part[0]) - len(part[0].lstrip())
        end = len(row) if table else at + len(part[0].strip())
        yield SourceName(match_of_part[1].upper(), "constant", row[at:end].strip(), number, at)


def _symbol(match: re.Match[str], group: int, kind: str, row: str, number: int) -> SourceName:
    return SourceName(match[group].upper(), kind, row.strip(), number, match.start(group))


_CALL = re.compile(r"\bCALL\s+\w*$", re.I)
_JUMP = re.compile(
    r"\b(?:(?P<list>GOTO|GOSUB|GO\s+TO|GO\s+SUB|(?:UN)?BREAK)\s+(?:\w+\s*,\s*)*"
    r"|(?P<part>THEN|ELSE)\s+|(?P<any>RESTORE|ERROR|USING)\s+|RETURN\s+|RUN\s+)\w*$",
    re.I,
)
"""What comes before a label: a list of them, a statement as well, or one of any part."""
_WORDS = tuple(
    sorted(
        {*(w for w in t.TOKENS if w[0].isalpha()), *BLOCK_WORDS, "PROC", "LOCAL", "ENUM", "RANGE"}
    )
)
CALLED = ("sub", "proc")
JUMPED = ("label", "line", "#text")


@dataclass(frozen=True, slots=True)
class Found:
    """A name, the file that defines it, and whether that is in the SUB that a request is about.

    Labels in no SUB are those of the main program, which is `here` for a request about it.
    """

    symbol: SourceName
    path: Path
    here: bool = True


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that fits at a place, its kind, and a line about it."""

    word: str
    kind: str
    detail: str


Subprograms = Mapping[str, Subprogram]


def leads(word: str, known: Iterable[Found]) -> Found | None:
    """What defines a word: of labels by one name that of the same SUB, or else the program's."""
    found = [each for each in known if each.symbol.name == word]
    return min(found, key=lambda each: (not each.here, each.symbol.sub != ""), default=None)


def about(
    word: str, before: str, known: Iterable[Found], built_in: Subprograms = SUBPROGRAMS
) -> str | None:
    """A text about a word in Markdown, or None; `before` is its row up to the word."""
    if _CALL.search(before + word) and word in built_in:
        return f"```xb\n{built_in[word].text}\n```"
    found = leads(word, known)
    if found is None:
        return None
    return f"```xb\n{found.symbol.text}\n```\n{found.symbol.kind}, {found.path.name}"


def offers(
    before: str, known: Iterable[Found], built_in: Subprograms = SUBPROGRAMS
) -> list[Completion]:
    """The words that fit after `before`."""
    names = list(known)
    if _CALL.search(before):
        own = [
            Completion(e.symbol.name, "call", e.symbol.text)
            for e in names
            if e.symbol.kind in CALLED
        ]
        return own + [Completion(name, "call", record.text) for name, record in built_in.items()]
    jump = _JUMP.search(before)
    labels = [] if jump is None else _labels(names, of_main=jump["any"] is not None)
    if jump is not None and jump["part"] is None:
        return labels
    constants = [
        Completion(e.symbol.name, "constant", e.symbol.text)
        for e in names
        if e.symbol.kind in ("constant", "#art", "function")
    ]
    return labels + constants + [Completion(word, "word", "") for word in _WORDS]


def _labels(names: Iterable[Found], of_main: bool) -> list[Completion]:
    """The labels that a statement can name; `of_main`: those of the main program everywhere."""
    return [
        Completion(each.symbol.name.lower(), "label", each.symbol.text)
        for each in names
        if each.symbol.kind in JUMPED and (each.here or (of_main and not each.symbol.sub))
    ]
