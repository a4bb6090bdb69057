"""Track dumps of the PC99 emulator: the bytes of each track, gaps and marks included.

A track has 3253 bytes (FM) or 6872 (MFM); first all cylinders of side 0, then those of side 1. MAME
also has such dumps with 16 and 36 sectors a track (6144 and 12544 bytes), which are read as well.
PC99 writes F7 F7 where a controller would compute the CRC, so both that and a true CRC are right.
Changed sectors are patched in place.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.media.disk import structs
from ti99tools.media.disk.containers import tracks as cells
from ti99tools.media.disk.containers.sectors import Codec, Unpacked, contents_by_track, patches
from ti99tools.media.disk.containers.tracks import (
    PC99_FM,
    PC99_HD,
    PC99_MFM,
    PC99_MFM16,
    FoundSector,
    TrackFormat,
    TrackVolume,
    assemble,
    fields,
    order,
)
from ti99tools.media.disk.geometry import SECTOR, Geometry

CRC = b"\xf7\xf7"
"""What PC99 writes as CRC."""

_ID = re.compile(
    # Gaps are matched loosely: dumps by other tools differ by some bytes.
    rb"(\xfe...\x01)(..)[\xff\x4e]{4,40}?\x00{2,20}(?:\xa1{3})?([\xfb\xf8])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Pc99Image:
    """A track dump as it was read, and where its sectors lie."""

    file: bytes
    mfm: bool
    volume: TrackVolume

    form = "PC99"

    def pack(self, sectors: bytes, unreadable: Collection[int] = ()) -> bytes:
        """The file with changed sectors patched in; a missing sector is a `DiskError`."""
        file = bytearray(self.file)
        for (_, _, sector), content in patches(self.volume, sectors, unreadable):
            # Keep the file's habit: a dump with true CRCs stays one.
            old = bytes(file[sector.at + SECTOR : sector.at + SECTOR + 2])
            crc = CRC if old == CRC else cells.crc16(bytes((sector.mark,)) + content, self.mfm)
            file[sector.at : sector.at + SECTOR + 2] = content + crc
        return bytes(file)


def read(data: bytes, _volume: int) -> Unpacked | None:
    """The disk in a track dump."""
    form = track_format(data)
    return unpack_pc99(data, form) if form is not None else None


def create_pc99(sectors: bytes, geometry: Geometry) -> bytes:
    """A fresh track dump. Raises `DiskError` for geometries PC99 does not know."""
    form = {9: PC99_FM, 18: PC99_MFM}.get(geometry.sectors_per_track)
    if form is None or geometry.tracks not in (40, 80) or geometry.sides > 2:
        raise DiskError(
            f"PC99 has no disks of the geometry {geometry.name}",
            remedy=Remedy.RESHAPE.of(geometry="SSSD, DSSD, SSDD or DSDD"),
        )
    return dump(sectors, geometry, form)


def track_format(data: bytes) -> TrackFormat | None:
    """The format of a PC99 dump; None when `data` is not one.

    The size is a whole number of tracks, and the first track starts as PC99 starts it.
    """
    for form in (PC99_FM, PC99_MFM, PC99_MFM16, PC99_HD):
        mark = form.lead + form.sync + (3 if form.mfm else 0)
        tracks, rest = divmod(len(data), form.length)
        if (
            not rest
            # From one side of 35 tracks to two of 80.
            and 35 <= tracks <= 160
            and data[mark - 2 : mark + 2]
            in (
                b"\x00\x00\xfe\x00",
                b"\xa1\xa1\xfe\x00",
            )
        ):
            return form
    return None


def unpack_pc99(data: bytes, form: TrackFormat) -> Unpacked:
    """Decode a track dump."""
    count = len(data) // form.length
    # One-sided dumps have at most 40 tracks, two-sided ones at least 70.
    cylinders = count if count < 70 else count // 2
    tracks: dict[tuple[int, int], list[FoundSector]] = {}
    for track in range(count):
        side, cylinder = divmod(track, cylinders)
        start = track * form.length
        sectors = _scan(data, start, start + form.length, form.mfm)
        # F7 F7 proves nothing, so an ID is believed only if its numbers are possible.
        tracks[cylinder, side] = [
            s for s in sectors if s.cylinder < cylinders and s.number < form.sectors
        ]
    volume = assemble(tracks, form.mfm)
    return Unpacked(volume.sectors, Pc99Image(data, form.mfm, volume), volume.defects)


def _scan(data: bytes, start: int, end: int, mfm: bool) -> list[FoundSector]:
    """The sectors of one track, `data[start:end]`."""
    sectors = []
    at = start
    while match := _ID.search(data, at, end):
        begin = match.end()
        at = begin + SECTOR + 2
        if at > end:
            break
        head = structs.identity(match[1])
        field = data[begin - 1 : begin + SECTOR]
        good = match[2] in (CRC, cells.crc16(match[1], mfm)) and data[begin + SECTOR : at] in (
            CRC,
            cells.crc16(field, mfm),
        )
        sectors.append(FoundSector(head.cylinder, head.sector, field[1:], field[0], good, begin))
    return sectors


def dump(sectors: bytes, geometry: Geometry, form: TrackFormat) -> bytes:
    """All tracks in `form`; those of side 1 of a single-sided disk hold no sectors."""
    contents = contents_by_track(sectors, geometry)
    return b"".join(
        _track(form, geometry.tracks, cylinder, side, contents.get((cylinder, side), {}))
        for side in range(2)
        for cylinder in range(geometry.tracks)
    )


def _track(
    form: TrackFormat, tracks: int, cylinder: int, side: int, content: dict[int, bytes]
) -> bytes:
    """A track; sectors that `content` lacks (side 1 of a single-sided disk) are left out."""
    sync = b"\xa1\xa1\xa1" if form.mfm else b""
    filler = bytes((form.filler,))
    track = bytearray(filler * form.lead if form.mfm else bytes(form.lead))
    for number in order(form, tracks, cylinder, side) if content else ():
        head, field = fields(cylinder, side, number, content[number])
        track += bytes(form.sync) + sync + head + CRC + filler * form.id_gap
        track += bytes(form.data_sync) + sync + field + CRC + filler * form.post_gap
    return bytes(track.ljust(form.length, filler))


CODEC = Codec(read, create_pc99)
