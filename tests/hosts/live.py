"""Our own console under the orders of a person at a machine, with a fault if one is wanted.

With it whole matches are played through `EmulatorSession` without an emulator and without a ROM.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.hosts.standin import Driver, StandIn, _text
from ti99tools import DiskImage
from ti99tools.base.errors import HostError
from ti99tools.computer.console.asking import LOOK, shown_memory
from ti99tools.computer.console.keyscript import Press, Tap
from ti99tools.computer.console.player import HASTY, ScriptPlayer
from ti99tools.computer.console.waiting import Watcher
from ti99tools.games.hosts.dialogue import Dialogue
from ti99tools.games.hosts.driver import JOB, Setting
from ti99tools.games.hosts.host import Job

DRIVE = "DSK1"
FAULTS = ("lost", "twice", "kept", "late", "dies")
"""What a driver may do wrong: lose a tap, press twice, keep a key down, look late (it reports the
screen of the question before), end.
"""
OFTEN = 7
"""One of this many taps or looks is wrong."""


class LiveStandIn(StandIn):
    """See `SessionHost`. `fault`: one of `FAULTS`; `protects`: it can write-protect a disk."""

    name, title = "live", "the live stand-in"

    def __init__(self, fault: str = "", protects: bool = True) -> None:
        super().__init__()
        self.fault, self.protects = fault, protects
        self.sessions = 0

    def converse(self, folder: Path, job: Job, setting: Setting) -> Dialogue:
        self.sessions += 1
        text = (folder / JOB).read_text()
        # The first machine of a match is the one of the clean start.
        fault = self.fault if self.sessions % 2 == 0 else ""
        return LiveDriver(text, job, setting, fault, self.protects)


class LiveDriver(Driver):
    """See `Dialogue`."""

    def __init__(
        self, text: str, job: Job, setting: Setting, fault: str, protects: bool = True
    ) -> None:
        super().__init__(text, job, setting, id)
        assert self.setting["live"] == "1"
        self.fault, self.protects = fault, protects
        self.player = ScriptPlayer(self.console, self.player.max_seconds, look=HASTY)
        self.watcher = Watcher(self.basic)
        self.seen: object = None
        self.before = self.now = [""]
        self.done = len(self.orders)
        self.taps = self.snaps = 0
        self.insert(self.disk)
        self.basic.boot()
        self.answer_lines = [*self.over()]

    def answer(self, seconds: float) -> list[str]:
        return self.answer_lines

    def tell(self, order: str) -> None:
        if self.fault == "dies" and self.taps == OFTEN:
            raise HostError("live: it ended")
        self.orders.append(order)
        self.answer_lines = [*self.do(self.done, *order.split(" ")), *self.over()]
        self.done += 1

    def close(self) -> None:
        pass

    def over(self) -> Iterator[str]:
        """LOOKS and DID."""
        for cycle, (at, *back) in ((c, p) for c, p in self.watcher._looks if p):
            called = f".{hash(tuple(back)) & 0xFFFFFFFF:08x}" if back else ""
            yield f"LOOKS 1.{at[0] * 256 + at[1]}{called} {cycle}"
        self.watcher.forget()
        yield f"DID {self.console.clock.cycles}"

    def do(self, number: int, verb: str, *words: str) -> Iterator[str]:
        match verb:
            case "watch":
                yield from self.watch(int(words[0]))
            case "tap":
                self.tap(verb, *words)
            case "key":
                places = frozenset((int(word[1]), int(word[2])) for word in words[3:])
                end = self.player.do(Press(self.name(places), int(words[0]) or 4, int(words[1])))
                if not end.done:
                    yield f"FAIL {number} 0 late"
            case "eject":
                self.console.machine.drives.eject(DRIVE)
                if self.disk.stat().st_mode & 0o222:
                    self.disk.write_bytes(self.image.to_bytes())
            case "insert":
                self.insert(Path(_text(words[0][1:])))
            case "drive":
                yield f"DISK 1 {int(self.is_protected())}"
            case _:
                yield from super().do(number, verb, *words)

    def tap(self, verb: str, hold: str, gap: str, *places: str) -> None:
        name = self.name(frozenset((int(word[1]), int(word[2])) for word in places))
        self.taps += 1
        down, up = int(hold), int(gap)
        wrong = self.taps % OFTEN == 0
        if wrong and self.fault == "lost":
            self.console.wait(down + up)
            return
        if wrong and self.fault == "kept":
            down += 90
        self.player.do(Tap(name, down, up))
        if wrong and self.fault == "twice":
            self.player.do(Tap(name, down, 6))

    def watch(self, frames: int) -> Iterator[str]:
        machine = self.console.machine
        for passed in range(LOOK, frames + LOOK, LOOK):
            self.console.wait(LOOK)
            picture = machine.picture()
            ram, registers = bytes(picture.ram[:0x820]), bytes(picture.registers)
            now = shown_memory(ram), registers, len(machine.sound.written)
            if now != self.seen or passed >= frames:
                break
        self.seen = now
        running = int(self.console.running)
        yield f"SEEN {running} {now[2]} {ram.hex()} {registers.hex()}"

    def snap(self, name: str) -> Iterator[str]:
        """The end of a look."""
        self.before, self.now = self.now, [*super().snap(name)]
        self.snaps += 1
        wrong = self.fault == "late" and self.snaps % OFTEN == 0
        yield from self.before if wrong else self.now

    def insert(self, path: Path) -> None:
        self.disk = path
        self.image = DiskImage.from_bytes(path.read_bytes())
        protected = self.is_protected()
        self.console.machine.drives.mount(DRIVE, self.image, write_protected=protected)

    def is_protected(self) -> bool:
        return self.protects and not self.disk.stat().st_mode & 0o222
