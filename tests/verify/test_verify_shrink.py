"""Shrinking: the smallest scenario with the same failure, within a number of trials."""

from dataclasses import replace

import pytest

from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.scenario import Scenario
from ti99tools.games.verify.shrinking import Fails, Patience, Shrinking, smaller

PLAYERS = tuple(Player("H", f"P{n}") for n in range(1, 5))
LARGE = Scenario("d5000", Setup(1, PLAYERS, {"warm-up": "3", "detour": "x"}), tuple(range(32, 96)))


def shrink(scenario: Scenario, fails: Fails, trials: int = 300) -> Scenario:
    """The smallest scenario found within so many trials that still fails."""
    shrinking = Shrinking(scenario, fails)
    shrinking.run(Patience(trials))
    return shrinking.smallest


def test_everything_that_does_not_matter_goes() -> None:
    def fails(scenario: Scenario) -> bool:
        text = "".join(map(chr, scenario.keys))
        return "A" in text and "5" in text and len(scenario.setup.players) >= 2

    small = shrink(LARGE, fails)
    assert "".join(map(chr, small.keys)) == "5A"
    assert len(small.setup.players) == 2
    assert small.setup.options == {}


def test_what_matters_stays() -> None:
    small = shrink(LARGE, lambda scenario: scenario == LARGE)
    assert small == LARGE


def test_odd_keys_become_plain() -> None:
    odd = LARGE.with_keys([ord("#"), 8, ord("Q")])
    small = shrink(odd, lambda scenario: len(scenario.keys) == 3)
    assert small.keys == (ord("X"), ord("X"), ord("Q"))


def test_the_number_of_trials_is_kept() -> None:
    trials = 0

    def fails(scenario: Scenario) -> bool:
        nonlocal trials
        trials += 1
        return len(scenario.keys) > 3

    shrink(replace(LARGE, keys=LARGE.keys * 20), fails, trials=25)
    assert trials == 25


def test_a_setup_that_the_model_refuses_is_no_trial() -> None:
    shrinking = Shrinking(LARGE, lambda scenario: True, lambda tried: tried == LARGE)
    shrinking.run(Patience())
    assert (shrinking.smallest, shrinking.used) == (LARGE, 0)


def test_keys_after_the_difference_go_first() -> None:
    search = smaller(LARGE, decided=5)
    assert next(search) == LARGE.with_keys(LARGE.keys[:5])
    assert len(search.send(False).keys) == len(LARGE.keys)


def test_the_time_is_kept_and_shared() -> None:
    clock = iter(range(0, 1000, 2))
    patience = Patience(seconds=15, now=lambda: next(clock))
    used = []
    for left in (3, 2, 1):
        patience.share(left)
        shrinking = Shrinking(LARGE, lambda scenario: False)
        shrinking.run(patience)
        used.append(shrinking.used)
    # Each trial takes 2 seconds; one that would end after the 15th does not begin.
    assert used == [2, 2, 3]
    assert patience.spent <= 15


def test_a_match_that_takes_too_long_is_not_tried() -> None:
    patience = Patience()
    patience.expect(15.0)
    assert not patience.allows(0)


def test_what_was_found_stays_when_it_is_interrupted() -> None:
    def fails(scenario: Scenario) -> bool:
        if len(scenario.keys) < 20:
            raise KeyboardInterrupt
        return True

    shrinking = Shrinking(LARGE, fails, decided=30)
    with pytest.raises(KeyboardInterrupt):
        shrinking.run(Patience())
    assert len(shrinking.smallest.keys) == 30
    assert shrinking.smallest.setup.options == {}
