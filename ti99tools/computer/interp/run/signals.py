"""What ends or interrupts a program besides the errors of Extended BASIC."""

from __future__ import annotations

from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.units import StatementPlace


class Unplayable(TIError):
    """A statement that this console cannot run to its end; `line` is filled in on the way out."""

    line: int | None = None


class EndlessStatement(Unplayable):
    """A statement whose functions use each other so often that it would practically never end."""

    def __init__(self) -> None:
        super().__init__(
            "one statement would practically never end: DEF functions use each other too often",
            remedy="put the value of a function into a variable, and use that",
        )


class EmptyStatementHang(Unplayable):
    """Two empty statements in a row: the machine reads the second one again and again."""

    def __init__(self) -> None:
        super().__init__(
            "the machine stands still here, and no key helps: two empty statements in a row",
            remedy="write one :: between two statements",
        )


class ProgramEnd(Exception):
    """END, STOP, or no line left."""


class WarningStop(Exception):
    """A warning under ON WARNING STOP: the message is on the screen, the program is over.

    `code` is the warning's, `line` None in a command.
    """

    def __init__(self, code: int, line: int | None) -> None:
        super().__init__(code)
        self.code = code
        self.line = line
        self.offset = 0
        """Of the statement in the tokens of its line."""


class BreakReached(Exception):
    """BREAK, a breakpoint or CLEAR: stop before (or after) a place.

    `typing`: CLEAR ended a line that was being typed.
    """

    def __init__(
        self, line: int, continue_at: tuple[int, int] | None, typing: bool = False
    ) -> None:
        super().__init__(line)
        self.line = line
        self.continue_at = continue_at
        self.typing = typing
        self.offset = 0
        """Of the statement in the tokens of its line."""


class OutOfRange(TIError):
    """A value that a RANGE of the source does not allow; `place` is that of the RANGE.

    `line` is the number of the line that assigns it, None if it is unknown, and `offset` where the
    statement is in its tokens; `held` says both without the line.
    """

    line: int | None = None
    offset = 0
    held = ""


class RunAgain(Exception):
    """RUN as a statement: from which line, and the program read from a file, if one was named."""

    def __init__(self, line: int | None, program: object | None) -> None:
        super().__init__(line)
        self.line = line
        self.program = program


class ModeChange(Exception):
    """From this block on, blocks of the other kind run: careful ones, or fast ones."""


class ClearPressed(Exception):
    """CLEAR stops the program where it is; `typing`: in a line that was being typed."""

    def __init__(self, typing: bool) -> None:
        super().__init__()
        self.typing = typing


class FailedAgain(XBError):
    """Wrong syntax after a handler's RETURN: it counts as an error of the statement that failed."""

    def __init__(self, code: int, place: StatementPlace) -> None:
        super().__init__(code)
        self.place = place


class Overwritten(XBError):
    """What was loaded is not a program and has overwritten the program, so that no handler is left
    (that ON ERROR does not help is an inference).
    """


class NoLoop(XBError):
    """An error of FOR after which no loop is added to the stack; see `stack.half_loop`."""
