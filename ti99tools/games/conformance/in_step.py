"""When the keys of a script go down in a compiled program, by how our console plays the case.

They go down as long after its first look for a key. A script counts frames from power-on, or from
a text on the screen. A compiled program comes sooner to the loop that looks for keys, and the loop
then takes the time of Extended BASIC (compiler.pace). A key that is held for some frames is found
by the same round of it only if both loops have gone on for as long when it goes down. So the
moments of such a script count from the first look for a key: when that was in Extended BASIC, our
console tells, which plays the case as it was recorded. It tells, too, which key is the first that
is pressed when the program has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.games.conformance.playback import DEFAULT_SECONDS, disk, followed, machine
from ti99tools.games.conformance.to_the_prompt import KEYS


def key_by_key(step: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A step, or one for each character that it types."""
    if "type" not in step:
        yield step
        return
    for character in step["type"]:
        yield {"type": character}


def typed_after(case: Mapping[str, Any]) -> tuple[int, int] | None:
    """The step of that key, and how many characters of it come before; None if there is none."""
    console = machine(case, disk(case))
    player = ScriptPlayer(console, DEFAULT_SECONDS, patient=False)
    console.boot()
    for at, step in enumerate(case.get("script") or ()):
        if "snap" in step:
            continue
        for taken, part in enumerate(key_by_key(step)):
            if KEYS & part.keys() and not console.running:
                return at, taken
            followed(player, part)
    return None


MOST = 1200
"""Frames in which the first look must come."""


def beginning(case: Mapping[str, Any], begin: Callable[[], AnyConsole]) -> int | None:
    """The cycle of a console's clock from which the moments of a script count.

    They count from the text that the script first waits for, or else from power-on. `begin` starts
    the compiled program. None if no key is held, or a program does not look for one in time.
    """
    script = case.get("script") or []
    if not any("down" in step or "hold" in step for step in script):
        return None
    goal = script[0].get("until")
    text = goal.get("text") if isinstance(goal, Mapping) else None
    there = _in_basic(_Played(tuple(case["source"]), text, str(case.get("disk_in")), case))
    if there is None:
        return None
    here = _first_look(begin())
    return None if here is None else here - there


@dataclass(frozen=True)
class _Played:
    """A case in Extended BASIC; those with the same programs and text come to the same moments."""

    source: tuple[str, ...]
    text: str | None
    disk: str
    case: Mapping[str, Any] = field(compare=False)


@lru_cache(maxsize=8)
def _in_basic(played: _Played) -> int | None:
    """Cycles from the moment from which those of a script count to the first look for a key."""
    console = machine(played.case, disk(played.case))
    console.boot()
    looks = _looks(console)
    since = 0
    if played.text is not None:
        player = ScriptPlayer(console, DEFAULT_SECONDS, patient=False)
        if not player.until(played.text).done:
            return None
        since = console.seen_at
    look = looks[0] if looks else _first_look(console)
    return None if look is None else look - since


def _first_look(console: AnyConsole) -> int | None:
    """Let a program go on to its first look for a key; its cycle."""
    looks = _looks(console)
    for _ in range(MOST):
        if looks:
            return looks[0]
        if not console.running:
            return None
        console.wait(1)
    return None


def _looks(console: AnyConsole) -> list[int]:
    """A list that gets the cycle of the next look for a key."""
    looks: list[int] = []

    def look() -> None:
        engine = console.engine
        own = 0 if engine is None else engine.bus.cycles
        looks.append(max(console.clock.cycles, own))

    console.machine.keyboard.tell_look(look)
    return looks
