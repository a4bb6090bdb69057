"""TI disks on tracks: bytes and magnetic cells, gaps, sector order, and the way back to a volume.

FM and MFM turn a data bit into a clock cell and a data cell. FM's clock is always 1; MFM's is 1
only between two zeros. Address marks break the rule, so that no data can look like them: FM writes
the mark with clock C7 (FE → cells F57E), MFM a sync byte A1 with a clock missing (cells 4489). HFE
files hold the cells least significant bit first. FM cells are twice as long as MFM cells, so each
is followed by a 0 (`22 22 22 22` is the byte 00, `AA AA AA AA` is FF).

A track is a lead-in, the sectors, a lead-out. A sector is: sync, ID mark, cylinder, side, sector,
length code 1, CRC; gap, sync, data mark, 256 bytes, CRC; gap. `hfe` and `pc99` share all this and
differ in how they store the bytes.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record
from ti99tools.media.disk.descriptors import MARK, parse_vib
from ti99tools.media.disk.geometry import SECTOR, Geometry

DATA_MARK, DELETED_MARK, INDEX_MARK = 0xFB, 0xF8, 0xFC

# HFE stores the first cell of a byte in bit 0; strings of cells read from the left.
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def crc16(data: bytes, mfm: bool) -> bytes:
    """CRC-16 CCITT (start FFFF) of a field from its mark on; MFM counts its three A1.

    `crc16(b"\\xfe\\0\\0\\0\\1", False)` is F1 D3.
    """
    return crc_hqx(b"\xa1\xa1\xa1" + data if mfm else data, 0xFFFF).to_bytes(2, "big")


def samples(side: bytes) -> str:
    """The cells of one side of an HFE track as a string of 0 and 1."""
    # One large integer is much faster than a loop over bytes.
    number = int.from_bytes(side.translate(_REVERSED), "big")
    return f"{number:0{8 * len(side)}b}" if side else ""


def from_samples(bits: str) -> bytes:
    """`samples` reversed; `bits` fills whole bytes."""
    return int(bits, 2).to_bytes(len(bits) // 8, "big").translate(_REVERSED) if bits else b""


# Gaps, and most sectors of a disk that is not full, are the same over and over.
@lru_cache(maxsize=512)
def fm(data: bytes, clock: int = 0xFF) -> str:
    """The FM cells of `data`, without the zeros between them."""
    table = _fm_table(clock)
    return "".join([table[byte] for byte in data])


@lru_cache(maxsize=512)
def mfm(data: bytes, last: int = 0) -> str:
    """The MFM cells of `data`; `last` is the data bit before them."""
    tables = _mfm_tables()
    previous = (last, *data)
    return "".join([tables[p & 1][byte] for p, byte in zip(previous, data, strict=False)])


def decode(cells: str) -> bytes:
    """The bytes in `cells` (16 a byte, clock first), FM or MFM."""
    # Every second cell is data, in FM and MFM alike.
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


# Limits against nonsense on foreign disks; TI disks have up to 80 cylinders and 36 sectors.
MAX_CYLINDERS = 90
MAX_PER_TRACK = 64


class TrackFormat(Record):
    """Byte counts of a track's parts; `step` is the interleave, `length` the whole track."""

    mfm: bool
    lead: int
    sync: int
    id_gap: int
    data_sync: int
    post_gap: int
    length: int
    sectors: int
    step: int

    @property
    def filler(self) -> int:
        """The byte that gaps are made of."""
        return 0x4E if self.mfm else 0xFF


# lead, sync, ID gap, data sync, gap after the data, bytes of the track, sectors, interleave
HFE_FM = TrackFormat(False, 17, 6, 11, 6, 45, 3126, 9, 7)
HFE_MFM = TrackFormat(True, 32, 12, 22, 12, 24, 6256, 18, 11)
HFE_MFM16 = TrackFormat(True, 32, 12, 22, 12, 58, 6256, 16, 9)
HFE_HD = TrackFormat(True, 32, 12, 22, 12, 24, 12512, 36, 11)
PC99_FM = TrackFormat(False, 16, 6, 11, 6, 45, 3253, 9, 7)
PC99_MFM = TrackFormat(True, 40, 10, 22, 12, 24, 6872, 18, 11)
PC99_MFM16 = TrackFormat(True, 50, 12, 22, 12, 50, 6144, 16, 9)
PC99_HD = TrackFormat(True, 40, 10, 22, 12, 24, 12544, 36, 11)


def order(form: TrackFormat, tracks: int, cylinder: int, side: int) -> list[int]:
    """Sector numbers in the order in which they pass the head.

    FM: each number is 7 further than the one before, and each track starts 6 further (skew), so
    that the first sector of the next track comes just in time. Side 1 of an 80-track disk has a
    series of its own. MFM: 11 further, without skew. `order(HFE_FM, 40, 1, 0)` is 6 4 2 0 7 5 3 1
    8.
    """
    first = 0
    if not form.mfm:
        if tracks == 80 and side == 1:
            first = 4 + 6 * cylinder if cylinder < 37 else 6 * (cylinder - 37)
        else:
            first = 6 * cylinder
    return [(first + form.step * n) % form.sectors for n in range(form.sectors)]


class FoundSector(Record):
    """A sector found on a track: its ID, data and data mark, and whether its CRCs are right.

    `at` is where its data start, `step` the distance between its units, as the format counts.
    """

    cylinder: int
    number: int
    data: bytes
    mark: int
    good: bool
    at: int
    step: int = 1


Tracks = Mapping[tuple[int, int], Sequence[FoundSector]]
"""(cylinder, side) → the sectors found there."""


Place = tuple[int, int, FoundSector]
"""Physical cylinder, side, and the sector found there."""


class TrackVolume(Record):
    """A volume put together from tracks: see `assemble`."""

    geometry: Geometry
    sectors: bytes
    defects: dict[int, str]
    places: dict[int, Place]
    """Logical sector → where it was found."""


def assemble(tracks: Tracks, mfm: bool) -> TrackVolume:
    """Logical sectors from the sectors of all tracks.

    A sector belongs to the cylinder in its ID (a 40-track disk read in an 80-track drive shows only
    every other one). The volume block says how many tracks and sides there are, if that gives its
    number of sectors; else the tracks found do. Missing sectors become zeros and a defect; so do
    sectors found twice with different data. Raises `DiskError` when the disk is not a TI disk.
    """
    places: dict[tuple[int, int, int], list[Place]] = {}
    for (cylinder, side), sectors in tracks.items():
        for sector in sectors:
            key = (sector.cylinder, side, sector.number)
            places.setdefault(key, []).append((cylinder, side, sector))
    if not places:
        raise DiskError("no TI sectors on its tracks", remedy="is it a disk of another computer?")
    cylinders, sides = (1 + max(key[axis] for key in places) for axis in range(2))
    per_track = _per_track(tracks)
    first = _best(places.get((0, 0, 0), ()))
    if first is not None:
        cylinders, sides = _claimed(first[2].data, per_track) or (cylinders, sides)
    if cylinders > MAX_CYLINDERS or per_track > MAX_PER_TRACK:
        raise DiskError(
            f"cylinder {cylinders - 1} and sector {per_track - 1} are on its tracks",
            remedy="is it a disk of another computer?",
        )
    # Density code of the volume block: 1 FM, 2 MFM, 3 high density.
    geometry = Geometry(cylinders, sides, per_track, (3 if per_track > 18 else 2) if mfm else 1)
    return _collect(geometry, places)


def _per_track(tracks: Tracks) -> int:
    """Sectors per track: the highest number that at least every fourth track has.

    Single tracks may hold more: remains of another format, or copy protection.
    """
    formatted = [{sector.number for sector in sectors} for sectors in tracks.values() if sectors]
    common = Counter(number for numbers in formatted for number in numbers)
    usual = [number for number, count in common.items() if 4 * count >= len(formatted)]
    return 1 + max(usual or common)


def _claimed(block: bytes, per_track: int) -> tuple[int, int] | None:
    """Tracks and sides according to the volume block; None when they are impossible.

    The block may count more than the tracks hold, where the last cylinder cannot be read (side 1
    begins there), and fewer, where a disk is formatted on both sides or one track further than it
    is used.
    """
    vib = parse_vib(block)
    # 35 tracks: the fewest of any TI drive.
    if vib.magic != MARK or not (35 <= vib.tracks <= MAX_CYLINDERS and 1 <= vib.sides <= 2):
        return None
    if vib.tracks * vib.sides * per_track != vib.total_sectors:
        return None
    return vib.tracks, vib.sides


def _collect(geometry: Geometry, tracks: Mapping[tuple[int, int, int], list[Place]]) -> TrackVolume:
    content = bytearray()
    defects: dict[int, str] = {}
    places: dict[int, Place] = {}
    for logical in range(geometry.sectors):
        key = geometry.place(logical)
        candidates = tracks.get(key, [])
        best = _best(candidates)
        where = "cylinder {}, side {}, sector {}".format(*key)
        if best is None:
            defects[logical] = f"missing: {where}"
            content += bytes(SECTOR)
            continue
        if not best[2].good:
            defects[logical] = f"bad CRC: {where}"
        elif len({place[2].data for place in candidates if place[2].good}) > 1:
            defects[logical] = f"there twice: {where}"
        places[logical] = best
        content += best[2].data
    return TrackVolume(geometry, bytes(content), defects, places)


def _best(candidates: Sequence[Place]) -> Place | None:
    """The best candidate: one with good CRCs before others."""
    good = (place for place in candidates if place[2].good)
    return next(good, candidates[0] if candidates else None)


def fields(cylinder: int, side: int, number: int, data: bytes) -> tuple[bytes, bytes]:
    """A sector's ID and data fields from their marks on, without CRC."""
    return _id_field(cylinder, side, number), bytes((DATA_MARK,)) + data


@lru_cache(maxsize=MAX_CYLINDERS * MAX_PER_TRACK * 2)
def _id_field(cylinder: int, side: int, number: int) -> bytes:
    from ti99tools.media.disk import structs

    place = {"cylinder": cylinder, "side": side, "sector": number}
    return structs.build(structs.ID_FIELD, place)
