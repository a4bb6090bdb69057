"""When a program that looks for a key waits for one.

CALL KEY does not say that it waits: a program does when everything seen and heard of it stays the
same while it goes on looking. How long that takes depends on the place, since a pause that a key
ends looks the same. The first time at a place (a statement, and what it was called through) it
takes `LONG`, afterwards `SHORT`.
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
"""Frames without a change at a place met for the first time, and at one where the program has
waited before.
"""
OFTEN = 4
"""Fewest looks for a key per second of a program that waits for one."""
NEARLY = 0.7
"""The fewest looks, as a share of those it made when it waited at this place before."""

P = TypeVar("P")
_END = COLORS + 32


def shown_memory(ram: bytes | bytearray) -> bytes:
    """The video memory that makes the screen, without the places of sprites in motion."""
    if not any(ram[MOTION : MOTION + 4 * SPRITE_COUNT]):
        return bytes(ram[:_END])
    shown = bytearray(ram[:MOTION] + ram[MOTION + 4 * SPRITE_COUNT : _END])
    # A moving sprite changes its row and column all the time; only its looks count.
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
    if still < LONG * FRAME or rate < OFTEN:
        return False  # sprites that another program has left slow it down
    known.setdefault(place, rate)
    return True


def asked_at(looks: Sequence[tuple[int, P]], changed: int) -> P | None:
    """The place at which a program asks that waits now; None when it has not looked for a key.

    A question may look at several places in turn: keyboard and joystick. It is asked where it looks
    first; which of them comes last depends on the key before.
    """
    loop = {place for _, place in takewhile(lambda look: look[0] > changed, reversed(looks))}
    return next((place for _, place in looks if place in loop), looks[-1][1] if looks else None)
