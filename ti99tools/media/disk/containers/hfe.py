"""HFE: disk images as magnetic cells, for the Gotek and HxC floppy emulators.

A header, a list of tracks, and for each track blocks of 512 bytes: 256 of side 0, 256 of side 1.
Writing back patches the data and CRC of changed sectors in place; gaps, sector order and anything
unusual on the tracks stay. Structure: the published HxC file format, revision 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.media.disk import structs
from ti99tools.media.disk.containers import tracks as cells
from ti99tools.media.disk.containers.sectors import Codec, Unpacked, contents_by_track, patches
from ti99tools.media.disk.containers.tracks import (
    DATA_MARK,
    DELETED_MARK,
    HFE_FM,
    HFE_HD,
    HFE_MFM,
    HFE_MFM16,
    INDEX_MARK,
    FoundSector,
    TrackFormat,
    TrackVolume,
    assemble,
    fields,
    order,
)
from ti99tools.media.disk.geometry import SECTOR, Geometry
from ti99tools.media.disk.structs import HFE_BLOCK as BLOCK

MAGIC_V3 = b"HXCHFEV3"
# Drives step a little past 80 cylinders; more is a damaged header.
MAX_TRACKS = 90
_FIELD = (1 + SECTOR + 2) * 16
"""Cells of a data field: mark, data, CRC."""


@dataclass(frozen=True, slots=True)
class HfeImage:
    """An HFE file as it was read, and where its sectors lie."""

    file: bytes
    tracks: tuple[tuple[int, int], ...]
    """Offset and length in bytes of each track, both sides together."""
    mfm: bool
    volume: TrackVolume

    form = "HFE"

    def pack(self, sectors: bytes, unreadable: Collection[int] = ()) -> bytes:
        """The file with changed sectors patched in; a missing sector is a `DiskError`."""
        file = bytearray(self.file)
        changed: dict[tuple[int, int], list[tuple[FoundSector, bytes]]] = {}
        for (cylinder, side, sector), content in patches(self.volume, sectors, unreadable):
            changed.setdefault((cylinder, side), []).append((sector, content))
        for (cylinder, side), of_track in changed.items():
            offset, length = self.tracks[cylinder]
            bits = cells.samples(read_side(file, offset, length, side))
            for sector, content in of_track:
                bits = _patch(bits, sector, content, self.mfm)
            write_side(file, offset, side, cells.from_samples(bits))
        return bytes(file)


def read(data: bytes, _volume: int) -> Unpacked | None:
    """The disk in an HFE file. Raises `DiskError` for version 3, and for a damaged one."""
    if data.startswith(MAGIC_V3):
        raise DiskError("HFE version 3 is not supported", remedy="save it as HFE version 1")
    return unpack_hfe(data) if data.startswith(structs.HFE_MAGIC) else None


def unpack_hfe(data: bytes) -> Unpacked:
    """Decode an HFE file. Raises `DiskError` when it is damaged or not of a TI disk."""
    if len(data) < 2 * BLOCK:
        raise DiskError("the HFE file is cut off", remedy="get a whole copy")
    header = structs.parse(structs.HFE, data)
    if header.revision != 0:
        raise DiskError(
            f"HFE revision {header.revision} is not supported",
            remedy="save it as HFE version 1 (revision 0)",
        )
    at = header.track_list * BLOCK
    count = header.tracks
    track_list = structs.HFE_TRACK[count]
    if not 0 < count <= MAX_TRACKS or at + track_list.sizeof() > len(data):
        raise DiskError(f"an HFE file with {count} tracks", remedy="the file is damaged")
    entries = structs.parse(track_list, data[at : at + track_list.sizeof()])
    places = tuple((entry.offset * BLOCK, entry.length) for entry in entries)
    for cylinder, (offset, length) in enumerate(places):
        # The last block may be cut short: writers do not pad it.
        if offset + length > len(data) + BLOCK:
            raise DiskError(
                f"track {cylinder} lies outside the HFE file", remedy="get a whole copy"
            )
    # Writers disagree on the codes (1 is also MFM, 3 FM, FF unknown): the tracks themselves count.
    mfm = header.encoding < 2
    tracks = _scan_all(data, places, mfm)
    # No sector at all means the header lied about the coding.
    if not any(tracks.values()):
        mfm = not mfm
        tracks = _scan_all(data, places, mfm)
    volume = assemble(tracks, mfm)
    return Unpacked(volume.sectors, HfeImage(data, places, mfm, volume), volume.defects)


def _scan_all(
    data: bytes, places: tuple[tuple[int, int], ...], mfm: bool
) -> dict[tuple[int, int], list[FoundSector]]:
    return {
        (cylinder, side): list(_scanned(read_side(data, offset, length, side), mfm))
        for cylinder, (offset, length) in enumerate(places)
        for side in (0, 1)
    }


@lru_cache(maxsize=320)
def _scanned(side: bytes, mfm: bool) -> tuple[FoundSector, ...]:
    """The sectors of a side of a track; what was written is read again, mostly unchanged."""
    return tuple(scan(cells.samples(side), mfm))


def scan(bits: str, mfm: bool) -> list[FoundSector]:
    """Every sector of 256 bytes on one side of a track; FM cells may be doubled or not."""
    # HFE holds FM with a 0 after each cell; some writers leave the zeros out.
    return _scan(bits, mfm, 1) if mfm else _scan(bits, False, 2) or _scan(bits, False, 1)


def _scan(bits: str, mfm: bool, step: int) -> list[FoundSector]:
    """Sectors in `bits` with a cell at every `step`-th place, from whichever it starts.

    A data field may lie half a cell off its ID field: a controller that wrote it through a floppy
    emulator started at its own moment.
    """
    phases = []
    for phase in range(step):
        track = bits[phase::step]
        # Tracks are circles, so a field may pass the end.
        # Twice a field is enough: the search starts at most one field before the end.
        phases.append(track + track[: 2 * _FIELD])
    size = len(bits) // step
    return [f for phase in range(step) for f in _sectors_of(phases, phase, size, mfm)]


def _sectors_of(phases: list[str], phase: int, size: int, mfm: bool) -> Iterator[FoundSector]:
    """The sectors whose ID field lies in `phases[phase]`, within its first `size` cells."""
    track = phases[phase]
    prefix = cells.SYNC if mfm else cells.fm(b"\0")
    ids = prefix + (cells.mfm_mark if mfm else cells.fm_mark)(structs.ID_MARK)
    at = track.find(ids)
    while 0 <= at < size:
        start = at + len(prefix)
        # Mark, cylinder, side, sector, length and two bytes of CRC; a byte is 16 cells.
        head = track[start : start + 7 * 16]
        at = track.find(ids, start)
        if len(head) < 7 * 16:
            return
        raw = cells.decode(head)
        if cells.crc16(raw[:-2], mfm) != raw[-2:]:
            continue  # an ID no controller would believe
        ident = structs.identity(raw[:-2])
        if ident.length != structs.LENGTH_256:
            continue
        sector = _data_of(phases, start, ident, mfm)
        if sector is not None:
            yield sector


def _data_of(phases: list[str], start: int, ident: Any, mfm: bool) -> FoundSector | None:
    """The sector with the ID `ident` at cell `start`: its data field is the next one."""
    prefix = cells.SYNC if mfm else cells.fm(b"\0")
    mark = cells.mfm_mark if mfm else cells.fm_mark
    hits = []
    for phase, track in enumerate(phases):
        # ID, gap, sync and mark take about 55 bytes on any TI disk; real controllers also give up.
        window = track[start : start + 70 * 16 + len(prefix)]
        for value in (DATA_MARK, DELETED_MARK):
            place = window.find(prefix + mark(value))
            if place >= 0:
                hits.append((start + place + len(prefix), phase, value))
    if not hits:
        return None
    # The nearest mark counts, whichever phase it is on.
    begin, phase, value = min(hits)
    field = phases[phase][begin : begin + _FIELD]
    if len(field) < _FIELD:
        return None
    content = cells.decode(field)
    good = cells.crc16(content[:-2], mfm) == content[-2:]
    step = len(phases)
    at = phase + begin * step
    return FoundSector(ident.cylinder, ident.sector, content[1:-2], value, good, at, step)


def _patch(bits: str, sector: FoundSector, content: bytes, mfm: bool) -> str:
    """`bits` with `content` and its CRC in the data field of `sector`."""
    field = bytes((sector.mark,)) + content
    field += cells.crc16(field, mfm)
    size = len(bits)
    following = (sector.at + _FIELD * sector.step) % size
    if mfm:
        coded = cells.mfm_mark(sector.mark) + cells.mfm(field[1:], sector.mark & 1)
        # The clock cell after the field depends on its last bit: MFM allows a 1 only between zeros.
        after = "1" if field[-1] & 1 == 0 and _cell(bits, following + 1) == "0" else "0"
        coded += after
    else:
        coded = cells.fm_mark(sector.mark) + cells.fm(field[1:])
    # Rotated, so that a field across the end of the track needs no special case.
    turned = list(bits[sector.at % size :] + bits[: sector.at % size])
    turned[: len(coded) * sector.step : sector.step] = coded
    cut = size - sector.at % size
    return "".join(turned[cut:] + turned[:cut])


def _cell(bits: str, at: int) -> str:
    return bits[at % len(bits)]


def read_side(data: bytes | bytearray, offset: int, length: int, side: int) -> bytes:
    """One side's bytes of the track at `offset` of `length` bytes for both sides."""
    size = length // 2
    parts = []
    for done in range(0, size, BLOCK // 2):
        start = offset + 2 * done + side * (BLOCK // 2)
        parts.append(bytes(data[start : start + min(BLOCK // 2, size - done)]))
    return b"".join(parts)


def write_side(data: bytearray, offset: int, side: int, content: bytes) -> None:
    """`read_side` reversed, into a file that has the track already."""
    for done in range(0, len(content), BLOCK // 2):
        start = offset + 2 * done + side * (BLOCK // 2)
        part = content[done : done + BLOCK // 2]
        data[start : start + len(part)] = part


def create_hfe(sectors: bytes, geometry: Geometry) -> bytes:
    """A fresh HFE file of a volume. Raises `DiskError` for geometries no floppy has."""
    form = _track_format(geometry)
    header = {
        "tracks": geometry.tracks,
        "sides": geometry.sides,
        "encoding": 0 if form.mfm else 2,
        # Kilobits a second: high density has twice the cells on the same track.
        "bit_rate": 500 if form is HFE_HD else 250,
    }
    # A byte is 16 cells: 2 bytes of MFM, 4 of FM with a 0 after each cell; two sides.
    length = form.length * (2 if form.mfm else 4) * 2
    blocks = -(-length // BLOCK)
    # Block 0 is the header and block 1 the track list.
    entries = [{"offset": 2 + n * blocks, "length": length} for n in range(geometry.tracks)]
    table = structs.build(structs.HFE_TRACK[len(entries)], entries)
    file = bytearray(structs.build(structs.HFE, header) + table.ljust(BLOCK, b"\xff"))
    file += bytes(geometry.tracks * blocks * BLOCK)
    contents = contents_by_track(sectors, geometry)
    for (cylinder, side), content in contents.items():
        bits = _track(form, geometry.tracks, cylinder, side, content)
        track = cells.from_samples(bits)
        if form.mfm:
            track += _rest(len(track), blocks * BLOCK // 2)
        write_side(file, (2 + cylinder * blocks) * BLOCK, side, track)
    return bytes(file)


def _rest(used: int, size: int) -> bytes:
    """The gap that fills the last block of an MFM track: 49h 2Ah.

    Drives and other tools read to the end of the block, and take zeros there for an unformatted
    place. The track ends with a gap byte whose last bit is 0.
    """
    gap = cells.from_samples(cells.mfm(bytes((HFE_MFM.filler,))))
    return (gap * size)[: size - used]


def _track_format(geometry: Geometry) -> TrackFormat:
    # The number of sectors tells the coding; no TI controller has two codings for one number.
    by_sectors = {form.sectors: form for form in (HFE_FM, HFE_MFM, HFE_MFM16, HFE_HD)}
    form = by_sectors.get(geometry.sectors_per_track)
    if form is None or geometry.tracks > MAX_TRACKS or geometry.sides > 2:
        raise DiskError(
            f"no floppy has the geometry {geometry.name}",
            remedy=Remedy.RESHAPE.of(geometry="another geometry"),
        )
    return form


def _track(
    form: TrackFormat, tracks: int, cylinder: int, side: int, content: dict[int, bytes]
) -> str:
    """The cells of a track with all its sectors."""
    writer = TrackWriter(form.mfm)
    filler = bytes((form.filler,))
    if form.mfm:
        writer.plain(filler * form.lead)
    else:
        # The index mark replaces one byte of the lead.
        writer.mark(INDEX_MARK)
        writer.plain(filler * (form.lead - 1))
    for number in order(form, tracks, cylinder, side):
        head, field = fields(cylinder, side, number, content[number])
        writer.field(form.sync, head)
        writer.plain(filler * form.id_gap)
        writer.field(form.data_sync, field)
        writer.plain(filler * form.post_gap)
    writer.plain(filler * (form.length - writer.length))
    return writer.bits


class TrackWriter:
    """Appends bytes and marks to a track."""

    def __init__(self, mfm: bool) -> None:
        self.mfm = mfm
        self._parts: list[str] = []
        self._last = 0
        self.length = 0

    @property
    def bits(self) -> str:
        """The track's cells as an HFE file holds them: FM with a 0 after each."""
        return "".join(self._parts if self.mfm else map(_apart, self._parts))

    def plain(self, data: bytes) -> None:
        """Write bytes as data, with their clocks."""
        self._add(cells.mfm(data, self._last) if self.mfm else cells.fm(data), data)

    def mark(self, mark: int) -> None:
        """An address mark; MFM writes its three A1 before."""
        if self.mfm:
            self._add(cells.SYNC * 3, b"\xa1\xa1\xa1")
        coded = cells.mfm_mark(mark) if self.mfm else cells.fm_mark(mark)
        self._add(coded, bytes((mark,)))

    def field(self, sync: int, field: bytes) -> None:
        """Sync zeros, the field from its mark on, and its CRC."""
        self.plain(bytes(sync))
        self.mark(field[0])
        self.plain(field[1:] + cells.crc16(field, self.mfm))

    def _add(self, coded: str, data: bytes) -> None:
        self._parts.append(coded)
        self.length += len(data)
        if data:
            self._last = data[-1] & 1


@lru_cache(maxsize=512)
def _apart(coded: str) -> str:
    """FM cells with a 0 before each."""
    return "0" + "0".join(coded) if coded else ""


CODEC = Codec(read, create_hfe)
