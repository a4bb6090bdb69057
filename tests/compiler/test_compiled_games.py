"""The four games as cartridges: whole matches, with their logs on disk, against the models."""

import pytest

from ti99tools.games.making.finding import find_game
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.result import CARTRIDGE
from ti99tools.games.verify.subject import subject_of

GAMES = ("dimraw", "lambo", "d5000", "dicerack")
MATCHES = 4


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_game_on_a_cartridge_follows_its_rules(name: str) -> None:
    verdict = Campaign(subject_of(find_game(name), CARTRIDGE), matches=MATCHES).run()
    assert verdict.ok, [failure.mismatch for failure in verdict.failures]
    assert verdict.screens >= MATCHES
