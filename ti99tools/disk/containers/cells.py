"""Bytes ↔ magnetic cells: FM and MFM as they stand in HFE files, and the CRC of sectors.

In both codes a data bit is a clock cell and a data cell. FM's clock is always 1; MFM's is 1 only
between two zeros. Address marks break the rule, so that no data can look like them: FM writes the
mark with clock C7 (FE → cells F57E), MFM a sync byte A1 with a clock missing (cells 4489).
HFE files hold the cells least significant bit first. FM cells are twice as long as MFM cells:
each is followed by a 0 (`22 22 22 22` is the byte 00, `AA AA AA AA` is FF).
"""

from __future__ import annotations

from binascii import crc_hqx
from functools import cache

ID_MARK, DATA_MARK, DELETED_MARK, INDEX_MARK = 0xFE, 0xFB, 0xF8, 0xFC

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def crc16(data: bytes, mfm: bool) -> bytes:
    """CRC-16 CCITT (start FFFF) of a field from its mark on; MFM counts its three A1.

    `crc16(b"\\xfe\\0\\0\\0\\1", False)` is F1 D3.
    """
    return crc_hqx(b"\xa1\xa1\xa1" + data if mfm else data, 0xFFFF).to_bytes(2, "big")


def samples(side: bytes) -> str:
    """The cells of one side of an HFE track as a text of 0 and 1."""
    number = int.from_bytes(side.translate(_REVERSED), "big")
    return f"{number:0{8 * len(side)}b}" if side else ""


def from_samples(bits: str) -> bytes:
    """`samples` reversed; `bits` fills whole bytes."""
    return int(bits, 2).to_bytes(len(bits) // 8, "big").translate(_REVERSED) if bits else b""


def fm(data: bytes, clock: int = 0xFF) -> str:
    """The FM cells of `data`, without the zeros between."""
    table = _fm_table(clock)
    return "".join([table[byte] for byte in data])


def mfm(data: bytes, last: int = 0) -> str:
    """The MFM cells of `data`; `last` is the bit before."""
    tables = _mfm_tables()
    previous = (last, *data)
    return "".join([tables[p & 1][byte] for p, byte in zip(previous, data, strict=False)])


def decode(cells: str) -> bytes:
    """The bytes in `cells` (16 a byte, clock first), FM or MFM."""
    return int(cells[1::2], 2).to_bytes(len(cells) // 16, "big")


SYNC = f"{0x4489:016b}"
"""MFM cells of A1 with its clock missing."""


def fm_mark(mark: int) -> str:
    """FM cells of a mark: clock C7, the index mark D7."""
    return fm(bytes((mark,)), 0xD7 if mark == INDEX_MARK else 0xC7)


def mfm_mark(mark: int) -> str:
    """MFM cells of a mark after the last A1."""
    return mfm(bytes((mark,)), 1)


@cache
def _fm_table(clock: int) -> tuple[str, ...]:
    clocks = f"{clock:08b}"
    return tuple(
        "".join(c + d for c, d in zip(clocks, f"{byte:08b}", strict=True)) for byte in range(256)
    )


@cache
def _mfm_tables() -> tuple[tuple[str, ...], tuple[str, ...]]:
    def encode(byte: int, last: int) -> str:
        cells = ""
        previous = str(last)
        for bit in f"{byte:08b}":
            cells += ("1" if previous == bit == "0" else "0") + bit
            previous = bit
        return cells

    return (
        tuple(encode(byte, 0) for byte in range(256)),
        tuple(encode(byte, 1) for byte in range(256)),
    )
