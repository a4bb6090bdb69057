"""How well single statements and mixed loops take the recorded time, and serve its interrupts.

    python -m tests.costs [FILE …] [--worst N] [--jobs N]

Without files: costs4, one statement in a loop, and random4-times, loops of mixed statements, both
from tests/conformance. The error is that of the whole loop, from the `!` of BEGIN! to the end of
END# or END!. `interrupts` counts how often the console's interrupt routine ran meanwhile; its error
is told as a share of the frames that passed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.stopwatch import watched
from tests.bench.timing_report import cuts, measurements
from ti99tools.hardware.machine.clock import FRAME

CONFORMANCE = Path(__file__).parent / "conformance"
FILES = ("costs4.jsonl.xz", "random4-times.jsonl.xz")
SERVED_WELL = 0.03
"""The largest error of the interrupts, as a share of the frames, that counts as good."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A recorded loop and ours: cycles, and interrupts served (None where not recorded)."""

    file: str
    id: str
    text: str
    recorded: int
    ours: int
    interrupts: int | None
    served: int

    @property
    def off(self) -> float:
        """How much longer ours takes, as a share of the recorded time."""
        return self.ours / self.recorded - 1

    @property
    def unserved(self) -> float:
        """The error of the interrupts, as a share of the frames that passed; 0 if not recorded."""
        if self.interrupts is None:
            return 0.0
        return (self.served - self.interrupts) / (self.recorded / FRAME)


def measure(file: str, case: Any) -> Loop:
    """Time one loop. Raises NotSeen."""
    last = "END#" if "statement" in case else "END!"
    begin, end = watched(case, ["BEGIN!", last])
    return Loop(
        file,
        case["id"],
        case.get("statement") or " / ".join(case.get("body", ())),
        case["cycles"] if "statement" in case else case["exact"],
        end.cycles - begin.cycles,
        case.get("interrupts"),
        end.interrupts - begin.interrupts,
    )


def measured(files: list[Path], jobs: int) -> list[Loop]:
    """Time all loops of some files."""
    cases = [(file.name, case) for file in files for case in measurements(file)]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(measure, *zip(*cases, strict=True), chunksize=8))


def table(loops: list[Loop], worst: int) -> Iterator[str]:
    """Lines for people about the loops of one file."""
    yield f"{loops[0].file} ({len(loops)}): {cuts([loop.off for loop in loops], '{:.2%}')}"
    together = sum(loop.ours for loop in loops) / sum(loop.recorded for loop in loops) - 1
    yield f"  all together: {together:+.2%}"
    counted = [loop for loop in loops if loop.interrupts is not None]
    if counted:
        good = sum(abs(loop.unserved) <= SERVED_WELL for loop in counted) / len(counted)
        yield f"  interrupts within {SERVED_WELL:.0%} of the frames: {good:.1%}"
    for loop in sorted(loops, key=lambda loop: -abs(loop.off))[:worst]:
        yield f"  {loop.off:+8.2%}  {loop.recorded:12,}  {loop.id:20} {loop.text[:70]}"
    bad = [loop for loop in counted if abs(loop.unserved) > SERVED_WELL]
    for loop in sorted(bad, key=lambda loop: -abs(loop.unserved))[:worst]:
        yield f"  {loop.served:6} interrupts, not {loop.interrupts:6}  {loop.id:20} {loop.text}"


def main(arguments: list[str] | None = None) -> int:
    """Print a table for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    files = options.files or [CONFORMANCE / name for name in FILES]
    loops = measured(files, options.jobs)
    for file in files:
        own = [loop for loop in loops if loop.file == file.name]
        print("\n".join(table(own, options.worst)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
