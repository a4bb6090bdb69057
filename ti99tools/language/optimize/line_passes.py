"""Passes over whole lines: move DATA and handlers forward, join lines, drop remarks.

RESTORE n takes 55 ms and 4.2 ms for each line before n, ON ERROR n 49 ms and 4.36 ms (recorded).
GOTO and GOSUB take the same time wherever the line is.

Pass `lines` joins lines that nothing jumps to with the line before, by `::`; a GOTO or RETURN after
an IF goes into both of its branches. A line costs 26,000 cycles before the program runs. Pass
`remarks` drops REM and `!`; jumps to a line that held nothing else go to the next one.

`numbered` turns rows into numbered lines again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice, pairwise

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import NAME, Element, scan
from ti99tools.language.listing.tokenize import MAX_LINE_NUMBER
from ti99tools.language.optimize.rows import (
    NEW_KEYS,
    ROOM,
    Facts,
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
    fewer: list[Row] = []
    for row in data:
        last = fewer[-1] if fewer else row
        size = len(last.tokens) + len(row.tokens)
        if fewer and row.key not in named and size <= ROOM:
            tokens = last.tokens + bytes([t.COMMA]) + row.tokens[1:]
            fewer[-1] = replace(last, tokens=tokens, parts=last.parts + row.parts)
        else:
            fewer.append(row)
    return fewer


def _has_gap(row: Row) -> bool:
    """Tell whether a DATA line has no item, or an empty one before, between or after its commas."""
    tokens = [element.token for element in scan(row.tokens)]
    ends = (t.DATA, t.COMMA)
    return tokens[-1] in ends or any(a in ends and b == t.COMMA for a, b in pairwise(tokens))


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
    following_data: dict[int, int] = {}
    following = 0
    for row in reversed((*rows.main, *rows.subs)):
        if row.first == t.DATA:
            following = row.key
        if following:
            following_data[row.key] = following
    return following_data


def _next_lines(main: tuple[Row, ...], rest: tuple[Row, ...]) -> dict[int, int]:
    """DATA line → the line after it that stays in the main program."""
    stays = {row.key for row in rest}
    next_line: dict[int, int] = {}
    following = rest[-1].key
    for row in reversed(main):
        if row.key in stays:
            following = row.key
        else:
            next_line[row.key] = following
    return next_line


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
    """Tell whether control never goes on from a line to the next one."""
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
    rows: list[Row] = []
    for row in part:
        tokens = None
        if rows and row.key not in targets:
            tokens = _one(rows[-1], row)
        if tokens is None:
            rows.append(row)
        else:
            rows[-1] = replace(rows[-1], tokens=tokens, parts=rows[-1].parts + row.parts)
    return tuple(rows)


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
    tokens = [element.token for element in scan(row.tokens)]
    if (
        tokens.count(t.IF) != 1
        or tokens.count(t.THEN) != 1
        or {t.ELSE, t.REM, t.BANG} & set(tokens)
    ):
        return False
    return tokens[-1] not in UNFINISHED


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
    """The rows that hold something; `moved` gets where jumps to the others go.

    The last row stays, as a remark, if nothing follows that a jump could go to.
    """
    rows: list[Row] = []
    waiting: list[Row] = []
    for row in part:
        if row.tokens:
            moved.update((empty.key, row.key) for empty in waiting)
            waiting.clear()
            rows.append(row)
        else:
            waiting.append(row)
    if waiting:
        last = replace(waiting[-1], tokens=bytes([t.BANG]))
        moved.update((empty.key, last.key) for empty in waiting[:-1])
        rows.append(last)
    return tuple(rows)


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
    return numbers if low <= MAX_LINE_NUMBER and len(numbers) == len(rows) else None


def _anew(rows: list[Row]) -> dict[int, int] | None:
    """Number all rows by tens, or by less where they would exceed the highest number."""
    missing = _missing(rows)
    step = min(10, (MAX_LINE_NUMBER - 100) // (len(rows) + len(missing) + 1))
    if step < 1:
        return None
    free = (n for n in count(100, step) if n not in missing)
    return dict(zip((row.key for row in rows), islice(free, len(rows)), strict=True))
