"""Command mode: the prompt, and the lines typed at it.

A line with a number goes into the program, a command is carried out here, anything else is run as
statements. The row of an error message tells how far the machine got: an error in reading the line
is shown directly below it, an error in carrying out its statements after an empty row. Source: the
recorded files-cmd, lang-misc, lang-errors and tokens cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ti99tools.base import codes
from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import PRINT_WIDTH
from ti99tools.base.cycles import console as cc
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.command_edit import (
    Editing,
    parse_list,
    parse_name,
    parse_pair,
    parse_save,
)
from ti99tools.computer.console.forgetting import Transition
from ti99tools.computer.console.programarea import free_memory
from ti99tools.computer.console.workspace import Workspace
from ti99tools.computer.interp.io.lineeditor import ENDINGS, LineEditor, LineField
from ti99tools.computer.interp.io.printer import BOTTOM, MARGIN
from ti99tools.computer.interp.run.runtime import Where, show, warning_rows
from ti99tools.hardware.machine.pab import SAVE
from ti99tools.language.listing.listing import Line, list_lines, wrap
from ti99tools.language.listing.tokenize import COMMANDS, EntryError, crunch, split_number
from ti99tools.language.program.editor import Editor, parse_resequence
from ti99tools.language.program.program import Program
from ti99tools.language.syntax import parse_line
from ti99tools.language.syntax import statements as st

_AFTER_A_ROW = frozenset((xb.COMMAND_ILLEGAL_IN_PROGRAM, xb.UNMATCHED_QUOTES))
"""Refusals of a typed line that come after an empty row (recorded)."""

_SIZE = bytes((tk.SIZE,))
_FILES = bytes((tk.CALL, tk.UNQUOTED, 5)) + b"FILES" + bytes((tk.LPAREN,))
_FILE_COUNTS = frozenset(bytes((tk.UNQUOTED, 1, digit, tk.RPAREN)) for digit in b"123456789")


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
        """Tell whether a command is at work, or a device asks for something it needs."""
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
        if key == codes.CLEAR:
            self._editing.cancel()
            self.show_prompt()
            return
        # REDO brings back the last line, without a prompt.
        if key == codes.REDO:
            self._editing.cancel()
            self.open_line(self._last, at=0, prompt="")
            return
        # An empty line does not replace the last one for REDO.
        if text.strip(" "):
            self._last = text
        # UP and DOWN move to a neighbouring line of the program; where they cannot, they enter.
        if key == codes.ENTER or not self._editing.moved(text, -1 if key == codes.UP else 1):
            self._entered(text)

    def _answer(self) -> None:
        """Let a device's questions be answered; then show a new prompt."""
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
        """Open a line with text in it, the cursor at a cell (None: after the text).

        The cells before `fixed` are out of reach. A line from the program has no prompt.
        """
        machine = self._machine
        self._new_row()
        # Only a line of the program has a fixed part and no prompt: listing it takes time.
        if fixed and not prompt:
            machine.clock.advance(cc.LINE_OFFERED + cc.LISTED_CHARACTER * len(text))
        machine.screen.write(BOTTOM, MARGIN - len(prompt), prompt.encode("ascii"))
        field = LineField(machine.screen, 0)
        field.clear()
        self._line = LineEditor(
            machine.screen,
            machine.keyboard,
            machine.sound,
            field,
            ends=ENDINGS | {codes.REDO},
            fixed=fixed,
        )
        self._line.write(text)
        self._line.move(len(text) if at is None else at)
        machine.keyboard.know()

    def show_error(self, error: XBError) -> None:
        """Show a message of command mode."""
        clock = self._machine.clock
        clock.advance(cc.TO_PROMPT)
        self._workspace.runtime.show_error(error, Where())
        clock.advance(cc.AFTER_TYPED)

    def _new_row(self) -> None:
        self._machine.screen.scroll()

    def _entered(self, text: str) -> None:
        if not self._editing.entered(text) and self._take(text):
            self.show_prompt()

    def _take(self, text: str) -> bool:
        """Carry out a line; tell whether a new prompt is due."""
        try:
            # A number makes it a line of the program; anything else is done at once.
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
        """Show why a line is refused: an invalid number of its own directly below it, an invalid
        line number among its operands after an empty row.
        """
        operand = (error.place.column or 1) > len(text) - len(text.lstrip(" ")) + 1
        if error.xb_code in _AFTER_A_ROW or (operand and error.xb_code == xb.BAD_LINE_NUMBER):
            self._new_row()
        self.show_error(XBError(error.xb_code))

    def _do(self, tokens: bytes) -> bool:
        if not tokens:
            return True
        handler = self._handlers.get(tokens[0])
        if handler is not None:
            # Three bytes come before the operands: the tokens of command and string, a length.
            handler(tokens[3:].decode("latin-1"))
            return not (self._workspace.running or self._line or self.busy)
        if tokens[0] == tk.SIZE:
            self._size(tokens)
            return True
        self._new_row()
        statement = parse_line(tokens)[0]
        if isinstance(statement, st.Data | st.Image) and self._workspace.image_scanned:
            raise XBError(xb.SYNTAX_ERROR)
        if isinstance(statement, st.Run) and statement.fault is None and statement.file is None:
            return self._run(statement.line)
        if self._files(tokens):
            return True
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
        """Put a line into the program; False when it was refused, with the message shown."""
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
        number, _ = split_number(text)
        assert number is not None
        self._workspace.edited(editor.program, number)

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
        # Checked before the start clears anything.
        if line is not None and all(n.number != line for n in program.lines):
            raise XBError(xb.LINE_NOT_FOUND)
        self._workspace.start(line)
        return not self._workspace.running

    def _new(self, _rest: str) -> None:
        self._workspace.forget(Transition.NEW)
        self._machine.clock.advance(cc.NEW)
        self._workspace.show_ready()

    def _bye(self, rest: str) -> None:
        """BYE, and the start of the next session of Extended BASIC without the title screen."""
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
            assert editor.program is not None
            self._workspace.renumbered(editor.program)

    def _num(self, rest: str) -> None:
        self._editing.start_numbering(*parse_pair(rest))

    def _size(self, tokens: bytes) -> None:
        if tokens != _SIZE:
            raise XBError(xb.SYNTAX_ERROR)
        self._new_row()
        workspace = self._workspace
        besides = workspace.left_over + workspace.runtime.files.memory()
        stack, program = free_memory(workspace.program, workspace.execution, besides)
        rows = (f"{stack} BYTES OF STACK FREE", f"{program} BYTES OF PROGRAM", "  SPACE FREE")
        for row in rows:
            self._machine.screen.write(BOTTOM, MARGIN, f"  {row}".encode("ascii"))
            self._new_row()

    def _files(self, tokens: bytes) -> bool:
        """Carry out the disk controller's CALL FILES(n), alone in a line; False for anything else.

        The controller reads the number from the line as it was typed, so anything but a digit from
        1 to 9 is a SYNTAX ERROR (recorded: asked4-8d; in a program it is not found).
        """
        execution = self._workspace.execution
        # A SUB of the program with that name comes first.
        own = execution is not None and "FILES" in execution.compiler.scan.subs
        if own or not tokens.startswith(_FILES):
            return False
        if tokens[len(_FILES) :] not in _FILE_COUNTS:
            raise XBError(xb.SYNTAX_ERROR)
        count = tokens[-2] - ord("0")
        self._workspace.reserve_files(count)
        return True

    # -- listing --------------------------------------------------------------------------

    def _list(self, rest: str) -> None:
        operands = parse_list(rest)
        if self._program() is None:
            return
        self.check_open()
        lines = operands.range.of(self.lines)
        if operands.device is not None:
            # Opening forgets some things even if it fails, the rest only once it has succeeded.
            self._workspace.forget(Transition.LIST)
            file = self._workspace.store.open_listing(operands.device)
            self._workspace.forget(Transition.LISTED)
            self._workspace.store.write_listing(file, lines)
            return
        self._listing = (row for line in list_lines(lines) for row in wrap(line, PRINT_WIDTH))
        self._go_on_listing()

    def _go_on_listing(self) -> None:
        """Show rows until all have been shown, CLEAR is pressed, or a pause is due.

        At the end the row of PRINT counts as full: the next PRINT begins a new one.
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
            clock.cycles += cc.LISTED_ROW
            if clock.cycles >= clock.next_event:
                clock.service()
        self._listing = None
        self._workspace.runtime.pending.column = PRINT_WIDTH
        self.show_prompt()

    # -- disks ----------------------------------------------------------------------------

    def _old(self, rest: str) -> None:
        self._workspace.forget(Transition.FILE)
        self._workspace.load(parse_name(rest))

    def _save(self, rest: str) -> None:
        workspace = self._workspace
        program = workspace.program
        if program is not None and not program.protected:
            workspace.forget(Transition.FILE)
        name, option = parse_save(rest)
        if self._program() is None or program is None:
            return
        self.check_open()
        workspace.forget(Transition.SAVE)
        if option == "MERGE":
            workspace.store.save_merge(name, program)
            return
        try:
            workspace.store.save(name, program.with_protection(option == "PROTECTED"))
        except XBError as error:
            if (error.io_code or 0) // 10 == SAVE:
                workspace.left_over = program.size
            raise

    def _merge(self, rest: str) -> None:
        self.check_open()
        self._workspace.forget(Transition.FILE)
        editor = Editor(self._workspace.program)
        lines = self._workspace.store.merge(parse_name(rest))
        editor.merge(lines)
        self._workspace.merged(editor.program, lines)
