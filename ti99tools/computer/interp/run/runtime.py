"""What statements see of the console: machine, clock, random numbers, files, screen, messages.

Source: recorded lang-errors, lang-subs and lang-vars cases.

One `Runtime` lives as long as the console; an `Execution` is the program in memory with its
variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import PRINT_WIDTH
from ti99tools.base.cycles.language import (
    CALLER_LINE,
    CALLER_PASSED_LINE,
    TEXT_CYCLES,
    WARNING_CYCLES,
)
from ti99tools.base.record import Record
from ti99tools.computer.interp.io.lineeditor import CodeLine
from ti99tools.computer.interp.io.openfiles import Files
from ti99tools.computer.interp.io.printer import BOTTOM, MARGIN, PrintRow
from ti99tools.computer.interp.io.screenio import ScreenIO
from ti99tools.computer.interp.run.heap import Heap
from ti99tools.computer.interp.run.signals import ClearPressed, WarningStop
from ti99tools.computer.interp.run.stack import ErrorFrame, Frame
from ti99tools.computer.interp.subprograms.args import Sounds
from ti99tools.computer.machinecode.addresses import Quit
from ti99tools.computer.machinecode.machinecode import MachineCode
from ti99tools.computer.numbers.radix import Number, Radix, settle
from ti99tools.computer.numbers.rnd import RandomNumbers, RandomState
from ti99tools.hardware.machine.cpu_memory import Cell
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.screen import Screen


class Where(Record):
    """Where something happened: the line (None in a command), and rows that show how control got
    there (`trail`).

    `function` is set if the line is a DEF's. `sought` has, for each row that names the line of a
    DEF's caller, the number of lines that the machine searches to find it.
    """

    line: int | None = None
    trail: tuple[str, ...] = ()
    function: bool = False
    sought: tuple[int, ...] = ()

    @property
    def seeking(self) -> int:
        """Cycles for finding the lines that the trail names."""
        return CALLER_LINE * len(self.sought) + CALLER_PASSED_LINE * sum(self.sought)


def error_rows(text: str, where: Where) -> list[str]:
    """`* BAD VALUE IN 110`. The line number gets its own row if a number of five digits would not
    fit, or if the line is a DEF's (recorded).
    """
    return _located(f"* {text}", where)


def warning_rows(text: str, where: Where) -> list[str]:
    """`* WARNING` and the text, indented by two columns."""
    return ["* WARNING", *_located(f"  {text}", where)]


_LONGEST_TAIL = " IN 32767"


def _located(head: str, where: Where) -> list[str]:
    if where.line is None:
        return [head, *where.trail]
    tail = f"IN {where.line}"
    if where.function or len(head) + len(_LONGEST_TAIL) > PRINT_WIDTH:
        return [head, f"  {tail}", *where.trail]
    return [f"{head} {tail}", *where.trail]


def show(screen: Screen, rows: Sequence[str], seeking: int = 0) -> None:
    """Scroll each row in at the bottom, and then an empty one; `seeking`: see `Where`."""
    for row in rows:
        screen.scroll(TEXT_CYCLES)
        screen.write(BOTTOM, MARGIN, row[:PRINT_WIDTH].encode("latin-1"))
    screen.scroll(seeking)


PRINT_COLUMN, RANDOM_BYTE, SEED = 0x837F, 0x8378, 0x83C0
FIRST_SEED, SEED_FACTOR = 0x3567, 28_645
"""The console's seed at power-on; the factor that spreads ours over 16 bits."""
FIRST_COLUMN = 3
"""What the machine keeps as the position of PRINT at the start of a row."""


@dataclass(slots=True)
class Options:
    """What ON WARNING and ON BREAK have set."""

    warning: str = "PRINT"
    stop_at_breaks: bool = True


@dataclass(slots=True)
class Marks:
    """What BREAK with lines and TRACE have set; they outlast a RUN."""

    breakpoints: set[int] = field(default_factory=set)
    tracing: bool = False


class ProgramStore(Protocol):
    """Where RUN "DSK1.NAME" finds programs; raises XBError(IO_ERROR) as the console does.

    Asking for one closes the files and removes all names from the program that asks.
    """

    def ask_for(self, name: str, /) -> object: ...


class Stepper(Protocol):
    """What stepping code calls before each statement that does something."""

    def __call__(self, line: int, at: int, spent: int = 0, /) -> None:
        """Report that the statement at a place begins; `spent`: cycles not yet on the clock."""
        ...


class Running(Protocol):
    """The program in memory, as far as messages and CALL ERR look at it."""

    @property
    def frames(self) -> list[Frame]:
        """The stack of the running program, the innermost frame last."""
        ...

    @property
    def heap(self) -> Heap:
        """The memory of its strings and stack."""
        ...

    @property
    def typing(self) -> bool:
        """Tell whether a line typed without a number runs."""
        ...

    def where(self, pushed: str = "") -> Where:
        """Where it is now; `pushed`: the variable whose entry lies on the stack above a SUB's."""
        ...

    def ahead(self) -> int:
        """Cycles charged for statements to come, less those not yet on the clock."""
        ...


class Runtime:
    """The running console as statements see it."""

    def __init__(self, machine: Machine, store: ProgramStore) -> None:
        self.machine = machine
        self.store = store
        self.clock = machine.clock
        self.rnd = RandomNumbers()
        self.options = Options()
        self.marks = Marks()
        self.pending = PrintRow()
        self.screenio = ScreenIO(machine, self.pending, self.warn, self.clear)
        self.sounds = Sounds(machine, self.attend)
        self.files = Files(machine.devices, machine.conversations, self.screenio.printer)
        self.execution: Running | None = None
        self.code = MachineCode(machine)
        self.code.random = RandomState(self.rnd, machine.vdp.ram)
        self.code.read_line = CodeLine(machine.screen, machine.keyboard, machine.sound).read
        self.program_poked: Callable[[], None] = lambda: None
        """Called when machine code or CALL LOAD may have changed the program in memory."""
        self.later = 0
        """Cycles that RANDOMIZE without a value adds to the clock's."""
        self.random_byte = 0
        """What RANDOMIZE without a value leaves at CPU address 8378h: 0 to 99."""
        self.seed = FIRST_SEED
        """The word at CPU address 83C0h: RANDOMIZE without a value leaves another one there."""
        self._show_cells()

    def _show_cells(self) -> None:
        """Make CPU memory follow the row that PRINT is in, and RANDOMIZE."""
        cells = self.machine.memory.cells
        cells[PRINT_COLUMN] = Cell(lambda: self.pending.column + FIRST_COLUMN, self._set_column)
        self.machine.memory.follow(SEED, lambda: (self.seed,))
        cells[RANDOM_BYTE] = Cell(lambda: self.random_byte, self._set_random)

    def _set_column(self, value: int) -> None:
        self.pending.column = max(0, value - FIRST_COLUMN)

    def _set_random(self, value: int) -> None:
        self.random_byte = value

    def allow(self, code: int, later: int) -> None:
        """Set `MachineCode.patience`, and the cycles that RANDOMIZE without a value adds."""
        self.code.patience, self.later = code, later

    def randomize(self) -> None:
        """RANDOMIZE without a value: the time plus `later` is the seed."""
        self.rnd.randomize(self.clock.cycles + self.later)
        self.random_byte = self.rnd.digits()
        self.seed = self.rnd.state * SEED_FACTOR >> 16 & 0xFFFF

    def note_leftovers(self) -> None:
        """Note what PRINT and strings have left in the scratchpad since the last time."""
        left, row = self.code.leftovers, self.pending
        if row.printed:
            row.printed = False
            left.printed(row.column)
        space = None if self.execution is None else self.execution.heap.space
        if space is not None and space.length is not None:
            left.string(space.length)
            space.length = None
        if self.files.used is not None:
            left.filed(*self.files.used)
            self.files.used = None

    def run_code(self) -> None:
        """Run the machine code that CALL LINK has found. Raises Pause; call it again."""
        self.code.run()
        self.program_poked()

    def begin_row(self) -> None:
        """Make the next PRINT begin at the start of its row, whatever is there."""
        self.pending.column = 0

    def reset_options(self) -> None:
        """ON WARNING PRINT and ON BREAK STOP."""
        self.options = Options()

    def warn(self, code: int, pushed: str = "", to_come: int = 0) -> int | None:
        """Show a warning as ON WARNING demands; STOP ends the program by WarningStop.

        `pushed` is the variable that INPUT has on the stack; `to_come` are cycles already charged
        for what the statement does afterwards. Returns the line that was shown.
        """
        assert self.execution is not None
        # A typed line warns whatever the program has set (recorded: random4-minimal-warn-break).
        wish = "PRINT" if self.execution.typing else self.options.warning
        if wish == "NEXT":
            return None
        where = self.execution.where(pushed)
        rows = warning_rows(xb.TEXTS[code], where)
        ahead = to_come + self.execution.ahead()
        self.clock.cycles -= ahead
        self.machine.sound.honk()
        show(self.machine.screen, rows, where.seeking)
        self.pending.column = 0
        if wish == "STOP":
            raise WarningStop(code, where.line)
        self.clock.cycles += WARNING_CYCLES + ahead
        return where.line

    def big(self, n: Number, to_come: int = 0) -> Number:
        """Make the result of an operation a proper number; an overflow gives its warning."""
        value = settle(n)
        if isinstance(value, Radix) and value.overflow:
            self.warn(xb.NUMERIC_OVERFLOW, to_come=to_come)
            return value.value_after_warning
        return value

    def clear(self) -> None:
        """Handle CLEAR pressed in a line being typed: stop, unless ON BREAK NEXT.

        While a device asks for something CLEAR is ignored.
        """
        if self.options.stop_at_breaks and not self.files.asking:
            typing = self.screenio.editor is not None
            self.screenio.abandon()
            raise ClearPressed(typing)

    def attend(self) -> None:
        """Do what is due at a block's start: events of the clock, then the CLEAR key.

        CLEAR is checked even if a pause is due, because it counts at this moment.
        """
        try:
            self.clock.service()
        finally:
            self.heed_stops()

    def heed_stops(self) -> None:
        """Look for CLEAR and QUIT, as the machine does between two statements.

        While LINK's code is under way nothing looks for CLEAR (not recorded).
        """
        if self.code.alone:
            return  # the compiled program does
        keyboard = self.machine.keyboard
        if keyboard.break_pressed() and not self.code.linking:
            self.clear()
        if keyboard.quit_pressed() and not self.machine.memory.keeps_quit:
            raise Quit

    def attend_within(self, charged: int) -> bool:
        """Do what is due before a charged statement has done anything.

        CLEAR stops the program here only if it was down when the statement began; the next
        statement checks again. Returns whether a pause is due: then the statement waits.
        """
        clock = self.clock
        clock.run_to(clock.cycles - charged)
        clock.cycles -= charged
        if self.machine.keyboard.stops:
            self.heed_stops()
        clock.cycles += charged
        return self.attend_later()

    def attend_later(self) -> bool:
        """Do what is due within a statement; the next one looks for CLEAR and QUIT.

        Returns whether a pause is due.
        """
        clock = self.clock
        clock.run_to(clock.cycles)
        clock.settle(attention=self.machine.keyboard.stops and self.options.stop_at_breaks)
        return clock.pausing

    def warn_of(self, error: xb.XBError, where: Where) -> None:
        """Show a warning of a refusal that ends nothing, whatever ON WARNING says."""
        self.machine.sound.honk()
        show(self.machine.screen, warning_rows(error.text, where), where.seeking)

    def show_error(self, error: xb.XBError, where: Where) -> None:
        """Show an uncaught error; what PRINT had begun in the row stays above it."""
        self.machine.sound.honk()
        error.met(handled=False)
        show(self.machine.screen, error_rows(error.text, where), where.seeking)

    @property
    def error(self) -> ErrorFrame | None:
        """The error that a handler is working on, for CALL ERR."""
        if self.execution is None:
            return None
        frames = reversed(self.execution.frames)
        return next((f for f in frames if isinstance(f, ErrorFrame)), None)
