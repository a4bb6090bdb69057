"""Lambo in verification: matches agree, its players reach every rule, its screens are read."""

from functools import cache

import pytest

from tests.shipped import shipped
from tests.verify.lambo_bugs import BUGS, Bug, disk, made_up_match, match
from ti99tools.games.hosts.virtual import host
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.judging import judge
from ti99tools.games.verify.loading import adapter, by_log_name
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.result import MatchResult
from ti99tools.games.verify.scenario import Scenario

pytestmark = pytest.mark.long

LAMBO = adapter("lambo")
REACHED = (
    "ADJACENT 1",
    "PLAYER 1 E",
    "PLAYER 2 C",
    "CLOSED D 0",
    "CLOSED L 0",
    "CLOSED D 1",
    "CLOSED L 1",
    "UNDO",
    "REFUSED 13",
    "REFUSED 85",
    "LARGEST",
    "DRAW",
    "WIN 1 CLOSED",
    "WIN 2 CLOSED",
    "WIN 1 BOTH",
    "WIN 2 BOTH",
    "WIN 1 OUT",
    "WIN 2 OUT",
    "WIN 1 RESIGNED",
    "WIN 2 RESIGNED",
    "TILE A",
    "TILE Y",
)
"""Beginnings of lines that the matches played must contain."""


@cache
def sound_disk() -> bytes:
    return shipped("lambo").image.to_bytes()


@cache
def sound_match(seed: int) -> MatchResult:
    """The made-up match of a seed on the game as it is."""
    return match(sound_disk(), seed)


PLAYED = (7, 8, 10, 11, 12, 27, 32, 38, 45, 80, 299)
"""Seeds of short made-up matches that reach all of that together."""


@pytest.mark.parametrize("seed", PLAYED)
def test_matches_agree(seed: int) -> None:
    log = made_up_match(seed)[1]
    result = sound_match(seed)
    assert result.mismatch is None
    assert result.events == len(log.events)
    assert result.screens >= 1
    assert len(result.lines) > 100


def test_the_matches_played_reach_every_rule() -> None:
    lines = {str(event) for seed in PLAYED for event in made_up_match(seed)[1].events}
    assert [start for start in REACHED if not any(line.startswith(start) for line in lines)] == []


def test_its_logs_are_judged_from_anywhere() -> None:
    assert by_log_name("LAMBO").name == "lambo"
    for seed in range(0, 30, 3):
        log = made_up_match(seed)[1]
        assert judge(log, LAMBO.model) is None
        index = next(n for n, event in enumerate(log.events) if event.kind == "TURN")
        events = (*log.events[:index], Event("TURN", ("1", "9")), *log.events[index + 1 :])
        verdicts = judge(type(log)(log.game, log.version, log.seed, events, True), LAMBO.model)
        assert verdicts is not None
        assert verdicts.index == index


def test_a_screen_that_is_wrong_is_found() -> None:
    players = (Player("H", "P1"), Player("H", "P2"))
    setup = Setup(5, players)
    keys = tuple(map(ord, "TM12BTM14A"))
    scenario = Scenario("lambo", setup, keys)
    good = play(LAMBO, host(), sound_disk(), scenario)
    assert good.mismatch is None
    assert good.screens == 4
    events = [Event.parse(line) for line in ("TURN 1 47", "TILE M12B", "TURN 2 46", "TILE M14A")]
    implied = LAMBO.implied(events, setup)
    assert (implied["M12"], implied["M14"], implied["M13"], implied["A01"]) == (2, 1, 1, 0)
    assert (implied["M14 marked"], implied["M12 marked"]) == (True, False)
    assert implied["whose turn"] == ("DARK", "P2", "2", "2", "45")


@pytest.mark.sampled(2, seconds=12)
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_is_found(bug: Bug) -> None:
    """`tests/verify/lambo_bugs.py` looks for matches anew when the made-up matches have changed."""
    assert match(disk(bug), bug.seed).mismatch is not None
    assert sound_match(bug.seed).mismatch is None
