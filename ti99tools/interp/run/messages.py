"""Errors, warnings and other messages on the screen: rows of 28 columns at the bottom.

Source: recorded lang-errors, lang-subs and lang-vars cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ti99tools.interp.io.printer import BOTTOM, MARGIN, WIDTH
from ti99tools.machine.screen import Screen


@dataclass(frozen=True, slots=True)
class Where:
    """Where something happened: the line (None in a command) and rows that say how it got there.

    `function` says that `line` is a DEF's.
    """

    line: int | None = None
    trail: tuple[str, ...] = ()
    function: bool = False


def error_rows(text: str, where: Where) -> list[str]:
    """`* BAD VALUE IN 110`; the line gets a row of its own where it does not fit, or is a DEF's."""
    return _located(f"* {text}", where)


def warning_rows(text: str, where: Where) -> list[str]:
    """`* WARNING` and the text, two columns in."""
    return ["* WARNING", *_located(f"  {text}", where)]


def _located(head: str, where: Where) -> list[str]:
    if where.line is None:
        return [head, *where.trail]
    tail = f"IN {where.line}"
    if where.function or len(head) + 1 + len(tail) > WIDTH:
        return [head, f"  {tail}", *where.trail]
    return [f"{head} {tail}", *where.trail]


TEXT_CYCLES = 50_000
"""What the text of a row takes (fitted to the times of recorded programs)."""


def show(screen: Screen, rows: Sequence[str]) -> None:
    """Scroll each row in at the bottom, and then an empty one."""
    for row in rows:
        screen.scroll(TEXT_CYCLES)
        screen.write(BOTTOM, MARGIN, row[:WIDTH].encode("latin-1"))
    screen.scroll()
