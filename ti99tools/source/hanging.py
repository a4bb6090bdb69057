"""Listings of magazines: a line's further rows are indented, and begin where a word does.

LIST indents nothing (see `wrapped`). Here the indent tells which rows go on: it is the same for
all, and no row that begins a line has as much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ti99tools.source.wrapped import Joined

_LINE = re.compile(r" *[0-9]{1,5} *[A-Za-z:!@\\[\]_]")
_REMARK = re.compile(r" *(?:REM\b|!|#|-+ *[0-9]+ *-+ *$|PAGE +[0-9]+ *$)", re.IGNORECASE)
_LEAST = 2
"""Blanks of an indent, and rows that have it."""


def hangs(rows: Sequence[str]) -> int:
    """How many blanks the rows begin with that go on with a line; 0 where that tells nothing.

    There are several, and all rows with less before them begin a line.
    """
    bodies = [row for row in _after_first(rows) if row.strip() and not _REMARK.match(row)]
    further = [_indent(row) for row in bodies if not row.lstrip(" ")[:1].isdigit()]
    hang = min(further, default=0)
    if hang < _LEAST or len(further) < _LEAST:
        return 0
    return hang if all(_LINE.match(row) for row in bodies if _indent(row) < hang) else 0


def hung(rows: Sequence[str], width: int, hang: int, margin: int = 0) -> list[Joined]:
    """The lines of rows whose further ones are indented by `hang`; empty rows stay.

    Where most rows that go on are full (`width`), blanks were lost at the end of the others; where
    not, rows end between words, where a blank was. The `margin` that stood before the rows matters
    for places only.
    """
    lines: list[list[tuple[int, str]]] = []
    for at, row in enumerate(rows, 1):
        if lines and lines[-1][-1][1].strip() and row.strip() and _indent(row) >= hang:
            lines[-1].append((at, row))
        else:
            lines.append([(at, row)])
    going_on = [row for line in lines for _, row in line[:-1]]
    full = sum(len(row) >= width - 1 for row in going_on)
    cut = 2 * full >= len(going_on)
    return [_joined(line, width if cut else 0, hang, margin) for line in lines]


def _joined(rows: Sequence[tuple[int, str]], width: int, hang: int, margin: int) -> Joined:
    """One line; its rows were cut after `width` characters, between words if that is 0."""
    text = ""
    pieces: list[tuple[int, int]] = []
    for at, row in rows:
        if pieces:
            indent = hang if len(pieces) > 1 else 0
            text = text.ljust(pieces[-1][1] + width - indent) if width else f"{text} "
            row = row[hang:]
        pieces.append((at, len(text)))
        text += row
    return Joined(text, tuple(pieces), margin, hang)


def _after_first(rows: Sequence[str]) -> Iterator[str]:
    """The rows from the first on that begins a line."""
    found = False
    for row in rows:
        found = found or _LINE.match(row) is not None
        if found:
            yield row


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
