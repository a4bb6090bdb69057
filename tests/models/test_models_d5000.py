"""D5000's rules: every vector and every exhaustive number of the rules, on the model."""

from collections import Counter
from itertools import product

import pytest

from ti99tools.games.models.model import BACK, ENTER, NO, YES, Match, Player, Setup
from ti99tools.games.models.playlog import Event
from xbasic.d5000.model import D5000, STOP, Turn, score


def points(*values: int) -> int:
    return score(dict(enumerate(values))).points


class Dice:
    """A generator that rolls what the test wants."""

    def __init__(self, values: str) -> None:
        self.values = [int(c) for c in values if c.isdigit()]

    def below(self, n: int) -> int:
        assert n == 6
        return self.values.pop(0) - 1


def match(dice: str, players: str = "H") -> Match:
    """A match with the dice given, in the order of rolling."""
    seats = tuple(Player(kind, f"P{n}") for n, kind in enumerate(players, 1))
    model = D5000(Setup(1, seats))
    model.rnd = Dice(dice)  # type: ignore[assignment]
    return Match(model)


def press(game: Match, keys: str) -> None:
    """Press keys: `.` is ENTER."""
    for key in keys:
        game.press(ENTER if key == "." else ord(key))


def tail(game: Match, count: int) -> list[str]:
    return [str(event) for event in game.log[-count:]]


def board(game: Match, *totals: int) -> None:
    """Put the players on the board with these totals."""
    model = game.model
    assert isinstance(model, D5000)
    model.totals = list(totals)
    model.boarded = [total > 0 for total in totals]


@pytest.mark.parametrize(
    ("dice", "total", "left"),
    [
        ((1, 1, 1, 1, 5), 1150, 0),
        ((2, 2, 2, 2, 6), 200, 2),
        ((5, 5, 5, 5, 2), 550, 1),
        ((1, 2, 3, 4, 6), 100, 4),
        ((3, 3, 3, 1, 1), 500, 0),
        ((1, 2, 3, 4, 5), 1500, 0),
        ((6, 5, 4, 3, 2), 1500, 0),
        ((1, 1, 1, 1), 1100, 0),
        ((2, 3, 4, 6, 7), 0, 5),
    ],
)
def test_scores(dice: tuple[int, ...], total: int, left: int) -> None:
    scored = score(dict(enumerate(dice)))
    assert scored.points == total
    assert len(dice) - len(scored.dice) == (left if len(dice) == 5 else 0)


def test_four_of_a_kind_keeps_the_lowest_three_and_a_five_is_single() -> None:
    assert score({0: 2, 1: 2, 2: 2, 3: 2, 4: 6}).dice == {0, 1, 2}
    scored = score({0: 5, 1: 5, 2: 5, 3: 5, 4: 2})
    assert scored.dice == {0, 1, 2, 3}
    assert scored.triple == {0, 1, 2}


@pytest.mark.parametrize(
    ("n", "busts", "total"),
    [(1, 4, 150), (2, 16, 1800), (3, 60, 18750), (4, 204, 183150), (5, 600, 2008500)],
)
def test_all_rolls(n: int, busts: int, total: int) -> None:
    rolls = [score(dict(enumerate(dice))) for dice in product(range(1, 7), repeat=n)]
    assert sum(not roll.points and not roll.five for roll in rolls) == busts
    assert sum(roll.points for roll in rolls) == total


def test_all_rolls_of_five() -> None:
    kinds: Counter[str] = Counter()
    for dice in product(range(1, 7), repeat=5):
        roll = score(dict(enumerate(dice)))
        kinds["wins"] += roll.five
        kinds["straights"] += sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
        kinds["enough"] += not roll.five and roll.points >= 500
    assert kinds == {"wins": 6, "straights": 240, "enough": 1180}


def test_all_five_set_aside_roll_again() -> None:
    game = match("11115 23462")
    press(game, "..")
    assert tail(game, 4)[:3] == ["AGAIN 1150 5", "ROLL 2 3 4 6 2", "BUST 1150 1"]


def test_two_dice_are_left_to_roll() -> None:
    game = match("22226 11")
    press(game, "..")
    assert Event.parse("AGAIN 200 2") in game.log
    assert tail(game, 3) == ["ROLL 0 0 0 1 1", "SCORE 200 400", "KEEP 200 2 2 2 1 1"]


def test_500_gets_on_the_board() -> None:
    game = match("33311")
    press(game, ".S")
    assert "BANK 500 500" in tail(game, 2)


def test_450_does_not() -> None:
    game = match("33315 1")
    press(game, ".S")
    assert tail(game, 2) == ["REFUSED 83", "NEED 50"]
    press(game, "5")
    assert tail(game, 2) == ["PICK 5", "KEEP 400 1 1 1 1 0"]


def test_on_the_board_any_score_may_be_banked() -> None:
    game = match("52344", "HH")
    board(game, 500, 0)
    press(game, ".S")
    assert "BANK 50 550" in tail(game, 2)


def test_five_of_a_kind_wins_off_the_board() -> None:
    game = match("66666", "HH")
    press(game, ".")
    assert game.ask is None
    assert tail(game, 2) == ["FIVE 6", "WIN 1 0 1"]


def test_dice_of_different_rolls_do_not_combine() -> None:
    game = match("11234 122")
    press(game, "..")
    assert tail(game, 2) == ["SCORE 100 300", "KEEP 100 2 2 1 0 0"]


def test_picking_up_single_dice() -> None:
    game = match("15523 1234")
    press(game, ".23")
    assert tail(game, 1) == ["KEEP 100 1 0 0 0 0"]
    press(game, "1")
    assert tail(game, 1) == ["REFUSED 49"]
    press(game, ".")
    assert tail(game, 4)[:2] == ["AGAIN 100 4", "ROLL 0 1 2 3 4"]


def test_picking_up_a_die_of_a_triple() -> None:
    game = match("22214 1234")
    press(game, ".1")
    assert tail(game, 2) == ["PICK 1", "KEEP 100 0 0 0 1 0"]
    press(game, "2")
    assert tail(game, 1) == ["REFUSED 50"], "die 2 is up though wanted"
    press(game, "1")
    assert tail(game, 2) == ["PICK 1", "KEEP 300 1 1 1 1 0"]
    press(game, "1.")
    assert Event.parse("AGAIN 100 4") in game.log


def test_a_triple_alone_may_not_be_broken() -> None:
    game = match("22234")
    press(game, ".1")
    assert tail(game, 1) == ["REFUSED 49"]


def test_a_straight_may_be_broken() -> None:
    game = match("12345 6123")
    press(game, ".2")
    assert tail(game, 1) == ["KEEP 150 1 0 0 0 1"]


def test_s_banks_the_whole_roll_whatever_is_picked_up() -> None:
    game = match("33311", "HH")
    press(game, ".5S")
    assert "BANK 500 500" in tail(game, 2)


def test_exactly_5000_does_not_end_the_match() -> None:
    game = match("15236", "HH")
    board(game, 4850, 0)
    press(game, ".S")
    assert tail(game, 2) == ["BANK 150 5000", "TURN 2 0"]


@pytest.mark.parametrize(("start", "winner"), [(4900, "WIN 1 5050 1"), (4950, "WIN 2 5100 1")])
def test_last_round_must_be_beaten_strictly(start: int, winner: str) -> None:
    game = match("15236 15236", "HH")
    board(game, 4900, start)
    press(game, ".S")
    assert tail(game, 4) == ["BANK 150 5050", "LASTROUND 1 5050", f"TURN 2 {start}", "BEAT 5050"]
    press(game, ".S")
    assert game.ask is None
    assert tail(game, 1) == [winner]


def test_the_last_round_goes_to_all_others_once() -> None:
    game = match("11234 11234 11234", "HHH")
    board(game, 4000, 5000, 4950)
    press(game, ".S.S")
    assert "LASTROUND 2 5200" in tail(game, 3)
    assert tail(game, 2) == ["TURN 3 4950", "BEAT 5200"]
    press(game, ".S")
    assert tail(game, 2) == ["TURN 1 4200", "BEAT 5200"]


def test_passing_5000_does_not_force_a_stop() -> None:
    game = match("11234 1234", "HH")
    board(game, 4950, 0)
    press(game, "..")
    assert tail(game, 1) == ["KEEP 100 2 2 1 0 0"]


def test_one_player_wins_at_once() -> None:
    game = match("15236")
    board(game, 4900)
    press(game, ".S")
    assert tail(game, 2) == ["LASTROUND 1 5050", "WIN 1 5050 1"]


def test_a_turn_begins_with_enter_alone() -> None:
    game = match("15236")
    press(game, "S1x.")
    assert [str(e) for e in game.log[3:7]] == [
        "REFUSED 83",
        "REFUSED 49",
        "REFUSED 120",
        "ROLL 1 5 2 3 6",
    ]


def test_what_the_model_asks_is_what_it_takes() -> None:
    game = match("22214")
    press(game, ".")
    assert game.ask is not None
    assert game.ask.keys == (ENTER, *map(ord, "1234"))
    assert game.ask.tempting == (STOP, ord("5"))
    assert (game.ask.safe, game.ask.bold) == (None, ENTER), "300 points do not get on the board"
    board(game, 500)
    press(game, "1")
    assert game.ask.keys == (ENTER, STOP, ord("1"))
    assert game.ask.safe == STOP


@pytest.mark.parametrize(
    ("dice", "choice"),
    [
        ("11234", ["PICK 2", "KEEP 100 1 0 0 0 0", "AGAIN 100 4"]),
        ("52133", ["PICK 1", "KEEP 100 0 0 1 0 0", "AGAIN 100 4"]),
        ("55323", ["PICK 2", "KEEP 50 1 0 0 0 0", "AGAIN 50 4"]),
        ("22215", ["AGAIN 350 5"]),
        ("22231", ["BANK 300 800"]),
        ("33346", ["BANK 300 800"]),
    ],
)
def test_the_computer_player(dice: str, choice: list[str]) -> None:
    game = match("", "HI")
    model = game.model
    assert isinstance(model, D5000)
    turn = Turn(1)
    turn.roll = {die: int(value) for die, value in enumerate(dice)}
    turn.wanted = set(turn.roll)
    board(game, 0, 500)
    model.log.clear()
    model.computer(turn)
    assert [str(event) for event in model.log] == choice


def test_the_computer_off_the_board_keeps_a_triple_alone() -> None:
    game = match("22254 33", "IH")
    assert [str(event) for event in game.log[4:9]] == [
        "ROLL 2 2 2 5 4",
        "SCORE 250 250",
        "KEEP 250 1 1 1 1 0",
        "PICK 4",
        "KEEP 200 1 1 1 0 0",
    ]


def test_computers_play_to_the_end() -> None:
    players = tuple(Player(name[0], name) for name in ("TEX", "ADA", "GUS"))
    game = Match(D5000(Setup(1234, players)))
    assert game.ask is None
    assert game.log[-1].kind == "WIN"


def test_a_log_tells_its_setup_and_its_keys() -> None:
    game = match("15236", "HI")
    press(game, ".")
    assert D5000.setup_of(1, game.log) == game.model.setup
    lines = ("PICK 3", "AGAIN 1 2", "BANK 1 1", "REFUSED 88", "BUST 0 1")
    keys = [game.model.keys_of(Event.parse(line)) for line in lines]
    assert keys == [(ord("3"),), (ENTER,), (STOP,), (88,), ()]


def test_back_and_y_leave_the_match_and_n_or_back_goes_on() -> None:
    match = Match(D5000(Setup(1, (Player("H", "P1"),))))
    open_question = match.ask
    for keys in ((BACK, NO), (BACK, BACK), (BACK, ord("5"), ENTER, NO)):
        log = list(match.log)
        for key in keys:
            match.press(key)
        assert match.ask == open_question
        assert match.log == log
    match.press(BACK)
    assert match.ask is not None
    assert match.ask.keys == (YES, NO, BACK)
    match.press(YES)
    assert match.ask is None
    assert str(match.log[-1]) == "LEFT"
    assert match.model.keys_of(match.log[-1]) == (BACK, YES)


def test_the_computer_of_older_logs_plays_as_ida_does() -> None:
    dice = "11234 12345 66234 11155 22334 " * 3
    logs = []
    for kind in "CI":
        game = match(dice, kind + "H")
        while game.ask is not None and len(game.log) < 40:
            game.press(ENTER if len(game.log) < 30 else STOP)
        logs.append([str(event).replace(f" {kind} ", " ") for event in game.log])
    assert logs[0] == logs[1]
