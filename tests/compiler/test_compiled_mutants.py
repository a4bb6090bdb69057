"""Recorded programs that are changed, and statements with values at the edges of what they take."""

from collections.abc import Sequence

import pytest

from tests.compiler.bothforms import can_be_held, check
from tests.compiler.randomedges import EdgeMaker
from tests.compiler.randommutants import MutantMaker, is_settled
from tests.compiler.randomprograms import piece
from ti99tools.compiler.compiling import ALL_SHORT
from ti99tools.compiler.refusing import NotCompiled

SHORT = (0, ALL_SHORT, 1)
"""Native, byte code, and loops in native code."""


def held(listing: str, seed: int, keys: Sequence[str] = ()) -> bool:
    """Hold a program in a form that the seed chooses; False if it cannot be."""
    if not can_be_held(listing, keys):
        return False
    try:
        check(listing, (seed % 2 == 0,), keys, short=SHORT[seed // 2 % len(SHORT)])
    except NotCompiled:
        return False
    return True


def edges(seed: int) -> bool:
    """Hold a program of statements; every third takes lines."""
    lines = seed % 3 == 0
    maker = EdgeMaker(seed, lines)
    listing = maker.program()
    return held(listing, seed, maker.keys() if lines else ())


def mutant(seed: int) -> bool:
    """Hold a recorded program that is changed."""
    listing = MutantMaker(seed).program()
    return is_settled(listing) and held(listing, seed)


def test_values_at_edges() -> None:
    assert sum(map(edges, range(4))) > 2


def test_changed_programs() -> None:
    assert sum(map(mutant, range(12))) > 6


@pytest.mark.slow
def test_many_values_at_edges(seed: int) -> None:
    assert sum(map(edges, piece(seed))) > 800, "so many of them end"


@pytest.mark.slow
def test_many_changed_programs(seed: int) -> None:
    assert sum(map(mutant, piece(seed))) > 600, "so many of them are taken, and end"
