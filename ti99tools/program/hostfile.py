"""Tell which form of a program a host file holds.

Disk files travel behind a TIFILES header or a V9T9/FIAD one (128 bytes each, see the disk room
for all of their fields); here only what a program needs is read: is it PROGRAM or records, and
where does the data end.
"""

from __future__ import annotations

import re
from typing import Literal

from ti99tools.base.errors import ProgramError, TIError
from ti99tools.program.image import LONG_MARK, parse_program
from ti99tools.program.merge import END as MERGE_END
from ti99tools.program.records import unpack

Form = Literal["program", "records", "listing"]

HEADER = 128
_LONG = LONG_MARK.to_bytes(2, "big")
_PROGRAM, _VARIABLE = 0x01, 0x80
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_LISTING = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*[ \t]*[0-9]")


def is_text(data: bytes) -> bool:
    """Whether a file can be a text: no control codes but tabs, line ends and form feeds.

    The 1A that XMODEM and DOS put behind a text do not count.
    """
    return _BINARY.search(data.rstrip(b"\x1a")) is None


def recognise(data: bytes) -> tuple[Form, bytes | tuple[bytes, ...]]:
    """The form of a program file and its data or records; ProgramError if it is none.

    Tried in this order: header, checksum of a PROGRAM file, closed sectors of records, text; the
    first three are too strict to be met by chance.
    """
    header = _header(data)
    if header is not None:
        flags, sectors, size = header
        content = data[HEADER : HEADER + 256 * sectors]
        if flags & _PROGRAM:
            return "program", content[:size]
        if flags & _VARIABLE:
            return "records", unpack(content)
        raise ProgramError("a file of fixed records is no program", remedy="choose a program file")
    return _bare(data)


def _header(data: bytes) -> tuple[int, int, int] | None:
    """Flags, sectors and length in bytes from a TIFILES or V9T9 header, None when there is none."""
    if len(data) < HEADER:
        return None
    if data[:8] in (b"\x07TIFILES", b"\x08TIFILES"):
        sectors = int.from_bytes(data[8:10], "big")
        return data[10], sectors, _size(sectors, data[12])
    name = data[:10].rstrip(b" \0")
    sectors = int.from_bytes(data[14:16], "big")
    body = len(data) - HEADER
    plausible = (
        re.fullmatch(rb"[!-\-/-~]{1,10}", name) is not None
        and data[10:12] == b"\0\0"
        and (body == sectors * 256 or not any(data[28:HEADER]))
        and (sectors - 1) * 256 < body <= sectors * 256
    )
    return (data[12], sectors, _size(sectors, data[16])) if plausible else None


def _size(sectors: int, eof: int) -> int:
    return sectors * 256 - (256 - eof if eof else 0)


def _bare(data: bytes) -> tuple[Form, bytes | tuple[bytes, ...]]:
    try:
        parse_program(data)
        return "program", data
    except TIError as error:
        problem = error
    try:
        records = unpack(data)
        if records and (records[-1] == MERGE_END or records[0][:2] == _LONG):
            return "records", records
    except TIError as error:
        if data[1:3] == _LONG:
            problem = error
    if is_text(data) and _LISTING.match(data):
        return "listing", data
    raise problem
