"""Volume information block, descriptor index and file descriptors as immutable values.

`parse` and `build` are exact inverses for every 256 bytes, so that editing one field leaves all
others as they were. Parsing is cached by content: a directory is read again and again, and a
construct takes 13 µs. `structs` declares where the fields lie. It is imported with the first
structure: a console without a disk starts without construct.

Worked example, a file descriptor of the real controller (`A`, DIS/VAR 80, two sectors from 24h):
`41 20… 00 00 80 03 00 02 5E 50 02 00 | 8 × 00 | 24 10 00`: flags 80, 3 records a sector, 2 sectors,
EOF offset 5E, record length 50h, level-3 count 2 (little-endian), one cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeVar

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record
from ti99tools.media.disk.geometry import (
    BITMAP_BYTES,
    CLUSTER_BLOCKS,
    CLUSTER_REACH,
    MAX_FILES,
    NAME_BYTES,
)

CHAIN_BYTES = 3 * CLUSTER_BLOCKS

MARK = b"DSK"
"""`magic` of an initialised disk."""

PROGRAM, INTERNAL, PROTECTED, MODIFIED, EMULATED, VARIABLE = 0x01, 0x02, 0x08, 0x10, 0x20, 0x80
"""Bits of a descriptor's flag byte."""
KNOWN_FLAGS = PROGRAM | INTERNAL | PROTECTED | MODIFIED | EMULATED | VARIABLE


class Subdirectory(Record):
    """One of the three directories a volume block can name; `fdir` is its index's sector or 0."""

    name: bytes
    fdir: int


class Vib(Record):
    """Volume information block. `name` is 10 raw bytes, `bitmap` 200."""

    name: bytes
    total_sectors: int
    sectors_per_track: int
    magic: bytes
    protection: bytes
    tracks: int
    sides: int
    density: int
    subdirectories: tuple[Subdirectory, ...]
    bitmap: bytes


class Descriptor(Record, kw_only=True):
    """What a descriptor says about a file's content, on a disk or in a container.

    Stamps are raw 32-bit numbers (see `catalog.to_datetime`), 0 = none.
    """

    flags: int = 0
    records_per_sector: int = 0
    eof_offset: int = 0
    record_length: int = 0
    level3_records: int = 0
    created: int = 0
    updated: int = 0
    extended_record_length: int = 0


class Fdr(Descriptor, kw_only=True):
    """File descriptor record. `name` is 10 raw bytes, `chain` the 76 cluster blocks."""

    name: bytes
    sectors: int = 0
    chain: bytes = bytes(CHAIN_BYTES)


R = TypeVar("R", bound=Record)


def fields(record: Record, kind: type[Record]) -> dict[str, Any]:
    """Name and value of those fields of `record` that a `kind` has."""
    return {name: getattr(record, name) for name in kind.__record_fields__}


def _value(kind: type[R], parsed: dict[str, Any]) -> R:
    return kind(**{name: parsed[name] for name in kind.__record_fields__})


@lru_cache(maxsize=64)
def parse_vib(sector: bytes) -> Vib:
    """The volume block in the 256 bytes `sector`; any content parses."""
    from ti99tools.media.disk import structs

    return vib_of(structs.parse(structs.VIB, sector))


def vib_of(parsed: dict[str, Any]) -> Vib:
    """The volume block whose fields are `parsed`."""
    directories = tuple(_value(Subdirectory, entry) for entry in parsed["subdirectories"])
    return _value(Vib, {**parsed, "subdirectories": directories})


@lru_cache(maxsize=64)
def build_vib(vib: Vib) -> bytes:
    """The 256 bytes of `vib`."""
    from ti99tools.media.disk import structs

    directories = [fields(entry, Subdirectory) for entry in vib.subdirectories]
    values = {**fields(vib, Vib), "subdirectories": directories}
    return structs.build(structs.VIB, values)


@lru_cache(maxsize=64)
def parse_fdir(sector: bytes) -> tuple[int, ...]:
    """Descriptor sectors in the index `sector` (128 words), up to the first 0."""
    from ti99tools.media.disk import structs

    pointers = tuple(structs.parse(structs.FDIR, sector))
    return pointers[: pointers.index(0)] if 0 in pointers else pointers


def build_fdir(pointers: tuple[int, ...]) -> bytes:
    """The index sector of `pointers` (at most 127). Raises DiskError for more."""
    from ti99tools.media.disk import structs

    if len(pointers) > MAX_FILES:
        raise DiskError(
            f"a directory holds at most {MAX_FILES} files",
            remedy="remove files or use another disk",
        )
    # The index is 128 words; those after the last pointer are 0, and at least one is.
    words = [*pointers, *[0] * (MAX_FILES + 1 - len(pointers))]
    return structs.build(structs.FDIR, words)


@lru_cache(maxsize=1024)
def parse_fdr(sector: bytes) -> Fdr:
    """The descriptor in the 256 bytes `sector`; any content parses."""
    from ti99tools.media.disk import structs

    return _value(Fdr, structs.parse(structs.FDR, sector))


@lru_cache(maxsize=64)
def build_fdr(fdr: Fdr) -> bytes:
    """The 256 bytes of `fdr`."""
    from ti99tools.media.disk import structs

    return structs.build(structs.FDR, fields(fdr, Fdr))


def read_chain(chain: bytes) -> Iterator[tuple[int, int]]:
    """Clusters of a descriptor one by one, (start, number of sectors), start as stored.

    A block b0 b1 b2 holds the start, b0 + low half of b1, and the index in the file of its last
    sector, high half of b1 + b2: `26 10 00` is sector 26h up to file sector 1. Start 0 ends the
    list. Raises `DiskError` at the first index that does not rise.
    """
    done = 0
    for at in range(0, len(chain), 3):
        b0, b1, b2 = chain[at : at + 3]
        start = b0 | (b1 & 0x0F) << 8
        if start == 0:
            return
        last = b1 >> 4 | b2 << 4
        # The index of the last sector must not fall: a chain that does is damaged.
        if last < done:
            raise DiskError(f"cluster {at // 3 + 1} of the file ends before it starts")
        yield start, last + 1 - done
        done = last + 1


def encode_chain(clusters: list[tuple[int, int]]) -> bytes:
    """The 228 bytes for `clusters`, (start, number of sectors) each; `read_chain` reversed.

    Raises DiskError for more than 76, and for sectors that a descriptor cannot hold.
    """
    if len(clusters) > CLUSTER_BLOCKS:
        raise DiskError(
            f"the file would be in more than {CLUSTER_BLOCKS} pieces",
            remedy="the disk is too fragmented: copy its files to a fresh disk",
        )
    chain = bytearray()
    last = -1
    for start, count in clusters:
        last += count
        if not (0 < start < CLUSTER_REACH and count > 0 and last < CLUSTER_REACH):
            raise DiskError(
                "the file or its place exceeds what a descriptor can hold",
                remedy=f"a file has at most {CLUSTER_REACH} sectors",
            )
        chain += bytes((start & 0xFF, start >> 8 | (last & 0x0F) << 4, last >> 4))
    return bytes(chain).ljust(CHAIN_BYTES, b"\0")


def pad_name(name: str) -> bytes:
    """A TI name (1–10 characters) as 10 bytes; characters are the TI's codes (Latin-1)."""
    return name.encode("latin-1").ljust(NAME_BYTES)


def clean_name(raw: bytes) -> str:
    """A name field without its padding (spaces; some writers pad with zeros)."""
    return raw.decode("latin-1").rstrip(" \0")


@lru_cache(maxsize=64)
def blank_vib(name: str, total: int, geometry: tuple[int, int, int, int], unit: int) -> Vib:
    """The volume block of an empty disk of `total` sectors.

    `geometry` has the values of a `Geometry` in the order of its fields, `unit` is the number of
    sectors for a bit of the bitmap. Bits past the end are 1. Sectors 0 and 1 are used: the bitmap
    starts 03 (01 where one bit covers both).
    """
    bits = bytearray(b"\xff" * BITMAP_BYTES)
    for index in range(1 if unit > 1 else 2, -(-total // unit)):
        bits[index >> 3] &= ~(1 << (index & 7))
    tracks, sides, sectors_per_track, density = geometry
    empty = Subdirectory(bytes(NAME_BYTES), 0)
    return Vib(
        pad_name(name),
        total,
        sectors_per_track,
        MARK,
        b" ",
        tracks,
        sides,
        density,
        (empty, empty, empty),
        bytes(bits),
    )
