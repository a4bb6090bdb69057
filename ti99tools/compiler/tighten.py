"""The same code of the runtime in fewer bytes: parts are written alone, and meet in a program.

Equal ends of routines are there once, where jumps reach them; branches to what is near are jumps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ti99tools.compiler.emit.assembly import INVERTED, ROWS_KEPT, size_of
from ti99tools.compiler.used import CALLS

REACH = 250
"""Bytes that a jump is sure to reach."""
MOST = 12
"""Instructions of the longest end that is looked for."""
_NO_CODE = frozenset({"DATA", "BYTE", "TEXT", "EVEN", "EQU", "RAM"})
_JUMPS = frozenset({*INVERTED, "JMP"})
_FAILS = "@FAILM"
"""The entry of errors, which does not come back."""


@dataclass(slots=True)
class _Row:
    """A row of a source: its labels, and its operation (empty: labels alone)."""

    labels: list[str]
    operation: str
    operands: str
    size: int
    text: str
    at: int = 0
    gone: bool = False
    kept: bool = False

    @property
    def code(self) -> str:
        """What makes it equal to others."""
        return f"{self.operation} {self.operands}"


@lru_cache(maxsize=ROWS_KEPT)
def _parsed(row: str) -> tuple[str, str, str, int]:
    """The label of a row, its operation, its operands, its bytes."""
    label = "" if row.startswith(" ") else row.split(None, 1)[0]
    fields = row[len(label) :].split(None, 2)
    operation = fields[0] if fields else ""
    if operation in ("TEXT", "EVEN", "EQU", ""):
        size = len(row.split(None, 2 if label else 1)[-1].strip()) - 2
        return label, operation, row, size if operation == "TEXT" else operation == "EVEN"
    operands = fields[1] if len(fields) > 1 else ""
    if operation in ("RTWP", "NOP"):
        operands = ""
    return label, operation, operands, size_of(operation, operands)


def skipping(rows: Sequence[str]) -> frozenset[str]:
    """The operands of calls that may come back one word further, over what follows them."""
    found = set()
    parsed = [_parsed(row) for row in rows]
    for at, (_, operation, operands, _) in enumerate(parsed[:-2]):
        if operation in CALLS:
            after, then = parsed[at + 1], parsed[at + 2]
            over = after[1] in ("RTWP", "B") and not then[0] and then[1] not in _NO_CODE
            if after[1] in ("JMP", "NOP") or over:
                found.add(operands)
    return frozenset(found)


class _Tightening:
    """The rows of a runtime while they become fewer."""

    def __init__(self, rows: Iterable[str], skips: frozenset[str], prefix: str) -> None:
        self._skips = skips
        self._prefix = prefix
        self.rows: list[_Row] = []
        labels: list[str] = []
        at = 0
        for text in rows:
            label, operation, operands, size = _parsed(text)
            labels += [label] if label else []
            if operation:
                self.rows.append(_Row(labels, operation, operands, size, text, at))
                labels = []
                at += size
        self._last = labels
        self._place = {label: n for n, row in enumerate(self.rows) for label in row.labels}
        self._from: defaultdict[str, list[int]] = defaultdict(list)
        """Label → the rows that jump to it."""
        for n, row in enumerate(self.rows):
            if row.operation in _JUMPS:
                self._from[row.operands].append(n)
        self._fixed = range(self._place.get("FAR", 0), self._place.get("FAREND", 0))
        """Code whose place matters: interrupts look for it."""
        self._made = 0

    def _call_before(self, n: int) -> str | None:
        """The operand of the call that a row follows, with the words of the call between them."""
        n -= 1
        while n >= 0 and self.rows[n].operation == "DATA" and not self.rows[n].labels:
            n -= 1
        return self.rows[n].operands if n >= 0 and self.rows[n].operation in CALLS else None

    def _ends(self, n: int) -> bool:
        """Tell whether control never goes on after a row."""
        row = self.rows[n]
        if row.operation == "DATA":
            return self._call_before(n) == _FAILS and not row.labels
        if row.operation not in ("B", "JMP", "RTWP"):
            return False
        return self._call_before(n) not in self._skips

    def _tails(self, n: int) -> Iterator[int]:
        """The first rows of ends up to the row `n`, the longest end last."""
        first = n
        for _ in range(MOST):
            operation = self.rows[first].operation
            if first in self._fixed or operation in _NO_CODE - {"DATA"}:
                return
            if operation != "DATA":
                yield first
            elif self.rows[first].labels or self._call_before(first) is None:
                return
            first -= 1
            if first < 0 or self._ends(first):
                return

    def share(self) -> None:
        """Let ends that are equal be there once, the longest first."""
        found: defaultdict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for n in range(len(self.rows)):
            if self._ends(n):
                for first in self._tails(n):
                    found[tuple(r.code for r in self.rows[first : n + 1])].append((first, n))
        for key in sorted((k for k, own in found.items() if len(own) > 1), key=len, reverse=True):
            for first, last in found[key]:
                if not any(row.gone or row.kept for row in self.rows[first : last + 1]):
                    self._drop(first, last, found[key])

    def _drop(self, first: int, last: int, same: list[tuple[int, int]]) -> None:
        """Drop an end for one of the same, if that saves bytes and jumps reach it."""
        rows = self.rows[first : last + 1]
        size = sum(row.size for row in rows)
        falls = first > 0 and not self._ends_before(first)
        if any(self._after_data(first + n, row.labels) for n, row in enumerate(rows) if row.labels):
            return
        for other, its_last in same:
            if other == first or any(row.gone for row in self.rows[other : its_last + 1]):
                continue
            if not all(
                self._reach(label, other + n) for n, row in enumerate(rows) for label in row.labels
            ):
                continue
            near = abs(self.rows[first].at - self.rows[other].at) <= REACH
            if size > falls * (2 if near else 4):
                self._replace(first, rows, other, falls, near)
                return

    def _ends_before(self, n: int) -> bool:
        """Tell whether control never comes to a row from the row before it."""
        n -= 1
        while n >= 0 and self.rows[n].gone:
            n -= 1
        if n < 0 or self._ends(n):
            return True
        return self.rows[n].operation in _NO_CODE and self._call_before(n + 1) is None

    def _after_data(self, n: int, labels: Sequence[str]) -> bool:
        """Tell whether a row with labels follows data that belong to it: not to a call before it,
        nor the vector of an entry, which finds its label wherever that is.
        """
        before = self.rows[n - 1]
        if before.operation not in _NO_CODE or self._call_before(n) is not None:
            return False
        return before.operands not in [f"RWS,{label}" for label in labels]

    def _reach(self, label: str, to: int) -> bool:
        """Tell whether all jumps to a label would reach another row."""
        place = self.rows[to].at
        return all(
            self.rows[n].gone or abs(self.rows[n].at - place) <= REACH for n in self._from[label]
        )

    def _replace(self, first: int, rows: list[_Row], other: int, falls: bool, near: bool) -> None:
        """Take rows away; control goes on at another one, where their labels are, too."""
        for n, row in enumerate(rows):
            kept = self.rows[other + n]
            kept.kept = True
            for label in row.labels:
                self._place[label] = other + n
            kept.labels += row.labels
            row.labels = []
            row.gone = True
        if falls:
            there = self.rows[other]
            if not there.labels:
                self._made += 1
                there.labels.append(f"{self._prefix}{self._made}")
                self._place[there.labels[0]] = other
            own = rows[0]
            to = there.labels[0]
            own.gone = False
            own.operation, own.operands = ("JMP", to) if near else ("B", f"@{to}")
            own.size = 2 if near else 4
            own.text = f"       {own.operation:<4} {own.operands}"
            if near:
                self._from[to].append(first)

    def shorten(self) -> None:
        """Let branches to what is near be jumps, and jumps to jumps go where these go."""
        at = 0
        for row in self.rows:
            row.at = at
            at += 0 if row.gone else row.size
        for row in self.rows:
            to = self._place.get(row.operands.removeprefix("@"))
            near = to is not None and abs(self.rows[to].at - row.at) <= REACH
            if row.operation == "B" and near and not row.gone:
                row.operation, row.operands = "JMP", row.operands[1:]
                row.text = f"       JMP  {row.operands}"
        for row in self.rows:
            if row.operation == "JMP" and not row.gone:
                there = self.rows[self._place[row.operands]] if row.operands in self._place else row
                beyond = self._place.get(there.operands) if there.operation == "JMP" else None
                if beyond is not None and abs(self.rows[beyond].at - row.at) <= REACH:
                    row.operands = there.operands
                    row.text = f"       JMP  {row.operands}"

    def source(self) -> Iterator[str]:
        """The rows that are left."""
        for row in self.rows:
            if row.gone:
                continue
            *others, last = row.labels or [""]
            yield from others
            own = row.text if row.text.startswith(" ") else f"       {row.text.split(None, 1)[1]}"
            yield f"{last:<6} {own.lstrip()}" if last else own
        yield from self._last


@lru_cache(maxsize=8)
def tightened(rows: tuple[str, ...], skips: frozenset[str], prefix: str = "TL") -> list[str]:
    """The rows of a runtime in fewer bytes; `skips` are the calls that `skipping` has found.

    `prefix` begins the labels that are added.
    """
    work = _Tightening(rows, skips, prefix)
    work.share()
    work.shorten()
    return list(work.source())
