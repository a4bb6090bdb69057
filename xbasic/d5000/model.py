"""D5000: five dice, the first past 5000 wins. 1–6 players, each human or one of four computers.

Where the rules leave a question open, the answer here is as follows.

Scoring
- Only the dice of one roll count together; dice of different rolls are never combined.
- Four of a kind is a triple and a single fourth die: 1s 1100, 5s 550, 2s 200.
- A straight or five of a kind needs a roll of all five dice: the first of a turn, or one after all
  five were set aside. Five of a kind wins at once, even for a player who is not on the board.

A turn
- All scoring dice of a roll are set aside; a player may pick some of them up to roll them again. At
  least 50 points of the roll must stay set aside. The dice left are scored anew as a set; one that
  no longer scores (of a broken triple) is rolled again too.
- Dice set aside in earlier rolls of the turn stay set aside.
- S banks the whole roll, whatever was picked up: picking up matters only for rolling again.
- A player who has never banked cannot bank a turn of less than 500 points.

The end
- "Over 5000" is 5001 or more. The first player who banks so much holds the best total. Each other
  player, in seat order after that one, has one more turn to beat the best total. A tie does not
  beat it. Whoever beats it is the new holder, but there is no further last round. Passing 5000 does
  not force anybody to stop.

Randomness: a die is INT(RND*6)+1, drawn in order of position for the dice that roll; nothing else
is drawn. RND can be so near to 1 that the console makes it a 7; a 7 scores nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from ti99tools.games.models.model import ENTER, Ask, Flow, Model, Player, Setup
from ti99tools.games.models.playlog import Event

DICE = range(5)
GOAL = 5000
ON_BOARD = 500
LEAST_KEPT = 50
STOP = ord("S")
PICKS = {ord("1") + die: die for die in DICE}
COMMENTS = 24
BEST = {1: 200, 2: 200, 3: 400, 4: 950, 5: 3400}
"""Dice to roll next → points from which stopping is better, by the exact expectation of a turn."""
ENOUGH = {
    "T": dict.fromkeys(range(1, 6), 500),
    "A": dict.fromkeys(range(1, 6), 250),
    "G": BEST,
    "I": BEST,
    "C": BEST,
}
"""Computer player (TEX, ADA, GUS, IDA) → dice to roll next → points at which it stops, once it is
on the board. C is the only computer player in logs of older versions; it plays as IDA does."""
KINDS = ("H", *ENOUGH)
THRIFTY = "TIC"
"""Computer players that keep as few dice as possible of a roll of four or five."""


@dataclass(frozen=True)
class Score:
    """The score of a set of dice: points, the dice (0–4) that score, the dice of a triple.

    `five`: five of a kind, which wins instead of scoring.
    """

    points: int
    dice: frozenset[int]
    triple: frozenset[int] = frozenset()
    five: bool = False


def score(values: dict[int, int]) -> Score:
    """Score a set of dice, given as die → value.

    >>> score({0: 1, 1: 1, 2: 1, 3: 1, 4: 5}).points
    1150
    """
    return _scored(tuple(values.items()))


@cache
def _scored(dice_values: tuple[tuple[int, int], ...]) -> Score:
    values = dict(dice_values)
    counts = {v: [die for die in values if values[die] == v] for v in range(1, 7)}
    if any(len(same) == 5 for same in counts.values()):
        return Score(0, frozenset(values), five=True)
    if sorted(values.values()) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]):
        return Score(1500, frozenset(values))
    points = 0
    dice: set[int] = set()
    triple: set[int] = set()
    for value, same in counts.items():
        single = {1: 100, 5: 50}.get(value, 0)
        if len(same) >= 3:
            points += 1000 if value == 1 else 100 * value
            triple = set(sorted(same)[:3])
            dice |= triple
            same = [die for die in same if die not in triple]
        if single:
            points += single * len(same)
            dice |= set(same)
    return Score(points, frozenset(dice), frozenset(triple))


@dataclass
class Turn:
    """A player's turn: points and dice set aside in earlier rolls, and the roll on the table.

    `wanted` are the dice of the roll that were not picked up.
    """

    player: int
    points: int = 0
    aside: set[int] = field(default_factory=set)
    roll: dict[int, int] = field(default_factory=dict)
    wanted: set[int] = field(default_factory=set)

    @property
    def whole(self) -> Score:
        """The score of the whole roll, picked up or not."""
        return score(self.roll)

    @property
    def kept(self) -> Score:
        """The score of what stays set aside of this roll."""
        return score({die: self.roll[die] for die in self.wanted})

    @property
    def bank(self) -> int:
        """The points that S would bank."""
        return self.points + self.whole.points

    def changed(self, die: int) -> bool:
        """Pick a die up, or set it aside again; if that is refused, do nothing and return False."""
        if die not in self.roll or (die in self.wanted and die not in self.kept.dice):
            return False
        self.wanted ^= {die}
        if self.kept.points < LEAST_KEPT:
            self.wanted ^= {die}
            return False
        return True


class D5000(Model):
    """A match of D5000."""

    game: ClassVar[str] = "D5000"
    version: ClassVar[str] = "1.1"
    earlier: ClassVar[tuple[str, ...]] = ("1.0",)
    letter: ClassVar[str] = "D"
    may_leave: ClassVar[bool] = True

    def __init__(self, setup: Setup) -> None:
        if not 1 <= len(setup.players) <= 6:
            raise ValueError("D5000 is for 1 to 6 players")
        super().__init__(setup)
        self.totals = [0] * len(setup.players)
        self.boarded = [False] * len(setup.players)
        self.best: int | None = None
        self.rounds = 0
        self.busts = 0
        self.over = False
        self.won = 0
        self.winner: int | None = None

    def final_score(self) -> int:
        """The winner's banked total."""
        return self.won

    def winner_seat(self) -> int | None:
        """The player who has won; a certificate of D5000 tells only the total."""
        return self.winner

    def play(self) -> Flow:
        """The match from its first event to its last."""
        players = self.setup.players
        self.say("PLAYERS", len(players))
        for seat, player in enumerate(players):
            self.say("PLAYER", seat + 1, player.kind, player.name)
        seat = -1
        while self.best is None and not self.over:
            seat = (seat + 1) % len(players)
            yield from self.turn(seat)
            if self.totals[seat] > GOAL and not self.over:
                self.best = self.totals[seat]
                self.say("LASTROUND", seat + 1, self.best)
        if self.best is not None:
            yield from self.last_round(seat, self.best)

    def last_round(self, holder: int, best: int) -> Flow:
        """One more turn for each other player, to beat the best total."""
        players = len(self.totals)
        for seat in [(holder + step) % players for step in range(1, players)]:
            yield from self.turn(seat)
            if self.over:
                return
            if self.totals[seat] > best:
                holder, best = seat, self.totals[seat]
                self.best = best
        self.win(holder)

    def win(self, seat: int) -> None:
        """End the match: this player has won."""
        self.won = self.totals[seat]
        self.winner = seat
        self.say("WIN", seat + 1, self.won, self.rounds)

    def turn(self, seat: int) -> Flow:
        """One player's turn, from the first roll to a bust, S, or five of a kind."""
        if seat == 0:
            self.rounds += 1
        self.say("TURN", seat + 1, self.totals[seat])
        if self.best is not None:
            self.say("BEAT", self.best)
        human = self.setup.players[seat].kind == "H"
        if human:
            yield from self.first_key(seat)
        turn = Turn(seat)
        rolling = True
        while rolling:
            self.roll(turn)
            if turn.whole.five and len(turn.roll) == 5:
                self.say("FIVE", turn.roll[0])
                self.win(seat)
                self.over = True
                return
            if not turn.whole.points:
                self.bust(turn)
                return
            self.say("SCORE", turn.whole.points, turn.bank)
            self.keep(turn)
            if human:
                rolling = yield from self.human(turn)
            else:
                rolling = self.computer(turn)

    def first_key(self, seat: int) -> Flow:
        """A human begins a turn with ENTER."""
        while (key := (yield Ask(seat, (ENTER,)))) != ENTER:
            self.say("REFUSED", key)

    def roll(self, turn: Turn) -> None:
        """Roll the dice that are not set aside, all five if all five are."""
        if len(turn.aside) == 5:
            turn.aside = set()
        turn.roll = {die: self.rnd.below(6) + 1 for die in DICE if die not in turn.aside}
        turn.wanted = set(turn.roll)
        self.say("ROLL", [turn.roll.get(die, 0) for die in DICE])

    def bust(self, turn: Turn) -> None:
        """No die scores: the turn's points are lost, and a comment consoles the player."""
        self.busts += 1
        self.say("BUST", turn.points, (self.busts - 1) % COMMENTS + 1)

    def keep(self, turn: Turn) -> None:
        """Log each die: 1 set aside from this roll, 2 from earlier rolls, 0 to be rolled."""
        kept = turn.kept
        flags = [2 if die in turn.aside else int(die in kept.dice) for die in DICE]
        self.say("KEEP", kept.points, flags)

    def human(self, turn: Turn) -> Generator[Ask, int, bool]:
        """A human's keys until S or ENTER; True when the player rolls again."""
        while True:
            keys = self.allowed(turn)
            safe = STOP if STOP in keys else None
            tempting = tuple(key for key in (STOP, *PICKS) if key not in keys)
            key = yield Ask(turn.player, keys, safe, ENTER, tempting)
            die = PICKS.get(key)
            if key == ENTER:
                self.choose(turn.kept.points + len(turn.roll))
                self.again(turn)
                return True
            if key == STOP and self.may_bank(turn):
                self.choose(0)
                self.bank(turn)
                return False
            if die is not None and turn.changed(die):
                self.picked(turn, die)
            else:
                self.say("REFUSED", key)
                if key == STOP:
                    self.say("NEED", ON_BOARD - turn.bank)

    def allowed(self, turn: Turn) -> tuple[int, ...]:
        """The keys that are not refused now."""
        keys = [ENTER]
        if self.may_bank(turn):
            keys.append(STOP)
        for key, die in PICKS.items():
            before = set(turn.wanted)
            if turn.changed(die):
                keys.append(key)
            turn.wanted = before
        return tuple(keys)

    def may_bank(self, turn: Turn) -> bool:
        """Tell whether the player is on the board, or has enough to get there."""
        return self.boarded[turn.player] or turn.bank >= ON_BOARD

    def picked(self, turn: Turn, die: int) -> None:
        """Log that a die was picked up or set aside again."""
        self.say("PICK", die + 1)
        self.keep(turn)

    def again(self, turn: Turn) -> None:
        """Roll again: the dice set aside stay, the others roll; if all five are set aside, all."""
        kept = turn.kept
        turn.points += kept.points
        turn.aside |= kept.dice
        self.say("AGAIN", turn.points, 5 - len(turn.aside) or 5)

    def bank(self, turn: Turn) -> None:
        """Bank the whole roll and the points set aside before it."""
        self.totals[turn.player] += turn.bank
        self.boarded[turn.player] = True
        self.say("BANK", turn.bank, self.totals[turn.player])

    def computer(self, turn: Turn) -> bool:
        """A computer player's choice; True when it rolls again."""
        left = 5 - len(turn.aside) - len(turn.whole.dice) or 5
        if self.may_bank(turn) and self.stops(turn, left):
            self.bank(turn)
            return False
        kind = self.setup.players[turn.player].kind
        if kind in THRIFTY and left < 5 and len(turn.roll) >= 4:
            whole = turn.whole
            for die in sorted(whole.dice - self.favourites(turn.roll, whole)):
                turn.changed(die)
                self.picked(turn, die)
        self.again(turn)
        return True

    def stops(self, turn: Turn, left: int) -> bool:
        """Tell whether a computer player banks when it may."""
        total = self.totals[turn.player] + turn.bank
        if self.best is not None:
            return total > self.best
        if total > GOAL or not self.boarded[turn.player]:
            return True
        return turn.bank >= ENOUGH[self.setup.players[turn.player].kind][left]

    @staticmethod
    def favourites(roll: dict[int, int], whole: Score) -> frozenset[int]:
        """The dice that a thrifty computer keeps: the triple, else one 1, else one 5."""
        if whole.triple:
            return whole.triple
        return frozenset([min(whole.dice, key=lambda die: (roll[die] != 1, die))])

    @classmethod
    def setup_of(cls, seed: int, events: Sequence[Event]) -> Setup:
        """The setup that a log records. Raises ValueError when it records none."""
        if not events or events[0].kind != "PLAYERS" or not "".join(events[0].args).isdigit():
            raise ValueError("the log does not tell the number of players")
        players = int(events[0].args[0])
        lines = events[1 : 1 + players]
        if len(lines) < players or not all(
            e.kind == "PLAYER" and len(e.args) == 3 and e.args[1] in KINDS for e in lines
        ):
            raise ValueError("the log does not tell who plays")
        return Setup(seed, tuple(Player(e.args[1], e.args[2]) for e in lines))

    def keys_of(self, event: Event) -> Sequence[int]:
        """The key that a player pressed if this event answers a question."""
        match event.kind, event.args:
            case ("PICK", (position,)) if position.isdecimal():
                return (ord("0") + int(position),)
            case ("AGAIN" | "ROLL", _):
                return (ENTER,)
            case ("BANK", _):
                return (STOP,)
        return super().keys_of(event)
