"""Records of variable length in 256-byte sectors, as disk files hold them outside an image.

A sector is records one after another, each a length byte and its data, closed by FF; a record
never runs over a sector's end. Used for program files in the long and MERGE forms.
"""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.base.errors import ProgramError

SECTOR = 256


def unpack(data: bytes) -> tuple[bytes, ...]:
    """The records of a file's sectors; ProgramError when a record runs over its sector.

    The last sector may be cut off behind its FF.
    """
    records: list[bytes] = []
    for base in range(0, len(data), SECTOR):
        sector = data[base : base + SECTOR]
        index = 0
        while index < len(sector) and sector[index] != 0xFF:
            end = index + 1 + sector[index]
            if end >= SECTOR or end > len(sector):
                raise ProgramError(
                    f"record {len(records)} runs over the end of its sector",
                    remedy="the file is damaged or of another type",
                )
            records.append(sector[index + 1 : end])
            index = end
        if index >= len(sector):
            raise ProgramError(
                f"sector {base // SECTOR} has no end mark",
                remedy="the file is damaged or of another type",
            )
    return tuple(records)


def pack(records: Iterable[bytes]) -> bytes:
    """The sectors that hold `records` (each at most 254 bytes), unused bytes 00."""
    sectors: list[bytearray] = [bytearray()]
    for record in records:
        if len(record) > SECTOR - 2:
            raise ProgramError(f"a record of {len(record)} bytes does not fit a sector")
        if len(sectors[-1]) + len(record) + 2 > SECTOR:
            sectors.append(bytearray())
        sectors[-1] += bytes([len(record)]) + record
    return b"".join((bytes(s) + b"\xff").ljust(SECTOR, b"\0") for s in sectors)
