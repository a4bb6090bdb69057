"""Dice Rack: 25 dice a round into a rack of five by five; columns for you, rows for the Dealer.

What the rules leave open is settled here as follows.

The rack
- Rows count from the top, 1 to 5. A gate lies under each cell of rows 1–4, lettered A–T from left
  to right and top to bottom; all are closed when a round begins and stay as they are set.
- A die waits above the column where the last one was dropped; the first above column 3. It may be
  shifted once by one column, past the edge to the other side; then one gate may be toggled.
- A gate that opens lets the dice of its column fall as far as open gates, dice and the floor let
  them. A gate that closes moves nothing.
- A die whose column has something in row 1 falls out of the rack. It counts as one of the 25.
- A column that holds five dice for the first time settles: the bottom die falls out below, the
  others move down one, past any gate, and the gates stay as they are.

Points
- Only dice in the rack count. A line has one hand, the best there is; order, places and gaps do
  not matter. Four values in a row are a small straight, whatever the fifth cell holds.
- The goal is 100 and the Dealer's padding, 0–10, before what drops add to it. Only a round that
  reaches its goal goes on the scoreboard; one that does not ends the game.

Randomness: a round draws the padding, INT(RND*11), then its 25 dice, INT(RND*6)+1, all at its
start. The Dealer's remarks are drawn from nothing: those of a kind come in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import ClassVar

from ti99tools.models.model import ENTER, Ask, Flow, Setup
from ti99tools.models.rnd import Rnd
from ti99tools.trace.events import Event

SIZE = 5
DICE = 25
FIRST_COLUMN = 3
GOAL, PADDING = 100, 11
SPACE, LEFT, RIGHT = 32, 8, 9
LEFT_KEYS, RIGHT_KEYS = (ord("S"), LEFT), (ord("D"), RIGHT)
GATES = {ord("A") + n: (n // SIZE + 1, n % SIZE + 1) for n in range(20)}
"""Key → row and column of the cell that the gate lies under."""
FEW_LEFT = 20
"""The Dealer says that five dice are left after this one."""


class Say(IntEnum):
    """What a remark of the Dealer is about."""

    WELCOME = 1
    GOAL = 2
    OPENED = 3
    CLOSED = 4
    GOOD = 5
    BAD = 6
    OTHER = 7
    SETTLED = 8
    OUT = 9
    FEW_LEFT = 10
    REACHED = 11
    MISSED = 12


REMARKS = {
    Say.WELCOME: 4, Say.GOAL: 6, Say.OPENED: 6, Say.CLOSED: 6, Say.GOOD: 8, Say.BAD: 8,
    Say.OTHER: 10, Say.SETTLED: 8, Say.OUT: 8, Say.FEW_LEFT: 4, Say.REACHED: 6, Say.MISSED: 6,
}  # fmt: skip
"""How many remarks there are of each kind."""


def hand(cells: Sequence[int]) -> int:
    """The points of the best hand in a line of five cells, 0 being an empty one.

    >>> hand([6, 3, 5, 4, 4]), hand([6, 0, 6, 1, 6])
    (25, 54)
    """
    return _hand(tuple(sorted(cells)))


@cache
def _hand(cells: tuple[int, ...]) -> int:
    counts = Counter(value for value in cells if value)
    several = sorted(((n, value) for value, n in counts.items() if n >= 2), reverse=True)
    points = [0]
    for n, value in several:
        points.append({2: 1, 3: 3, 4: 4, 5: 10}[n] * n * value)
    if len(several) == 2:
        (more, value), (_, other) = several
        points.append(75 if more == 3 else 2 * 2 * (value + other))
    values = set(counts)
    if values in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}):
        points.append(50)
    if any({low, low + 1, low + 2, low + 3} <= values for low in (1, 2, 3)):
        points.append(25)
    return max(points)


@dataclass
class Rack:
    """Cells and gates, both by (row, column) from 1; a gate belongs to the cell above it."""

    cells: dict[tuple[int, int], int] = field(default_factory=dict)
    open: set[tuple[int, int]] = field(default_factory=set)
    settled: set[int] = field(default_factory=set)

    def at(self, row: int, column: int) -> int:
        """The die in a cell, 0 for none."""
        return self.cells.get((row, column), 0)

    def row(self, row: int) -> list[int]:
        """A row from left to right."""
        return [self.at(row, column) for column in range(1, SIZE + 1)]

    def column(self, column: int) -> list[int]:
        """A column from top to bottom."""
        return [self.at(row, column) for row in range(1, SIZE + 1)]

    def toggle(self, row: int, column: int) -> bool:
        """Open or close a gate; True if it is open now. Dice above an opened gate fall."""
        self.open ^= {(row, column)}
        for above in range(SIZE - 1, 0, -1):
            die = self.cells.pop((above, column), 0)
            if die:
                self.cells[self.rest(above, column), column] = die
        return (row, column) in self.open

    def rest(self, row: int, column: int) -> int:
        """Where a die in this cell comes to rest."""
        while row < SIZE and (row, column) in self.open and not self.at(row + 1, column):
            row += 1
        return row

    def drop(self, die: int, column: int) -> int:
        """Drop a die; the row where it comes to rest, 0 if it falls out of the rack."""
        if self.at(1, column):
            return 0
        row = self.rest(1, column)
        self.cells[row, column] = die
        return row

    def settle(self, column: int) -> int:
        """The die that falls to the Red Row if the column settles now, else 0."""
        dice = self.column(column)
        if column in self.settled or not all(dice):
            return 0
        self.settled.add(column)
        for row in range(2, SIZE + 1):
            self.cells[row, column] = dice[row - 2]
        del self.cells[1, column]
        return dice[-1]


class DiceRack:
    """A game of Dice Rack: rounds until one misses its goal or the player has had enough."""

    game: ClassVar[str] = "DICERACK"
    version: ClassVar[str] = "1.0"

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.log: list[Event] = []
        self.rnd = Rnd(setup.seed)
        self.said: Counter[Say] = Counter()
        self.rack = Rack()
        self.goal = 0
        self.total = 0

    def write(self, kind: str, *args: object) -> None:
        """Log an event."""
        self.log.append(Event.of(kind, *args))

    def say(self, kind: Say) -> None:
        """The Dealer's next remark of a kind."""
        self.write("SAY", int(kind), self.said[kind] % REMARKS[kind] + 1)
        self.said[kind] += 1

    def play(self) -> Flow:
        """The game from its first event to its last."""
        self.say(Say.WELCOME)
        number = 1
        while (yield from self.round(number)):
            number += 1

    def round(self, number: int) -> Generator[Ask, int, bool]:
        """A round; True if another one is wanted."""
        padding = self.rnd.below(PADDING)
        dice = [self.rnd.below(6) + 1 for _ in range(DICE)]
        self.rack = Rack()
        self.goal = GOAL + padding
        self.write("ROUND", number, padding, self.goal)
        self.say(Say.GOAL)
        column = FIRST_COLUMN
        for index, die in enumerate(dice, 1):
            self.write("DIE", index, die, dice[index] if index < DICE else 0)
            column = yield from self.steer(column)
            self.drop(die, column)
            if index == FEW_LEFT:
                self.say(Say.FEW_LEFT)
        return (yield from self.tally())

    def steer(self, column: int) -> Generator[Ask, int, int]:
        """The player's keys for one die: a shift, then a gate. The column to drop into."""
        first = (
            ENTER,
            SPACE,
            *LEFT_KEYS,
            *RIGHT_KEYS,
            *(key for key in GATES if chr(key) not in "SD"),
        )
        key = yield from self.key(first, cautious=ENTER)
        if key in LEFT_KEYS:
            column = (column - 2) % SIZE + 1
            self.write("SHIFT", "L", column)
        elif key in RIGHT_KEYS:
            column = column % SIZE + 1
            self.write("SHIFT", "R", column)
        elif key == ENTER:
            self.write("STAY")
        else:
            self.gate(key)
            return column
        self.gate((yield from self.key((ENTER, SPACE, *GATES), cautious=SPACE)))
        return column

    def key(self, keys: tuple[int, ...], cautious: int | None = None) -> Generator[Ask, int, int]:
        """A key that is allowed; others are refused."""
        while (key := (yield Ask(0, keys, cautious))) not in keys:
            self.write("REFUSED", key)
        return key

    def gate(self, key: int) -> None:
        """Toggle a gate, if the key is a gate's letter."""
        if key in GATES:
            opened = self.rack.toggle(*GATES[key])
            self.write("GATE", chr(key), int(opened))
            self.say(Say.OPENED if opened else Say.CLOSED)

    def drop(self, die: int, column: int) -> None:
        """The die falls: into the rack or out of it; a full column settles; the Dealer remarks."""
        row = self.rack.drop(die, column)
        self.write("DROP", column, row)
        if not row:
            self.goal += 3 * die
            self.write("OUT", die, self.goal)
        red = self.rack.settle(column)
        if red:
            self.goal += 2 * red
            self.write("RED", column, red, self.goal)
        self.write("RACK", ["".join(map(str, self.rack.row(n))) for n in range(1, SIZE + 1)])
        self.say(self.remark(die, row, column, settled=bool(red)))

    def remark(self, die: int, row: int, column: int, settled: bool) -> Say:
        """What there is to say about a drop."""
        if not row:
            return Say.OUT
        if settled:
            return Say.SETTLED
        if self.rack.at(row + 1, column) == die:
            return Say.GOOD
        if self.rack.row(row).count(die) > 1:
            return Say.BAD
        return Say.OTHER

    def tally(self) -> Generator[Ask, int, bool]:
        """Columns less rows against the goal; True if the player wants another round."""
        result = 0
        for number in range(1, SIZE + 1):
            points = hand(self.rack.column(number))
            result += points
            self.write("COLUMN", number, points)
        for number in range(1, SIZE + 1):
            points = hand(self.rack.row(number))
            result -= points
            self.write("ROW", number, points)
        self.write("RESULT", result, self.goal)
        if result < self.goal:
            self.write("MISSED", self.total)
            self.say(Say.MISSED)
            return False
        self.total += result
        self.write("SCORE", self.total)
        self.say(Say.REACHED)
        another = (yield from self.key((ord("Y"), ord("N")), cautious=ord("Y"))) == ord("Y")
        self.write("ANOTHER", int(another))
        return another

    @classmethod
    def setup_of(cls, seed: int, events: Sequence[Event]) -> Setup:
        """The setup that a log tells: there is nothing but the seed."""
        return Setup(seed, ())

    @classmethod
    def key_of(cls, event: Event) -> int | None:
        """The key that a player pressed when this event follows a question; None: no key.

        Two keys do the same in places; the one given is allowed wherever the event can stand.
        """
        match event.kind, event.args:
            case ("REFUSED", (code,)) if code.isdigit():
                return int(code)
            case ("SHIFT", ("L", _)):
                return LEFT
            case ("SHIFT", ("R", _)):
                return RIGHT
            case ("STAY", ()):
                return ENTER
            case ("GATE", (letter, _)) if len(letter) == 1:
                return ord(letter)
            case ("DROP", _):
                return SPACE
            case ("ANOTHER", (answer,)):
                return ord("Y") if answer == "1" else ord("N")
        return None
