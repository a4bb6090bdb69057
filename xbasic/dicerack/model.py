"""Dice Rack (DICECRASH II): one player against the Dealer, 25 dice a round into a 5×5 rack.

Columns score for the player, rows against. Where the rules leave a question open, the answer here
is as follows.

Dropping
- A die waits above the column where the last one was dropped, the first of a round above column 3.
- It may be shifted once by one column, wrapping 1↔5, and one gate may be toggled, in any order;
  then it drops.
- Gates A–E lie below row 1, F–J below row 2, K–O below row 3, P–T below row 4, left to right. All
  are closed at the start of a round and stay as they are set. Dice above a gate that opens fall
  until a closed gate, a die or the floor stops them, and the dice above them follow.
- If row 1 of its column is occupied, a die falls out, and the goal rises by 3 × its value. It
  counts as one of the 25.
- A column that holds five dice for the first time settles: its bottom die falls to the Red Row, the
  goal rises by 2 × its value, and the others move down one row whatever the gates. A column settles
  only once a round.

Scoring
- A line scores its best hand only; order and gaps do not matter. Dice in the Red Row and dice that
  fell out belong to no hand.
- A small straight is four consecutive values; a pair among them changes nothing.
- On the ladder, each round adds 20 to the goal of the next.
- Result = columns − rows. A result that reaches the goal is added to the scoreboard, and another
  round is offered; below the goal the game is over.

The Dealer looks at the column and the row of a die that has come to rest, and remembers what their
hands are worth until the round is over. If the column is worth more than when he last looked, and
has gained no less than the row, he speaks of a hand down; otherwise, if the row is worth more, of a
hand across.

Randomness: at the start of a round the Dealer's padding INT(RND*11), then 25 dice INT(RND*6)+1;
nothing else is drawn. RND can be so near to 1 that the console makes a die a 7; it scores like any
other value.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import ClassVar

from ti99tools.games.models.model import ENTER, Ask, Flow, Model, Setup
from ti99tools.games.models.playlog import Event

SIZE = 5
DICE = 25
BASE_GOAL = 100
FIRST_COLUMN = 3
SPACE = ord(" ")
LEFT_KEYS = (ord(","), 8)
RIGHT_KEYS = (ord("."), 9)
SUMS = ord("1")
"""The key that shows the sums so far; it changes nothing."""
LADDER, LADDER_STEP = "ladder", 20
"""Option of a setup, and what each round then adds to the goal of the next."""
GATES = {ord("A") + i: (i // SIZE + 1, i % SIZE + 1) for i in range(20)}
"""Key of a gate → row above it and column, both from 1."""

(
    WELCOME,
    GOAL,
    OPENED,
    CLOSED,
    GOOD,
    BAD,
    PLAIN,
    RED,
    OUT,
    LAST_FIVE,
    REACHED,
    MISSED,
    DOWN,
    ACROSS,
) = range(1, 15)
REMARKS = {
    WELCOME: 4,
    GOAL: 6,
    OPENED: 6,
    CLOSED: 6,
    GOOD: 8,
    BAD: 8,
    PLAIN: 10,
    RED: 8,
    OUT: 8,
    LAST_FIVE: 4,
    REACHED: 6,
    MISSED: 6,
    DOWN: 4,
    ACROSS: 4,
}
"""Kind of remark → how many of them the Dealer knows."""


NOTHING, PAIR, TWO_PAIRS, THREE, SMALL_STRAIGHT, STRAIGHT, FULL_HOUSE, FOUR, FIVE = range(9)
"""The hands, lowest first."""


def hand(line: Sequence[int]) -> int:
    """The points of the best hand in five cells (0: empty).

    >>> hand([2, 4, 2, 4, 0]), hand([6, 3, 5, 4, 4]), hand([1, 1, 1, 2, 2])
    (24, 25, 75)
    """
    return best_hand(line)[0]


def best_hand(line: Sequence[int]) -> tuple[int, int]:
    """The points of the best hand in five cells (0: empty), and which hand it is."""
    dice = sorted(value for value in line if value)
    counts = {value: dice.count(value) for value in dice}
    groups = sorted(counts.values(), reverse=True)
    if groups[:1] == [5]:
        return 10 * sum(dice), FIVE
    if groups == [3, 2]:
        return 75, FULL_HOUSE
    for size, name in ((4, FOUR), (3, THREE)):
        for value, count in counts.items():
            if count == size:
                return size * size * value, name
    if dice in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]):
        return 50, STRAIGHT
    if any({low, low + 1, low + 2, low + 3} <= counts.keys() for low in (1, 2, 3)):
        return 25, SMALL_STRAIGHT
    pairs = [value for value, count in counts.items() if count == 2]
    if len(pairs) == 2:
        return 2 * 2 * sum(pairs), TWO_PAIRS
    return 2 * sum(pairs), PAIR if pairs else NOTHING


class Rack:
    """25 cells, 20 gates, and which columns have settled. Rows and columns count from 1."""

    def __init__(self) -> None:
        self.cells = {(row, column): 0 for row in range(1, 6) for column in range(1, 6)}
        self.open = dict.fromkeys(GATES.values(), False)
        self.settled: set[int] = set()

    def row(self, row: int) -> list[int]:
        """The cells of a row, left to right."""
        return [self.cells[row, column] for column in range(1, 6)]

    def column(self, column: int) -> list[int]:
        """The cells of a column, top to bottom."""
        return [self.cells[row, column] for row in range(1, 6)]

    def rest(self, row: int, column: int) -> int:
        """The row where a die in `row` comes to rest."""
        while row < SIZE and self.open[row, column] and not self.cells[row + 1, column]:
            row += 1
        return row

    def toggle(self, gate: tuple[int, int]) -> bool:
        """Open or close a gate; dice above an opened one fall. True if it is now open."""
        self.open[gate] = not self.open[gate]
        column = gate[1]
        for row in range(4, 0, -1):
            value = self.cells[row, column]
            if value:
                self.cells[row, column] = 0
                self.cells[self.rest(row, column), column] = value
        return self.open[gate]

    def drop(self, value: int, column: int) -> int:
        """Let a die fall into a column; returns the row where it rests, 0 if it falls out."""
        if self.cells[1, column]:
            return 0
        row = self.rest(1, column)
        self.cells[row, column] = value
        return row

    def settle(self, column: int) -> int:
        """Settle a column if it is due; returns the die that falls to the Red Row, or 0."""
        dice = self.column(column)
        if column in self.settled or not all(dice):
            return 0
        self.settled.add(column)
        for row, value in enumerate([0, *dice[:-1]], start=1):
            self.cells[row, column] = value
        return dice[-1]


class DiceRack(Model):
    """A game of Dice Rack: rounds until the goal is missed or the player stops."""

    game: ClassVar[str] = "DICERACK"
    version: ClassVar[str] = "1.1"
    earlier: ClassVar[tuple[str, ...]] = ("1.0",)
    letter: ClassVar[str] = "R"
    may_leave: ClassVar[bool] = True

    def __init__(self, setup: Setup) -> None:
        if len(setup.players) != 1:
            raise ValueError("Dice Rack is for one player")
        super().__init__(setup)
        self.rack = Rack()
        self.goal = 0
        self.total = 0
        self.ladder = LADDER_STEP if LADDER in setup.options else 0
        self.gate = 0
        self.remembered: dict[str, int] = {}
        self.remarks = dict.fromkeys(REMARKS, 0)

    def final_score(self) -> int:
        """The total on the scoreboard."""
        return self.total

    def remark(self, kind: int) -> None:
        """Log the Dealer's next remark of a kind."""
        self.say("SAY", kind, self.remarks[kind] % REMARKS[kind] + 1)
        self.remarks[kind] += 1

    def play(self) -> Flow:
        """The game from its first event to its last."""
        if self.ladder:
            self.choose(self.ladder)
            self.say("LADDER", self.ladder)
        self.remark(WELCOME)
        number = 1
        while (yield from self.round(number)):
            number += 1

    def round(self, number: int) -> Generator[Ask, int, bool]:
        """One round; True when the player goes on to another."""
        padding = self.rnd.below(11)
        dice = [self.rnd.below(6) + 1 for _ in range(DICE)]
        self.rack = Rack()
        self.goal = BASE_GOAL + padding + self.ladder * (number - 1)
        self.remembered = {}
        self.say("ROUND", number, padding, self.goal)
        self.remark(GOAL)
        column = FIRST_COLUMN
        for index, (value, following) in enumerate(zip(dice, [*dice[1:], 0], strict=True), start=1):
            self.say("DIE", index, value, following)
            column = yield from self.aim(column)
            self.fall(value, column)
            if index == DICE - 5:
                self.remark(LAST_FIVE)
        return (yield from self.tally())

    def aim(self, column: int) -> Generator[Ask, int, int]:
        """Take a shift and a gate, both optional; returns the column that the die drops into."""
        shifts = {
            **dict.fromkeys(LEFT_KEYS, (column - 2) % SIZE + 1),
            **dict.fromkeys(RIGHT_KEYS, column % SIZE + 1),
        }
        self.gate = 0
        key = yield from self.ask({*shifts, *GATES, ENTER, SPACE})
        if key in GATES:
            self.toggle(key)
            key = yield from self.ask({*shifts, ENTER, SPACE})
            return self.shift(key, shifts) if key in shifts else column
        if key in shifts:
            column = self.shift(key, shifts)
        elif key == ENTER:
            self.say("STAY")
        if key in shifts or key == ENTER:
            key = yield from self.ask({*GATES, ENTER, SPACE})
            if key in GATES:
                self.toggle(key)
        return column

    def shift(self, key: int, shifts: dict[int, int]) -> int:
        """Shift the die to the next column; returns that column."""
        self.say("SHIFT", "L" if key in LEFT_KEYS else "R", shifts[key])
        return shifts[key]

    def toggle(self, key: int) -> None:
        """Open or close a gate."""
        self.gate = key - ord("A") + 1
        is_open = self.rack.toggle(GATES[key])
        self.say("GATE", chr(key), int(is_open))
        self.remark(OPENED if is_open else CLOSED)

    def ask(self, keys: set[int]) -> Generator[Ask, int, int]:
        """Wait for a key in `keys`; others are refused, except the one that shows the sums."""
        while (key := (yield Ask(0, tuple(sorted(keys)), safe=SPACE))) not in keys:
            if key != SUMS:
                self.say("REFUSED", key)
        return key

    def fall(self, value: int, column: int) -> None:
        """Drop the die; its column may settle; the Dealer makes a remark."""
        rack = self.rack
        self.choose(column + 10 * self.gate)
        row = rack.drop(value, column)
        self.say("DROP", column, row)
        if not row:
            self.goal += 3 * value
            self.say("OUT", value, self.goal)
        red = rack.settle(column)
        if red:
            self.goal += 2 * red
            self.say("RED", column, red, self.goal)
        self.say("RACK", *("".join(map(str, rack.row(r))) for r in range(1, 6)))
        if not row:
            self.remark(OUT)
        elif red:
            self.remark(RED)
        else:
            self.remark(self.look(row, column))

    def look(self, row: int, column: int) -> int:
        """Let the Dealer look at a die's column and row; returns the kind of his remark."""
        down, hand_down = self.gain(f"column {column}", self.rack.column(column))
        across, hand_across = self.gain(f"row {row}", self.rack.row(row))
        if down > 0 and down >= across:
            return GOOD if hand_down <= TWO_PAIRS else DOWN
        if across > 0:
            return BAD if hand_across <= TWO_PAIRS else ACROSS
        return PLAIN

    def gain(self, name: str, line: Sequence[int]) -> tuple[int, int]:
        """How much a line has gained since the Dealer last looked at it, and its hand."""
        points, found = best_hand(line)
        before = self.remembered.get(name, 0)
        self.remembered[name] = points
        return points - before, found

    def tally(self) -> Generator[Ask, int, bool]:
        """Count columns for the player and rows against; True if the player goes on."""
        result = 0
        for column in range(1, 6):
            points = hand(self.rack.column(column))
            self.say("COLUMN", column, points)
            result += points
        for row in range(1, 6):
            points = hand(self.rack.row(row))
            self.say("ROW", row, points)
            result -= points
        self.say("RESULT", result, self.goal)
        if result < self.goal:
            self.say("MISSED", self.total)
            self.remark(MISSED)
            return False
        self.total += result
        self.say("SCORE", self.total)
        self.remark(REACHED)
        yes = ord("Y")
        while (key := (yield Ask(0, (yes, ord("N")), safe=ord("N"), bold=yes))) not in (
            yes,
            ord("N"),
        ):
            self.say("REFUSED", key)
        self.say("ANOTHER", int(key == yes))
        return key == yes

    @classmethod
    def setup_of(cls, seed: int, events: Sequence[Event]) -> Setup:
        """The setup that a log records: with the ladder or without."""
        setup = super().setup_of(seed, events)
        on_ladder = bool(events) and events[0] == Event.of("LADDER", LADDER_STEP)
        return Setup(setup.seed, setup.players, {LADDER: "yes"} if on_ladder else {})

    def keys_of(self, event: Event) -> Sequence[int]:
        """The key that the player pressed if this event answers a question."""
        match event.kind, event.args:
            case ("SHIFT", (direction, _)):
                return (LEFT_KEYS[0] if direction == "L" else RIGHT_KEYS[0],)
            case ("STAY", ()):
                return (ENTER,)
            case ("GATE", (letter, _)) if len(letter) == 1:
                return (ord(letter),)
            case ("DROP", _):
                return (SPACE,)
            case ("ANOTHER", (answer,)):
                return (ord("Y" if answer == "1" else "N"),)
        return super().keys_of(event)
