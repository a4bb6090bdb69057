"""V9T9 "files in a directory" (FIAD): a TI file on a host behind half a descriptor.

The header is the file descriptor's first 128 bytes with the clusters zero; the sectors follow.
It has no magic: a file counts as FIAD only if all of its header is plausible.
"""

from __future__ import annotations

from ti99tools.base.errors import DiskError
from ti99tools.disk import layout
from ti99tools.disk.files import StoredFile, is_legal_name
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.tifiles import whole_sectors

HEADER = 128


def is_fiad(data: bytes) -> bool:
    """Whether `data` is a FIAD file: a legal name, no clusters, as many sectors as it says."""
    if len(data) < HEADER or any(data[0x1C:HEADER]):
        return False
    name = data[:10].decode("latin-1").rstrip(" ")
    known = layout.PROGRAM | layout.INTERNAL | layout.PROTECTED | layout.VARIABLE
    known |= layout.MODIFIED | layout.EMULATED
    sectors = int.from_bytes(data[0x0E:0x10], "big")
    body = len(data) - HEADER
    return (
        is_legal_name(name)
        and not data[0x0C] & ~known
        and (sectors - 1) * SECTOR < body <= sectors * SECTOR
    )


def parse_fiad(data: bytes) -> StoredFile:
    """The file in a FIAD container. Raises `DiskError` when it is none."""
    from ti99tools.disk.structs import FIAD

    if not is_fiad(data):
        raise DiskError("no V9T9 (FIAD) header", remedy="say what it is with --type")
    raw = FIAD.parse(data[:HEADER])
    return StoredFile(
        name=layout.clean_name(raw.name),
        flags=raw.flags,
        records_per_sector=raw.records_per_sector,
        eof_offset=raw.eof_offset,
        record_length=raw.record_length,
        level3_records=raw.level3_records,
        content=whole_sectors(data[HEADER:], raw.sectors),
        created=int.from_bytes(raw.created, "big"),
        updated=int.from_bytes(raw.updated, "big"),
        extended_record_length=raw.extended_record_length,
    )


def build_fiad(file: StoredFile) -> bytes:
    """`file` as a FIAD container."""
    from ti99tools.disk.structs import FIAD

    header = FIAD.build(
        {
            "name": layout.pad_name(file.name),
            "extended_record_length": file.extended_record_length,
            "flags": file.flags,
            "records_per_sector": file.records_per_sector,
            "sectors": file.sectors,
            "eof_offset": file.eof_offset,
            "record_length": file.record_length,
            "level3_records": file.level3_records,
            "created": file.created.to_bytes(4, "big"),
            "updated": file.updated.to_bytes(4, "big"),
        }
    )
    return bytes(header) + file.content
