"""What a match of each game costs the processor of this computer, against one of pure BASIC.

Dice Rack has no machine code. Run with `pytest -m bench -s tests/bench/test_bench_code.py`.
"""

from __future__ import annotations

import time

import pytest

from ti99tools.games.making.finding import find_game
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.subject import subject_of

pytestmark = pytest.mark.bench

MATCHES = 40
PURE = "dicerack"
DEAREST = {"d5000": 4.5, "lambo": 4.0, "dimraw": 3.0}
"""Game → times what a match of pure BASIC costs, at most."""


def seconds(game: str) -> float:
    """Processor seconds of a match, programs and machine code compiled before."""
    campaign = Campaign(subject_of(find_game(game)), matches=MATCHES, count=True)
    campaign.run()
    start = time.process_time()
    campaign.run()
    return (time.process_time() - start) / MATCHES


def test_machine_code_costs_little() -> None:
    costs = {game: seconds(game) for game in (PURE, *DEAREST)}
    for game, cost in costs.items():
        print(f"\n{game}: {cost:.3f} s a match, {cost / costs[PURE]:.1f} times {PURE}", end="")
    for game, most in DEAREST.items():
        assert costs[game] <= most * costs[PURE], game
