"""The editor for one line on the screen, and the items of a line typed for INPUT.

INPUT, LINPUT, ACCEPT and the command line share the editor. The text lives on the screen, in the
cells of a field; the editor moves a cursor over them until a key ends the line. It can be left
while it waits for a key (`Pause`) and run again. Source: the recorded accept and input cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from ti99tools.base import codes
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import PRINT_WIDTH
from ti99tools.base.cycles.language import NEXT_TONE, REFUSED_CYCLES, TYPED_CYCLES
from ti99tools.computer.interp.io.printer import BOTTOM, MARGIN
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Number, Value, overflowed
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.screen import BLANK, CURSOR, EDGE, Screen, ScreenCursor
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.language.listing.tokenize import EDITOR_COLUMNS

_ITEM = re.compile(r' *+(?:"((?:[^"]|"")*)" *(?=,|$)|(?!")([^,]*))')
ROW = 32
"""Bytes of a row in screen memory."""


class BadLine(Exception):
    """A line without usable values; `code` is the warning for it.

    `early`: the machine notices while it splits the line, before it goes to a new row.
    """

    def __init__(self, code: int, *, early: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.early = early


def split_items(text: str) -> list[tuple[str, bool]]:
    """The items of an INPUT line, without spaces around them, and whether each was quoted.

    Raises BadLine (early) for an open quote or something after a closing one.
    """
    items = []
    at = 0
    while True:
        match = _ITEM.match(text, at)
        if match is None:
            raise BadLine(xb.INPUT_ERROR, early=True)
        quoted, plain = match.groups()
        items.append((plain.strip(" "), False) if quoted is None else (unquote(quoted), True))
        at = match.end() + 1
        if at > len(text):
            return items


def unquote(text: str) -> str:
    """The inside of a quoted item: two quotes stand for one."""
    return text.replace('""', '"')


def input_values(text: str, strings: Sequence[bool]) -> list[Value]:
    """The values of an INPUT line for variables that are strings or not; raises BadLine."""
    items = split_items(text)
    if len(items) != len(strings):
        raise BadLine(xb.INPUT_ERROR)
    values: list[Value] = []
    for (item, quoted), string in zip(items, strings, strict=True):
        if string:
            values.append(item)
            continue
        if quoted:
            raise BadLine(xb.INPUT_ERROR)
        value = number_item(item, xb.INPUT_ERROR)
        if overflowed(value):
            raise BadLine(xb.NUMERIC_OVERFLOW)
        values.append(value)
    return values


def number_item(text: str, wrong: int) -> Number:
    """A typed number; BadLine with INPUT ERROR for none at all, `wrong` for anything else."""
    if not text.strip(" "):
        raise BadLine(xb.INPUT_ERROR)
    try:
        return parse_number(text)
    except ValueError:
        raise BadLine(wrong) from None


ENDINGS = frozenset((codes.ENTER, codes.UP, codes.DOWN, codes.CLEAR))
"""Keys that end a line everywhere."""


class InputField(Protocol):
    """Cells on the screen, counted from 0, that a line may be typed into."""

    @property
    def size(self) -> int:
        """The number of cells."""
        ...

    def place(self, cell: int) -> tuple[int, int]:
        """Screen row and column of a cell, from 0; scrolls if it is below the screen."""
        ...


class BoxField:
    """Part of one row: ACCEPT AT. Row and column (0–27) count from 0."""

    def __init__(self, row: int, column: int, size: int) -> None:
        self._row = row
        self._left = MARGIN + column
        self.size = min(size, PRINT_WIDTH - column)

    def place(self, cell: int) -> tuple[int, int]:
        """Screen row and column of a cell."""
        return self._row, self._left + cell


class LineField:
    """The bottom row from a column on, and the rows that scroll in below it as needed."""

    def __init__(self, screen: Screen, column: int) -> None:
        self._screen = screen
        self._top = BOTTOM
        self._column = column
        self.size = EDITOR_COLUMNS - column

    def place(self, cell: int) -> tuple[int, int]:
        """Screen row and column of a cell; scrolls until its row is on the screen."""
        down, column = divmod(self._column + cell, PRINT_WIDTH)
        # The row of the prompt moves up with each scroll.
        while self._top + down > BOTTOM:
            self._screen.scroll()
            self._top -= 1
        return self._top + down, MARGIN + column

    def clear(self) -> None:
        """Blank the bottom row from the field's start on and renew its right edge."""
        self._screen.blank(BOTTOM, MARGIN + self._column, PRINT_WIDTH - self._column)
        self.renew_edge()

    def renew_edge(self) -> None:
        """Write the edge characters at the right of the bottom row."""
        self._screen.write(BOTTOM, MARGIN + PRINT_WIDTH, bytes((EDGE, EDGE)))


class LineEditor:
    """One line being typed.

    `length` cells hold text when it starts (a default to type over); `allowed` tells which
    characters may be typed, others sound the error tone; `ends` are the keys that end the line; the
    cells before `fixed` cannot be changed or reached.
    """

    def __init__(
        self,
        screen: Screen,
        keyboard: Keyboard,
        sound: SoundChip,
        field: InputField,
        *,
        length: int = 0,
        allowed: Callable[[int], bool] | None = None,
        ends: frozenset[int] = ENDINGS,
        fixed: int = 0,
    ) -> None:
        self._screen = screen
        self._keyboard = keyboard
        self._sound = sound
        self._field = field
        self._allowed = allowed
        self._ends = ends
        self._fixed = fixed
        self._at = fixed
        self._length = max(length, fixed)
        self._inserting = False
        self._full = False
        self._beneath: int | None = None
        keyboard.begin_line()
        self._actions: dict[int, Callable[[], None]] = {
            codes.LEFT: self._left,
            codes.RIGHT: self._right,
            codes.DELETE: self._delete,
            codes.INSERT: self._insert,
            codes.ERASE: self._erase,
        }

    @property
    def wrapped(self) -> bool:
        """Tell whether the typed text continues in a row below the first."""
        first, _ = self._field.place(0)
        last, _ = self._field.place(max(self._length - 1, 0))
        return last > first

    @property
    def text(self) -> str:
        """The typed text, up to the last cell reached; code points are character codes."""
        return "".join(chr(self._get(cell)) for cell in range(self._length))

    @property
    def cursor(self) -> tuple[int, int] | None:
        """Screen row and column of the cursor (from 0) while it shows."""
        return None if self._beneath is None else self._field.place(self._at)

    @property
    def beneath(self) -> int | None:
        """Code of the character that the cursor covers while it shows."""
        return self._beneath

    def write(self, text: str) -> None:
        """Put text into the field as if it had been there, from its first cell on."""
        text = text[: self._field.size]
        for cell, character in enumerate(text):
            self._put(cell, ord(character))
        self._length = max(self._length, len(text))

    def move(self, cell: int) -> None:
        """Place the cursor on a cell."""
        self._at = min(max(cell, self._fixed), self._field.size - 1)
        self._field.place(self._at)

    def run(self) -> int:
        """Take keys until one ends the line, and return that key's code.

        Raises Pause while it waits for one; call it again to go on.
        """
        while True:
            self._show()
            key = self._keyboard.wait_key()
            self.hide()
            if key in self._ends:
                return key
            if key >= BLANK:
                self._type(key)
            elif key in self._actions:
                self._actions[key]()

    def _type(self, code: int) -> None:
        """Take a character: over the one under the cursor, or inserted before it.

        The last cell can be typed over again, each time with a beep. A refused character sounds its
        tone once the previous one has ended; keys pressed meanwhile are not seen.
        """
        if self._allowed is not None and not self._allowed(code):
            self._keyboard.ignore(REFUSED_CYCLES)
            self._sound.wait()
            self._keyboard.ignore(NEXT_TONE)
            self._sound.honk()
            return
        self._keyboard.ignore(TYPED_CYCLES)
        if self._full:
            self._sound.beep()
        if self._inserting:
            self._length = min(self._length + 1, self._field.size)
            for cell in range(self._length - 1, self._at, -1):
                self._put(cell, self._get(cell - 1))
        self._put(self._at, code)
        self._length = max(self._length, self._at + 1)
        self._advance()

    def _advance(self) -> None:
        if self._at + 1 < self._field.size:
            self._at += 1
            self._field.place(self._at)
        else:
            self._full = True

    def _left(self) -> None:
        self._inserting = False
        self._full = False
        self._at = max(self._at - 1, self._fixed)

    def _right(self) -> None:
        self._inserting = False
        if self._full:
            self._sound.beep()
            return
        self._length = max(self._length, self._at + 1)
        self._advance()

    def _delete(self) -> None:
        self._inserting = False
        if self._at >= self._length:
            return
        self._full = False
        self._length -= 1
        for cell in range(self._at, self._length):
            self._put(cell, self._get(cell + 1))
        # The last character has moved one to the left.
        self._put(self._length, BLANK)

    def _insert(self) -> None:
        self._inserting = True

    def _erase(self) -> None:
        self._inserting = False
        self._full = False
        for cell in range(self._fixed, self._length):
            self._put(cell, BLANK)
        self._at = self._length = self._fixed

    def _show(self) -> None:
        if self._beneath is None:
            self._beneath = self._get(self._at)
            self._put(self._at, CURSOR)
            place = self._field.place(self._at)
            self._screen.cursor = ScreenCursor(*place, self._beneath, self._keyboard.now)

    def hide(self) -> None:
        """Take the cursor off the screen; the character beneath comes back."""
        if self._beneath is not None:
            self._put(self._at, self._beneath)
            self._beneath = None
            self._screen.cursor = None

    def _get(self, cell: int) -> int:
        return self._screen.get(*self._field.place(cell))

    def _put(self, cell: int, code: int) -> None:
        row, column = self._field.place(cell)
        self._screen.put(row, column, code)


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
