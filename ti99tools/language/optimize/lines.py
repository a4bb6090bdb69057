"""Passes `lines` and `remarks`: lines joined, remarks dropped, rows numbered.

Pass `lines` joins lines that nothing jumps to with the line before, by `::`; a GOTO or RETURN after
an IF goes into both of its branches. A line costs 26,000 cycles before the program runs. Pass
`remarks` drops REM and `!`; jumps to a line that held nothing else go to the next one.

Rows keep the numbers that the lines had, with room in front for new ones.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count, islice, pairwise

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import NAME, scan
from ti99tools.language.optimize.facts import Facts
from ti99tools.language.optimize.rows import (
    NEW_KEYS,
    ROOM,
    Row,
    Rows,
    reference,
    references,
    retargeted,
    words,
)

ALONE = frozenset(
    (t.DATA, t.IMAGE, t.SUB, t.SUBEND, t.DEF, t.DIM, t.OPTION, t.REM, t.BANG, t.BREAK)
)
"""Statements whose lines stay as they are."""
UNFINISHED = (t.COLON, t.STATEMENT_SEP, t.THEN)
"""`PRINT A:` would be listed as `PRINT A:::…`, and `::` at the end of a line is not a statement."""
SWALLOWING = ALONE | {t.IF}
"""What a line must not contain to be continued: it would swallow the next statements."""

BEFORE_LOST = frozenset((t.RPAREN, t.QUOTED, t.UNQUOTED, t.LINE_NUMBER, t.TRACE, t.UNTRACE))
"""After these, and after a comma of RESTORE, a name belongs to no statement."""


def join_lines(rows: Rows, facts: Facts) -> Rows:
    """The program in fewer lines; unchanged if it shows line numbers."""
    if facts.tells_lines or facts.switched:
        return rows
    targets = {e.line_number for row in rows for e in references(row.tokens)}
    return replace(rows, main=_joined(rows.main, targets), subs=_joined(rows.subs, targets))


def _joined(part: tuple[Row, ...], targets: set[int]) -> tuple[Row, ...]:
    found: list[Row] = []
    for row in part:
        tokens = None
        if found and row.key not in targets:
            tokens = _one(found[-1], row)
        if tokens is None:
            found.append(row)
        else:
            found[-1] = replace(found[-1], tokens=tokens, parts=found[-1].parts + row.parts)
    return tuple(found)


def _one(row: Row, following: Row) -> bytes | None:
    """The tokens of both lines as one, if that means the same and the editor accepts it."""
    if _goes_on(row, following):
        tokens = row.tokens + bytes([t.STATEMENT_SEP]) + following.tokens
    elif _leaves(following) and _branches_once(row):
        tokens = _in_both_branches(row.tokens, following.tokens)
    else:
        return None
    return tokens if len(tokens) <= ROOM else None


def _leaves(row: Row) -> bool:
    """Tell whether a line is GOTO or RETURN alone."""
    jump = row.first == t.GOTO and len(row.tokens) == len(reference(0)) + 1
    return jump or row.tokens == bytes([t.RETURN])


def _branches_once(row: Row) -> bool:
    """Tell whether a line has one IF, and no ELSE."""
    found = [element.token for element in scan(row.tokens)]
    if found.count(t.IF) != 1 or found.count(t.THEN) != 1 or {t.ELSE, t.REM, t.BANG} & set(found):
        return False
    return found[-1] not in UNFINISHED


def _in_both_branches(tokens: bytes, leaving: bytes) -> bytes:
    """A line with an IF, followed in either case by the second line; ELSE takes a line number."""
    otherwise = leaving[1:] if leaving[0] == t.GOTO else leaving
    elements = list(scan(tokens))
    parting = (t.STATEMENT_SEP, t.THEN)
    last = max(at for at, element in enumerate(elements) if element.token in parting)
    if elements[last + 1].token not in (t.LINE_NUMBER, t.GOTO, t.RETURN):
        tokens += bytes([t.STATEMENT_SEP]) + leaving
    return tokens + bytes([t.ELSE]) + otherwise


def _goes_on(row: Row, following: Row) -> bool:
    if words(row.tokens) & SWALLOWING or words(following.tokens) & ALONE or _loses(row.tokens):
        return False
    return list(scan(row.tokens))[-1].token not in UNFINISHED


def _loses(tokens: bytes) -> bool:
    """Tell whether a name stands where no statement looks: the rest of its line would be lost."""
    pairs = list(pairwise(scan(tokens)))
    before = BEFORE_LOST | ({t.COMMA} if t.RESTORE in words(tokens) else set())
    return any(name.token == NAME and other.token in before for other, name in pairs)


_REMARKS = (t.REM, t.BANG)


def drop_remarks(rows: Rows, facts: Facts) -> Rows:
    """The program without remarks, except those that switch the pre-scan."""
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
    """The row up to its remark; separators before it are dropped as well."""
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

    The last row stays, as a remark, if nothing follows that a jump could go to.
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


HIGHEST = 32_767


def numbered(rows: Rows, keep: bool) -> list[tuple[int, Row]] | None:
    """The rows with their numbers, ascending, and references as numbers.

    Given lines keep their numbers if there is room for the new ones between them; else all are
    renumbered, unless `keep` forbids it: then None.
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
    """Let the first line jump over the rows in front: a GOTO to the main program."""
    if not rows.front:
        return rows
    rows, [start] = rows.with_keys([bytes([t.GOTO]) + reference(rows.main[0].key)])
    return Rows(rows.main, rows.subs, (start, *rows.front), rows.next_key)


def _missing(rows: list[Row]) -> set[int]:
    """Numbers that are jumped to and do not exist: no line may get one of them."""
    keys = {row.key for row in rows}
    return {e.line_number for row in rows for e in references(row.tokens)} - keys


def _fitted(rows: list[Row], fixed: set[int]) -> dict[int, int] | None:
    """Number the rows around the `fixed` ones, which keep theirs; None without room."""
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
    """Number all rows by tens, or by less where they would exceed the highest number."""
    missing = _missing(rows)
    step = min(10, (HIGHEST - 100) // (len(rows) + len(missing) + 1))
    if step < 1:
        return None
    free = (n for n in count(100, step) if n not in missing)
    return dict(zip((row.key for row in rows), islice(free, len(rows)), strict=True))
