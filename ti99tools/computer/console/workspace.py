"""The run of the program in memory or of a typed line, and the messages at its end.

Knows no command line: whoever lets it run shows the prompt afterwards. Compiled programs are kept
while their thread lives, so that the same program is compiled once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import local

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import READY
from ti99tools.base.cycles import console as cc
from ti99tools.base.cycles.language import FRAME_UNWOUND, SCROLL_CYCLES
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.command_files import Loading
from ti99tools.computer.console.forgetting import Contents, Transition
from ti99tools.computer.console.programarea import REFUSED, RESEQUENCE, RUN_AGAIN, RUN_UNSCANNED
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.timing import scanning
from ti99tools.computer.interp.compile.units import COMMAND, Listing
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.locating import described, spots_of
from ti99tools.computer.interp.run.runtime import Stepper, Where, show
from ti99tools.computer.interp.run.signals import BreakReached, ProgramEnd, RunAgain, WarningStop
from ti99tools.computer.interp.run.stack import Frame
from ti99tools.computer.machinecode.addresses import CodeError, Quit
from ti99tools.hardware.machine.machine import Machine
from ti99tools.language.analysis import analysis_of
from ti99tools.language.listing.laterprofiles import added_by
from ti99tools.language.listing.listing import Line
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.prescan import Scan
from ti99tools.language.program.editor import DEFAULT_START, DEFAULT_STEP, Editor
from ti99tools.language.program.program import Program

KEPT = 16
"""Compiled programs to keep; a session of the console rarely has more."""


def compiler_of(
    lines: tuple[Line, ...],
    watched: bool = False,
    stepping: bool = False,
    declared: tuple[Declared, ...] = (),
    basic: str = "",
) -> Compiler:
    """The compiler of a program whose scan found no error, with what it has compiled so far.

    `watched` code counts how often statements run, `stepping` code calls the stepper before each.
    Values are checked against the ranges that the source has `declared`; `basic` is its profile.
    Each thread has compilers of its own, because they grow while programs run.
    """
    return _OWN.compilers(lines, watched, stepping, declared, basic)


def _compiler(
    lines: tuple[Line, ...],
    watched: bool,
    stepping: bool,
    declared: tuple[Declared, ...],
    basic: str,
) -> Compiler:
    listing = Listing(lines)
    scan = analysis_of(lines, basic).scanned.scan
    return Compiler(listing, scan, watched=watched, stepping=stepping, declared=declared)


class _Own(local):
    """The compilers of a thread."""

    def __init__(self) -> None:
        self.compilers = lru_cache(maxsize=KEPT)(_compiler)


_OWN = _Own()


def forget_compiled() -> None:
    """Forget this thread's compilers, so that its programs are compiled anew."""
    _OWN.compilers.cache_clear()


ASTRAY = (
    "CON right after a line that was refused: the machine looks for the program in the wrong "
    "memory and may fall to its title screen; here it is a SYNTAX ERROR"
)


class Workspace(Contents):
    """Extended BASIC's memory on a machine, and what runs there. A `watched` program's statements
    are counted; `step` is called before each. `basic` is the profile of all programs."""

    def __init__(
        self,
        machine: Machine,
        watched: bool = False,
        step: Stepper | None = None,
        basic: str = "",
    ) -> None:
        super().__init__(machine, watched)
        self.basic = basic
        self._step = step
        self.ready_at = 0
        """The cycle at which `* READY *` last appeared."""
        self.scan_cycles = 0
        """The time of all pre-scans together."""
        self.image_scanned = False
        """Set if RUN's scan has met an IMAGE: a DATA typed then is refused (recorded)."""
        self.remarks: list[str] = []
        """Where the machine would go astray and this console does not."""
        self._ready_due: int | None = None
        """The cycle at which the text of a program's end appears; None when none is due."""
        self._line_by_line = False
        self._astray = False
        """Set after a typed line that its pre-scan refused, until a line runs."""
        self._stack_before: tuple[Frame, ...] = ()
        """The stack of the stopped program when a line was typed."""

    @property
    def loading_cycles(self) -> int:
        """Cycles that loading from disks and pre-scans took, for all programs together."""
        return self.store.loading_cycles + self.scan_cycles

    @contextmanager
    def line_by_line(self) -> Iterator[None]:
        """Make the program stop between lines rather than between blocks."""
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

    # -- starting -------------------------------------------------------------------------

    def start(self, line: int | None = None) -> None:
        """RUN [line], typed: scan the program and stop before its first statement.

        An error of the scan is shown; the program is then not `running`.
        """
        if self.running:
            self.forget(Transition.PROMPT)
        self._begin(line)

    def _begin(self, line: int | None) -> None:
        self.running = self.in_command = self._astray = False
        self._ready_due = None
        self._stack_before = ()
        self.forget(Transition.RUN)
        if self.runtime.files.asking:
            self._then = _go_on
        prescan = analysis_of(self.lines, self.basic).scanned
        cycles = scanning(prescan.scan.work)
        self.machine.clock.advance(cycles)
        self.scan_cycles += cycles
        self._note_image(prescan.line)
        if prescan.error is not None:
            error = XBError(prescan.error)
            error.line = prescan.line
            self._fail(error, Where(prescan.line))
            return
        stepping = self._step is not None
        compiler = compiler_of(self.lines, self.watched, stepping, self.declared, self.basic)
        self.execution = Execution(self.runtime, compiler.listing, compiler)
        if self.watched:
            self.tally_of(compiler).take(self.execution)
        if self._step is not None:
            self.execution.names["step"] = self._step
        self.runtime.execution = self.execution
        self._set_care()
        self.execution.start(0 if line is None else self.execution.line_index(line))
        self.running = True

    def _note_image(self, failed: int | None) -> None:
        """Note what RUN's scan has met up to a line (None: to the end)."""
        scanned = [n for n in self.lines if failed is None or n.number < failed]
        self.image_scanned = any(n.tokens[0] == tk.IMAGE for n in scanned)

    def go_on(self) -> None:
        """CON: go on where a break stopped the program. CAN'T CONTINUE if it cannot.

        After a typed line that its pre-scan refused, the machine looks for the program in the wrong
        memory: what it reads there depends on the disk; one recorded session has SYNTAX ERROR, five
        fall back to the title screen.
        """
        stop = self.stopped_at
        if stop is None or self.execution is None:
            raise XBError(xb.CANT_CONTINUE)
        self.stopped_at = None
        if self._astray:
            self.remarks.append(ASTRAY)
            self._fail(XBError(xb.SYNTAX_ERROR), Where())
            return
        if stop.continue_at is None:
            self._fail(XBError(xb.SYNTAX_ERROR), Where(stop.line))
            return
        self.execution.go_on(stop.continue_at)
        self.running = True

    def execute(self, tokens: bytes) -> None:
        """Prepare to run a line typed without a number; an error of its scan is shown."""
        if self.execution is None:
            listing = Listing(self.lines)
            scan = Scan(later=added_by(self.basic))
            scan.memory.video = self.left_over
            self.execution = Execution(self.runtime, listing, Compiler(listing, scan))
            self.runtime.execution = self.execution
        self.in_command, self._ready_due = True, None
        self._stack_before = tuple(self.execution.frames)
        try:
            self.execution.command(tokens)
        except XBError as error:
            self._astray = True
            self._fail(error, Where())
            return
        self._astray = False
        self.running = True

    def reserve_files(self, count: int) -> None:
        """CALL FILES, typed: the disk controller reserves room for `count` files. SIZE shows it
        after NEW.
        """
        self.machine.drives.reserved = count
        self._stop()

    # -- running --------------------------------------------------------------------------

    def run(self) -> None:
        """Run what was started until it is over, and show what ended it. Raises Pause."""
        if self._ready_due is not None:
            self._come_back(self._ready_due)
            return
        assert self.execution is not None
        try:
            if self._then is not None:
                self.answer()
                return
            self.execution.run()
        except ProgramEnd as end:
            self.ended = self._place(end)
            self._end_at(0 if self.in_command else self.area.taken_end())
        except Quit:
            self._quit()
        except CodeError:
            self._end_line()
            self.running = False
            raise
        except WarningStop as stop:
            for _, place in spots_of(self.execution.compiler, stop)[-1:]:
                stop.offset = place[1]
            self.warned = stop
            self._stop(cc.AFTER_WARNING)
        except BreakReached as stop:
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

    def _end_at(self, place: int) -> None:
        """End a program, whose end may have been poked to another place."""
        if place in (RUN_AGAIN, RUN_UNSCANNED):
            self._begin(None)
        elif place == REFUSED:
            self._fail(XBError(xb.SYNTAX_ERROR), Where(0))
        elif place == RESEQUENCE and self.program is not None and not self.program.protected:
            self._stop()
            editor = Editor(self.program)
            editor.resequence(DEFAULT_START, DEFAULT_STEP)
            assert editor.program is not None
            self.renumbered(editor.program)
        else:
            self._end()

    def _end(self) -> None:
        # Colours set at the prompt do not last: a known nuisance of the console, not recorded.
        if self.in_command:
            self._stop()
            return
        self._stop(0)
        # Until the text appears, people press keys and look at the screen.
        self.running = True
        self._ready_due = self.machine.clock.cycles + cc.TO_PROMPT - cc.READY_SOONER
        self._come_back(self._ready_due)

    def _come_back(self, due: int) -> None:
        """Let the time pass up to the text of a program's end, and show it. Raises Pause."""
        clock = self.machine.clock
        while clock.cycles < due:
            clock.advance_to(min(due, max(clock.next_event, clock.cycles)))
            if clock.cycles >= clock.next_event:
                clock.service()
        self._ready_due = None
        self.show_ready()
        # After the text, as the prompts of a recorder show; the recorder is then asked to stop.
        self.running = False
        self.forget(Transition.END)
        self.ended = Where()
        self.running = self.runtime.files.asking
        if self.running:
            self._then = self._rest

    def _rest(self) -> None:
        self.running = False

    def _quit(self) -> None:
        """QUIT, or machine code that restarts the console: the program is gone.

        Files are not closed. The title screen is not part of this console: the screen is blank,
        then the prompt comes.
        """
        self._stop()
        self.runtime.files.lose()
        self.machine.drives.lose_files()
        self.forget(Transition.NEW)

    def _break(self, stop: BreakReached) -> None:
        """Say where it stopped; CLEAR in a typed ACCEPT leaves everything as it is (recorded)."""
        if self.in_command and stop.typing:
            self._end_line()
            self.running = False
            return
        if not self.in_command:
            self.stopped_at = stop
        self._stop()
        place = "" if stop.line == COMMAND else f" IN {stop.line}"
        self.machine.sound.honk()
        show(self.machine.screen, [f"* BREAKPOINT{place}"])

    def _run_again(self, again: RunAgain) -> None:
        program = again.program
        if isinstance(program, Loading):
            assert self.execution is not None
            self.execution.error_where = self._place(again)
            self._then = lambda: self._run_again(
                RunAgain(again.line, self._not_overwritten(program.program))
            )
            return
        if isinstance(program, Program):
            self._loaded(program)
        self._begin(again.line)

    def _place(self, signal: BaseException) -> Where:
        """Where the program has raised a signal; its last line, if it ran past that."""
        running = self.execution
        assert running is not None
        spots = spots_of(running.compiler, signal)
        if not spots:
            return Where(self.lines[-1].number if self.lines else None)
        return described(spots, running.frames, running.active.scope)

    def _fail(self, error: XBError, where: Where) -> None:
        """End what is running with the message of an uncaught error."""
        if not self.in_command:
            self.error = error
            if self.execution is not None:
                self.machine.clock.advance(FRAME_UNWOUND * len(self.execution.frames))
            self.forget(Transition.ERROR)
        sooner = cc.FILE_ERROR_SOONER if error.code == xb.FILE_ERROR else 0
        self._stop(cc.TO_PROMPT - sooner)
        self.runtime.show_error(error, where)
        self.machine.clock.advance(cc.AFTER_TYPED if where.line is None else cc.AFTER_ERROR)

    def _stop(self, cycles: int = cc.TO_PROMPT) -> None:
        """Do what every return to the prompt does; it takes `cycles` up to the message, if any."""
        self._end_line()
        self.running = False
        if self.execution is not None and self.execution.names_lost and self.stopped_at is None:
            self.execution = self.runtime.execution = None
        self.forget(Transition.PROMPT)
        self.machine.clock.advance(cycles)

    def _end_line(self) -> None:
        """End a typed line; the stack is cut back to where the stopped program's ended."""
        execution = self.execution
        if self.in_command and execution is not None and not execution.names_lost:
            execution.end_stack_as(self._stack_before)
        self.in_command, self._stack_before = False, ()


def _go_on() -> None:
    """Do nothing after the answers that RUN's closing of files required: the program runs next."""
