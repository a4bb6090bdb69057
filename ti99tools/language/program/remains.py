"""What is left of a PROGRAM file some bytes of which are lost, as on a worn tape."""

from __future__ import annotations

from collections.abc import Container

from ti99tools.base.errors import ProgramError
from ti99tools.base.record import Record
from ti99tools.language.listing.listing import Line
from ti99tools.language.program.memory_image import (
    ENTRY,
    MAX_BODY,
    PROGRAM_HEAD,
    ProgramImage,
    check_line,
    head_size,
    read_head,
    read_table,
)

_HEAD, _ENTRY = head_size(PROGRAM_HEAD), head_size(ENTRY)


class Remains(Record):
    """The lines that are whole, in memory, and how many others there were."""

    image: ProgramImage
    protected: bool
    lost: int


def remains(data: bytes, lost: Container[int]) -> Remains | None:
    """The lines of a PROGRAM file of which no byte is lost; `lost` are places in the file, from 0.

    None if there is no such line, or if the head of the file is lost.
    """
    if len(data) < _HEAD or any(at in lost for at in range(_HEAD)):
        return None
    head = read_head(PROGRAM_HEAD, data)
    start, end, top = head.start, head.end, head.top
    count, odd = divmod(end + 1 - start, _ENTRY)
    known = head.check in (start ^ end, -(start ^ end) & 0xFFFF)
    if not known or odd or not start < end <= top or top - start >= MAX_BODY:
        return None
    whole: list[tuple[int, Line]] = []
    for index, (number, address) in enumerate(read_table(data[_HEAD : _HEAD + _ENTRY * count])):
        entry = _HEAD + _ENTRY * index
        line = (
            None
            if _any(lost, entry, entry + _ENTRY)
            else _line(data, lost, number, address - start)
        )
        if line is not None and (not whole or line.number < whole[-1][1].number):
            whole.append((address, line))
    if not whole:
        return None
    # Lines lie in memory from the top down, as they were typed.
    lines = [line for _, line in sorted(whole, key=lambda each: -each[0])]
    return Remains(ProgramImage.build(lines), head.check != start ^ end, count - len(whole))


def _line(data: bytes, lost: Container[int], number: int, behind: int) -> Line | None:
    """The line whose tokens are `behind` bytes after the table's start; None if it is not whole."""
    begin = _HEAD + behind
    if not _HEAD < begin < len(data):
        return None
    end = begin + data[begin - 1] - 1
    if not begin <= end < len(data) or data[end] or _any(lost, begin - 1, end + 1):
        return None
    try:
        return check_line(Line(number, data[begin:end]))
    except ProgramError:
        return None


def _any(lost: Container[int], begin: int, end: int) -> bool:
    return any(at in lost for at in range(begin, end))
