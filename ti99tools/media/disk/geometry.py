"""Sizes that all disks share, and how sectors lie on tracks and sides.

Geometries are data; everything that depends on one takes a `Geometry`.
"""

from __future__ import annotations

import re

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record

SECTOR = 256
"""Bytes of a sector, on every TI disk."""

NAME_BYTES = 10
"""Bytes of a name, padded with spaces."""

BITMAP_BYTES = 200
"""Bytes of the bitmap, which ends the volume block; a bit stands for an allocation unit."""

MAX_FILES = 127
"""Most files in a directory: the last word of the index stays 0."""

CLUSTER_BLOCKS = 76
"""Most clusters of a file: three bytes each, in the 228 that a descriptor has for them."""

CLUSTER_REACH = 1 << 12
"""Sectors that the 12 bits of a cluster count; larger disks count allocation units."""


class Geometry(Record):
    """Tracks a side, sides, sectors a track, and the density code of the volume block."""

    tracks: int
    sides: int
    sectors_per_track: int
    density: int

    @property
    def sectors(self) -> int:
        """All sectors of the disk."""
        return self.tracks * self.sides * self.sectors_per_track

    @property
    def name(self) -> str:
        """The usual name ("SSSD", "DSDD80", …), or tracks×sides×sectors when there is none."""
        for name, geometry in GEOMETRIES.items():
            if geometry == self:
                return name
        return f"{self.tracks}x{self.sides}x{self.sectors_per_track}"

    def place(self, sector: int) -> tuple[int, int, int]:
        """(cylinder, side, sector in the track) of logical `sector`.

        Side 1 runs backwards: with 40 tracks, logical tracks 40–79 are side 1 from cylinder 39
        to 0. `place(360)` of a DSSD disk is (39, 1, 0).
        """
        track, index = divmod(sector, self.sectors_per_track)
        if track < self.tracks:
            return track, 0, index
        return 2 * self.tracks - 1 - track, 1, index


GEOMETRIES: dict[str, Geometry] = {
    "SSSD": Geometry(40, 1, 9, 1),  # 360 sectors
    "DSSD": Geometry(40, 2, 9, 1),  # 720
    "SSDD": Geometry(40, 1, 18, 2),  # 720
    "DSDD": Geometry(40, 2, 18, 2),  # 1440
    "SSDD16": Geometry(40, 1, 16, 2),  # 640, CorComp and others
    "DSDD16": Geometry(40, 2, 16, 2),  # 1280
    "SSSD80": Geometry(80, 1, 9, 1),  # 720
    "DSSD80": Geometry(80, 2, 9, 1),  # 1440
    "SSDD80": Geometry(80, 1, 18, 2),  # 1440
    "DSDD80": Geometry(80, 2, 18, 2),  # 2880
    "DSHD": Geometry(80, 2, 36, 3),  # 5760
    "CF": Geometry(40, 2, 20, 2),  # 1600, a volume of the CF7+ and nanoPEB
}
"""Name → geometry. Of geometries with the same number of sectors, the first is the usual one."""

ALIASES = {"DSED": "DSHD", "CF7": "CF", "QD": "DSDD80", "DSQD": "DSDD80"}


_SPELT = re.compile(
    r"(?:(?P<sides>[12SD]S)|(?P<density>[12SD]D)|(?P<tracks>[48]0T))(?=[12SD][SD]|[48]0T|$)"
)
"""A part of a name as xdm99 spells them: DSSD80T, 2S1D80T, 1S/2D."""


def _usual(name: str) -> str:
    """The usual name of a geometry that is spelt by its parts, in any order; else the name."""
    parts: dict[str, str] = {}
    text = name.replace("/", "")
    at = 0
    while at < len(text):
        part = _SPELT.match(text, at)
        if part is None or part.lastgroup in parts:
            return name
        parts[part.lastgroup or ""] = part[0]
        at = part.end()
    if not {"sides", "density"} <= set(parts):
        return name
    sides, density = (parts[each].translate(_LETTERS) for each in ("sides", "density"))
    return sides + density + parts.get("tracks", "").removesuffix("T").removeprefix("40")


_LETTERS = str.maketrans("12", "SD")


def geometry(name: str) -> Geometry:
    """The geometry called `name` (any case). Raises `DiskError` when there is none."""
    key = _usual(name.upper())
    found = GEOMETRIES.get(ALIASES.get(key, key))
    if found is None:
        raise DiskError(f"no geometry {name!r}", remedy=f"use one of {', '.join(GEOMETRIES)}")
    return found


def by_size(sectors: int) -> Geometry | None:
    """The usual geometry of a disk of `sectors` sectors; None for an unusual number."""
    return next((g for g in GEOMETRIES.values() if g.sectors == sectors), None)


def sectors_per_unit(sectors: int) -> int:
    """How many sectors one bitmap bit covers: 1 up to 1600 sectors, then 2, 4, ….

    The bitmap of 200 bytes has 1600 bits. `sectors_per_unit(2880)` is 2, of 5760 it is 4.
    """
    unit = 1
    while sectors > 8 * BITMAP_BYTES * unit:
        unit *= 2
    return unit
