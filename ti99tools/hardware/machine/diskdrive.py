"""The time that disks take: the controller's routines, the head, the turning disk.

A 5.25-inch drive: where its head and its disk are, and how long a sector lets wait.

The head steps from track to track, comes to rest, then waits until the sector comes by; what was
written is read again for a check, a turn later. The disk's place follows from the machine's time;
the motor is taken to run.

Source: one program timed with a drive that answers at once and with one that turns (MAME, 5.25-inch
drive on the TI controller, SSSD sector image). What the turning adds there, and here, in seconds:
OPEN of a new file 1.58, 1.49; 40 records written 1.63, 1.55; CLOSE 1.25, 1.19; OPEN for INPUT .45,
.45; 40 records read .67, .68; DELETE 1.60, 1.72; RUN of 31 sectors 2.81, 3.05; RUN of the long form
in 60 sectors 10.02, 10.43.

The time that disks take: the controller's routines, and a drive that turns if there is one.

The recordings come from a machine whose drive answers at once; only the routines' own work takes
time there (the figures below, in CPU cycles at 3 MHz). A drive that turns (`Mechanics`) adds to it.
Source: loops and whole programs timed from the original ROMs.
"""

from __future__ import annotations

from ti99tools.hardware.machine.clock import CPU_HZ, Clock
from ti99tools.media.disk.containers.tracks import HFE_FM, HFE_HD, HFE_MFM, HFE_MFM16
from ti99tools.media.disk.geometry import Geometry

TURN = CPU_HZ // 5
"""A turn of the disk: 300 a minute."""
STEP = CPU_HZ // 50
"""The head's way to the next track: 20 ms."""
SETTLE = CPU_HZ * 15 // 1000
"""Until the head is at rest after its last step: 15 ms."""


class Mechanics:
    """Head and disk of a drive."""

    verifying = TURN
    """Cycles until a sector that was just written comes by again."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._cylinder = 0
        self._places = _places(geometry.sectors_per_track)

    def access(self, sector: int, now: int) -> int:
        """Cycles from `now` until a sector has passed under the head."""
        cylinder, _, number = self._geometry.place(sector)
        moved = abs(cylinder - self._cylinder)
        seek = moved * STEP + (SETTLE if moved else 0)
        self._cylinder = cylinder
        span = TURN // self._geometry.sectors_per_track
        return seek + (span * self._places[number] - now - seek) % TURN + span


def _places(count: int) -> list[int]:
    """How many sectors of a track of `count` come before each: every few places, as formatted."""
    steps = {form.sectors: form.step for form in (HFE_FM, HFE_MFM, HFE_MFM16, HFE_HD)}
    step = steps.get(count, 1)
    order = [step * n % count for n in range(count)]
    return [order.index(number) for number in range(count)]


OPENED, CREATED, REPLACED = 96_000, 631_000, 60_000
"""OPEN; more for a new file; more for OUTPUT to one that was there."""
OPENED_TO_CHANGE = 39_000
"""OPEN for UPDATE or APPEND."""
CLOSED, DESCRIBED = 122_000, 187_000
"""CLOSE; more where a descriptor is written."""
REWOUND = 130_000
"""RESTORE #."""
SOUGHT, DELETED = 20_000, 700_000
"""DELETE; more where the file was there."""
READ, READ_BYTE = 60_000, 770
WRITTEN, WRITTEN_BYTE = 118_000, 1_250
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
            pass

            self._mechanics = Mechanics(geometry)

    def spend(self, cycles: int) -> None:
        """Let the controller's routines work."""
        self._clock.work(cycles)

    def read(self, sector: int) -> None:
        """Wait until a sector has been read."""
        if self._mechanics is not None:
            self.spend(self._mechanics.access(sector, self._clock.cycles))

    def write(self, sector: int) -> None:
        """Wait until a sector has been written and verified."""
        if self._mechanics is not None:
            self.read(sector)
            self.spend(self._mechanics.verifying)
