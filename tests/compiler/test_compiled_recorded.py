"""Compiled programs against recordings of the real machine, with words and with cells."""

from collections import Counter
from itertools import islice

import pytest

from tests.compiler.recordedcases import DIFFERENT, Held, Way, cases, hold

FEW = 3
"""Cases of a file that the suite plays."""
MOST_TIMED = 23
"""Cases that are not held because they show the place of a moving sprite."""
FEWEST = {Way.PLAYED: 390, Way.ALONE: 120}
"""Cases and programs that must be compiled, so that this test cannot pass by refusing."""


def held(case: Held) -> Way:
    """Hold a case; how it was held."""
    way, told = hold(case)
    assert not told, f"{case.case['id']}: {way.value}\n" + "\n".join(told)
    return way


def test_recorded_cases_as_cartridges() -> None:
    for name in ("lang-control", "screen-print", "screen-chars"):
        played = [*islice((case for case in cases(name, step=6) if case.way is Way.PLAYED), FEW)]
        assert len(played) == FEW, "so many of them are compiled"
        for case in played:
            held(case)


@pytest.mark.slow
def test_all_recorded_cases_that_are_compiled() -> None:
    """Programs that several cases have, which go on at the prompt, run once."""
    counted: Counter[Way] = Counter()
    alone: set[str] = set()
    different: set[str] = set()
    for case in cases():
        if case.way is Way.DIFFERENT:
            different.add(case.case["id"])
        elif case.way is Way.TIMED:
            counted[Way.TIMED] += 1
        elif case.way is Way.PLAYED or case.listing not in alone:
            alone.add(case.listing)
            counted[held(case)] += 1
    print(
        f"\n{counted[Way.PLAYED]} played, {counted[Way.ALONE]} alone, "
        f"{counted[Way.TIMED]} depend on time, not held: {DIFFERENT}"
    )
    assert counted[Way.TIMED] <= MOST_TIMED
    assert different == set(DIFFERENT), "all of these are compiled"
    assert all(counted[way] >= fewest for way, fewest in FEWEST.items())
