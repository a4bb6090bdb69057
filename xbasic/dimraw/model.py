"""Dimraw: a mill game for two; men are placed and then moved on the points of three squares.

Points 0–19 are numbered from bottom to top, each row from left to right. Where the rules leave a
question open, the answer here is as follows.

Captures
- A man placed so that it completes one of the 20 mills, straight or bent, takes one enemy man.
- A man moved from F to T takes one man (A) if it completes a mill at T, or (B) if a neighbour G of
  F, straight up, down, left or right, holds an own man of a complete straight mill; G may be T. The
  option CAPTURE says which of these rules hold: 4 (both), B, A, or NONE.
- An action never takes more than one man, and must take it; men in mills are not protected. Each G
  of rule B scores a point, which is shown but decides nothing.

The end
- A player with two men or fewer, including those in hand, has lost.
- On a full board nobody can place or move. Option FULL BOARD: with OPEN the player whose turn it is
  takes an enemy man off, then the other does, then the first goes on; with DRAW they pass.
- A player without a legal action passes; two passes in a row are a draw. That requires a full
  board, since beside an empty point there is a man of one side or the other.
- 100 moves and passes in a row without a capture are a draw; placing a man neither counts nor
  interrupts the row.
- A player may resign at any question.

Keys
- Letters A–T are the points. Arrows move a cursor, and ENTER chooses its point, logged as the
  letter; a cursor that has nowhere to go stays. When a man is to be taken off, the arrows go
  through the enemy men in a circle.
- A man to be moved is chosen first, then its target; choosing the man again drops it.

Randomness: none, except the computer players' own generator, Q = 106·Q + 1283 modulo 6075, which
starts with the seed. It steps once for each of their choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from typing import ClassVar, TypeVar

from ti99tools.games.models.model import ENTER, Ask, Flow, Model, Player, Setup
from ti99tools.games.models.playlog import Event

POINTS = range(20)
PLACES = (
    (0, 0),
    (3, 0),
    (6, 0),
    (1, 1),
    (3, 1),
    (5, 1),
    (2, 2),
    (4, 2),
    (0, 3),
    (1, 3),
    (5, 3),
    (6, 3),
    (2, 4),
    (4, 4),
    (1, 5),
    (3, 5),
    (5, 5),
    (0, 6),
    (3, 6),
    (6, 6),
)
"""x and y of the points, y upwards."""
NEIGHBOURS = (
    (1, 3, 8),
    (0, 2, 4),
    (1, 5, 11),
    (0, 4, 6, 9),
    (1, 3, 5),
    (2, 4, 7, 10),
    (3, 7, 12),
    (5, 6, 13),
    (0, 9, 17),
    (3, 8, 14),
    (5, 11, 16),
    (2, 10, 19),
    (6, 13, 14),
    (7, 12, 16),
    (9, 12, 15, 17),
    (14, 16, 18),
    (10, 13, 15, 19),
    (8, 14, 18),
    (15, 17, 19),
    (11, 16, 18),
)
STRAIGHT = (
    (0, 1, 2),
    (17, 18, 19),
    (0, 8, 17),
    (2, 11, 19),
    (3, 4, 5),
    (14, 15, 16),
    (3, 9, 14),
    (5, 10, 16),
    (0, 3, 6),
    (2, 5, 7),
    (17, 14, 12),
    (19, 16, 13),
)
BENT = (
    (1, 4, 6),
    (1, 4, 7),
    (7, 10, 11),
    (13, 10, 11),
    (18, 15, 13),
    (12, 15, 18),
    (8, 9, 12),
    (8, 9, 6),
)
MILLS = STRAIGHT + BENT

MEN = {"12/16": (12, 16), "10/12": (10, 12)}
BY_ARRIVING, BY_LEAVING = ("4", "A"), ("4", "B")
"""Values of CAPTURE under which rule A holds, and rule B."""
CAPTURES = ("4", "B", "A", "NONE")
FULL = ("OPEN", "DRAW")
DEFAULTS = {"men": "12/16", "capture": CAPTURES[0], "full": FULL[0]}
LEAST = 3
"""A player with fewer men has lost."""
QUIET_END, QUIET_TOLD = 100, 10

LETTER = ord("A")
LEFT, RIGHT, DOWN, UP, BACK = 8, 9, 10, 11, 15
ARROWS = {LEFT: (-1, 0), RIGHT: (1, 0), DOWN: (0, -1), UP: (0, 1)}
YES, NO = ord("Y"), ord("N")
HUMAN, EASY, HARD = "H", "E", "C"
KINDS = (HUMAN, EASY, HARD)
RESIGNING = len(POINTS)
"""The choice in the certificate for resigning; the others are points."""

Action = tuple[int | None, int]
"""The point that a man comes from (None: the hand), and the one it goes to."""
Choice = TypeVar("Choice", Action, int)

ARRIVE = {(2, 0): 100, (0, 2): 40, (1, 0): 6, (0, 1): 3, (0, 0): 1}
LEAVE = {(1, 2): 40, (3, 0): 12, (2, 0): 6, (1, 0): 1}
TAKE = {(2, 1): 35, (0, 2): 30, (0, 3): 22, (1, 2): 8, (0, 1): 3, (1, 1): 2}
TAKE_EARLY = TAKE | {(2, 1): 20, (0, 3): -20}
"""What a mill is worth to HARD by the numbers of its own and enemy men in it before the action:
ARRIVE for an own man that enters it, LEAVE (to be subtracted) for one that leaves it, TAKE for an
enemy man taken out of it; TAKE_EARLY while the enemy has men in hand, with which a broken mill
could be completed again."""
CAPTURE = 100


def straight_on(point: int, other: int) -> bool:
    """Tell whether two points lie in the same row or column."""
    (x, y), (u, v) = PLACES[point], PLACES[other]
    return x == u or y == v


def ahead(point: int, arrow: int) -> int:
    """Where an arrow moves the cursor: to the nearest point that way; sideways counts thrice."""
    across, up = ARROWS[arrow]
    (x, y), best = PLACES[point], []
    for other in POINTS:
        dx, dy = PLACES[other][0] - x, PLACES[other][1] - y
        along, aside = dx * across + dy * up, abs(dx * up) + abs(dy * across)
        if along > 0:
            best.append((along + 3 * aside, along**2 + aside**2, other))
    return min(best)[2] if best else point


class Board:
    """The side (1 or 2) whose man is on each point; 0: none."""

    def __init__(self, men: Sequence[int] = (0,) * len(POINTS)) -> None:
        self.men = list(men)

    def of(self, side: int) -> list[int]:
        """The points with a side's men; with side 0, the empty points."""
        return [point for point in POINTS if self.men[point] == side]

    def moves(self, side: int) -> list[Action]:
        """All moves of a side."""
        return [(man, to) for man in self.of(side) for to in NEIGHBOURS[man] if not self.men[to]]

    def after(self, side: int, action: Action) -> Board:
        """The board after an action, before anything is taken."""
        start, to = action
        board = Board(self.men)
        if start is not None:
            board.men[start] = 0
        board.men[to] = side
        return board

    def holds(self, side: int, mill: Sequence[int]) -> bool:
        """Tell whether a side has completed a mill."""
        return all(self.men[point] == side for point in mill)

    def captures(self, side: int, action: Action) -> tuple[int, int]:
        """The number of mills that an action completes at its target, and of points G of rule B."""
        start, to = action
        board = self.after(side, action)
        arrived = sum(to in mill and board.holds(side, mill) for mill in MILLS)
        beside = [] if start is None else [g for g in NEIGHBOURS[start] if straight_on(start, g)]
        stepped = sum(
            any(g in mill and board.holds(side, mill) for mill in STRAIGHT) for g in beside
        )
        return arrived, stepped

    def worth(self, side: int, point: int, table: Mapping[tuple[int, int], int]) -> int:
        """The sum of a table over the mills of a point."""
        total = 0
        for mill in MILLS:
            if point in mill:
                men = Counter(self.men[p] for p in mill)
                total += table.get((men[side], men[3 - side]), 0)
        return total


class Resigned(Exception):
    """A player has given up."""


class Dimraw(Model):
    """A match of Dimraw."""

    game: ClassVar[str] = "DIMRAW"
    version: ClassVar[str] = "1.0"
    letter: ClassVar[str] = "M"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        if len(setup.players) != 2:
            raise ValueError("Dimraw is for two players")
        options = {**DEFAULTS, **setup.options}
        self.rule, self.full, self.men = options["capture"], options["full"], MEN[options["men"]]
        self.hand = {1: self.men[0], 2: self.men[1]}
        self.board = Board()
        self.score = {1: 0, 2: 0}
        self.quiet = self.passes = self.moves = 0
        self.winner = 0
        """The side that has won; 0 during the match, and after a draw."""
        self.cursor = 0
        self.chosen: int | None = None
        self.generator = setup.seed % 6075

    def winner_seat(self) -> int | None:
        """The player who has won; None after a draw."""
        return self.winner - 1 if self.winner else None

    def final_score(self) -> int:
        """For the certificate: 10000 times the side that has won, plus the number of the move."""
        return 10000 * self.winner + self.moves

    def play(self) -> Flow:
        """The match from its first event to its last."""
        self.choose(self.setting())
        self.say("OPTIONS", self.men, self.rule, self.full)
        for number, player in enumerate(self.setup.players, 1):
            self.say("PLAYER", number, player.kind, player.name)
        side = 1
        try:
            while (yield from self.turn(side)):
                side = 3 - side
        except Resigned as loser:
            self.win(3 - loser.args[0], "RESIGNED")

    def setting(self) -> int:
        """The players and options as a number, the first choice in the certificate."""
        white, red = (KINDS.index(player.kind) for player in self.setup.players)
        men, rule = [*MEN.values()].index(self.men), CAPTURES.index(self.rule)
        return white + 3 * red + 10 * men + 20 * rule + 100 * FULL.index(self.full)

    def win(self, side: int, how: str) -> None:
        """End the match: this side has won."""
        self.winner = side
        self.say("WIN", side, how)

    def turn(self, side: int) -> Generator[Ask, int, bool]:
        """One player's turn; True when the match goes on."""
        self.moves += side == 1
        self.say("TURN", side, self.hand[side], len(self.board.of(side)))
        if self.full == "OPEN" and not self.board.of(0):
            yield from self.take("OPEN", side)
            yield from self.take("OPEN", 3 - side)
        actions = self.actions(side)
        if actions:
            self.passes = 0
            yield from self.act(side, actions)
        else:
            self.passes += 1
            self.quiet += 1
            self.say("PASS")
        return not self.over(side)

    def over(self, side: int) -> bool:
        """Tell whether the match is over after a turn of `side`; logs how it ended."""
        other = 3 - side
        if self.quiet and self.quiet % QUIET_TOLD == 0 and self.log[-1].kind in ("MOVE", "PASS"):
            self.say("QUIET", self.quiet)
        if self.hand[other] + len(self.board.of(other)) < LEAST:
            self.win(side, "MEN")
        elif self.passes == 2:
            self.say("DRAW", "FULL")
        elif self.quiet == QUIET_END:
            self.say("DRAW", "QUIET")
        else:
            return False
        return True

    def actions(self, side: int) -> list[Action]:
        """All legal actions."""
        if self.hand[side]:
            return [(None, point) for point in self.board.of(0)]
        return self.board.moves(side)

    def act(self, side: int, actions: list[Action]) -> Flow:
        """Place or move a man, and take an enemy man if that captures."""
        kind = self.setup.players[side - 1].kind
        if kind == HUMAN:
            start, to = yield from self.human(side, actions)
        elif kind == HARD:
            start, to = self.best(side, actions)
        else:
            start, to = self.pick([a for a in actions if any(self.captured(side, a))] or actions)
        arrived = self.board.captures(side, (start, to))[0]
        by_a, by_b = self.captured(side, (start, to))
        self.board = self.board.after(side, (start, to))
        self.cursor = to
        if start is None:
            self.hand[side] -= 1
            self.say("PLACE", to)
        else:
            self.quiet += 1
            self.say("MOVE", start, to)
        if (by_a or by_b) and self.board.of(3 - side):
            self.score[side] += by_b
            self.say("MILL", arrived, by_a, by_b)
            yield from self.take("TAKE", side)

    def captured(self, side: int, action: Action) -> tuple[int, int]:
        """Under the option CAPTURE: 1 if an action captures by rule A, and its points of rule B."""
        arrived, stepped = self.board.captures(side, action)
        by_a = action[0] is None or self.rule in BY_ARRIVING
        return int(arrived > 0 and by_a), stepped if self.rule in BY_LEAVING else 0

    def take(self, event: str, side: int) -> Flow:
        """A side takes one enemy man off the board."""
        men = self.board.of(3 - side)
        kind = self.setup.players[side - 1].kind
        if kind == HUMAN:
            self.cursor = men[0]
            man = yield from self.point(side, men, men)
        elif kind == HARD:
            table = TAKE_EARLY if self.hand[3 - side] else TAKE
            values = {man: self.board.worth(side, man, table) for man in men}
            man = self.pick([man for man in men if values[man] == max(values.values())])
        else:
            man = self.pick(men)
        self.board.men[man] = 0
        self.cursor = man
        self.quiet = 0
        self.say(event, man)

    def human(self, side: int, actions: list[Action]) -> Generator[Ask, int, Action]:
        """Ask a human for an action: a point to place on, or a man and its target."""
        if actions[0][0] is None:
            return None, (yield from self.point(side, [to for _, to in actions]))
        while True:
            man = yield from self.point(side, {start for start, _ in actions if start is not None})
            self.say("FROM", man)
            self.chosen = man
            to = yield from self.point(side, [to for start, to in actions if start == man] + [man])
            self.chosen = None
            if to != man:
                return man, to
            self.say("FROM", "-")

    def point(
        self, side: int, allowed: Collection[int], round_: Sequence[int] = ()
    ) -> Generator[Ask, int, int]:
        """Ask for one of the allowed points, by letter or cursor; arrows go through `round_`."""
        while True:
            key = yield self.question(side, allowed)
            if key == BACK:
                yield from self.resign(side)
            elif key in ARROWS and round_:
                step = 1 if key in (RIGHT, UP) else -1
                self.cursor = round_[(round_.index(self.cursor) + step) % len(round_)]
            elif key in ARROWS:
                self.cursor = ahead(self.cursor, key)
            else:
                point = self.cursor if key == ENTER else key - LETTER
                if point in allowed:
                    self.cursor = point
                    self.choose(point)
                    return point
                self.say("REFUSED", point + LETTER)

    def question(self, side: int, allowed: Collection[int]) -> Ask:
        """The question for a point. BACK counts as tempting, so that policies seldom press it."""
        letters = tuple(point + LETTER for point in allowed)
        others = tuple(point + LETTER for point in POINTS if point not in allowed)
        enter = (ENTER,)
        if self.cursor in allowed:
            return Ask(side - 1, (*letters, *ARROWS, *enter), tempting=(*others, BACK))
        return Ask(side - 1, (*letters, *ARROWS), tempting=(*others, *enter, BACK))

    def resign(self, side: int) -> Flow:
        """Ask whether the player gives up."""
        self.say("BACK")
        while (key := (yield Ask(side - 1, (YES, NO), safe=NO))) != NO:
            if key == YES:
                self.choose(RESIGNING)
                self.say("RESIGN")
                raise Resigned(side)
            self.say("REFUSED", key)
        self.say("STAY")

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of equal choices, by the computer players' own generator."""
        self.generator = (106 * self.generator + 1283) % 6075
        return choices[self.generator * len(choices) // 6075]

    def best(self, side: int, actions: list[Action]) -> Action:
        """The action that HARD values most."""
        values = {action: self.value(side, action) for action in actions}
        return self.pick([a for a in actions if values[a] == max(values.values())])

    def value(self, side: int, action: Action) -> int:
        """What an action is worth to HARD."""
        start, to = action
        if start is None:
            return self.board.worth(side, to, ARRIVE)
        without = Board([0 if point == start else man for point, man in enumerate(self.board.men)])
        value = without.worth(side, to, ARRIVE) - self.board.worth(side, start, LEAVE)
        if value < CAPTURE and self.captured(side, action)[1]:
            value += CAPTURE
        return value

    @classmethod
    def setup_of(cls, seed: int, events: Sequence[Event]) -> Setup:
        """The setup that a log records. Raises ValueError when it records none."""
        head = [(event.kind, *event.args) for event in events[:3]]
        match head:
            case [("OPTIONS", one, two, capture, full), ("PLAYER", "1", *a), ("PLAYER", "2", *b)]:
                men = {f"{m}": name for name, m in MEN.items()}.get(f"({one}, {two})")
                ok = men and capture in CAPTURES and full in FULL
                if ok and all(len(who) == 2 and who[0] in KINDS for who in (a, b)):
                    options = {"men": str(men), "capture": capture, "full": full}
                    return Setup(seed, (Player(*a), Player(*b)), options)
        raise ValueError("the log does not tell options and players")

    def keys_of(self, event: Event) -> Sequence[int]:
        """The key of an event, see `Model`; a man is dropped by pressing its letter again."""
        match event.kind, event.args:
            case ("PLACE" | "TAKE" | "OPEN" | "FROM", (point,)) if point.isdecimal():
                return (LETTER + int(point),)
            case ("MOVE", (_, point)) if point.isdecimal():
                return (LETTER + int(point),)
            case ("FROM", ("-",)) if self.chosen is not None:
                return (LETTER + self.chosen,)
            case ("BACK", ()):
                return (BACK,)
            case ("RESIGN" | "STAY", ()):
                return (YES if event.kind == "RESIGN" else NO,)
        return super().keys_of(event)
