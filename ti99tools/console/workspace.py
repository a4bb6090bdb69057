"""The program in memory: its variables, its run, and the messages that end a run.

Knows no command line: whoever lets it run shows the prompt afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.console.command_files import Loading, ProgramStore
from ti99tools.console.compiled import compiler_of, scanned
from ti99tools.console.programarea import ProgramArea
from ti99tools.console.stringarea import StringArea
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.lines import COMMAND, Listing
from ti99tools.interp.compile.timing import scanning
from ti99tools.interp.run.execution import Execution
from ti99tools.interp.run.frames import LEFT
from ti99tools.interp.run.heap import Heap
from ti99tools.interp.run.locating import described, spots_of
from ti99tools.interp.run.messages import Where, show
from ti99tools.interp.run.runtime import Runtime, Stepper
from ti99tools.interp.run.signals import Breakpoint, ProgramEnd, RunAgain, WarningStop
from ti99tools.interp.run.tally import Tally
from ti99tools.machine.machine import SCROLL_CYCLES, Machine
from ti99tools.machine.screen import BLANK
from ti99tools.machinecode.errors import CodeError, Quit
from ti99tools.program.image import Line
from ti99tools.program.program import Program
from ti99tools.source.prescan import Scan

READY = "* READY *"

TO_PROMPT = 1_016_000
"""Cycles of every return to the prompt, up to the message that ends a run: the characters are
restored. Fitted to the times of recorded programs, and to keys typed after an error, which are lost
for 28 to 40 frames."""

_DATA = frozenset((tk.DATA, tk.IMAGE))

AFTER_WARNING = 150_000
"""The same after a warning that stops the program (fitted to three recorded programs)."""

FILE_ERROR_SOONER = 48_000
"""Cycles by which the message of a FILE ERROR comes sooner (fitted to recorded programs)."""

AFTER_ERROR = 49_500
"""Cycles more to the prompt after an error of a program (fitted to 256 recorded programs)."""

AFTER_TYPED = 500_000
"""Cycles more to the prompt after an error in a typed line: keys are lost longer (recorded)."""


class Workspace:
    """Extended BASIC's memory on a machine. A `watched` program's statements are counted;
    `step` is called before each."""

    def __init__(
        self, machine: Machine, watched: bool = False, step: Stepper | None = None
    ) -> None:
        self.machine = machine
        self.watched = watched
        self._step = step
        self.program: Program | None = None
        self.store = ProgramStore(machine.devices, machine.clock)
        self.runtime = Runtime(machine, self.store)
        self.execution: Execution | None = None
        self.error: XBError | None = None
        """The uncaught error that ended the last run."""
        self.stopped_at: Breakpoint | None = None
        self.ready_at = 0
        """When `* READY *` appeared last."""
        self.running = False
        """Tell whether a program runs, or a line typed without a number."""
        self.scan_cycles = 0
        """How long all pre-scans together have taken."""
        self._line_by_line = False
        self.data_scanned = False
        """True if RUN's scan has met a DATA or IMAGE: those typed are refused then (recorded)."""
        self._in_command = False
        self._then: Callable[[], None] | None = None
        """What is done as soon as all questions of devices are answered."""
        self.area = ProgramArea(machine.memory, self)
        StringArea(machine.memory, self)
        self.runtime.program_poked = self._take_poked
        self.tallies: dict[tuple[Line, ...], Tally] = {}
        """What each watched program has counted."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the program."""
        return () if self.program is None else self.program.lines

    @property
    def loading_cycles(self) -> int:
        """How long all programs together have taken to load and to be scanned."""
        return self.store.loading_cycles + self.scan_cycles

    @contextmanager
    def line_by_line(self) -> Iterator[None]:
        """Have the program stop, where it is to stop, between lines and not between blocks."""
        self._line_by_line = True
        self._set_care()
        try:
            yield
        finally:
            self._line_by_line = False
            self._set_care()

    def _set_care(self) -> None:
        if self.execution is not None:
            self.execution.always_careful = self._line_by_line
            self.machine.clock.request_attention()

    @property
    def line(self) -> int | None:
        """The number of the line that runs, None if none does."""
        if self.execution is None or not self.running:
            return None
        return self.execution.line

    @property
    def heap(self) -> Heap | None:
        """The memory of strings and stack; None when no program has run."""
        return None if self.execution is None else self.execution.heap

    @property
    def values(self) -> int:
        """Bytes that numeric values take in high memory."""
        return 0 if self.heap is None else self.heap.taken.values

    def _take_poked(self) -> None:
        """CALL LOAD or machine code may have changed the program in memory, or where it is.

        Raises ProgramEnd where it is at its end now.
        """
        self.area.take()
        if self.area.ended:
            raise ProgramEnd

    def poked(self, program: Program | None) -> None:
        """Machine code or CALL LOAD has changed the program in memory.

        One that runs goes on with the lines that RUN found.
        """
        before = self.lines
        self.program = program
        goes_on = self.running and not self._in_command and not self.area.moved
        if goes_on and self.lines != before:
            self.runtime.code.remark(
                "the program was changed in memory while it ran: its lines count from the next RUN"
            )

    # -- programs come and go -------------------------------------------------------------

    def load(self, name: str) -> None:
        """Replace the program by one from a device, as OLD does. Raises XBError(IO_ERROR)."""
        found = self.store.load(name)
        if isinstance(found, Loading):
            self._then = lambda: self.replace(found.program())
        else:
            self.replace(found)

    @property
    def asking(self) -> bool:
        """Tell whether a device asks for something; then `answer` comes before all else."""
        return self._then is not None or self.runtime.files.asking

    def answer(self) -> None:
        """Let the devices' questions be answered, and do what was to follow.

        Raises Pause while a key is waited for, XBError where a device refuses.
        """
        try:
            self.runtime.files.answer()
        except XBError:
            self._then = None
            raise
        then, self._then = self._then, None
        if then is not None:
            then()

    def replace(self, program: Program | None, keep_files: bool = False) -> None:
        """Put another program into memory: variables are gone, files closed unless kept."""
        if not keep_files:
            self.runtime.files.close_all()
        self.program = program
        self.forget()

    def forget(self) -> None:
        """Variables and the place where CON would go on are gone."""
        self.execution = None
        self.runtime.execution = None
        self.error = None
        self.stopped_at = None
        self.running = False

    # -- starting -------------------------------------------------------------------------

    def start(self, line: int | None = None) -> None:
        """RUN [line]: scan the program and stand before its first statement.

        What the scan refuses is shown; the program is then not `running`.
        """
        self.runtime.files.close_all()
        if self.runtime.files.asking:
            self._then = _go_on
        before = self.execution
        self._in_command = False
        self.forget()
        self.machine.reset_graphics()
        self.runtime.reset()
        found = scanned(self.lines)
        cycles = scanning(found.scan.work)
        self.machine.clock.advance(cycles)
        self.scan_cycles += cycles
        self._note_data(found.line)
        if found.error is not None:
            error = XBError(found.error)
            error.line = found.line
            self._fail(error, Where(found.line))
            return
        compiler = compiler_of(self.lines, self.watched, self._step is not None)
        self.execution = Execution(self.runtime, compiler.listing, compiler)
        if self.watched:
            self._tally(compiler).take(self.execution)
        if self._step is not None:
            self.execution.names["step"] = self._step
        self.runtime.execution = self.execution
        self._set_care()
        if before is not None and before.listing.numbers == compiler.listing.numbers:
            self.execution.set_breakpoints(tuple(before.breakpoints), False)
            self.execution.trace(before.tracing)
        self.execution.start(0 if line is None else self.execution.line_index(line))
        self.running = True

    def _tally(self, compiler: Compiler) -> Tally:
        """The counts of the program in memory, in all its runs together."""
        known = self.tallies.get(self.lines)
        if known is None or known.compiler is not compiler:
            known = self.tallies[self.lines] = Tally(compiler, known.hits if known else None)
        return known

    def _note_data(self, failed: int | None) -> None:
        """Note what RUN's scan has met, which went as far as a line (None: to the end)."""
        scanned = [n for n in self.lines if failed is None or n.number < failed]
        self.data_scanned = any(n.tokens[0] in _DATA for n in scanned)

    def go_on(self) -> None:
        """CON: go on where a break stopped the program. CAN'T CONTINUE if it cannot."""
        stop = self.stopped_at
        if stop is None or self.execution is None:
            raise XBError(xb.CANT_CONTINUE)
        self.stopped_at = None
        if stop.continue_at is None:
            self._fail(XBError(xb.SYNTAX_ERROR), Where(stop.line))
            return
        self.execution.go_on(stop.continue_at)
        self.running = True

    def execute(self, tokens: bytes) -> None:
        """Stand before a line typed without a number; what its scan refuses is shown."""
        if self.execution is None:
            listing = Listing((n.number, n.tokens) for n in self.lines)
            self.execution = Execution(self.runtime, listing, Compiler(listing, Scan()))
            self.runtime.execution = self.execution
        self._in_command = True
        try:
            self.execution.command(tokens)
        except XBError as error:
            self._fail(error, Where())
            return
        self.running = True

    # -- running --------------------------------------------------------------------------

    def run(self) -> None:
        """Run what was started until it is over, and show what ended it. Raises Pause."""
        assert self.execution is not None
        try:
            if self._then is not None:
                self.answer()
                return
            self.execution.run()
        except ProgramEnd:
            if not self._in_command and self.area.runs_again:
                self.start()
            else:
                self._end()
        except Quit:
            self._quit()
        except CodeError:
            self.running = self._in_command = False
            raise
        except WarningStop:
            self._stop(AFTER_WARNING)
        except Breakpoint as stop:
            self._break(stop)
        except RunAgain as again:
            self._run_again(again)
        except XBError as error:
            where = Where() if self.execution is None else self.execution.error_where
            self._fail(error, where)

    def show_ready(self) -> None:
        """Show `* READY *`."""
        before = self.machine.clock.cycles
        show(self.machine.screen, [READY])
        self.ready_at = before + SCROLL_CYCLES

    def _end(self) -> None:
        # Colours set at the prompt do not last: a known nuisance of the console, not recorded.
        typed = self._in_command
        self._stop()
        if not typed:
            assert self.execution is not None
            self.execution.abandon()
            self.runtime.files.close_all()
            self.running = self.runtime.files.asking
            if self.running:
                self._then = self._ready
            else:
                self.show_ready()

    def _ready(self) -> None:
        self.running = False
        self.show_ready()

    def _quit(self) -> None:
        """QUIT, or machine code that starts the console anew: the program is gone.

        The title screen is not part of this console: the screen is blank, then the prompt comes.
        """
        self._stop()
        self.replace(None)
        self.machine.screen.fill(BLANK)

    def _break(self, stop: Breakpoint) -> None:
        """Say where it stopped; CLEAR in a typed ACCEPT leaves everything as it is (recorded)."""
        if self._in_command and stop.typing:
            self.running = self._in_command = False
            return
        if not self._in_command:
            self.stopped_at = stop
        self._stop()
        place = "" if stop.line == COMMAND else f" IN {stop.line}"
        self.machine.sound.honk()
        show(self.machine.screen, [f"* BREAKPOINT{place}"])

    def _run_again(self, again: RunAgain) -> None:
        found = again.program
        if isinstance(found, Loading):
            running = self.execution
            assert running is not None
            spots = spots_of(running.compiler, again)
            running.error_where = described(spots, running.frames, running.active.scope)
            self._then = lambda: self._run_again(RunAgain(again.line, found.program()))
            return
        if isinstance(found, Program):
            self.program = found
        self.start(again.line)

    def _fail(self, error: XBError, where: Where) -> None:
        """An uncaught error ends what is running: its message."""
        if not self._in_command:
            self.error = error
            self.stopped_at = None
            if self.execution is not None:
                self.machine.clock.advance(LEFT * len(self.execution.frames))
                self.execution.abandon()
        sooner = FILE_ERROR_SOONER if error.code == xb.FILE_ERROR else 0
        self._stop(TO_PROMPT - sooner)
        self.runtime.show_error(error, where)
        self.machine.clock.advance(AFTER_TYPED if where.line is None else AFTER_ERROR)

    def _stop(self, cycles: int = TO_PROMPT) -> None:
        """What every return to the prompt does, in the time that it takes up to a message."""
        self.running = self._in_command = False
        self.machine.reset_graphics()
        self.machine.keyboard.read_as_basic()
        self.machine.clock.advance(cycles)


def _go_on() -> None:
    """Nothing is to be done after the answers but what was begun before them."""
