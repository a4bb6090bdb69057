"""From the lines of an optimized listing back to the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ti99tools.base import tokens as t
from ti99tools.optimize.pipeline import Optimized
from ti99tools.optimize.rows import Part, words
from ti99tools.source.listing import list_line
from ti99tools.source.ordinals import statement_offsets
from ti99tools.source.scan import scan
from ti99tools.source.sourcemap import Mark, SourceMap


def mapped(known: SourceMap, found: Optimized) -> SourceMap:
    """The source map of an optimized program, given that of the program it was made of.

    A line that a pass added has the place of no source, and no entry.
    """
    marks: dict[int, list[Mark]] = {}
    for number, tokens in found.lines:
        columns = [len(list_line(number, tokens[:at])) + 1 for at in statement_offsets(tokens)]
        parts = found.parts[number]
        marks[number] = [*_marks(known, parts, columns)]
        if len(parts) > 1:
            marks[number] += _after_else(known, parts, number, tokens, columns)
    return SourceMap({number: some for number, some in marks.items() if some})


def _marks(known: SourceMap, parts: Sequence[Part], columns: list[int]) -> Iterator[Mark]:
    before = 0
    for part in parts:
        first = {mark.statement: mark for mark in reversed(known.marks(part.number))}
        count = len(list(statement_offsets(part.tokens)))
        for mark in sorted(first.values(), key=lambda mark: mark.statement):
            statement = before + mark.statement - part.first
            if before <= statement < min(before + count, len(columns)):
                column = columns[statement] if statement else 1
                yield Mark(column, statement, mark.place, mark.inverted)
        before += count


def _after_else(
    known: SourceMap, parts: Sequence[Part], number: int, tokens: bytes, columns: list[int]
) -> Iterator[Mark]:
    """What follows an ELSE that a pass put in: the last part again; see `joining`."""
    place = known.statement(parts[-1].number, parts[-1].first)
    scanned = list(scan(tokens))
    put_in = next((e for e in scanned if e.token == t.ELSE), None)
    if place is None or put_in is None or any(t.ELSE in words(part.tokens) for part in parts):
        return
    ordinal = sum(len(list(statement_offsets(part.tokens))) for part in parts[:-1])
    copied = ordinal < sum(at < put_in.start for at in statement_offsets(tokens))
    copy_of = ordinal if copied else None
    if scanned[-1].token != t.LINE_NUMBER:
        if copied:
            yield Mark(columns[-1], len(columns) - 1, place, copy_of=copy_of)
        return
    column = len(list_line(number, tokens[: put_in.end])) + 1
    is_if = [at for at, e in enumerate(scanned) if e.token == t.IF]
    begun = sum(at <= scanned[is_if[-1]].start for at in statement_offsets(tokens))
    yield Mark(column, begun - 1, place, otherwise=True, copy_of=copy_of)
