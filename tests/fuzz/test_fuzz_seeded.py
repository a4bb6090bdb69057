"""A few attempts of every fuzz area in each run of the suite, many with `-m slow`."""

import pytest

from tests.fuzz.fuzzareas import AREAS
from tests.fuzz.fuzzcore import Tally, attempt
from tests.fuzz.fuzzreaders import READERS

COUNTS = {
    "programs": 30,
    "grown-programs": 10,
    "spoken-programs": 10,
    "optimized-programs": 20,
    "linted-programs": 20,
    "states": 20,
    "disks": 8,
    "drives": 10,
    "manifests": 15,
    "disk-commands": 8,
}
"""Attempts in each run of the suite; otherwise 25, and 21 for a kind of file (500 in all)."""

SLOW, SLOW_READERS = 2000, 1250
"""Attempts of an area in a long run; of a kind of file (30,000 in all)."""


def tally(name: str, seeds: range) -> Tally:
    """Make attempts and fail with the input of the first fault."""
    total = Tally()
    for seed in seeds:
        report = attempt(name, AREAS[name], seed)
        total.add(report)
        assert not report.fault, f"{name}, seed {seed}\n{report.input!r}\n{report.fault}"
    return total


@pytest.mark.parametrize("name", AREAS)
def test_some_inputs(name: str) -> None:
    count = COUNTS.get(name, 21 if name in READERS else 25)
    total = tally(name, range(count))
    assert total.outcomes.total() == count
    assert len(total.outcomes) > 1, "all inputs came to the same end: nothing was tried"


@pytest.mark.slow
@pytest.mark.parametrize("name", AREAS)
def test_many_inputs(name: str, seed: int) -> None:
    count = SLOW_READERS if name in READERS else SLOW
    tally(name, range(seed * count, (seed + 1) * count))
