"""What the keys of this computer are on the TI-99/4A's keyboard, for the window.

Characters are typed by the key that has them here, whatever the layout. The left Alt key is FCTN,
Ctrl is CTRL, F1–F9 are FCTN-1 to FCTN-9, the arrow keys FCTN-S, D, E and X.
"""

from __future__ import annotations

import pygame

from ti99tools.base.errors import ScriptError
from ti99tools.machine.keymap import FUNCTION_KEYS, find_key
from ti99tools.play.stage import Control, function_key

_SPECIAL = {
    pygame.K_RETURN: "ENTER", pygame.K_KP_ENTER: "ENTER", pygame.K_SPACE: "SPACE",
    pygame.K_LEFT: "LEFT", pygame.K_RIGHT: "RIGHT", pygame.K_UP: "UP", pygame.K_DOWN: "DOWN",
    pygame.K_BACKSPACE: "LEFT", pygame.K_DELETE: "DEL", pygame.K_INSERT: "INS",
    pygame.K_ESCAPE: "BACK",
}  # fmt: skip

_FUNCTION_KEYS = {getattr(pygame, f"K_F{number}"): function_key(number) for number in range(1, 13)}
_CONTROLS = {pygame.K_PAUSE: Control.PAUSE}

_STICK = {
    pygame.K_LEFT: (-4, 0), pygame.K_RIGHT: (4, 0), pygame.K_UP: (0, 4), pygame.K_DOWN: (0, -4),
}  # fmt: skip
_BUTTONS = frozenset((pygame.K_LCTRL, pygame.K_RCTRL))


def key_of(event: pygame.event.Event) -> str | Control | None:
    """The key that a KEYDOWN event means, named as in key scripts; a control; or nothing."""
    known = _FUNCTION_KEYS.get(event.key) or _CONTROLS.get(event.key)
    if known is None and event.mod & pygame.KMOD_LALT:
        known = FUNCTION_KEYS.get(_cap(event.key))
    elif known is None:
        known = _SPECIAL.get(event.key)
        if known is None and event.mod & pygame.KMOD_CTRL:
            known = _control_key(_cap(event.key))
    if known is None and not event.mod & (pygame.KMOD_LALT | pygame.KMOD_CTRL):
        known = event.unicode if "!" <= event.unicode <= "~" else None
    return known


def _cap(code: int) -> str:
    """The character on a key without SHIFT, capital; empty if it has none."""
    return chr(code).upper() if 32 <= code < 127 else ""


def _control_key(cap: str) -> str | None:
    name = f"CTRL-{cap}"
    try:
        find_key(name)
    except ScriptError:
        return None
    return name


class StickKeys:
    """Joystick 1 on the arrow keys, its button on Ctrl."""

    def __init__(self) -> None:
        self._held: set[int] = set()

    def takes(self, code: int) -> bool:
        """Tell whether a key belongs to the joystick."""
        return code in _STICK or code in _BUTTONS

    def change(self, code: int, down: bool) -> tuple[int, int, bool]:
        """A key of the joystick goes down or up: deflections x and y, and whether it fires."""
        if down:
            self._held.add(code)
        else:
            self._held.discard(code)
        ways = [_STICK[code] for code in self._held if code in _STICK]
        return sum(x for x, _ in ways), sum(y for _, y in ways), bool(self._held & _BUTTONS)
