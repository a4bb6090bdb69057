"""Lambo's model: whole matches by keys, its options, its computer players."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from tests.models.lambo_positions import BOTH, EXAMPLE, at, position
from ti99tools.games.models.model import ENTER, Match, Player, Setup
from ti99tools.games.models.playlog import Event, PlayLog
from ti99tools.games.verify.judging import judge
from ti99tools.games.verify.scenario import POLICIES
from xbasic.lambo.board import DARK, LIGHT, Board, Cell
from xbasic.lambo.computer import Computer, Place, finishing, value
from xbasic.lambo.model import Lambo, text_of


def match(kinds: str = "HH", seed: int = 1, **options: str) -> Match:
    players = tuple(Player(kind, f"P{seat}") for seat, kind in enumerate(kinds, 1))
    return Match(Lambo(Setup(seed, players, options)))


def press(game: Match, *keys: str | int) -> list[str]:
    """Press keys, texts as their characters; what is told then."""
    before = len(game.log)
    for key in keys:
        for code in map(ord, key) if isinstance(key, str) else (key,):
            game.press(code)
    return [str(event) for event in game.log[before:]]


def board_of(game: Match) -> Board:
    assert isinstance(game.model, Lambo)
    return game.model.board


def set_up(game: Match, tiles: str, seat: int = 0) -> None:
    """Another position, and whose turn it is."""
    assert isinstance(game.model, Lambo)
    game.model.board.tiles = dict(position(tiles).tiles)
    game.model.seat = seat


def typed(columns: int, halves: int, orientation: int) -> str:
    return "T" + text_of(at(columns, halves), orientation)


def test_light_places_one_tile_then_everybody_two() -> None:
    game = match()
    assert [str(event) for event in game.log] == [
        "SIZE 48",
        "ADJACENT 0",
        "PLAYER 1 H P1",
        "PLAYER 2 H P2",
        "TURN 1 47",
    ]
    assert press(game, "TM12B") == ["TILE M12B", "TURN 2 46"]
    assert press(game, "TM14A") == ["TILE M14A"]
    assert press(game, "TM11C") == ["TILE M11C", "TURN 1 44"]


def test_a_closed_group_wins_for_its_colour_whoever_closed_it() -> None:
    for seat in (0, 1):
        game = match()
        set_up(game, "(0,0):1 (0,-2):3 (1,-1):1 (0,2):2", seat)
        assert press(game, typed(1, 1, 1)) == ["TILE N14A", "CLOSED D 1", "WIN 2 CLOSED"]
        assert game.ask is None


def test_both_colours_closed_lose_for_the_mover() -> None:
    for seat in (0, 1):
        game = match()
        set_up(game, BOTH, seat)
        lines = press(game, typed(0, 0, 1))
        assert lines == ["TILE M13A", "CLOSED D 1", "CLOSED L 1", f"WIN {2 - seat} BOTH"]


def test_groups_without_a_bridge_are_told_and_do_not_count() -> None:
    game = match()
    set_up(game, "(0,0):3 (0,2):2")
    lines = press(game, typed(1, 1, 1))
    assert lines == ["TILE N14A", "CLOSED D 0", "TURN 2 45"]


def test_the_first_tile_of_a_pair_may_win() -> None:
    game = match()
    press(game, "TM12A")
    set_up(game, "(0,0):1 (0,-2):3 (1,-1):1 (0,2):2", 1)
    assert press(game, typed(1, 1, 1))[-1] == "WIN 2 CLOSED"


def test_the_largest_group_wins_when_the_tiles_run_out() -> None:
    game = match(size="15")
    set_up(game, EXAMPLE, 1)
    lines = press(game, typed(0, -2, 1))
    largest = next(line.split()[1:] for line in lines if line.startswith("LARGEST"))
    dark, light = map(int, largest)
    assert lines[-1] == ("DRAW" if dark == light else f"WIN {1 + (dark > light)} OUT")


def test_with_one_tile_left_one_is_placed() -> None:
    game = match(size="12", adjacent="1")
    turns = []
    while game.ask is not None:
        assert game.ask.safe is not None
        game.press(game.ask.safe)
    turns = [int(event.args[1]) for event in game.log if event.kind == "TURN"]
    assert turns == [11, 10, 8, 6, 4, 2] or turns[-1] >= 1
    one_left = match(size="13")
    while one_left.ask is not None:
        assert one_left.ask.safe is not None
        one_left.press(one_left.ask.safe)
    assert sum(event.kind == "TILE" for event in one_left.log) <= 12


def test_second_tiles_under_adjacent() -> None:
    game = match(adjacent="1")
    press(game, "TM12B", "TM14A")
    assert press(game, "TM11A") == ["REFUSED 65"]
    assert press(game, "TM15B") == ["TILE M15B", "TURN 1 44"]
    free = match()
    press(free, "TM12B", "TM14A")
    assert press(free, "TM11A")[0] == "TILE M11A"


RING = "(0,-2):2 (1,-1):3 (1,1):2 (0,2):1 (-1,1):2 (-1,-1):1"


def test_a_first_tile_into_a_hole_is_refused_under_adjacent() -> None:
    game = match(adjacent="1")
    press(game, "TM12A")
    set_up(game, RING, 1)
    hole = text_of(at(0, 0), 1)
    ends = {n: any(group.bridges for group in position(RING).place(at(0, 0), n)) for n in (1, 2, 3)}
    for orientation, wins in ends.items():
        if not wins:
            assert press(game, typed(0, 0, orientation)) == [f"REFUSED {64 + orientation}"], hole
    winning = next((n for n, wins in ends.items() if wins), None)
    if winning is not None:
        assert press(game, typed(0, 0, winning))[-1].startswith("WIN")
    assert not all(ends.values())


def test_refused_placements() -> None:
    game = match()
    assert press(game, "TM13A") == ["REFUSED 65"]
    assert press(game, "TM11A") == ["REFUSED 65"]
    assert press(game, "TZ") == ["REFUSED 90"]
    assert press(game, "TM3") == ["REFUSED 51"]
    assert press(game, "TM00") == ["REFUSED 48"]
    assert press(game, "TM26") == ["REFUSED 54"]
    assert press(game, "TM12", ENTER) == ["REFUSED 13"]
    assert press(game, "U") == ["REFUSED 85"]
    assert press(game, "P") == ["REFUSED 80"]
    assert press(game, "TM12B")[0] == "TILE M12B"


def test_the_cursor_places_what_it_shows() -> None:
    game = match()
    assert press(game, "23 ", ENTER) == ["TILE M12A", "TURN 2 46"]
    assert press(game, ENTER) == ["REFUSED 13"]
    assert press(game, "SD", "E", "3", ENTER) == ["TILE M11C"]
    assert press(game, 9, 10, 8, 11, 8, ENTER) == ["TILE L11C", "TURN 1 44"]


def test_the_cursor_stays_in_the_field() -> None:
    game = match()
    assert press(game, "S" * 12) == []
    assert press(game, "S", 8) == ["REFUSED 83", "REFUSED 8"]
    assert press(game, "E" * 11, "E") == ["REFUSED 69"]
    assert press(game, "D" * 24, "X" * 24) == []
    assert press(game, "D", "X") == ["REFUSED 68", "REFUSED 88"]


def test_the_first_tile_of_a_pair_may_be_taken_back() -> None:
    game = match()
    press(game, "TM12B", "TM14A")
    assert press(game, "U") == ["UNDO"]
    assert press(game, "U") == ["REFUSED 85"]
    assert list(board_of(game).tiles) == [Cell.of("M13"), Cell.of("M12")]
    assert press(game, "TM14C", "TM11A") == ["TILE M14C", "TILE M11A", "TURN 1 44"]


def test_resigning_is_asked() -> None:
    game = match()
    assert press(game, 15, "X", "N") == ["REFUSED 88"]
    assert press(game, 15, "Y") == ["WIN 2 RESIGNED"]
    assert game.ask is None


def computers(kinds: str, matches: Iterable[int], **options: str) -> Counter[str]:
    """How matches of computers end, and who wins."""
    ends: Counter[str] = Counter()
    for seed in matches:
        game = match(kinds, seed, **options)
        assert game.ask is None
        ends[str(game.log[-1])] += 1
    return ends


def test_computers_play_to_the_end_each_seed_its_own_match() -> None:
    games = {tuple(map(str, match("CC", seed).log)) for seed in range(5)}
    assert len(games) == 5
    assert match("EC", 3).log == match("EC", 3).log


@pytest.mark.parametrize("adjacent", ["0", "1"])
def test_hard_beats_easy(adjacent: str) -> None:
    assert computers("CE", range(10), adjacent=adjacent) == {"WIN 1 CLOSED": 10}
    assert computers("EC", range(10), adjacent=adjacent) == {"WIN 2 CLOSED": 10}


def place(tiles: str, colour: str, left: int, **more: object) -> Place:
    return Place(position(tiles), colour, left, **more)  # type: ignore[arg-type]


FOUR = "(0,0):1 (0,-2):3 (1,-1):1 (0,2):2"
"""A group of Dark's with one bridge that a tile at (1,1) closes."""


def test_a_group_in_reach_is_finished() -> None:
    assert finishing(place(FOUR, DARK, 1)) == (at(1, 1), 1)
    assert finishing(place("(0,0):1", DARK, 2)) is None
    assert finishing(place("(0,0):1 (0,-2):3 (1,-1):1", DARK, 2)) is not None
    assert finishing(place("(0,0):1 (0,-2):3 (1,-1):1", DARK, 1)) is None


def test_what_would_close_groups_of_both_is_not_a_finish() -> None:
    for colour in (DARK, LIGHT):
        assert finishing(place(BOTH, colour, 1)) is None


def test_adjacent_limits_what_is_in_reach() -> None:
    assert finishing(place(FOUR, DARK, 1, beside=at(0, 2))) == (at(1, 1), 1)
    assert finishing(place(FOUR, DARK, 1, beside=at(0, -2))) is None
    assert finishing(place(FOUR, DARK, 2, room=True)) == (at(1, 1), 1)


def test_what_groups_are_worth() -> None:
    def worth(bridges: int, liberties: int, own: bool) -> int:
        cells = frozenset(Cell(1, row) for row in range(1, liberties + 1))
        group = position("(0,0):1").groups(DARK)[0]
        return value(type(group)(DARK, group.points, bridges, cells), own)

    assert [worth(1, n, True) for n in range(1, 7)] == [4000, 4000, 2200, 1120, 760, 700]
    assert [worth(2, n, False) for n in (1, 2, 3)] == [60800, 60800, 2600]
    assert worth(0, 1, True) == worth(0, 0, False) == 0
    assert (worth(1, 0, True), worth(1, 0, False)) == (1_000_400, 4_000_400)
    assert worth(1, 24, True) == 475


def test_easy_draws_again_where_it_may_not_play() -> None:
    ask = place(RING, DARK, 2, room=True)
    tiles = {Computer(seed).easy(ask)[0] for seed in range(200)}
    assert at(0, 0) not in tiles
    assert len(tiles) > 8


def test_a_log_is_judged_by_its_typed_moves() -> None:
    random = Random(5)
    for seed in range(30):
        options = {"size": str(random.choice((12, 20, 48))), "adjacent": random.choice("01")}
        game = match(random.choice(("HH", "HE", "CH")), seed, **options)
        for _ in range(300):
            if game.ask is None:
                break
            game.press(POLICIES["clumsy"](game.ask, random))
        log = PlayLog("LAMBO", "1.0", seed, tuple(game.log), game.ask is None)
        assert judge(log, Lambo) is None, "\n".join(map(str, game.log))


def test_a_wrong_log_is_told() -> None:
    game = match("CC", 7)
    lines = [str(event) for event in game.log]
    at_tile = lines.index(next(line for line in lines if line.startswith("TILE")))
    lines[at_tile] = "TILE Y25A"
    wrong = judge(PlayLog("LAMBO", "1.0", 7, tuple(map(Event.parse, lines))), Lambo)
    assert wrong is not None
    assert wrong.got == "TILE Y25A"


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["SIZE 48", "ADJACENT 0", "PLAYER 1 H A"],
        ["SIZE 11", "ADJACENT 0", "PLAYER 1 H A", "PLAYER 2 H B"],
        ["SIZE X", "ADJACENT 0", "PLAYER 1 H A", "PLAYER 2 H B"],
        ["SIZE 48", "ADJACENT 2", "PLAYER 1 H A", "PLAYER 2 H B"],
        ["SIZE 48", "ADJACENT 0", "PLAYER 1 X A", "PLAYER 2 H B"],
    ],
)
def test_a_log_without_a_setup(lines: list[str]) -> None:
    with pytest.raises(ValueError, match="the log"):
        Lambo.setup_of(1, [Event.parse(line) for line in lines])


def test_two_players() -> None:
    with pytest.raises(ValueError, match="two players"):
        Lambo(Setup(1, (Player("H", "A"),)))
