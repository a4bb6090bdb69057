"""Passes `data` and `handlers`: targets that are searched line by line move to the first lines.

RESTORE n takes 55 ms and 4.2 ms for each line before n, ON ERROR n 49 ms and 4.36 ms (recorded).
GOTO and GOSUB take the same time wherever the line is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import Element, scan
from ti99tools.language.optimize.facts import Facts
from ti99tools.language.optimize.rows import (
    ROOM,
    Row,
    Rows,
    reference,
    references,
    retargeted,
    words,
)

FEW = 3
"""Lines before a target that are not worth a change."""


def move_data(rows: Rows, facts: Facts) -> Rows:
    """Move DATA lines of the main program to the front, in their order.

    RESTORE n begins with the first DATA from line n on: each now names that line itself. Other
    jumps to a DATA line go to the next line.
    """
    if facts.switched or not any(row.first == t.DATA for row in rows.main[FEW:]):
        return rows
    data = tuple(row for row in rows.main if row.first == t.DATA)
    if any(map(_has_gap, data)):
        # Where an item is missing, READ finds whatever lies in memory there.
        return rows
    rest = tuple(row for row in rows.main if row.first != t.DATA)
    if not rest or (rows.main[-1].first == t.DATA and _jumped_to(rows, data)):
        # A jump to the last line has nowhere else to go: a remark remains there.
        rows, [end] = rows.with_keys([bytes([t.BANG])])
        rest = (*rest, end)
    restores = _data_from(rows)
    named = {restores.get(e.line_number, 0) for row in rows for e in _restored(row.tokens)}
    jumps = _next_lines(rows.main, rest)

    def change(row: Row) -> Row:
        after = {e.start for e in _restored(row.tokens)}
        tokens = bytearray(retargeted(row.tokens, lambda key: jumps.get(key, key)))
        for element in references(row.tokens):
            if element.start in after:
                key = restores.get(element.line_number, element.line_number)
                tokens[element.start + 1 : element.start + 3] = key.to_bytes(2, "big")
        return replace(row, tokens=bytes(tokens))

    front = (*rows.front, *_few(data, named))
    return replace(rows, main=rest, front=front).map(change)


def _few(data: tuple[Row, ...], named: set[int]) -> list[Row]:
    """Join the DATA lines into fewer; one that a RESTORE may name begins a line."""
    found: list[Row] = []
    for row in data:
        last = found[-1] if found else row
        size = len(last.tokens) + len(row.tokens)
        if found and row.key not in named and size <= ROOM:
            tokens = last.tokens + bytes([t.COMMA]) + row.tokens[1:]
            found[-1] = replace(last, tokens=tokens, parts=last.parts + row.parts)
        else:
            found.append(row)
    return found


def _has_gap(row: Row) -> bool:
    """Tell whether a DATA line has no item, or an empty one before, between or after its commas."""
    found = [element.token for element in scan(row.tokens)]
    ends = (t.DATA, t.COMMA)
    return found[-1] in ends or any(a in ends and b == t.COMMA for a, b in pairwise(found))


def _jumped_to(rows: Rows, data: tuple[Row, ...]) -> bool:
    """Tell whether any of the DATA lines is named other than after RESTORE."""
    keys = {row.key for row in data}
    return any(
        element.line_number in keys
        for row in rows
        for element in references(row.tokens)
        if element not in set(_restored(row.tokens))
    )


def _restored(tokens: bytes) -> Iterator[Element]:
    """The line numbers that follow RESTORE."""
    before = 0
    for element in scan(tokens):
        if element.token == t.LINE_NUMBER and before == t.RESTORE:
            yield element
        before = element.token


def _data_from(rows: Rows) -> dict[int, int]:
    """Line → the first line from there on with DATA, if there is one."""
    found: dict[int, int] = {}
    following = 0
    for row in reversed((*rows.main, *rows.subs)):
        if row.first == t.DATA:
            following = row.key
        if following:
            found[row.key] = following
    return found


def _next_lines(main: tuple[Row, ...], rest: tuple[Row, ...]) -> dict[int, int]:
    """DATA line → the line after it that stays in the main program."""
    stays = {row.key for row in rest}
    found: dict[int, int] = {}
    following = rest[-1].key
    for row in reversed(main):
        if row.key in stays:
            following = row.key
        else:
            found[row.key] = following
    return found


def front_handlers(rows: Rows, facts: Facts) -> Rows:
    """Make ON ERROR of the main program go to one of the first lines.

    That is the handler itself if it stands alone, else a line that jumps to it.
    """
    if facts.switched or facts.tells_lines:
        return rows
    place = {row.key: at for at, row in enumerate(rows.main)}
    far = {
        element.line_number
        for row in rows.main
        for element in _handlers(row.tokens)
        if place.get(element.line_number, 0) > FEW
    }
    alone = {key for key in far if _by_itself(rows.main, place[key])}
    moved = tuple(row for row in rows.main if row.key in alone)
    rows = replace(rows, main=tuple(row for row in rows.main if row.key not in alone))
    keys = sorted(far - alone, key=lambda key: place[key])
    rows, stubs = rows.with_keys([bytes([t.GOTO]) + reference(key) for key in keys])
    stub_of = {key: stub.key for key, stub in zip(keys, stubs, strict=True)}

    def change(row: Row) -> Row:
        tokens = bytearray(row.tokens)
        for element in _handlers(row.tokens):
            key = stub_of.get(element.line_number, element.line_number)
            tokens[element.start + 1 : element.start + 3] = key.to_bytes(2, "big")
        return replace(row, tokens=bytes(tokens))

    return replace(rows, front=(*moved, *stubs, *rows.front)).map(change)


LEAVING = frozenset((t.GOTO, t.RETURN, t.END, t.STOP))


def _by_itself(main: tuple[Row, ...], at: int) -> bool:
    """Tell whether control neither comes to a line from the one before nor goes on after it."""
    return at > 0 and _ends(main[at - 1]) and _ends(main[at])


def _ends(row: Row) -> bool:
    """Tell whether a line always ends by leaving it."""
    elements = list(scan(row.tokens))
    if t.IF in words(row.tokens):
        return False
    parted = [at for at, element in enumerate(elements) if element.token == t.STATEMENT_SEP]
    last = parted[-1] + 1 if parted else 0
    return last < len(elements) and elements[last].token in LEAVING


def _handlers(tokens: bytes) -> Iterator[Element]:
    """The line numbers that follow ON ERROR."""
    two = (0, 0)
    for element in scan(tokens):
        if element.token == t.LINE_NUMBER and two == (t.ON, t.ERROR):
            yield element
        two = (two[1], element.token)
