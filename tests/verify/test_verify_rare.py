"""What chance brings about too seldom, found by its seed: the model and the program agree on it."""

from tests.shipped import shipped
from ti99tools.games.hosts.virtual import host
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import Scenario, expected

D5000 = adapter("d5000")
NAMES = ("TEX", "ADA", "GUS", "IDA", "MAX", "ZOE")


def test_five_of_a_kind_in_the_last_round_wins() -> None:
    scenario = Scenario("d5000", Setup(214, tuple(Player("I", name) for name in NAMES), {}))
    kinds = [event.kind for event in expected(D5000, scenario)[0].events]
    assert kinds[-2:] == ["FIVE", "WIN"] and "LASTROUND" in kinds, "choose another seed"
    result = play(D5000, host(), shipped("d5000").image.to_bytes(), scenario)
    assert result.mismatch is None
    assert result.events == len(kinds)
