"""The time that disks take: the controller's routines, the head, the turning disk.

The recordings come from a machine whose drive answers at once: there only the routines' own work
takes time (the figures below, in CPU cycles at 3 MHz). A drive that turns (`mechanics`) adds to it.
Source: loops and whole programs timed from the original ROMs.

In a 5.25-inch drive the head steps from track to track, settles, then waits until the sector comes
by. What was written is read again for a check, one turn later. The position of the disk follows
from the machine's time; the motor is taken to run.

Source: one program timed with a drive that answers at once and with one that turns (MAME, 5.25-inch
drive on the TI controller, SSSD sector image). What the turning adds there, and here, in seconds:
OPEN of a new file 1.58, 1.49; 40 records written 1.63, 1.55; CLOSE 1.25, 1.19; OPEN for INPUT .45,
.45; 40 records read .67, .68; DELETE 1.60, 1.72; RUN of 31 sectors 2.81, 3.05; RUN of the long form
in 60 sectors 10.02, 10.43.
"""

from __future__ import annotations

from ti99tools.hardware.machine.clock import CPU_HZ, Clock
from ti99tools.media.disk.containers.tracks import HFE_FM, HFE_HD, HFE_MFM, HFE_MFM16
from ti99tools.media.disk.geometry import Geometry

TURN = CPU_HZ // 5
"""One turn of the disk: 300 a minute."""
STEP = CPU_HZ // 50
"""One step of the head to the next track: 20 ms."""
SETTLE = CPU_HZ * 15 // 1000
"""Time until the head is at rest after its last step: 15 ms."""


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
        # The wait until the sector's place arrives after the seek, and the time it takes to pass.
        return seek + (span * self._places[number] - now - seek) % TURN + span


def _places(count: int) -> list[int]:
    """The position of each sector on a track of `count`: consecutive numbers lie some places apart,
    as formatted.
    """
    steps = {form.sectors: form.step for form in (HFE_FM, HFE_MFM, HFE_MFM16, HFE_HD)}
    step = steps.get(count, 1)
    order = [step * n % count for n in range(count)]
    return [order.index(number) for number in range(count)]


class Drive:
    """A disk drive with a disk in it, as far as time is concerned."""

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
