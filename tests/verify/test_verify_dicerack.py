"""Dice Rack itself on the console: games agree; a changed rule in the program is found."""

import hashlib
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from tests.shipped import shipped
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.artefacts import program_file
from ti99tools.games.models.certificate import on_screen
from ti99tools.games.models.model import ENTER, Match, Player, Setup
from ti99tools.games.models.playlog import Event, PlayLog
from ti99tools.games.verify.adapter import BLANK_SEED, TROUBLE, WARM_UP
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.judging import judge
from ti99tools.games.verify.loading import adapter, by_log_name
from ti99tools.games.verify.matches import END_SCREEN, compare, course_of, play, steps_of
from ti99tools.games.verify.scenario import Scenario, make
from ti99tools.games.verify.subject import Subject
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from xbasic.dicerack.builder import best, builder, fumbler, waiting
from xbasic.dicerack.model import GATES, DiceRack

pytestmark = pytest.mark.long

DICERACK = adapter("dicerack")
SETUP = Setup(33, (Player("H", "PLAYER"),))
REACHED = (
    "SHIFT L",
    "SHIFT R",
    "STAY",
    "GATE",
    "DROP",
    "OUT",
    "RED",
    "REFUSED",
    "MISSED",
    "SCORE",
    "ANOTHER 1",
    "SAY 3",
    "SAY 4",
    "SAY 5",
    "SAY 6",
    "SAY 7",
    "SAY 10",
)


@cache
def made_up(seed: int) -> tuple[Scenario, PlayLog]:
    """The scenario of a seed and its log: several tests look for the first of a kind."""
    return make(DICERACK, seed)


def built() -> tuple[Program, bytes]:
    game = shipped("dicerack", ())
    return game.program, game.image.to_bytes()


@pytest.mark.parametrize("seed", range(8))
def test_games_agree(seed: int) -> None:
    scenario, log = made_up(seed)
    result = play(DICERACK, host(), built()[1], scenario, trace=seed == 0)
    assert result.mismatch is None
    assert result.events == len(log.events)
    assert result.screens >= 1
    assert len(result.lines) > 100
    assert (len(result.branches) > 30) == (seed == 0)


def test_made_up_games_reach_every_rule() -> None:
    logs = [made_up(seed)[1] for seed in range(40)]
    lines = [str(event) for log in logs for event in log.events]
    assert [kind for kind in REACHED if not any(line.startswith(kind) for line in lines)] == []
    assert any(line.startswith("SHIFT L 5") for line in lines)
    assert any(line.startswith("SHIFT R 1") for line in lines)
    assert max(sum(event.kind == "SCORE" for event in log.events) for log in logs) >= 3


@pytest.mark.slow
def test_many_games_agree() -> None:
    disk = built()[1]
    subject = Subject("dicerack", disk, hashlib.sha256(disk).hexdigest())
    verdict = Campaign(subject, matches=500, jobs=2).run()
    assert verdict.ok
    assert verdict.model.share == 1.0


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        ("+3*V", "+2*V"),
        ("FOR DN=1 TO 25", "FOR DN=1 TO 24"),
        ("INT(RND*11)", "INT(RND*10)"),
        ("DN<>20", "DN<>19"),
        ("IF CO=6 THEN CO=1", "IF CO=6 THEN CO=2"),
        ("119+X", "118+X"),
        ("SM>=GL", "SM>=GL-40"),
    ],
)
def test_a_changed_rule_is_found(rule: str, other: str) -> None:
    program, disk = built()
    listing = program.listing()
    assert rule in listing, "the program was changed: choose another rule to break"
    image = DiskImage.from_bytes(disk)
    changed = Program.from_listing(listing.replace(rule, other))
    image.add(program_file(changed, "LOAD"), replace=True)
    campaign = Campaign(Subject("dicerack", image.to_bytes(), ""))
    results = (campaign.replay(made_up(seed)[0]) for seed in range(30))
    assert any(result.mismatch is not None for result in results)


def test_the_builder_meets_goals() -> None:
    model = DiceRack(SETUP)
    match = Match(model)
    while match.ask is not None and model.total < 400:
        match.press(builder(model, match.ask, Random(1)))
    assert model.total >= 400


def test_which_die_waits_and_where() -> None:
    model = DiceRack(SETUP)
    match = Match(model)
    dice = []
    for key, column, shifted in (
        (",", 3, False),
        (" ", 2, True),
        (".", 2, False),
        ("?", 3, True),
        ("\r", 3, True),
        ("\r", 3, False),
        (" ", 3, True),
        (" ", 3, False),
        (" ", 3, False),
    ):
        die, *rest = waiting(model)
        assert rest == [column, shifted]
        dice.append(die)
        match.press(ord(key))
    values = [int(event.args[1]) for event in model.log if event.kind == "DIE"]
    assert dice == [values[n] for n in (0, 0, 1, 1, 1, 2, 2, 3, 4)]


def test_the_builder_puts_a_die_on_one_of_its_value() -> None:
    model = DiceRack(SETUP)
    Match(model)
    model.rack.cells[5, 2] = 6
    model.rack.open.update({(row, 2): True for row in range(1, 5)})
    assert best(model.rack, 6, (1, 2, 3))[0] == 2


def test_a_fumbler_sometimes_presses_what_is_refused() -> None:
    model = DiceRack(SETUP)
    match = Match(model)
    random = Random(5)
    assert match.ask is not None
    pressed = {fumbler(model, match.ask, random) for _ in range(300)}
    allowed = {ENTER, *b",. ", 8, 9, *GATES}
    assert pressed - allowed
    assert pressed & allowed


def test_its_logs_are_judged_from_anywhere() -> None:
    assert by_log_name("DICERACK") is DICERACK
    for seed in range(0, 30, 3):
        log = made_up(seed)[1]
        assert judge(log, DiceRack) is None
        index = next(n for n, event in enumerate(log.events) if event.kind == "RACK")
        wrong = Event("RACK", ("99999", *log.events[index].args[1:]))
        events = (*log.events[:index], wrong, *log.events[index + 1 :])
        verdicts = judge(type(log)(log.game, log.version, log.seed, events, True), DiceRack)
        assert verdicts is not None
        assert verdicts.index == index


@pytest.mark.parametrize("room", ["1", "2", "5"])
def test_a_log_that_fails_leaves_the_certificate_right(room: str) -> None:
    """Gates at both questions: lines of a gate may be the ones that fail."""
    keys = b"\rC,G\rH.BC .AB,C \rD\rE,I,J.K,L A B" + b"\rM\rN" + b" " * 30
    setup = Setup(62713352, SETUP.players, {TROUBLE: room})
    match = Match(DICERACK.model(setup))
    used = 0
    while match.ask is not None:
        match.press(keys[used])
        used += 1
    result = play(DICERACK, host(), built()[1], Scenario("dicerack", setup, tuple(keys[:used])))
    assert result.mismatch is None
    assert result.screens >= 1


def test_a_certificate_that_is_wrong_on_the_screen_is_found() -> None:
    """Shown is that of another match."""
    made = (made_up(number) for number in range(60))
    scored = (
        scenario
        for scenario, log in made
        if log.complete
        and not {BLANK_SEED, TROUBLE, WARM_UP} & scenario.setup.options.keys()
        and "SCORE" in {event.kind for event in log.events}
    )
    scenario, another = next(scored), next(scored)
    model = Match(DICERACK.model(another.setup))
    for key in another.keys:
        model.press(key)
    other = str(model.model.certificate())
    course = course_of(DICERACK, scenario)
    disk = shipped("dicerack").image.to_bytes()
    steps = steps_of(DICERACK, course)
    played = host().play(Job(disk, steps, DICERACK.log_file, pace=DICERACK.pace))
    assert compare(DICERACK, course, played)[0] is None
    rows = played.screens[END_SCREEN]
    code = on_screen(rows)
    assert code is not None
    assert code != other
    wrong = {**played.screens, END_SCREEN: tuple(row.replace(code, other) for row in rows)}
    assert on_screen(wrong[END_SCREEN]) == other
    mismatch, _ = compare(DICERACK, course, replace(played, screens=wrong))
    assert mismatch is not None
    assert mismatch.expected == f"certificate {code}"
