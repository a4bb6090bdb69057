"""The games among the library's examples: they are sound, and keep their rules in both forms."""

import pytest

from tests.sampling import sampled
from ti99tools.games.making.finding import find_game, games_root
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.result import FORMS
from ti99tools.games.verify.subject import subject_of

FOLDER = games_root() / "lib" / "examples"
GAMES = ("cave", "hangman", "hen")
SEEDS = {"cave": 40, "hangman": 35, "hen": 53}
"""Of campaigns whose first match is short."""


def matches_of(name: str, form: str, count: int) -> None:
    """Play matches of a game, and hold them against its model."""
    subject = subject_of(find_game(FOLDER / name), form)
    verdict = Campaign(subject, matches=count, seed=SEEDS[name]).run()
    assert verdict.ok, [failure.mismatch for failure in verdict.failures]
    assert verdict.screens > count


def test_these_are_the_games() -> None:
    assert sorted(path.parent.name for path in FOLDER.glob("*/game.toml")) == sorted(GAMES)


def test_one_of_them_keeps_its_rules_in_a_form(sample: int) -> None:
    """Another in each run, as samples are; the next test plays all of them."""
    cases = [f"{name} {form}" for name in GAMES for form in FORMS]
    [case] = sampled(cases, len(cases), sample, str)
    name, form = case.split()
    matches_of(name, form, 1)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", GAMES)
def test_many_matches_keep_the_rules(name: str, form: str) -> None:
    matches_of(name, form, 25)
