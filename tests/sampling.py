"""Samples: of tests too many for every run, some are played in each, others the next time.

    @pytest.mark.sampled(4, seconds=22)

One in four of a test's cases is played, and all of them take 22 seconds of processor time; the
others are `slow`. With `together="emulator"` the sample is taken of all marked tests of a file that
have the same value of that parameter. Which tests these are follows from their names, the version
of the package and the number of commits, 0 outside git. A run tells its number, and `--sample N`
plays the same again: a failure in a sample is a bug, and no reason to run again.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from ti99tools import __version__

ROOT = Path(__file__).parents[1]
MOST_SECONDS = 65.0
"""Processor time that samples may leave out: a tenth of what all tests took without them."""

T = TypeVar("T")


def commits(folder: Path = ROOT) -> int:
    """The number of commits of the sources; 0 outside git."""
    command = ["git", "-C", str(folder), "rev-list", "--count", "HEAD"]
    if not (folder / ".git").exists():
        return 0
    try:
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def sampled(cases: Sequence[T], share: int, number: int, name: Callable[[T], str]) -> list[T]:
    """One in `share` of the cases, rounded up, in their order: those with the smallest hashes."""

    def place(at: int) -> bytes:
        return sha256(f"{name(cases[at])} {__version__} {number}".encode()).digest()

    chosen = sorted(range(len(cases)), key=place)[: -(-len(cases) // share)]
    return [cases[at] for at in sorted(chosen)]
