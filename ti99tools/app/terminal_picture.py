"""A picture as rows of text in the terminal's colours: 24 bits, 256, 16 or none."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from rich.color import Color, ColorSystem
from rich.console import COLOR_SYSTEMS
from rich.console import Console as RichConsole

from ti99tools.base.codes import RGB
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render import textpicture
from ti99tools.hardware.render.textpicture import cells

EDGE = 2
"""Columns of border at each side, where there is room."""
PLAIN = "\x1b[0m"


def terminal_colors() -> ColorSystem | None:
    """The colours of the terminal on standard output."""
    return COLOR_SYSTEMS.get(RichConsole().color_system or "")


def printed(picture: Snapshot) -> list[str]:
    """The 24 rows of a picture for the terminal on standard output, as it scrolls by."""
    colors = terminal_colors()
    end = "" if colors is None else PLAIN
    return [f"{line}{end}" for line in lines(picture, colors, EDGE)]


def lines(
    picture: Snapshot, colors: ColorSystem | None, edge: int = 0, wide: bool = False
) -> list[str]:
    """The 24 rows of a picture, with `edge` columns of border at each side.

    With `wide` a cell takes two characters. The last colours stay on.
    """
    vdp = picture.vdp()
    # Colour 0 is transparent; the border then looks black.
    backdrop = vdp.backdrop or 1
    border = _ink(colors, backdrop, backdrop) + " " * edge if edge else ""
    rows = []
    for row in textpicture.mosaic(vdp, colors is None) if wide else cells(vdp):
        # One escape sequence for each run of cells in the same colours.
        runs = groupby(row, lambda cell: (cell.foreground, cell.background))
        spans = [_ink(colors, *ink) + "".join(cell.character for cell in run) for ink, run in runs]
        rows.append("".join((border, *spans, border)))
    return rows


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
