"""What every console has, whatever is in its port: time, keys, a screen, drives.

Players of scripts, recorders and front ends need nothing else. A console of either kind says what
works on it (`Worker`), and how it comes to its end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, MutableMapping
from enum import StrEnum
from typing import NamedTuple

from ti99tools.base.counts import Hits
from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.keyscript import AFTER_READY, TAPPED
from ti99tools.computer.console.timekeeper import Timekeeper, Worker
from ti99tools.computer.console.variables import Variables
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.machinecode.running import Engine
from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.hardware.machine.drives import Drives
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.hardware.render.picture import Display
from ti99tools.language.listing.listing import Line
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage


class NoDisk(TIError, KeyError):
    """A drive without a disk."""


class DiskDrives(MutableMapping[str, DiskImage]):
    """The images in the drives by name, as they are now.

    `disks["DSK2"] = image` puts a disk into a drive, `del disks["DSK2"]` takes it out.
    """

    def __init__(self, drives: Drives) -> None:
        self._drives = drives

    def __getitem__(self, drive: str) -> DiskImage:
        """The disk in a drive. Raises NoDisk."""
        images = self._drives.images()
        if drive not in images:
            full = ", ".join(images) or "none"
            problem = f"no disk is in {drive!r}; drives with one: {full}"
            raise NoDisk(problem, remedy='put one in: console.disks["DSK1"] = DiskImage.new()')
        return images[drive]

    def __setitem__(self, drive: str, image: DiskImage) -> None:
        """Put a disk into a drive ("DSK1" to "DSK4").

        Raises TIError for another name, and for something that is not an image.
        """
        self._drives.mount(drive, image)

    def __delitem__(self, drive: str) -> None:
        """Take the disk out of a drive. Raises NoDisk if none is in it."""
        self[drive]
        self._drives.eject(drive)

    def __iter__(self) -> Iterator[str]:
        return iter(self._drives.images())

    def __len__(self) -> int:
        return len(self._drives.images())

    def __repr__(self) -> str:
        return repr(self._drives.images())


LOOK = 4
"""Frames between two looks at the screen, as in the recordings."""


class RunEnd(StrEnum):
    """Why `Console.run` returned; each member equals its word, so `run() == "ready"` holds."""

    READY = "ready"
    """The program has ended."""
    ERROR = "error"
    """An uncaught error: see `Console.error`."""
    STOPPED = "stopped"
    """A break."""
    KEYS = "keys"
    """A key is required and none is queued."""
    LIMIT = "limit"
    """The time is over."""


class StoppingWarning(NamedTuple):
    """Text of a warning, the number of its line (None in a command), and where the statement is in
    the tokens of that line, 0 if that is not known.
    """

    text: str
    line: int | None
    offset: int = 0


class AnyConsole(ABC):
    """A console on which time passes only as far as it is asked to."""

    def __init__(self, machine: Machine, worker: Worker, max_seconds: float) -> None:
        """`worker` works on the machine; `max_seconds` limits one call that waits."""
        self._machine = machine
        self.max_seconds = max_seconds
        self.waits = False
        """Set when `resume` returned because the program waits for a key, and does nothing else."""
        self.seen_at = 0
        """The cycle of the look at which `run_until` last saw what it waited for."""
        self.screen = Display(machine.vdp, machine.picture)
        """The screen: `.text`, `.rows`, `.codes`, `.png()`."""
        self._time = Timekeeper(machine, worker)
        self._waited_to = self._stood_at = -1
        """Cycles: where the last `wait` was to end, and where the clock stood then. The latter is
        -1 once a key or a joystick has moved.
        """
        self._moment = self._moment_at = 0
        """Cycles: what the console was last to reach, and where the clock, perhaps past it, stood
        then.
        """

    # -- looking --------------------------------------------------------------------------

    @property
    def machine(self) -> Machine:
        """The TI-99/4A that the console is: screen, keyboard, sound, drives."""
        return self._machine

    @property
    def clock(self) -> Clock:
        """Machine time, in cycles of 3 MHz since power-on."""
        return self.machine.clock

    @property
    def sound(self) -> SoundChip:
        """The sound chip: `.written` is every byte sent to it."""
        return self.machine.sound

    @property
    def disks(self) -> DiskDrives:
        """The images in the drives by name, as they are now: `disks["DSK1"].read("BEST").records`.

        `disks["DSK2"] = image` puts another disk into a drive. Records of open files may be missing
        until the files are closed.
        """
        return DiskDrives(self.machine.drives)

    @property
    @abstractmethod
    def running(self) -> bool:
        """Tell whether a program runs, or a line typed without a number."""

    @property
    def busy(self) -> bool:
        """Tell whether a program runs, a command is under way, or somebody will take keys."""
        return self.running

    @property
    @abstractmethod
    def error(self) -> XBError | None:
        """The uncaught error that ended the last run."""

    @property
    @abstractmethod
    def stopped_at(self) -> int | None:
        """The number of the line at which a break stopped the program."""

    @property
    def stopped_offset(self) -> int:
        """Where the statement at which it stopped is in the tokens of that line, if known."""
        return 0

    @property
    def stopping_warning(self) -> StoppingWarning | None:
        """The warning that ended the last run, under ON WARNING STOP."""
        return None

    @property
    def failed_offset(self) -> int:
        """Where the statement that failed is in the tokens of the line of `error`, if known."""
        return 0

    @property
    def loading_cycles(self) -> int:
        """Cycles that loading from disks and pre-scans took, for all programs together."""
        return 0

    @property
    @abstractmethod
    def remarks(self) -> list[str]:
        """One text for each thing that the program used and this console lacks."""

    @property
    def program(self) -> Program | None:
        """The program of Extended BASIC in memory."""
        return None

    @property
    def hits(self) -> dict[tuple[Line, ...], Hits]:
        """For each watched program, by its lines: how often its statements ran in all its runs."""
        return {}

    @property
    def variables(self) -> Variables:
        """Variables of the program by name."""
        return Variables(self.execution)

    @property
    @abstractmethod
    def engine(self) -> Engine | None:
        """The processor of machine code; None as long as there was none."""

    @property
    @abstractmethod
    def execution(self) -> Execution | None:
        """The program's run with its variables; None before any."""

    @property
    @abstractmethod
    def line(self) -> int | None:
        """The number of the line that is at work, where the program looks for a key; else None."""

    @abstractmethod
    def start(self) -> None:
        """Start the program, and stop before it does anything."""

    @abstractmethod
    def resume(self, seconds: float | None = None) -> RunEnd:
        """Go on to the end of the program, or until a key is required."""

    def run_until(
        self,
        text: str | None = None,
        ready: bool = False,
        seconds: float | None = None,
        look: int = 1,
        since: int | None = None,
    ) -> bool:
        """Let time pass until `text` is in a row of the screen; if `ready`, until the program ends.

        A text that is already there counts. Looks every `look` frames, counted from now or from
        the cycle `since`; with 1 a program in Extended BASIC stops after the line that showed the
        text. False when the time limit came first, or the program has gone without it. Raises
        TIError when nothing was started that could show it.
        """
        base = self.clock.cycles if since is None else since
        limit, step = self._limit(seconds), look * FRAME
        seen = self._look_for(None if ready else text or "", limit, step, base)
        if seen is None:
            return False
        if ready:
            seen += AFTER_READY * FRAME
            self.advance_to(seen)
        self._note_moment(seen)
        self.seen_at = seen
        return True

    @abstractmethod
    def _look_for(self, text: str | None, limit: int, step: int, base: int) -> int | None:
        """Let time pass until `text` is on the screen or, without one, the program has ended.

        Looks every `step` cycles, counted from `base`. The cycle of the look that saw it; None when
        the cycle `limit` came first.
        """

    # -- acting ---------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Type characters; a newline is ENTER. Time passes until all have been taken.

        Each is given when the program asks for a key: see `press`.
        """
        self.machine.keyboard.type(text)
        self.take_keys()

    def press(self, key: str, hold: int = 4, gap: int = 4) -> None:
        """Press one key: a character, or LEFT, CLEAR, ENTER …; `hold` and `gap` in frames.

        It is given when the program asks for a key, by the rule in docs/keyscripts.md, and kept
        until it is read; time passes until then. `tap` presses it now, whoever looks.
        """
        self.machine.keyboard.press(key, hold, gap)
        self.take_keys()

    def tap(self, key: str, hold: int = TAPPED, gap: int = TAPPED) -> None:
        """Press one key as a person does: down for `hold` frames, then up for `gap` frames. A
        program that does not look meanwhile never sees it.
        """
        self.hold(key)
        self.wait(hold)
        self.release(key)
        self.wait(gap)

    def hold(self, key: str) -> None:
        """Press a key and keep it down, alone or with others, until `release`."""
        self._stood_at = -1
        past = self.clock.cycles - self._moment if self.clock.cycles == self._moment_at else 0
        self.machine.keyboard.key_down(key, past)

    def release(self, key: str) -> None:
        """Release a key pressed by `hold`."""
        self._stood_at = -1
        self.machine.keyboard.key_up(key)

    def joystick(self, unit: int, x: int = 0, y: int = 0, fire: bool = False) -> None:
        """Move joystick 1 or 2, and press its button; it stays so.

        `x` and `y` are −4, 0 or 4 as CALL JOYST gives them, right and up positive. Raises TIError
        for another unit, and for an x or y that is not -4, 0 or 4.
        """
        # CALL JOYST knows no other deflections.
        if unit not in (1, 2) or not {x, y} <= {-4, 0, 4}:
            raise TIError(
                f"no joystick {unit} at {x}, {y}", remedy="units are 1 and 2, x and y −4, 0 or 4"
            )
        self._stood_at = -1
        self.machine.keyboard.set_joystick(unit, x, y, fire)

    def wait(self, frames: int) -> None:
        """Let some frames pass.

        A statement may take time beyond them. The next call subtracts it, unless time has passed or
        a key or joystick has moved in between: together the calls pass the sum of their frames.
        """
        now = self.clock.cycles
        since = self._waited_to if now == self._stood_at else now
        self._waited_to = since + frames * FRAME
        self.advance_to(self._waited_to)
        self._stood_at = self.clock.cycles

    def advance_to(self, cycle: int) -> None:
        """Let the console work until the clock has reached a cycle.

        The clock may be slightly past it: statements that have begun are finished. Dividing the
        time among several calls does not change what the program does, except that CLEAR may stop
        it at a neighbouring statement.
        """
        self._time.work_to(cycle)
        self._note_moment(cycle)

    def _note_moment(self, cycle: int) -> None:
        self._moment, self._moment_at = min(cycle, self.clock.cycles), self.clock.cycles

    def take_keys(self, seconds: float | None = None) -> bool:
        """Work until all keys have been taken, and not a frame longer.

        False if that takes more than `seconds` of machine time (None: `max_seconds`).
        """
        return self._time.take_keys(self._limit(seconds))

    def _limit(self, seconds: float | None) -> int:
        return self._time.after(self.max_seconds if seconds is None else seconds)
