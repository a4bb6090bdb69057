"""The common part of all models of games: a match played by keys, its events, random numbers.

The state of the random numbers, X, is a whole number below 10^14. Each draw sets it to
(14389820420821·X + 21132486540519) mod 10^14, and RND is X / 10^14. `RANDOMIZE n` sets the leading
digits of X to those of n, with a zero in front if their number is odd, and the others to 0 (1 gives
01000000000000, 42 gives 42000000000000).

A model is written as one generator, `play`, that reads like the rules: it logs events with `say`
and asks for a key with `yield Ask(…)`. `Match` gives it keys and collects the events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ti99tools.base.errors import BuildError, Place
from ti99tools.base.record import Record
from ti99tools.games.models.certificate import Certificate
from ti99tools.games.models.playlog import Event

MODULUS = 10**14
DIGITS = 14
FACTOR = 14389820420821
STEP = 21132486540519


class Rnd:
    """The generator after `RANDOMIZE seed`; the seed is a whole number from 0 to 99999999999999."""

    def __init__(self, seed: int) -> None:
        # The console keeps a number as pairs of digits, so an odd length gets a zero.
        digits = str(seed)
        if len(digits) % 2:
            digits = "0" + digits
        self.x = int(digits.ljust(DIGITS, "0"))

    def below(self, n: int) -> int:
        """Draw `INT(RND*n)` as the console computes it, for n from 1 to 99.

        The product has 14 digits in pairs. If it is 1 or more, one pair is before the point, so it
        is rounded to twelve digits after the point. So the result is n, one too many, when RND is
        as near to 1 as .99999999999992 (for n = 6). Raises ValueError for what is no such n.
        """
        if not isinstance(n, int) or n < 1:
            raise ValueError(f"below({n!r}); give a whole number from 1 on")
        self.x = (FACTOR * self.x + STEP) % MODULUS
        # Below 1 the product keeps all its digits, and INT gives 0.
        product = n * self.x
        if product < MODULUS:
            return 0
        # Half up at the twelfth place after the point, then INT.
        return (product + 50) // 100 // 10**12


ENTER = 13
BACK = 15
YES, NO = ord("Y"), ord("N")
LEFT = "LEFT"
"""The last event of a match that was left with BACK and Y."""
CODES = frozenset((*range(1, 16), *range(32, 127)))
"""The codes of keys: those with FCTN, ENTER, and characters."""


class Player(Record):
    """A seat: `H` human or `C` computer, and the name shown."""

    kind: str
    name: str


@dataclass(frozen=True)
class Setup:
    """What is decided before a match: the seed, who plays, the game's options."""

    seed: int
    players: tuple[Player, ...]
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ask:
    """The game waits for a key of `player`.

    `keys` are the codes that it accepts now; all others are refused. `safe` is the key of a
    cautious player, who secures the gains so far, `bold` that of one who risks them. `tempting` are
    keys that have a meaning in the game but are refused now. Raises ValueError without `keys`, and
    for what is not the code of a key.
    """

    player: int
    keys: tuple[int, ...]
    safe: int | None = None
    bold: int | None = None
    tempting: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.keys:
            raise ValueError("Ask names no key; give the codes of those that are allowed")
        named = {*self.keys, *self.tempting, self.safe, self.bold} - {None}
        if not named <= CODES:
            key = next(key for key in named if key not in CODES)
            how = f"; write ord({key!r})" if isinstance(key, str) and len(key) == 1 else ""
            raise ValueError(f"Ask names {key!r}, which is not the code of a key{how}")


Flow = Generator[Ask, int, None]


class Model(ABC):
    """A game's rules as a program: events follow from a setup and keys alone.

    A model extends this class, sets `game` and `version` and defines `play`. Of ti99tools its
    module imports only what `verify.loading.ALLOWED` names, so that it cannot share a bug with the
    console.
    """

    game: ClassVar[str]
    """The game's name in the first line of a play log."""
    version: ClassVar[str]
    """The version of the rules in the same line."""
    letter: ClassVar[str] = ""
    """The letter with which certificates of the game begin; empty: it has no certificates."""
    earlier: ClassVar[tuple[str, ...]] = ()
    """Earlier versions whose logs follow the same rules: their certificates stay proven."""
    may_leave: ClassVar[bool] = False
    """Whether BACK can leave a match: Y leaves it, N or BACK continues."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.log: list[Event] = []
        """The events so far, without the log's first two lines and END."""
        self.rnd = Rnd(setup.seed)
        """The console's random numbers after RANDOMIZE with the seed."""
        self.choices: list[int] = []
        """The players' choices so far, whole numbers from 0 to 9999; see `models.certificate`."""

    def say(self, kind: str, *args: object) -> None:
        """Add an event to the play log that the game should write.

        Raises TypeError for a kind that is not a word.
        """
        if not isinstance(kind, str):
            raise TypeError(f"an event begins with a word, not with {kind!r}")
        self.log.append(Event.of(kind, *args))

    def choose(self, choice: int) -> None:
        """Note a player's choice for the certificate, a whole number from 0 to 9999."""
        self.choices.append(choice)

    def final_score(self) -> int:
        """The score in the certificate. Here: 0."""
        return 0

    def winner_seat(self) -> int | None:
        """The index of the player who has won, for the proof of a certificate. Here: None."""
        return None

    def certificate(self) -> Certificate:
        """The certificate of the match, once it is over."""
        return Certificate.of(self.letter, self.setup.seed, self.choices, self.final_score())

    @abstractmethod
    def play(self) -> Flow:
        """The match from its first event to its last."""

    @classmethod
    def setup_of(cls, seed: int, events: Sequence[Event]) -> Setup:
        """The setup that a log records. Raises ValueError when it records none.

        Here: a player for each event `PLAYER seat kind name`; without these, one human.
        """
        seats = [event.args for event in events if event.kind == "PLAYER"]
        if any(len(args) != 3 for args in seats):
            raise ValueError("the log does not tell who plays")
        players = tuple(Player(kind, name) for _, kind, name in seats)
        return Setup(seed, players or (Player("H", "PLAYER"),))

    def keys_of(self, event: Event) -> Sequence[int]:
        """The keys that a player pressed if this event answers a question; empty: none.

        They are pressed until the model logs something. Here: the key of `REFUSED code`.
        """
        match event.kind, event.args:
            case ("REFUSED", (code,)) if code.isdecimal():
                return (int(code),)
            case (kind, ()) if kind == LEFT:
                return (BACK, YES)
        return ()


class Match:
    """A match in progress: `ask` is its open question, None when the match is over."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._flow = _flow_of(model)
        self.ask: Ask | None = self._checked(next(self._flow, None))
        self._before: Ask | None = None
        """The question that was open when a player pressed BACK to leave."""

    @property
    def log(self) -> list[Event]:
        """The events so far."""
        return self.model.log

    def press(self, key: int) -> None:
        """Give the key that the model waits for."""
        if self._before is not None:
            self._answer(key)
        elif key == BACK and self.model.may_leave and self.ask is not None:
            self._before = self.ask
            self.ask = Ask(self.ask.player, (YES, NO, BACK), NO, NO)
        else:
            self._go_on(key)

    def _answer(self, key: int) -> None:
        """Answer the question whether to leave; other keys are no answer."""
        if key == YES:
            self.model.say(LEFT)
            self._flow.close()
            self.ask = self._before = None
        elif key in (NO, BACK):
            self.ask, self._before = self._before, None

    def _go_on(self, key: int) -> None:
        try:
            self.ask = self._checked(self._flow.send(key))
        except StopIteration:
            self.ask = None

    def _checked(self, ask: Ask | None) -> Ask | None:
        """The question, if it is one; otherwise the model fails at the `yield` that gave it."""
        seats = len(self.model.setup.players)
        if ask is not None and not isinstance(ask, Ask):
            self._flow.throw(TypeError(f"it yields {ask!r} instead of an Ask"))
        elif ask is not None and ask.player not in range(seats):
            counted = f"players are counted from 0, and this match has {seats}"
            self._flow.throw(ValueError(f"Ask for player {ask.player!r}; {counted}"))
        return ask


def _flow_of(model: Model) -> Flow:
    """The match of a model. Raises BuildError if its `play` has no `yield`."""
    flow = model.play()
    if isinstance(flow, Generator):
        return flow
    code = type(model).play.__code__
    raise BuildError(
        "play never asks for a key",
        remedy="write `yield Ask(…)` wherever the player presses one",
        place=Place(code.co_filename, code.co_firstlineno),
    )
