"""Pass `prescan` in subprograms: the pre-scan sees each name of a SUB once.

A block of the SUB's own names follows its SUB statement; it is jumped over, and the pre-scan is
off from there to SUBEND. The GOTO takes some 5,000 cycles of each call.
"""

from __future__ import annotations

from dataclasses import replace

from ti99tools.base import tokens as t
from ti99tools.optimize.block import OFF, ON, calls, declarations, hide_main, usage
from ti99tools.optimize.facts import Facts
from ti99tools.optimize.rows import Part, Row, Rows, bodies, joined, names, reference, split, words
from ti99tools.source.ordinals import statement_offsets
from ti99tools.source.scan import scan

SAVED = 10
"""References that a block must save: a tenth of a second."""
SCANNED_ALWAYS = frozenset((t.DATA, t.DEF, t.IMAGE))
"""Statements that the pre-scan must see."""


def hide_from_prescan(rows: Rows, facts: Facts) -> Rows:
    """The program with blocks for the pre-scan, where they make it quicker."""
    return rows if facts.switched else _hide_in_subs(hide_main(rows, facts), facts)


def _hide_in_subs(rows: Rows, facts: Facts) -> Rows:
    """The program with a block of names in each SUB where that makes it start sooner."""
    subs: list[Row] = []
    for body in bodies(rows.subs):
        if any(words(row.tokens) & SCANNED_ALWAYS for row in body):
            subs += body
            continue
        rows, parts = _parted(rows, body)
        lines = _block(parts, facts) if parts else None
        if lines is None:
            subs += body
            continue
        rows, made = rows.with_keys([*lines, OFF, ON])
        subs += [parts[0], *made[:-1], *parts[1:-1], made[-1], parts[-1]]
    return replace(rows, subs=tuple(subs))


def _parted(rows: Rows, body: list[Row]) -> tuple[Rows, list[Row]]:
    """The lines, SUB and SUBEND having their own; none where the last one does not end with it."""
    first, last = body[0], body[-1]
    if last.tokens[-1:] != bytes([t.SUBEND]):
        return rows, []
    end = next((e.start for e in scan(first.tokens) if e.token == t.STATEMENT_SEP), None)
    middle = list(body)
    if end is not None:
        rows, [rest] = rows.with_keys([first.tokens[end + 1 :]])
        head, tail = split(first.parts, 1)
        middle[0] = replace(first, tokens=first.tokens[:end], parts=head)
        middle.insert(1, replace(rest, parts=tail))
    last = middle[-1]
    if len(last.tokens) > 1:
        rows, [end_row] = rows.with_keys([bytes([t.SUBEND])])
        *parts, part = last.parts
        kept = replace(part, tokens=part.tokens[:-2])
        ended = part.first + len(list(statement_offsets(kept.tokens)))
        middle[-1] = replace(last, tokens=last.tokens[:-2], parts=(*parts, kept))
        middle.append(replace(end_row, parts=(Part(part.number, part.tokens[-1:], ended),)))
    return rows, middle


def _block(body: list[Row], facts: Facts) -> list[bytes] | None:
    """Lines that jump over themselves and name everything; None where they save too little."""
    scope = facts.scan.subs[list(scan(body[0].tokens))[1].text]
    given = {parameter.name for parameter in scope.parameters}
    own = [symbol for symbol in scope.symbols.values() if symbol.name not in given]
    inner = body[1:-1]
    uses = sum(1 for row in inner for _ in names(row.tokens))
    if uses - len(own) < SAVED:
        return None
    jump = bytes([t.GOTO]) + reference(inner[0].key)
    return joined([jump, *calls(inner), *declarations(own, usage(inner))])
