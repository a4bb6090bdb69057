"""The cursor of a line being typed, which blinks: 15 frames on, 15 off (recorded)."""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.machine.clock import FRAME

PHASE = 15 * FRAME
"""Cycles that it is shown, and that the character beneath is."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A cursor at a row and column (from 0) over a character, shown since a cycle.

    Screen memory holds the cursor all the time; pictures show it blinking.
    """

    row: int
    column: int
    beneath: int
    since: int

    def is_lit(self, cycle: int) -> bool:
        """Tell whether it is seen at a cycle."""
        return (cycle - self.since) // PHASE % 2 == 0
