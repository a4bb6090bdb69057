"""The clauses of DISPLAY and ACCEPT: where on the screen, how long, and what may be typed."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.printer import (
    BOTTOM,
    WIDTH,
    AreaPrinter,
    FieldPrinter,
    Printer,
    PrintRow,
    ScreenPrinter,
    coordinate,
)
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.screen import BLANK, ROWS

DIGIT = frozenset(b"0123456789")
NUMERIC = DIGIT | frozenset(b"+-.E")
UALPHA = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ ")
"""Characters that VALIDATE's words accept."""

LARGEST_SIZE = 255
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
        self.column = (coordinate(value) - 1) % WIDTH

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
        """VALIDATE(NUMERIC)."""
        self.admit(NUMERIC)

    def digit(self) -> None:
        """VALIDATE(DIGIT)."""
        self.admit(DIGIT)

    def ualpha(self) -> None:
        """VALIDATE(UALPHA)."""
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
            if self._pending.column >= WIDTH:
                screen.scroll()
                self._pending.column = 0
            column = self._pending.column
            return FieldPrinter(screen, BOTTOM, column, self.size, self._pending)
        if self.size is None:
            return AreaPrinter(screen, self.row, self.column)
        return FieldPrinter(screen, self.row, self.column, self.size)
