"""Where machine time goes: cycles of a run by statement of the program.

Compiled code adds the cost of several statements at once; its unit knows which ones, so that the
shares of a run add up to its machine time. What the console does after the program has ended counts
for no statement.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.compile.compiler import Compiler

COMPILED = "<Extended BASIC"


@dataclass
class Profile:
    """Cycles and runs of each statement, which is (line number, offset of its first token)."""

    cycles: Counter[tuple[int, int]] = field(default_factory=Counter)
    runs: Counter[tuple[int, int]] = field(default_factory=Counter)
    before: Profile | None = None
    """What had been spent at the last `mark`; None without one."""
    mark: Callable[[], None] = lambda: None
    """Keep what has been spent so far as `before`; to be called in the body of the `with`."""
    left: int | None = None
    """The cycle at which control left the program for the last time; None before that."""

    @property
    def total(self) -> int:
        """Cycles of all statements together."""
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
    left: int | None = None

    def local(frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal now, since, left
        if event == "return":
            left = clock.cycles
        elif event == "line":
            if now is not None:
                spent[now] += clock.cycles - since
            now = frame.f_code.co_filename, frame.f_lineno
            since, left = clock.cycles, None
            hits[now] += 1
        return local

    def calls(frame: FrameType, _event: str, _arg: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(COMPILED) or console.execution is None:
            return None
        unit = console.execution.compiler.files.get(code.co_filename)
        return local if unit is not None and unit.code is code else None

    def until_now() -> tuple[Counter[tuple[str, int]], Counter[tuple[str, int]]]:
        """What has been spent, with the line that is running, and how often lines ran."""
        until = spent.copy()
        if now is not None:
            until[now] += (clock.cycles if left is None else left) - since
        return until, hits.copy()

    profile = Profile()
    earlier: tuple[Counter[tuple[str, int]], Counter[tuple[str, int]]] | None = None

    def mark() -> None:
        nonlocal earlier
        earlier = until_now()

    profile.mark = mark
    before = sys.gettrace()
    sys.settrace(calls)
    try:
        yield profile
    finally:
        sys.settrace(before)
        profile.left = left
        if console.execution is not None:
            _share(console.execution.compiler, profile, *until_now())
            if earlier is not None:
                profile.before = Profile()
                _share(console.execution.compiler, profile.before, *earlier)


def _share(
    compiler: Compiler,
    profile: Profile,
    spent: Counter[tuple[str, int]],
    hits: Counter[tuple[str, int]],
) -> None:
    """Fill a profile of statements from counts by line of compiled code.

    If several lines hold time of a statement, it has run as often as the one that ran most.
    """
    runs: dict[str, Counter[tuple[int, int]]] = {}
    for (file, line), cycles in spent.items():
        unit = compiler.files.get(file)
        if unit is None:
            continue
        if line in unit.sums:
            for place, own in unit.sums[line]:
                statement = unit.number(place), place[1]
                profile.cycles[statement] += own * hits[file, line]
                ran = runs.setdefault(file, Counter())
                ran[statement] = max(ran[statement], hits[file, line])
        elif line not in unit.carried:
            place = unit.place(line)
            profile.cycles[unit.number(place), place[1]] += cycles
    for ran in runs.values():
        profile.runs.update(ran)
