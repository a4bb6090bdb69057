"""A session at a console: what a player does there, and what a player sees.

`Host.play` does a script from start to end. People look first, hold a key for a while, see whether
it did anything, and change disks. A host that can be played like this also has `open_session`, see
`SessionHost`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, runtime_checkable

from ti99tools.computer.console.keyscript import Press, Step, Tap, Type
from ti99tools.games.hosts.host import Video
from ti99tools.games.hosts.sight import Blinking

KEY_STEPS = Press | Tap | Type
"""Steps that give keys."""


class Waits(Enum):
    """What the machine waits for."""

    KEY = "a key"
    """The program looks for a key, and nothing else happens."""
    LINE = "a line"
    """INPUT or ACCEPT: a key can be pressed at once."""
    PROMPT = "a command"
    """No program runs."""
    NOTHING = "nothing"
    """The machine was busy for the whole time allowed."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player sees once the machine waits for a key.

    `video` has the sprites at their positions, and where the cursor is, the cursor, a space or the
    character beneath it. Times are seconds since power-on: `at` is now, `changed` the last change
    that could be seen or heard. `sounds` counts the bytes sent to the sound chip. `message` is the
    message with which the program stopped; empty if it ended normally.

    `place` names where in the program the key is asked for. `looks`: place → when the program first
    looked for a key there since the last key was pressed. Both are empty if a host cannot tell.
    """

    waits: Waits
    video: Video
    at: float
    changed: float
    sounds: int
    message: str = ""
    place: str = ""
    looks: Mapping[str, float] = field(default_factory=dict)

    def asked_at(self, place: str) -> float:
        """When the program first looked for a key at a place; if unknown, the last change."""
        return self.looks.get(place, self.changed)


class HostSession(Protocol):
    """A machine with a player at it."""

    def do(self, step: Step) -> str:
        """Do a step of a key script. Returns why it cannot be done; empty if it was."""
        ...

    def look(self, blinking: Blinking, seconds: float) -> Seen:
        """Let time pass until the machine waits for a key, at most `seconds`.

        Changes of what is `blinking` do not count as work.
        """
        ...

    def clock(self) -> float:
        """Seconds since power-on. (A step may take longer than its length: drives are slow.)"""
        ...

    def take_out(self) -> bytes:
        """Take the disk out of DSK1. Returns its sectors."""
        ...

    def put_in(self, disk: bytes, protected: bool = False) -> None:
        """Put a disk into DSK1; with equal bytes it is the same disk as before."""
        ...

    def leave(self) -> None:
        """Switch the machine off."""
        ...


@runtime_checkable
class SessionHost(Protocol):
    """A host with a session."""

    def open_session(self, disk: bytes, max_seconds: float, protected: bool = False) -> HostSession:
        """Switch a machine on with a disk in DSK1, and choose Extended BASIC."""
        ...
