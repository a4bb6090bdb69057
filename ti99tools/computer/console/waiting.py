"""Where a program is that does not end, and when it waits for a key.

INPUT, ACCEPT and the prompt tell that they wait. A program that calls KEY does not: see `asking`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from ti99tools.base.record import Record
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.asking import LOOK, WaitKind, asked_at, shown_memory, waits_for_key
from ti99tools.computer.console.keyscript import AFTER_READY
from ti99tools.computer.console.questions import Calls, calls_now
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.units import COMMAND, StatementPlace
from ti99tools.computer.interp.run.locating import spots_of
from ti99tools.computer.interp.run.signals import BreakReached, ProgramEnd, RunAgain, WarningStop
from ti99tools.hardware.machine.clock import CPU_HZ, Pause

LOOKS = 60
"""Number of looks at where the program is."""
APART = 7919
"""Cycles between two looks: a prime, not a multiple of the time of a loop."""
_ASKS = (b"\xc8\x03KEY", b"\xc8\x05JOYST")
"""What follows CALL in the tokens of a line that looks for a key."""


class TokenPlace(Record):
    """A numbered line and the offset of a token in it; whether keys were asked for meanwhile."""

    line: int
    offset: int
    asks: bool


def whereabouts(console: AnyConsole) -> TokenPlace | None:
    """Where the program works or waits; None when nothing does, or nobody can tell.

    Lets it run on for a moment and samples where it is; the console cannot be used afterwards. In a
    loop that asks for keys, the line that asks is given.
    """
    if not isinstance(console, Console) or console.alone:
        return None if console.line is None else TokenPlace(console.line, 0, asks=True)
    execution, clock = console.execution, console.clock
    if execution is None or not console.running:
        return None
    scans = console.machine.keyboard.idle_scans
    seen: list[StatementPlace] = []
    for _ in range(LOOKS):
        event = clock.schedule(clock.cycles + APART, clock.request_pause)
        try:
            execution.run()
        except Pause as pause:
            spots = spots_of(execution.compiler, pause)
            if spots and spots[0][0].number(spots[0][1]) != COMMAND:
                seen.append(spots[0][1])
        except (ProgramEnd, RunAgain, WarningStop, BreakReached, XBError):
            break
        clock.cancel(event)
        clock.cancel_pause()
    if not seen:
        return None
    asks = console.machine.keyboard.idle_scans > scans
    tokens = execution.listing.tokens
    asking = (place for place in seen if asks and any(call in tokens[place[0]] for call in _ASKS))
    line, offset = next(asking, seen[0])
    return TokenPlace(execution.listing.numbers[line], offset, asks)


@dataclass(frozen=True, slots=True)
class Awaited:
    """What is waited for, where, and the cycle of the last change.

    `looks` maps each place where the program has looked for a key, since one was last pressed, to
    the cycle of its first look.
    """

    what: WaitKind
    changed: int
    place: Calls = ()
    looks: Mapping[Calls, int] = field(default_factory=dict)


class Watcher:
    """Watches a console from now on. `seen` returns what counts as a change; without it everything
    does.
    """

    def __init__(self, console: Console, seen: Callable[[], object] | None = None) -> None:
        self._console = console
        self._seen = seen or (lambda: screen_state(console))
        self._looks: list[tuple[int, Calls]] = []
        """Cycle and place of each look for a key since `forget` was called."""
        self._listen()

    def forget(self) -> None:
        """Forget the looks so far: a key was pressed, and the program has what it looked for."""
        self._looks.clear()

    def wait(self, seconds: float) -> Awaited:
        """Let time pass until something is waited for, at most for `seconds`."""
        console, clock = self._console, self._console.clock
        limit = clock.cycles + round(seconds * CPU_HZ)
        changed = clock.cycles
        before = self._now()
        self._listen()
        while clock.cycles < limit:
            console.wait(LOOK)
            if not console.busy:
                console.wait(AFTER_READY)
                return Awaited(WaitKind.PROMPT, clock.cycles, (), self._first_looks())
            editor = console.computer.editor
            # A line that is open accepts keys once its cursor shows, a moment after the beep.
            if console.running and editor is not None and editor.cursor is not None:
                return self._found(WaitKind.LINE, clock.cycles)
            now = self._now()
            if now != before:
                before, changed = now, clock.cycles
            elif self._waits(changed):
                return self._found(WaitKind.KEY, changed)
        return Awaited(WaitKind.NOTHING, changed)

    def _found(self, what: WaitKind, changed: int) -> Awaited:
        place = asked_at(self._looks, changed)
        return Awaited(what, changed, place or (), self._first_looks())

    def _first_looks(self) -> dict[Calls, int]:
        return {at: cycle for cycle, at in reversed(self._looks)}

    def _now(self) -> object:
        machine = self._console.machine
        machine.sync()
        return self._seen(), len(machine.sound.written)

    # -- looks for a key ------------------------------------------------------------------

    def _listen(self) -> None:
        self._console.machine.keyboard.tell_look(self._looked)

    def _looked(self) -> None:
        """Note that the program looks for a key now."""
        self._looks.append((self._console.clock.cycles, self._calls()))
        self._listen()

    def _calls(self) -> Calls:
        execution = self._console.execution
        return () if execution is None else calls_now(execution)

    def _waits(self, changed: int) -> bool:
        """Tell whether the program has looked for keys long enough since the last change."""
        execution = self._console.execution
        if execution is None:
            return False
        known = _KNOWN.setdefault(execution.compiler, {})
        return waits_for_key(self._looks, changed, self._console.clock.cycles, known)


_KNOWN: WeakKeyDictionary[Compiler, dict[Calls, float]] = WeakKeyDictionary()
"""The places where programs have waited, and how many looks per second they made there."""


def screen_state(console: AnyConsole) -> object:
    """Everything that the screen shows, except the places of moving sprites."""
    vdp = console.machine.vdp
    return shown_memory(vdp.ram), bytes(vdp.registers)
