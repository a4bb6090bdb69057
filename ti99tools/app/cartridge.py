"""Cartridges run, followed by source line, and debugged.

A run takes keys and waits, then returns what its screen shows. A compiled program contains a table
of its lines, so that it can be timed and stopped by line. The time of the runtime and of the
console's routines counts for the line that calls them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.app.source import TEXTS
from ti99tools.app.target import find_target
from ti99tools.base import foreign
from ti99tools.base.errors import SourceError, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.base.packed import unzipped
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.keyscript import (
    Hold,
    Joystick,
    Press,
    Release,
    Snap,
    Step,
    Tap,
    Type,
    Until,
    Wait,
)
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.language.listing.listing import list_line

PACKED, LAYOUT = b"PK\3\4", "layout.xml"
"""How a cartridge for MAME begins, a ZIP archive, and the file in it that other archives lack."""
WAITS = "the program waits for a key"
PATIENCE = 10.0
"""Seconds of machine time that a program may wait for a key after the last step."""


def is_cartridge(name: str) -> bool:
    """Tell by its content whether a file is a ROM cartridge's image.

    Raises TIError for a packed one that is damaged or too large.
    """
    path = Path(name)
    return path.is_file() and _banks(path) is not None


def _banks(path: Path) -> bytes | None:
    """The banks in a file; None when it is not an image. Raises TIError for a bad archive."""
    data = read_bytes(path)
    if not data.startswith(PACKED):
        return data if foreign.is_cartridge(data) else None
    try:
        inside = dict(unzipped(data))
    except TIError as error:
        raise error.at(str(path)) from None
    banks = (content for content in inside.values() if foreign.is_cartridge(content))
    return next(banks, None) if LAYOUT in inside else None


@dataclass(frozen=True)
class CartridgeRun:
    """The outcome of a run: `text` never appeared, a key of `keys` was never taken."""

    console: CartridgeConsole
    done: bool
    text: str = ""
    snaps: tuple[tuple[str, tuple[str, ...]], ...] = ()
    keys: str = ""

    @property
    def said(self) -> str:
        """The outcome as one line."""
        seconds = f"{self.console.clock.seconds:.1f} seconds of machine time"
        if not self.done:
            line = self.console.waiting_line
            waits = f", and the program waits for a key in line {line}" if line else ""
            if self.text:
                return f"never showed {self.text} after {seconds}{waits}"
            if self.keys:
                over = ", the program has ended" if self.console.over else waits
                return f"a key of {self.keys} was not taken after {seconds}{over}"
            if line:
                return f"{WAITS} in line {line}, after {seconds}; give it more keys"
            return f"still running after {seconds}; give it more"
        return f"{'ended' if self.console.over else 'still running'} after {seconds}"

    @property
    def waits(self) -> bool:
        """Tell whether everything was done and the program only waits for a key."""
        return not (self.done or self.text or self.keys) and self.console.waiting_line > 0


def opened(path: Path) -> CartridgeConsole:
    """A console on which the cartridge's first program was chosen in the menu. Raises TIError."""
    console = CartridgeConsole(_banks(path) or read_bytes(path))
    if not console.menu:
        raise TIError(f"{path}: no program in its menu", remedy="give another cartridge")
    console.choose()
    return console


def run(name: str, steps: Iterable[Step], max_seconds: float) -> CartridgeRun:
    """Choose the first program of a cartridge in the menu and do the steps. Raises TIError."""
    return perform(opened(Path(name)), steps, max_seconds)


def perform(
    console: CartridgeConsole,
    steps: Iterable[Step],
    max_seconds: float,
    works: Callable[[], None] = lambda: None,
) -> CartridgeRun:
    """Do the steps; if the last one gives keys, continue to the end. Raises TIError.

    `max_seconds` of machine time count from power-on. `works` is called again and again while the
    program goes on to its end and does not wait for a key.
    """
    snaps: list[tuple[str, tuple[str, ...]]] = []
    last: Step | None = None
    end = int(max_seconds * CPU_HZ)
    for last in steps:
        if isinstance(last, Snap):
            snaps.append((last.name, tuple(console.screen.rows)))
        elif not _do(console, last, _left(console, end)):
            shown = last.text or "" if isinstance(last, Until) else ""
            keys = last.text if isinstance(last, Type) else getattr(last, "key", "")
            return CartridgeRun(console, False, shown, tuple(snaps), keys)
    done = True
    # Keys give the program something to do; after any other step the run stops.
    if last is None or isinstance(last, Type | Press):
        done = _to_the_end(console, _left(console, end), works)
    return CartridgeRun(console, done, "", tuple(snaps))


def _left(console: CartridgeConsole, end: int) -> float:
    """The seconds of machine time up to a cycle."""
    return max(end - console.clock.cycles, 0) / CPU_HZ


def _to_the_end(console: CartridgeConsole, max_seconds: float, works: Callable[[], None]) -> bool:
    """Let the program run; False if it does not end, or waits for a key."""
    limit = console.clock.cycles + int(max_seconds * CPU_HZ)
    looked = console.clock.cycles
    while not console.over:
        now = console.clock.cycles
        if not console.waiting_line:
            looked = now
            works()
        if now >= limit or now - looked >= PATIENCE * CPU_HZ:
            return False
        console.wait(4)
    return True


def _do(console: CartridgeConsole, step: Step, max_seconds: float) -> bool:
    """Do a step; False when what it waits for does not come."""
    keyboard = console.machine.keyboard
    match step:
        case Until(text):
            return (
                console.run(max_seconds) if text is None else console.run_until(text, max_seconds)
            )
        case Type(text):
            return all(_press(console, Press(one), max_seconds) for one in text)
        case Press():
            return _press(console, step, max_seconds)
        case Tap(key, hold, gap):
            keyboard.key_down(key)
            held = _wait(console, hold, max_seconds)
            keyboard.key_up(key)
            return held and _wait(console, gap, max_seconds)
        case Hold(key):
            keyboard.key_down(key)
        case Release(key):
            keyboard.key_up(key)
        case Joystick(unit, x, y, fire):
            keyboard.set_joystick(unit, x, y, fire)
        case Wait(frames):
            return _wait(console, frames, max_seconds)
        case _:
            raise TIError(f"{step}: not with a cartridge", remedy="use until, type, press or wait")
    return True


def _wait(console: CartridgeConsole, frames: int, max_seconds: float) -> bool:
    """Let frames pass; False when they last longer than the time that is left."""
    most = int(max_seconds * CPU_HZ / FRAME)
    console.wait(min(frames, most))
    return frames <= most


def _press(console: CartridgeConsole, step: Press, max_seconds: float) -> bool:
    """Press a key and hold it until the program has seen it; False if it never does."""
    keyboard = console.machine.keyboard
    keyboard.press(step.key, step.hold, step.gap)
    # A program that never scans the keyboard would hold the key for ever.
    limit = console.clock.cycles + int(max_seconds * 60) * FRAME
    while not keyboard.rested:
        if console.clock.cycles >= limit or console.over:
            return False
        console.wait(1)
    return True


def drawn(run: CartridgeRun) -> Sequence[str]:
    """The rows of the screen."""
    return run.console.screen.text.split("\n")


START = 0xA000
"""The address of a compiled program's first instruction."""


class Stopped(Exception):
    """The program has reached a line where it must stop."""


@dataclass
class Follower:
    """Executes a cartridge's program instruction by instruction and follows its lines.

    `entered` is called with the number of each line that begins. `cycles` and `times` count, by
    line, CPU cycles and how often it began. `places` (address and number, ascending) and `end`, the
    end of the code, replace the program's own line table, for example by one of statements.
    """

    console: CartridgeConsole
    entered: Callable[[int], None] = lambda number: None
    line: int = 0
    """The current line; 0: none yet."""
    cycles: Counter[int] = field(default_factory=Counter)
    times: Counter[int] = field(default_factory=Counter)
    places: Sequence[tuple[int, int]] = ()
    end: int = 0

    def __post_init__(self) -> None:
        self._take(self.places)
        self._reported = -1
        """The address last reported to `entered`, until its instruction has run; −1: none."""
        self.console.engine.execute = self._execute

    def _learn(self) -> None:
        if self.places:
            return
        lines = self.console.lines
        if not lines:
            raise TIError(
                "the cartridge has no table of its lines",
                remedy="compile its program with ti99tools compile",
            )
        # The header's fourth word is the end of the code.
        self.end = self.console.engine.bus.word_at(START + 6)
        self._take(lines)

    def _take(self, places: Sequence[tuple[int, int]]) -> None:
        self._addresses = [address for address, _ in places]
        self._numbers = [number for _, number in places]
        self._starts = dict(places)
        # Reversed, so that the lowest of a line's several addresses wins.
        self._first = {number: address for address, number in reversed(places)}

    def line_at(self, address: int) -> int:
        """The line whose code contains an address; 0: none."""
        if not self._addresses or not self._addresses[0] <= address < self.end:
            return 0
        return self._numbers[bisect_right(self._addresses, address) - 1]

    @property
    def numbers(self) -> list[int]:
        """The lines of the program, once it runs."""
        return sorted(set(self._numbers))

    def _execute(self, until: int) -> None:
        cpu, bus = self.console.engine.cpu, self.console.engine.bus
        while bus.cycles < until:
            at, before = cpu.pc, bus.cycles
            # The cartridge copies the program into memory just before it starts there.
            if at == START:
                self._learn()
            started = self._starts.get(at)
            # After a stop the same instruction comes again; it must not count twice.
            if started is not None and self._reported != at:
                self._reported = at
                # A line may have several places. It begins at its first one, and wherever it is
                # entered from another line.
                if started != self.line or at == self._first[started]:
                    self.times[started] += 1
                    self.line = started
                    self.entered(started)
            self.line = self.line_at(at) or self.line
            try:
                cpu.step()
            # Cycles have passed even when the instruction raises.
            finally:
                self.cycles[self.line] += bus.cycles - before
            self._reported = -1


@dataclass(frozen=True, slots=True)
class LineTime:
    """A line: seconds of machine time spent in it, and how often it began.

    `text` is its source, if known.
    """

    line: int
    seconds: float
    times: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class CartridgeProfile:
    """A run and its lines with their times, longest first.

    `waited`: seconds of its last wait for a key, which counts for no line.
    """

    run: CartridgeRun
    lines: Sequence[LineTime]
    waited: float = 0.0


def line_times(name: str, steps: Iterable[Step], max_seconds: float) -> CartridgeProfile:
    """Run a cartridge as `run` does, and time its lines. Raises TIError."""
    console = opened(Path(name))
    follower = Follower(console)
    cycles, times = follower.cycles, follower.times

    def works() -> None:
        nonlocal cycles, times
        cycles, times = follower.cycles.copy(), follower.times.copy()

    run = perform(console, steps, max_seconds, works)
    if not run.waits:
        cycles, times = follower.cycles, follower.times
    if not follower.numbers:
        raise TIError(f"{name}: no program of ti99tools compile ran", remedy="choose another file")
    texts = _texts_beside(Path(name))
    rows = [
        LineTime(line, spent / CPU_HZ, times[line], texts.get(line, ""))
        for line, spent in cycles.most_common()
        # Line 0 is the time before the first line.
        if line
    ]
    waited = (follower.cycles.total() - cycles.total()) / CPU_HZ
    return CartridgeProfile(run, rows, waited)


HELP = """\
break 120      stop whenever line 120 begins        delete 120   remove it
continue       go on to the next stop (also c)      step         go on to the next line (also s)
wait 60        go on for 60 frames                  where        the line and its text
type KEYS      press keys, \\n is ENTER             screen       what is shown
registers      those of the program                 peek A000 4  bytes of memory
quit"""
SECONDS = 60.0
"""Machine time after which a program that reaches no breakpoint is stopped."""
_MOST_BYTES = 256
"""The most bytes that `peek` shows."""


OVER = "the machine time is over: allow more seconds"


class Debugger:
    """A debugger for cartridges: takes commands; `say` receives their output."""

    def __init__(self, name: str, say: Callable[[str], None], max_seconds: float = 600.0) -> None:
        """The program runs for `max_seconds` of machine time at most, in all.

        Raises TIError for a file that is not a cartridge.
        """
        self.console: CartridgeConsole = opened(Path(name))
        self._end = self.console.clock.cycles + int(max_seconds * CPU_HZ)
        self._say = say
        self._points: set[int] = set()
        self._stepping = False
        self._texts = _texts_beside(Path(name))
        self._follower = Follower(self.console, self._entered)
        self.over = False

    def _entered(self, number: int) -> None:
        if self._stepping or number in self._points:
            raise Stopped

    def run(self, commands: Iterable[str]) -> None:
        """Stop before the first line, then take commands until `quit` or their end."""
        self._go(step=True)
        for command in commands:
            try:
                self.do(command)
            except (TIError, ValueError, IndexError) as error:
                # ValueError and IndexError: words that are missing or are not numbers.
                self._say(str(error) if isinstance(error, TIError) else HELP)
            if self.over:
                return

    def do(self, command: str) -> None:
        """Carry out one command. Raises TIError, ValueError or IndexError for an invalid one."""
        words = command.split()
        if not words:
            return
        match words[0].lower():
            case "break" | "b":
                self._break(int(words[1]))
            case "delete" | "d":
                self._points.discard(int(words[1]))
            case "continue" | "c" | "go":
                self._go(step=False)
            case "step" | "s":
                self._go(step=True)
            case "wait" | "w":
                self._go(step=False, frames=int(words[1]))
            case "type" | "t":
                # A typed \n means ENTER.
                for key in command.split(None, 1)[1].replace("\\n", "\n"):
                    self.console.press(key)
            case "where":
                self._where()
            case "screen":
                self._say(self.console.screen.text)
            case "registers" | "r":
                values = self.console.engine.bus.words_at(self.console.engine.cpu.wp, 16)
                self._say(" ".join(f"R{n}=>{value:04X}" for n, value in enumerate(values)))
            case "peek" | "p":
                count = min(int(words[2]), _MOST_BYTES) if len(words) > 2 else 1
                data = self.console.engine.bus.bytes_at(int(words[1].lstrip(">"), 16), count)
                self._say(data.hex(" "))
            case "quit" | "q":
                self.over = True
            case word:
                if word != "help":
                    self._say(f"unknown command {word}; the commands are:")
                self._say(HELP)

    def _break(self, number: int) -> None:
        numbers = self._follower.numbers
        if number not in numbers:
            raise TIError(
                f"line {number} has no code", remedy=f"the lines are {numbers[0]} to {numbers[-1]}"
            )
        self._points.add(number)

    def _go(self, step: bool, frames: int | None = None) -> None:
        self._stepping = step
        left = _left(self.console, self._end)
        try:
            if frames is not None:
                if _wait(self.console, frames, left):
                    self._say(f"{frames} frames later")
                else:
                    self._say(OVER)
            elif self.console.run(min(SECONDS, left)):
                self._say("the program has ended")
            elif left <= SECONDS:
                self._say(OVER)
            else:
                self._say(f"no stop in {SECONDS:g} seconds of machine time")
        except Stopped:
            pass
        self._where()

    def _where(self) -> None:
        number = self._follower.line
        waits = self.console.waiting_line
        told = f", line {waits} waits for a key" if waits else ""
        self._say(f"{self._texts.get(number, f'line {number}')}{told}")


def _texts_beside(cartridge: Path) -> dict[int, str]:
    """Line number → text of the source that has the cartridge's name; empty without one."""
    for suffix in TEXTS:
        path = cartridge.with_suffix(suffix)
        if path.is_file():
            try:
                target = find_target(str(path))
            except SourceError:
                return {}
            if target.program is None:
                return {}
            found = {}
            for line in target.program.lines:
                place = target.where(line.number)
                found[line.number] = f"{list_line(line.number, line.tokens)}  ({place})"
            return found
    return {}
