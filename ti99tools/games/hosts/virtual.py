"""Our console as a host: no ROMs, hundreds of times faster than the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ti99tools.base.errors import HostError
from ti99tools.computer.console.cartridges import CartridgeConsole
from ti99tools.computer.console.player import HASTY, Player
from ti99tools.computer.console.session import Console
from ti99tools.games.hosts.disklog import with_files
from ti99tools.games.hosts.host import Job, Played, Video, Within
from ti99tools.games.hosts.virtual_seat import VirtualSeat
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.machine import Machine

LATELY = 300 * FRAME
"""Cycles: whatever has changed during so long a wait is taken to keep changing."""
_LET_GO = 4
"""Frames between two keys for a cartridge."""
SHOWN = slice(0x300, 0x820)
"""Sprites, patterns and colours in video memory."""


class Restless:
    """Addresses in video memory that keep changing while a program waits for a key."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._before = b""
        self._changed: dict[int, int] = {}
        self.found: set[int] = set()
        self._at = 0

    def look(self) -> None:
        """Compare with the look before."""
        machine = self._machine
        machine.sync()
        now, cycle = bytes(machine.vdp.ram[SHOWN]), machine.clock.cycles
        if self._before and now != self._before:
            for at, (a, b) in enumerate(zip(self._before, now, strict=True), SHOWN.start):
                if a != b:
                    self._changed[at] = cycle
        self._before, self._at = now, cycle

    def settle(self) -> None:
        """The program no longer waits: note what has changed recently."""
        self.found |= {at for at, cycle in self._changed.items() if cycle > self._at - LATELY}
        self._changed.clear()
        self._before = b""


@dataclass(frozen=True)
class PlayedCartridge:
    """The result of a compiled program: its last screen, and the lines that took the keys."""

    rows: tuple[str, ...]
    asked_in: tuple[int, ...]
    done: bool
    """Tell whether all keys were taken."""


def play_cartridge(data: bytes, keys: Iterable[str], max_seconds: float) -> PlayedCartridge:
    """Play a cartridge: it gets a key whenever the program reports that it waits for one.

    It says so by a word of the scratch pad; see docs/compiling.md. Raises TIError for no cartridge.
    """
    console = CartridgeConsole(data)
    console.choose()
    limit = int(max_seconds * CPU_HZ)
    asked: list[int] = []

    def wait(until: Callable[[], bool]) -> bool:
        while not until():
            if console.clock.cycles >= limit or console.over:
                return False
            console.wait(1)
        return True

    for key in keys:
        if not wait(lambda: console.waiting_line > 0):
            return PlayedCartridge(tuple(console.screen.rows), tuple(asked), False)
        asked.append(console.waiting_line)
        console.hold(key)
        taken = wait(lambda: console.waiting_line == 0)
        console.release(key)
        if not taken:
            return PlayedCartridge(tuple(console.screen.rows), tuple(asked), False)
        console.wait(_LET_GO)
    wait(lambda: console.waiting_line > 0)
    return PlayedCartridge(tuple(console.screen.rows), tuple(asked), True)


class Virtual:
    """See `Host`."""

    name = "virtual"

    def missing(self) -> str:
        """Never anything."""
        return ""

    def play(self, job: Job) -> Played:
        """Boot the disk and follow the steps; the log is read even if the game never closed it.

        Raises HostError for a step with a limit of its own.
        """
        image = with_files(job.disk, job.files)
        console = Console({"DSK1": image}, max_seconds=job.max_seconds, watched=True)
        player = Player(console, job.max_seconds, look=HASTY)
        video: dict[str, Video] = {}

        watch = Restless(console.machine)

        def look(name: str) -> None:
            watch.settle()
            console.machine.sync()
            vdp = console.machine.vdp
            video[name] = Video(bytes(vdp.ram), bytes(vdp.registers))

        player.when_snapped = look
        if job.watched:
            player.when_resting = watch.look
        console.boot()
        steps = [step for step in job.steps if not isinstance(step, Within)]
        if len(steps) < len(job.steps):
            raise HostError("the host virtual knows no step with a limit of its own")
        end = player.follow(steps)
        player.snap("final")
        console.close_files()
        records = image.read(job.log).records if job.log in image else None
        seconds = console.clock.seconds
        program = console.program
        hits = {} if program is None else console.hits.get(program.lines, {})
        return Played(
            records,
            player.screens,
            seconds,
            str(end),
            console.reached,
            hits,
            video,
            restless=frozenset(watch.found),
            asked_in=tuple(player.asked_in),
            disk=image,
        )

    def sit(self, disk: bytes, max_seconds: float, protected: bool = False) -> VirtualSeat:
        """Switch a console on with a disk in DSK1."""
        return VirtualSeat(disk, max_seconds, protected)


def host() -> Virtual:
    """The host."""
    return Virtual()
