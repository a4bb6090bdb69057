"""Matches that nobody has proven before: every commit plays its own; see `tests.seeds`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from tests.seeds import seed_of_commit
from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.subject import subject_of

MANY = 200


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_many_matches_follow_the_rules(name: str, seed: int) -> None:
    campaign = Campaign(subject_of(find_game(name)), matches=MANY, seed=seed)
    verdict = replace(campaign, jobs=2).run()
    differences = [line for failure in verdict.failures for line in failure.mismatch.lines()]
    assert verdict.ok and verdict.matches == MANY, f"--seed {seed}: {differences}"


def test_a_seed_is_the_commits_or_the_one_that_is_given(pytestconfig: pytest.Config) -> None:
    assert 0 <= seed_of_commit() < 16**7
    assert seed_of_commit() == seed_of_commit()
    assert pytestconfig.getoption("seed") is None or pytestconfig.getoption("seed") >= 0


def test_verify_plays_the_same_matches_unless_it_is_told_a_seed() -> None:
    output = CliRunner().invoke(cli, ["verify", "--help"]).output
    assert "--seed N" in output
    assert "[default: 0" in output[output.index("--seed N") :]
