"""Pass `prescan`: one line of each kind names everything, and the pre-scan skips the rest.

Between RUN and the first statement the console goes through all tokens and takes about 31,000
cycles for each reference to a variable (recorded). A block that is never executed names each
variable, array, DEF and subprogram once; then `!@P-` switches the pre-scan off.

A name is looked up from the newest entry on, 492 cycles for each entry before it is found
(recorded: `V0=V0+1` among 1 to 60 variables). So the block names those used most last.

SUBs have their own names, and get their own block where that is worth the GOTO over it. The block
follows the SUB statement and is jumped over; the pre-scan is off from there to SUBEND. The GOTO
takes some 5,000 cycles of each call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import scan, statement_offsets
from ti99tools.language.optimize.flow import expected, shares
from ti99tools.language.optimize.rows import (
    Facts,
    Part,
    Row,
    Rows,
    bodies,
    called,
    joined,
    names,
    reference,
    references,
    split,
    words,
)
from ti99tools.language.prescan.symbols import Symbol

ORDERED = 45
"""The number of most used names whose order counts."""
LOOP_WEIGHT, DEEPEST = 4, 3
"""The assumed rounds of a loop, and the most nested loops that count."""
OFF, ON = (bytes([t.BANG]) + text for text in (b"@P-", b"@P+"))
ZERO = bytes([t.UNQUOTED, 1]) + b"0"
EMPTY = bytes([t.QUOTED, 0])


def hide_main(rows: Rows, facts: Facts) -> Rows:
    """The program with a block for the pre-scan in front, where that makes it faster."""
    defs = [row for row in rows.main if row.first == t.DEF]
    if not _possible(rows, defs) or not _worth_it(rows, facts):
        return rows
    hidden = [row for row in rows.main if row.first != t.DEF]
    if not hidden:
        return rows
    named = declarations(facts.scan.main.symbols.values(), _likely(rows, facts.hot))
    lines = joined([*_option_base(rows), *calls(rows.main), *named])
    rows, block = rows.with_keys(lines)
    rows, [off, on] = rows.with_keys([OFF, ON])
    main = (*hidden, on) if rows.subs else tuple(hidden)
    early, late = _parted(rows.front)
    return replace(rows, main=main, front=(*early, *block, *late, *defs, off))


def _parted(front: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Split the front rows into those before the block and those after it: rows with names would
    put them below all others.
    """
    early: list[Row] = []
    late: list[Row] = []
    for row in front:
        named = row.first == t.DATA or any(names(row.tokens))
        (late if named else early).append(row)
    return early, late


def _possible(rows: Rows, defs: list[Row]) -> bool:
    """Tell whether DEFs have lines of their own that nothing jumps to, and DATA is in front."""
    targets = {e.line_number for row in rows for e in references(row.tokens)}
    for row in rows.main:
        tokens = [element.token for element in scan(row.tokens)]
        if row.first == t.DATA or (t.DEF in tokens and row not in defs):
            return False
    return not any(row.key in targets or t.STATEMENT_SEP in _tokens(row) for row in defs)


def _tokens(row: Row) -> set[int]:
    return {element.token for element in scan(row.tokens)}


def _worth_it(rows: Rows, facts: Facts) -> bool:
    """Tell whether the block has far fewer names than the program has uses of them."""
    uses = sum(1 for row in rows.main for _ in names(row.tokens))
    return uses > 2 * len(facts.scan.main.symbols) + len(calls(rows.main))


def calls(rows: Iterable[Row]) -> list[bytes]:
    """A CALL of each subprogram that the rows call."""
    names = dict.fromkeys(name for row in rows for name in called(row.tokens))
    return [bytes([t.CALL, t.UNQUOTED, len(name)]) + name.encode("latin-1") for name in names]


def _option_base(rows: Rows) -> list[bytes]:
    for row in rows.main:
        elements = list(scan(row.tokens))
        for at, element in enumerate(elements):
            if element.token == t.OPTION and at + 2 < len(elements):
                return [row.tokens[element.start : elements[at + 2].end]]
    return []


def _likely(rows: Rows, hot: Sequence[str]) -> dict[str, float]:
    """The expected lookups of each name: by loops as they stand, or by the flow.

    Names known to be `hot` count more than all others.
    """
    standing, flowing = shares(usage(rows.main)), expected(rows.main, rows.subs)
    lookups = {name: max(share, flowing.get(name, 0.0)) for name, share in standing.items()}
    return lookups | {name: 1.0 + len(hot) - at for at, name in enumerate(hot)}


def declarations(symbols: Iterable[Symbol], used: Mapping[str, float]) -> list[bytes]:
    """Statements that name the symbols, those used most last, runs of one kind together.

    The order of the least used does not matter: they are grouped by kind.
    """
    known = [symbol for symbol in symbols if symbol.function is None]
    ordered = sorted(known, key=lambda symbol: (used.get(symbol.name, 0), symbol.name))
    rare = sorted(ordered[:-ORDERED], key=_kind)
    lines: list[bytes] = []
    for kind, group in groupby([*rare, *ordered[-ORDERED:]], key=_kind):
        lines += _named(kind, list(group))
    return lines


def _kind(symbol: Symbol) -> tuple[bool, bool]:
    """DIM or a statement; number or string."""
    return symbol.sizes is not None, symbol.is_string and symbol.sizes is None


def _named(kind: tuple[bool, bool], symbols: list[Symbol]) -> list[bytes]:
    """Statements that name the symbols: DIM, or an assignment to all of them."""
    dimensioned, text = kind
    comma = bytes([t.COMMA])
    lines: list[bytes] = []
    # Twelve names make a line of readable length, well within the editor's limits.
    for at in range(0, len(symbols), 12):
        some = [_shown(symbol) for symbol in symbols[at : at + 12]]
        if dimensioned:
            lines.append(bytes([t.DIM]) + comma.join(some))
        else:
            lines.append(comma.join(some) + bytes([t.EQUAL]) + (EMPTY if text else ZERO))
    return lines


def _shown(symbol: Symbol) -> bytes:
    """A symbol with its sizes, or with PI, the shortest value, for each subscript.

    The pre-scan reads each byte of the subscripts once more, to count the commas.
    """
    name = symbol.name.encode("latin-1")
    if not symbol.dimensions:
        return name
    subscripts = [bytes([t.PI])] * symbol.dimensions
    if symbol.sizes:
        digits = [str(size).encode() for size in symbol.sizes]
        subscripts = [bytes([t.UNQUOTED, len(digit)]) + digit for digit in digits]
    return name + bytes([t.LPAREN]) + bytes([t.COMMA]).join(subscripts) + bytes([t.RPAREN])


def usage(rows: Iterable[Row]) -> Counter[str]:
    """The expected lookups of each name: more in loops."""
    used: Counter[str] = Counter()
    depth = 0
    for row in rows:
        for element in scan(row.tokens):
            if element.token == t.FOR:
                depth += 1
            elif element.token == t.NEXT:
                depth = max(0, depth - 1)
            elif element.token == 0:
                used[element.text] += LOOP_WEIGHT ** min(depth, DEEPEST)
    return used


SAVED = 10
"""References that a block must save: a tenth of a second."""
SCANNED_ALWAYS = frozenset((t.DATA, t.DEF, t.IMAGE))
"""Statements that the pre-scan must see."""


def hide_from_prescan(rows: Rows, facts: Facts) -> Rows:
    """The program with blocks for the pre-scan, where they make it quicker."""
    return rows if facts.switched else _hide_in_subs(hide_main(rows, facts), facts)


def _hide_in_subs(rows: Rows, facts: Facts) -> Rows:
    """The program with a block of names in each SUB that starts faster with one."""
    subs: list[Row] = []
    for body in bodies(rows.subs):
        if any(words(row.tokens) & SCANNED_ALWAYS for row in body):
            subs += body
            continue
        rows, parts = _sub_lines_parted(rows, body)
        lines = _block(parts, facts) if parts else None
        if lines is None:
            subs += body
            continue
        rows, new_rows = rows.with_keys([*lines, OFF, ON])
        subs += [parts[0], *new_rows[:-1], *parts[1:-1], new_rows[-1], parts[-1]]
    return replace(rows, subs=tuple(subs))


def _sub_lines_parted(rows: Rows, body: list[Row]) -> tuple[Rows, list[Row]]:
    """The lines, with SUB and SUBEND on lines of their own.

    None if the last line does not end with SUBEND.
    """
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
        shortened = replace(part, tokens=part.tokens[:-2])
        ended = part.first + len(list(statement_offsets(shortened.tokens)))
        middle[-1] = replace(last, tokens=last.tokens[:-2], parts=(*parts, shortened))
        middle.append(replace(end_row, parts=(Part(part.number, part.tokens[-1:], ended),)))
    return rows, middle


def _block(body: list[Row], facts: Facts) -> list[bytes] | None:
    """Lines that jump over themselves and name everything; None if they save too little."""
    scope = facts.scan.subs[list(scan(body[0].tokens))[1].text]
    given = {parameter.name for parameter in scope.parameters}
    own = [symbol for symbol in scope.symbols.values() if symbol.name not in given]
    inner = body[1:-1]
    uses = sum(1 for row in inner for _ in names(row.tokens))
    if uses - len(own) < SAVED:
        return None
    jump = bytes([t.GOTO]) + reference(inner[0].key)
    return joined([jump, *calls(inner), *declarations(own, usage(inner))])
