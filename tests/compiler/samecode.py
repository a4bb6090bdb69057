"""Tells whether two sources of the runtime do the same from each label on.

Control may go other ways: over jumps, and to labels of the same code elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ti99tools.compiler.emit.assembly import size_of

_NAME = re.compile(r"\b[A-Z][A-Z0-9]+\b")
_NO_CODE = frozenset({"DATA", "BYTE", "TEXT", "EVEN"})
_NOT_THERE = frozenset({"EQU", "RAM", "AORG", "END"})
_CONDITIONS = frozenset(
    {"JEQ", "JNE", "JGT", "JLT", "JLE", "JHE", "JL", "JH", "JOC", "JNC", "JNO", "JOP"}
)
_CALLS = frozenset({"BL", "BLWP"})
_NEVER_BACK = "@FAILM"


class Row(NamedTuple):
    """An instruction, or data."""

    operation: str
    operands: str

    @property
    def text(self) -> str:
        return f"{self.operation} {self.operands}"


class Source:
    """The rows of a source, and where its labels are."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.rows: list[Row] = []
        self.places: dict[str, int] = {}
        for line in lines:
            if line.startswith("*") or not line.strip():
                continue
            label = "" if line.startswith(" ") else line.split(None, 1)[0]
            operation, _, rest = line[len(label) :].strip().partition(" ")
            if operation in _NOT_THERE:
                continue
            if label:
                self.places[label] = len(self.rows)
            if operation in ("RTWP", "NOP", "EVEN"):
                self.rows.append(Row(operation, ""))
            elif operation:
                text = rest.strip()
                own = text if operation == "TEXT" else text.split(None, 1)[0]
                self.rows.append(Row(operation, own))
        self.labelled = frozenset(self.places.values())

    def at(self, place: int) -> int:
        """Where control goes on from a place: over branches to labels that are here."""
        seen = set()
        while place < len(self.rows) and place not in seen:
            seen.add(place)
            row = self.rows[place]
            to = self.places.get(row.operands.removeprefix("@"))
            if row.operation not in ("B", "JMP") or to is None or row.operands == "@MAIN":
                break
            place = to
        return place

    def skips(self, operand: str) -> bool:
        """Tell whether a routine counts up where it comes back to; of one in a register: yes."""
        waiting, seen = [self.places.get(operand.removeprefix("@"))], set()
        if waiting == [None]:
            return True
        while waiting:
            place = self.at(waiting.pop() or 0)
            if place in seen or place == len(self.rows):
                continue
            seen.add(place)
            row = self.rows[place]
            if row.text in ("INCT R11", "MOV *R11+,R11"):
                return True
            if row.operation in _CONDITIONS:
                waiting.append(self.places[row.operands])
            if row.operation not in ("RTWP", "B", "JMP"):
                waiting.append(place + 1)
        return False


def differences(
    first: Sequence[str], second: Sequence[str], skips: frozenset[str]
) -> Iterator[str]:
    """What the second source does otherwise than the first, from the labels on that both have.

    `skips` are the operands of calls that may come back one word further.
    """
    a, b = Source(first), Source(second)
    waiting = [(a.places[name], b.places[name], name) for name in a.places.keys() & b.places.keys()]
    held = set()
    while waiting:
        here, there, name = waiting.pop()
        if here == len(a.rows) or (here, there) in held:
            continue
        if a.rows[here].operation not in _NO_CODE:
            here, there = a.at(here), b.at(there)
        if here == len(a.rows) or (here, there) in held:
            continue
        held.add((here, there))
        own = a.rows[here]
        found = b.rows[there] if there < len(b.rows) else Row("", "")
        if own.operation in _CONDITIONS and found.operation == own.operation:
            waiting.append((a.places[own.operands], b.places[found.operands], own.operands))
        elif own != found:
            yield f"{name}: {own.text}, not {found.text}"
            continue
        waiting += _further(a, b, here, there, skips)


def _further(
    a: Source, b: Source, here: int, there: int, skips: frozenset[str]
) -> Iterator[tuple[int, int, str]]:
    """The places to which both come after the same row."""
    own = a.rows[here]
    for name in _NAME.findall(own.operands) if own.operation != "TEXT" else ():
        if name in a.places:
            yield a.places[name], b.places[name], name
    ends = own.operation in ("RTWP", "B", "JMP")
    never = own.operation in _CALLS and own.operands == _NEVER_BACK
    if not ends and not (own.operation in _NO_CODE and _ended(a, here)):
        yield here + 1, there + 1, f"after {own.text}" + (" and its data" if never else "")
    if own.operation in _CALLS and own.operands in skips:
        over, its = (source.rows[at + 1] for source, at in ((a, here), (b, there)))
        if size_of(*over) == 2 and a.skips(own.operands):
            assert size_of(*its) == 2, f"{own.text} comes back over one word, not over {its.text}"
            yield here + 2, there + 2, f"over a word after {own.text}"


def _ended(source: Source, at: int) -> bool:
    """Tell whether data ends with a row: another label follows, or it belongs to an error."""
    begin = at
    while source.rows[begin].operation in _NO_CODE and begin not in source.labelled:
        begin -= 1
    call = source.rows[begin]
    if call.operation in _CALLS:
        return call.operands == _NEVER_BACK
    return at + 1 in source.labelled
