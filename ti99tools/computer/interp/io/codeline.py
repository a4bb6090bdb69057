"""A line typed for machine code, on the screen from one place to another."""

from __future__ import annotations

from ti99tools.base.basic import PRINT_WIDTH
from ti99tools.computer.interp.io.lineeditor import LineEditor
from ti99tools.computer.interp.io.printer import BOTTOM, MARGIN
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.screen import Screen
from ti99tools.hardware.machine.soundchip import SoundChip

ROW = 32
"""Bytes of a row in screen memory."""


class CodeField:
    """Cells from a place in screen memory to another, both counted; edges are left out.

    Below the bottom row the screen scrolls, and the first place moves up with it.
    """

    def __init__(self, screen: Screen, first: int, last: int) -> None:
        self._screen = screen
        self._first = _cell(first)
        self.size = max(1, _cell(last) - self._first + 1)

    def place(self, cell: int) -> tuple[int, int]:
        """Screen row and column of a cell; scrolls until its row is on the screen."""
        while (self._first + cell) // PRINT_WIDTH > BOTTOM:
            self._screen.scroll()
            self._first -= PRINT_WIDTH
        row, column = divmod(self._first + cell, PRINT_WIDTH)
        return row, MARGIN + column

    def address(self, cell: int) -> int:
        """The place of a cell in screen memory."""
        row, column = divmod(self._first + cell, PRINT_WIDTH)
        return ROW * row + MARGIN + column


def _cell(address: int) -> int:
    """The number of a place among all that are not edges; an edge is the next place but it."""
    row, column = divmod(address, ROW)
    return PRINT_WIDTH * row + min(max(column - MARGIN, 0), PRINT_WIDTH)


class CodeLine:
    """Lets machine code have a line typed; see `machinecode.entries.ReadLine`."""

    def __init__(self, screen: Screen, keyboard: Keyboard, sound: SoundChip) -> None:
        self._machine = screen, keyboard, sound
        self._typed: tuple[LineEditor, CodeField] | None = None
        """The line in progress."""

    def read(self, first: int, last: int) -> tuple[int, int, int]:
        """Take keys until ENTER; the places of the first and after the last character, the key.

        Raises Pause while it waits; call it again to go on.
        """
        if self._typed is None:
            field = CodeField(self._machine[0], first, last)
            self._typed = LineEditor(*self._machine, field), field
        editor, field = self._typed
        key = editor.run()
        self._typed = None
        return field.address(0), field.address(len(editor.text)), key
