"""The screen image in video RAM: 24 rows of 32 character codes, the cursor, screens compared.

Rows and columns count from 0 here. Character codes are those that CALL HCHAR takes; in video RAM
they are 60h higher. The cursor of a line being typed blinks: 15 frames on, 15 off (recorded).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ti99tools.base.record import Record
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.vdp import OFFSET, SCREEN, SCREEN_SIZE, VDP

EDGE_TEXT, CURSOR_TEXT = "\x1f", "\x1e"


def visible(row: str) -> str:
    """A row with its edge characters as `.`, the cursor as `_`, other codes as `~`."""
    return "".join(
        "." if c == EDGE_TEXT else "_" if c == CURSOR_TEXT else c if " " <= c <= "~" else "~"
        for c in row
    )


def side_by_side(
    left: Sequence[str],
    right: Sequence[str],
    wrong: Collection[int],
    names: tuple[str, str] = ("left", "right"),
) -> Iterator[str]:
    """The rows of two screens side by side; those in `wrong` (from 0) are marked `!`.

    Rows are strings of code points. Rows that are blank on both sides and not wrong are left out.
    """
    yield f"   {names[0]:32} | {names[1]}"
    for row, (a, b) in enumerate(zip(left, right, strict=True)):
        if a.strip(f" {EDGE_TEXT}") or b.strip(f" {EDGE_TEXT}") or row in wrong:
            mark = "!" if row in wrong else " "
            yield f"{row + 1:2}{mark}{visible(a)} | {visible(b)}"


PHASE = 15 * FRAME
"""Cycles for which the cursor is shown, and then the character beneath."""


class ScreenCursor(Record):
    """A cursor at a row and column (from 0) over a character, shown since a cycle.

    Screen memory holds the cursor all the time; pictures show it blinking.
    """

    row: int
    column: int
    beneath: int
    since: int

    def is_lit(self, cycle: int) -> bool:
        """Tell whether it is visible at a cycle."""
        return (cycle - self.since) // PHASE % 2 == 0


ROWS = 24
COLUMNS = 32
BLANK = 0x20
EDGE = 0x1F
CURSOR = 0x1E
"""Characters before the space: 31 fills the edges, 30 is the cursor."""

_ADD = bytes((code + OFFSET) & 0xFF for code in range(256))
_SUBTRACT = bytes((byte - OFFSET) & 0xFF for byte in range(256))
"""From character codes to pattern numbers in video memory, and back."""

SCROLLED_IN = bytes((EDGE, EDGE, *([BLANK] * 28), EDGE, EDGE))
"""The row that scrolling brings in: edge characters in columns 1, 2, 31 and 32."""

_SCROLLED_IN = SCROLLED_IN.translate(_ADD)
_BLANKS = bytes((BLANK + OFFSET,)) * COLUMNS
_LAST_ROW = SCREEN + SCREEN_SIZE - COLUMNS


class Screen:
    """Reads and writes the screen image table of a `VDP`.

    `scrolled` is called on every scroll with the `besides` of `scroll`.
    """

    __slots__ = ("_ram", "_scrolled", "cursor")

    def __init__(self, vdp: VDP, scrolled: Callable[[int], None] = lambda _besides: None) -> None:
        self._ram = vdp.ram
        self._scrolled = scrolled
        self.cursor: ScreenCursor | None = None
        """The cursor of the line being typed."""

    def __repr__(self) -> str:
        """The rows that show something."""
        rows = "\n".join(row.rstrip() for row in self.text.split("\n") if row.strip())
        return f"<{type(self).__name__}\n{rows}>" if rows else f"<{type(self).__name__}, blank>"

    @property
    def codes(self) -> bytes:
        """The 768 character codes, row by row."""
        return bytes(self._ram[SCREEN : SCREEN + SCREEN_SIZE]).translate(_SUBTRACT)

    @property
    def rows(self) -> list[str]:
        """24 strings of 32 characters whose code points are the character codes."""
        text = self.codes.decode("latin-1")
        return [text[i : i + COLUMNS] for i in range(0, SCREEN_SIZE, COLUMNS)]

    @property
    def text(self) -> str:
        """The rows joined by newlines; the edge character and the cursor are shown as spaces."""
        as_spaces = str.maketrans({EDGE: " ", CURSOR: " "})
        return "\n".join(row.translate(as_spaces) for row in self.rows)

    def shows(self, text: str) -> bool:
        """Tell whether a text stands somewhere within a row."""
        # Waiting for a text asks this some thousand times, so look without a copy first.
        wanted = text.encode("latin-1", "replace").translate(_ADD)
        present = self._ram.find(wanted, SCREEN, SCREEN + SCREEN_SIZE) >= 0
        return present and any(text in row for row in self.rows)

    def get(self, row: int, column: int) -> int:
        """The character code at a place (0–23, 0–31)."""
        return (self._ram[SCREEN + COLUMNS * row + column] - OFFSET) & 0xFF

    def put(self, row: int, column: int, code: int) -> None:
        """Write one character (code taken modulo 256)."""
        self._ram[SCREEN + COLUMNS * row + column] = (code + OFFSET) & 0xFF

    def read(self, row: int, column: int, length: int) -> bytes:
        """`length` character codes from a place on, continuing on the next row."""
        start = SCREEN + COLUMNS * row + column
        return bytes(self._ram[start : start + length]).translate(_SUBTRACT)

    def write(self, row: int, column: int, codes: bytes) -> None:
        """Write characters from a place on; they must end before the end of the screen."""
        start = SCREEN + COLUMNS * row + column
        end = start + len(codes)
        if end > SCREEN + SCREEN_SIZE:
            raise ValueError(
                f"{len(codes)} characters at row {row}, column {column} leave the screen"
            )
        self._ram[start:end] = codes.translate(_ADD)

    def blank(self, row: int, column: int, length: int) -> None:
        """Write spaces from a place on; they must end before the end of the row."""
        start = SCREEN + COLUMNS * row + column
        self._ram[start : start + length] = _BLANKS[:length]

    def fill(self, code: int) -> None:
        """Write one character everywhere, the edges included (CALL CLEAR: 32)."""
        self._ram[SCREEN : SCREEN + SCREEN_SIZE] = bytes(((code + OFFSET) & 0xFF,)) * SCREEN_SIZE

    def repeat_right(self, row: int, column: int, code: int, times: int) -> None:
        """Write `code` `times` times rightwards; after row 24 it goes on in row 1 (CALL HCHAR)."""
        byte = bytes(((code + OFFSET) & 0xFF,))
        start = COLUMNS * row + column
        times = min(times, SCREEN_SIZE)
        first = min(times, SCREEN_SIZE - start)
        self._ram[SCREEN + start : SCREEN + start + first] = byte * first
        self._ram[SCREEN : SCREEN + times - first] = byte * (times - first)

    def repeat_down(self, row: int, column: int, code: int, times: int) -> None:
        """Write `code` `times` times downwards; after row 24 it goes on in the next column."""
        byte = (code + OFFSET) & 0xFF
        ram = self._ram
        place = COLUMNS * row + column
        for _ in range(min(times, SCREEN_SIZE)):
            ram[SCREEN + place] = byte
            place += COLUMNS
            if place >= SCREEN_SIZE:
                # Past row 24 the count goes on at the top of the next column.
                place = (place + 1) % COLUMNS

    def scroll(self, besides: int = 0) -> None:
        """Move all rows up by one; the row scrolled in is blank with edge characters.

        `besides` are cycles in addition to those of a scroll.
        """
        ram = self._ram
        ram[SCREEN:_LAST_ROW] = ram[SCREEN + COLUMNS : SCREEN + SCREEN_SIZE]
        ram[_LAST_ROW : _LAST_ROW + COLUMNS] = _SCROLLED_IN
        self._scrolled(besides)
