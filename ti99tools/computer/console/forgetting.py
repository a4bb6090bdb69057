"""The program in memory and what belongs to it: how it comes, changes, and is forgotten.

What each way of starting and ending keeps or forgets is in one table, `FORGOTTEN`. Whatever a row
does not name is kept: the text on the screen, characters 127-143, a sound list that plays, the
memory of CALL INIT and what was poked there outlast all of them, and a program that runs another
one keeps its whole picture, with its sprites moving. Source: the recorded asked3b-a, asked3b-b and
random-states cases, and random-editor cases before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from typing import TypeVar

from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.command_files import DevicePrograms, Loading
from ti99tools.computer.console.programarea import ProgramArea, StringArea
from ti99tools.computer.interp.compile.compiler import Compiler, renumbered
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.heap import Heap
from ti99tools.computer.interp.run.runtime import Runtime, Where
from ti99tools.computer.interp.run.signals import BreakReached, Overwritten, ProgramEnd, WarningStop
from ti99tools.computer.interp.run.statement_counts import Tally
from ti99tools.hardware.machine.drives import RESERVED
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.screen import BLANK
from ti99tools.language.listing.listing import Line
from ti99tools.language.listing.sourcemap import Declared, Routine
from ti99tools.language.program.program import Program


class ProgramState(Enum):
    """Things that can be kept or forgotten."""

    NAMES = auto()
    """Variables, arrays, DEFs, SUBs and what typed lines have added to them; with them the stack
    and the place where CON would go on.
    """
    STACK = auto()
    """Loops, subroutines, the line of ON ERROR, the place where CON would go on; names stay."""
    FILES = auto()
    """Open files: they are closed, pending records written."""
    OPTIONS = auto()
    """ON WARNING goes back to PRINT, ON BREAK to STOP."""
    TRACE = auto()
    BREAKPOINTS = auto()
    """The breakpoints of BREAK with lines."""
    RND = auto()
    """The random sequence starts again."""
    ROW = auto()
    """The next PRINT overwrites what PRINT has begun in its row."""
    PICTURE = auto()
    """Patterns of characters 32-126, colours, screen colour, sprites, magnification."""
    KEYS = auto()
    """KEY(0) and the line editors read keys as in unit 5 again."""
    PROGRAM = auto()
    TEXT = auto()
    """The screen is cleared."""
    ROOM = auto()
    """What CALL FILES has reserved takes effect."""
    LIMITS = auto()
    """The limits of memory that CALL LOAD has set."""


class Transition(Enum):
    """Ways in which a program starts, ends or changes."""

    PROMPT = auto()
    """Every return to the prompt: END, an error, a break, the end of a typed line."""
    END = auto()
    """The end of a program, in addition to `PROMPT`."""
    ERROR = auto()
    """An uncaught error of a program, in addition to `PROMPT`: files stay open."""
    RUN = auto()
    """RUN in all forms, typed and as a statement, when there is a program to run."""
    FILE = auto()
    """OLD, MERGE, SAVE and RUN "file", before the device is asked, so also when it refuses. A
    program that catches the refusal goes on without any names.
    """
    LOADED = auto()
    """OLD and RUN "file" have got a program, in addition to `FILE`."""
    OVERWRITTEN = auto()
    """What they have loaded is not a program, and has overwritten the old one."""
    SAVE = auto()
    """SAVE, in addition to `FILE`."""
    LIST = auto()
    """LIST "file", before the file is opened."""
    LISTED = auto()
    """LIST "file", once it is open."""
    EDITED = auto()
    """A line was entered or deleted; its own breakpoint goes as well."""
    RENUMBERED = auto()
    """RES. Breakpoints are marks in the line numbers that it replaces (not recorded)."""
    GIVEN = auto()
    """A program was put into memory from outside."""
    NEW = auto()


FORGOTTEN: Mapping[Transition, tuple[ProgramState, ...]] = {
    Transition.PROMPT: (ProgramState.PICTURE, ProgramState.KEYS),
    Transition.END: (ProgramState.STACK, ProgramState.FILES),
    Transition.ERROR: (ProgramState.STACK,),
    Transition.RUN: (
        ProgramState.FILES,
        ProgramState.NAMES,
        ProgramState.OPTIONS,
        ProgramState.RND,
        ProgramState.ROW,
    ),
    Transition.FILE: (
        ProgramState.FILES,
        ProgramState.NAMES,
        ProgramState.OPTIONS,
        ProgramState.TRACE,
    ),
    Transition.LOADED: (ProgramState.BREAKPOINTS,),
    Transition.OVERWRITTEN: (ProgramState.PROGRAM, ProgramState.BREAKPOINTS),
    Transition.SAVE: (ProgramState.BREAKPOINTS,),
    Transition.LIST: (ProgramState.FILES,),
    Transition.LISTED: (ProgramState.NAMES,),
    Transition.EDITED: (ProgramState.FILES, ProgramState.NAMES),
    Transition.RENUMBERED: (ProgramState.BREAKPOINTS,),
    Transition.GIVEN: (ProgramState.NAMES, ProgramState.TRACE, ProgramState.BREAKPOINTS),
    Transition.NEW: tuple(ProgramState),
}


FILE_ROOM = 518
"""Bytes of video memory that the disk controller reserves for a file."""

Found = TypeVar("Found")


class Contents:
    """What Extended BASIC has in memory on a machine."""

    def __init__(self, machine: Machine, watched: bool) -> None:
        """With `watched`, statements of the program are counted."""
        self.machine = machine
        self.watched = watched
        self.program: Program | None = None
        self._declared_of: dict[tuple[Line, ...], tuple[Declared, ...]] = {}
        """Lines of a program → what its source declares by RANGE, for programs from a disk."""
        self.store = DevicePrograms(machine.devices, machine.clock, lambda: self.area.expanded)
        self.runtime = Runtime(machine, self)
        self.execution: Execution | None = None
        self.error: XBError | None = None
        """The uncaught error that ended the last run."""
        self.warned: WarningStop | None = None
        """The warning that ended the last run under ON WARNING STOP."""
        self.stopped_at: BreakReached | None = None
        self.running = False
        """Set while a program, or a line typed without a number, runs."""
        self.left_over = 0
        """Bytes of stack space that a failed SAVE leaves occupied until the names are forgotten:
        its copy of the program for the device (recorded).
        """
        self.ended = Where()
        """Where a program has just ended."""
        self.in_command = False
        """Set while a line typed without a number runs."""
        self._then: Callable[[], None] | None = None
        """Called once all questions of devices are answered."""
        self.area = ProgramArea(machine.memory, self)
        StringArea(machine.memory, self)
        self.runtime.program_poked = self._take_poked
        self.tallies: dict[tuple[Line, ...], Tally] = {}
        """The counts of each watched program."""
        self._forgetting = self._what_forgets()

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the program."""
        return () if self.program is None else self.program.lines

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
        return 0 if self.heap is None else self.heap.memory.values

    @property
    def spared(self) -> int:
        """Bytes of video memory that the disk controller has released; negative if it has taken
        more.
        """
        return FILE_ROOM * (RESERVED - self.machine.drives.reserved)

    def _take_poked(self) -> None:
        """Take over a program that CALL LOAD or machine code has changed or moved in memory.

        Raises ProgramEnd if the pointer to the current line was moved to the last line.
        """
        self.area.take()
        if self.area.ended:
            raise ProgramEnd

    def poked(self, program: Program | None) -> None:
        """Note that machine code or CALL LOAD has changed the program in memory.

        A running program goes on with the lines that RUN found.
        """
        before = self.lines
        self.program = program
        goes_on = self.running and not self.in_command and not self.area.moved
        if goes_on and self.lines != before:
            self.runtime.code.remarks.add(
                "the program was changed in memory while it ran: its lines count from the next RUN"
            )

    # -- what is forgotten ----------------------------------------------------------------

    def forget(self, way: Transition) -> None:
        """Forget what this way of starting, ending or changing a program does not keep."""
        for part in FORGOTTEN[way]:
            self._forgetting[part]()

    def _what_forgets(self) -> dict[ProgramState, Callable[[], None]]:
        runtime, machine = self.runtime, self.machine
        return {
            ProgramState.NAMES: self._forget_names,
            ProgramState.STACK: self._forget_stack,
            ProgramState.FILES: self._close_files,
            ProgramState.OPTIONS: runtime.reset_options,
            ProgramState.TRACE: self._forget_trace,
            ProgramState.BREAKPOINTS: runtime.marks.breakpoints.clear,
            ProgramState.RND: runtime.rnd.reset,
            ProgramState.ROW: runtime.begin_row,
            ProgramState.PICTURE: machine.reset_graphics,
            ProgramState.KEYS: machine.keyboard.read_as_basic,
            ProgramState.PROGRAM: self._forget_program,
            ProgramState.ROOM: self._find_room,
            ProgramState.LIMITS: self.area.restore_limits,
            ProgramState.TEXT: lambda: machine.screen.fill(BLANK),
        }

    def _forget_names(self) -> None:
        self.stopped_at = None
        self.left_over = 0
        if self.running and self.execution is not None:
            self.execution.lose_names()
            return
        self.execution = None
        self.runtime.execution = None
        self.error = self.warned = None

    def _close_files(self) -> None:
        for refusal in self.runtime.files.close_all():
            self.runtime.warn_of(refusal, self.ended)

    def _forget_stack(self) -> None:
        self.stopped_at = None
        if self.execution is not None:
            self.execution.abandon()

    def _forget_trace(self) -> None:
        self.runtime.marks.tracing = False

    def _forget_program(self) -> None:
        self.program = None

    def _find_room(self) -> None:
        self.runtime.files.spared = self.spared

    # -- programs come and go -------------------------------------------------------------

    def load(self, name: str) -> None:
        """Replace the program with one from a device, as OLD does. Raises XBError(IO_ERROR)."""
        answer = self.ask_for(name)
        if isinstance(answer, Loading):
            self._then = lambda: self._loaded(self._not_overwritten(answer.program))
        else:
            self._loaded(answer)

    def ask_for(self, name: str) -> Program | Loading:
        """A program from a device, for OLD and RUN. Raises XBError(IO_ERROR)."""
        self.forget(Transition.FILE)
        return self._not_overwritten(lambda: self.store.load(name))

    def _not_overwritten(self, load: Callable[[], Found]) -> Found:
        """What a device delivers; data that is not a program has overwritten the old one."""
        try:
            return load()
        except Overwritten:
            self.forget(Transition.OVERWRITTEN)
            raise

    def _loaded(self, program: Program) -> None:
        self.forget(Transition.LOADED)
        self.program = program

    def declare(self, program: Program) -> None:
        """Keep what a program's source declares, for when a disk loads the same lines."""
        self._declared_of[program.lines] = program.ranges

    @property
    def declared(self) -> tuple[Declared, ...]:
        """What the source of the program in memory declares about its variables."""
        own = () if self.program is None else self.program.ranges
        return own or self._declared_of.get(self.lines, ())

    @property
    def routines(self) -> tuple[Routine, ...]:
        """The PROCs in the source of the program in memory."""
        return () if self.program is None else self.program.routines

    def put(self, program: Program) -> None:
        """Replace the program in memory; nothing runs, files stay open."""
        if self.running:
            self.running = False
            self.forget(Transition.PROMPT)
        self.forget(Transition.GIVEN)
        self.program = program

    def edited(self, program: Program | None, line: int) -> None:
        """Note that a line was entered or deleted."""
        self.forget(Transition.EDITED)
        self.runtime.marks.breakpoints.discard(line)
        self.program = program

    def merged(self, program: Program | None, lines: Iterable[Line]) -> None:
        """Note that MERGE has put these lines into the program."""
        self.runtime.marks.breakpoints.difference_update(line.number for line in lines)
        self.program = program

    def renumbered(self, program: Program) -> None:
        """Note that RES has renumbered the lines: CON goes on at the same place."""
        self.forget(Transition.RENUMBERED)
        self.program = program
        if self.execution is None:
            return
        lines = program.lines
        compiler = renumbered(self.execution.compiler, lines)
        self.execution.renumber(compiler)
        if self.watched:
            self.tally_of(compiler).take(self.execution)

    @property
    def asking(self) -> bool:
        """Tell whether a device asks for something; then `answer` comes before all else."""
        return self._then is not None or self.runtime.files.asking

    def answer(self) -> None:
        """Let the devices' questions be answered, and continue what asked them.

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

    # -- counting -------------------------------------------------------------------------

    def tally_of(self, compiler: Compiler) -> Tally:
        """The counts of the program in memory, from all its runs together."""
        known = self.tallies.get(self.lines)
        if known is None or known.compiler is not compiler:
            known = self.tallies[self.lines] = Tally(compiler, known.hits if known else None)
        return known
