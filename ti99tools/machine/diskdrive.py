"""The time that disks take: the controller's routines, and a drive that turns if there is one.

The recordings come from a machine whose drive answers at once; only the routines' own work takes
time there (the figures below, in CPU cycles at 3 MHz). A drive that turns (`mechanics`) adds to it.
Source: loops and whole programs timed on the real machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ti99tools.disk.geometry import Geometry
from ti99tools.machine.clock import Clock

if TYPE_CHECKING:
    from ti99tools.machine.mechanics import Mechanics

OPENED, CREATED, REPLACED = 142_000, 545_000, 60_000
"""OPEN; more for a new file; more for OUTPUT to one that was there."""
OPENED_TO_CHANGE = 85_000
"""OPEN for UPDATE or APPEND."""
CLOSED, DESCRIBED = 163_000, 172_000
"""CLOSE; more where a descriptor is written."""
REWOUND = 130_000
"""RESTORE #."""
SOUGHT, DELETED = 20_000, 700_000
"""DELETE; more where the file was there."""
READ, READ_BYTE = 149_000, 200
WRITTEN, WRITTEN_BYTE = 118_000, 1_700
"""A record, and each byte of it."""
LOOKED = 140_000
"""EOF."""
ALLOCATED = 11_500
"""Finding a free sector."""
NOT_READY, STILL_NOT_READY = 300_000, 600_000
"""Waiting for a drive without a disk: for the index of files; after that, to change the disk."""


class Drive:
    """A disk drive with a disk in it, as far as it takes time."""

    def __init__(self, clock: Clock, geometry: Geometry | None = None) -> None:
        """`geometry` is that of the disk in a drive that turns."""
        self._clock = clock
        self._mechanics: Mechanics | None = None
        if geometry is not None:
            from ti99tools.machine.mechanics import Mechanics

            self._mechanics = Mechanics(geometry)

    def spend(self, cycles: int) -> None:
        """Let the controller's routines work."""
        self._clock.advance(cycles)

    def read(self, sector: int) -> None:
        """Wait until a sector has been read."""
        if self._mechanics is not None:
            self.spend(self._mechanics.access(sector, self._clock.cycles))

    def write(self, sector: int) -> None:
        """Wait until a sector has been written and verified."""
        if self._mechanics is not None:
            self.read(sector)
            self.spend(self._mechanics.verifying)
