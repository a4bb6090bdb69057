"""Our console as a host: fast and without ROMs; its session; and evidence of differences."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ti99tools.base.basic import CELL
from ti99tools.base.counts import Hits
from ti99tools.base.errors import HostError
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.keyscript import Step
from ti99tools.computer.console.player import HASTY, Reason, ScriptEnd, ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.computer.console.waiting import Watcher, screen_state, whereabouts
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.locating import spots_now, spots_of
from ti99tools.computer.interp.run.stack import CallFrame, Frame
from ti99tools.games.hosts.cartridge import machine_for, player_for, switch_on
from ti99tools.games.hosts.disklog import with_files
from ti99tools.games.hosts.host import (
    FINAL,
    KEY_STEPS,
    Cells,
    Evidence,
    Job,
    Played,
    Seen,
    Shot,
    Video,
    WithinFrames,
)
from ti99tools.games.hosts.sight import NO_BLINKING, Blinking, sight_of
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.screen import COLUMNS, ROWS, Screen
from ti99tools.hardware.machine.vdp import VDP, Snapshot
from ti99tools.hardware.render.picture import png, render
from ti99tools.language.listing.listing import statement_offsets
from ti99tools.media.disk.image import DiskImage

DRIVE = "DSK1"


class VirtualSession:
    """A `HostSession` at our console."""

    def __init__(self, disk: bytes, max_seconds: float, protected: bool) -> None:
        self._image = DiskImage.from_bytes(disk)
        self.console = Console(max_seconds=max_seconds)
        self.put_in(disk, protected)
        self._player = ScriptPlayer(self.console, max_seconds, look=HASTY)
        self._blinking = NO_BLINKING
        self._watcher = Watcher(self.console, self._shown)
        self._answered = False
        """Whether a key was pressed since the last look at the screen."""
        self.console.boot()

    def _shown(self) -> object:
        if not self._blinking:
            return screen_state(self.console)
        vdp = self.console.machine.vdp
        return sight_of(vdp.ram, vdp.registers, self._blinking)

    def do(self, step: Step) -> str:
        """Do a step of a key script."""
        end = self._player.do(step)
        if isinstance(step, KEY_STEPS) and not self._answered:
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
        message = str(console.error or "")
        if console.stopped_at is not None:
            message = f"BREAKPOINT IN {console.stopped_at}"
        return Seen(
            waits=waiting.what,
            video=Video(bytes(vdp.ram), bytes(vdp.registers)),
            at=console.clock.seconds,
            changed=waiting.changed / CPU_HZ,
            place=str(waiting.place),
            looks={str(place): cycle / CPU_HZ for place, cycle in waiting.looks.items()},
            sounds=len(machine.sound.written),
            message=message,
        )

    def clock(self) -> float:
        """Seconds of machine time since power-on."""
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


LATELY = 300 * FRAME
"""Cycles at the end of a wait: an address that changed in them counts as changing all the time."""
SHOWN = slice(0x300, 0x820)
"""Sprites, patterns and colours in VDP memory."""


class ChangingAddresses:
    """Addresses in VDP memory that keep changing while a program waits for a key."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._before = b""
        self._changed: dict[int, int] = {}
        self.addresses: set[int] = set()
        self._at = 0

    def look(self) -> None:
        """Compare VDP memory with that of the last look."""
        machine = self._machine
        machine.sync()
        now, cycle = bytes(machine.vdp.ram[SHOWN]), machine.clock.cycles
        if self._before and now != self._before:
            for at, (a, b) in enumerate(zip(self._before, now, strict=True), SHOWN.start):
                if a != b:
                    self._changed[at] = cycle
        self._before, self._at = now, cycle

    def settle(self) -> None:
        """Note what has changed in the last `LATELY` cycles: the program no longer waits."""
        self.addresses |= {at for at, cycle in self._changed.items() if cycle > self._at - LATELY}
        self._changed.clear()
        self._before = b""


class Virtual:
    """Our console as a `Host`."""

    name = "virtual"

    def missing(self) -> str:
        """Empty: it can run everywhere."""
        return ""

    def play(self, job: Job) -> Played:
        """Boot the disk, or start a cartridge, and do the steps.

        The log is read even if the game never closed it.

        Raises HostError for a step `WithinFrames`.
        """
        image = with_files(job.disk, job.files)
        console = machine_for(job, image)
        player = player_for(console, job)
        video: dict[str, Video] = {}

        watch = ChangingAddresses(console.machine)

        def look(name: str) -> None:
            watch.settle()
            console.machine.sync()
            vdp = console.machine.vdp
            video[name] = Video(bytes(vdp.ram), bytes(vdp.registers))

        player.when_snapped = look
        if job.watched:
            player.when_resting = watch.look
        switch_on(console)
        steps = [step for step in job.steps if not isinstance(step, WithinFrames)]
        if len(steps) < len(job.steps):
            raise HostError("the host virtual knows no step with a limit of its own")
        end = player.follow(steps)
        player.snap(FINAL)
        console.close_files()
        records = image.read(job.log).records if job.log in image else None
        return Played(
            records,
            player.screens,
            console.clock.seconds,
            str(end),
            console.reached if isinstance(console, Console) else frozenset(),
            _hits(console) if isinstance(console, Console) else {},
            video,
            restless=frozenset(watch.addresses),
            asked_in=tuple(player.asked_in),
            disk=image,
        )

    def open_session(
        self, disk: bytes, max_seconds: float, protected: bool = False
    ) -> VirtualSession:
        """Switch a console on with a disk in DSK1."""
        return VirtualSession(disk, max_seconds, protected)


def _hits(console: Console) -> Hits:
    """How often the statements of the last program have run."""
    program = console.program
    return {} if program is None else console.hits.get(program.lines, {})


def host() -> Virtual:
    """Our own console as a host, which is always there."""
    return Virtual()


Place = tuple[int, int]
LATER = 60
"""Frames after which the screen shows what a line of the log reports."""
EARLIER = 12
"""How many lines before it have their screens kept."""


@dataclass(frozen=True)
class LogLineSearch:
    """A line of a play log to look for: all lines in order, and its index, from 0."""

    lines: Sequence[str]
    index: int


class _Watch:
    """Watches a session: takes snapshots by name, and the calls when the line sought is made.

    Games may make a line some time before they write it, so both string values and written records
    are watched. A snapshot is taken at each earlier line, and one `LATER` frames after the line
    sought.
    """

    def __init__(
        self,
        console: Console | CartridgeConsole,
        names: Sequence[str],
        sought: LogLineSearch | None,
    ) -> None:
        self.console = console
        self.snaps: dict[str, Snapshot] = {}
        self.calls: tuple[Place, ...] = ()
        self._names = names
        self._sought = sought
        self.earlier: deque[tuple[str, Snapshot]] = deque(maxlen=EARLIER)
        """The lines before the one sought, each with the picture when it was made."""
        self._made = 0
        self._watched: Execution | None = None

    def follow(self, job: Job, player: ScriptPlayer) -> ScriptEnd:
        """Do the steps of a job."""
        player.when_snapped = self.snap
        end = ScriptEnd(Reason.DONE)
        for step in job.steps:
            self._watch_strings()
            end = player.follow([step])
            if not end.done:
                break
        return end

    def snap(self, name: str) -> None:
        """Keep the picture of a snap."""
        self.snaps[name] = self.console.machine.picture()

    def _watch_strings(self) -> None:
        """Watch the strings that the program in memory stores, and its files."""
        self.console.machine.drives.overheard = self._hear
        execution = self.console.execution if isinstance(self.console, Console) else None
        if self._sought is None or execution is None or execution is self._watched:
            return
        self._watched, keep = execution, execution.names["kept"]

        def look_and_keep(text: str) -> str:
            self._look(text)
            result: str = keep(text)
            return result

        execution.names["kept"] = look_and_keep
        execution.rt.files.overheard = self._hear

    def _hear(self, record: bytes) -> None:
        self._look(record.decode("latin-1"))

    def _look(self, text: str) -> None:
        sought = self._sought
        if sought is None or text not in sought.lines[self._made : self._made + 1]:
            return
        if self._made < sought.index:
            self.earlier.append((text, self.console.machine.picture()))
        elif self._made == sought.index:
            if isinstance(self.console, Console):
                self.calls = _calls_now(self.console)
            clock, last = self.console.clock, self._names[-1]
            clock.schedule(clock.cycles + LATER * FRAME, lambda: self.snap(last))
        self._made += 1


def witness(
    job: Job, titles: dict[str, str], sought: LogLineSearch | None, other: Sequence[str]
) -> Evidence:
    """Play a job for its pictures: at the snaps named in `titles`, or around a line of the log.

    A moment that the session does not reach gets the last picture. `other` is a screen of another
    host, drawn after the last snap with the character patterns of this one.
    """
    console = machine_for(job, with_files(job.disk, job.files))
    watch = _Watch(console, list(titles), sought)
    switch_on(console)
    end = watch.follow(job, player_for(console, job))
    last = list(titles)[-1]
    if last not in watch.snaps:
        watch.snap(last)
    known = {titles[name]: watch.snaps[name] for name in titles if name in watch.snaps}
    if sought is not None:
        known = {**_earlier(watch.earlier, watch.snaps[last]), **known}
    caption = "The line of the play log is made here:"
    calls = watch.calls
    if not calls and isinstance(console, Console):
        calls, caption = _where_it_is(console)
    pictures = {title: snapshot.vdp() for title, snapshot in known.items()}
    if other:
        pictures["The other host"] = _with_codes(watch.snaps[last].vdp(), other)
    shots = (
        Shot(title, png(vdp, 1, 0), tuple(Screen(vdp).rows)) for title, vdp in pictures.items()
    )
    marked = tuple(_differing(list(pictures.values())))
    return Evidence(tuple(shots), marked, calls, caption if calls else str(end))


def _earlier(lines: Iterable[tuple[str, Snapshot]], last: Snapshot) -> dict[str, Snapshot]:
    """The latest earlier line at which the screen was different, with its picture."""
    dots = bytes(render(last.vdp()))
    for line, snapshot in reversed(list(lines)):
        if bytes(render(snapshot.vdp())) != dots:
            return {f"Both agree here: {line}": snapshot}
    return {}


def _where_it_is(console: Console) -> tuple[tuple[Place, ...], str]:
    """The place where the program stopped or waits, with its callers, and what it does there."""
    execution = console.execution
    if execution is None:
        return (), ""
    if console.error is not None:
        spots = spots_of(execution.compiler, console.error)[:1]
        calls = tuple((unit.number(place), place[1]) for unit, place in spots)
        return calls, f"The program stops here, {console.error}:"
    position = whereabouts(console)
    if position is None:
        return (), ""
    callers = _callers(execution.compiler, execution.frames)
    return ((position.line, position.offset), *callers), "The program waits here:"


def _calls_now(console: Console) -> tuple[Place, ...]:
    execution = console.execution
    if execution is None:
        return ()
    innermost = [
        (unit.number(place), place[1]) for unit, place in spots_now(execution.compiler)[:1]
    ]
    return (*innermost, *_callers(execution.compiler, execution.frames))


def _callers(compiler: Compiler, frames: Sequence[Frame]) -> Iterator[Place]:
    """The calling statements, the last first; stack frames hold the places to return to."""
    for frame in reversed(frames):
        if isinstance(frame, tuple):
            yield _before(compiler, *frame[1])
        elif isinstance(frame, CallFrame):
            yield _before(compiler, *frame.place)


def _before(compiler: Compiler, line: int, at: int) -> Place:
    """The statement before a place of return: the one that called."""
    listing = compiler.listing
    if not at:
        line, at = line - 1, len(listing.tokens[line - 1])
    offsets = [n for n in statement_offsets(listing.tokens[line]) if n < at]
    return listing.numbers[line], offsets[-1] if offsets else 0


def _with_codes(vdp: VDP, rows: Sequence[str]) -> VDP:
    """The screen with other characters in its cells."""
    screen = Screen(vdp)
    for number, row in enumerate(rows[:ROWS]):
        for column, character in enumerate(row[:COLUMNS]):
            screen.put(number, column, ord(character))
    return vdp


def _differing(pictures: Sequence[VDP]) -> Iterator[Cells]:
    """The cells in which two pictures differ; neighbours in a row are joined."""
    if len(pictures) < 2:
        return
    a, b = (_cells(vdp) for vdp in pictures[:2])
    for row in range(ROWS):
        differ = [a[row][column] != b[row][column] for column in range(COLUMNS)]
        column = 0
        for marked, group in groupby(differ):
            width = len(list(group))
            if marked:
                yield row, column, width
            column += width


def _cells(vdp: VDP) -> list[list[bytes]]:
    """The dots of each cell, including sprites, by row and column."""
    dots, line = bytes(render(vdp)), COLUMNS * CELL
    return [
        [
            b"".join(dots[at : at + CELL] for at in range(start, start + CELL * line, line))
            for start in range(row * CELL * line, row * CELL * line + line, CELL)
        ]
        for row in range(ROWS)
    ]
