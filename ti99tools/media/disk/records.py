r"""Records and sectors: how the disk controller packs each type of file; texts as records.

VARIABLE: every record is its length byte and its data. FF ends the records of a sector, and no
record crosses a sector. There is always room for the FF, so a sector takes 255 bytes of records.
FIXED: 256 // length records a sector, the rest unused. PROGRAM: just the bytes. Unused bytes are
written as zeros, so that equal files give equal sectors.

Text ↔ records: a DIS/VAR 80 file is a text, one record a line. TI characters are the codes 0–255;
on the host they are the Unicode characters of the same numbers, in UTF-8. Codes that could break
lines (0–31, 127–159) are written `\xNN`, and a backslash that could be mistaken for that as `\x5C`,
so that text and records convert into each other exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ti99tools.base.errors import DiskError, Place, Remedy
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.descriptors import Fdr
from ti99tools.media.disk.geometry import SECTOR
from ti99tools.media.disk.tifile import DiskFile, FileType, StoredFile, longest

END = 0xFF
"""Ends the records of a sector of a VARIABLE file."""


def store(file: DiskFile) -> StoredFile:
    """`file` as the disk controller would write it.

    Raises `DiskError` when a record does not fit its record length.
    """
    if file.type is FileType.PROGRAM:
        # EOF offset of a PROGRAM: bytes in the last sector, 0 for a full one.
        return _stored(file, 0, len(file.data) & 0xFF, 0, _padded(file.data))
    if not 1 <= file.recl <= longest(file.type.variable):
        raise DiskError(
            f"{file.name}: record length {file.recl} is not possible",
            remedy=f"use 1 to {longest(True)} for VARIABLE, 1 to {longest(False)} for FIXED",
        )
    limit = file.recl
    for number, record in enumerate(file.records):
        if len(record) > limit:
            raise DiskError(
                f"{file.name}: record {number} has {len(record)} bytes, the limit is {limit}",
                remedy="shorten it or choose a greater record length",
            )
    if file.type.variable:
        content, eof = pack_variable(file.records)
        # The field counts records of full length, each with its length byte, beside the FF.
        return _stored(file, 255 // (limit + 1), eof, len(content) // SECTOR, content)
    per_sector = SECTOR // limit
    # The level-3 count is a word.
    if len(file.records) > 0xFFFF:
        raise DiskError(f"{file.name}: more than 65535 records", remedy="split the file")
    # DISPLAY records are padded with spaces, INTERNAL ones with zeros.
    content = pack_fixed(file.records, limit, b" " if file.type is FileType.DIS_FIX else b"\0")
    # One byte holds the count: 256 records of one byte a sector are written as 0.
    return _stored(file, per_sector & 0xFF, 0, len(file.records), content)


def load(stored: StoredFile) -> DiskFile:
    """The file as programs see it. Raises `DiskError` when its structure is damaged."""
    kind = stored.type
    records: tuple[bytes, ...] = ()
    data = b""
    if kind is FileType.PROGRAM:
        data = stored.content[: program_length(stored)]
    # Controllers of other makers write such files; TI's cannot read them either.
    elif stored.extended_record_length:
        raise DiskError(
            f"{stored.name}: records over 255 bytes are not of the TI controller",
            remedy=Remedy.FORM.of(form="fiad"),
        )
    elif kind.variable:
        records = unpack_variable(stored)
    else:
        records = unpack_fixed(stored)
    recl = 0 if kind is FileType.PROGRAM else stored.record_length
    return DiskFile(
        stored.name, kind, recl, records, data, stored.protected, stored.created, stored.updated
    )


def used_bytes(fdr: Fdr) -> int:
    """Bytes of data in the file of `fdr`, as far as it tells."""
    if fdr.flags & descriptors.PROGRAM:
        # `-offset % 256`: offset 0 is a full last sector.
        return max(fdr.sectors * SECTOR - (-fdr.eof_offset % SECTOR), 0)
    if fdr.flags & descriptors.VARIABLE:
        return max(fdr.level3_records - 1, 0) * SECTOR + fdr.eof_offset
    return fdr.level3_records * fdr.record_length


def program_length(stored: StoredFile) -> int:
    """Bytes of a PROGRAM file: the last sector counts up to the EOF offset, 0 = all of it."""
    unused = SECTOR - stored.eof_offset if stored.eof_offset else 0
    return max(len(stored.content) - unused, 0)


def pack_variable(records: tuple[bytes, ...]) -> tuple[bytes, int]:
    """Sectors of VARIABLE records, and the offset of the last FF (0 when there is no sector)."""
    sectors: list[bytes] = []
    current = bytearray()
    for record in records:
        # One byte is for the record's length, one is kept for the FF.
        if len(current) + len(record) + 1 >= SECTOR:
            sectors.append(bytes((*current, END)).ljust(SECTOR, b"\0"))
            current.clear()
        current.append(len(record))
        current += record
    if not records:
        return b"", 0
    sectors.append(bytes((*current, END)).ljust(SECTOR, b"\0"))
    return b"".join(sectors), len(current)


def unpack_variable(stored: StoredFile) -> tuple[bytes, ...]:
    """Records of a VARIABLE file: the first `level3_records` sectors, the last one up to its end.

    Raises DiskError when they do not end where the descriptor says.
    """
    count = stored.level3_records
    # No sectors of records, but an end: a file that was never closed.
    if count > stored.sectors or (not count and stored.eof_offset):
        raise DiskError(
            f"{stored.name}: records in {count} sectors are counted, the file has "
            f"{stored.sectors} and ends at offset {stored.eof_offset}",
            remedy=Remedy.REPAIR_DISK,
        )
    records: list[bytes] = []
    for index in range(count):
        sector = stored.content[index * SECTOR : (index + 1) * SECTOR]
        last = index == count - 1
        of_sector = last_records(sector, stored.eof_offset) if last else sector_records(sector)
        if of_sector is None:
            raise DiskError(
                f"{stored.name}: the records in sector {index} of the file do not end where they "
                "should",
                remedy=Remedy.CHECK_DISK,
            )
        records += of_sector
    return tuple(records)


def bare(data: bytes) -> tuple[bytes, ...]:
    """Records in sectors of a VARIABLE file that come without a descriptor.

    The last sector may be cut off after its last record, the FF with it. Raises `DiskError` when a
    record runs over its sector.
    """
    all_records: list[bytes] = []
    for at in range(0, len(data), SECTOR):
        of_sector = sector_records(data[at : at + SECTOR])
        if of_sector is None:
            raise DiskError(
                f"a record runs over the end of sector {at // SECTOR}",
                remedy="the file is damaged or of another type",
            )
        all_records += of_sector
    return _without_filling(all_records)


def unbroken(data: bytes, full: int) -> tuple[bytes, ...]:
    """Records one after another without sectors, as xbas99 writes the long form of a program.

    Some writers give the last record the length of a `full` one, however little of it there is.
    Raises `DiskError` when it is cut off otherwise.
    """
    in_order = []
    at = 0
    while at < len(data) and data[at] != END:
        following = at + 1 + data[at]
        if following > len(data) and data[at] != full:
            raise DiskError("the last record is cut off", remedy="get a whole copy")
        in_order.append(data[at + 1 : following])
        at = following
    return _without_filling(in_order)


def after_lengths(data: bytes) -> tuple[bytes, ...]:
    """Records of a VARIABLE file one after another, each after a byte with its length.

    `with_lengths` is the reverse. Raises DiskError when the last one is cut off.
    """
    in_order = []
    at = 0
    while at < len(data):
        following = at + 1 + data[at]
        if following > len(data):
            raise DiskError(
                f"the record after the length {data[at]} at byte {at} is cut off",
                remedy="before each record stands a byte with its length",
            )
        in_order.append(data[at + 1 : following])
        at = following
    return tuple(in_order)


def with_lengths(records: Iterable[bytes]) -> bytes:
    """Records one after another, each after a byte with its length."""
    return b"".join(bytes((len(record),)) + record for record in records)


def _without_filling(records: list[bytes]) -> tuple[bytes, ...]:
    """The records without empty ones at the end: the zeros of a sector that lacks its FF."""
    last = next((at for at in range(len(records), 0, -1) if records[at - 1]), 0)
    return tuple(records[:last])


def last_records(sector: bytes, end: int) -> list[bytes] | None:
    """Records of a file's last sector, which end at offset `end`; None when they do not.

    The FF belongs there. Some writers leave it out; then no other FF may end the records. Others
    count the FF in. Others yet fill the sector to its last byte, which leaves no room for the FF.
    """
    if end == 0 and sector[0] != END:
        # The offset is one byte: 256 is written as 0.
        return sector_records(sector) if sector_end(sector) is None else None
    up_to_end = sector_records(sector, end)
    if up_to_end is None:
        return None
    used = sum(len(record) + 1 for record in up_to_end)
    # A writer that counted the FF in.
    if used + 1 == end and sector[used] == END:
        return up_to_end
    if used != end:
        return None
    # Without an FF in its place, no other may cut the records off before the end.
    return up_to_end if sector[end] == END or sector_end(sector) is None else None


def sector_records(sector: bytes, end: int = SECTOR) -> list[bytes] | None:
    """Records of one sector of a VARIABLE file; None when one crosses the end of the sector.

    They end at FF, at the end of the sector, or with the record that reaches offset `end`.
    """
    records = []
    at = 0
    end = min(end, len(sector))
    while at < end and sector[at] != END:
        following = at + 1 + sector[at]
        if following > len(sector):
            return None
        records.append(sector[at + 1 : following])
        at = following
    return records


def sector_end(sector: bytes) -> int | None:
    """Offset of the FF that ends the records of `sector`, None when there is none."""
    at = 0
    while at < SECTOR and sector[at] != END:
        at += 1 + sector[at]
    return at if at < SECTOR else None


def pack_fixed(records: tuple[bytes, ...], length: int, pad: bytes = b"\0") -> bytes:
    """Sectors of FIXED records of `length` bytes; shorter records are padded with `pad`."""
    per_sector = SECTOR // length
    sectors = []
    for first in range(0, len(records), per_sector):
        group = records[first : first + per_sector]
        packed = b"".join(record.ljust(length, pad) for record in group)
        sectors.append(packed.ljust(SECTOR, b"\0"))
    return b"".join(sectors)


def unpack_fixed(stored: StoredFile) -> tuple[bytes, ...]:
    """Records of a FIXED file; the level-3 count says how many.

    Raises DiskError when the sectors hold fewer.
    """
    count, length = stored.level3_records, stored.record_length
    if count == 0:
        return ()
    per_sector = SECTOR // length if length else 0
    if not per_sector or count > per_sector * stored.sectors:
        raise DiskError(
            f"{stored.name}: {count} records of {length} bytes do not fit its "
            f"{stored.sectors} sectors",
            remedy=Remedy.REPAIR_DISK,
        )
    places = (
        (number // per_sector) * SECTOR + number % per_sector * length for number in range(count)
    )
    return tuple(stored.content[at : at + length] for at in places)


def _stored(file: DiskFile, per_sector: int, eof: int, level3: int, content: bytes) -> StoredFile:
    return StoredFile(
        name=file.name,
        flags=file.type.value | (descriptors.PROTECTED if file.protected else 0),
        records_per_sector=per_sector,
        eof_offset=eof,
        record_length=file.recl,
        level3_records=level3,
        content=content,
        created=file.created,
        updated=file.updated,
    )


def _padded(data: bytes) -> bytes:
    return data.ljust(-(-len(data) // SECTOR) * SECTOR, b"\0")


# Line ends and control codes must not reach a host text: editors would change them.
_SPECIAL = re.compile(r"[\x00-\x1f\x7f-\x9f]|\\(?=x[0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})")


def to_text(records: Iterable[bytes]) -> str:
    """The text of `records`, a line each."""
    return "".join(f"{_escaped(record)}\n" for record in records)


def to_records(text: str, recl: int = 80) -> tuple[bytes, ...]:
    """Records of `text`, a line each (LF or CR LF; a byte order mark is dropped).

    Raises `DiskError`, with the line, for a line of more than `recl` characters or a character
    that the TI does not have.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    # The last line end closes the last record; it does not begin another.
    if lines[-1] == "":
        lines.pop()
    return tuple(_record(line, number, recl) for number, line in enumerate(lines, 1))


def is_text(records: Iterable[bytes]) -> bool:
    """Tell whether `records` read as text: printable characters only."""
    return all(all(32 <= code < 127 for code in record) for record in records)


def _record(line: str, number: int, recl: int) -> bytes:
    plain = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), line)
    foreign = next((at for at, c in enumerate(plain) if c > "\xff"), None)
    if foreign is not None:
        raise DiskError(
            f"the TI has no character {plain[foreign]!r}",
            remedy="use codes 0 to 255",
            place=Place(line=number, column=foreign + 1),
        )
    if len(plain) > recl:
        raise DiskError(
            f"the line has {len(plain)} characters, a record takes {recl}",
            remedy=Remedy.LONGER_RECORDS,
            place=Place(line=number),
        )
    return plain.encode("latin-1")


def _escaped(record: bytes) -> str:
    return _SPECIAL.sub(lambda match: f"\\x{ord(match[0]):02X}", record.decode("latin-1"))
