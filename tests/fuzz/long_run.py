"""Long fuzz runs: `python tests/fuzz/long_run.py --area programs --count 20000 --jobs 2`.

Faults are printed and, with `--save`, written to a folder together with their input. `--seed`
gives the first seed; one that failed comes again with `--seed N --count 1`.
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from tests.fuzz.fuzzareas import AREAS
from tests.fuzz.fuzzcore import Report, Tally, attempt

MEMORY = 2 << 30
"""Bytes of address space that a worker may take."""
CHUNK = 25


def limit_memory() -> None:
    """Let a worker run out of memory before the host does."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def work(name: str, first: int, count: int) -> list[Report]:
    """Make some attempts in a worker."""
    reports = [attempt(name, AREAS[name], seed) for seed in range(first, first + count)]
    gc.collect()
    return reports


def run(name: str, first: int, count: int, jobs: int, until: float) -> Iterator[Report]:
    """Make the attempts of one area; stops early when the time is over."""
    with ProcessPoolExecutor(jobs, initializer=limit_memory) as pool:
        waiting: list[Future[list[Report]]] = []
        at = first
        while at < first + count or waiting:
            while at < first + count and len(waiting) < 2 * jobs and time.monotonic() < until:
                size = min(CHUNK, first + count - at)
                waiting.append(pool.submit(work, name, at, size))
                at += size
            if not waiting:
                return
            yield from waiting.pop(0).result()


def save(report: Report, folder: Path) -> None:
    """Keep the input of a fault and its traceback."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"{report.area}-{report.seed}"
    data = report.input
    if isinstance(data, bytes):
        stem.with_suffix(".bin").write_bytes(data)
    else:
        stem.with_suffix(".txt").write_text(data, encoding="utf-8")
    stem.with_suffix(".fault").write_text(report.fault, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--area", action="append", choices=sorted(AREAS), help="default: all")
    parser.add_argument("--count", type=int, default=1000, help="inputs for each area")
    parser.add_argument("--minutes", type=float, default=60.0, help="most time for each area")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--save", type=Path, help="folder for the inputs of faults")
    parser.add_argument("--show", type=int, default=5, help="faults to print for each area")
    options = parser.parse_args()
    wrong = 0
    for name in options.area or sorted(AREAS):
        tally = Tally()
        until = time.monotonic() + 60 * options.minutes
        for report in run(name, options.seed, options.count, options.jobs, until):
            tally.add(report)
            if report.fault:
                if options.save:
                    save(report, options.save)
                if len(tally.faults) <= options.show:
                    text = report.input if isinstance(report.input, str) else repr(report.input)
                    print(f"--- {name}, seed {report.seed}\n{text[:3000]}\n{report.fault}")
        print(f"{name}: {tally}", flush=True)
        wrong += len(tally.faults)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
