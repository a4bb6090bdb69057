"""Compiled programs against recordings of the real machine, with words and with cells."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

import pytest

from tests.compiler.recordedcases import (
    DIFFERENT,
    Held,
    Way,
    cases,
    hold,
    is_compiled,
    recorded,
    typed_keys,
)

FEW = 2
"""Cases of a file that the suite plays."""
MOST_TIMED = 23
"""Cases that are not held because they show the place of a moving sprite."""
FEWEST = {Way.PLAYED: 390, Way.ALONE: 120}
"""Cases and programs that must be compiled, so that this test cannot pass by refusing."""


def held(case: Held) -> Way:
    """Hold a case; how it was held."""
    way, lines = hold(case)
    assert not lines, f"{case.case['id']}: {way.value}\n" + "\n".join(lines)
    return way


def test_recorded_cases_as_cartridges() -> None:
    for name in (
        *("lang-control", "screen-print", "screen-chars"),
        *("screen-accept", "screen-input", "screen-using"),
        *("files-io", "files-rel", "files-err"),
    ):
        played = [*islice((case for case in cases(name, step=6) if case.way is Way.PLAYED), FEW)]
        assert len(played) == FEW, "so many of them are compiled"
        for case in played:
            held(case)


@pytest.mark.slow
def test_all_recorded_cases_that_are_compiled() -> None:
    """Programs that several cases have, which go on at the prompt, run once.

    Each processor plays a part of them.
    """
    chosen: list[Held] = []
    alone: set[tuple[str, ...]] = set()
    for case in recorded():
        run = (case.listing, *typed_keys(case.case))
        if case.way is not Way.ALONE or run not in alone:
            alone.add(run)
            chosen.append(case)
    with ProcessPoolExecutor() as pool:
        ways = list(pool.map(way_held, chosen, chunksize=8))
    counted = Counter(way for way in ways if way is not None)
    different = {c.case["id"] for c, w in zip(chosen, ways, strict=True) if w is Way.DIFFERENT}
    print(
        f"\n{counted[Way.PLAYED]} played, {counted[Way.ALONE]} alone, "
        f"{counted[Way.TIMED]} depend on time, not held: {DIFFERENT}"
    )
    assert counted[Way.TIMED] <= MOST_TIMED
    assert different == set(DIFFERENT), "all of these are compiled"
    assert all(counted[way] >= fewest for way, fewest in FEWEST.items())


def way_held(case: Held) -> Way | None:
    """How a case was held; None: it is not compiled."""
    if not is_compiled(case.case):
        return None
    return case.way if case.way in (Way.DIFFERENT, Way.TIMED) else held(case)
