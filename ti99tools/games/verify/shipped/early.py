"""Keys pressed too early: while the game is still busy with the one before.

The key is one that could answer the next question. A quick one comes and goes while the game is
busy; a finger that rests is still down when the question comes. Either may be lost. FCTN-4 and
FCTN-= do nothing at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ti99tools.games.hosts.seat import Waits
from ti99tools.games.verify.shipped.clean import Clean
from ti99tools.games.verify.shipped.person import FRAMES
from ti99tools.games.verify.shipped.route import is_ending

OFTEN, RESTING, CLEARING = 0.6, 0.25, 0.5
"""How often a busy game is given a key; how many of these rest, and how many are FCTN-4 instead."""
BUSY, BEGUN = 60, 12
"""Frames for which a game must be busy, and after which the first key may come."""
EDGE = 30
"""Frames before a question, while it is being drawn, in which a key may already be meant for it."""
QUICK, BEYOND = 7, 8
"""Frames for which a quick key is down, and a resting one once the question is there."""
CLEAR_NAME, QUIT_NAME = "CLEAR", "QUIT"


@dataclass(frozen=True)
class Early:
    """A key that is pressed so many frames after the one before went up, for so many frames."""

    key: str
    wait: int
    hold: int

    @property
    def answers(self) -> bool:
        """Tell whether it could answer the next question."""
        return not is_ending(self.key)


def early_key(
    clean: Clean, number: int, gone: int, ending: Sequence[str], whim: Random
) -> Early | None:
    """The key that comes too early after one of the route, if any; `gone`: frames since that went
    down. It may be one of the `ending` keys instead.
    """
    keys, moments = clean.route.keys, clean.moments
    if number + 1 >= len(keys):
        return None
    left = round(clean.busy(number) * FRAMES) - gone
    last = left - EDGE
    if left < BUSY or whim.random() > OFTEN:
        return None
    wait = whim.randint(BEGUN, max(BEGUN, last - QUICK))
    if ending and whim.random() < CLEARING:
        return Early(whim.choice(ending), wait, QUICK)
    key = keys[number + 1].key
    if is_ending(key) or moments[number + 2].sight == moments[number + 1].sight:
        return None
    if moments[number + 1].seen.waits is Waits.KEY and whim.random() < RESTING:
        wait = max(BEGUN, last - whim.randrange(EDGE))
        return Early(key, wait, left - wait + BEYOND)
    return Early(key, wait, QUICK)
