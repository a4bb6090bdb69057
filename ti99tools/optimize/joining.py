"""Pass `lines`: lines that nothing jumps to are joined to the line before, with `::`."""

from __future__ import annotations

from dataclasses import replace

from ti99tools.base import tokens as t
from ti99tools.optimize.facts import Facts
from ti99tools.optimize.rows import ROOM, Row, Rows, references, words
from ti99tools.source.scan import scan

ALONE = frozenset(
    (t.DATA, t.IMAGE, t.SUB, t.SUBEND, t.DEF, t.DIM, t.OPTION, t.REM, t.BANG, t.BREAK)
)
"""Statements whose lines stay as they are."""
SWALLOWING = ALONE | {t.IF}
"""What a line that goes on may not hold: it would take the next statements with it."""


def join_lines(rows: Rows, facts: Facts) -> Rows:
    """The program in fewer lines; not where it tells line numbers."""
    if facts.tells_lines or facts.switched:
        return rows
    targets = {e.line_number for row in rows for e in references(row.tokens)}
    return replace(rows, main=_joined(rows.main, targets), subs=_joined(rows.subs, targets))


def _joined(part: tuple[Row, ...], targets: set[int]) -> tuple[Row, ...]:
    found: list[Row] = []
    for row in part:
        if found and row.key not in targets and _goes_on(found[-1], row):
            last = found[-1]
            tokens = last.tokens + bytes([t.STATEMENT_SEP]) + row.tokens
            found[-1] = replace(last, tokens=tokens, parts=last.parts + row.parts)
        else:
            found.append(row)
    return tuple(found)


def _goes_on(row: Row, following: Row) -> bool:
    if len(row.tokens) + 1 + len(following.tokens) > ROOM:
        return False
    if words(row.tokens) & SWALLOWING or words(following.tokens) & ALONE:
        return False
    # PRINT A: would be listed as PRINT A:::…, and `::` at the end of a line is no statement.
    return list(scan(row.tokens))[-1].token not in (t.COLON, t.STATEMENT_SEP)
