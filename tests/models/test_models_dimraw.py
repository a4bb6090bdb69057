"""The Dimraw model against the rules' vectors, and the strength of its computer players."""

from collections import Counter
from random import Random

import pytest

from ti99tools.games.models.model import ENTER, Match, Player, Setup
from ti99tools.games.models.playlog import Event, PlayLog
from ti99tools.games.verify.judging import judge
from xbasic.dimraw.model import (
    ARROWS,
    BACK,
    DOWN,
    LEFT,
    MILLS,
    NEIGHBOURS,
    PLACES,
    POINTS,
    RIGHT,
    STRAIGHT,
    UP,
    Board,
    Dimraw,
    ahead,
)

HUMANS = (Player("H", "WHITE"), Player("H", "RED"))


def model(players: tuple[Player, ...] = HUMANS, seed: int = 1, **options: str) -> Dimraw:
    return Dimraw(Setup(seed, players, options))


def board(men: set[int], others: set[int] = frozenset()) -> Board:  # type: ignore[assignment]
    return Board([1 if p in men else 2 if p in others else 0 for p in POINTS])


def begun(
    white: set[int], red: set[int], hands: tuple[int, int] = (0, 0), **options: str
) -> tuple[Dimraw, Match]:
    """A match of two humans at player 1's turn, with a board of our choice."""
    game = model(HUMANS, 1, **options)
    game.hand = {1: hands[0], 2: hands[1]}
    game.board = board(white, red)
    return game, Match(game)


def press(match: Match, keys: str) -> list[str]:
    """Press letters and ENTER; what the game says."""
    before = len(match.log)
    for key in keys:
        match.press(ord(key))
    return [str(event) for event in match.log[before:]]


def letters(*points: int) -> str:
    return "".join(chr(65 + point) for point in points)


def test_the_board() -> None:
    edges = {frozenset((a, b)) for a in POINTS for b in NEIGHBOURS[a]}
    assert len(edges) == 32
    assert all(a in NEIGHBOURS[b] for a in POINTS for b in NEIGHBOURS[a])
    assert len(MILLS) == len({frozenset(mill) for mill in MILLS}) == 20
    assert len(STRAIGHT) == 12
    for a, b, c in STRAIGHT:
        (x, y), (u, v), (p, q) = sorted(PLACES[n] for n in (a, b, c))
        assert (u - x) * (q - v) == (p - u) * (v - y), "three in a line"


def test_the_cursor_gets_everywhere() -> None:
    assert [ahead(p, RIGHT) for p in (0, 1, 9, 11)] == [1, 2, 6, 11]
    assert [ahead(p, LEFT) for p in (2, 7, 10)] == [1, 6, 7]
    assert [ahead(p, UP) for p in (0, 4, 17)] == [8, 6, 17]
    assert [ahead(p, DOWN) for p in (18, 15, 1)] == [15, 12, 1]
    for arrow in ARROWS:
        assert all(len({ahead(p, arrow), p}) <= 2 for p in POINTS)
    reached, new = {0}, {0}
    while new:
        new = {ahead(p, arrow) for p in new for arrow in ARROWS} - reached
        reached |= new
    assert reached == set(POINTS)


@pytest.mark.parametrize(
    ("men", "start", "to", "all_rules", "only_a", "only_b"),
    [
        ({1, 4}, None, 6, (1, 0), (1, 0), (1, 0)),
        ({0, 3}, None, 6, (1, 0), (1, 0), (1, 0)),
        ({6, 7}, None, 12, (0, 0), (0, 0), (0, 0)),
        ({3, 9, 14, 8}, 8, 0, (0, 1), (0, 0), (0, 1)),
        ({0, 8, 17, 1}, 1, 2, (0, 1), (0, 0), (0, 1)),
        ({0, 8, 17, 4}, 4, 1, (0, 0), (0, 0), (0, 0)),
        ({0, 6, 9}, 9, 3, (1, 1), (1, 0), (0, 1)),
        ({0, 6, 4}, 4, 3, (1, 1), (1, 0), (0, 1)),
        ({17, 14, 6}, 6, 12, (1, 1), (1, 0), (0, 1)),
        ({1, 4, 3}, 3, 6, (1, 0), (1, 0), (0, 0)),
        ({0, 1, 2, 8, 17, 3}, 3, 4, (0, 0), (0, 0), (0, 0)),
        ({0, 1, 2, 14, 15, 16, 3, 9, 17}, 9, 8, (1, 2), (1, 0), (0, 2)),
    ],
)
def test_captures(
    men: set[int],
    start: int | None,
    to: int,
    all_rules: tuple[int, int],
    only_a: tuple[int, int],
    only_b: tuple[int, int],
) -> None:
    men = men - {to}
    for rule, expected in (("4", all_rules), ("A", only_a), ("B", only_b)):
        game = model(capture=rule)
        game.board = board(men, {19})
        assert game.captured(1, (start, to)) == expected, rule
    nothing = model(capture="NONE")
    nothing.board = board(men, {19})
    assert nothing.captured(1, (start, to)) == (all_rules if start is None else (0, 0))


def test_the_first_move_has_20_placements() -> None:
    match = Match(model())
    assert match.ask is not None
    assert [key for key in match.ask.keys if key >= 65] == list(range(65, 85))
    assert [str(event) for event in match.log] == [
        "OPTIONS 12 16 4 OPEN",
        "PLAYER 1 H WHITE",
        "PLAYER 2 H RED",
        "TURN 1 12 0",
    ]


def test_two_mills_take_one_man() -> None:
    _, match = begun({1, 2, 8, 17}, {19, 5}, (1, 5))
    assert press(match, "A") == ["PLACE 0", "MILL 2 1 0"]
    assert press(match, "T") == ["TAKE 19", "TURN 2 5 1"]


def test_men_in_mills_are_not_protected_and_own_men_not_taken() -> None:
    _, match = begun({1, 2, 9}, {17, 18, 19}, (1, 5))
    assert press(match, "ACR") == ["PLACE 0", "MILL 1 1 0", "REFUSED 67", "TAKE 17", "TURN 2 5 2"]


@pytest.mark.parametrize(("hand", "end"), [(0, "WIN 2 MEN"), (3, "TURN 1 2 2")])
def test_two_men_left_lose_only_with_an_empty_hand(hand: int, end: str) -> None:
    game, match = begun({0, 1, 19}, {17, 14, 8}, (hand, 1))
    if hand:
        press(match, "F")
        game.board.men[5] = 0
    else:
        press(match, "BE")
    assert press(match, "M") == ["PLACE 12", "MILL 1 1 0"]
    assert press(match, "A") == ["TAKE 0", end]


FULL_WHITE, FULL_RED = {0, 2, 4, 6, 9, 11, 13, 15, 17}, {1, 3, 5, 7, 8, 10, 12, 14, 16, 18, 19}


def test_a_full_board_is_opened_by_both() -> None:
    game, match = begun(FULL_WHITE, FULL_RED, (3, 5))
    assert press(match, "AB") == ["REFUSED 65", "OPEN 1"]
    assert match.ask is not None
    assert match.ask.player == 1
    assert press(match, "BA") == ["REFUSED 66", "OPEN 0"]
    assert match.ask.player == 0
    assert game.board.of(0) == [0, 1]
    assert press(match, "A") == ["PLACE 0", "TURN 2 5 10"]


def test_a_full_board_is_a_draw_under_draw() -> None:
    _, match = begun(FULL_WHITE, FULL_RED, (3, 5), full="DRAW")
    events = [str(event) for event in match.log[3:]]
    assert events == ["TURN 1 3 9", "PASS", "TURN 2 5 11", "PASS", "DRAW FULL"]


def test_a_blocked_side_passes() -> None:
    _, match = begun({0, 2, 19}, {1, 3, 8, 5, 11, 16, 18}, (0, 1))
    assert [str(event) for event in match.log[-3:]] == ["TURN 1 0 3", "PASS", "TURN 2 1 7"]
    assert press(match, "G")[-3:] == ["TURN 1 0 3", "PASS", "TURN 2 0 8"]


def test_100_quiet_moves_are_a_draw_and_placings_do_not_count() -> None:
    game, match = begun({0, 10, 13}, {17, 7, 4}, (0, 1), capture="NONE")
    press(match, "AB")
    assert game.quiet == 1
    press(match, "T")
    assert game.quiet == 1
    there = True
    for _ in range(200):
        if match.ask is None:
            break
        press(match, ("BA", "RS")[match.ask.player] if there else ("AB", "SR")[match.ask.player])
        there ^= match.ask is not None and match.ask.player == 0
    assert [str(event) for event in match.log[-2:]] == ["QUIET 100", "DRAW QUIET"]
    assert [str(e) for e in match.log if e.kind == "QUIET"][:2] == ["QUIET 10", "QUIET 20"]


def test_a_man_may_be_dropped_again_and_blocked_men_are_refused() -> None:
    _, match = begun({0, 1, 3, 8, 10}, {19, 18, 17, 12})
    assert press(match, "ABB") == ["REFUSED 65", "FROM 1", "FROM -"]
    assert press(match, "BA") == ["FROM 1", "REFUSED 65"]
    assert press(match, "C") == ["MOVE 1 2", "TURN 2 0 4"]


def test_cursor_and_enter() -> None:
    game, match = begun(set(), set(), (12, 16))
    assert press(match, f"{chr(RIGHT)}\r") == ["PLACE 1", "TURN 2 16 0"]
    assert press(match, "\r") == ["REFUSED 66"], "ENTER is told as the point's letter"
    assert press(match, chr(DOWN)) == []
    assert game.cursor == 1
    game.board = board({1, 4, 19}, {2, 3, 11})
    assert press(match, "F")[-1] == "TURN 1 11 3"
    assert press(match, "G") == ["PLACE 6", "MILL 1 1 0"]
    assert game.cursor == 2, "the first enemy man"
    assert press(match, f"{chr(LEFT)}\r")[0] == "TAKE 11"
    assert ENTER == 13


def test_resigning() -> None:
    _, match = begun(set(), set(), (12, 16))
    assert press(match, f"{chr(BACK)}XN") == ["BACK", "REFUSED 88", "STAY"]
    assert press(match, f"{chr(BACK)}Y") == ["BACK", "RESIGN", "WIN 2 RESIGNED"]
    assert match.ask is None


def play(seed: int, kinds: str, **options: str) -> Dimraw:
    """A match in which humans press any allowed letter."""
    game = model((Player(kinds[0], "A"), Player(kinds[1], "B")), seed, **options)
    match, random = Match(game), Random(seed)
    while match.ask is not None:
        match.press(random.choice([key for key in match.ask.keys if key >= 65]))
    return game


def results(number: int, first: str, second: str, **options: str) -> Counter[str]:
    """Wins of both and draws, each side taken in turn."""
    count: Counter[str] = Counter()
    for seed in range(number):
        kinds = (first, second) if seed % 2 == 0 else (second, first)
        end = play(seed, "".join(kinds), **options).log[-1]
        count[kinds[int(end.args[0]) - 1] if end.kind == "WIN" else "draw"] += 1
    return count


def test_hard_beats_chance() -> None:
    assert results(100, "C", "H")["C"] >= 95
    assert results(100, "C", "H", men="10/12")["C"] >= 95


def test_hard_beats_easy_and_easy_beats_chance() -> None:
    assert results(60, "C", "E")["C"] >= 55
    assert results(60, "E", "H")["E"] >= 50


def test_every_option_comes_to_an_end() -> None:
    for capture in ("4", "A", "B", "NONE"):
        for full in ("OPEN", "DRAW"):
            kinds = {play(seed, "CE", capture=capture, full=full).log[-1].kind for seed in range(5)}
            assert kinds <= {"WIN", "DRAW"}


def test_logs_are_judged_from_anywhere() -> None:
    for seed in range(12):
        game = play(seed, ("HH", "HC", "EH")[seed % 3], men=("12/16", "10/12")[seed % 2])
        log = PlayLog("DIMRAW", "1.0", seed, tuple(game.log))
        assert judge(log, Dimraw) is None
        index = next(n for n, event in enumerate(log.events) if event.kind == "TURN")
        events = (*log.events[:index], Event("TURN", ("1", "9", "9")), *log.events[index + 1 :])
        verdicts = judge(PlayLog("DIMRAW", "1.0", seed, events), Dimraw)
        assert verdicts is not None
        assert verdicts.index == index


def test_a_log_with_drops_cursor_and_resignation_is_judged() -> None:
    game = model()
    match = Match(game)
    random = Random(3)
    while match.ask is not None and game.log[-1].kind != "MOVE":
        match.press(random.choice([key for key in match.ask.keys if key >= 65]))
        if game.chosen is not None and random.random() < 0.5:
            press(match, letters(game.chosen))
    press(match, f"{chr(UP)}{chr(BACK)}N{chr(BACK)}Y")
    assert any(str(event) == "FROM -" for event in game.log)
    assert judge(PlayLog("DIMRAW", "1.0", 1, tuple(game.log)), Dimraw) is None


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["OPTIONS 12 16 4", "PLAYER 1 H A", "PLAYER 2 H B"],
        ["OPTIONS 12 15 4 OPEN", "PLAYER 1 H A", "PLAYER 2 H B"],
        ["OPTIONS 12 16 5 OPEN", "PLAYER 1 H A", "PLAYER 2 H B"],
        ["OPTIONS 12 16 4 SHUT", "PLAYER 1 H A", "PLAYER 2 H B"],
        ["OPTIONS 12 16 4 OPEN", "PLAYER 1 X A", "PLAYER 2 H B"],
        ["OPTIONS 12 16 4 OPEN", "PLAYER 1 H A"],
    ],
)
def test_a_log_without_its_head_is_told(lines: list[str]) -> None:
    with pytest.raises(ValueError, match="options and players"):
        Dimraw.setup_of(1, [Event.parse(line) for line in lines])


def test_two_players() -> None:
    with pytest.raises(ValueError, match="two players"):
        model((Player("H", "A"),))
