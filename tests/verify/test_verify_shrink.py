"""Shrinking: the smallest scenario with the same failure, within a number of trials."""

from dataclasses import replace

from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.scenario import Scenario, shrink

PLAYERS = tuple(Player("H", f"P{n}") for n in range(1, 5))
LARGE = Scenario("d5000", Setup(1, PLAYERS, {"warm-up": "3", "detour": "x"}), tuple(range(32, 96)))


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


def test_a_setup_that_the_model_refuses_does_not_fail() -> None:
    def fails(scenario: Scenario) -> bool:
        if len(scenario.setup.players) != 4:
            raise ValueError("for four players")
        return True

    assert shrink(LARGE, fails).setup.players == PLAYERS
