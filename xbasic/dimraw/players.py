"""Players of Dimraw for verification: each goes after one part of the rules.

They know the rules and read the model, but never step the computer players' generator.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

from ti99tools.games.models.model import ENTER, Ask, Model
from ti99tools.games.verify.adapter import OwnPlayer

from .model import (
    ARROWS,
    BACK,
    BENT,
    LEFT,
    LETTER,
    NO,
    POINTS,
    RIGHT,
    TAKE,
    YES,
    Action,
    Dimraw,
    ahead,
)

Rate = Callable[[Dimraw, int, Action], float]
"""How much a player wants an action of its side."""


def hard(model: Dimraw, side: int, action: Action) -> float:
    """As the computer players value it."""
    return model.value(side, action)


def miller(model: Dimraw, side: int, action: Action) -> float:
    """Mills first, bent ones before straight ones."""
    after = model.board.after(side, action)
    bent = sum(action[1] in mill and after.holds(side, mill) for mill in BENT)
    return 1000 * bent + 500 * model.captured(side, action)[0] + model.value(side, action)


def shuffler(model: Dimraw, side: int, action: Action) -> float:
    """Steps away from beside mills; places beside its own men."""
    arrived, stepped = model.captured(side, action)
    return 1000 * stepped + model.value(side, action) - 50 * (arrived and not stepped)


def blocker(model: Dimraw, side: int, action: Action) -> float:
    """Leaves the other side as few moves as it can."""
    return -len(model.board.after(side, action).moves(3 - side))


def filler(model: Dimraw, side: int, action: Action) -> float:
    """Takes nobody, so that the board fills."""
    return -sum(model.captured(side, action))


def anyhow(_model: Dimraw, _side: int, _action: Action) -> float:
    """Does not care."""
    return 0


def letters(ask: Ask) -> list[int]:
    """The points that may be named now."""
    return [key - LETTER for key in ask.keys if key >= LETTER]


def wanted(model: Dimraw, ask: Ask, random: Random, rate: Rate) -> int:
    """The point to name: an action that the player rates highest, or a man to take off."""
    side, points = ask.player + 1, letters(ask)
    if all(model.board.men[point] == 3 - side for point in points):
        table = model.board.worth
        worth = {point: table(side, point, TAKE) if rate is hard else 0 for point in points}
        return random.choice([point for point in points if worth[point] == max(worth.values())])
    actions = model.actions(side)
    if model.chosen is not None:
        actions = [action for action in actions if action[0] == model.chosen]
    rates = [rate(model, side, action) for action in actions]
    best = [action for action, value in zip(actions, rates, strict=True) if value == max(rates)]
    man, to = random.choice(best)
    return to if man is None or model.chosen is not None else man


def player(rate: Rate) -> OwnPlayer:
    """A player that names points by their letters and never resigns."""

    def choose(model: Model, ask: Ask, random: Random) -> int:
        assert isinstance(model, Dimraw)
        return NO if YES in ask.keys else LETTER + wanted(model, ask, random, rate)

    return choose


def resigner(model: Model, ask: Ask, random: Random) -> int:
    """Thinks of giving up at any question, and then does or does not."""
    if YES in ask.keys:
        return random.choice((YES, NO, ord("X")))
    return BACK if random.random() < 0.03 else player(anyhow)(model, ask, random)


def wanderer(model: Model, ask: Ask, random: Random) -> int:
    """Names points by cursor and ENTER."""
    assert isinstance(model, Dimraw)
    if YES in ask.keys:
        return NO
    points = letters(ask)
    if model.cursor in points and random.random() < 0.6:
        return ENTER
    if all(model.board.men[point] == 2 - ask.player for point in points):
        return random.choice((LEFT, RIGHT))
    return toward(model.cursor, wanted(model, ask, random, anyhow), random)


def toward(cursor: int, point: int, random: Random) -> int:
    """An arrow on a shortest way of the cursor; any arrow when it is there."""
    first: dict[int, int] = {}
    waiting = deque((ahead(cursor, arrow), arrow) for arrow in ARROWS)
    while waiting:
        place, arrow = waiting.popleft()
        if place not in first and place != cursor:
            first[place] = arrow
            waiting.extend((ahead(place, further), arrow) for further in ARROWS)
    return first.get(point) or random.choice(list(ARROWS))


def fumbler(model: Model, ask: Ask, random: Random) -> int:
    """Names points that are refused just now, then one that is not."""
    if random.random() < 0.3:
        return random.choice([LETTER + point for point in POINTS])
    return player(anyhow)(model, ask, random)


RATES: dict[str, Rate] = {
    "random": anyhow,
    "hard": hard,
    "miller": miller,
    "shuffler": shuffler,
    "blocker": blocker,
    "filler": filler,
}
PLAYERS: dict[str, OwnPlayer] = {
    **{name: player(rate) for name, rate in RATES.items()},
    "resigner": resigner,
    "wanderer": wanderer,
    "fumbler": fumbler,
}
