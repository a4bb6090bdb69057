"""A session at a machine inside an emulator; see `hosts.host`.

The driver does one order at a time and reports what is shown (`hosts.driver`); its meaning is
decided here. The machine stands still between orders, so all time is machine time.

INPUT, ACCEPT and the prompt show a blinking cursor. A program that calls KEY waits when nothing
changes any more (`computer.console.asking`). The place where it looks for keys is known by the
running line and the contents of the stack. With an empty stack the place is uncertain, and never
counts as one where the program has waited before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Protocol

from ti99tools.base.basic import READY
from ti99tools.base.errors import HostError
from ti99tools.computer.console.asking import SHORT, WaitKind, asked_at, shown_memory, waits_for_key
from ti99tools.computer.console.keyscript import AFTER_READY, Step
from ti99tools.games.hosts.dialogue import Dialogue
from ti99tools.games.hosts.driver import (
    JOB,
    UNFINISHED,
    Order,
    Setting,
    Transcript,
    boot_orders,
    insertion,
    job_text,
    orders_for,
    table_orders,
)
from ti99tools.games.hosts.host import KEY_STEPS, Job, Seen, Unable
from ti99tools.games.hosts.line_tables import line_tables
from ti99tools.games.hosts.sight import LIT, NO_BLINKING, Blinking, rows_of_screen, sight_of
from ti99tools.hardware.machine.clock import CPU_HZ, FRAMES_A_SECOND
from ti99tools.hardware.machine.vdp import SCREEN, SCREEN_SIZE
from ti99tools.media.disk.geometry import Geometry
from ti99tools.media.disk.image import DiskImage

TO_BASIC = 3600
"""The most frames until Extended BASIC has started."""
PATIENCE = 180_000
"""The most frames for an order: computer players think."""
LOOKED = "looked"
"""The name of the screen at the end of a look."""
NO_KEYBOARD = "no scratchpad"
"""The driver's note when it cannot see which keys are taken."""
MESSAGE = "* "
"""The beginning of Extended BASIC's messages."""


class _Shown(NamedTuple):
    """The driver's report of the screen and the sound chip."""

    running: bool
    sounds: int
    ram: bytes
    registers: bytes


class SessionEmulator(Protocol):
    """What a session needs from its emulator; see `hosts.emulator`."""

    name: str
    """Its name in messages."""

    def admit(self, geometry: Geometry) -> None:
        """Raise HostError for a disk that it cannot read."""
        ...

    def prepare(self, folder: Path, job: Job) -> Mapping[str, str]:
        """Lay out the ROMs in a folder; returns the files for the driver, by kind."""
        ...

    def converse(self, folder: Path, job: Job, setting: Setting) -> Dialogue:
        """Start the driver there, for orders one by one."""
        ...

    def store(self, path: Path, disk: bytes, protected: bool) -> Path:
        """Write a disk into the folder, write-protected or not; returns its file."""
        ...

    def wall(self, seconds: float) -> float:
        """The most seconds of real time for `seconds` of machine time."""
        ...


class EmulatorSession:
    """A `HostSession` at an emulator.

    `waits`: places where programs have waited, for all its sessions.
    """

    def __init__(
        self,
        host: SessionEmulator,
        disk: bytes,
        max_seconds: float,
        protected: bool,
        waits: MutableMapping[str, float],
    ) -> None:
        self._host, self._waits = host, waits
        self._job = Job(disk, (), "", max_seconds)
        self._orders: list[Order] = []
        self._cycles = self._number = 0
        self._looks: list[tuple[int, str]] = []
        self._answered = False
        """Whether a key was pressed since the last look at the screen."""
        with ExitStack() as stack:
            self._folder = Path(stack.enter_context(TemporaryDirectory(prefix="ti99tools-")))
            self._start(disk, protected)
            stack.callback(self._dialogue.close)
            self._hear(self._host.wall(TO_BASIC / FRAMES_A_SECOND))
            self._ask(Order(f"within {PATIENCE}"))
            self._check_drive()
            self._leave = stack.pop_all()

    def _start(self, disk: bytes, protected: bool) -> None:
        """Start the emulator with a disk in DSK1."""
        image = DiskImage.from_bytes(disk)
        self._host.admit(image.geometry)
        files = dict(self._host.prepare(self._folder, self._job))
        files["disk1"] = str(self._store(disk, protected))
        self._tables = line_tables(image)
        setting = Setting(self._tables, files, live=True)
        self._orders = [Order(f"within {TO_BASIC}"), *boot_orders()]
        text = job_text(self._job, setting, self._orders)
        (self._folder / JOB).write_text(text, encoding="ascii")
        self._dialogue = self._host.converse(self._folder, self._job, setting)

    # -- orders ---------------------------------------------------------------------------

    def _ask(self, order: Order, frames: int = 0) -> list[str]:
        """Give an order that may take `frames` frames; returns the driver's reports."""
        self._orders.append(order)
        self._dialogue.tell(order.text)
        return self._hear(self._host.wall(frames / FRAMES_A_SECOND))

    def _hear(self, wall: float) -> list[str]:
        """The driver's answer; notes the time, and where the program has looked for keys.

        Raises HostError when there is none, Unable when the driver cannot see which keys are taken.
        """
        lines = self._dialogue.answer(wall)
        looks: list[tuple[int, str]] = []
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "LOOKS":
                place, _, cycles = rest.partition(" ")
                looks += ((int(cycle), place) for cycle in cycles.split(","))
            elif word == "DID":
                self._cycles = int(rest)
            elif word == "NOTE" and rest.startswith(NO_KEYBOARD):
                raise Unable(f"{self._host.name} cannot tell which keys are taken")
        self._looks += sorted(looks)
        return lines

    def _transcript_of(self, lines: Iterable[str]) -> Transcript:
        """The driver's answer to the last order, parsed."""
        return Transcript(lines, self._orders, self._tables)

    def do(self, step: Step) -> str:
        """Do a step of a key script."""
        problem = ""
        for order in orders_for(step, self._job, self._tables):
            transcript = self._transcript_of(self._ask(order, PATIENCE))
            problem = "" if transcript.problem == UNFINISHED else transcript.problem
            problem = problem or "".join(
                f"never on the screen: {text}" for text in transcript.missed
            )
            if problem:
                break
        if isinstance(step, KEY_STEPS) and not self._answered:
            self._looks.clear()
            self._answered = True
        return problem

    # -- looks ----------------------------------------------------------------------------

    def look(self, blinking: Blinking, seconds: float) -> Seen:
        """Let time pass until the machine waits for a key."""
        limit = self._cycles + round(seconds * CPU_HZ)
        changed, waits = self._cycles, WaitKind.NOTHING
        before: object = None
        cursor = _Cursor()
        picture: _Shown | None = None
        while waits is WaitKind.NOTHING and self._cycles < limit:
            report = self._watch()
            if report is None:
                break
            picture, now = report, self._noticed(report, blinking)
            if cursor.blinks(picture.ram):
                waits = WaitKind.LINE if picture.running else WaitKind.PROMPT
                changed = self._cycles
            elif before is None:
                before = now
            elif now != before:
                before, changed = now, self._cycles
            elif self._waits_for_key(changed):
                waits = WaitKind.KEY
        if waits is WaitKind.PROMPT:
            self._ask(Order(f"wait {AFTER_READY}"), AFTER_READY)
        self._answered = False
        video = self._transcript_of(self._ask(Order(f"snap x{LOOKED.encode().hex()}"))).video[
            LOOKED
        ]
        seen = {place: cycle / CPU_HZ for cycle, place in reversed(self._looks)}
        return Seen(
            waits=waits,
            video=video,
            at=self._cycles / CPU_HZ,
            changed=changed / CPU_HZ,
            sounds=0 if picture is None else picture.sounds,
            message=_message(video.ram) if waits is WaitKind.PROMPT else "",
            place=asked_at(self._looks, changed) or "",
            looks=seen,
        )

    def _watch(self) -> _Shown | None:
        """Let time pass until something changes; None when the machine time is over."""
        for line in self._ask(Order(f"watch {SHORT}"), SHORT):
            word, *rest = line.split(" ")
            if word == "SEEN":
                running, sounds, ram, registers = rest
                return _Shown(
                    running != "0", int(sounds), bytes.fromhex(ram), bytes.fromhex(registers)
                )
        return None

    def _noticed(self, picture: _Shown, blinking: Blinking) -> object:
        if blinking != NO_BLINKING:
            return sight_of(picture.ram, picture.registers, blinking), picture.sounds
        return shown_memory(picture.ram), picture.registers, picture.sounds

    def _waits_for_key(self, changed: int) -> bool:
        known = self._waits
        if self._looks and self._looks[-1][1].count(".") < 2:
            known = {}
        return waits_for_key(self._looks, changed, self._cycles, known)

    # -- disks ----------------------------------------------------------------------------

    def clock(self) -> float:
        """Seconds of machine time since power-on."""
        return self._cycles / CPU_HZ

    def _store(self, disk: bytes, protected: bool) -> Path:
        """Write a disk into the folder, and remember that it is in the drive."""
        self._number += 1
        path = self._folder / f"disk{self._number}.dsk"
        self._disk, self._protected, self._inside = disk, protected, True
        self._file = self._host.store(path, disk, protected)
        return self._file

    def take_out(self) -> bytes:
        """Take the disk out of DSK1. Raises Unable when the host cannot."""
        if self._inside:
            self._able(self._ask(Order("eject")), "take the disk out")
            self._inside = False
            if not self._protected:
                self._disk = self._file.read_bytes()
        return self._disk

    def put_in(self, disk: bytes, protected: bool = False) -> None:
        """Put a disk into DSK1.

        Raises Unable when the host cannot, or cannot protect it; HostError for a disk that TI's
        disk controller cannot read.
        """
        image = DiskImage.from_bytes(disk)
        self._host.admit(image.geometry)
        self.take_out()
        before, self._tables = self._tables, line_tables(image)
        self._able(self._ask(insertion(str(self._store(disk, protected)))), "put a disk in")
        self._check_drive()
        # The program of the previous disk goes on until it runs another one.
        for order in (Order("forget"), *table_orders((*before, *self._tables))):
            self._ask(order)

    def _check_drive(self) -> None:
        """Check the state of the drive. Raises Unable when it is not the disk that was put in."""
        lines = [line for line in self._ask(Order("drive")) if line.startswith("DISK ")]
        if lines == [f"DISK 1 {int(self._protected)}"]:
            return
        there = lines == ["DISK 1 0"]
        raise self._unable("write-protect a disk" if there else "put a disk in")

    def _able(self, lines: Iterable[str], what: str) -> None:
        transcript = self._transcript_of(lines)
        if transcript.problem != UNFINISHED:
            raise self._unable(f"{what}: {transcript.problem}")

    def _unable(self, what: str) -> Unable:
        return Unable(f"{self._host.name} cannot {what}")

    def leave(self) -> None:
        """Switch the machine off, and remove its files."""
        with suppress(HostError):
            self._leave.close()


class _Cursor:
    """Detects the blinking cursor: one that reappears where it was."""

    def __init__(self) -> None:
        self._lit: set[int] | None = None
        self._gone: set[int] = set()

    def blinks(self, ram: bytes) -> bool:
        """Note one more screen; tell whether a cursor has reappeared in it."""
        names = ram[SCREEN : SCREEN + SCREEN_SIZE]
        lit = {at for at, name in enumerate(names) if name == LIT}
        back = bool(lit & self._gone)
        self._gone = (self._gone | (self._lit or set())) - lit
        self._lit = lit
        return back


def _message(ram: bytes) -> str:
    """The last message of Extended BASIC on the screen other than READY; empty without one."""
    rows: Sequence[str] = [
        row.strip() for row in rows_of_screen(ram[SCREEN : SCREEN + SCREEN_SIZE])
    ]
    messages = [row for row in rows if row.startswith(MESSAGE) and row != READY]
    return messages[-1].removeprefix(MESSAGE) if messages else ""
