"""Recorded times of programs: up to a text on the screen, or between two texts.

A case with `until` has in `exact` the cycles from choosing Extended BASIC to the moment when that
text is on the screen. One without has those from BEGIN! to END!, between which a loop runs. Ours
passes when it is off by at most `TOLERANCE` of the recorded time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ti99tools.computer.console.session import Console
from ti99tools.computer.console.timekeeper import Timekeeper
from ti99tools.games.conformance.outcome import Difference
from ti99tools.games.conformance.playback import disk
from ti99tools.hardware.machine.clock import CPU_HZ

TOLERANCE = 0.05
"""The greatest share of the recorded time by which ours may be off, of programs and of loops."""

LOOK = 1000
"""Cycles between looks at the screen: a fiftieth of a frame."""

LATEST = 5
"""Times the recorded cycles after which a text is given up, and a minute more."""

BEGIN, END = "BEGIN!", "END!"


def off(data: Mapping[str, Any]) -> float | None:
    """The share of the recorded time by which ours is longer; None when a text never came."""
    ours = cycles(data)
    return None if ours is None else ours / int(data["exact"]) - 1


def differences(data: Mapping[str, Any], share: float | None) -> list[Difference]:
    """What is wrong with a time that is off by a share, if anything."""
    recorded = int(data["exact"])
    if share is None:
        texts = data.get("until") or f"{BEGIN} and {END}"
        return [Difference("time", (f"{texts} did not come within {_limit(data):,} cycles",))]
    if abs(share) <= TOLERANCE:
        return []
    ours = round(recorded * (1 + share))
    lines = f"original ROMs {recorded:12,} cycles", f"ours          {ours:12,} cycles"
    return [Difference(f"time {share:+.1%}", lines)]


def cycles(data: Mapping[str, Any]) -> int | None:
    """The cycles that ours takes; None when a text does not come."""
    console = Console(disks={"DSK1": disk(data)})
    keeper = Timekeeper(console.machine, console.computer)
    limit = _limit(data)

    def seen(text: str) -> int | None:
        return keeper.work_until(lambda: console.screen.shows(text), limit, LOOK)

    with console.computer.workspace.line_by_line():
        console.boot()
        if "until" in data:
            return seen(data["until"])
        begin, end = seen(BEGIN), seen(END)
    return None if begin is None or end is None else end - begin


def _limit(data: Mapping[str, Any]) -> int:
    """The cycle after which the texts are no longer awaited."""
    return LATEST * int(data["exact"]) + 60 * CPU_HZ
