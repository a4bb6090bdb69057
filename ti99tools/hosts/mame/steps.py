"""Key scripts as Lua: the table of steps that drive.lua follows inside MAME."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_letters, digits

from ti99tools.base.errors import HostError
from ti99tools.base.remedy import Remedy
from ti99tools.hosts.mame.keys import fields_of
from ti99tools.trace.keyscript import (
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Type,
    Until,
    Wait,
)

AFTER_READY = 30
TO_TITLE, TO_MENU = 90, 60
"""Frames from power-on to the title screen, and from the first key to the menu."""
BREAK_FRAMES = 60
"""Frames that CLEAR is held: a running program looks for it without a keyboard scan."""

_PLAIN = frozenset(ascii_letters + digits + " ")


def boot_steps() -> list[Step]:
    """From power-on to Extended BASIC, which then looks for DSK1.LOAD."""
    return [Wait(TO_TITLE), Press("SPACE"), Wait(TO_MENU), Press("2")]


def lua_steps(steps: Iterable[Step], pace: int) -> Iterator[str]:
    """The steps as entries of a Lua table.

    `pace`: frames after each key where the emulator does not tell whether it was seen. Raises
    HostError for a step that MAME cannot follow.
    """
    for step in steps:
        match step:
            case Until(None):
                yield _entry("until", text="* READY *", after=AFTER_READY)
            case Until(text):
                yield _entry("until", text=text or "", after=0)
            case Type(text):
                for character in text:
                    yield _key(character, 4, max(4, pace))
            case Press(key, hold, gap):
                yield _key(key, hold, max(gap, pace))
            case Hold() | Release():
                raise HostError(
                    "mame: a script that holds several keys", remedy=Remedy.VIRTUAL_HOST
                )
            case Joystick():
                raise HostError("mame: a script with a joystick", remedy=Remedy.VIRTUAL_HOST)
            case Wait(frames):
                yield _entry("wait", frames=frames)
            case Rest(frames):
                yield _entry("rest", frames=frames)
            case Snap(name):
                yield _entry("snap", name=name)


def _key(key: str, hold: int, gap: int) -> str:
    keys = ", ".join(f"{{{_lua(port)}, {_lua(field)}}}" for port, field in fields_of(key))
    shortly = f", at_most = {BREAK_FRAMES}" if key == "CLEAR" else ""
    return (
        f'{{action = "key", name = {_lua(key)}, keys = {{{keys}}}, '
        f"hold = {hold}, gap = {gap}{shortly}}}"
    )


def _entry(action: str, **values: str | int) -> str:
    parts = [f'action = "{action}"', *(f"{name} = {_lua(v)}" for name, v in values.items())]
    return "{" + ", ".join(parts) + "}"


def _lua(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    # Lua knows bytes; those that are no plain letters are written with three decimal digits.
    plain = "".join(chr(b) if chr(b) in _PLAIN else f"\\{b:03}" for b in value.encode("utf-8"))
    return f'"{plain}"'
