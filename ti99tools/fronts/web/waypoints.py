"""Copies of a console at rest on its way: a run that goes back begins at one, not at power-on.

The farther back, the fewer there are, so that their number grows only with the logarithm of the
time. Each takes memory as a console does, 1 or 2 MB with a disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ti99tools.app.debug.stoprule import Position
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.copying import Copier
from ti99tools.fronts.web.recording import Input, Moment

SPACING = 200_000
"""Statements between two copies: those take a second to run again, a copy a tenth of one."""


@dataclass(frozen=True, slots=True)
class RunCopy:
    """A console in the midst of a run, which nobody lets work, and what had been done to it."""

    console: AnyConsole
    position: Position
    moment: Moment
    inputs: Sequence[Input]

    @property
    def count(self) -> int:
        """The number of the statement that had begun last."""
        return self.position.count

    def fits(self, inputs: Sequence[Input]) -> bool:
        """Tell whether a run that is given these inputs comes to this point."""
        done = len(self.inputs)
        same = len(inputs) >= done and (not done or inputs[done - 1] is self.inputs[-1])
        later = len(inputs) <= done or inputs[done].cycle >= self.console.clock.cycles
        return same and later

    def copy(self, *shared: object) -> RunCopy:
        """The same once more, to let it work; `shared` is not copied."""
        console, position = Copier(shared).copy((self.console, self.position))
        return RunCopy(console, position, self.moment, self.inputs)


class RunCopies:
    """The copies of one run."""

    def __init__(self) -> None:
        self._kept: list[RunCopy] = []
        self._impossible = False

    def __len__(self) -> int:
        """How many there are."""
        return len(self._kept)

    def due(self, count: int, inputs: Sequence[Input]) -> bool:
        """Tell whether a copy at this statement of a run with these inputs is worth its time."""
        if self._kept and self._kept[-1].count > count:
            self._kept = [each for each in self._kept if each.fits(inputs)]
        last = self._kept[-1].count if self._kept else 0
        return count - last >= SPACING and not self._impossible

    def add(self, now: RunCopy, *shared: object) -> None:
        """Keep a copy; `shared` is not copied."""
        try:
            self._kept.append(now.copy(*shared))
        except TypeError:  # a device with an open file of the host: the way back begins at power-on
            self._impossible = True
        self._kept = _thinned(self._kept)

    def before(self, count: int, inputs: Sequence[Input]) -> RunCopy | None:
        """The last one before a statement of a run with these inputs; None: power-on.

        Those to which no run comes any more are forgotten.
        """
        self._kept = [each for each in self._kept if each.fits(inputs)]
        return next((each for each in reversed(self._kept) if each.count < count), None)


def _thinned(copies: Sequence[RunCopy]) -> list[RunCopy]:
    """Those to keep: the distance to the next grows with the distance to the last."""
    last = copies[-1].count if copies else 0
    thinned: list[RunCopy] = []
    for each in reversed(copies):
        if not thinned or thinned[-1].count - each.count >= (last - thinned[-1].count) // 2:
            thinned.append(each)
    return thinned[::-1]
