"""Line numbers for rows: those that the lines had, and room in front for new ones."""

from __future__ import annotations

from itertools import count, islice

from ti99tools.base import tokens as t
from ti99tools.optimize.rows import NEW_KEYS, Row, Rows, reference, references, retargeted

HIGHEST = 32_767


def numbered(rows: Rows, keep: bool) -> list[tuple[int, Row]] | None:
    """The rows with their numbers, ascending, references to them being numbers.

    Given lines keep their numbers where there is room for the new ones between them; else all are
    numbered anew, unless `keep` forbids it: then None.
    """
    rows = _with_start(rows)
    everything = list(rows)
    fixed = {row.key for row in (*rows.main, *rows.subs) if row.key < NEW_KEYS}
    numbers = _fitted(everything, fixed) or (None if keep else _anew(everything))
    if numbers is None:
        return None
    return [
        (
            numbers[row.key],
            Row(row.key, retargeted(row.tokens, lambda k: numbers.get(k, k)), row.parts),
        )
        for row in everything
    ]


def _with_start(rows: Rows) -> Rows:
    """Rows in front are jumped over: the first line is a GOTO to the main program."""
    if not rows.front:
        return rows
    rows, [start] = rows.with_keys([bytes([t.GOTO]) + reference(rows.main[0].key)])
    return Rows(rows.main, rows.subs, (start, *rows.front), rows.next_key)


def _missing(rows: list[Row]) -> set[int]:
    """Numbers that are jumped to and do not exist: no line may get one of them."""
    keys = {row.key for row in rows}
    return {e.line_number for row in rows for e in references(row.tokens)} - keys


def _fitted(rows: list[Row], fixed: set[int]) -> dict[int, int] | None:
    """The `fixed` rows keep their numbers, the others get some between; None without room."""
    missing = _missing(rows)
    numbers: dict[int, int] = {}
    waiting: list[Row] = []
    low = 0
    for row in rows:
        if row.key not in fixed:
            waiting.append(row)
            continue
        free = [n for n in range(low + 1, row.key) if n not in missing]
        if len(free) < len(waiting):
            return None
        step = max(1, (len(free) + 1) // (len(waiting) + 1))
        for number, new in zip(free[step - 1 :: step] if step > 1 else free, waiting, strict=False):
            numbers[new.key] = number
        waiting.clear()
        low = numbers[row.key] = row.key
    for row in waiting:
        low = next(n for n in count(low + 1) if n not in missing)
        numbers[row.key] = low
    return numbers if low <= HIGHEST and len(numbers) == len(rows) else None


def _anew(rows: list[Row]) -> dict[int, int] | None:
    """All rows numbered by tens, or by less where that would pass the highest number."""
    missing = _missing(rows)
    step = min(10, (HIGHEST - 100) // (len(rows) + len(missing) + 1))
    if step < 1:
        return None
    free = (n for n in count(100, step) if n not in missing)
    return dict(zip((row.key for row in rows), islice(free, len(rows)), strict=True))
