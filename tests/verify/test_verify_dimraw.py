"""Dimraw in verification: matches agree, changed rules are found, its players reach everything."""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from tests.shipped import shipped
from tests.verify.earlyend import ends_where_the_log_differs
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.artefacts import Built, build_game
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.manifest import read_manifest
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.models.playlog import Event, PlayLog
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.judging import judge
from ti99tools.games.verify.loading import adapter, by_log_name
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import Scenario, from_script, make
from ti99tools.games.verify.subject import Subject
from xbasic.dimraw.model import MILLS, NEIGHBOURS, STRAIGHT, Board, straight_on

pytestmark = pytest.mark.long

DIMRAW = adapter("dimraw")
REACHED = (
    "PLACE",
    "MOVE",
    "FROM -",
    "MILL 1 1 0",
    "MILL 0 0 1",
    "MILL 1 1 1",
    "MILL 2 1",
    "MILL 1 0 1",
    "OPEN",
    "PASS",
    "QUIET 100",
    "REFUSED",
    "STAY",
    "RESIGN",
    "WIN 1 MEN",
    "WIN 2 MEN",
    "DRAW FULL",
    "DRAW QUIET",
    "OPTIONS 10 12",
    "OPTIONS 12 16 NONE",
    "OPTIONS 12 16 4 DRAW",
)
"""Beginnings of lines that the matches played must contain."""


@cache
def built() -> Built:
    return shipped("dimraw")


@cache
def disk() -> bytes:
    return built().image.to_bytes()


@cache
def made_up_match(seed: int) -> tuple[Scenario, PlayLog]:
    """The made-up match of a seed, and its log by the rules."""
    return make(DIMRAW, seed)


PLAYED = (11, 14, 32, 56, 66, 82, 108)
"""Seeds of made-up matches that reach all of that together."""


@pytest.mark.parametrize(
    "seed", [*PLAYED, *(pytest.param(n, marks=pytest.mark.slow) for n in range(11))]
)
def test_matches_agree(seed: int) -> None:
    scenario, log = made_up_match(seed)
    result = play(DIMRAW, host(), disk(), scenario)
    assert result.mismatch is None
    assert result.events == len(log.events)
    assert result.screens >= 1
    assert len(result.lines) > 0.4 * len(built().program.lines)


def test_the_matches_played_reach_every_rule() -> None:
    lines = [str(event) for seed in PLAYED for event in made_up_match(seed)[1].events]
    assert [start for start in REACHED if not any(line.startswith(start) for line in lines)] == []


def completed(log: PlayLog) -> Iterator[str]:
    """The mills of a match, `PLACE 3`, and how rule B took, `B 2 True`: points G, T one of them."""
    board, side, start, target = Board(), 0, 0, 0
    for event in log.events:
        points = [int(word) for word in event.args if word.isdecimal()]
        match event.kind:
            case "TURN":
                side = points[0]
            case "PLACE" | "MOVE":
                start, target = points[0], points[-1]
                board = board.after(side, (start if event.kind == "MOVE" else None, target))
                for number, mill in enumerate(MILLS):
                    if target in mill and board.holds(side, mill):
                        yield f"{event.kind} {number}"
            case "MILL" if points[2]:
                held = {point for mill in STRAIGHT if board.holds(side, mill) for point in mill}
                beside = {g for g in NEIGHBOURS[start] if straight_on(start, g)} & held
                assert len(beside) == points[2]
                yield f"B {len(beside)} {target in beside}"
            case "TAKE" | "OPEN":
                board.men[points[0]] = 0


def test_made_up_matches_complete_every_mill_and_reach_all_of_rule_b() -> None:
    found = {what for seed in range(60) for what in completed(made_up_match(seed)[1])}
    mills = {f"{kind} {number}" for kind in ("PLACE", "MOVE") for number in range(len(MILLS))}
    assert found >= mills | {"B 1 True", "B 1 False", "B 2 True", "B 2 False"}


def test_its_logs_are_judged_from_anywhere() -> None:
    assert by_log_name("DIMRAW").name == "dimraw"
    for seed in range(0, 30, 3):
        log = made_up_match(seed)[1]
        assert judge(log, DIMRAW.model) is None
        index = next(n for n, event in enumerate(log.events) if event.kind == "TURN")
        events = (*log.events[:index], Event("TURN", ("1", "9", "9")), *log.events[index + 1 :])
        verdicts = judge(type(log)(log.game, log.version, log.seed, events, True), DIMRAW.model)
        assert verdicts is not None
        assert verdicts.index == index


@pytest.mark.parametrize("name", DIMRAW.players)
def test_its_players_play_on_to_the_end(name: str) -> None:
    setup = Setup(5, (Player("H", "A"), Player("H", "B")), {})
    match, random = Match(DIMRAW.model(setup)), Random(name)
    for _ in range(4000):
        if match.ask is None:
            break
        match.press(DIMRAW.players[name](match.model, match.ask, random))
    assert match.ask is None


MILL = "       CI   R3,THREE\n       JNE  MADE3\n"
BESIDE = "       CB   @B(R13),R12\n       JNE  BESID3\n"
TAKE = '  EV$="TAKE "\n  GOSUB takeone\n'
TRYB = "TRYB   MOV  R0,R2\n"
Change = tuple[str, str, str]
FAULTS: dict[str, tuple[int, list[Change]]] = {
    "a mill is missing": (
        5,
        [("board.a99", MILL, f"       CI   R1,20\n       JEQ  MADE3\n{MILL}")],
    ),
    "a bent mill counts from one end": (
        16,
        [
            (
                "board.a99",
                MILL,
                "       CI   R1,13\n       JNE  OTHER\n       CI   R10,6\n       JNE  MADE3\n"
                f"OTHER  EQU  $\n{MILL}",
            )
        ],
    ),
    "rule B looks at a diagonal neighbour": (
        9,
        [("board.a99", "CROSS  BYTE 1,8,20", "CROSS  BYTE 1,8,3")],
    ),
    "rule B looks at the target only": (
        1,
        [("board.a99", BESIDE, "       C    R13,R10\n       JNE  BESID3\n")],
    ),
    "the hand does not count at the end": (1, [("dimraw.xb", "IF HA(E)+BD(E)<3", "IF BD(E)<3")]),
    "two mills take two men": (4, [("dimraw.xb", TAKE, f"{TAKE}  IF NA>1 THEN GOSUB takeone\n")]),
    "red begins": (0, [("dimraw.xb", "RS,CU=0\n  P=1\n", "RS,CU=0\n  P=2\n")]),
    "placings are quiet moves": (
        10,
        [("dimraw.xb", "HA(P)=HA(P)-1 ::", "QU=QU+1 :: HA(P)=HA(P)-1 ::")],
    ),
    "mills do not forget a man that is taken": (
        4,
        [("dimraw.xb", "  B(T)=0\n  X=T\n", "  X=T\n")],
    ),
    "17-14-12 is 17-14-9": (0, [("board.a99", "17,14,12", "17,14,9")]),
    "one player alone opens the board": (
        17,
        [("dimraw.xb", "    GOSUB swap\n    GOSUB takeone\n", "    GOSUB swap\n")],
    ),
    "a pass does not count as quiet": (
        14,
        [("dimraw.xb", "  PA=PA+1\n  QU=QU+1\n", "  PA=PA+1\n")],
    ),
    "a blocked man may be chosen": (
        26,
        [("dimraw.xb", 'IF N$="" THEN nopoint ELSE taken', 'IF N$="?" THEN nopoint ELSE taken')],
    ),
    "the cursor goes astray": (4, [("dimraw.xb", "IELJGKMN", "IELJHKMN")]),
    "HARD takes out of mills early": (115, [("board.a99", ",-20\n", ",22\n")]),
    "HARD overlooks a neighbour of a mill": (
        23,
        [("choose.a99", TRYB, "TRYB   CI   R9,9\n       JEQ  MOVED\n       MOV  R0,R2\n")],
    ),
    "the generator is another": (14, [("dimraw.xb", "+1283", "+1282")]),
    "the picture keeps a man that was moved": (
        9,
        [("dimraw.xb", "  X=F :: V=0 :: GOSUB show\n", "  X=F\n")],
    ),
}
"""Fault → the made-up match to begin with, which finds it, and what is changed."""


def first_mismatch(folder: Path, changes: list[Change], matches: Iterable[int]) -> int | None:
    """The first of the made-up matches in which the changed game differs from the rules."""
    game = folder / "dimraw"
    copytree(find_game("dimraw").folder, game)
    for name, old, new in changes:
        text = (game / name).read_text("utf-8")
        assert text.count(old) == 1, "the program was changed: choose another fault"
        (game / name).write_text(text.replace(old, new), "utf-8")
    disk = build_game(read_manifest(game), passes=()).image.to_bytes()
    campaign = Campaign(Subject("dimraw", disk, ""))
    for seed in matches:
        scenario, log = made_up_match(seed)
        with ends_where_the_log_differs(scenario, log):
            if campaign.replay(scenario).mismatch is not None:
                return seed
    return None


@pytest.mark.sampled(2, seconds=8)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_seeded_fault_is_found(fault: str, tmp_path: Path) -> None:
    likely, changes = FAULTS[fault]
    assert first_mismatch(tmp_path, changes, [likely, *range(60)]) is not None


def test_a_game_that_is_not_changed_has_no_mismatch(tmp_path: Path) -> None:
    assert first_mismatch(tmp_path, [], (2, 14)) is None


def test_a_failure_is_made_small_with_both_players(tmp_path: Path) -> None:
    folder = tmp_path / "dimraw"
    copytree(find_game("dimraw").folder, folder)
    source = folder / "dimraw.xb"
    source.write_text(source.read_text("utf-8").replace("+1283", "+1282"), "utf-8")
    disk = build_game(read_manifest(folder), passes=()).image.to_bytes()
    campaign = Campaign(Subject("dimraw", disk, ""))
    results = (campaign.replay(made_up_match(seed)[0]) for seed in (14, *range(60)))
    failure = campaign.failure(next(result for result in results if result.mismatch is not None))
    assert len(failure.scenario.setup.players) == 2
    assert from_script(failure.script, "x") == failure.scenario
