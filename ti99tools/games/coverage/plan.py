"""Which statements a program has, and where each was written: the basis of its counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ti99tools.base.counts import FAILED, RAN, THEN, USED, Hits
from ti99tools.base.errors import Place
from ti99tools.games.coverage.counted import At, Count, Coverage
from ti99tools.language.listing.listing import Line, statement_offsets
from ti99tools.language.listing.sourcemap import Mark, SourceMap
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source
from ti99tools.language.syntax import parse_line
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

SILENT = (st.Nothing, st.Data, st.Dim, st.OptionBase, st.Image, st.Sub)
"""Statements that do nothing when they are executed."""

Where = Callable[[int, int, int], Mark | None]
"""Line number, offset and ordinal of a statement → where it was written; None: it was generated."""

ELSE = "else"
"""The count of a GOTO that became the line number after an ELSE."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A statement of the program: its place there and in the source, and how it is counted.

    `then` is the offset of the statement after an IF's THEN, -1 for a line number, None if it is
    not an IF. `counts` is the key of its count. `original` is the number of the statement in its
    line that this one is a copy of, or its own.
    """

    number: int
    offset: int
    place: Place
    counts: str = RAN
    then: int | None = None
    inverted: bool = False
    original: int = 0

    def count(self, hits: Hits) -> Count:
        """Its count in a run."""
        own = USED if self.counts == USED else RAN
        ran = hits.get((self.number, self.offset, own), 0)
        if self.then is None:
            return Count(ran)
        jumps = self.then < 0
        at, what = (self.offset, THEN) if jumps else (self.then, RAN)
        then = hits.get((self.number, at, what), 0)
        failed = hits.get((self.number, self.offset, FAILED), 0)
        otherwise = max(0, ran - failed - then)
        if self.counts == ELSE:
            return Count(otherwise)
        return Count(ran, *((otherwise, then) if self.inverted else (then, otherwise)))


@dataclass(frozen=True, slots=True)
class Plan:
    """The statements of a program that can run."""

    lines: tuple[Line, ...]
    spots: tuple[Spot, ...]

    def coverage(self, hits: Hits) -> Coverage:
        """The counts of a run by place in the source."""
        single: dict[tuple[Place, int, int], Count] = {}
        for spot in self.spots:
            key = spot.place, spot.number, spot.original
            single[key] = single.get(key, Count()) + spot.count(hits)
        files: dict[str, dict[At, Count]] = {}
        for (place, _, _), count in single.items():
            counts = files.setdefault(place.file or "", {})
            at = place.line or 0, place.column or 1
            counts[at] = counts[at].beside(count) if at in counts else count
        return Coverage(files)


def plan_of_source(source: Source) -> Plan:
    """The plan of a source file; empty for a program file. Raises TIError."""
    program = Program.of(source)
    if source.sourcemap is not None:
        return plan_of(program.lines, source.sourcemap)
    if source.made is not None:
        return Plan(program.lines, ())

    def where(number: int, offset: int, ordinal: int) -> Mark | None:
        return Mark(1, ordinal, source.where(number, offset))

    return Plan(program.lines, tuple(_spots(program.lines, where)))


def plan_of(lines: Sequence[Line], sourcemap: SourceMap) -> Plan:
    """The plan of a generated program, which may have been optimized."""

    def where(number: int, offset: int, ordinal: int) -> Mark | None:
        return sourcemap.mark(number, ordinal)

    spots = [*_spots(lines, where)]
    for line in lines:
        spots += _after_else(line, sourcemap.marks(line.number))
    return Plan(tuple(lines), tuple(spots))


def _spots(lines: Iterable[Line], where: Where) -> Iterator[Spot]:
    for line in lines:
        ordinals = {at: n for n, at in enumerate(statement_offsets(line.tokens))}
        for node in every_statement(parse_line(line.tokens)):
            if isinstance(node, SILENT) or node.at not in ordinals:
                continue
            mark = where(line.number, node.at, ordinals[node.at])
            if mark is not None and mark.place.line is not None:
                counts = USED if isinstance(node, st.Def) else RAN
                original = mark.statement if mark.copy_of is None else mark.copy_of
                yield Spot(
                    line.number, node.at, mark.place, counts, _then(node), mark.inverted, original
                )


def _after_else(line: Line, marks: Sequence[Mark]) -> Iterator[Spot]:
    """The line numbers after ELSE that were a GOTO."""
    jumps = [mark for mark in marks if mark.otherwise]
    if not jumps:
        return
    nodes = {node.at: node for node in every_statement(parse_line(line.tokens))}
    offsets = list(statement_offsets(line.tokens))
    for mark in jumps:
        offset = offsets[mark.statement]
        original = len(offsets) if mark.copy_of is None else mark.copy_of
        then = _then(nodes[offset])
        yield Spot(line.number, offset, mark.place, ELSE, then, False, original)


def _then(node: st.Statement) -> int | None:
    if not isinstance(node, st.If) or node.then is None:
        return None
    return node.then[0].at if isinstance(node.then, tuple) and node.then else -1
