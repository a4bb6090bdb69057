"""What a debugger stops for, and what it is told to do then."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reason(Enum):
    """Why a run stands still."""

    START = "the program begins"
    STEP = "a step is done"
    BREAKPOINT = "a breakpoint"
    WATCH = "a watched value changes"
    PAUSE = "a pause was asked for"
    KEYS = "the program waits for a key"
    ERROR = "the program stopped with an error"
    ENDED = "the program ended"
    OVER = "the run is over"


@dataclass(frozen=True, slots=True)
class Stop:
    """A run stands before its statement number `count`, or at its end; `text` tells more.

    `finished`: no statement follows, though keys may be given where they are asked for.
    """

    reason: Reason
    count: int
    text: str = ""

    @property
    def finished(self) -> bool:
        """Tell whether the program came to an end, or to a wait, of its own."""
        return self.reason in (Reason.KEYS, Reason.ERROR, Reason.ENDED, Reason.OVER)


class Pace(Enum):
    """How far a run goes on."""

    STEP = "to the next statement"
    OVER = "to the next statement here: subroutines and SUBs run as a whole"
    OUT = "until the subroutine or SUB is left"
    RUN = "to the next breakpoint"


@dataclass(frozen=True, slots=True)
class Forward:
    """Go on."""

    pace: Pace


@dataclass(frozen=True, slots=True)
class Backward:
    """Go back: RUN means to the breakpoint before, or else to the beginning."""

    pace: Pace


@dataclass(frozen=True, slots=True)
class Restart:
    """Go back to the beginning."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Give keys (a newline is ENTER) and go on."""

    text: str


@dataclass(frozen=True, slots=True)
class Leave:
    """End the session."""


Order = Forward | Backward | Restart | Keys | Leave
