"""The public console: a computer with Extended BASIC; power on, load, run, press keys, look.

The one place where machine, interpreter and command mode meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from enum import StrEnum

from ti99tools.base.counts import RAN, Hits
from ti99tools.base.cycles.console import BOOT_CYCLES, FRAME_LEFT, SCAN
from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.command import Commands
from ti99tools.computer.console.keyscript import TAPPED
from ti99tools.computer.console.questions import Questions
from ti99tools.computer.console.timekeeper import Timekeeper, WorkEnd, next_look
from ti99tools.computer.console.variables import Variables
from ti99tools.computer.console.workspace import READY, Workspace
from ti99tools.computer.interp.io.lineeditor import LineEditor
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.computer.machinecode.running import PATIENCE
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, Clock
from ti99tools.hardware.machine.cpu_memory import INTERRUPT_FLAGS, NO_QUIT
from ti99tools.hardware.machine.machine import Connected, Machine
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.hardware.machine.vdp import SPRITE_COUNT
from ti99tools.hardware.render.picture import Display
from ti99tools.language.listing.laterprofiles import profile_of
from ti99tools.language.listing.listing import Line
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage


class Computer:
    """The computer with its disks in the drives; works only as far as it is asked to."""

    def __init__(
        self,
        disks: Mapping[str, DiskImage],
        watched: bool = False,
        turning_drives: bool = False,
        step: Stepper | None = None,
        connected: Connected | None = None,
        expansion: bool = True,
        basic: str = "",
    ) -> None:
        self.machine = Machine(disks, turning_drives, connected, expansion)
        self.workspace = Workspace(self.machine, watched, step, basic)
        self.commands = Commands(self.workspace)
        self.machine.keyboard.ask(Questions(self.machine, lambda: self.workspace.execution))
        self.began = 0
        """The cycle at which the pre-scan met the first line of the program that `boot` found; 0
        without one.
        """

    @property
    def running(self) -> bool:
        """Tell whether a program runs, or a line typed without a number."""
        return self.workspace.running

    @property
    def busy(self) -> bool:
        """Tell whether a program runs or a command is under way."""
        return self.running or self.commands.busy

    @property
    def editor(self) -> LineEditor | None:
        """The line being typed: in INPUT or ACCEPT, or at the prompt."""
        return self.workspace.runtime.screenio.editor or self.commands.editor

    def boot(self) -> None:
        """Switch on and choose Extended BASIC; DSK1.LOAD starts if it is there."""
        self.machine.clock.phase = FRAME_LEFT
        self.machine.clock.advance(BOOT_CYCLES)
        try:
            self.workspace.load("DSK1.LOAD")
        except XBError:
            self.show_ready()
            return
        self.began = self.machine.clock.cycles + SCAN["RUN"]
        self.start()

    def start(self) -> None:
        """RUN: scan the program and stop before its first statement."""
        self.workspace.start()
        self._come_back()

    def show_ready(self) -> None:
        """Show `* READY *` and the prompt."""
        self.workspace.show_ready()
        self.commands.show_prompt()

    def work(self) -> None:
        """Run the program until it ends, or take one line at the prompt. Raises Pause."""
        if self.running:
            self.workspace.run()
            self._come_back()
        else:
            self.commands.run()

    def _come_back(self) -> None:
        """Show the prompt when nothing is running any more."""
        if not self.running:
            self.commands.show_prompt()


AFTER_READY = 30
"""Frames that pass after `* READY *` is seen."""


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


class Console:
    """A TI-99/4A with Extended BASIC, its disks in the drives.

    `max_seconds` limits the machine time of one `run` or `run_until`. A `watched` console counts
    how often the statements of its programs run: see `hits`. `real_drives` take the time of
    5.25-inch drives for their turning and stepping; without it, as on the recorded machine, they
    answer at once. `connected` maps CS1 and CS2 to a `Cassette`, PIO, RS232 and RS232/2 to a
    `Port`. Without `expansion` machine code finds no 32K memory expansion. Machine code ends with
    a CodeError if for `code_seconds` of machine time it neither has an interrupt served nor looks
    at the keyboard. RANDOMIZE without a value finds the clock `randomize` frames later than it
    is, so that runs with the same keys can differ. `basic` names the profile of a later Extended
    BASIC with its subprograms: `rxb` or `xb29`. Raises TIError for an unknown one.
    """

    def __init__(
        self,
        disks: Mapping[str, DiskImage] | None = None,
        max_seconds: float = 600.0,
        watched: bool = False,
        real_drives: bool = False,
        step: Stepper | None = None,
        connected: Connected | None = None,
        expansion: bool = True,
        code_seconds: float = PATIENCE / CPU_HZ,
        randomize: int = 0,
        basic: str = "",
    ) -> None:
        self.max_seconds = max_seconds
        profile = profile_of(basic)
        self.computer = Computer(
            disks or {}, watched, real_drives, step, connected, expansion, basic.lower()
        )
        self.computer.workspace.runtime.code.patience = int(code_seconds * CPU_HZ)
        self.computer.workspace.runtime.later = randomize * FRAME
        if profile is not None and not profile.quits:
            self.machine.memory.poke(INTERRUPT_FLAGS, NO_QUIT)
        self.waits = False
        """Set when `run` or `resume` returned because INPUT or ACCEPT waits for a key."""
        self.seen_at = 0
        """The cycle of the look at which `run_until` last saw what it waited for."""
        self.screen = Display(self.machine.vdp, self.machine.picture)
        """The screen: `.text`, `.rows`, `.codes`, `.png()`."""
        self._time = Timekeeper(self.machine, self.computer)
        self._waited_to = self._stood_at = -1
        """Cycles: where the last `wait` was to end, and where the clock stood then. The latter is
        -1 once a key or a joystick has moved.
        """
        self._moment = self._moment_at = 0
        """Cycles: what the console was last to reach, and where the clock, perhaps past it, stood
        then.
        """

    def __repr__(self) -> str:
        memory = "no program" if self.program is None else repr(self.program)
        state = "running" if self.running else f"stopped, {self.error}" if self.error else "at rest"
        return f"<Console with {memory}, {state} after {self.clock.seconds:.1f} s>"

    # -- looking --------------------------------------------------------------------------

    @property
    def machine(self) -> Machine:
        """The hardware."""
        return self.computer.machine

    @property
    def clock(self) -> Clock:
        """Machine time."""
        return self.machine.clock

    @property
    def sound(self) -> SoundChip:
        """The sound chip: `.written` is every byte sent to it."""
        return self.machine.sound

    @property
    def disks(self) -> dict[str, DiskImage]:
        """The images in the drives by name, as they are now: `disks["DSK1"].read("BEST").records`.

        Records of open files may be missing until the files are closed.
        """
        return self.machine.drives.images()

    @property
    def program(self) -> Program | None:
        """The program in memory."""
        return self.computer.workspace.program

    @property
    def execution(self) -> Execution | None:
        """The program's run with its variables; None before any."""
        return self.computer.workspace.execution

    @property
    def error(self) -> XBError | None:
        """The uncaught error that ended the last run."""
        return self.computer.workspace.error

    @property
    def stopped_at(self) -> int | None:
        """The number of the line at which a break stopped the program; CON goes on there."""
        stop = self.computer.workspace.stopped_at
        return None if stop is None else stop.line

    @property
    def remarks(self) -> list[str]:
        """One text for each thing a program used that this console lacks, e.g. GROM."""
        workspace = self.computer.workspace
        return [*workspace.runtime.code.remarks, *workspace.area.remarks, *workspace.remarks]

    @property
    def running(self) -> bool:
        """Tell whether a program runs, or a line typed without a number."""
        return self.computer.running

    @property
    def busy(self) -> bool:
        """Tell whether a program runs, a command is under way, or keys are down or queued."""
        return self.computer.busy or not self.machine.keyboard.rested

    @property
    def loading_cycles(self) -> int:
        """Cycles that loading from disks and pre-scans took, for all programs together."""
        return self.computer.workspace.loading_cycles

    @property
    def variables(self) -> Variables:
        """Variables of the program by name, e.g. `["GOAL"]`, `["N$"]`, `["A(2,1)"]`.

        `["FALL.N"]` is N of the PROC FALL.
        """
        return Variables(self.execution, self.computer.workspace.routines)

    @property
    def reached(self) -> frozenset[int]:
        """Numbers of the lines that have run in any run of a watched console's program."""
        program = self.program
        hits = self.hits.get(program.lines, {}) if program is not None else {}
        return frozenset(number for (number, _, what), n in hits.items() if what == RAN and n)

    @property
    def hits(self) -> dict[tuple[Line, ...], Hits]:
        """For each watched program, by its lines: how often its statements ran in all its runs."""
        return {lines: tally.hits for lines, tally in self.computer.workspace.tallies.items()}

    def sprite(self, number: int) -> tuple[int, int]:
        """Row and column of sprite #1 to #28, as CALL POSITION gives them; 0, 0 if it is not
        defined.

        Raises TIError for any other number.
        """
        if not 1 <= number <= SPRITE_COUNT:
            raise TIError(f"no sprite #{number}", remedy=f"use #1 to #{SPRITE_COUNT}")
        return self.machine.sprites.row_and_column(number - 1)

    # -- acting ---------------------------------------------------------------------------

    def boot(self) -> None:
        """Switch on and choose Extended BASIC; DSK1.LOAD starts if it is there."""
        self.computer.boot()

    def load(self, program: Program) -> None:
        """Put a program into memory as OLD would; nothing runs.

        Raises TIError for an object that is not a program.
        """
        if not isinstance(program, Program):
            raise TIError(
                f"{program!r} is not a program",
                remedy='write Program.open("game.xb") for a file, Program.from_listing for a text',
            )
        self.computer.workspace.put(program)

    def start(self) -> None:
        """RUN: scan the program and stop before its first statement."""
        self.computer.start()

    def run(self, seconds: float | None = None) -> RunEnd:
        """RUN, to the end of the program or as far as it gets.

        "ready": ended; "error": an uncaught error, see `error`; "stopped": a break; "keys": a key
        is required and none is queued; "limit": the time is over. `resume` goes on after the last
        two.

        INPUT, LINPUT and ACCEPT require a key; `waits` is set then. A key is also required once
        1000 CALL KEYs since the last key have found none, or when for 28 seconds of machine time
        the program looks for one at least four times a second while screen and sound stay the
        same. CALL JOYST does not look for a key.
        """
        limit = self._limit(seconds)
        self.start()
        return self._resume(limit)

    def resume(self, seconds: float | None = None) -> RunEnd:
        """Go on after `run` returned, e.g. with more keys; returns as `run` does."""
        return self._resume(self._limit(seconds))

    def _resume(self, limit: int) -> RunEnd:
        stop = self._time.work_off(limit)
        self.waits = stop is WorkEnd.KEYS
        if stop is not WorkEnd.DONE:
            return RunEnd.LIMIT if stop is WorkEnd.LIMIT else RunEnd.KEYS
        if self.stopped_at is not None:
            return RunEnd.STOPPED
        return RunEnd.READY if self.error is None else RunEnd.ERROR

    def run_until(
        self,
        text: str | None = None,
        ready: bool = False,
        seconds: float | None = None,
        look: int = 1,
        since: int | None = None,
    ) -> bool:
        """Let time pass until `text` (within a row) or `* READY *` is on the screen.

        A text that is already there counts. Looks every `look` frames, counted from now or from
        the cycle `since`; with 1 the program stops after the line that showed the text. False when
        the time limit came first. Raises TIError when nothing was started that could show it.
        """
        wanted = READY if ready else text or ""
        if (
            not self.busy
            and self.execution is None
            and seconds != 0
            and not self.screen.shows(wanted)
        ):
            raise TIError(
                f"nothing runs that could show {wanted}",
                remedy="call start(), or run(), which goes to the end, after load()",
            )
        limit = self._limit(seconds)
        base = self.clock.cycles if since is None else since
        step = look * FRAME
        exactly = self.computer.workspace.line_by_line() if look == 1 and text else nullcontext()
        with exactly:
            seen = self._time.work_until(lambda: self.screen.shows(wanted), limit, step, base)
        if seen is None:
            return False
        if ready:
            seen = next_look(base, max(base, self.computer.workspace.ready_at), step)
            seen += AFTER_READY * FRAME
            self.advance_to(seen)
        self._note_moment(seen)
        self.seen_at = seen
        return True

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

    def command(self, line: str) -> None:
        """Type a command line and let it finish."""
        self.type(line + "\n")
        self.resume()

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

    def close_files(self) -> None:
        """Close all files, pending records written, as NEW does."""
        self.computer.workspace.runtime.files.close_all()

    def _limit(self, seconds: float | None) -> int:
        return self._time.after(self.max_seconds if seconds is None else seconds)
