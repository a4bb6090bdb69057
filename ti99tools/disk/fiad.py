"""V9T9 "files in a directory" (FIAD): a TI file on a host after half a descriptor.

The header is the file descriptor's first 128 bytes, as a rule with the clusters zero; the sectors
follow. It has no magic: a file counts as FIAD only if all of its header is plausible.
"""

from __future__ import annotations

from ti99tools.base.errors import DiskError
from ti99tools.base.remedy import Remedy
from ti99tools.disk import layout
from ti99tools.disk.descriptors import descriptor, stored_file
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.tifile import StoredFile, is_legal_name
from ti99tools.disk.tifiles import whole_sectors

HEADER = 128


def is_fiad(data: bytes) -> bool:
    """Tell whether `data` is a FIAD file: a legal name, known flags, as many sectors as it says.

    The last sector may be cut short where the clusters are zero; where some tool has left them,
    everything else must fit to the byte.
    """
    if len(data) < HEADER:
        return False
    name = data[:10].decode("latin-1").rstrip(" \0")
    known = layout.PROGRAM | layout.INTERNAL | layout.PROTECTED | layout.VARIABLE
    known |= layout.MODIFIED | layout.EMULATED
    sectors = int.from_bytes(data[0x0E:0x10], "big")
    body = len(data) - HEADER
    if not is_legal_name(name) or data[0x0C] & ~known:
        return False
    if any(data[0x1C:HEADER]):
        return body == sectors * SECTOR and name.isascii() and not any(data[0x0A:0x0C])
    return (sectors - 1) * SECTOR < body <= sectors * SECTOR


def parse_fiad(data: bytes) -> StoredFile:
    """The file in a FIAD container. Raises `DiskError` when it is none."""
    if not is_fiad(data):
        raise DiskError("no V9T9 (FIAD) header", remedy=Remedy.TYPE)
    fdr = layout.parse_fdr(data[:HEADER].ljust(SECTOR, b"\0"))
    return stored_file(fdr, whole_sectors(data[HEADER:], fdr.sectors))


def build_fiad(file: StoredFile) -> bytes:
    """`file` as a FIAD container."""
    half = layout.build_fdr(descriptor(file, file.name, bytes(layout.CHAIN_BYTES)))[:HEADER]
    return half + file.content
