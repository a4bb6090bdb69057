"""The MERGE form of a program: a DIS/VAR 163 file with a line in each record.

Record: line number (2 bytes), tokens, 00; the last record is FF FF. `100 END` is 00 64 8B 00.
Source: recorded SAVE …,MERGE files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ti99tools.base.errors import ProgramError
from ti99tools.program.image import Line, check_line

RECORD_LENGTH = 163
END = b"\xff\xff"


def parse_merge(records: Sequence[bytes]) -> tuple[Line, ...]:
    """Read MERGE records in the order of the file; ProgramError unless they end with FF FF."""
    if not records or records[-1] != END:
        raise ProgramError("a MERGE file ends with the record FF FF", remedy="it may be cut off")
    lines = []
    for index, record in enumerate(records[:-1]):
        if len(record) < 4 or len(record) > RECORD_LENGTH or record[-1]:
            raise ProgramError(
                f"record {index} is not a program line",
                remedy="the file is damaged or not in MERGE form",
            )
        lines.append(check_line(Line(int.from_bytes(record[:2], "big"), record[2:-1])))
    return tuple(lines)


def merge_records(lines: Iterable[Line]) -> tuple[bytes, ...]:
    """The records of `lines`; ProgramError for a line too long for DIS/VAR 163."""
    records = []
    for line in lines:
        record = line.number.to_bytes(2, "big") + line.tokens + b"\0"
        if len(record) > RECORD_LENGTH:
            raise ProgramError(
                f"line {line.number} is too long for the MERGE form",
                remedy=f"split it: {RECORD_LENGTH - 3} bytes of tokens fit",
            )
        records.append(record)
    return (*records, END)
