"""Errors and warnings of Extended BASIC v110: number (as CALL ERR gives it) and text.

Source: the error list of the Extended BASIC manual, confirmed by the recorded cases. The texts
are what the console prints after `* `, with ` IN line` added while a program runs.
"""

from __future__ import annotations

NUMERIC_OVERFLOW = 10
SYNTAX_ERROR = 14
ILLEGAL_AFTER_SUBPROGRAM = 16
UNMATCHED_QUOTES = 17
NAME_TOO_LONG = 19
UNRECOGNIZED_CHARACTER = 20
STRING_NUMBER_MISMATCH = 24
OPTION_BASE_ERROR = 25
IMPROPERLY_USED_NAME = 28
IMAGE_ERROR = 36
MEMORY_FULL = 39
STACK_OVERFLOW = 40
NEXT_WITHOUT_FOR = 43
FOR_NEXT_NESTING = 44
MUST_BE_IN_SUBPROGRAM = 47
RECURSIVE_SUBPROGRAM_CALL = 48
MISSING_SUBEND = 49
RETURN_WITHOUT_GOSUB = 51
STRING_TRUNCATED = 54
SPEECH_STRING_TOO_LONG = 56
BAD_SUBSCRIPT = 57
LINE_NOT_FOUND = 60
BAD_LINE_NUMBER = 61
LINE_TOO_LONG = 62
CANT_CONTINUE = 67
COMMAND_ILLEGAL_IN_PROGRAM = 69
ONLY_LEGAL_IN_A_PROGRAM = 70
BAD_ARGUMENT = 74
NO_PROGRAM_PRESENT = 78
BAD_VALUE = 79
INCORRECT_ARGUMENT_LIST = 81
INPUT_ERROR = 83
DATA_ERROR = 84
PROTECTION_VIOLATION = 97
FILE_ERROR = 109
IO_ERROR = 130
SUBPROGRAM_NOT_FOUND = 135

TEXTS: dict[int, str] = {
    NUMERIC_OVERFLOW: "NUMERIC OVERFLOW",
    SYNTAX_ERROR: "SYNTAX ERROR",
    ILLEGAL_AFTER_SUBPROGRAM: "ILLEGAL AFTER SUBPROGRAM",
    UNMATCHED_QUOTES: "UNMATCHED QUOTES",
    NAME_TOO_LONG: "NAME TOO LONG",
    UNRECOGNIZED_CHARACTER: "UNRECOGNIZED CHARACTER",
    STRING_NUMBER_MISMATCH: "STRING-NUMBER MISMATCH",
    OPTION_BASE_ERROR: "OPTION BASE ERROR",
    IMPROPERLY_USED_NAME: "IMPROPERLY USED NAME",
    IMAGE_ERROR: "IMAGE ERROR",
    MEMORY_FULL: "MEMORY FULL",
    STACK_OVERFLOW: "STACK OVERFLOW",
    NEXT_WITHOUT_FOR: "NEXT WITHOUT FOR",
    FOR_NEXT_NESTING: "FOR-NEXT NESTING",
    MUST_BE_IN_SUBPROGRAM: "MUST BE IN SUBPROGRAM",
    RECURSIVE_SUBPROGRAM_CALL: "RECURSIVE SUBPROGRAM CALL",
    MISSING_SUBEND: "MISSING SUBEND",
    RETURN_WITHOUT_GOSUB: "RETURN WITHOUT GOSUB",
    STRING_TRUNCATED: "STRING TRUNCATED",
    SPEECH_STRING_TOO_LONG: "SPEECH STRING TOO LONG",
    BAD_SUBSCRIPT: "BAD SUBSCRIPT",
    LINE_NOT_FOUND: "LINE NOT FOUND",
    BAD_LINE_NUMBER: "BAD LINE NUMBER",
    LINE_TOO_LONG: "LINE TOO LONG",
    CANT_CONTINUE: "CAN'T CONTINUE",
    COMMAND_ILLEGAL_IN_PROGRAM: "COMMAND ILLEGAL IN PROGRAM",
    ONLY_LEGAL_IN_A_PROGRAM: "ONLY LEGAL IN A PROGRAM",
    BAD_ARGUMENT: "BAD ARGUMENT",
    NO_PROGRAM_PRESENT: "NO PROGRAM PRESENT",
    BAD_VALUE: "BAD VALUE",
    INCORRECT_ARGUMENT_LIST: "INCORRECT ARGUMENT LIST",
    INPUT_ERROR: "INPUT ERROR",
    DATA_ERROR: "DATA ERROR",
    PROTECTION_VIOLATION: "PROTECTION VIOLATION",
    FILE_ERROR: "FILE ERROR",
    IO_ERROR: "I/O ERROR",
    SUBPROGRAM_NOT_FOUND: "SUBPROGRAM NOT FOUND",
}

MAX_TOLD = 999_999_999
"""The largest number that a message shows."""

IO_OPERATIONS = {
    0: "OPEN",
    1: "CLOSE",
    2: "INPUT",
    3: "PRINT",
    4: "RESTORE",
    5: "OLD",
    6: "SAVE",
    7: "DELETE",
}
"""First digit of an I/O error → the operation that failed."""
IO_CAUSES = {
    0: "there is no such device",
    1: "the disk or file is protected",
    2: "there is no such file, or it has another type or record length",
    3: "this cannot be done with such a file",
    4: "there is no room left",
    5: "this is after the end of the file",
    6: "the device does not work, or no disk is in the drive",
    7: "there is no such file, or it is of another kind",
}
"""Second digit of an I/O error → its cause, as the disk controller uses it."""
_NO_PROGRAM = 50
"""Extended BASIC's own, too: what was read is no program of BASIC (recorded)."""


class XBError(Exception):
    """An error of Extended BASIC, raised while a program or command runs.

    `code` is one of the constants above. For I/O errors `io_code` is the two-digit code shown on
    the screen (first digit: operation, second: the DSR's error) and `file` the file number that
    CALL ERR reports. `severity` is set where it is not the usual one of the code. `detail` tells
    apart the causes that share a message. The interpreter fills in `line`. `unspent` is the number
    of cycles that the statement would still have taken.
    """

    unspent = 0

    def __init__(
        self,
        code: int,
        *,
        io_code: int | None = None,
        file: int | None = None,
        severity: int | None = None,
        detail: str = "",
    ) -> None:
        self.code = code
        self.detail = detail
        self.severity = severity
        self.io_code = io_code
        self.file = file
        self.line: int | None = None
        super().__init__(code)

    def met(self, handled: bool) -> None:
        """Note that a handler gets the error, or that its message is about to be shown."""

    @property
    def text(self) -> str:
        """The message without `* ` and without its place, e.g. `I/O ERROR 02`."""
        text = TEXTS[self.code]
        return text if self.io_code is None else f"{text} {self.io_code:02d}"

    @property
    def meaning(self) -> str:
        """The digits of an I/O error in words, e.g. `OPEN: there is no such device`; else empty."""
        if self.io_code is None:
            return ""
        operation, cause = divmod(self.io_code, 10)
        known = (IO_OPERATIONS.get(operation), IO_CAUSES.get(cause))
        if self.io_code == _NO_PROGRAM:
            return "OLD: there is no such device, or what it has there is no program of BASIC"
        return ": ".join(part for part in known if part)

    def __str__(self) -> str:
        return self.text if self.line is None else f"{self.text} IN {self.line}"


def outside(code: int, value: int, lowest: int, highest: int) -> XBError:
    """The error `code` for an integer outside its limits."""
    text = str(value) if abs(value) <= MAX_TOLD else "the value"
    return XBError(code, detail=f"{text} is not {lowest} to {highest}")
