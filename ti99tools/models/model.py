"""What every model of a game has in common: a match that is played by keys and tells its events.

A model is written as one generator, `play`, that reads like the rules: it says what happens with
`say` and asks for a key with `yield Ask(…)`. `Match` gives it keys and collects the events.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from ti99tools.trace.events import Event

ENTER = 13


@dataclass(frozen=True, slots=True)
class Player:
    """A seat: `H` human or `C` computer, and the name shown."""

    kind: str
    name: str


@dataclass(frozen=True)
class Setup:
    """What is settled before a match: the seed, who plays, the game's options."""

    seed: int
    players: tuple[Player, ...]
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ask:
    """The game waits for a key of `player`.

    `keys` are the codes that it would take now, all others are refused. `safe` is the one of
    them that a cautious player takes (it secures what there is), `bold` the one that risks it.
    `tempting` are keys that mean something here but are refused now.
    """

    player: int
    keys: tuple[int, ...]
    safe: int | None = None
    bold: int | None = None
    tempting: tuple[int, ...] = ()


Flow = Generator[Ask, int, None]


class Model(Protocol):
    """A game's rules as a program: events from a setup and keys alone."""

    game: ClassVar[str]
    version: ClassVar[str]

    def __init__(self, setup: Setup) -> None: ...

    @property
    def log(self) -> list[Event]:
        """The events so far, without the log's first two lines and END."""
        ...

    def play(self) -> Flow:
        """The match from its first event to its last."""
        ...

    @classmethod
    def setup_of(cls, seed: int, events: Sequence[Event]) -> Setup:
        """The setup that a log tells. Raises ValueError when it does not."""
        ...

    @classmethod
    def key_of(cls, event: Event) -> int | None:
        """The key that a player pressed when this event follows a question; None: no key."""
        ...


class Match:
    """A model being played: `ask` is what it waits for, None when the match is over."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._flow = model.play()
        self.ask: Ask | None = next(self._flow, None)

    @property
    def log(self) -> list[Event]:
        """The events so far."""
        return self.model.log

    def press(self, key: int) -> None:
        """Give the key that the model waits for."""
        try:
            self.ask = self._flow.send(key)
        except StopIteration:
            self.ask = None
