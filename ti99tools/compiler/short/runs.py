"""Runs of code: the code of a statement, native or to become bytes, and how each goes on."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ti99tools.compiler.emit.assembly import AssemblyRow
from ti99tools.compiler.ir import Spot

_SCOPE_END = re.compile(r"Z\d+$")
_NEVER_BACK = frozenset({
    "FAIL", "RETURN", "LEAVE", "RETLIN", "RETNXT", "RETBAD", "VMB0", "VMENT", "AGAIN", "CHAIN",
    "RUNFAL",
})  # fmt: skip
"""Entries of the runtime that do not come back to where they are called."""


@dataclass
class Run:
    """Rows that belong to one statement, from its mark on."""

    mark: str
    rows: list[AssemblyRow] = field(default_factory=list)
    short: bool = False

    @property
    def size(self) -> int:
        """Bytes as native code."""
        return sum(row.size for row in self.rows)

    @property
    def falls_through(self) -> bool:
        """Tell whether control may come to what follows."""
        code = [row for row in self.rows if row.operation]
        if not code or self.rows[-1].label:
            return True
        last = code[-1]
        if last.operation == "DATA":
            calls = [row for row in code if row.operation != "DATA"]
            last = calls[-1] if calls else last
        if last.operation == "BLWP":
            return last.operands[1:] not in _NEVER_BACK
        return last.operation not in ("B", "JMP", "BL")


@dataclass
class ScopeEnd:
    """The label of the end of a scope."""

    label: str


def parted(rows: Iterable[AssemblyRow], marks: set[str]) -> Iterator[Run | ScopeEnd]:
    """The runs of a program in their order, and the ends of scopes."""
    run: Run | None = None
    labels: list[AssemblyRow] = []
    for row in rows:
        if not row.label:
            if run is None:
                run = Run("")
            run.rows += [*labels, row]
            labels.clear()
        elif _SCOPE_END.match(row.label):
            if run is not None or labels:
                run = run or Run("")
                run.rows += labels
                labels.clear()
                yield run
            yield ScopeEnd(row.label)
            run = None
        elif row.label in marks:
            if run is not None and run.rows:
                # Labels of blocks name what follows.
                while labels and not labels[0].label.startswith("B_"):
                    run.rows.append(labels.pop(0))
                yield run
            run = Run(row.label)
            labels.append(row)
        else:
            labels.append(row)
    if run is not None:
        run.rows += labels
        yield run


def chosen(
    runs: Iterable[Run | ScopeEnd], spots: Mapping[str, Spot], hot: Container[Spot]
) -> list[Run | ScopeEnd]:
    """The runs, those of all but hot statements marked to become bytes."""
    found = list(runs)
    for run in found:
        if isinstance(run, Run):
            run.short = bool(run.mark) and spots[run.mark] not in hot
    return found
