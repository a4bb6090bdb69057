"""Descriptors ↔ files: the fields that travel with a file, whatever it is stored in."""

from __future__ import annotations

from ti99tools.disk import layout
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.layout import Fdr
from ti99tools.disk.tifile import StoredFile


def used_bytes(file: StoredFile, sectors: int) -> int:
    """Bytes of data in a file of `sectors` sectors, as far as its descriptor tells."""
    if file.flags & layout.PROGRAM:
        return max(sectors * SECTOR - (-file.eof_offset % SECTOR), 0)
    if file.flags & layout.VARIABLE:
        return max(file.level3_records - 1, 0) * SECTOR + file.eof_offset
    return file.level3_records * file.record_length


def stored_file(fdr: Fdr, content: bytes) -> StoredFile:
    """The file of descriptor `fdr` with its sectors."""
    return StoredFile(
        name=layout.clean_name(fdr.name),
        flags=fdr.flags,
        records_per_sector=fdr.records_per_sector,
        eof_offset=fdr.eof_offset,
        record_length=fdr.record_length,
        level3_records=fdr.level3_records,
        content=content,
        created=int.from_bytes(fdr.created, "big"),
        updated=int.from_bytes(fdr.updated, "big"),
        extended_record_length=fdr.extended_record_length,
    )


def descriptor(file: StoredFile, name: str, chain: bytes) -> Fdr:
    """The descriptor of `file` under `name`; `stored_file` reversed."""
    return Fdr(
        name=layout.pad_name(name),
        flags=file.flags,
        records_per_sector=file.records_per_sector,
        sectors=file.sectors,
        eof_offset=file.eof_offset,
        record_length=file.record_length,
        level3_records=file.level3_records,
        created=file.created.to_bytes(4, "big"),
        updated=file.updated.to_bytes(4, "big"),
        chain=chain,
        extended_record_length=file.extended_record_length,
    )
