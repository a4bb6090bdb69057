"""Command mode: the prompt, lines typed at it, and what they ask for.

A line with a number goes into the program, a command is carried out here, anything else is run as
statements. Where a message stands below the line typed shows how far the machine had come: what
it refuses while it takes the line apart follows directly, what fails in carrying out statements
comes after an empty row. Source: the recorded files-cmd, lang-misc, lang-errors and tokens cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ti99tools.base import keys
from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.console.command_edit import Editing
from ti99tools.console.command_words import parse_list, parse_name, parse_pair, parse_save
from ti99tools.console.free_memory import free_memory
from ti99tools.console.workspace import AFTER_TYPED, TO_PROMPT, Workspace
from ti99tools.interp.io.lineeditor import ENDINGS, LineEditor, LineField
from ti99tools.interp.io.printer import BOTTOM, MARGIN, WIDTH
from ti99tools.interp.run.messages import Where, show, warning_rows
from ti99tools.machine.screen import BLANK
from ti99tools.program.editor import Editor
from ti99tools.program.image import Line
from ti99tools.program.program import Program, listed
from ti99tools.program.resequence import parse_resequence
from ti99tools.source.listing import wrap
from ti99tools.source.syntax import parse_line
from ti99tools.source.syntax import statements as st
from ti99tools.source.tokenize import COMMANDS, EntryError, crunch, split_number

RENEWED = 2_200_000
"""Cycles of NEW, from the cleared screen to `* READY *` (fitted to 20 recorded scripts)."""

LISTED_ROW = 200_000
"""Cycles that LIST takes for a row (estimated: no recording times it)."""

_AFTER_A_ROW = frozenset((xb.COMMAND_ILLEGAL_IN_PROGRAM, xb.UNMATCHED_QUOTES))
"""Refusals of a typed line that come after an empty row (recorded)."""

_SIZE = bytes((tk.SIZE,))


class Commands:
    """Takes lines at the prompt."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._machine = workspace.machine
        self._line: LineEditor | None = None
        self._last = ""
        self._editing = Editing(self)
        self._listing: Iterator[str] | None = None
        self._handlers: dict[int, Callable[[str], None]] = {
            COMMANDS["NEW"]: self._new,
            COMMANDS["CON"]: self._con,
            COMMANDS["LIST"]: self._list,
            COMMANDS["BYE"]: self._bye,
            COMMANDS["NUM"]: self._num,
            COMMANDS["OLD"]: self._old,
            COMMANDS["RES"]: self._res,
            COMMANDS["SAVE"]: self._save,
            COMMANDS["MERGE"]: self._merge,
        }

    @property
    def editor(self) -> LineEditor | None:
        """The line being typed."""
        return self._line

    @property
    def busy(self) -> bool:
        """Tell whether a command is at work, or a device asks for something that it needs."""
        return self._listing is not None or self._workspace.asking

    def run(self) -> None:
        """Take keys until a line is complete and carry it out; Pause while it waits for one."""
        if self._workspace.asking:
            self._answer()
            return
        if self._listing is not None:
            self._go_on_listing()
            return
        if self._line is None:
            self.show_prompt()
        assert self._line is not None
        key = self._line.run()
        text, self._line = self._line.text, None
        if key == keys.CLEAR:
            self._editing.cancel()
            self.show_prompt()
            return
        if key == keys.REDO:
            self._editing.cancel()
            self.open_line(self._last, at=0, prompt="")
            return
        if text.strip(" "):
            self._last = text
        if key == keys.ENTER or not self._editing.moved(text, -1 if key == keys.UP else 1):
            self._entered(text)

    def _answer(self) -> None:
        """Let a device's questions be answered; then there is a new prompt."""
        try:
            self._workspace.answer()
        except XBError as error:
            self.show_error(error)
        self.show_prompt()

    # -- lines ----------------------------------------------------------------------------

    def show_prompt(self) -> None:
        """Show `>` in a new row at the bottom; a line can be typed after it."""
        self.open_line("")

    def open_line(
        self, text: str, at: int | None = None, fixed: int = 0, prompt: str = ">"
    ) -> None:
        """A new line with text in it, its cursor at a cell (None: after the text).

        The cells before `fixed` are out of reach. A line that was there before has no prompt.
        """
        machine = self._machine
        self._new_row()
        machine.screen.write(BOTTOM, MARGIN - len(prompt), prompt.encode("ascii"))
        field = LineField(machine.screen, 0)
        field.clear()
        self._line = LineEditor(
            machine.screen,
            machine.keyboard,
            machine.sound,
            field,
            ends=ENDINGS | {keys.REDO},
            fixed=fixed,
        )
        self._line.write(text)
        self._line.move(len(text) if at is None else at)

    def show_error(self, error: XBError) -> None:
        """Show a message of command mode."""
        clock = self._machine.clock
        clock.advance(TO_PROMPT)
        self._workspace.runtime.show_error(error, Where())
        clock.advance(AFTER_TYPED)

    def _new_row(self) -> None:
        self._machine.screen.scroll()

    def _entered(self, text: str) -> None:
        if not self._editing.entered(text) and self._take(text):
            self.show_prompt()

    def _take(self, text: str) -> bool:
        """Carry out a line; whether a new prompt is due."""
        try:
            if split_number(text)[0] is not None:
                self._enter(text)
                return not self.busy
            return self._do(crunch(text))
        except EntryError as error:
            self._refuse(error, text)
        except XBError as error:
            self.show_error(error)
        return True

    def _refuse(self, error: EntryError, text: str) -> None:
        """Show why a line is not taken; a line's own number is refused directly below it."""
        operand = (error.place.column or 1) > len(text) - len(text.lstrip(" ")) + 1
        if error.xb_code in _AFTER_A_ROW or (operand and error.xb_code == xb.BAD_LINE_NUMBER):
            self._new_row()
        self.show_error(XBError(error.xb_code))

    def _do(self, tokens: bytes) -> bool:
        if not tokens:
            return True
        handler = self._handlers.get(tokens[0])
        if handler is not None:
            handler(tokens[3:].decode("latin-1"))
            return not (self._workspace.running or self._line or self.busy)
        if tokens[0] == tk.SIZE:
            self._size(tokens)
            return True
        self._new_row()
        statement = parse_line(tokens)[0]
        if isinstance(statement, st.Data | st.Image) and self._workspace.data_scanned:
            raise XBError(xb.SYNTAX_ERROR)
        if isinstance(statement, st.Run) and statement.fault is None and statement.file is None:
            return self._run(statement.line)
        if isinstance(statement, st.Restore) and self._workspace.program is None:
            self._warn_of_no_program()
            return True
        self._workspace.execute(tokens)
        return not self._workspace.running

    # -- the program ----------------------------------------------------------------------

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the program in memory."""
        return self._workspace.lines

    def check_open(self) -> None:
        """Raise PROTECTION VIOLATION for a protected program."""
        program = self._workspace.program
        if program is not None and program.protected:
            raise XBError(xb.PROTECTION_VIOLATION)

    def store(self, text: str) -> bool:
        """Put a line into the program; False when it was refused and the message is shown."""
        try:
            if split_number(text)[0] is None:
                raise XBError(xb.SYNTAX_ERROR)
            self._enter(text)
        except EntryError as error:
            self._refuse(error, text)
        except XBError as error:
            self.show_error(error)
        else:
            return True
        return False

    def _enter(self, text: str) -> None:
        editor = Editor(self._workspace.program)
        editor.enter(text)
        self._workspace.replace(editor.program)

    def _program(self) -> Program | None:
        """The program; None, with a warning below an empty row, when there is none."""
        program = self._workspace.program
        if program is None:
            self._new_row()
            self._warn_of_no_program()
        return program

    def _warn_of_no_program(self) -> None:
        self._machine.sound.honk()
        rows = warning_rows(xb.TEXTS[xb.NO_PROGRAM_PRESENT], Where())
        show(self._machine.screen, rows)

    def _run(self, line: int | None) -> bool:
        program = self._program()
        if program is None:
            return True
        if line is not None and all(n.number != line for n in program.lines):
            raise XBError(xb.LINE_NOT_FOUND)
        self._workspace.start(line)
        return not self._workspace.running

    def _new(self, _rest: str) -> None:
        self._workspace.replace(None)
        self._machine.screen.fill(BLANK)
        self._machine.reset_graphics()
        self._machine.clock.advance(RENEWED)
        self._workspace.show_ready()

    def _bye(self, rest: str) -> None:
        """BYE, as far as the next session of Extended BASIC shows it."""
        self._last = ""
        self._new(rest)

    def _con(self, rest: str) -> None:
        if rest.strip(" "):
            raise XBError(xb.SYNTAX_ERROR)
        if self._workspace.stopped_at is not None:
            self._new_row()
        self._workspace.go_on()

    def _res(self, rest: str) -> None:
        numbers = parse_resequence(f"RES {rest}")
        assert numbers is not None
        if self._program() is not None:
            editor = Editor(self._workspace.program)
            editor.resequence(*numbers)
            self._workspace.replace(editor.program, keep_files=True)

    def _num(self, rest: str) -> None:
        self._editing.start_numbering(*parse_pair(rest))

    def _size(self, tokens: bytes) -> None:
        if tokens != _SIZE:
            raise XBError(xb.SYNTAX_ERROR)
        self._new_row()
        stack, program = free_memory(self._workspace.program, self._workspace.execution)
        rows = (f"{stack} BYTES OF STACK FREE", f"{program} BYTES OF PROGRAM", "  SPACE FREE")
        for row in rows:
            self._machine.screen.write(BOTTOM, MARGIN, f"  {row}".encode("ascii"))
            self._new_row()

    # -- listing --------------------------------------------------------------------------

    def _list(self, rest: str) -> None:
        operands = parse_list(rest)
        if self._program() is None:
            return
        self.check_open()
        lines = operands.range.of(self.lines)
        if operands.device is not None:
            self._workspace.store.write_listing(operands.device, lines)
            return
        self._listing = (row for line in listed(lines) for row in wrap(line, WIDTH))
        self._go_on_listing()

    def _go_on_listing(self) -> None:
        """Show rows until they are all on the screen, CLEAR is pressed, or a pause is due.

        The row of PRINT then is full: what a command prints next stands in a row of its own.
        """
        machine = self._machine
        clock = machine.clock
        assert self._listing is not None
        while not machine.keyboard.break_pressed():
            row = next(self._listing, None)
            if row is None:
                break
            self._new_row()
            machine.screen.write(BOTTOM, MARGIN, row.encode("latin-1"))
            clock.cycles += LISTED_ROW
            if clock.cycles >= clock.next_event:
                clock.service()
        self._listing = None
        self._workspace.runtime.pending.column = WIDTH
        self.show_prompt()

    # -- disks ----------------------------------------------------------------------------

    def _old(self, rest: str) -> None:
        name = parse_name(rest)
        self._workspace.runtime.files.close_all()
        self._workspace.load(name)

    def _save(self, rest: str) -> None:
        name, option = parse_save(rest)
        program = self._program()
        if program is None:
            return
        self.check_open()
        self._workspace.replace(program)
        if option == "MERGE":
            self._workspace.store.save_merge(name, program)
        else:
            self._workspace.store.save(name, program.with_protection(option == "PROTECTED"))

    def _merge(self, rest: str) -> None:
        name = parse_name(rest)
        self.check_open()
        self._workspace.runtime.files.close_all()
        editor = Editor(self._workspace.program)
        editor.merge(self._workspace.store.merge(name))
        self._workspace.replace(editor.program)
