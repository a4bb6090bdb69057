"""TIFILES: a TI file on a host, a header of 128 bytes and then the file's sectors.

`07 "TIFILES"`, sectors, flags, records a sector, EOF offset, record length, level-3 count
(little-endian), name, FFFF when dated, two stamps (some tools have the FFFF after them). Old
terminal programs have no name there, but 00 or whatever fills the header (CA 53 CA 53 …): then the
host's file name counts. Their last sector may be cut short.
"""

from __future__ import annotations

from ti99tools.base.errors import DiskError
from ti99tools.base.remedy import Remedy
from ti99tools.disk import layout
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.structs import TIFILES
from ti99tools.disk.tifile import StoredFile, is_legal_name

HEADER = 128
DATED = 0xFFFF
_MAGICS = (b"\x07TIFILES", b"\x08TIFILES")


def is_tifiles(data: bytes) -> bool:
    """Tell whether `data` starts as a TIFILES container."""
    return data[:8] in _MAGICS


def parse_tifiles(data: bytes, name: str = "") -> StoredFile:
    """The file in a TIFILES container; `name` is used when the header has none.

    Bytes after the last sector (padding of a transfer) are left out. Raises `DiskError` when the
    data are cut off by a sector or more.
    """
    if len(data) < HEADER or not is_tifiles(data):
        raise DiskError("no TIFILES header", remedy=Remedy.TYPE)
    raw = TIFILES.parse(data[:HEADER])
    content = whole_sectors(data[HEADER:], raw.sectors)
    dated = DATED in (raw.dated, raw.dated_after)
    return StoredFile(
        name=_name_in(raw.name) or name,
        flags=raw.flags,
        records_per_sector=raw.records_per_sector,
        eof_offset=raw.eof_offset,
        record_length=raw.record_length,
        level3_records=raw.level3_records,
        content=content,
        created=int.from_bytes(raw.created, "big") if dated else 0,
        updated=int.from_bytes(raw.updated, "big") if dated else 0,
    )


def _name_in(field: bytes) -> str:
    """The name in a header's field, "" when it holds none that a disk could have."""
    name = layout.clean_name(field)
    filler = field == 5 * field[:2] and not field.isascii()
    return name if is_legal_name(name) and not filler else ""


def build_tifiles(file: StoredFile) -> bytes:
    """`file` as a TIFILES container with its name.

    Raises DiskError for records over 255 bytes.
    """
    if file.extended_record_length:
        raise DiskError(
            f"{file.name}: TIFILES has no place for records over 255 bytes",
            remedy=Remedy.FORM.of(form="fiad"),
        )
    header = TIFILES.build(
        {
            "magic": _MAGICS[0],
            "sectors": file.sectors,
            "flags": file.flags,
            "records_per_sector": file.records_per_sector,
            "eof_offset": file.eof_offset,
            "record_length": file.record_length,
            "level3_records": file.level3_records,
            "name": layout.pad_name(file.name),
            "dated": DATED if file.created or file.updated else 0,
            "unused": b"",
            "dated_after": 0,
            "rest": b"",
            "created": file.created.to_bytes(4, "big"),
            "updated": file.updated.to_bytes(4, "big"),
        }
    )
    return header + file.content


def whole_sectors(data: bytes, sectors: int) -> bytes:
    """`sectors` sectors of `data`; the last may be cut short and is filled with zeros.

    Raises DiskError when more is missing.
    """
    if len(data) <= (sectors - 1) * SECTOR:
        raise DiskError(
            f"the header promises {sectors} sectors, {len(data) // SECTOR} are there",
            remedy="the file is cut off: get a whole copy",
        )
    return data[: sectors * SECTOR].ljust(sectors * SECTOR, b"\0")
