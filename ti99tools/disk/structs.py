"""The on-disk structures, byte for byte, as `construct` layouts.

Only these declarations know offsets. They are imported when first needed (`layout.py`), because
loading construct costs more than the rest of the room together. All words are big-endian unless
marked little-endian. Source: the layouts of the TI disk peripheral's file system.
"""

from __future__ import annotations

from construct import (
    Array,
    Bytes,
    Const,
    Int8ub,
    Int16ub,
    Int16ul,
    OneOf,
    Padding,
    Struct,
)

SUBDIRECTORY = Struct("name" / Bytes(10), "fdir" / Int16ub)

VIB = Struct(
    "name" / Bytes(10),  # 00
    "total_sectors" / Int16ub,  # 0A
    "sectors_per_track" / Int8ub,  # 0C
    "magic" / Bytes(3),  # 0D "DSK"
    "protection" / Bytes(1),  # 10 blank or P
    "tracks" / Int8ub,  # 11 a side
    "sides" / Int8ub,  # 12
    "density" / Int8ub,  # 13
    "subdirectories" / Array(3, SUBDIRECTORY),  # 14
    "bitmap" / Bytes(200),  # 38, least significant bit first, 1 = used
)
"""Volume information block, sector 0."""

FDIR = Struct("pointers" / Array(128, Int16ub))
"""File descriptor index, sector 1: descriptor sectors in the order of the names, then 0."""

CLUSTER_BLOCKS = 76

FDR = Struct(
    "name" / Bytes(10),  # 00
    "extended_record_length" / Int16ub,  # 0A, not of TI
    "flags" / Int8ub,  # 0C
    "records_per_sector" / Int8ub,  # 0D
    "sectors" / Int16ub,  # 0E, without the descriptor
    "eof_offset" / Int8ub,  # 10
    "record_length" / Int8ub,  # 11
    "level3_records" / Int16ul,  # 12
    "created" / Bytes(4),  # 14
    "updated" / Bytes(4),  # 18
    "clusters" / Array(CLUSTER_BLOCKS, Bytes(3)),  # 1C
)
"""File descriptor record, one sector a file."""

TIFILES = Struct(
    "magic" / OneOf(Bytes(8), (b"\x07TIFILES", b"\x08TIFILES")),  # 00, 08: long form
    "sectors" / Int16ub,  # 08
    "flags" / Int8ub,  # 0A
    "records_per_sector" / Int8ub,  # 0B
    "eof_offset" / Int8ub,  # 0C
    "record_length" / Int8ub,  # 0D
    "level3_records" / Int16ul,  # 0E
    "name" / Bytes(10),  # 10, first byte 00: none
    Padding(2),  # 1A
    "dated" / Int16ub,  # 1C FFFF: the stamps below are meant
    "created" / Bytes(4),  # 1E
    "updated" / Bytes(4),  # 22
    "dated_behind" / Int16ub,  # 26 FFFF in files of some tools, else anything
    Padding(88),  # 28–7F vary
)
"""Header of a TIFILES container (128 bytes); the sectors follow."""

HFE = Struct(
    "magic" / Const(b"HXCPICFE"),  # 000
    "revision" / Int8ub,  # 008
    "tracks" / Int8ub,  # 009
    "sides" / Int8ub,  # 00A
    "encoding" / Int8ub,  # 00B 0 MFM, 2 FM
    "bit_rate" / Int16ul,  # 00C kbit/s
    "rpm" / Int16ul,  # 00E
    "interface_mode" / Int8ub,  # 010
    "reserved" / Int8ub,  # 011
    "track_list" / Int16ul,  # 012 in blocks of 512 bytes
    "write_allowed" / Int8ub,  # 014
)
"""Header of an HxC floppy emulator file; the rest of its 512 bytes is FF."""

HFE_TRACK = Struct("offset" / Int16ul, "length" / Int16ul)
"""One entry of the HFE track list: first block of 512 bytes, bytes of both sides together."""
