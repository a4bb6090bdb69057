"""An emulator that is our own console behind the driver's language: jobs as text, lines back.

With it all of a host's Python side runs where there is neither an emulator nor a ROM.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ti99tools import Console, DiskImage
from ti99tools.computer.console.anyconsole import LOOK
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.keyscript import Joystick, Press, Rest, Snap, Wait
from ti99tools.computer.console.player import Reason, ScriptEnd, ScriptPlayer
from ti99tools.computer.interp.run.locating import spot_now
from ti99tools.games.hosts.driver import JOB, Setting
from ti99tools.games.hosts.emulator import Emulator
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.matrix import STICKS, places_of
from ti99tools.hardware.machine.clock import FRAME, FRAMES_A_SECOND
from ti99tools.hardware.machine.keycodes import FUNCTION_KEYS
from ti99tools.hardware.machine.vdp import VDP

NAMES = {
    frozenset(places_of(key, locked)): key
    for locked in (False, True)
    for key in [*map(chr, range(32, 127)), *FUNCTION_KEYS.values(), "\n", "QUIT", "FCTN"]
    if not key.islower()
}
"""Places that are down together → the key that is pressed so."""
AT_WORK = 20
"""A program is at work after this many frames without a look for a key."""
Spoil = Callable[[list[str]], list[str]]


class StandIn(Emulator):
    """See `Host`. `spoil` may change what the driver says; `poke` the console at each snap.

    `slow`: frames by which its drive makes programs begin later.
    """

    name, title = "standin", "the stand-in"

    def __init__(
        self, spoil: Spoil = lambda lines: lines, poke: Callable[[VDP], object] = id, slow: int = 0
    ) -> None:
        super().__init__("/bin/true", Path())
        self.spoil, self.poke, self.slow = spoil, poke, slow
        self.jobs: list[str] = []

    def missing(self) -> str:
        return ""

    def prepare(self, folder: Path, job: Job) -> Mapping[str, str]:
        return {}

    def command(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        raise AssertionError("no process is started")

    def drive(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        text = (folder / JOB).read_text()
        self.jobs.append(text)
        driver = Driver(text, job, setting, self.poke)
        driver.console.clock.advance(self.slow * FRAME)
        return self.spoil(list(driver.lines()))


class Cell:
    """The `KeyQuestions` of a program that reports in a word that it waits for a key."""

    def __init__(self, console: CartridgeConsole, at: int) -> None:
        self._bus, self._at = console.engine.bus, at

    deaf = False

    def asks(self, half: bool) -> bool:
        """See `KeyQuestions`."""
        return not self._at or self._bus.word_at(self._at) != 0

    def given(self) -> None:
        """See `KeyQuestions`."""


class Driver:
    """Follows the orders of one job."""

    def __init__(
        self, text: str, job: Job, setting: Setting, poke: Callable[[VDP], object]
    ) -> None:
        head, _, orders = text.partition("begin\n")
        self.setting = dict(line.partition(" ")[::2] for line in head.splitlines())
        self.orders = orders.splitlines()
        self.disk = Path(_text(self.setting["disk1"][1:]))
        self.image = DiskImage.from_bytes(self.disk.read_bytes())
        seconds = int(self.setting["limit"]) / FRAMES_A_SECOND
        drives = {"DSK1": self.image}
        self.console: Console | CartridgeConsole = (
            Console(drives, max_seconds=seconds, expansion=job.expansion, watched=True)
            if job.cartridge is None
            else CartridgeConsole(job.cartridge, disks=drives, max_seconds=seconds)
        )
        if isinstance(self.console, CartridgeConsole):
            self.console.machine.keyboard.ask(Cell(self.console, int(self.setting["cell"])))
        self.console.machine.keyboard.alpha_lock = self.setting["alpha"] == "1"
        self.player = ScriptPlayer(self.console, seconds, patient=job.patient)
        self.tables = setting.tables
        self.poke = poke
        self.job = job

    @property
    def basic(self) -> Console:
        """The console, if Extended BASIC runs on it."""
        assert isinstance(self.console, Console)
        return self.console

    def lines(self) -> Iterator[str]:
        booted = False
        for number, order in enumerate(self.orders):
            if not booted:
                booted = order == "mark"
                if booted:
                    self._start()
                continue
            failed = False
            for message in self.do(number, *order.split(" ")):
                yield message
                failed = message.startswith("FAIL")
            if failed:
                break
        yield from self.snap(b"final".hex())
        for table in self.tables:
            lines = self.basic.reached
            indexes = [str(at) for at, number in enumerate(table.numbers) if number in lines]
            if indexes:
                yield f"LINES {table.size} {','.join(indexes)}"
                break
        if self.setting["sound"] == "1":
            yield f"SOUND {bytes(self.console.sound.written).hex()}"
        yield "KEYS 0 0"
        yield f"CYCLES {self.console.clock.cycles}"
        yield f"DONE {self.console.clock.seconds:.2f}"
        if self.job.patient and self.job.cartridge is None:
            self.basic.close_files()
        self.disk.write_bytes(self.image.to_bytes())

    def _start(self) -> None:
        if isinstance(self.console, Console):
            self.console.boot()
        else:
            self.console.choose()

    def do(self, number: int, verb: str, *words: str) -> Iterator[str]:
        numbers = [int(word) for word in words if word[0].isdigit()]
        places = frozenset((int(word[1]), int(word[2])) for word in words if word[0] == "k")
        text = next((word[1:] for word in words if word[0] == "x"), "")
        end = None
        match verb:
            case "wait":
                self.player.do(Wait(numbers[0]))
            case "since":
                # The player's clock starts at power-on, and nothing has waited yet.
                begun = self.basic.computer.began / FRAME + numbers[0] / 100
                self.player.do(Wait(round(begun)))
            case "until":
                limit = numbers[1] / FRAMES_A_SECOND if numbers[1] else None
                end = self.player.until(None if numbers[0] else _text(text), limit)
                if not end.done and limit is not None:
                    yield f"MISSED {number}"
                    end = None
            case "gone":
                for _ in range(0, numbers[0], LOOK):
                    if not self.console.screen.shows(_text(text)):
                        return
                    self.player.do(Wait(LOOK))
                yield f"MISSED {number}"
            case "rest":
                end = self.player.do(Rest(numbers[0]))
            case "asked":
                end = self.asked(numbers[0], [*zip(numbers[1::2], numbers[2::2], strict=True)])
            case "key" | "tap":
                end = self.player.do(Press(self.name(places), numbers[0] or 4, numbers[1]))
            case "down" | "up":
                self.hold(places, verb == "down")
            case "snap":
                self.player.do(Snap(_text(text)))
                yield from self.snap(text)
        if (end is not None and not end.done) or (
            self.console.error is not None and self.player.max_seconds and verb == "key"
        ):
            yield f"FAIL {number} 0 late"

    def asked(self, frames: int, entries: list[tuple[int, int]]) -> ScriptEnd:
        """As drivers do: the screen rests while nothing but these lines looks for keys."""
        wanted = {t.numbers[at] for t in self.tables for size, at in entries if t.size == size}
        known = {t.numbers[at] for t in self.tables for at in t.asking}
        console, since, looks, before = self.console, 0, 0, (b"", b"")
        found: list[int] = []
        asleep = 0

        def look() -> None:
            execution = console.execution
            spot = None if execution is None else spot_now(execution.compiler)
            found.append(0 if spot is None else spot[0].number(spot[1]))

        while since < frames or looks < 2:
            found.clear()
            console.machine.keyboard.tell_look(look)
            self.player.do(Wait(LOOK))
            ram = bytes(console.machine.vdp.ram)
            now = console.screen.codes.replace(b"\x1e", b" "), ram[0x3F0:0x780] + ram[0x800:0x820]
            elsewhere = bool(wanted) and any(n not in wanted for n in found if n in known)
            same = now == before and not elsewhere
            asleep = 0 if found else asleep + LOOK
            same = same and asleep <= AT_WORK
            since, looks, before = (since + LOOK, looks + bool(found), now) if same else (0, 0, now)
            if console.clock.seconds > self.player.max_seconds:
                return ScriptEnd(Reason.LATE)
        return ScriptEnd(Reason.DONE)

    def hold(self, places: frozenset[tuple[int, int]], down: bool) -> None:
        """Press or release keys by their name, and move joysticks to how they then stand."""
        sticks = {place for place in places if place[0] >= STICKS}
        for unit in {column - STICKS + 1 for column, _ in sticks}:
            rows = {row for column, row in sticks if column == STICKS + unit - 1} if down else set()
            x, y = 4 * ((2 in rows) - (1 in rows)), 4 * ((4 in rows) - (3 in rows))
            self.player.do(Joystick(unit, x, y, 0 in rows))
        keys = frozenset(places - sticks)
        if keys and down:
            self.console.hold(self.name(keys))
        elif keys:
            self.console.release(self.name(keys))

    def name(self, places: frozenset[tuple[int, int]]) -> str:
        """The key that is pressed at some places."""
        key = NAMES[places]
        small = self.setting["alpha"] == "0" and len(places) == 1 and len(key) == 1
        return key.lower() if small else key

    def snap(self, name: str) -> Iterator[str]:
        console = self.console
        console.machine.sync()
        vdp = console.machine.vdp
        self.poke(vdp)
        editor = console.computer.editor if isinstance(console, Console) else None
        beneath = editor.beneath if editor is not None else None
        codes, under = console.screen.codes.hex(), f"{32 if beneath is None else beneath:02x}"
        yield f"SNAP {name} {codes} {under}"
        yield f"VIDEO {name} {bytes(vdp.ram).hex()} {bytes(vdp.registers).hex()}"


def _text(coded: str) -> str:
    return bytes.fromhex(coded).decode("latin-1")
