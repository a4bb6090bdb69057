"""How well our time fits the recorded one: loops and programs timed to the cycle, whole programs.

    python -m tests.bench.timing_report FILE_OR_FOLDER … [--worst N]

Files whose names begin with `timing-` hold loops, timed from BEGIN! to END!, and programs, timed
from choosing Extended BASIC to a text: in full and beyond what the shortest one takes. Every second
one, counted in its file, belongs to the half that figures were fitted to. Of other files those
cases are counted whose script waits for texts or for the end: where it waits for a number of
frames, the time is the script's. Their recordings see the end every 200,000 cycles.
"""

from __future__ import annotations

import argparse
import json
import lzma
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.stopwatch import written
from ti99tools.games.conformance.cases import Case, CaseKind, case_files, load
from ti99tools.games.conformance.playback import play

EMPTY = 7_509_749
"""Cycles of an empty program, from choosing Extended BASIC to the end."""
SHORTEST = 4_787_530
"""The same of `PRINT "A"` to its output."""
SEEN = 200_000
"""The recordings' step."""
MEASURED = "timing-"
HALVES = ("fitted half", "other half")


@dataclass(frozen=True, slots=True)
class Fit:
    """A case's recorded cycles and ours; `part` is what the case is counted in."""

    id: str
    recorded: int
    ours: int
    part: str = ""
    half: str = ""

    @property
    def off(self) -> int:
        """Cycles that we take too long."""
        return self.ours - self.recorded

    @property
    def share(self) -> float:
        """The same as a share of what the program takes beyond an empty one's time."""
        return self.off / max(self.recorded - EMPTY, SEEN)

    @property
    def of_all(self) -> float:
        """The same as a share of all."""
        return self.off / self.recorded

    @property
    def of_more(self) -> float:
        """The same as a share of what the program takes beyond the shortest one's time."""
        return self.off / max(self.recorded - SHORTEST, SEEN)


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
    cases = [c for c in load(paths) if c.kind is CaseKind.CONSOLE and timed(c.data)]
    if jobs == 1:
        yield from map(fit, cases)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(fit, cases, chunksize=8)


def measurements(file: Path) -> list[Any]:
    """The loops and programs of a file, a JSON list or JSON Lines, packed (`.xz`) or not."""
    data = file.read_bytes()
    text = (lzma.decompress(data) if file.suffix == ".xz" else data).decode("utf-8")
    if file.suffix == ".json":
        value: list[Any] = json.loads(text)
        return value
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def measure(case: Any, half: str = "") -> Fit:
    """Time a loop or a program. Raises NotSeen."""
    name = str(case.get("id") or case["name"])
    if "until" in case:
        return Fit(name, case["exact"], written(case, [case["until"]])[0], "programs", half)
    begin, end = written(case, ["BEGIN!", "END!"])
    recorded = case["exact"] if "exact" in case else case["cycles"]
    return Fit(name, recorded, end - begin, "loops", half)


def measured(files: Iterable[Path]) -> list[Fit]:
    """Time all loops and programs of some files."""
    return [
        measure(case, HALVES[at % 2])
        for file in files
        for at, case in enumerate(measurements(file))
    ]


def cuts(values: Sequence[float], form: str) -> str:
    """Median, nine in ten and worst of some deviations."""
    sizes = sorted(map(abs, values))
    found = statistics.median(sizes), sizes[int(len(sizes) * 0.9)], sizes[-1]
    median, most, all_ = (form.format(cut) for cut in found)
    return f"median {median}, 90 % below {most}, worst {all_}"


def table(found: list[Fit], worst: int) -> Iterator[str]:
    """Lines for people about loops and programs timed to the cycle."""
    for part in ("loops", "programs"):
        for half in (*HALVES, "all"):
            some = [one for one in found if one.part == part and half in (one.half, "all")]
            if not some:
                continue
            yield f"{part}, {half} ({len(some)}): {cuts([one.of_all for one in some], '{:.2%}')}"
            if part == "programs":
                more = cuts([one.of_more for one in some], "{:.2%}")
                yield f"  beyond the shortest program: {more}"
    for one in sorted(found, key=lambda one: -abs(one.of_all))[:worst]:
        yield f"{one.off:+14,}  {one.of_all:+8.2%}  {one.recorded:14,}  {one.id}"


def report(found: list[Fit], worst: int) -> Iterator[str]:
    """Lines for people about whole programs."""
    off = [one.off for one in found]
    yield f"{len(found)} programs"
    yield f"cycles off: {cuts(off, '{:,.0f}')}"
    yield f"of the program: {cuts([one.share for one in found], '{:.1%}')}"
    within = sum(abs(o) <= SEEN for o in off) / len(off)
    yield f"within one look of the recording ({SEEN:,}): {within:.1%}"
    for one in sorted(found, key=lambda one: -abs(one.off))[:worst]:
        yield f"{one.off:+14,}  {one.share:+8.1%}  {one.recorded:14,}  {one.id}"


def main(arguments: list[str] | None = None) -> int:
    """Print the reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    files: list[Path] = []
    for path in options.paths:
        files += [*path.glob(f"{MEASURED}*.json"), *case_files(path)] if path.is_dir() else [path]
    exact = [file for file in files if file.name.startswith(MEASURED)]
    others = [file for file in files if file not in exact]
    if exact:
        print("\n".join(table(measured(exact), options.worst)))
    if others:
        print("\n".join(report(list(fits(others, options.jobs)), options.worst)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
