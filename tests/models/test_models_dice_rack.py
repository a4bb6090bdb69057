"""The Dice Rack model against the rules' vectors and exhaustive numbers."""

from itertools import product

import pytest

from ti99tools.games.models.model import ENTER, Player, Setup
from ti99tools.games.models.playlog import Event
from xbasic.dicerack.model import DiceRack, Rack, hand

SPACE = ord(" ")


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("33---", 6),
        ("2424-", 24),
        ("6-616", 54),
        ("44441", 64),
        ("22222", 100),
        ("11111", 50),
        ("53142", 50),
        ("63544", 25),
        ("4365-", 25),
        ("11122", 75),
        ("66661", 96),
        ("66551", 44),
        ("12356", 0),
        ("-----", 0),
    ],
)
def test_hands(line: str, points: int) -> None:
    assert hand([0 if c == "-" else int(c) for c in line]) == points


def test_every_full_line_and_every_line() -> None:
    full = [hand(line) for line in product(range(1, 7), repeat=5)]
    assert (sum(full), full.count(0)) == (176310, 240)
    lines = [hand(line) for line in product(range(7), repeat=5)]
    assert (sum(lines), lines.count(0)) == (252300, 3211)


def test_a_whole_rack() -> None:
    rack = Rack()
    for row, line in enumerate(("12306", "52346", "52641", "52631", "32631"), start=1):
        for column, digit in enumerate(line, start=1):
            rack.cells[row, column] = int(digit)
    columns = [hand(rack.column(c)) for c in range(1, 6)]
    rows = [hand(rack.row(r)) for r in range(1, 6)]
    assert (columns, rows) == ([45, 100, 75, 28, 75], [0, 50, 0, 0, 6])


def game(dice: list[int], padding: int = 4) -> tuple[DiceRack, "object"]:
    """A game at its first question, with dice of our choice."""
    model = DiceRack(Setup(1, (Player("H", "PLAYER"),)))
    draws = iter([padding, *(die - 1 for die in dice), *[0] * (25 - len(dice))])
    model.rnd.below = lambda n: next(draws)  # type: ignore[method-assign]
    flow = model.play()
    next(flow)
    return model, flow


def press(flow: object, *keys: int | str) -> None:
    for key in keys:
        flow.send(ord(key) if isinstance(key, str) else key)  # type: ignore[attr-defined]


def test_gates_and_falling_out() -> None:
    model, flow = game([4, 6, 2])
    press(flow, " ")
    assert model.rack.column(3) == [4, 0, 0, 0, 0]
    press(flow, "C", " ")
    assert model.rack.column(3) == [6, 4, 0, 0, 0]
    assert model.goal == 104
    press(flow, " ")
    assert model.goal == 110
    assert [str(e) for e in model.log][-4:-1] == [
        "OUT 2 110",
        "RACK 00600 00400 00000 00000 00000",
        "SAY 9 1",
    ]


def test_settling() -> None:
    model, flow = game([6, 2, 4])
    rack = model.rack
    rack.open.update({(row, 3): True for row in range(1, 5)})
    for row, value in zip(range(2, 6), (3, 1, 1, 5), strict=True):
        rack.cells[row, 3] = value
    goal = model.goal
    press(flow, " ")
    assert rack.column(3) == [0, 6, 3, 1, 1]
    assert model.goal == goal + 10
    press(flow, " ")
    assert rack.column(3) == [2, 6, 3, 1, 1]
    assert model.goal == goal + 10
    press(flow, " ")
    assert model.goal == goal + 22


def test_the_rack_wraps_and_a_gate_may_come_first() -> None:
    model, flow = game([1, 2, 3])
    press(flow, ",", " ", 8, " ", ",")
    assert [str(e) for e in model.log if e.kind == "SHIFT"] == [
        "SHIFT L 2",
        "SHIFT L 1",
        "SHIFT L 5",
    ]
    press(flow, "D", ENTER, "S", "D", ".", "?", "1")
    kinds = [str(e) for e in model.log if e.kind in ("GATE", "STAY", "REFUSED", "SHIFT")][3:]
    assert kinds == [
        "GATE D 1",
        "STAY",
        "GATE S 1",
        "GATE D 0",
        "SHIFT R 1",
        "REFUSED 63",
    ]
    assert model.choices == [2, 1, 45, 195, 41]


def test_the_ladder() -> None:
    """Its goal rises by 20 a round, from the first one's."""
    model = DiceRack(Setup(1, (Player("H", "PLAYER"),), {"ladder": "yes"}))
    flow = model.round(3)
    next(flow)
    event_of_round = next(event for event in model.log if event.kind == "ROUND")
    assert int(event_of_round.args[2]) == 140 + int(event_of_round.args[1])
    log = [Event.of("LADDER", 20), Event.of("SAY", 1, 1)]
    assert DiceRack.setup_of(1, log).options
    assert not DiceRack.setup_of(1, log[1:]).options


def test_the_dealer_looks_at_hands() -> None:
    model = DiceRack(Setup(1, (Player("H", "PLAYER"),)))
    for cells, row, column, kind in (
        ({(5, 1): 6}, 5, 1, 7),
        ({(4, 1): 6}, 4, 1, 5),  # a pair down
        ({(3, 1): 6}, 3, 1, 13),  # three of a kind
        ({(3, 2): 6}, 3, 2, 6),  # a pair across
        ({(3, 3): 6}, 3, 3, 14),
        ({(2, 1): 1}, 2, 1, 7),  # nothing gained
        ({(4, 2): 6}, 4, 2, 5),  # as much down as across
    ):
        model.rack.cells.update(cells)
        assert model.look(row, column) == kind


def test_a_gate_under_a_die_shut_again_and_a_cascade() -> None:
    rack = Rack()
    rack.cells[1, 1], rack.cells[2, 1], rack.cells[3, 1] = 1, 2, 3
    assert rack.toggle((4, 1))
    assert rack.column(1) == [1, 2, 3, 0, 0]
    assert rack.toggle((3, 1))
    assert rack.column(1) == [1, 2, 0, 0, 3]
    assert rack.toggle((1, 1))
    assert rack.toggle((2, 1))
    assert rack.column(1) == [0, 0, 1, 2, 3]
    assert not rack.toggle((3, 1))
    assert rack.column(1) == [0, 0, 1, 2, 3]


def test_a_whole_game_ends_with_a_missed_goal() -> None:
    model, flow = game([1] * 25)
    with pytest.raises(StopIteration):
        press(flow, *[" "] * 25)
    kinds = [e.kind for e in model.log]
    assert kinds.count("DROP") == 25
    assert kinds[-3:] == ["RESULT", "MISSED", "SAY"]
