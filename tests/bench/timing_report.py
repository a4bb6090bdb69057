"""How well our time fits the recorded one: whole programs, by the `cycles` of recorded cases.

    python -m tests.bench.timing_report FILE_OR_FOLDER … [--worst N]

Counted are cases whose script waits for texts or for the end: where it waits for a number of
frames, the time is the script's. The recordings see the end every 200,000 cycles. Loops are judged
by tests/interp/test_timing.py.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ti99tools.conformance.cases import Case, Kind, load
from ti99tools.conformance.playback import play

EMPTY = 7_509_749
"""Cycles of an empty program, from choosing Extended BASIC to the end."""
SEEN = 200_000
"""The recordings' step."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A case's recorded cycles and ours."""

    id: str
    recorded: int
    ours: int

    @property
    def off(self) -> int:
        """Cycles that we take too long."""
        return self.ours - self.recorded

    @property
    def share(self) -> float:
        """The same as a share of what the program takes beyond an empty one's time."""
        return self.off / max(self.recorded - EMPTY, SEEN)


def timed(case: Any) -> bool:
    """Whether a case's time is the program's own."""
    steps = case.get("script") or []
    free = all("until" in step or "snap" in step or step.get("wait", 0) <= 60 for step in steps)
    return free and "cycles" in case.get("expect", {})


def fit(case: Case) -> Fit:
    """Play a case."""
    return Fit(case.id, case.data["expect"]["cycles"], play(case.data).cycles)


def fits(paths: Iterable[Path], jobs: int = 1) -> Iterator[Fit]:
    """Play all cases of the files that can be judged."""
    cases = [c for c in load(paths) if c.kind is Kind.CONSOLE and timed(c.data)]
    if jobs == 1:
        yield from map(fit, cases)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(fit, cases, chunksize=8)


def report(found: list[Fit], worst: int) -> Iterator[str]:
    """Lines for people."""
    off = sorted(abs(one.off) for one in found)
    share = sorted(abs(one.share) for one in found)
    yield f"{len(found)} programs"
    titles = (("cycles off", off, "{:,.0f}"), ("of the program", share, "{:.1%}"))
    for title, values, form in titles:
        cuts = statistics.median(values), values[int(len(values) * 0.9)], values[-1]
        median, most, all_ = (form.format(cut) for cut in cuts)
        yield f"{title}: median {median}, 90 % below {most}, worst {all_}"
    within = sum(o <= SEEN for o in off) / len(off)
    yield f"within one look of the recording ({SEEN:,}): {within:.1%}"
    for one in sorted(found, key=lambda one: -abs(one.off))[:worst]:
        yield f"{one.off:+14,}  {one.share:+8.1%}  {one.recorded:14,}  {one.id}"


def main(arguments: list[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    print("\n".join(report(list(fits(options.paths, options.jobs)), options.worst)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
