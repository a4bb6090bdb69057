"""Lambo's BOARD, compiled: the same as by hand and in BASIC, and how far from code by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.app import test_twin_proof as by_hand
from tests.subs.lamboboards import CONSTANTS, LAMBO, compiled
from tests.subs.subforms import link_cycles, noted_sizes
from ti99tools.app.twin_proof import Harness

pytestmark = pytest.mark.slow

BYTES, CYCLES, TIMES = 3, 2, 30
"""Aims: the most bytes and cycles beside code by hand, how much faster than BASIC at least."""
WANTED = ("K", "O", "F", "C$")
STARTED, CHOSEN, SHOWN, FIELD = 1, 3, 8, 9


def harness(path: Path, native: bool = True) -> Harness:
    """A program that calls BOARD of a file."""
    return Harness(path, CONSTANTS + by_hand.TILES, by_hand.TILE, native=native)


@dataclass
class Boards:
    """BOARD in its three forms, and the bytes of the code of two."""

    compiled: Harness
    by_hand: Harness
    basic: Harness
    sizes: list[int]


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Boards:
    """All forms, made once."""
    path = compiled(tmp_path_factory.mktemp("lambo"))
    with pytest.MonkeyPatch.context() as patch:
        sizes = noted_sizes(patch)
        both = harness(path), harness(LAMBO / "board.xb")
    return Boards(*both, harness(path, native=False), sizes)


def match(board: Harness, seed: int, tiles: int) -> Iterator[tuple[object, ...]]:
    """A match of two computer players as the game calls BOARD: results of all calls."""

    def call(operation: int, k: int, o: int, f: int) -> tuple[object, ...]:
        return board.run({"OP": operation, "K": k, "O": o, "F": f}, WANTED)

    yield call(STARTED, seed, seed % 2, 0)
    player, placed, turn = 1, 1, 0
    while placed < tiles:
        for left in (2, 1) if turn else (0,):
            result = call(CHOSEN, player, 1 + (seed // 2) % 2, left)
            yield result
            placed += 1
            yield call(FIELD, 13, 16, placed - 1)[3:]
            wins = by_hand.whole(result[2])
            if wins:
                yield call(SHOWN, wins // 100 or wins % 100, 1, 0)
            if wins or placed == tiles:
                return
        player, turn = 3 - player, turn + 1


def test_it_does_the_same_in_few_bytes_and_cycles(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = link_cycles(monkeypatch)
    found = []
    for board in (boards.compiled, boards.by_hand):
        spent.clear()
        found.append(([*match(board, 1234, 20)], sum(spent)))
    assert found[0][0] == found[1][0]
    assert boards.sizes[0] <= BYTES * boards.sizes[1]
    assert found[0][1] <= CYCLES * found[1][1]


def test_it_does_the_same_in_hundreds_of_calls(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        by_hand, "lambo", lambda native: boards.compiled if native else boards.by_hand
    )
    assert by_hand.compared_matches(Random().randrange(1, 10**6), 12) > 250


def test_it_is_many_times_as_fast_as_basic(boards: Boards) -> None:
    before = boards.compiled.seconds
    both = [[*match(board, 1234, 32)] for board in (boards.compiled, boards.basic)]
    assert both[0] == both[1]
    assert boards.basic.seconds >= TIMES * (boards.compiled.seconds - before)
