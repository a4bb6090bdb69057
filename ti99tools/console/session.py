"""The public console: power on, load, run, press keys, look.

`Console` wires the machine, the interpreter and the command mode together; this is the one place
where they meet.
"""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.console.command import Commands
from ti99tools.console.command_files import ProgramStore
from ti99tools.console.compiled import compiler_of
from ti99tools.console.timekeeper import Stop, Timekeeper
from ti99tools.console.variables import Variables
from ti99tools.disk.image import DiskImage
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.lines import COMMAND, Listing
from ti99tools.interp.run.execution import Execution
from ti99tools.interp.run.messages import Where, show
from ti99tools.interp.run.runtime import Runtime
from ti99tools.interp.run.signals import Breakpoint, ProgramEnd, RunAgain, WarningStop
from ti99tools.interp.run.timing import loading
from ti99tools.machine.clock import FRAME, Clock
from ti99tools.machine.machine import Machine
from ti99tools.machine.soundchip import SoundChip
from ti99tools.machine.vdp import SPRITE_COUNT
from ti99tools.program.program import Program
from ti99tools.render.display import Display
from ti99tools.source.prescan import Scan

AFTER_READY = 30
"""Frames that pass after `* READY *` was seen."""

BOOT_CYCLES = 6_260_000
"""From choosing Extended BASIC to the loading of DSK1.LOAD (fitted to the recorded cases)."""

READY = "* READY *"


class Console:
    """A TI-99/4A with Extended BASIC, its disks in the drives.

    `max_seconds` limits the machine time of one `run` or `run_until`. A `watched` console notes
    which lines of its program run: see `reached`.
    """

    def __init__(
        self,
        disks: Mapping[str, DiskImage] | None = None,
        max_seconds: float = 600.0,
        watched: bool = False,
    ) -> None:
        self.machine = Machine(disks or {})
        self.screen = Display(self.machine.vdp, self.machine.sync)
        """The screen: `.text`, `.rows`, `.codes`, `.png()`."""
        self.max_seconds = max_seconds
        self.watched = watched
        self.program: Program | None = None
        self.store = ProgramStore(self.machine.drives)
        self.runtime = Runtime(self.machine, self.store)
        self.execution: Execution | None = None
        self._compiler: Compiler | None = None
        self.error: XBError | None = None
        self.stopped_at: Breakpoint | None = None
        self.running = False
        self.in_command = False
        self.waits = False
        """Whether `run` or `resume` came back because INPUT or ACCEPT waits for a key."""
        self.loading_cycles = 0
        """How long all programs together have taken to load."""
        self.commands = Commands(self)
        self._time = Timekeeper(self.machine, self)

    # -- what one looks at ----------------------------------------------------------------

    @property
    def clock(self) -> Clock:
        """Machine time."""
        return self.machine.clock

    @property
    def sound(self) -> SoundChip:
        """The sound chip: `.written` is every byte sent to it."""
        return self.machine.sound

    def sprite(self, number: int) -> tuple[int, int]:
        """Row and column of sprite #1 to #28, as CALL POSITION gives them; 0, 0: not defined."""
        if not 1 <= number <= SPRITE_COUNT:
            raise TIError(f"no sprite #{number}", remedy=f"use #1 to #{SPRITE_COUNT}")
        return self.machine.sprites.row_and_column(number - 1)

    @property
    def variables(self) -> Variables:
        """Variables of the program by name, e.g. `["GOAL"]`, `["N$"]`, `["A(2,1)"]`."""
        return Variables(self.execution)

    @property
    def reached(self) -> frozenset[int]:
        """Numbers of the lines of a watched program that have run, in all its runs together."""
        return frozenset(self.runtime.reached)

    # -- what one does --------------------------------------------------------------------

    def boot(self) -> None:
        """Switch on and choose Extended BASIC; DSK1.LOAD starts if it is there."""
        self.clock.advance(BOOT_CYCLES)
        try:
            self.program = self.store.load("DSK1.LOAD")
        except XBError:
            self.show_ready()
            return
        self.wait_for_disk()
        self.start()

    def load(self, program: Program) -> None:
        """Put a program into memory as OLD would; nothing runs.

        Raises TIError for what is no program.
        """
        if not isinstance(program, Program):
            raise TIError(
                f"{program!r} is no program",
                remedy='write Program.open("game.xb") for a file, Program.from_listing for a text',
            )
        self.program = program
        self.forget()

    def run(self, seconds: float | None = None) -> str:
        """RUN, to its end or as far as it comes.

        "ready": ended; "error": an uncaught error, see `error`; "stopped": a break; "keys": a key
        is wanted and none is queued; "limit": the time is over. `resume` goes on after the last
        two.

        A key is wanted by INPUT, LINPUT and ACCEPT, then `waits` is set; and by a program that has
        made 1000 CALL KEYs in vain since the last key, or that for 28 seconds of machine time
        looks for one at least four times a second while nothing is seen or heard of it. JOYST
        alone looks for no key.
        """
        self.start()
        return self._go_on(seconds)

    def resume(self, seconds: float | None = None) -> str:
        """Go on after `run` came back, e.g. with more keys; answers as `run`."""
        return self._go_on(seconds)

    def run_until(
        self, text: str | None = None, ready: bool = False, seconds: float | None = None
    ) -> bool:
        """Let time pass until `text` (within a row) or `* READY *` is on the screen.

        Level-triggered: already there counts. Looks every 4 frames. False when the time limit
        came first. Raises TIError when nothing was started that could show it.
        """
        wanted = READY if ready else text or ""
        asleep = not self.busy and self.execution is None and self.machine.keyboard.rested
        if asleep and seconds != 0 and not self.screen.shows(wanted):
            raise TIError(
                f"nothing runs that could show {wanted}",
                remedy="call start(), or run(), which goes to the end, after load()",
            )
        if not self._time.work_until(lambda: self.screen.shows(wanted), self._limit(seconds)):
            return False
        if ready:
            self.wait(AFTER_READY)
        return True

    def type(self, text: str) -> None:
        """Type characters; a newline is ENTER. Time passes until all have been taken."""
        self.machine.keyboard.type(text)
        self._drain()

    def press(self, key: str, hold: int = 4, gap: int = 4) -> None:
        """Press one key: a character, or LEFT, CLEAR, ENTER …; `hold` and `gap` in frames."""
        self.machine.keyboard.press(key, hold, gap)
        self._drain()

    def hold(self, key: str) -> None:
        """A key goes down and stays so, by itself or with others, until `release`."""
        self.machine.keyboard.key_down(key)

    def release(self, key: str) -> None:
        """Let a key go that `hold` has pressed."""
        self.machine.keyboard.let_go(key)

    def joystick(self, unit: int, x: int = 0, y: int = 0, fire: bool = False) -> None:
        """Move joystick 1 or 2, and press its button; it stays so.

        `x` and `y` are −4, 0 or 4 as CALL JOYST gives them, right and up positive.
        """
        if unit not in (1, 2) or not {x, y} <= {-4, 0, 4}:
            raise TIError(
                f"no joystick {unit} at {x}, {y}", remedy="units are 1 and 2, x and y −4, 0 or 4"
            )
        self.machine.keyboard.set_joystick(unit, x, y, fire)

    def wait(self, frames: int) -> None:
        """Let some frames pass."""
        self.advance_to(self.clock.cycles + frames * FRAME)

    def advance_to(self, cycle: int) -> None:
        """Let the console work until the clock has reached a cycle.

        It may stand a little beyond: statements that have begun are finished. Where the stops of
        several calls lie makes no difference to what the program does.
        """
        self._time.work_to(cycle)

    def take_keys(self, seconds: float) -> bool:
        """Work until all keys have been taken, and not a frame longer.

        False if that takes more than so many seconds of machine time.
        """
        return self._time.take_keys(self._limit(seconds))

    def command(self, line: str) -> None:
        """Type a command line and let it finish."""
        self.type(line + "\n")
        self._go_on(None)

    # -- for command mode -----------------------------------------------------------------

    def start(self, line: int | None = None) -> None:
        """RUN [line]: scan the program and stand before its first statement."""
        self.runtime.files.close_all()
        before = self.execution
        self.in_command = False
        self.forget()
        self.machine.reset_graphics()
        self.runtime.reset()
        try:
            lines = () if self.program is None else self.program.lines
            compiler = compiler_of(lines, self.watched)
        except XBError as error:
            self.stop_with(error, Where(error.line))
            return
        if compiler is not self._compiler:
            self.runtime.reached.clear()
        self._compiler = compiler
        self.execution = Execution(self.runtime, compiler.listing, compiler)
        self.runtime.execution = self.execution
        if before is not None and before.listing.numbers == compiler.listing.numbers:
            self.execution.set_breakpoints(tuple(before.breakpoints), False)
            self.execution.trace(before.tracing)
        self.execution.start(0 if line is None else self.execution.line_index(line))
        self.running = True

    def wait_for_disk(self) -> None:
        """Let the time pass that the program in memory took to load."""
        if self.program is not None:
            cycles = loading(line.tokens for line in self.program.lines)
            self.clock.advance(cycles)
            self.loading_cycles += cycles

    def _program_listing(self) -> Listing:
        lines = () if self.program is None else self.program.lines
        return Listing((n.number, n.tokens) for n in lines)

    def go_on(self) -> None:
        """CON: go on where a break stopped the program. CAN'T CONTINUE if it cannot."""
        stop = self.stopped_at
        if stop is None or self.execution is None:
            raise XBError(xb.CANT_CONTINUE)
        self.stopped_at = None
        if stop.continue_at is None:
            self.stop_with(XBError(xb.SYNTAX_ERROR), Where(stop.line))
            return
        self.execution.go_on(stop.continue_at)
        self.running = True

    def execute(self, tokens: bytes) -> None:
        """Start a line typed without a number; `in_command` until it is done."""
        if self.execution is None:
            listing = self._program_listing()
            self.execution = Execution(self.runtime, listing, Compiler(listing, Scan()))
            self.runtime.execution = self.execution
        self.in_command = True
        try:
            self.execution.command(tokens)
        except XBError as error:
            self.stop_with(error, Where())
            return
        self.running = True

    def forget(self) -> None:
        """Variables and the place where CON would go on are gone."""
        self.execution = None
        self.runtime.execution = None
        self.error = None
        self.stopped_at = None
        self.running = False

    def show_ready(self) -> None:
        """`* READY *` and the prompt."""
        show(self.screen, [READY])
        self.runtime.pending.column = 0
        self.commands.show_prompt()

    def stop_with(self, error: XBError, where: Where | None = None) -> None:
        """An uncaught error ends what is running: its message, then the prompt."""
        if where is None:
            where = self.execution.error_where if self.execution is not None else Where()
        if not self.in_command:
            self.error = error
            self.stopped_at = None
            if self.execution is not None:
                self.execution.abandon()
        self._stopped()
        self.runtime.show_error(error, where)
        self.commands.show_prompt()

    # -- work -----------------------------------------------------------------------------

    def _limit(self, seconds: float | None) -> int:
        return self._time.after(self.max_seconds if seconds is None else seconds)

    def _drain(self) -> None:
        """Let time pass until all keys have been taken, or the limit is reached."""
        self._time.work_until(lambda: self.machine.keyboard.rested, self._limit(None))

    def _go_on(self, seconds: float | None) -> str:
        stop = self._time.work_off(self._limit(seconds))
        self.waits = stop is Stop.KEYS
        if stop is not Stop.DONE:
            return "limit" if stop is Stop.LIMIT else "keys"
        if self.stopped_at is not None:
            return "stopped"
        return "ready" if self.error is None else "error"

    @property
    def busy(self) -> bool:
        """Whether a program runs or a command is under way."""
        return self.running or self.commands.busy

    def work(self) -> None:
        """Run the program until it is over, or take one line at the prompt."""
        if not self.running:
            self.commands.run()
            return
        assert self.execution is not None
        try:
            self.execution.run()
        except ProgramEnd:
            if self.in_command:
                self._command_done()
                return
            self._stopped()
            self.runtime.files.close_all()
            self.show_ready()
        except WarningStop:
            self._stopped()
            self.commands.show_prompt()
        except Breakpoint as stop:
            if not self.in_command:
                self.stopped_at = stop
            self._stopped()
            self._show_break(stop)
        except RunAgain as again:
            self._run_again(again)
        except XBError as error:
            self.stop_with(error)

    def _command_done(self) -> None:
        # Colours set at the prompt do not last: a known nuisance of the console, not recorded.
        self._stopped()
        self.commands.show_prompt()

    def _show_break(self, stop: Breakpoint) -> None:
        place = "" if stop.line == COMMAND else f" IN {stop.line}"
        show(self.screen, [f"* BREAKPOINT{place}"])
        self.runtime.pending.column = 0
        self.commands.show_prompt()

    def _run_again(self, again: RunAgain) -> None:
        if isinstance(again.program, Program):
            self.program = again.program
            self.wait_for_disk()
        self.start(again.line)

    def _stopped(self) -> None:
        """What every return to the prompt does."""
        self.running = self.in_command = False
        self.machine.reset_graphics()
