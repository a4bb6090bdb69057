"""Our console with somebody at it."""

from __future__ import annotations

from ti99tools.computer.console.keyscript import Press, Step, Tap, Type
from ti99tools.computer.console.player import HASTY, Player
from ti99tools.computer.console.session import Console
from ti99tools.computer.console.waiting import Awaits, Watcher, shown
from ti99tools.games.hosts.host import Video
from ti99tools.games.hosts.seat import NO_BLINKING, Blinking, Seen, Waits, sight_of
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.media.disk.image import DiskImage

KEYS = Press | Tap | Type
DRIVE = "DSK1"
_WAITS = {
    Awaits.KEY: Waits.KEY,
    Awaits.LINE: Waits.LINE,
    Awaits.PROMPT: Waits.PROMPT,
    Awaits.NOTHING: Waits.NOTHING,
}


class VirtualSeat:
    """See `Seat`."""

    def __init__(self, disk: bytes, max_seconds: float, protected: bool) -> None:
        self._image = DiskImage.from_bytes(disk)
        self.console = Console(max_seconds=max_seconds)
        self.put_in(disk, protected)
        self._player = Player(self.console, max_seconds, look=HASTY)
        self._blinking = NO_BLINKING
        self._watcher = Watcher(self.console, self._shown)
        self._answered = False
        """Tell whether a key was pressed since it was looked at the screen."""
        self.console.boot()

    def _shown(self) -> object:
        if not self._blinking:
            return shown(self.console)
        vdp = self.console.machine.vdp
        return sight_of(vdp.ram, vdp.registers, self._blinking)

    def do(self, step: Step) -> str:
        """Do a step of a key script."""
        end = self._player.do(step)
        if isinstance(step, KEYS) and not self._answered:
            self._watcher.forget()
            self._answered = True
        return str(end)

    def look(self, blinking: Blinking, seconds: float) -> Seen:
        """Let time pass until the machine waits for a key."""
        console, machine = self.console, self.console.machine
        vdp = machine.vdp
        self._blinking = blinking
        waiting = self._watcher.wait(seconds)
        self._answered = False
        machine.sync()
        said = str(console.error or "")
        if console.stopped_at is not None:
            said = f"BREAKPOINT IN {console.stopped_at}"
        return Seen(
            waits=_WAITS[waiting.what],
            video=Video(bytes(vdp.ram), bytes(vdp.registers)),
            at=console.clock.seconds,
            changed=waiting.changed / CPU_HZ,
            place=str(waiting.place),
            looks={str(place): cycle / CPU_HZ for place, cycle in waiting.looks.items()},
            sounds=len(machine.sound.written),
            said=said,
        )

    def clock(self) -> float:
        """Seconds since power-on."""
        return self.console.clock.seconds

    def take_out(self) -> bytes:
        """Take the disk out of DSK1."""
        self.console.machine.drives.eject(DRIVE)
        return self._image.to_bytes()

    def put_in(self, disk: bytes, protected: bool = False) -> None:
        """Put a disk into DSK1."""
        if disk != self._image.to_bytes():
            self._image = DiskImage.from_bytes(disk)
        self.console.machine.drives.mount(DRIVE, self._image, write_protected=protected)

    def leave(self) -> None:
        """Nothing to do: open files stay as the disk has them."""
