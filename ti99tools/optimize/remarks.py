"""Pass `remarks`: REM and `!` go; jumps to a line that held nothing else go to the next one."""

from __future__ import annotations

from dataclasses import replace

from ti99tools.base import tokens as t
from ti99tools.optimize.facts import Facts
from ti99tools.optimize.rows import Row, Rows, retargeted
from ti99tools.source.scan import scan

_REMARKS = (t.REM, t.BANG)


def drop_remarks(rows: Rows, facts: Facts) -> Rows:
    """The program without remarks, those that switch the pre-scan aside."""
    if facts.switched:
        return rows
    shorter = rows.map(_without_remark)
    moved: dict[int, int] = {}
    main = _without_empty(shorter.main, moved)
    subs = _without_empty(shorter.subs, moved)
    rows = replace(shorter, main=main, subs=subs)
    return rows.map(
        lambda row: replace(row, tokens=retargeted(row.tokens, lambda key: moved.get(key, key)))
    )


def _without_remark(row: Row) -> Row:
    """The row up to its remark; separators before it go as well."""
    start = next((e.start for e in scan(row.tokens) if e.token in _REMARKS), None)
    if start is None or row.first in (t.DATA, t.IMAGE):
        return row
    ends = [e for e in scan(row.tokens) if e.end <= start]
    if ends and ends[-1].token in (t.THEN, t.ELSE):
        return row
    while ends and ends[-1].token == t.STATEMENT_SEP:
        ends.pop()
    return replace(row, tokens=row.tokens[: ends[-1].end if ends else 0])


def _without_empty(part: tuple[Row, ...], moved: dict[int, int]) -> tuple[Row, ...]:
    """The rows that hold something; `moved` learns where jumps to the others go.

    The last row stays, as a remark, where nothing follows that a jump could go to.
    """
    kept: list[Row] = []
    waiting: list[Row] = []
    for row in part:
        if row.tokens:
            moved.update((empty.key, row.key) for empty in waiting)
            waiting.clear()
            kept.append(row)
        else:
            waiting.append(row)
    if waiting:
        last = replace(waiting[-1], tokens=bytes([t.BANG]))
        moved.update((empty.key, last.key) for empty in waiting[:-1])
        kept.append(last)
    return tuple(kept)
