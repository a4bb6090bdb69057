"""When a program writes a text on the screen, to the cycle: for times measured so exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ti99tools.computer.console.session import Console
from ti99tools.games.conformance.playback import disk
from ti99tools.hardware.machine.screen import ROWS, Screen

MOST_SECONDS = 400.0
"""Machine time after which a program is given up."""


class NotSeen(Exception):
    """A text was never written."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Cycles since Extended BASIC was chosen, and the interrupts that the console has served."""

    cycles: int
    interrupts: int


def watched(case: Mapping[str, Any], texts: Sequence[str]) -> list[Moment]:
    """The moments at which each text stands in a row first.

    `case` has the program's `source` and may have a `disk_in`. Raises NotSeen.
    """
    console = Console(disks={"DSK1": disk(case)}, max_seconds=MOST_SECONDS)
    clock = console.clock
    interrupts = console.machine.interrupts
    interrupts.count()
    seen: dict[str, Moment] = {}

    class Watched(Screen):
        """A screen that notes when a text stands on it."""

        __slots__ = ()

        def write(self, row: int, column: int, codes: bytes) -> None:
            super().write(row, column, codes)
            line = self.rows[min(row, ROWS - 1)]
            for text in texts:
                if text in line:
                    seen.setdefault(text, Moment(clock.cycles, clock.frame - interrupts.lost))

    console.machine.screen.__class__ = Watched
    console.boot()
    for text in texts:
        if text not in seen and not console.run_until(text=text, look=4):
            raise NotSeen(f"{case.get('id') or case.get('name')}: {text}")
    return [seen[text] for text in texts]


def written(case: Mapping[str, Any], texts: Sequence[str]) -> list[int]:
    """The cycles of `watched`."""
    return [moment.cycles for moment in watched(case, texts)]
