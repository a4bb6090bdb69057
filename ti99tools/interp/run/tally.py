"""The counts of one watched program in one console: see base.hits.

Generated code adds to `counts`; which statements a count stands for is known to the compiler. An
error takes back what was counted ahead: a segment of statements is counted when it begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from types import TracebackType
from typing import Any, Protocol

from ti99tools.base.hits import FAILED, RAN, Hits, Spot
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.unit import Unit


class Counted(Protocol):
    """A run whose statements are counted."""

    tally: Tally | None
    names: dict[str, Any]


class Tally:
    """How often the counters of a compiler were passed."""

    def __init__(self, compiler: Compiler, before: Hits | None = None) -> None:
        """`before` is what was counted when the program was compiled another time."""
        self.compiler = compiler
        self.counts: list[int] = []
        self._corrected: Counter[Spot] = Counter(before)

    def take(self, execution: Counted) -> None:
        """Count what a run of the watched program does."""
        execution.tally = self
        execution.names["hits"], execution.names["grow"] = self.counts, self.grow

    def grow(self) -> None:
        """Make room for the counters of what was compiled last."""
        missing = len(self.compiler.outline.counters or ()) - len(self.counts)
        self.counts.extend([0] * missing)

    @property
    def hits(self) -> Hits:
        """The counts by statement."""
        numbers = self.compiler.listing.numbers
        found: Hits = {}
        counters = self.compiler.outline.counters or ()
        for counter, count in zip(counters, self.counts, strict=False):
            for (line, at), what in counter:
                spot = numbers[line], at, what
                found[spot] = found.get(spot, 0) + count
        for spot, count in self._corrected.items():
            found[spot] = found.get(spot, 0) + count
        return found

    def failed(self, error: BaseException) -> None:
        """A statement ended in an error: it was the last one of its segment."""
        traceback = error.__traceback__
        while traceback is not None:
            unit = self._unit(traceback)
            if unit is not None:
                self._correct(unit, traceback.tb_lineno)
                return
            traceback = traceback.tb_next

    def _unit(self, traceback: TracebackType) -> Unit | None:
        code = traceback.tb_frame.f_code
        unit = self.compiler.files.get(code.co_filename)
        return unit if unit is not None and unit.code is code else None

    def _correct(self, unit: Unit, line: int) -> None:
        place = unit.place(line)
        number = unit.number(place)
        lines = sorted(unit.counters)
        for known in reversed(lines[: bisect_right(lines, line)]):
            counter = (self.compiler.outline.counters or [])[unit.counters[known]]
            places = [where for where, what in counter if what == RAN]
            if place in places:
                for later in places[places.index(place) + 1 :]:
                    self._corrected[unit.number(later), later[1], RAN] -= 1
                self._corrected[number, place[1], FAILED] += 1
                return
