"""The on-disk structures, byte for byte.

Only these declarations know offsets; words carry their byte order. Source: the layouts of the TI
disk peripheral's file system, and the published HxC format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

BYTE, WORD, WORD_LE = "B", ">H", "<H"
"""An 8-bit number, a 16-bit one with the high byte first, and one with the low byte first."""


class Layout:
    """A record of named fields one after another: name → a code above, or a number of bytes."""

    def __init__(self, **fields: str | int) -> None:
        self._places: list[tuple[str, int, struct.Struct]] = []
        self.size = 0
        """Bytes of the record."""
        for name, code in fields.items():
            form = struct.Struct(f"{code}s" if isinstance(code, int) else code)
            self._places.append((name, self.size, form))
            self.size += form.size

    def parse(self, data: bytes) -> SimpleNamespace:
        """The fields at the start of `data`, as attributes; ValueError when it is too short."""
        return SimpleNamespace(**dict(self.items(data)))

    def items(self, data: bytes) -> Iterator[tuple[str, Any]]:
        """Name and value of each field at the start of `data`."""
        if len(data) < self.size:
            raise ValueError(f"{self.size} bytes needed, {len(data)} given")
        for name, at, form in self._places:
            yield name, form.unpack_from(data, at)[0]

    def build(self, values: Mapping[str, Any]) -> bytes:
        """The bytes of a record; `values` has each field, text shorter than its field ends in 00.

        Raises `struct.error` for a number that does not fit.
        """
        return b"".join(form.pack(values[name]) for name, _, form in self._places)


SUBDIRECTORY = Layout(name=10, fdir=WORD)

VIB = Layout(
    name=10,  # 00
    total_sectors=WORD,  # 0A
    sectors_per_track=BYTE,  # 0C
    magic=3,  # 0D "DSK"
    protection=1,  # 10 blank or P
    tracks=BYTE,  # 11 a side
    sides=BYTE,  # 12
    density=BYTE,  # 13
    subdirectories=3 * SUBDIRECTORY.size,  # 14
    bitmap=200,  # 38, least significant bit first, 1 = used
)
"""Volume information block, sector 0."""

CLUSTER_BLOCKS = 76

FDR = Layout(
    name=10,  # 00
    extended_record_length=WORD,  # 0A, not of TI
    flags=BYTE,  # 0C
    records_per_sector=BYTE,  # 0D
    sectors=WORD,  # 0E, without the descriptor
    eof_offset=BYTE,  # 10
    record_length=BYTE,  # 11
    level3_records=WORD_LE,  # 12
    created=4,  # 14
    updated=4,  # 18
    chain=3 * CLUSTER_BLOCKS,  # 1C
)
"""File descriptor record, one sector a file."""

TIFILES = Layout(
    magic=8,  # 00 07 "TIFILES", in the long form 08
    sectors=WORD,  # 08
    flags=BYTE,  # 0A
    records_per_sector=BYTE,  # 0B
    eof_offset=BYTE,  # 0C
    record_length=BYTE,  # 0D
    level3_records=WORD_LE,  # 0E
    name=10,  # 10, first byte 00: none
    unused=2,  # 1A
    dated=WORD,  # 1C FFFF: the stamps below are meant
    created=4,  # 1E
    updated=4,  # 22
    dated_after=WORD,  # 26 FFFF in files of some tools, else anything
    rest=88,  # 28–7F vary
)
"""Header of a TIFILES container (128 bytes); the sectors follow."""

HFE = Layout(
    magic=8,  # 000 "HXCPICFE"
    revision=BYTE,  # 008
    tracks=BYTE,  # 009
    sides=BYTE,  # 00A
    encoding=BYTE,  # 00B 0 MFM, 2 FM
    bit_rate=WORD_LE,  # 00C kbit/s
    rpm=WORD_LE,  # 00E
    interface_mode=BYTE,  # 010
    reserved=BYTE,  # 011
    track_list=WORD_LE,  # 012 in blocks of 512 bytes
    write_allowed=BYTE,  # 014
)
"""Header of an HxC floppy emulator file; the rest of its 512 bytes is FF."""

HFE_TRACK = Layout(offset=WORD_LE, length=WORD_LE)
"""One entry of the HFE track list: first block of 512 bytes, bytes of both sides together."""
