"""The help about a word, the words that fit at a place, and the names that a source defines.

Names are labels, routines, constants, drawings and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base import tokens as t
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.remedies import BLOCK_WORDS

_NAME = r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*"
_LABEL = re.compile(rf"\s*({_NAME})\s*:(?!:)")
_ROUTINE = re.compile(rf"\s*(?:\d+\s*)?(SUB|PROC)\s+({_NAME})([^!]*)", re.I)
_CONSTANTS = re.compile(r"\s*(CONST|ENUM)\s+(.*)", re.I)
_DIRECTIVE = re.compile(rf"\s*#\s*(art|text)\s+({_NAME}\$?)", re.I)
_FUNCTION = re.compile(rf"(?:\s*\d+)?\s*DEF\s+({_NAME}\$?)([^!]*)", re.I)
_NUMBERED = re.compile(r"\s*(\d+)\s")
_NOT_LABELS = frozenset(("PRINT", "DISPLAY", "ACCEPT", "ELSE", "REPEAT"))
_DEFINED = re.compile(rf"({_NAME}\$?)(\s*\([^)]*\))?\s*(=[^,]*)?")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of a source: its kind, its spelling, and its row and column, both from 0."""

    name: str
    kind: str
    text: str
    row: int
    column: int


def symbols(rows: Sequence[str]) -> Iterator[Symbol]:
    """All names that the rows define, in order; in a `numbered` source line numbers are names."""
    for number, row in enumerate(rows):
        yield from _of_row(row, number)


def _of_row(row: str, number: int) -> Iterator[Symbol]:
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


def _constants(match: re.Match[str], row: str, number: int) -> Iterator[Symbol]:
    """The names of a CONST or ENUM; texts with commas are skipped."""
    start = match.start(2)
    listed = re.sub(r'"[^"]*"', lambda text: "\0" * len(text[0]), match[2])
    listed = re.sub(r"\([^()]*,[^()]*\)", lambda text: "\0" * len(text[0]), listed)
    table = False
    for part in re.finditer(r"[^,!]+", listed):
        found = _DEFINED.match(part[0].lstrip())
        if found is None or table:
            continue
        table = found[2] is not None and match[1].upper() == "CONST"
        at = start + part.start() + len(part[0]) - len(part[0].lstrip())
        end = len(row) if table else at + len(part[0].strip())
        yield Symbol(found[1].upper(), "constant", row[at:end].strip(), number, at)


def _symbol(match: re.Match[str], group: int, kind: str, row: str, number: int) -> Symbol:
    return Symbol(match[group].upper(), kind, row.strip(), number, match.start(group))


_CALL = re.compile(r"\bCALL\s+\w*$", re.I)
_JUMP = re.compile(
    r"\b(?:GOTO|GOSUB|GO\s*TO|GO\s*SUB|THEN|ELSE|RESTORE|ERROR|RETURN|USING)\s+\w*$", re.I
)
_WORDS = tuple(
    sorted(
        {*(w for w in t.TOKENS if w[0].isalpha()), *BLOCK_WORDS, "PROC", "LOCAL", "ENUM", "RANGE"}
    )
)
CALLED = ("sub", "proc")
JUMPED = ("label", "line", "#text")


@dataclass(frozen=True, slots=True)
class Found:
    """A name and the file that defines it."""

    symbol: Symbol
    path: Path


@dataclass(frozen=True, slots=True)
class Offer:
    """A word that fits at a place: its kind and a line about it."""

    word: str
    kind: str
    detail: str


def about(word: str, before: str, found: Iterable[Found]) -> str | None:
    """A text about a word, in Markdown; `before` is what stands before it in its row."""
    if _CALL.search(before + word) and word in SUBPROGRAMS:
        return f"```xb\n{SUBPROGRAMS[word].text}\n```"
    for each in found:
        if each.symbol.name == word:
            return f"```xb\n{each.symbol.text}\n```\n{each.symbol.kind}, {each.path.name}"
    return None


def offers(before: str, found: Iterable[Found]) -> list[Offer]:
    """The words that fit after `before`."""
    names = list(found)
    if _CALL.search(before):
        own = [
            Offer(e.symbol.name, "call", e.symbol.text) for e in names if e.symbol.kind in CALLED
        ]
        return own + [Offer(name, "call", record.text) for name, record in SUBPROGRAMS.items()]
    if _JUMP.search(before):
        kinds = JUMPED
        return [
            Offer(e.symbol.name.lower(), "label", e.symbol.text)
            for e in names
            if e.symbol.kind in kinds
        ]
    constants = [
        Offer(e.symbol.name, "constant", e.symbol.text)
        for e in names
        if e.symbol.kind in ("constant", "#art", "function")
    ]
    return constants + [Offer(word, "word", "") for word in _WORDS]
