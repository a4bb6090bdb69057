"""What a player of the dice games waits, in seconds of the machine, against the targets.

Run with `pytest -m bench -s tests/bench/test_bench_games.py`.
"""

from statistics import mean

import pytest

from tests.bench.game_seconds import TARGETS, measured, report

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("game", TARGETS)
def test_nobody_waits_longer_than_the_targets(game: str) -> None:
    figures = measured(game)
    print("\n" + "\n".join(report(game, figures)))
    for name, target in TARGETS[game].items():
        assert mean(figures[name]) <= target, name
