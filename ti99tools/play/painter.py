"""Draws the console's screen in a text terminal: 24 rows of 32 cells in the console's colours.

Once there are drawings on the screen a cell takes two characters, where there is room: see
`render.mosaic`.

Only rows that differ from what the terminal shows are written. Colours are what the terminal can
do: 24 bits, 256, 16 or none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby

from rich.color import Color, ColorSystem
from rich.console import COLOR_SYSTEMS
from rich.console import Console as RichConsole

from ti99tools.base.colors import RGB
from ti99tools.machine.screen import COLUMNS
from ti99tools.machine.vdp import Snapshot
from ti99tools.render import mosaic
from ti99tools.render.textpicture import cells

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""Begins: alternate screen, no cursor, rows are cut off at the edge, blank."""

LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Ends: the terminal is as it was."""

EDGE = 2
"""Columns of border at either side, where there is room."""

_CLEAR = "\x1b[2J"
_PLAIN = "\x1b[0m"
_TO_END = "\x1b[K"


class Painter:
    """Writes pictures and a panel of text to a terminal.

    `write` takes what is to be sent; `colors` is None for a terminal without any.
    """

    def __init__(self, write: Callable[[str], object], colors: ColorSystem | None) -> None:
        self._write = write
        self._colors = colors
        self._size = (0, 0)
        self._rows: list[str] = []
        self._drawings = False

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has another size now; everything is drawn anew."""
        self._size = columns, rows
        self._rows = []
        self._write(_CLEAR)

    def paint(self, picture: Snapshot, panel: Sequence[str]) -> None:
        """Show a picture, and lines of text at its right as far as there is room."""
        columns, rows = self._size
        self._drawings = self._drawings or mosaic.has_drawings(picture.vdp())
        wide = self._drawings and columns >= mosaic.WIDTH
        width = mosaic.WIDTH if wide else COLUMNS
        edge = EDGE if columns >= width + 2 * EDGE else 0
        room = columns - width - 2 * edge - 2
        shown = []
        for number, line in enumerate(lines(picture, self._colors, edge, wide)[:rows]):
            text = panel[number][: max(0, room)] if number < len(panel) else ""
            shown.append(f"{line}{_PLAIN}  {text}{_TO_END}" if room > 0 else f"{line}{_PLAIN}")
        before = self._rows or [""] * len(shown)
        self._rows = shown
        changes = [
            f"\x1b[{row};1H{line}"
            for row, (line, old) in enumerate(zip(shown, before, strict=True), 1)
            if line != old
        ]
        if changes:
            self._write("".join(changes))


def terminal_colors() -> ColorSystem | None:
    """The colours of the terminal on standard output."""
    return COLOR_SYSTEMS.get(RichConsole().color_system or "")


def printed(picture: Snapshot) -> list[str]:
    """The 24 rows of a picture for the terminal on standard output, as it scrolls by."""
    colors = terminal_colors()
    end = "" if colors is None else _PLAIN
    return [f"{line}{end}" for line in lines(picture, colors, EDGE)]


def lines(
    picture: Snapshot, colors: ColorSystem | None, edge: int = 0, wide: bool = False
) -> list[str]:
    """The 24 rows of a picture, `edge` columns of border at either side; colours stay on.

    With `wide` a cell takes two characters.
    """
    vdp = picture.vdp()
    backdrop = vdp.backdrop or 1
    border = _ink(colors, backdrop, backdrop) + " " * edge if edge else ""
    found = []
    for row in mosaic.mosaic(vdp, colors is None) if wide else cells(vdp):
        runs = groupby(row, lambda cell: (cell.foreground, cell.background))
        spans = [_ink(colors, *ink) + "".join(cell.character for cell in run) for ink, run in runs]
        found.append("".join((border, *spans, border)))
    return found


@cache
def _ink(colors: ColorSystem | None, foreground: int, background: int) -> str:
    """The sequence that chooses two VDP colours."""
    if colors is None:
        return ""
    codes: list[str] = []
    for code, front in ((foreground, True), (background, False)):
        color = Color.from_rgb(*RGB[code]).downgrade(colors)
        codes += color.get_ansi_codes(foreground=front)
    return f"\x1b[{';'.join(codes)}m"
