"""How TI disks lie on tracks: gaps, order of the sectors, and from tracks back to a volume.

A track is a lead-in, the sectors, a lead-out. A sector is: sync, ID mark, cylinder, side, sector,
length code 1, CRC; gap, sync, data mark, 256 bytes, CRC; gap. `HFE` and `PC99` share all this and
differ in how they store the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ti99tools.base.errors import DiskError
from ti99tools.disk.containers.cells import DATA_MARK, ID_MARK
from ti99tools.disk.geometry import SECTOR, Geometry
from ti99tools.disk.layout import parse_vib


@dataclass(frozen=True, slots=True)
class TrackFormat:
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
        """The byte gaps consist of."""
        return 0x4E if self.mfm else 0xFF


HFE_FM = TrackFormat(False, 17, 6, 11, 6, 45, 3126, 9, 7)
HFE_MFM = TrackFormat(True, 32, 12, 22, 12, 24, 6256, 18, 11)
HFE_MFM16 = TrackFormat(True, 32, 12, 22, 12, 58, 6256, 16, 9)
HFE_HD = TrackFormat(True, 32, 12, 22, 12, 24, 12512, 36, 11)
PC99_FM = TrackFormat(False, 16, 6, 11, 6, 45, 3253, 9, 7)
PC99_MFM = TrackFormat(True, 40, 10, 22, 12, 24, 6872, 18, 11)


def order(form: TrackFormat, tracks: int, cylinder: int, side: int) -> list[int]:
    """Sector numbers in the order they pass the head.

    FM: each is 7 further, and each track starts 6 further (skew), so that the next track's first
    sector comes just in time; side 1 of an 80-track disk has a series of its own. MFM: 11 further,
    without skew. `order(HFE_FM, 40, 1, 0)` is 6 4 2 0 7 5 3 1 8.
    """
    first = 0
    if not form.mfm:
        if tracks == 80 and side == 1:
            first = 4 + 6 * cylinder if cylinder < 37 else 6 * (cylinder - 37)
        else:
            first = 6 * cylinder
    return [(first + form.step * n) % form.sectors for n in range(form.sectors)]


@dataclass(frozen=True, slots=True)
class FoundSector:
    """A sector found on a track: its number, data, data mark, whether its CRCs hold, and where.

    `at` is where its data start and `step` the distance of their units, as the container counts.
    """

    number: int
    data: bytes
    mark: int
    good: bool
    at: int
    step: int = 1


Tracks = Mapping[tuple[int, int], Sequence[FoundSector]]
"""(cylinder, side) → the sectors found there."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """A volume put together from tracks: see `assemble`."""

    geometry: Geometry
    sectors: bytes
    defects: dict[int, str]
    places: dict[int, tuple[int, int, FoundSector]]
    """Logical sector → cylinder, side, and the sector found there."""


def assemble(tracks: Tracks, mfm: bool) -> Assembled:
    """Logical sectors from the sectors of all tracks.

    The volume block says how many tracks and sides there are, if it can be believed; else the
    tracks found do. Missing sectors become zeros and a defect. Raises `DiskError` when the disk
    is not of the TI's kind.
    """
    per_track = 1 + max((s.number for found in tracks.values() for s in found), default=-1)
    if not per_track:
        raise DiskError("no TI sectors on its tracks", remedy="is it a disk of another computer?")
    if per_track > 64:
        raise DiskError("sector numbers over 64", remedy="is it a disk of another computer?")
    cylinders = 1 + max(cylinder for (cylinder, _), found in tracks.items() if found)
    sides = 1 + max(side for (_, side), found in tracks.items() if found)
    first = _best(tracks.get((0, 0), ()), 0)
    if first is not None:
        vib = parse_vib(first.data)
        if vib.magic == b"DSK" and 35 <= vib.tracks <= cylinders and 1 <= vib.sides <= sides:
            cylinders, sides = vib.tracks, vib.sides
    geometry = Geometry(cylinders, sides, per_track, (3 if per_track > 18 else 2) if mfm else 1)
    return _collect(geometry, tracks)


def _collect(geometry: Geometry, tracks: Tracks) -> Assembled:
    content = bytearray()
    defects: dict[int, str] = {}
    places: dict[int, tuple[int, int, FoundSector]] = {}
    for logical in range(geometry.sectors):
        cylinder, side, number = geometry.place(logical)
        found = _best(tracks.get((cylinder, side), ()), number)
        where = f"cylinder {cylinder}, side {side}, sector {number}"
        if found is None:
            defects[logical] = f"missing: {where}"
            content += bytes(SECTOR)
            continue
        if not found.good:
            defects[logical] = f"bad CRC: {where}"
        places[logical] = (cylinder, side, found)
        content += found.data
    return Assembled(geometry, bytes(content), defects, places)


def _best(found: Sequence[FoundSector], number: int) -> FoundSector | None:
    """The sector `number`, one with good CRCs before others."""
    candidates = [sector for sector in found if sector.number == number]
    return next((s for s in candidates if s.good), candidates[0] if candidates else None)


def fields(cylinder: int, side: int, number: int, data: bytes) -> tuple[bytes, bytes]:
    """A sector's ID and data fields from their marks on, without CRC."""
    return bytes((ID_MARK, cylinder, side, number, 1)), bytes((DATA_MARK,)) + data
