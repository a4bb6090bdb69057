"""Statements that print on the screen or wait for a line, with the clauses of DISPLAY and ACCEPT.

PRINT and DISPLAY get a printer. INPUT, LINPUT and ACCEPT begin with their operands evaluated and
are finished by a second call, which can be left while it waits for a key and repeated. Source: the
recorded print, display, input and accept cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ti99tools.base import codes
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LARGEST_SIZE, PRINT_WIDTH
from ti99tools.base.cycles.language import AFTER_PROMPT, LINE_CYCLES
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.lineeditor import (
    BadLine,
    BoxField,
    InputField,
    LineEditor,
    LineField,
    input_values,
    number_item,
)
from ti99tools.computer.interp.io.printer import (
    BOTTOM,
    AreaPrinter,
    FieldPrinter,
    Printer,
    PrintRow,
    RowPrinter,
    ScreenPrinter,
    UsingList,
    coordinate,
)
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number, Value, overflowed
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.screen import BLANK, ROWS

DIGIT = frozenset(b"0123456789")
NUMERIC = DIGIT | frozenset(b"+-.E")
UALPHA = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ ")
"""Characters that VALIDATE's words accept."""

MOST_ADMITTED = 254
"""Characters of all strings of a VALIDATE."""


class Area:
    """The clauses of a DISPLAY or ACCEPT, each set as soon as its arguments are evaluated."""

    def __init__(self, machine: Machine, pending: PrintRow) -> None:
        self._machine = machine
        self._pending = pending
        self.row: int | None = None
        self.column = 0
        self.size: int | None = None
        self.keep = False
        self.allowed: frozenset[int] | None = None
        self._admitted = 0
        self._beep = False

    def at_row(self, value: Number) -> None:
        """AT's row: modulo 24, below 1 counts as 1. Raises XBError(BAD_VALUE) beyond 32767."""
        self.row = (coordinate(value) - 1) % ROWS

    def at_column(self, value: Number) -> None:
        """AT's column: modulo 28, below 1 counts as 1. Raises XBError(BAD_VALUE) beyond 32767."""
        self.column = (coordinate(value) - 1) % PRINT_WIDTH

    def sized(self, value: Number) -> None:
        """SIZE, ±1–255; a negative one keeps what is in ACCEPT's field. Else BAD VALUE."""
        number = to_integer(value)
        if not 1 <= abs(number) <= LARGEST_SIZE:
            raise XBError(xb.BAD_VALUE)
        self.size = abs(number)
        self.keep = number < 0

    def beep(self) -> None:
        """BEEP: `sound` makes the tone."""
        self._beep = True

    def sound(self) -> None:
        """Sound BEEP's tone: before a line is typed, or after DISPLAY has shown its list."""
        if self._beep:
            self._machine.sound.beep()

    def erase(self) -> None:
        """ERASE ALL: the whole screen, edges included, and with it the row of PRINT."""
        self._machine.screen.fill(BLANK)
        self._pending.column = 0

    def validate(self, characters: str) -> None:
        """VALIDATE with a string: its characters are accepted.

        All its strings together have at most 254, else STRING TRUNCATED stops the program: an error
        here, not a warning. Source: the published listing of the ROM.
        """
        self._admitted += len(characters)
        if self._admitted > MOST_ADMITTED:
            raise XBError(xb.STRING_TRUNCATED)
        self.admit(frozenset(map(ord, characters)))

    def numeric(self) -> None:
        """VALIDATE(NUMERIC): accept digits, signs, point and E too."""
        self.admit(NUMERIC)

    def digit(self) -> None:
        """VALIDATE(DIGIT): accept 0 to 9, too."""
        self.admit(DIGIT)

    def ualpha(self) -> None:
        """VALIDATE(UALPHA): accept capital letters too."""
        self.admit(UALPHA)

    def admit(self, characters: frozenset[int]) -> None:
        """Accept these character codes too."""
        self.allowed = (self.allowed or frozenset()) | characters

    def printer(self) -> Printer:
        """What DISPLAY's items go to."""
        screen = self._machine.screen
        if self.row is None:
            if self.size is None:
                return ScreenPrinter(screen, self._pending)
            if self._pending.column >= PRINT_WIDTH:
                screen.scroll()
                self._pending.column = 0
            column = self._pending.column
            return FieldPrinter(screen, BOTTOM, column, self.size, self._pending)
        if self.size is None:
            return AreaPrinter(screen, self.row, self.column)
        return FieldPrinter(screen, self.row, self.column, self.size)


DEFAULT_PROMPT = "? "
FOUR_DIGITS = 1000
"""A warning that names a line with four digits makes ACCEPT forget VALIDATE (recorded)."""


class Warn(Protocol):
    """Shows a warning as ON WARNING demands; may end the program by raising.

    `pushed` is the variable that INPUT has on the stack. Returns the line that the warning shows.
    """

    def __call__(self, code: int, pushed: str = "", /) -> int | None: ...


class Waiting(Protocol):
    """A statement that waits for a line."""

    @property
    def editor(self) -> LineEditor: ...

    def finish(self) -> list[Value]:
        """The values typed, once the line is complete and good. Raises Pause while it waits."""
        ...


class ScreenIO:
    """The screen's side of the running program.

    `pending` is the row that PRINT is in the middle of; `warn` shows a warning; `clear` is called
    when CLEAR is pressed in a line: it raises what stops the program, or returns where ON BREAK
    NEXT has it ignored.
    """

    def __init__(
        self, machine: Machine, pending: PrintRow, warn: Warn, clear: Callable[[], None]
    ) -> None:
        self._machine = machine
        self._pending = pending
        self._warn = warn
        self._clear = clear
        self.reads: Callable[[str], None] = lambda _typed: None
        """Called with what is typed for a number in ACCEPT: it is a string first."""
        self._waiting: Waiting | None = None
        self._store: Callable[[Value], None] | None = None

    def printer(self) -> ScreenPrinter:
        """What PRINT's items go to."""
        return ScreenPrinter(self._machine.screen, self._pending)

    def using(self, printer: Printer, image: str) -> UsingList:
        """What the values of a USING go to, on their way to a printer."""
        return UsingList(printer, image)

    def area(self) -> Area:
        """A place for the clauses of DISPLAY or ACCEPT."""
        return Area(self._machine, self._pending)

    def display_at(self, row: int, column: int, size: int | None = None) -> RowPrinter:
        """What the items of a DISPLAY AT go to: row 0–23, column 0–27, SIZE 1–255."""
        if size is None:
            return AreaPrinter(self._machine.screen, row, column)
        return FieldPrinter(self._machine.screen, row, column, size)

    @property
    def editor(self) -> LineEditor | None:
        """The line being typed, if a statement waits for one."""
        return None if self._waiting is None else self._waiting.editor

    def begin_input(
        self,
        prompt: str | None,
        strings: Sequence[bool],
        name: str = "",
        repeatable: bool = True,
    ) -> None:
        """INPUT: show the prompt (None: `? `), for variables that are strings or not.

        `name` is the first variable's. A prompt that is not `repeatable` (the constant `""`) ends
        in `? ` and a SYNTAX ERROR when a bad line is to be asked for again.
        """
        self._waiting = _Line(
            self, prompt, lambda typed: input_values(typed, strings), name, repeatable
        )

    def begin_linput(self, prompt: str | None) -> None:
        """LINPUT: show the prompt (None: `? `)."""
        self._waiting = _Line(self, prompt, None)

    def go_on_with_linput(self, column: int, store: Callable[[Value], None]) -> None:
        """LINPUT of an array element whose prompt ends before `column`: `store` assigns to it."""
        self._pending.column = column
        self._waiting = _Line(self, "", None)
        self._store = store

    def begin_accept(
        self, area: Area, string: bool, store: Callable[[Value], None] | None = None
    ) -> None:
        """ACCEPT into a variable that is a string or not; the clauses are in `area`.

        `store` assigns to an array element whose subscripts have been evaluated.
        """
        area.sound()
        self._waiting = _Accept(self, area, string)
        self._store = store

    def finish(self) -> list[Value]:
        """The values for the statement begun last. Raises Pause while it waits for a key."""
        waiting = self._waiting
        assert waiting is not None, "no statement waits for a line"
        values = waiting.finish()
        self._waiting = None
        return values

    def finish_element(self) -> None:
        """Finish an ACCEPT or LINPUT into an element. Raises Pause while it waits for a key."""
        (value,) = self.finish()
        assert self._store is not None
        self._store(value)

    def abandon(self) -> None:
        """Forget a waiting statement: the program has been stopped."""
        if self._waiting is not None:
            self._waiting.editor.hide()
            self._waiting = None

    def new_row(self) -> None:
        """Scroll; the next PRINT starts at the left."""
        self._machine.screen.scroll()
        self._pending.column = 0

    def edit(
        self, field: InputField, length: int = 0, allowed: frozenset[int] | None = None
    ) -> LineEditor:
        """An editor for a line of the running program."""
        machine = self._machine
        return LineEditor(
            machine.screen,
            machine.keyboard,
            machine.sound,
            field,
            length=length,
            allowed=None if allowed is None else allowed.__contains__,
        )

    def settle(self) -> None:
        """Let the time pass from a beep or a prompt until the line after it accepts keys."""
        self._machine.clock.cycles += AFTER_PROMPT

    def complete(self, editor: LineEditor) -> str:
        """Run an editor until its line is ended by a key other than CLEAR; the text typed."""
        # Under ON BREAK NEXT the line stays open.
        while editor.run() == codes.CLEAR:
            self._clear()
        self._machine.clock.cycles += LINE_CYCLES
        return editor.text

    def warn(self, code: int, pushed: str = "") -> int | None:
        """Show a warning; see `Warn`."""
        return self._warn(code, pushed)

    def warn_of_field(self, code: int) -> int | None:
        """Show a warning of what ACCEPT got; its field stays in its columns (recorded)."""
        column = self._pending.column
        line = self._warn(code, "")
        self._pending.column = column
        return line

    def blank(self, field: InputField) -> None:
        """Blank all cells of a field."""
        for cell in range(field.size):
            row, column = field.place(cell)
            self._machine.screen.put(row, column, BLANK)

    def accept_field(self, area: Area) -> InputField:
        """The cells that ACCEPT reads."""
        if area.row is not None:
            size = PRINT_WIDTH if area.size is None else area.size
            return BoxField(area.row, area.column, size)
        if self._pending.column >= PRINT_WIDTH:
            self.new_row()
        if area.size is not None:
            return BoxField(BOTTOM, self._pending.column, area.size)
        return LineField(self._machine.screen, self._pending.column)

    def leave_field(self, area: Area) -> None:
        """Leave ACCEPT's field after a good line: PRINT goes on in a new row, or after a field in
        its row.
        """
        # ACCEPT AT leaves the position of PRINT alone.
        if area.row is not None:
            return
        if area.size is None:
            self.new_row()
        else:
            self._pending.column = min(self._pending.column + area.size, PRINT_WIDTH)

    def prompt(self, text: str | None, cycles: int = 0, again: bool = False) -> LineEditor:
        """Show an INPUT prompt and, `cycles` later, open the line after it; it beeps unless
        something sounds.
        """
        column = self.show_prompt(text, again)
        self._machine.clock.cycles += cycles
        field = LineField(self._machine.screen, column)
        # A prompt that fills its row: the field begins in the next.
        if column >= PRINT_WIDTH:
            field.place(0)
        field.clear()
        return self.edit(field)

    def print_prompt(self, text: str | None) -> int:
        """Print a prompt (None: `? `) in the row of PRINT; the column after it."""
        printer = self.printer()
        printer.string(DEFAULT_PROMPT if text is None else text)
        return printer.column

    def show_prompt(self, text: str | None, again: bool = False) -> int:
        """Print a prompt, perhaps `again`, and beep for an answer; the column after the prompt."""
        column = self.print_prompt(text)
        sound = self._machine.sound
        # While a prompt of two rows is shown again, the tone of the warning ends (recorded:
        # random4-minimal-input-long).
        if again and text is not None and len(text) > PRINT_WIDTH:
            sound.wait()
        # A tone of the program is not cut off by the prompt's.
        if not sound.playing:
            sound.beep()
        return column


class _Line:
    """INPUT or LINPUT: a prompt, a line, and its values; a bad line is asked for again.

    Without `read` the line itself is the value, as for LINPUT; it gets a space at its end if it has
    continued in a second row (recorded: prog-dates).
    """

    def __init__(
        self,
        io: ScreenIO,
        prompt: str | None,
        read: Callable[[str], list[Value]] | None,
        name: str = "",
        repeatable: bool = True,
    ) -> None:
        self._io = io
        self._repeatable = repeatable
        self._name = name
        self._prompt = prompt
        self._read = read
        self.editor = io.prompt(prompt, AFTER_PROMPT)

    def finish(self) -> list[Value]:
        """The values of the first good line."""
        io = self._io
        while True:
            typed = io.complete(self.editor)
            try:
                values = self._values(typed)
            except BadLine as error:
                if not error.early:
                    io.new_row()
                io.warn(error.code, self._name)
                io.new_row()
                if not self._repeatable:
                    io.show_prompt(None)
                    raise XBError(xb.SYNTAX_ERROR) from None
                self.editor = io.prompt(self._prompt, again=True)
            else:
                io.new_row()
                return values

    def _values(self, typed: str) -> list[Value]:
        if self._read is not None:
            return self._read(typed)
        return [typed + " "] if self.editor.wrapped else [typed]


class _Accept:
    """ACCEPT: a field and its value; a bad number is asked for again in the same place."""

    def __init__(self, io: ScreenIO, area: Area, string: bool) -> None:
        self._io = io
        self._area = area
        self._string = string
        io.settle()
        self.editor = self._open()

    def finish(self) -> list[Value]:
        """The value of the first good line."""
        io = self._io
        while True:
            typed = io.complete(self.editor).rstrip(" ")
            try:
                value = typed if self._string else self._number(typed)
            except BadLine as error:
                line = io.warn_of_field(error.code)
                if line is not None and line >= FOUR_DIGITS:
                    self._area.allowed = None
                self.editor = self._open()
            else:
                io.leave_field(self._area)
                return [value]

    def _number(self, typed: str) -> Number:
        self._io.reads(typed)
        value = number_item(typed, xb.STRING_NUMBER_MISMATCH)
        if overflowed(value):
            self._io.warn_of_field(xb.NUMERIC_OVERFLOW)
            return value.value_after_warning
        return value

    def _open(self) -> LineEditor:
        io, area = self._io, self._area
        field = io.accept_field(area)
        # SIZE with a negative number keeps the contents of the field.
        if area.keep:
            return io.edit(field, field.size, area.allowed)
        if isinstance(field, LineField):
            field.renew_edge()
        else:
            io.blank(field)
        return io.edit(field, 0, area.allowed)
