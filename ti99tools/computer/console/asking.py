"""When a program that looks for a key waits for one.

CALL KEY returns at once. So a program counts as waiting when its screen and sound stay the same
while it goes on scanning. A pause that a key can end looks like that, too: at a new place (a
statement and its return addresses) the machine must stay unchanged for `LONG`, at a place where a
program has waited before for `SHORT`.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from itertools import takewhile
from typing import TypeVar

from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.vdp import COLORS, MOTION, SPRITE_COUNT, SPRITES

LOOK = 6
"""Frames between looks at the machine."""
LONG, SHORT = 1200, 90
"""Frames without a change: at a new place, and where the program has waited before."""
OFTEN = 4
"""Fewest looks for a key per second of a program that waits for one."""
NEARLY = 0.7
"""Fewest looks per second at a known place, as a share of the rate when it waited there before."""

P = TypeVar("P")
_END = COLORS + 32


def shown_memory(ram: bytes | bytearray) -> bytes:
    """The video memory that makes the screen, without the places of sprites in motion."""
    if not any(ram[MOTION : MOTION + 4 * SPRITE_COUNT]):
        return bytes(ram[:_END])
    shown = bytearray(ram[:MOTION] + ram[MOTION + 4 * SPRITE_COUNT : _END])
    # A moving sprite changes its row and column all the time; only its pattern and colour count.
    for at in range(0, 4 * SPRITE_COUNT, 4):
        if ram[MOTION + at] or ram[MOTION + at + 1]:
            shown[SPRITES + at : SPRITES + at + 2] = b"\0\0"
    return bytes(shown)


def waits_for_key(
    looks: Sequence[tuple[int, P]], changed: int, now: int, known: MutableMapping[P, float]
) -> bool:
    """Tell whether a program has looked for keys long enough since the last change.

    `looks`: cycle and place of each, in order. `known`: the places where programs have waited, and
    how many looks per second they made there; a new one is added.
    """
    still = now - changed
    if still < SHORT * FRAME or not looks:
        return False
    place = looks[-1][1]
    usual = known.get(place)
    if usual is None and still < LONG * FRAME:
        return False
    since = takewhile(lambda look: look[0] > changed, reversed(looks))
    rate = sum(at == place for _, at in since) / (still / CPU_HZ)
    if usual is not None and rate >= NEARLY * usual:
        return True
    # Sprites that another program has left slow a known place down: LONG applies there, too.
    if still < LONG * FRAME or rate < OFTEN:
        return False
    known.setdefault(place, rate)
    return True


def asked_at(looks: Sequence[tuple[int, P]], changed: int) -> P | None:
    """The place where a waiting program asks for its key; None when it has not looked for one.

    A program may look at several places in turn, e.g. keyboard and joystick. The one where it
    looked first is given, because the last one depends on when the key before was pressed.
    """
    loop = {place for _, place in takewhile(lambda look: look[0] > changed, reversed(looks))}
    return next((place for _, place in looks if place in loop), looks[-1][1] if looks else None)
