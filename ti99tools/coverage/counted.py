"""How often the statements of source files ran: by file, line and column, added up over runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ti99tools.base.errors import Place

At = tuple[int, int]
"""Line and column of a statement in its file, from 1."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often a statement ran, and of an IF how often its condition held (`yes`) or not (`no`).

    None: it is no IF.
    """

    ran: int = 0
    yes: int | None = None
    no: int | None = None

    def __add__(self, other: Count) -> Count:
        return Count(self.ran + other.ran, _sum(self.yes, other.yes), _sum(self.no, other.no))

    def beside(self, other: Count) -> Count:
        """The count of a statement that was written once and became several in the program."""
        ran = max(self.ran, other.ran)
        return Count(ran, _sum(self.yes, other.yes), _sum(self.no, other.no))

    @property
    def ways(self) -> dict[str, int]:
        """The ways of an IF and how often they were taken; none for other statements."""
        return {} if self.yes is None else {"yes": self.yes, "no": self.no or 0}


def _sum(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else a + b


@dataclass(frozen=True, slots=True)
class Totals:
    """How much there is and was reached: statements, and ways of IFs."""

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
        """Reached statements, from 0 to 1; 1 when there are none."""
        return self.reached / self.statements if self.statements else 1.0


@dataclass(frozen=True)
class Coverage:
    """Counts by file, then by line and column."""

    files: Mapping[str, Mapping[At, Count]] = field(default_factory=dict)

    def __or__(self, other: Coverage) -> Coverage:
        """Both together: what is in both files is added up."""
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
        """What was not reached, in order: a place, and `statement`, `yes` or `no`."""
        for name in sorted(self.files):
            for (line, column), count in sorted(self.files[name].items()):
                place = Place(name, line, column)
                if not count.ran:
                    yield place, "statement"
                else:
                    yield from ((place, way) for way, taken in count.ways.items() if not taken)


def _totals(counts: Iterable[Count]) -> Totals:
    found = list(counts)
    ways = [taken for count in found for taken in count.ways.values()]
    return Totals(len(found), sum(c.ran > 0 for c in found), len(ways), sum(map(bool, ways)))
