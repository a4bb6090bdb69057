"""Players for scenarios: given what the game asks, which key to press.

A policy knows only the question (`Ask`) and its own random generator; so the same policies play
every game. Keys that a game refuses are mixed in by `clumsy`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ti99tools.base import codes
from ti99tools.games.models.model import Ask

Policy = Callable[[Ask, Random], int]

REFUSABLE = (
    *range(ord(" "), ord("`")),
    codes.ENTER,
    codes.AID,
    codes.DELETE,
    codes.INSERT,
    codes.REDO,
    codes.ERASE,
    codes.LEFT,
    codes.RIGHT,
    codes.DOWN,
    codes.UP,
    codes.PROCEED,
    codes.BEGIN,
    codes.BACK,
)
"""Keys that a game may be given at any time: all but CLEAR and QUIT, which end a program, and but
the characters that CALL KEY(3) has no key for: small letters, braces, bar, tilde, grave accent."""


def legal(ask: Ask, random: Random) -> int:
    """Any key that is allowed, with equal chances."""
    return random.choice(ask.keys)


def greedy(ask: Ask, random: Random) -> int:
    """Secures what there is at once; goes on where that is not allowed."""
    if ask.safe is not None:
        return ask.safe
    return ask.bold if ask.bold is not None else legal(ask, random)


def restless(ask: Ask, random: Random) -> int:
    """Goes on as long as it may, to the edges of the rules; never secures anything."""
    if ask.bold is not None and random.random() < 0.6:
        return ask.bold
    rest = [key for key in ask.keys if key != ask.safe]
    return random.choice(rest or ask.keys)


def steady(ask: Ask, random: Random) -> int:
    """Greedy half of the time, else anything that is allowed."""
    return greedy(ask, random) if random.random() < 0.5 else legal(ask, random)


def clumsy(ask: Ask, random: Random) -> int:
    """Like steady, but a third of the keys are any keys of the keyboard."""
    return random.choice(REFUSABLE) if random.random() < 0.33 else steady(ask, random)


def stubborn(ask: Ask, random: Random) -> int:
    """Tries the keys that the rules refuse just now, and goes on otherwise."""
    if ask.tempting and random.random() < 0.5:
        return random.choice(ask.tempting)
    return restless(ask, random) if random.random() < 0.5 else greedy(ask, random)


POLICIES: dict[str, Policy] = {
    "legal": legal,
    "greedy": greedy,
    "restless": restless,
    "steady": steady,
    "clumsy": clumsy,
    "stubborn": stubborn,
}
