"""The names that a source defines: labels, routines, constants, drawings, texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    """A name of a source: its kind, what it is written as, and row and column, both from 0."""

    name: str
    kind: str
    text: str
    row: int
    column: int


def symbols(rows: Sequence[str]) -> Iterator[Symbol]:
    """All names that the rows define, in order; `numbered` lines have their numbers as names."""
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
    """The names of a CONST or ENUM; texts with commas are passed over."""
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
