"""Where machine time goes: cycles of a run by statement of the program.

Compiled code adds the cost of several statements at once; the profiler shares such a sum out again
by the statements' own costs, so that the shares of a run add up to its machine time.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ti99tools.console.session import Console
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.layout import Place
from ti99tools.interp.compile.timing import Timing
from ti99tools.interp.compile.unit import Unit

COMPILED = "<Extended BASIC"
SUM = re.compile(r"\s*(?:clock\.cycles|spent) \+= (\d+)$")
"""A line of compiled code that adds the cost of the statements after it."""
CARRIED = re.compile(r"\s*clock\.cycles \+= spent$")
"""A line that adds what a loop has counted by itself."""


@dataclass
class Profile:
    """Cycles and runs of each statement, which is (line number, offset of its first token)."""

    cycles: Counter[tuple[int, int]] = field(default_factory=Counter)
    runs: Counter[tuple[int, int]] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """All cycles."""
        return sum(self.cycles.values())

    def by_line(self) -> list[tuple[int, int, int]]:
        """(line number, cycles, times run), the most expensive first."""
        cycles: Counter[int] = Counter()
        runs: dict[int, int] = {}
        for (number, at), spent in self.cycles.items():
            cycles[number] += spent
            runs[number] = max(runs.get(number, 0), self.runs[number, at])
        return [(number, spent, runs[number]) for number, spent in cycles.most_common()]


@contextmanager
def profiling(console: Console) -> Iterator[Profile]:
    """Profile what the console runs in the body of the `with` statement."""
    clock = console.clock
    spent: Counter[tuple[str, int]] = Counter()
    hits: Counter[tuple[str, int]] = Counter()
    now: tuple[str, int] | None = None
    since = clock.cycles

    def local(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal now, since
        if event == "line":
            if now is not None:
                spent[now] += clock.cycles - since
            now = frame.f_code.co_filename, frame.f_lineno
            since = clock.cycles
            hits[now] += 1
        return local

    def calls(frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(COMPILED) or console.execution is None:
            return None
        unit = console.execution.compiler.files.get(code.co_filename)
        return local if unit is not None and unit.code is code else None

    profile = Profile()
    before = sys.gettrace()
    sys.settrace(calls)
    try:
        yield profile
    finally:
        sys.settrace(before)
        if now is not None:
            spent[now] += clock.cycles - since
        if console.execution is not None:
            _Sharer(console.execution.compiler, profile).share(spent, hits)


class _Sharer:
    """Turns lines of compiled code into statements."""

    def __init__(self, compiler: Compiler, profile: Profile) -> None:
        self._compiler = compiler
        self._profile = profile
        self._timing = Timing(lines=compiler.listing.numbers)

    def share(self, spent: Counter[tuple[str, int]], hits: Counter[tuple[str, int]]) -> None:
        """Fill the profile."""
        for (file, line), cycles in spent.items():
            unit = self._compiler.files.get(file)
            if unit is None:
                continue
            text = unit.source.split("\n")[line - 1]
            cost = SUM.match(text)
            if cost is not None:
                self._share_sum(unit, line, int(cost[1]), hits[file, line])
            elif not CARRIED.match(text):
                self._profile.cycles[self._statement(unit, unit.place(line))] += cycles

    def _share_sum(self, unit: Unit, line: int, cost: int, hits: int) -> None:
        places = self._paid_by(unit, line)
        weights = [self._weight(place) for place in places]
        left, weight = cost * hits, sum(weights)
        for place, part in zip(places, weights, strict=True):
            share = left * part // weight if weight else 0
            left, weight = left - share, weight - part
            statement = self._statement(unit, place)
            self._profile.cycles[statement] += share
            self._profile.runs[statement] += hits

    def _paid_by(self, unit: Unit, line: int) -> list[Place]:
        """The statements between a line that adds a cost and the next such line."""
        source = unit.source.split("\n")
        after = (n for n in range(line + 1, len(source) + 1) if SUM.match(source[n - 1]))
        end = next(after, len(source) + 1)
        places = [place for start, place in unit.marks if line < start <= end]
        return list(dict.fromkeys(places)) or [unit.place(line)]

    def _weight(self, place: Place) -> int:
        statements = self._compiler.listing.statements(*place)
        return max(1, self._timing.statement(statements[0])) if statements else 1

    @staticmethod
    def _statement(unit: Unit, place: Place) -> tuple[int, int]:
        return unit.number(place), place[1]
