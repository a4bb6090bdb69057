"""Shorter forms of what the generators write one after the other, each for itself.

Registers R0 to R5 hold nothing from one statement to the next; where a statement begins there is
a label.
"""

from __future__ import annotations

import re

from ti99tools.compiler.emit.assembly import AssemblyListing, AssemblyRow, row_of
from ti99tools.compiler.short.idioms import Rows

MARK = "Q"
"""Begins the labels where the code of a statement begins (see `Writer.mark`)."""
_SHIFTS = frozenset({"SRL", "SRA", "SLA"})
_ONE = frozenset({"INC", "DEC", "INCT", "DECT", "NEG", "ABS", "INV", "CLR", "SETO"})
_IMMEDIATE = frozenset({"AI", "ANDI", "ORI", "LI"})
_TWO = frozenset({"MOV", "MOVB", "A", "S", "SOC", "SZC", "XOR"})
_DEFINING = frozenset({"MOV", "MOVB", "LI"})
_UNTESTED = frozenset({"CLR", "SETO", "LI", "MOVB"})
"""Instructions after which the status does not say how their result compares with 0 as a word."""
_JUMPS = frozenset({"JEQ", "JNE", "JLT", "JGT"})
_R1 = re.compile(r"\bR1\b")
_INDEXED = re.compile(r"(.*)\(R1\)$")


def result(row: AssemblyRow) -> str:
    """The operand that an instruction changes; empty if it is none of the plain ones."""
    operands = row.operands.split(",")
    if row.operation in _ONE or row.operation in _SHIFTS or row.operation in _IMMEDIATE:
        return operands[0]
    return operands[-1] if row.operation in _TWO else ""


def shorten(listing: AssemblyListing) -> None:
    """Shorten all code of a listing."""
    rows = listing.rows
    for rule in (_checks, _tests, _directly, _indexed, _handles, _reloads, _jumps):
        rows = rule(rows)
    listing.rows = rows


def _checks(rows: Rows) -> Rows:
    """Compare a register with its limit where it is, if it is only checked."""
    kept = list(rows)
    at = 0
    while at + 3 < len(kept):
        first, compare, jump, last = kept[at : at + 4]
        source = first.operands.removesuffix(",R1")
        checks = first.operation == last.operation == "MOV" and compare.operation == "CI"
        plain = source[0:1] == "R" and first.operands == f"{source},R1"
        back = last.operands == f"R1,{source}" and jump.operation in ("JGT", "JH", "JLT")
        if checks and plain and back and compare.operands.startswith("R1,"):
            kept[at : at + 4] = [row_of("CI", source + compare.operands[2:]), jump]
        at += 1
    return kept


def _reloads(rows: Rows) -> Rows:
    """Leave out loads of what is in R1 already: it has just been stored."""
    kept: Rows = []
    stored = ""
    for row in rows:
        if row.label:
            # Nothing jumps to the mark of a statement.
            stored = stored if row.label[0] == MARK else ""
        elif stored and row.operation == "MOV" and row.operands == f"{stored},R1":
            continue
        else:
            to = row.operands.removeprefix("R1,")
            is_store = row.operation == "MOV" and to != row.operands and not _R1.search(to)
            stored = to if is_store else ""
        kept.append(row)
    return kept


def _tests(rows: Rows) -> Rows:
    """Leave out tests of what has just been calculated."""
    kept: Rows = []
    for at, row in enumerate(rows):
        after = rows[at + 1] if at + 1 < len(rows) else None
        if kept and row.operation == "MOV" and after is not None and after.operation in _JUMPS:
            tested, _, to = row.operands.partition(",")
            before = kept[-1]
            known = result(before) == tested and before.operation not in _UNTESTED
            if known and to in ("R0", tested):
                continue
        kept.append(row)
    return kept


def _directly(rows: Rows) -> Rows:
    """Calculate into the register where a value goes, instead of R1."""
    kept = list(rows)
    at = 0
    while at < len(kept):
        row = kept[at]
        to = row.operands.removeprefix("R1,")
        ends = at + 1 < len(kept) and bool(kept[at + 1].label)
        if row.operation != "MOV" or to == row.operands or not ends or _R1.search(to):
            at += 1
            continue
        begin = _beginning(kept, at, to)
        if begin is None:
            at += 1
            continue
        if to[0] != "R" and begin != at - 1:
            at += 1
            continue
        for n in range(begin, at):
            kept[n] = _renamed(kept[n], to)
        del kept[at]
    return kept


def _beginning(rows: Rows, at: int, to: str) -> int | None:
    """Where R1 gets a value, changed up to `at` in ways that another operand allows, too."""
    for n in range(at - 1, -1, -1):
        row = rows[n]
        if row.label or result(row) != "R1":
            return None
        source = row.operands.rpartition(",")[0] if row.operation in _TWO else ""
        if row.operation in _DEFINING:
            if to[0] == "R":
                return n
            plain = row.operation == "MOV" and "(" not in source
            return n if plain else None
        if to in source.split(",") or _R1.search(source) or f"({to})" in source:
            return None
    return None


def _renamed(row: AssemblyRow, to: str) -> AssemblyRow:
    source, comma, _ = row.operands.rpartition(",")
    if row.operation in _ONE:
        operands = to
    elif row.operation in _SHIFTS or row.operation in _IMMEDIATE:
        operands = to + row.operands[2:]
    else:
        operands = source + comma + to
    return row_of(row.operation, operands)


def _indexed(rows: Rows) -> Rows:
    """Index by the register that has the position, instead of R1."""
    kept: Rows = []
    for row in rows:
        before = kept[-1] if kept else None
        source, comma, to = row.operands.rpartition(",")
        found = _INDEXED.match(source)
        if (
            before is not None
            and found
            and row.operation in ("MOV", "MOVB")
            and before.operation == "MOV"
            and before.operands.endswith(",R1")
            and before.operands[0] == "R"
            and before.operands != "R0,R1"
            and to[0] == "R"  # what was in R1 is of no use any more
        ):
            kept.pop()
            row = row_of(row.operation, f"{found[1]}({before.operands[:-3]}){comma}{to}")
        kept.append(row)
    return kept


_TAKE_R0 = frozenset({"SLEN", "SASC", "TVAR", "SCOPY", "SPOS", "SPOS1"})
"""Entries of the runtime that take a handle in R0, after which what is in R1 is of no use."""


def _handles(rows: Rows) -> Rows:
    """Bring handles to where they go without the way through R1."""
    kept: Rows = []
    for at, row in enumerate(rows):
        before = kept[-1] if kept else None
        if before is not None and before.operation == "MOV" and before.operands.endswith(",R1"):
            source = before.operands[:-3]
            after = rows[at + 1] if at + 1 < len(rows) else None
            if row.operation == "MOV" and row.operands == "R1,R0" and _taken(rows, at + 1):
                kept.pop()
                if source != "R0":
                    kept.append(row_of("MOV", f"{source},R0"))
                continue
            if row.operation == "MOV" and row.operands == "R1,@TSECND" and _redefined(after):
                kept.pop()
                kept.append(row_of("MOV", f"{source},@TSECND"))
                continue
        kept.append(row)
    return kept


def _taken(rows: Rows, at: int) -> bool:
    """Tell whether R1 is of no use any more once the runtime has been called, or at the end."""
    while at < len(rows):
        row = rows[at]
        if row.label:
            return True
        if row.operation == "BLWP":
            return row.operands[1:] in _TAKE_R0
        if row.operation != "MOV" or _R1.search(row.operands):
            return False
        at += 1
    return False


def _redefined(row: AssemblyRow | None) -> bool:
    """Tell whether an instruction gives R1 a new value, whatever it had."""
    if row is None or row.operation not in ("MOV", "LI") or row.label:
        return False
    source, _, to = row.operands.rpartition(",")
    if row.operation == "LI":
        return source == "R1"
    return to == "R1" and not _R1.search(source)


def _jumps(rows: Rows) -> Rows:
    """Leave out jumps to what comes next."""
    kept: Rows = []
    for at, row in enumerate(rows):
        if row.operation == "JMP" and _comes(rows, at + 1, row.operands):
            continue
        kept.append(row)
    return kept


def _comes(rows: Rows, at: int, name: str) -> bool:
    """Tell whether a label is among those that come next."""
    while at < len(rows) and rows[at].label:
        if rows[at].label == name:
            return True
        at += 1
    return False
