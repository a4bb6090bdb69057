"""Compiled programs against recordings of the real machine, with words and with cells."""

from itertools import islice
from typing import Any

import pytest

from tests.compiler.recordedcases import AtThePrompt, cases, compiled, play
from ti99tools.base.errors import TIError

FEW = 8
PARTS = 4
FEWEST = 360
"""Cases that must be compiled, so that this test cannot pass by refusing."""


def agrees(case: dict[str, Any]) -> bool:
    """Hold a case's program against its recording; False where it is not compiled."""
    for words in (True, False):
        try:
            made = compiled(case, words)
        except TIError:
            return False
        try:
            found = play(case, made)
        except AtThePrompt:
            return False
        told = "\n".join(line for one in found for line in (one.where, *one.lines))
        assert not found, f"{case['id']}, words: {words}\n{told}"
    return True


def test_recorded_cases_as_cartridges() -> None:
    chosen = list(cases("lang-control", "screen-print", "screen-chars", "lang-rnd"))[::6]
    done = 0
    for case in chosen:
        done += agrees(case)
        if done == FEW:
            break
    assert done == FEW, "so many of them are compiled"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_recorded_cases_that_are_compiled(part: int) -> None:
    done = sum(map(agrees, islice(cases(), part, None, PARTS)))
    assert done >= FEWEST / PARTS
