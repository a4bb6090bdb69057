"""Which code of the runtime a program uses: all that control or an address leads to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ti99tools.compiler.emit.assembly import ROWS_KEPT
from ti99tools.language.analysis.flow import reachable

NAME = re.compile(r"[A-Z][A-Z0-9]+")
_AWAY = frozenset({"B", "JMP", "RTWP"})
"""Operations after which control does not come to what follows."""
CALLS = frozenset({"BL", "BLWP"})
"""Operations that may come back to what follows them."""
_FAILS = ["BL", "@FAILM"]
"""A call that does not come back: an error."""
_SILENT = frozenset({"TEXT", "BYTE"})
"""Operations whose operands are no names."""


@dataclass
class _Block:
    """Rows from labels to the next label."""

    labels: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    goes_on: bool = True
    """Whether control, or what reads data, may come to the next block."""


def used_rows(
    rows: Iterable[str], roots: set[str], skips: frozenset[str] | None = None
) -> list[str]:
    """The rows of a source in their order that `roots` need; these are labels.

    Data is taken to end where a label follows whose own use is found, unless code comes before it.
    `skips` are the operands of calls that may come back one word further (None: of all).
    """
    blocks = [*_blocks(rows, skips)]
    return [row for at in sorted(_kept(blocks, roots)) for row in blocks[at].rows]


def apart(
    rows: Iterable[str], roots: set[str], skips: frozenset[str], away: frozenset[str]
) -> tuple[list[str], list[str]]:
    """The rows that `roots` need without what the labels `away` lead to; all others."""
    blocks = [*_blocks(rows, skips)]
    here, there = list[str](), list[str]()
    kept = _kept(blocks, roots, away)
    for at, block in enumerate(blocks):
        if at in kept:
            here += block.rows
            continue
        there += block.rows
        if block.goes_on and at + 1 in kept:
            there.append(f"       B    @{blocks[at + 1].labels[0]}")
    return here, there


def _kept(
    blocks: Sequence[_Block], roots: set[str], away: frozenset[str] = frozenset()
) -> set[int]:
    """The blocks that are needed; what is needed by way of names in `away` does not count."""
    owner = {label: at for at, block in enumerate(blocks) for label in block.labels}
    owner = {label: at for label, at in owner.items() if label not in away}

    def ways(at: int) -> set[int]:
        block = blocks[at]
        following = {at + 1} if block.goes_on and at + 1 < len(blocks) else set[int]()
        return following.union(owner[name] for name in block.names if name in owner)

    return reachable((owner[name] for name in roots if name in owner), ways)


def names_in(rows: Iterable[str]) -> set[str]:
    """The names among the operands of a source."""
    found: set[str] = set()
    for row in rows:
        found.update(_parsed(row)[2])
    return found


@lru_cache(maxsize=ROWS_KEPT)
def _parsed(row: str) -> tuple[str, str, Sequence[str]]:
    """The operation of a row, its operands, the names among them; programs share most rows."""
    fields = row[7:].split(None, 2)
    if not fields:
        return "", "", ()
    operation = fields[0]
    if fields[:2] == _FAILS:
        return "B", "", ("FAILM",)
    if operation in _SILENT or len(fields) == 1:
        return operation, "", ()
    return operation, fields[1], tuple(NAME.findall(fields[1]))


def _blocks(rows: Iterable[str], skips: frozenset[str] | None) -> Iterator[_Block]:
    block = _Block()
    last = before = called = ""
    for row in rows:
        if not row.startswith(" "):
            if block.rows and (last or not block.labels):
                block.goes_on = _goes_on(last, before, skips is None or called in skips)
                yield block
                block = _Block()
                last = before = called = ""
            block.labels.append(row.split()[0])
        operation, operands, names = _parsed(row)
        block.rows.append(row)
        block.names.update(names)
        if operation and operation != "EVEN":
            last, before = operation, last
            called = operands if operation in CALLS else called
    if block.rows:
        block.goes_on = _goes_on(last, before, skips is None or called in skips)
        yield block


def _goes_on(last: str, before: str, skips: bool) -> bool:
    """Tell whether a block goes on in the next one, by its last operations.

    A routine may come back one word further, over the jump after its call, if it `skips`.
    """
    if last in ("DATA", "EQU", *_SILENT):
        return before in CALLS
    return last not in _AWAY or (before in CALLS and skips)
