"""What native code does with cells by several instructions, as calls of the runtime."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ti99tools.compiler.emit.assembly import AssemblyRow, row_of

_LABEL = re.compile(r"@([^(]+)$")
_POINTED = re.compile(r"\*(R\d+)$")
_INDEXED = re.compile(r"@([^(]+)\((R\d+)\)$")
_COPY = ("MOV", "MOV", "JEQ", "MOV", "MOV", "")
"""How a cell is copied: both first words, and the others unless the first is 0."""

Rows = list[AssemblyRow]


def with_calls(rows: Sequence[AssemblyRow]) -> Iterator[AssemblyRow]:
    """The rows with calls in place of copies, and of words stored as cells."""
    at = 0
    while at < len(rows):
        for size, idiom in ((len(_COPY), _copy), (2, _stored)):
            found = idiom(rows[at : at + size]) if at + size <= len(rows) else None
            if found is not None:
                yield from found
                at += size
                break
        else:
            yield rows[at]
            at += 1


def _copy(rows: Sequence[AssemblyRow]) -> Rows | None:
    if tuple(row.operation for row in rows) != _COPY or rows[2].operands != rows[5].label:
        return None
    source, target = rows[1].operands.split(",")
    own, to = _LABEL.match(source), _LABEL.match(target)
    if own and to:
        return _call("CCOPY", own[1], to[1])
    if (pointed := _POINTED.match(source)) and to:
        return [_move(pointed[1]), *_call("CFETCH", to[1])]
    if own and (indexed := _INDEXED.match(target)):
        return [_move(indexed[2]), *_call("CSTORE", own[1], indexed[1])]
    return None


_WORDS: dict[str, Callable[[str], Rows]] = {
    "R0": lambda to: _call("CWORD0", to),
    "R1": lambda to: _call("CWORD1", to),
}


def _stored(rows: Sequence[AssemblyRow]) -> Rows | None:
    """A word that becomes a cell: its first word is 0."""
    first, second = rows
    to = _LABEL.match(first.operands)
    if first.operation != "CLR" or not to:
        return None
    if second.operation == "CLR" and second.operands == f"@{to[1]}+2":
        return [row_of("CLR", "R0"), *_call("CWORD0", to[1])]
    register, _, place = second.operands.partition(",")
    if second.operation == "MOV" and register in _WORDS and place == f"@{to[1]}+2":
        return _WORDS[register](to[1])
    return None


def _move(register: str) -> AssemblyRow:
    return row_of("MOV", f"{register},R0")


def _call(entry: str, *data: str) -> Rows:
    return [row_of("BLWP", f"@{entry}"), row_of("DATA", ",".join(data))]
