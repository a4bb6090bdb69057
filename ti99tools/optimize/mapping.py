"""From the lines of an optimized listing back to the source."""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.base import tokens as t
from ti99tools.optimize.pipeline import Optimized
from ti99tools.source.listing import list_line
from ti99tools.source.scan import scan
from ti99tools.source.sourcemap import Mark, SourceMap


def mapped(known: SourceMap, found: Optimized) -> SourceMap:
    """The source map of an optimized program, given that of the program it was made of.

    A line that a pass added has the place of no source, and no entry.
    """
    marks: dict[int, list[Mark]] = {}
    for number, tokens in found.lines:
        columns = [len(list_line(number, tokens[:at])) + 1 for at in _statements(tokens)]
        marks[number] = list(_marks(known, found, number, columns))
    return SourceMap({number: some for number, some in marks.items() if some})


def _marks(known: SourceMap, found: Optimized, number: int, columns: list[int]) -> Iterator[Mark]:
    before = 0
    for part in found.parts[number]:
        first = {mark.statement: mark for mark in reversed(known.marks(part.number))}
        count = len(list(_statements(part.tokens)))
        for mark in sorted(first.values(), key=lambda mark: mark.statement):
            statement = before + mark.statement - part.first
            if before <= statement < min(before + count, len(columns)):
                column = columns[statement] if statement else 1
                yield Mark(column, statement, mark.place)
        before += count


def _statements(tokens: bytes) -> Iterator[int]:
    """Where the statements of a line begin, remarks aside."""
    start: int | None = 0
    for element in scan(tokens):
        if element.token in (t.REM, t.BANG):
            return
        if start is not None:
            if element.token != t.LINE_NUMBER:
                yield start
            start = None
        if element.token in (t.STATEMENT_SEP, t.THEN, t.ELSE):
            start = element.end
