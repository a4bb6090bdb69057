"""Dice Rack on a console, for tests: what is typed and what is seen."""

from random import Random

from tests.xbasic.gamedriver import DrivenGame
from ti99tools.games.making.finding import find_game
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.verify.loading import adapter
from xbasic.dicerack.builder import builder
from xbasic.dicerack.model import DiceRack

GAME = find_game("dicerack")


class Game(DrivenGame):
    """The game on a console, driven by what it shows."""

    NAME = "dicerack"
    PASSES = ()
    READY = "5 END"
    LOG = "RACKLOG"

    def play(self, seed: int | str, keys: str) -> None:
        self.answer(("5 END", "1"), ("SEED?", f"{seed}\n"), ("SHIFT ,", keys))

    def number(self, name: str) -> object:
        """A number on the screen, as verification reads it."""
        setup = Setup(0, (Player("H", "PLAYER"),))
        return adapter("dicerack").shown(self.console.screen.rows, setup)[name]

    def rack(self) -> list[object]:
        self.console.wait(400)
        return [self.number(f"row {row} of the rack") for row in range(1, 6)]


DROP_ALL = " " * 25
"""Keys of a round in which every die falls into column 3."""


def winning_keys(seed: int) -> tuple[str, int]:
    """Keys of a good player up to the first question for another round, and the result."""
    model = DiceRack(Setup(seed, (Player("H", "PLAYER"),)))
    match = Match(model)
    keys = ""
    while match.ask is not None and ord("Y") not in match.ask.keys:
        key = builder(model, match.ask, Random(0))
        keys += "\n" if key == 13 else chr(key)
        match.press(key)
    assert match.ask is not None, f"seed {seed} is no good"
    return keys, int(next(event for event in model.log if event.kind == "RESULT").args[0])


WON = 33
"""A seed with which a good player reaches the first goal."""
