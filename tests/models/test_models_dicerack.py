"""Dice Rack's rules: every vector and every exhaustive number of the rules, on the model."""

from itertools import product

import pytest

from ti99tools.models.dicerack import REMARKS, DiceRack, Rack, Say, hand
from ti99tools.models.model import ENTER, Match, Setup
from ti99tools.trace.events import Event


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("33---", 6), ("2424-", 24), ("6-616", 54), ("44441", 64), ("22222", 100), ("11111", 50),
        ("53142", 50), ("63544", 25), ("4365-", 25), ("11122", 75), ("66661", 96), ("66551", 44),
        ("12356", 0), ("-----", 0), ("1234-", 25), ("666--", 54), ("555--", 45),
    ],
)  # fmt: skip
def test_hands(line: str, points: int) -> None:
    assert hand([0 if cell == "-" else int(cell) for cell in line]) == points


@pytest.mark.parametrize(
    ("lowest", "total", "zeros"), [(1, 176310, 240), (0, 252300, 3211)], ids=["full", "all"]
)
def test_all_lines(lowest: int, total: int, zeros: int) -> None:
    points = [hand(line) for line in product(range(lowest, 7), repeat=5)]
    assert (sum(points), points.count(0)) == (total, zeros)


def game(column: int = 3, dice: str = "", **cells: str) -> DiceRack:
    """A game in the middle of a round: `c3="--115"` fills column 3 from the top."""
    model = DiceRack(Setup(1, ()))
    model.goal = 104
    for name, text in cells.items():
        for row, cell in enumerate(text, 1):
            if cell != "-":
                model.rack.cells[row, int(name[1])] = int(cell)
    return model


def events(model: DiceRack, kinds: str) -> list[str]:
    return [str(event) for event in model.log if event.kind in kinds.split()]


def test_tally_of_a_rack() -> None:
    model = DiceRack(Setup(1, ()))
    for row, text in enumerate(("12306", "52346", "52641", "52631", "32631"), 1):
        for column, cell in enumerate(text, 1):
            if cell != "0":
                model.rack.cells[row, column] = int(cell)
    model.goal = 267
    flow = model.tally()
    next(flow)
    columns = [int(e.args[1]) for e in model.log if e.kind == "COLUMN"]
    rows = [int(e.args[1]) for e in model.log if e.kind == "ROW"]
    assert columns == [45, 100, 75, 28, 75] and rows == [0, 50, 0, 0, 6]
    assert events(model, "RESULT SCORE") == ["RESULT 267 267", "SCORE 267"]


def test_gates_and_falling_out() -> None:
    model = game()
    model.drop(4, 3)
    assert model.rack.column(3) == [4, 0, 0, 0, 0]
    model.gate(ord("C"))
    assert model.rack.column(3) == [0, 4, 0, 0, 0]
    model.drop(6, 3)
    assert model.rack.column(3) == [6, 4, 0, 0, 0]
    model.drop(2, 3)
    assert events(model, "GATE DROP OUT") == [
        "DROP 3 1",
        "GATE C 1",
        "DROP 3 1",
        "DROP 3 0",
        "OUT 2 110",
    ]


def test_settling() -> None:
    model = game(c3="-3115")
    model.rack.open = {(row, 3) for row in range(1, 5)}
    model.drop(6, 3)
    assert model.rack.column(3) == [0, 6, 3, 1, 1]
    assert events(model, "RED") == ["RED 3 5 114"]
    model.drop(2, 3)
    assert model.rack.column(3) == [2, 6, 3, 1, 1]
    assert len(events(model, "RED")) == 1, "a column settles once"
    model.drop(4, 3)
    assert events(model, "OUT") == ["OUT 4 126"]
    assert [int(e.args[0]) for e in model.log if e.kind == "SAY"] == [
        Say.SETTLED,
        Say.OTHER,
        Say.OUT,
    ]


def test_settling_ignores_gates() -> None:
    model = game(c1="-1234")
    model.drop(5, 1)
    assert model.rack.column(1) == [0, 5, 1, 2, 3]
    assert model.rack.open == set()


def test_an_opened_gate_lets_all_above_follow() -> None:
    rack = Rack({(1, 2): 1, (2, 2): 2, (3, 2): 3}, {(1, 2), (2, 2), (4, 2)})
    assert rack.toggle(3, 2) is True
    assert rack.column(2) == [0, 0, 1, 2, 3]
    assert rack.toggle(3, 2) is False
    assert rack.column(2) == [0, 0, 1, 2, 3], "closing moves nothing"


def test_gates_have_letters_by_row_and_column() -> None:
    for letter, place in (
        ("A", (1, 1)),
        ("E", (1, 5)),
        ("F", (2, 1)),
        ("T", (4, 5)),
        ("N", (3, 4)),
    ):
        model = game()
        model.gate(ord(letter))
        assert model.rack.open == {place}


def steered(column: int, keys: str) -> tuple[int, list[str]]:
    """The column that keys steer a die to, and the events; `.` is ENTER."""
    model = game()
    flow = model.steer(column)
    next(flow)
    try:
        for key in keys:
            flow.send(ENTER if key == "." else ord(key))
    except StopIteration as end:
        return end.value, [str(event) for event in model.log if event.kind != "SAY"]
    raise AssertionError("more keys are wanted")


@pytest.mark.parametrize(
    ("column", "keys", "to", "told"),
    [
        (1, "S ", 5, ["SHIFT L 5"]),
        (5, "D.", 1, ["SHIFT R 1"]),
        (3, "\x08 ", 2, ["SHIFT L 2"]),
        (3, "\x09D", 4, ["SHIFT R 4", "GATE D 1"]),
        (3, ".S", 3, ["STAY", "GATE S 1"]),
        (3, "C", 3, ["GATE C 1"]),
        (3, " ", 3, []),
        (3, "U.1X ", 3, ["REFUSED 85", "STAY", "REFUSED 49", "REFUSED 88"]),
    ],
)
def test_steering(column: int, keys: str, to: int, told: list[str]) -> None:
    assert steered(column, keys) == (to, told)


def test_remarks_come_in_turn() -> None:
    model = game()
    for _ in range(REMARKS[Say.OTHER] + 1):
        model.say(Say.OTHER)
    assert [e.args[1] for e in model.log] == [*map(str, range(1, 11)), "1"]


@pytest.mark.parametrize(
    ("cells", "die", "kind"),
    [
        ({"c3": "-6---"}, 6, Say.GOOD),
        ({"c2": "6----"}, 6, Say.BAD),
        ({"c2": "-6---"}, 6, Say.OTHER),
        ({"c3": "1----"}, 6, Say.OUT),
        ({"c3": "-6---", "c2": "6----"}, 6, Say.GOOD),
    ],
)
def test_what_the_dealer_says_of_a_drop(cells: dict[str, str], die: int, kind: Say) -> None:
    model = game(**cells)  # type: ignore[arg-type]
    model.drop(die, 3)
    assert model.log[-1] == Event.of("SAY", int(kind), 1)


def test_a_game_of_drops_alone() -> None:
    match = Match(DiceRack(Setup(42, ())))
    while match.ask is not None and len(match.log) < 200:
        match.press(ord(" "))
    kinds = [event.kind for event in match.log]
    assert kinds[:4] == ["SAY", "ROUND", "SAY", "DIE"] and kinds.count("DIE") == 25
    assert kinds.count("OUT") == 24, "no gate was opened: only the first die stays"
    assert [str(e) for e in match.log[-2:]] == ["MISSED 0", "SAY 12 1"]
    assert "SAY 10 1" in [str(event) for event in match.log]
    die = next(event for event in match.log if event.kind == "DIE" and event.args[0] == "25")
    assert die.args[2] == "0"


def test_a_missed_goal_ends_the_game_and_a_reached_one_asks() -> None:
    model = game(c1="66666", c2="55555", c3="44444")
    flow = model.tally()
    ask = next(flow)
    assert ask.keys == (ord("Y"), ord("N"))
    flow.send(ord("X"))
    with pytest.raises(StopIteration) as end:
        flow.send(ord("Y"))
    assert end.value.value is True
    assert events(model, "SCORE REFUSED ANOTHER") == ["SCORE 750", "REFUSED 88", "ANOTHER 1"]
    model.rack = Rack()
    with pytest.raises(StopIteration) as end:
        next(model.tally())
    assert end.value.value is False
    assert events(model, "MISSED") == ["MISSED 750"]


def test_a_log_tells_its_keys() -> None:
    for text, key in (
        ("REFUSED 88", 88), ("SHIFT L 2", 8), ("SHIFT R 4", 9), ("STAY", ENTER), ("GATE C 1", 67),
        ("DROP 3 1", 32), ("ANOTHER 1", ord("Y")), ("ANOTHER 0", ord("N")), ("RACK 0", None),
    ):  # fmt: skip
        assert DiceRack.key_of(Event.parse(text)) == key
