"""The table of places: lines by address, and where control goes on after errors, in few bytes.

Its form is told in `computer.console.compiledplaces`; it lies in video memory, and the runtime
reads it in lineat.a99. PLCIDX has the way to some of its entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import gcd

from ti99tools.compiler.emit.assembly import byte_rows
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.handlertables import Resume, handler_rows, resumes_of
from ti99tools.computer.console.compiledplaces import (
    BIAS,
    GIVEN,
    NEXT,
    NO_MORE,
    NONE,
    OFF,
    OTHER_LINE,
    SAME,
    SPAN,
    STEP,
    WORDS,
)

EVERY = 100
"""Entries from one row of the index to the next, or more."""
_MOST_UNIT = 0xFF


@dataclass
class _Entry:
    """Where code of a statement begins, from the beginning of the code on: its line; how RETURN
    goes on.
    """

    at: int
    line: int
    row: Resume | None = None


def place_table(emission: Emission, offsets: Mapping[str, int], end: int) -> tuple[str, str]:
    """The table PLACES, and its index with the handlers of ON ERROR, as sources.

    `offsets` of all labels in the code, which has `end` bytes.
    """
    entries = [*_entries(emission, offsets)]
    unit = _unit(entries)
    index = ["PLCIDX"]
    line, since = 0, EVERY
    indexed = any(entry.row for entry in entries)
    rows = ["PLACES", f"       DATA {unit},MAIN+{entries[0].at}"]
    data = bytearray()
    for entry, after in pairwise([*entries, _Entry(end, 0)]):
        if (since >= EVERY and (entry.row or not indexed)) or entry is entries[0]:
            index.append(f"       DATA MAIN+{entry.at},PLACES+{4 + len(data)},{line}")
            since = 0
        since += 1
        data += _bytes(entry, after.at, line, unit, offsets)
        line = entry.line
    data.append(NO_MORE)
    rows += byte_rows(data)
    index += ["       DATA >FFFF", f"PLUNIT DATA {unit}"]
    if "CAUGHT" in emission.out.used:
        index += _handlers(emission, entries)
    return "".join(f"{row}\n" for row in rows), "\n".join(index)


def _entries(emission: Emission, offsets: Mapping[str, int]) -> Iterator[_Entry]:
    """The entries by address, where the line is another one or a statement can fail."""
    rows = {row.mark: row for row in resumes_of(emission)}
    if "CAUGHT" not in emission.out.used:
        rows = {}
    entry: _Entry | None = None
    before = 0
    for mark in emission.out.section.marks:
        at = offsets[mark.label]
        if entry is None or entry.at != at:
            if entry is not None and (entry.row or entry.line != before):
                yield entry
                before = entry.line
            entry = _Entry(at, 0)
        entry.line = mark.spot[0]
        entry.row = rows.get(mark.label, entry.row)
    if entry is not None:
        yield entry


def _unit(entries: list[_Entry]) -> int:
    """What the distances of all lines have in common."""
    unit = gcd(*(after.line - entry.line for entry, after in pairwise(entries)))
    return unit if 0 < unit <= _MOST_UNIT else 1


def _bytes(entry: _Entry, after: int, before: int, unit: int, offsets: Mapping[str, int]) -> bytes:
    """An entry of the table; `after`: where the next one begins, `before`: the line before it."""
    distance = after - entry.at
    by_line, line = _line(entry.line, before, unit)
    failing, ways = _ways(entry, after, offsets)
    far = b""
    if not 0 < distance < SPAN:
        far = bytes((distance,)) if 0 < distance < 256 else b"\0" + distance.to_bytes(2)
    first = SPAN * (4 * by_line + failing) + (0 if far else distance)
    return bytes((first,)) + far + line + ways


def _line(line: int, before: int, unit: int) -> tuple[int, bytes]:
    if line == before:
        return SAME, b""
    units, rest = divmod(line - before, unit)
    if (units, rest) == (1, 0):
        return STEP, b""
    if not rest and -BIAS < units < BIAS:
        return GIVEN, bytes((units + BIAS,))
    return GIVEN, b"\0" + line.to_bytes(2)


def _ways(entry: _Entry, following: int, offsets: Mapping[str, int]) -> tuple[int, bytes]:
    """How RETURN and RETURN NEXT go on."""
    row = entry.row
    if row is None:
        return NONE, b""
    again, after = offsets[row.again], offsets[row.after]
    if again == entry.at and row.line == entry.line:
        if after in (following, again):
            return NEXT, b""
        if 0 <= after - again < 256:
            return OFF, bytes((after - again,))
    if row.line == entry.line:
        return WORDS, again.to_bytes(2) + after.to_bytes(2)
    return WORDS, b"".join(word.to_bytes(2) for word in (again | OTHER_LINE, after, row.line))


def _handlers(emission: Emission, entries: list[_Entry]) -> Iterator[str]:
    """Rows of RESVAR: by address, the handlers; then these."""
    rows = [(entry.at, entry.row.handlers) for entry in entries if entry.row]
    yield "RESVAR"
    for (_, handlers), (at, others) in pairwise(rows):
        if others != handlers:
            yield f"       DATA MAIN+{at},{handlers}"
    yield f"       DATA >FFFF,{rows[-1][1] if rows else 0}"
    yield from handler_rows(emission)
