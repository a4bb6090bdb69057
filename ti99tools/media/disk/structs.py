"""The structures of disks and their containers, byte for byte, declared with construct.

Words carry their byte order. construct takes 15 ms to load, so modules that must start quickly
import this one only when they meet a disk (`descriptors`), and `hostfiles` looks at the first bytes
of a file without it, to tell what it is. What lies on tracks is in `containers`.
Source: the layouts of the TI disk peripheral's file system, and the published HxC format.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

from construct import (
    Array,
    Bytes,
    Const,
    Construct,
    ConstructError,
    Default,
    ExprAdapter,
    Int8ub,
    Int16ub,
    Int16ul,
    Int32ub,
    Padded,
    Padding,
    Struct,
    Transformed,
)

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.geometry import (
    BITMAP_BYTES,
    CLUSTER_BLOCKS,
    MAX_FILES,
    NAME_BYTES,
    SECTOR,
)

SUBDIRECTORY = Struct("name" / Bytes(NAME_BYTES), "fdir" / Int16ub)

VIB = Struct(
    "name" / Bytes(NAME_BYTES),  # 00
    "total_sectors" / Int16ub,  # 0A
    "sectors_per_track" / Int8ub,  # 0C
    "magic" / Bytes(3),  # 0D "DSK"
    "protection" / Bytes(1),  # 10 space or P
    "tracks" / Int8ub,  # 11 a side
    "sides" / Int8ub,  # 12
    "density" / Int8ub,  # 13
    "subdirectories" / Array(3, SUBDIRECTORY),  # 14
    "bitmap" / Bytes(BITMAP_BYTES),  # 38, least significant bit first, 1 = used
)
"""Volume information block, sector 0."""

_WORDS = struct.Struct(f">{MAX_FILES + 1}H")
FDIR = ExprAdapter(
    Bytes(_WORDS.size),
    lambda sector, _: _WORDS.unpack(sector),
    lambda words, _: _WORDS.pack(*words),
)
"""File descriptor index: sectors of descriptors, 0 ends them. An array of construct takes a
hundred times as long, and each file that is added to a disk writes an index.
"""

FDR = Struct(
    "name" / Bytes(NAME_BYTES),  # 00
    "extended_record_length" / Int16ub,  # 0A, not of TI
    "flags" / Int8ub,  # 0C
    "records_per_sector" / Int8ub,  # 0D
    "sectors" / Int16ub,  # 0E, without the descriptor
    "eof_offset" / Int8ub,  # 10
    "record_length" / Int8ub,  # 11
    "level3_records" / Int16ul,  # 12
    "created" / Int32ub,  # 14
    "updated" / Int32ub,  # 18
    "chain" / Bytes(3 * CLUSTER_BLOCKS),  # 1C
)
"""File descriptor record, one sector a file."""

FIAD = Padded(128, Struct(*FDR.subcons[:-1], "chain" / Bytes(100)))
"""Header of a V9T9 (FIAD) file, a descriptor cut after 128 bytes; the sectors follow."""

TIFILES = Struct(
    "magic" / Bytes(8),  # 00 07 "TIFILES", in the long form 08
    "sectors" / Int16ub,  # 08
    "flags" / Int8ub,  # 0A
    "records_per_sector" / Int8ub,  # 0B
    "eof_offset" / Int8ub,  # 0C
    "record_length" / Int8ub,  # 0D
    "level3_records" / Int16ul,  # 0E
    "name" / Bytes(NAME_BYTES),  # 10, first byte 00: none
    Padding(2),  # 1A
    "dated" / Int16ub,  # 1C FFFF: the stamps below are meant
    "created" / Int32ub,  # 1E
    "updated" / Int32ub,  # 22
    "dated_after" / Default(Int16ub, 0),  # 26 FFFF in files of some tools, else anything
    Padding(88),  # 28–7F vary
)
"""Header of a TIFILES container (128 bytes); the sectors follow."""

HFE_BLOCK = 512
HFE_MAGIC = b"HXCPICFE"
HFE = Padded(
    HFE_BLOCK,
    Struct(
        "magic" / Const(HFE_MAGIC),  # 000
        "revision" / Default(Int8ub, 0),  # 008
        "tracks" / Int8ub,  # 009
        "sides" / Int8ub,  # 00A
        "encoding" / Int8ub,  # 00B 0 MFM, 2 FM
        "bit_rate" / Int16ul,  # 00C kbit/s
        "rpm" / Default(Int16ul, 0),  # 00E
        "interface_mode" / Default(Int8ub, 7),  # 010
        "reserved" / Default(Int8ub, 0),  # 011
        "track_list" / Default(Int16ul, 1),  # 012 in blocks
        "write_allowed" / Default(Int8ub, 0xFF),  # 014
    ),
    pattern=b"\xff",
)
"""Header of an HxC floppy emulator file, a block of 512 bytes; the defaults are what we write."""

HFE_TRACK = Struct("offset" / Int16ul, "length" / Int16ul)
"""One entry of the HFE track list: first block, bytes of both sides together."""

ID_MARK, LENGTH_256 = 0xFE, 1
ID_FIELD = Struct(
    "mark" / Const(ID_MARK, Int8ub),
    "cylinder" / Int8ub,
    "side" / Int8ub,
    "sector" / Int8ub,
    "length" / Default(Int8ub, LENGTH_256),  # 128 bytes, doubled this many times
)
"""A sector's ID on its track, before the CRC: as cells in HFE, bare in dumps of PC99."""


def _spread(block: bytes) -> bytes:
    """`block` as a card has it, with zeros as the unused bytes."""
    card = bytearray(2 * len(block))
    card[::2] = block
    return bytes(card)


CF7_VIB = Transformed(VIB, lambda card: card[::2], 2 * SECTOR, _spread, 2 * SECTOR)
"""The volume block of a volume on a CF7+ card, where an unused byte follows each byte."""


def parse(form: Construct, data: bytes) -> Any:
    """The fields of `form` at the start of `data`. Raises DiskError when data is too short."""
    try:
        return form.parse(data)
    except ConstructError as error:
        raise DiskError("a header is cut off or damaged", remedy="get a whole copy") from error


@lru_cache(maxsize=4096)
def identity(field: bytes) -> Any:
    """The fields of a sector's ID, from its mark on, without its CRC: all disks have the same."""
    return parse(ID_FIELD, field)


def build(form: Construct, values: Any) -> bytes:
    """The bytes of `form`. Raises DiskError for a value that its field cannot hold."""
    try:
        return bytes(form.build(values))
    except (ConstructError, struct.error) as error:
        field = str(error).partition("\n")[0].rpartition("-> ")[2]
        raise DiskError(
            f"a header cannot hold its {field}", remedy="make the file smaller"
        ) from error
