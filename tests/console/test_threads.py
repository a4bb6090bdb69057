"""Consoles in several threads: each runs and counts as it would alone."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ti99tools import Console, Program
from ti99tools.base.counts import Hits


def listing(first: int) -> str:
    """A program whose lines are compiled one after the other, while it runs."""
    lines = "".join(
        f"{n} IF I={n - 200} THEN A=A+{first + n} ELSE B=B+1\n" for n in range(201, 261)
    )
    return f"100 FOR I=1 TO 60\n{lines}900 NEXT I\n"


def counted(program: Program) -> Hits:
    console = Console(watched=True)
    console.load(program)
    assert console.run() == "ready"
    (hits,) = console.hits.values()
    return hits


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns all the time: with shared compilers nine of ten rounds fail."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hurried")
def test_each_counts_its_own_run() -> None:
    for first in range(2):
        program = Program.from_listing(listing(first))
        with ThreadPoolExecutor(12) as pool:
            together = list(pool.map(counted, [program] * 12))
        assert together == [counted(program)] * 12
