"""From the counts of a run to the statements of the source: totals, lcov, JSON, text.

Here: which statements a program has and where they were written, counts added up over runs, and the
forms that other tools read. Elsewhere: counting (computer/interp), pages (report).

Counts are kept by file, line and column.

An lcov tracefile is for genhtml, editors and coverage services. `DA` has the count of a line's
statement that ran most often; `BRDA` the two ways of each IF of a line, branch 0 when its condition
held and 1 when not, `-` for an IF that never ran.

As text, each statement that was not reached is a line that editors can follow:
`file:line:column: never ran`.

JSON is for other tools, and for adding up counts of several processes:

    {"form": "ti99tools coverage 1",
     "totals": {"statements": 3, "reached": 2, "ways": 2, "taken": 1},
     "files": [{"file": "game.xb", "totals": {…},
                "statements": [{"line": 4, "column": 3, "hits": 7, "yes": 7, "no": 0}, …]}],
     "missed": ["game.xb:4:3: the condition always held", "game.xb:6:3: never ran"]}

Lines and columns count from 1. An IF has `yes` and `no`: how often its condition held and did not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ti99tools.base.counts import FAILED, RAN, THEN, USED, Hits
from ti99tools.base.errors import Place, TIError
from ti99tools.base.record import Record
from ti99tools.language.analysis import Statements, analysis_of
from ti99tools.language.listing.listing import Line, statement_offsets
from ti99tools.language.listing.sourcemap import Mark, SourceMap
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

At = tuple[int, int]
"""Line and column of a statement in its file, from 1."""


class Count(Record):
    """How often a statement ran; for an IF also how often its condition held (`yes`) or not (`no`).

    None: it is not an IF.
    """

    ran: int = 0
    yes: int | None = None
    no: int | None = None

    def __add__(self, other: Count) -> Count:
        return Count(self.ran + other.ran, _sum(self.yes, other.yes), _sum(self.no, other.no))

    def beside(self, other: Count) -> Count:
        """The joint count of two statements in the program that come from one in the source."""
        ran = max(self.ran, other.ran)
        return Count(ran, _sum(self.yes, other.yes), _sum(self.no, other.no))

    @property
    def ways(self) -> dict[str, int]:
        """The ways of an IF and how often they were taken; none for other statements."""
        return {} if self.yes is None else {"yes": self.yes, "no": self.no or 0}


def _sum(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else a + b


class Totals(Record):
    """The totals: statements and ways of IFs, and how many of them were reached."""

    statements: int = 0
    reached: int = 0
    ways: int = 0
    taken: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.statements + other.statements,
            self.reached + other.reached,
            self.ways + other.ways,
            self.taken + other.taken,
        )

    @property
    def share(self) -> float:
        """The fraction of statements reached, from 0 to 1; 1 when there are none."""
        return self.reached / self.statements if self.statements else 1.0


@dataclass(frozen=True)
class Coverage:
    """Counts by file, then by line and column."""

    files: Mapping[str, Mapping[At, Count]] = field(default_factory=dict)

    def __or__(self, other: Coverage) -> Coverage:
        """Both together; counts of the same statement are added up."""
        files = {name: dict(counts) for name, counts in self.files.items()}
        for name, counts in other.files.items():
            mine = files.setdefault(name, {})
            for at, count in counts.items():
                mine[at] = mine[at] + count if at in mine else count
        return Coverage(files)

    def totals(self, file: str | None = None) -> Totals:
        """The totals of one file, or of all."""
        names = self.files if file is None else [file]
        return sum((_totals(self.files[name].values()) for name in names), Totals())

    def missed(self) -> Iterator[tuple[Place, str]]:
        """Everything not reached, in order: its place, and `statement`, `yes` or `no`."""
        for name in sorted(self.files):
            for (line, column), count in sorted(self.files[name].items()):
                place = Place(name, line, column)
                if not count.ran:
                    yield place, "statement"
                else:
                    yield from ((place, way) for way, times in count.ways.items() if not times)


def _totals(counts: Iterable[Count]) -> Totals:
    all_counts = list(counts)
    ways = [times for count in all_counts for times in count.ways.values()]
    return Totals(
        len(all_counts), sum(c.ran > 0 for c in all_counts), len(ways), sum(map(bool, ways))
    )


def tracefile(coverage: Coverage, test: str = "") -> str:
    """The text of the tracefile; `test` names the run (letters, digits, `_`)."""
    lines: list[str] = []
    for name in sorted(coverage.files):
        lines += [f"TN:{test}", f"SF:{name}", *_records(coverage.files[name]), "end_of_record"]
    return "".join(line + "\n" for line in lines)


def _records(counts: Mapping[At, Count]) -> Iterator[str]:
    lines: dict[int, list[Count]] = {}
    for (line, _), count in sorted(counts.items()):
        lines.setdefault(line, []).append(count)
    ways = [times for count in counts.values() for times in count.ways.values()]
    for line, some in lines.items():
        for block, count in enumerate(count for count in some if count.ways):
            for branch, times in enumerate(count.ways.values()):
                yield f"BRDA:{line},{block},{branch},{times if count.ran else '-'}"
    if ways:
        yield f"BRF:{len(ways)}"
        yield f"BRH:{sum(map(bool, ways))}"
    for line, some in lines.items():
        yield f"DA:{line},{max(count.ran for count in some)}"
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(any(count.ran for count in some) for some in lines.values())}"


SAYS = {
    "statement": "never ran",
    "yes": "the condition never held",
    "no": "the condition always held",
}


def missed_lines(coverage: Coverage) -> list[str]:
    """One line for each statement that never ran, and each way of an IF never taken."""
    return [f"{place}: {SAYS[what]}" for place, what in coverage.missed()]


def summary(coverage: Coverage) -> list[str]:
    """A line for each file and one for all: statements and ways of IFs."""
    rows = [(name, coverage.totals(name)) for name in sorted(coverage.files)]
    rows.append(("all", coverage.totals()))
    wide = max(len(name) for name, _ in rows)
    return [
        f"{name:<{wide}}  {totals.reached:5} of {totals.statements:5} statements "
        f"{percent(totals.share):>5}  {totals.taken:5} of {totals.ways:5} ways of IFs"
        for name, totals in rows
    ]


def percent(share: float) -> str:
    """`97 %`, rounded down."""
    return f"{int(100 * share)} %"


FORM = "ti99tools coverage 1"


def to_data(coverage: Coverage) -> dict[str, Any]:
    """The counts as values of JSON, in the form that `from_data` reads."""
    return {
        "form": FORM,
        "totals": asdict(coverage.totals()),
        "files": [
            {
                "file": name,
                "totals": asdict(coverage.totals(name)),
                "statements": [_statement(at, count) for at, count in sorted(counts.items())],
            }
            for name, counts in sorted(coverage.files.items())
        ],
        "missed": missed_lines(coverage),
    }


def _statement(at: At, count: Count) -> dict[str, int]:
    return {"line": at[0], "column": at[1], "hits": count.ran, **count.ways}


def from_data(data: dict[str, Any]) -> Coverage:
    """The inverse of `to_data`. Raises TIError for anything else."""
    if data.get("form") != FORM:
        raise TIError("not coverage of Extended BASIC", remedy=f'its form must be "{FORM}"')
    return Coverage(
        {
            file["file"]: {
                (row["line"], row["column"]): Count(row["hits"], row.get("yes"), row.get("no"))
                for row in file["statements"]
            }
            for file in data["files"]
        }
    )


SILENT = (st.EmptyStatement, st.Data, st.Dim, st.OptionBase, st.Image, st.Sub)
"""Statements that do nothing when they are executed."""

Where = Callable[[int, int, int], Mark | None]
"""Line number, offset and ordinal of a statement → where it was written; None: it was generated."""

ELSE = "else"
"""The event counted for a GOTO that became the line number after an ELSE."""


class StatementSpot(Record):
    """A statement of the program: its place there and in the source, and how it is counted.

    `then` is the offset of the statement after an IF's THEN, −1 for a line number, None if it is
    not an IF. `counts` is the event that counts it. `original` is the ordinal in the line of the
    statement that this one is a copy of, or its own ordinal.
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


class Plan(Record):
    """The statements of a program that can run."""

    lines: tuple[Line, ...]
    spots: tuple[StatementSpot, ...]

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
    if source.memory is not None:
        return Plan(program.lines, ())

    def where(number: int, offset: int, ordinal: int) -> Mark | None:
        return Mark(1, ordinal, source.where(number, offset))

    return Plan(program.lines, tuple(_spots(program.lines, where)))


def plan_of(lines: Sequence[Line], sourcemap: SourceMap) -> Plan:
    """The plan of a generated program, which may have been optimized."""

    def where(number: int, _offset: int, ordinal: int) -> Mark | None:
        return sourcemap.mark(number, ordinal)

    parsed = analysis_of(lines).parsed
    spots = [*_spots(lines, where)]
    for line in lines:
        spots += _after_else(line, parsed[line.number], sourcemap.marks(line.number))
    return Plan(tuple(lines), tuple(spots))


def _spots(lines: Sequence[Line], where: Where) -> Iterator[StatementSpot]:
    parsed = analysis_of(lines).parsed
    for line in lines:
        ordinals = {at: n for n, at in enumerate(statement_offsets(line.tokens))}
        for node in every_statement(parsed[line.number]):
            if isinstance(node, SILENT) or node.at not in ordinals:
                continue
            mark = where(line.number, node.at, ordinals[node.at])
            if mark is not None and mark.place.line is not None:
                counts = USED if isinstance(node, st.Def) else RAN
                original = mark.statement if mark.copy_of is None else mark.copy_of
                yield StatementSpot(
                    line.number, node.at, mark.place, counts, _then(node), mark.inverted, original
                )


def _after_else(
    line: Line, statements: Statements, marks: Sequence[Mark]
) -> Iterator[StatementSpot]:
    """The line numbers after ELSE that were a GOTO in the source."""
    jumps = [mark for mark in marks if mark.otherwise]
    if not jumps:
        return
    nodes = {node.at: node for node in every_statement(statements)}
    offsets = list(statement_offsets(line.tokens))
    for mark in jumps:
        offset = offsets[mark.statement]
        original = len(offsets) if mark.copy_of is None else mark.copy_of
        then = _then(nodes[offset])
        yield StatementSpot(line.number, offset, mark.place, ELSE, then, False, original)


def _then(node: st.Statement) -> int | None:
    if not isinstance(node, st.If) or node.then is None:
        return None
    return node.then[0].at if isinstance(node.then, tuple) and node.then else -1
