"""D5000 itself on the console: matches agree; a changed rule in the program is found."""

import hashlib
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.shipped import shipped
from tests.verify.earlyend import ends_where_the_log_differs
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.artefacts import program_file
from ti99tools.games.making.finding import find_game
from ti99tools.games.models.model import BACK, Match, Player, Setup
from ti99tools.games.verify.adapter import TROUBLE
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import Scenario, greedy, make
from ti99tools.games.verify.subject import Subject, subject_of
from ti99tools.language.program.editor import with_code, without_code
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

pytestmark = pytest.mark.long

D5000 = adapter("d5000")


def built() -> tuple[Program, bytes]:
    game = shipped("d5000", ())
    return game.program, game.image.to_bytes()


PLAYED = (5, 8, 11, 19, 35, 39)
"""Seeds of short matches: of all kinds of players, after another match, a log that fails, a seed of
the game's own.
"""


@pytest.mark.parametrize("seed", PLAYED)
def test_matches_agree(seed: int) -> None:
    scenario, log = make(D5000, seed)
    result = play(D5000, host(), built()[1], scenario, trace=seed == PLAYED[0])
    assert result.mismatch is None
    assert result.events == len(log.events)
    assert result.screens >= 1
    assert len(result.lines) > 100
    assert (len(result.branches) > 30) == (seed == PLAYED[0])


@pytest.mark.slow
def test_many_matches_agree() -> None:
    disk = built()[1]
    subject = Subject("d5000", disk, hashlib.sha256(disk).hexdigest())
    verdict = Campaign(subject, matches=1000, jobs=2).run()
    assert verdict.ok
    assert verdict.model.share > 0.95


def bugs_found_in(subject: Subject, likely: int) -> bool:
    """Tell whether a match fails: the made-up one that is likely to, or one of a hundred."""
    campaign = Campaign(subject)
    for seed in (likely, *range(100)):
        scenario, log = make(D5000, seed)
        with ends_where_the_log_differs(scenario, log):
            if campaign.replay(scenario).mismatch is not None:
                return True
    return False


@pytest.mark.parametrize(("rule", "other", "likely"), [(">5000", ">4000", 3), ("<500", "<400", 3)])
def test_a_changed_rule_is_found(rule: str, other: str, likely: int) -> None:
    program, disk = built()
    lines, code = without_code(program)
    listing = lines.listing()
    assert rule in listing, "the program was changed: choose another rule to break"
    changed = with_code(Program.from_listing(listing.replace(rule, other)), code)
    image = DiskImage.from_bytes(disk)
    image.add(program_file(changed, "LOAD"), replace=True)
    assert bugs_found_in(Subject("d5000", image.to_bytes(), ""), likely)


@pytest.mark.parametrize(
    ("rule", "other", "likely"),
    [("LI   R0,50", "LI   R0,60", 19), ("LI   R5,1500", "LI   R5,1400", 9)],
)
def test_a_changed_score_is_found(tmp_path: Path, rule: str, other: str, likely: int) -> None:
    """Fives, and straights, as the machine code counts them."""
    folder = tmp_path / "d5000"
    shutil.copytree(find_game("d5000").folder, folder)
    path = folder / "table.a99"
    text = path.read_text()
    assert rule in text, "the code was changed: choose another number to break"
    path.write_text(text.replace(rule, other))
    assert bugs_found_in(subject_of(find_game(folder)), likely)


def test_a_key_that_comes_while_the_log_fails_is_not_lost() -> None:
    """BACK, and BACK again for no, while the first line of a turn finds the disk full."""
    players = (Player("A", "ADA"), Player("H", "P2"), Player("H", "P3"))
    setup = Setup(66725528, players, {TROUBLE: "2"})
    start = Scenario("d5000", setup, (BACK, BACK))
    match = Match(D5000.model(setup))
    keys = list(start.keys)
    for key in keys:
        match.press(key)
    while match.ask is not None:
        keys.append(greedy(match.ask, Random(1)))
        match.press(keys[-1])
    result = play(D5000, host(), built()[1], start.with_keys(keys))
    assert result.mismatch is None


def test_a_key_pressed_while_the_end_of_the_log_is_told_comes_first() -> None:
    """The log fails as the game waits for a key; the next falls into the pause of its message."""
    players = (Player("H", "P1"), Player("H", "P2"))
    typed = "\r\r\r\r\r\r5554\r\r\r\r\r5\r\r\r\r\r\r5\r\r\r1\r\r\r\r\r\r\r\r25\r\r\r\r2S\r\r\rS\r"
    scenario = Scenario(
        "d5000",
        Setup(55643127, players, {TROUBLE: "9"}),
        tuple(typed.encode()),
        ("steady", "steady"),
    )
    assert play(D5000, host(), built()[1], scenario).mismatch is None
