"""The public console: a computer with Extended BASIC; power on, load, run, press keys, look.

The one place where machine, interpreter and command mode meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from math import inf

from ti99tools.base.basic import READY
from ti99tools.base.codes import INTERRUPT_FLAGS
from ti99tools.base.counts import RAN, Hits
from ti99tools.base.cycles.console import BOOT_CYCLES, FRAME_LEFT, SCAN
from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import TEXTS, XBError
from ti99tools.computer.console.anyconsole import AnyConsole, StoppingWarning
from ti99tools.computer.console.anyconsole import RunEnd as RunEnd  # for its users
from ti99tools.computer.console.command import Commands
from ti99tools.computer.console.questions import Questions
from ti99tools.computer.console.standingalone import ReportedQuestions, StandingAlone
from ti99tools.computer.console.timekeeper import WorkEnd, next_look
from ti99tools.computer.console.variables import Variables
from ti99tools.computer.console.workspace import Workspace
from ti99tools.computer.interp.compile.units import COMMAND
from ti99tools.computer.interp.io.lineeditor import LineEditor
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.locating import spot_now
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.computer.machinecode.running import PATIENCE, Engine
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.cpu_memory import NO_QUIT
from ti99tools.hardware.machine.machine import Connected, Machine
from ti99tools.hardware.machine.vdp import SPRITE_COUNT
from ti99tools.language.listing.laterprofiles import profile_of
from ti99tools.language.listing.listing import Line
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage


class Computer:
    """Extended BASIC at work: the program in memory, or the prompt."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.commands = Commands(workspace)
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
        clock = self.workspace.machine.clock
        clock.phase = FRAME_LEFT
        clock.advance(BOOT_CYCLES)
        try:
            self.workspace.load("DSK1.LOAD")
        except XBError:
            self.show_ready()
            return
        self.began = clock.cycles + SCAN["RUN"]
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


class Console(AnyConsole):
    """A TI-99/4A with Extended BASIC, its disks in the drives.

    `max_seconds` limits the machine time of one `run` or `run_until`. A `watched` console counts
    how often the statements of its programs run: see `hits`. `real_drives` take the time of
    5.25-inch drives for their turning and stepping; without it, as on the recorded machine, they
    answer at once. `connected` maps CS1 and CS2 to a `Cassette`, PIO, RS232 and RS232/2 to a
    `Port`. Without `expansion` machine code finds no 32K memory expansion. Machine code ends with
    a CodeError if for `code_seconds` of machine time it neither has an interrupt served nor looks
    at the keyboard. RANDOMIZE without a value finds the clock `randomize` frames later than it
    is, so that runs with the same keys can differ. `basic` names the profile of a later Extended
    BASIC with its subprograms: `rxb` or `xb29`. Raises TIError for an
    unknown one, and for `max_seconds` that are no time.
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
        profile = profile_of(basic)
        if not isinstance(max_seconds, int | float) or not 0 < max_seconds < inf:
            raise TIError(f"max_seconds is {max_seconds!r}", remedy="give a number of seconds")
        machine = Machine(disks, real_drives, connected, expansion)
        self.computer = Computer(Workspace(machine, watched, step, basic.lower()))
        super().__init__(machine, self.computer, max_seconds)
        runtime = self.computer.workspace.runtime
        runtime.allow(int(code_seconds * CPU_HZ), randomize * FRAME)

        def bus() -> Bus:
            return runtime.code.engine.bus

        others = ReportedQuestions(machine, bus, lambda: self.alone)
        machine.keyboard.ask(Questions(machine, lambda: self.execution, others))
        self._compiled = StandingAlone(self, bus, lambda: not self.alone)
        if profile is not None and not profile.quits:
            self.machine.memory.poke(INTERRUPT_FLAGS, NO_QUIT)

    def __repr__(self) -> str:
        memory = "no program" if self.program is None else repr(self.program)
        state = "running" if self.running else f"stopped, {self.error}" if self.error else "at rest"
        return f"<Console with {memory}, {state} after {self.clock.seconds:.1f} s>"

    # -- looking --------------------------------------------------------------------------

    @property
    def program(self) -> Program | None:
        """The program in memory."""
        return self.computer.workspace.program

    @property
    def engine(self) -> Engine | None:
        """The processor of machine code; None as long as there was none."""
        code = self.computer.workspace.runtime.code
        return code.engine if code.in_use else None

    @property
    def execution(self) -> Execution | None:
        """The program's run with its variables; None before any, and once a compiled program has
        replaced it.
        """
        return None if self.alone else self.computer.workspace.execution

    @property
    def error(self) -> XBError | None:
        """The uncaught error that ended the last run."""
        if self.alone:
            return self._compiled.error
        return self.computer.workspace.error

    @property
    def stopped_at(self) -> int | None:
        """The number of the line at which a break stopped the program; CON goes on there."""
        if self.alone:
            return self._compiled.stopped_at
        stop = self.computer.workspace.stopped_at
        return None if stop is None else stop.line

    @property
    def stopped_offset(self) -> int:
        """Where the statement at which a break stopped is in the tokens of its line."""
        stop = None if self.alone else self.computer.workspace.stopped_at
        return 0 if stop is None else stop.offset

    @property
    def stopping_warning(self) -> StoppingWarning | None:
        """The warning that ended the last run, under ON WARNING STOP."""
        if self.alone:
            return self._compiled.stopping_warning
        stop = self.computer.workspace.warned
        return None if stop is None else StoppingWarning(TEXTS[stop.code], stop.line, stop.offset)

    @property
    def remarks(self) -> list[str]:
        """One text for each thing a program used that this console lacks, e.g. GROM."""
        workspace = self.computer.workspace
        return [*workspace.runtime.code.remarks, *workspace.area.remarks, *workspace.remarks]

    @property
    def running(self) -> bool:
        """Tell whether a program runs, or a line typed without a number."""
        if self.alone:
            return not self._compiled.over
        return self.computer.running

    @property
    def alone(self) -> bool:
        """Tell whether a compiled program runs that has overwritten Extended BASIC's."""
        return self.computer.workspace.runtime.code.alone

    @property
    def busy(self) -> bool:
        """Tell whether a program runs, a command is under way, or keys are down or queued."""
        if self.alone:
            return not self._compiled.over
        return self.computer.busy or not self.machine.keyboard.rested

    @property
    def loading_cycles(self) -> int:
        """Cycles that loading from disks and pre-scans took, for all programs together."""
        return self.computer.workspace.loading_cycles

    @property
    def line(self) -> int | None:
        """The number of the line that is at work, where the program looks for a key; else None."""
        if self.alone:
            return self._compiled.waiting_line or None
        execution = self.execution
        spot = None if execution is None else spot_now(execution.compiler)
        number = COMMAND if spot is None else spot[0].number(spot[1])
        return None if number == COMMAND else number

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

    def declare(self, program: Program) -> None:
        """Hold the program, when a disk starts it, to what its source declares of its values."""
        self.computer.workspace.declare(program)

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
        stop = WorkEnd.LIMIT if self.alone else self._worked_off(limit)
        if self.alone:
            return self._compiled.resume(limit)
        self.waits = stop is WorkEnd.KEYS
        if stop is not WorkEnd.DONE:
            return RunEnd.LIMIT if stop is WorkEnd.LIMIT else RunEnd.KEYS
        if self.stopped_at is not None:
            return RunEnd.STOPPED
        return RunEnd.READY if self.error is None else RunEnd.ERROR

    def _worked_off(self, limit: int) -> WorkEnd:
        """Work as `Timekeeper.work_off` does, and stop when a compiled program begins."""
        code = self.computer.workspace.runtime.code
        code.when_alone = self.clock.request_pause
        try:
            return self._time.work_off(limit)
        finally:
            code.when_alone = lambda: None

    def take_keys(self, seconds: float | None = None) -> bool:
        """Work until all keys have been taken, and not a frame longer.

        False if that takes more than `seconds` of machine time (None: `max_seconds`), and when a
        compiled program ends without them.
        """
        if self.alone:
            return self._compiled.take_keys(self._limit(seconds))
        return super().take_keys(seconds)

    def _look_for(self, text: str | None, limit: int, step: int, base: int) -> int | None:
        wanted = READY if text is None else text
        idle = not self.busy and self.execution is None
        if idle and limit > self.clock.cycles and not self.screen.shows(wanted):
            raise TIError(
                f"nothing runs that could show {wanted}",
                remedy="call start(), or run(), which goes to the end, after load()",
            )
        exactly = step == FRAME and text
        with self.computer.workspace.line_by_line() if exactly else nullcontext():
            seen = self._time.work_until(lambda: self.screen.shows(wanted), limit, step, base)
        if seen is None or text is not None or self.alone:
            return seen
        return next_look(base, max(base, self.computer.workspace.ready_at), step)

    def command(self, line: str) -> None:
        """Type a command line and let it finish."""
        self.type(line + "\n")
        self.resume()

    def close_files(self) -> None:
        """Close all files, pending records written, as NEW does."""
        if self.alone and self.engine is not None:
            self.engine.cards.close_files()
        self.computer.workspace.runtime.files.close_all()
