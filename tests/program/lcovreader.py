"""A reader of lcov tracefiles, written from the format alone (geninfo(1)): strict, for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Record:
    """What a tracefile says of one source file."""

    file: str
    lines: dict[int, int] = field(default_factory=dict)
    branches: dict[tuple[int, int, int], int | None] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)


def read(text: str, folder: Path | None = None) -> dict[str, Record]:
    """The records by file. AssertionError for whatever genhtml would refuse or warn of."""
    found: dict[str, Record] = {}
    record: Record | None = None
    for row in text.splitlines():
        if row == "end_of_record":
            assert record is not None
            _check(record, folder)
            found[record.file] = record
            record = None
            continue
        what, _, rest = row.partition(":")
        if what == "TN":
            assert all(c.isalnum() or c == "_" for c in rest)
        elif what == "SF":
            assert record is None
            assert rest not in found
            record = Record(rest)
        else:
            assert record is not None, row
            _fill(record, what, rest.split(","))
    assert record is None
    return found


def _fill(record: Record, what: str, fields: list[str]) -> None:
    if what == "DA":
        line, count = map(int, fields)
        assert line not in record.lines
        assert line > 0
        assert count >= 0
        record.lines[line] = count
    elif what == "BRDA":
        line, block, branch = map(int, fields[:3])
        assert (line, block, branch) not in record.branches
        record.branches[line, block, branch] = None if fields[3] == "-" else int(fields[3])
    else:
        assert what in ("LF", "LH", "BRF", "BRH"), what
        record.sums[what] = int(fields[0])


def _check(record: Record, folder: Path | None) -> None:
    assert record.sums["LF"] == len(record.lines)
    assert record.sums["LH"] == sum(count > 0 for count in record.lines.values())
    assert record.sums.get("BRF", 0) == len(record.branches)
    assert record.sums.get("BRH", 0) == sum(bool(n) for n in record.branches.values())
    assert all(line in record.lines for line, _, _ in record.branches)
    if folder is not None:
        rows = (folder / record.file).read_text().splitlines()
        assert max(record.lines, default=0) <= len(rows)
