"""Detect the form of a program in a host file.

Disk files travel in TIFILES or V9T9 containers; media/disk reads those, and records in bare
sectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ti99tools.base.errors import ProgramError, TIError
from ti99tools.base.hostio import decode, is_text
from ti99tools.language.listing.numbered import is_numbered
from ti99tools.language.program.memory_image import END as MERGE_END
from ti99tools.language.program.memory_image import (
    LONG_BYTES,
    LONG_RECORD,
    ProgramImage,
    entered,
    is_long,
    parse_long,
    parse_merge,
    parse_program,
)
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk.tifile import FileType, StoredFile

Form = Literal["program", "records", "listing"]


def recognise(data: bytes) -> tuple[Form, bytes | tuple[bytes, ...]]:
    """The form of a program file and its data or records; a TIError if it has none.

    Tried in this order: container, checksum of a PROGRAM file, records, text. The first three are
    too strict to match by chance.
    """
    stored = hostfiles.contained(data)
    return _bare(data) if stored is None else _stored(stored)


def loaded(data: bytes) -> str | tuple[ProgramImage, bool]:
    """The content of a program file: a listing, or memory and whether it is protected.

    Raises ProgramError for a file of unknown form, DiskError for a damaged container.
    """
    form, content = recognise(data)
    if isinstance(content, tuple):
        return from_records(content)
    return decode(content) if form == "listing" else parse_program(content)


def from_records(found: Sequence[bytes]) -> tuple[ProgramImage, bool]:
    """The memory in the records of a long or MERGE file, and whether it is protected.

    Raises ProgramError for records without a line.
    """
    if is_long(found):
        return parse_long(found)
    lines = parse_merge(found)
    if not lines:
        raise ProgramError("there is no line in the program", remedy="enter one")
    return entered(lines), False


def _listing(stored: StoredFile) -> str | None:
    if stored.type is not FileType.DIS_VAR or not (stored.level3_records or stored.eof_offset):
        return None
    rows = records.load(stored).records
    text = "".join(row.decode("latin-1") + "\n" for row in rows)
    return text if all(map(is_text, rows)) and is_numbered(text) else None


def _stored(stored: StoredFile) -> tuple[Form, bytes | tuple[bytes, ...]]:
    if stored.type is FileType.PROGRAM:
        return "program", records.load(stored).data
    text = _listing(stored)
    if text is not None:
        return "listing", text.encode()
    if not stored.type.variable:
        raise ProgramError(
            "a file of fixed records is not a program", remedy="choose a program file"
        )
    counted = stored.level3_records or stored.eof_offset
    found = records.load(stored).records if counted else records.bare(stored.content)
    return "records", _without_filling(found)


def _bare(data: bytes) -> tuple[Form, bytes | tuple[bytes, ...]]:
    try:
        parse_program(data)
        return "program", data
    except TIError as error:
        problem = error
    for read in (records.bare, _unbroken):
        try:
            found = _without_filling(read(data))
            if found and (found[-1] == MERGE_END or found[0][:2] == LONG_BYTES):
                return "records", found
        except TIError as error:
            if data[1:3] == LONG_BYTES and read is records.bare:
                problem = error
    if is_text(data) and is_numbered(decode(data)):
        return "listing", data
    raise problem


def _unbroken(data: bytes) -> tuple[bytes, ...]:
    """Records without sectors; those of the long form may all claim the full length."""
    return records.unbroken(data, LONG_RECORD if data[1:3] == LONG_BYTES else 0)


def _without_filling(found: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The records without empty ones at the end: the zeros of a sector that lacks its FF."""
    last = next((at for at in range(len(found), 0, -1) if found[at - 1]), 0)
    return found[:last]
