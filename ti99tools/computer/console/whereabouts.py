"""Where a program on the console is that does not come to an end."""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.compile.lines import COMMAND
from ti99tools.computer.interp.compile.unit import Place
from ti99tools.computer.interp.run.locating import spots_of
from ti99tools.computer.interp.run.signals import Breakpoint, ProgramEnd, RunAgain, WarningStop
from ti99tools.hardware.machine.clock import Pause

LOOKS = 60
"""Number of looks at where the program is."""
APART = 7919
"""Cycles between two looks: a prime, not a multiple of the time of a loop."""
_ASKS = (b"\xc8\x03KEY", b"\xc8\x05JOYST")
"""What follows CALL in the tokens of a line that looks for a key."""


@dataclass(frozen=True)
class Whereabouts:
    """A numbered line and the offset of a token in it; whether keys were asked for meanwhile."""

    line: int
    offset: int
    asks: bool


def whereabouts(console: Console) -> Whereabouts | None:
    """Where the program works or waits; None when nothing does.

    Lets it go on for a moment and looks at what runs: the console cannot be used afterwards. In a
    loop that asks for keys, the line that asks is given.
    """
    execution, clock = console.execution, console.clock
    if execution is None or not console.running:
        return None
    scans = console.machine.keyboard.idle_scans
    seen: list[Place] = []
    for _ in range(LOOKS):
        event = clock.schedule(clock.cycles + APART, clock.request_pause)
        try:
            execution.run()
        except Pause as pause:
            spots = spots_of(execution.compiler, pause)
            if spots and spots[0][0].number(spots[0][1]) != COMMAND:
                seen.append(spots[0][1])
        except (ProgramEnd, RunAgain, WarningStop, Breakpoint, XBError):
            break
        clock.cancel(event)
        clock.cancel_pause()
    if not seen:
        return None
    asks = console.machine.keyboard.idle_scans > scans
    tokens = execution.listing.tokens
    asking = (place for place in seen if asks and _asks(tokens[place[0]]))
    line, offset = next(asking, seen[0])
    return Whereabouts(execution.listing.numbers[line], offset, asks)


def _asks(tokens: bytes) -> bool:
    return any(call in tokens for call in _ASKS)
