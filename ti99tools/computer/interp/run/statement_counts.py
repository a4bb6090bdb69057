"""The counts of one watched program in one console: see base.counts.

Generated code adds to `counts`; the compiler knows which statements a count stands for. A segment
of statements is counted when it begins; an error or CLEAR takes back what did not run.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

from ti99tools.base.counts import FAILED, RAN, Hits, Spot
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.units import COMMAND, StatementPlace, Unit


class CountedRun(Protocol):
    """A run whose statements are counted."""

    tally: Tally | None
    names: dict[str, Any]


class Tally:
    """How often the counters of a compiler were passed."""

    def __init__(self, compiler: Compiler, before: Hits | None = None) -> None:
        """`before` are counts from an earlier compilation of the program."""
        self.compiler = compiler
        self.counts: list[int] = []
        self._corrected: Counter[Spot] = Counter(before)

    def take(self, execution: CountedRun) -> None:
        """Count the runs of the watched program from now on."""
        execution.tally = self
        execution.names["hits"], execution.names["grow"] = self.counts, self.grow

    def grow(self) -> None:
        """Make room for the counters of newly compiled code."""
        missing = len(self.compiler.outline.counters or ()) - len(self.counts)
        self.counts.extend([0] * missing)

    @property
    def hits(self) -> Hits:
        """The counts by statement."""
        numbers = self.compiler.listing.numbers
        hits: Hits = {}
        counters = self.compiler.outline.counters or ()
        for counter, count in zip(counters, self.counts, strict=False):
            for (line, at), what in counter:
                spot = numbers[line], at, what
                hits[spot] = hits.get(spot, 0) + count
        for spot, count in self._corrected.items():
            hits[spot] = hits.get(spot, 0) + count
        return hits

    def failed(self, error: BaseException) -> None:
        """Note that a statement ended in an error: those counted together with it that follow did
        not run.
        """
        block = self.compiler.block_of(error)
        if block is None:
            return
        unit, line = block
        self._take_back(unit, self._counted_from(unit, line)[1:])
        place = unit.place(line)
        number = unit.number(place)
        if number != COMMAND:
            self._corrected[number, place[1], FAILED] += 1

    def stopped(self, stop: BaseException) -> None:
        """Note that CLEAR stopped the program: a statement that was counted here did not run, nor
        did those that follow.
        """
        block = self.compiler.block_of(stop)
        if block is not None:
            unit, line = block
            self._take_back(unit, self._counted_from(unit, line))

    def _take_back(self, unit: Unit, places: Iterable[StatementPlace]) -> None:
        for place in places:
            self._corrected[unit.number(place), place[1], RAN] -= 1

    def _counted_from(self, unit: Unit, line: int) -> list[StatementPlace]:
        """The statement at work in a line of a block, and those counted together with it that
        follow; empty if another block has counted it, before a pause or a wait.
        """
        place = unit.place(line)
        lines = sorted(unit.counters)
        for known in reversed(lines[: bisect_right(lines, line)]):
            counter = (self.compiler.outline.counters or [])[unit.counters[known]]
            places = [where for where, what in counter if what == RAN]
            if place in places:
                return places[places.index(place) :]
        return []
