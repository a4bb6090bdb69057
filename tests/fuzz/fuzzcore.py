"""What every fuzz area shares: attempts from seeds, limits, and how outcomes add up.

An area turns a random generator into one attempt: it makes an input, gives it to the package and
names the outcome (`ok`, `refused`, `XB error` …). What raises anything but the package's own
errors, or takes too long, is a fault. A seed makes the same attempt again as long as the corpus
stays as it is; the input of a fault is kept as text or bytes besides.
"""

from __future__ import annotations

import resource
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "conformance"

HOST_SECONDS = 20.0
"""Seconds of processor time: far more than any attempt needs, even on a slow machine."""


class Fault(Exception):
    """A property that does not hold: two runs differ, a listing reads back otherwise …"""


class TooLong(BaseException):
    """An attempt that did not end within its limit of processor time."""


@dataclass
class Attempt:
    """One attempt: where areas leave the input, so that a fault can show it."""

    rng: Random
    input: str | bytes = ""


Area = Callable[[Attempt], str]
"""Makes an input, uses it, and names the outcome."""


@dataclass(frozen=True)
class Report:
    """How an attempt ended."""

    area: str
    seed: int
    outcome: str
    seconds: float
    peak_kb: int
    fault: str = ""
    input: str | bytes = ""


@dataclass
class Tally:
    """Many reports added up."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[Report] = field(default_factory=list)
    longest: float = 0.0
    longest_seed: int = 0
    peak_kb: int = 0

    def add(self, report: Report) -> None:
        self.outcomes[report.outcome] += 1
        if report.fault:
            self.faults.append(report)
        if report.seconds > self.longest:
            self.longest, self.longest_seed = report.seconds, report.seed
        self.peak_kb = max(self.peak_kb, report.peak_kb)

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.outcomes.most_common())
        return (
            f"{self.outcomes.total()} inputs: {counts}; longest {self.longest:.2f} s "
            f"(seed {self.longest_seed}), peak {self.peak_kb // 1024} MB"
        )


def attempt(name: str, area: Area, seed: int, limit: float = HOST_SECONDS) -> Report:
    """Make one attempt."""
    one = Attempt(Random(f"{name} {seed}"))
    start = time.process_time()
    fault = ""
    try:
        with limited(limit):
            outcome = area(one)
    except TooLong:
        outcome, fault = "TOO LONG", f"no end after {limit:g} seconds of the processor"
    except Exception as error:
        outcome = "FAULT"
        fault = "".join(traceback.format_exception(error)[-12:])
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Report(name, seed, outcome, seconds, peak, fault, one.input if fault else "")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in the body after some `seconds` of processor time.

    Time in which the host does other things does not count.
    """

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def mutated_bytes(data: bytes, rng: Random, hot: int | None = None) -> bytes:
    """`data` with a few bytes changed (most before `hot`), parts put in or taken out."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 6, 12))):
        if not changed:
            break
        top = min(hot or len(changed), len(changed)) if rng.random() < 0.8 else len(changed)
        at = rng.randrange(top)
        match rng.randrange(9):
            case 0 | 1 | 2:
                changed[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
            case 3 | 4:
                changed[at] ^= 1 << rng.randrange(8)
            case 5:
                del changed[at : at + rng.choice((1, 2, 4, 128, 256))]
            case 6:
                changed[at:at] = rng.randbytes(rng.choice((1, 2, 4, 128)))
            case 7:
                source = rng.randrange(len(changed))
                size = rng.choice((1, 2, 4, 256))
                changed[at : at + size] = changed[source : source + size]
            case 8:
                if rng.random() < 0.3:
                    del changed[at:]
                else:
                    changed[at : at + 2] = rng.choice((b"\0\0", b"\xff\xff", b"\x7f\xff", b"\0\1"))
    return bytes(changed)
