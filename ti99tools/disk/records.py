"""Records ↔ sectors: how the disk controller packs each type of file.

VARIABLE: every record is its length byte and its data; FF ends a sector's records, no record
crosses a sector, and the FF always has room: a sector takes 255 bytes of records.
FIXED: 256 // length records a sector, the rest unused. PROGRAM: just the bytes.
Unused bytes are written as zeros, so that equal files give equal sectors.
"""

from __future__ import annotations

from ti99tools.base.errors import DiskError
from ti99tools.base.remedy import Remedy
from ti99tools.disk import layout
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.tifile import DiskFile, FileType, StoredFile

END = 0xFF
"""Ends the records of a sector of a VARIABLE file."""


def store(file: DiskFile) -> StoredFile:
    """`file` as the disk controller would write it.

    Raises `DiskError` when a record does not fit its record length.
    """
    if file.type is FileType.PROGRAM:
        return _stored(file, 0, len(file.data) & 0xFF, 0, _padded(file.data))
    if not 1 <= file.recl <= (254 if file.type.variable else 255):
        raise DiskError(
            f"{file.name}: record length {file.recl} is not possible",
            remedy="use 1 to 254 for VARIABLE, 1 to 255 for FIXED",
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
        return _stored(file, 255 // (limit + 1), eof, len(content) // SECTOR, content)
    per_sector = SECTOR // limit
    if len(file.records) > 0xFFFF:
        raise DiskError(f"{file.name}: more than 65535 records", remedy="split the file")
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


def program_length(stored: StoredFile) -> int:
    """Bytes of a PROGRAM file: the last sector counts up to the EOF offset, 0 = all of it."""
    unused = SECTOR - stored.eof_offset if stored.eof_offset else 0
    return max(len(stored.content) - unused, 0)


def pack_variable(records: tuple[bytes, ...]) -> tuple[bytes, int]:
    """Sectors of VARIABLE records, and the offset of the last FF (0 when there is no sector)."""
    sectors: list[bytes] = []
    current = bytearray()
    for record in records:
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
    """Records of a VARIABLE file: the first `level3_records` sectors, the last up to its end.

    Raises DiskError when they do not end where the descriptor says.
    """
    count = stored.level3_records
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
        found = last_records(sector, stored.eof_offset) if last else sector_records(sector)
        if found is None:
            raise DiskError(
                f"{stored.name}: the records in sector {index} of the file do not end where they "
                "should",
                remedy=Remedy.CHECK_DISK,
            )
        records += found
    return tuple(records)


def bare(data: bytes) -> tuple[bytes, ...]:
    """Records in sectors of a VARIABLE file that come without a descriptor.

    The last sector may be cut off after its last record, the FF with it. Raises `DiskError` when a
    record runs over its sector.
    """
    found: list[bytes] = []
    for at in range(0, len(data), SECTOR):
        of_sector = sector_records(data[at : at + SECTOR])
        if of_sector is None:
            raise DiskError(
                f"a record runs over the end of sector {at // SECTOR}",
                remedy="the file is damaged or of another type",
            )
        found += of_sector
    return tuple(found)


def unbroken(data: bytes) -> tuple[bytes, ...]:
    """Records one after another without sectors, as xbas99 writes the long form of a program.

    Raises `DiskError` when the last one is cut off.
    """
    found = []
    at = 0
    while at < len(data) and data[at] != END:
        following = at + 1 + data[at]
        if following > len(data):
            raise DiskError("the last record is cut off", remedy="get a whole copy")
        found.append(data[at + 1 : following])
        at = following
    return tuple(found)


def last_records(sector: bytes, end: int) -> list[bytes] | None:
    """Records of a file's last sector, which end at offset `end`; None when they do not.

    The FF belongs there; some writers leave it out, then no other FF may end the records.
    """
    found = sector_records(sector, end)
    if found is None or sum(len(record) + 1 for record in found) != end:
        return None
    return found if sector[end] == END or sector_end(sector) is None else None


def sector_records(sector: bytes, end: int = SECTOR) -> list[bytes] | None:
    """Records of one sector of a VARIABLE file, None when one crosses the end of the sector.

    They end at FF, with the sector, or with the record that reaches offset `end`.
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
    """Sectors of FIXED records of `length` bytes; shorter ones are filled with `pad`."""
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
        flags=file.type.value | (layout.PROTECTED if file.protected else 0),
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
