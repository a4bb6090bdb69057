"""Tell whether a program only looks for a key: scans go on, and nothing is seen or heard of it."""

from __future__ import annotations

from ti99tools.machine.machine import Machine
from ti99tools.machine.vdp import Snapshot


class Stillness:
    """Compares a machine with itself, from one look to the next.

    All that the video processor shows counts, moving sprites, patterns and colours too, and every
    byte sent to the sound chip.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._scans = machine.keyboard.idle_scans
        self._seen: tuple[Snapshot, int] | None = None

    def look(self, scans: int = 1) -> bool:
        """True if since the last look at least so many scans found no key, and all stayed as it is.

        A look after which no such scans are is not compared with the next one.
        """
        machine = self._machine
        before, self._scans = self._scans, machine.keyboard.idle_scans
        if self._scans - before < scans:
            self._seen = None
            return False
        machine.sync()
        seen = Snapshot.of(machine.vdp), len(machine.sound.written)
        same, self._seen = seen == self._seen, seen
        return same
