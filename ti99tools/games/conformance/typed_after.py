"""Which key of a script is the first that is pressed when the program has ended.

Where the script does not tell, our console does, which plays the case as it was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
