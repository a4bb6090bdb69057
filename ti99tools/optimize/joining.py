"""Pass `lines`: lines that nothing jumps to are joined to the line before.

That is with `::`; a GOTO or RETURN after an IF goes into both of its branches. A line takes 26,000
cycles before the program runs.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.optimize.facts import Facts
from ti99tools.optimize.rows import ROOM, Row, Rows, reference, references, words
from ti99tools.source.scan import NAME, scan

ALONE = frozenset(
    (t.DATA, t.IMAGE, t.SUB, t.SUBEND, t.DEF, t.DIM, t.OPTION, t.REM, t.BANG, t.BREAK)
)
"""Statements whose lines stay as they are."""
UNFINISHED = (t.COLON, t.STATEMENT_SEP, t.THEN)
"""PRINT A: would be listed as PRINT A:::…, and `::` at the end of a line is no statement."""
SWALLOWING = ALONE | {t.IF}
"""What a line that goes on may not hold: it would take the next statements with it."""

BEFORE_LOST = frozenset((t.RPAREN, t.QUOTED, t.UNQUOTED, t.LINE_NUMBER, t.TRACE, t.UNTRACE))
"""After these, and after a comma of RESTORE, no name belongs to a statement."""


def join_lines(rows: Rows, facts: Facts) -> Rows:
    """The program in fewer lines; not where it tells line numbers."""
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
    """The tokens of both lines as one, if that is the same and the editor takes it."""
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
    """A line with an IF, and what follows it in either case; ELSE takes a line number."""
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
