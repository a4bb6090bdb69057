"""Errors, warnings and other messages on the screen: rows of 28 columns at the bottom.

Source: recorded lang-errors, lang-subs and lang-vars cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ti99tools.base.cycles import CALLER_LINE, CALLER_PASSED_LINE, TEXT_CYCLES
from ti99tools.computer.interp.io.printer import BOTTOM, MARGIN, WIDTH
from ti99tools.hardware.machine.screen import Screen


@dataclass(frozen=True, slots=True)
class Where:
    """Where something happened: the line (None in a command) and rows that show how control got
    there.

    `function` tells that `line` is a DEF's; `sought` has, for each row of the trail that names a
    line with a DEF's caller, the number of lines that the machine searches to find it.
    """

    line: int | None = None
    trail: tuple[str, ...] = ()
    function: bool = False
    sought: tuple[int, ...] = ()

    @property
    def seeking(self) -> int:
        """Cycles for finding the lines that the trail names."""
        return CALLER_LINE * len(self.sought) + CALLER_PASSED_LINE * sum(self.sought)


def error_rows(text: str, where: Where) -> list[str]:
    """`* BAD VALUE IN 110`; the line number gets its own row if five digits would not fit, however
    many it has, or if the line is a DEF's (recorded).
    """
    return _located(f"* {text}", where)


def warning_rows(text: str, where: Where) -> list[str]:
    """`* WARNING` and the text, indented by two columns."""
    return ["* WARNING", *_located(f"  {text}", where)]


_LONGEST_TAIL = " IN 32767"


def _located(head: str, where: Where) -> list[str]:
    if where.line is None:
        return [head, *where.trail]
    tail = f"IN {where.line}"
    if where.function or len(head) + len(_LONGEST_TAIL) > WIDTH:
        return [head, f"  {tail}", *where.trail]
    return [f"{head} {tail}", *where.trail]


def show(screen: Screen, rows: Sequence[str], seeking: int = 0) -> None:
    """Scroll each row in at the bottom, and then an empty one; `seeking`: see `Where`."""
    for row in rows:
        screen.scroll(TEXT_CYCLES)
        screen.write(BOTTOM, MARGIN, row[:WIDTH].encode("latin-1"))
    screen.scroll(seeking)
