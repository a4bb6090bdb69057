"""The text protocol of drivers inside emulators: jobs and reports.

Extended BASIC keeps the running line at 832Eh, as an address between the start and the end of its
line number table (8330h, 8332h): a driver can compute the table's size and the entry's index. The
tables of the programs on the disk give these a meaning. A key that is pressed while another line
runs may be found by a scan of that line (CALL SOUND while it waits, CALL JOYST); it is then lost.

A job is text: settings, `begin`, then an order on each line.

A line is a word, then numbers, places of the keyboard (`k54`: column 5, row 4), and a text in
hexadecimal (`x4849`). Settings:

    offset N           added to character codes in VDP memory
    limit FRAMES       the machine time after which an order is given up
    alpha 1            alpha lock is down
    pace FRAMES        the time between keys where keyboard scans cannot be seen
    cell N             the scratchpad word that is not 0 while the program waits for a key; it is
                       looked at after `mark`, if there is one
    known N            a line number table on the disk has N entries
    ask N I            entry I of such a table is a line that looks for keys
    count N I          it does so between FOR and NEXT, so that it may be a pause
    sound 1            record the bytes sent to the sound chip
    live 1             interactive: more orders come, see below
    WORD xPATH         a file of the kind WORD: disk1, console …

Orders, numbers of frames first:

    wait N             let N frames pass
    until A M xTEXT    go on A frames after a row shows a text; give up after M frames, 0: never
    gone M xTEXT       go on when no row shows a text
    since H M          go on when H hundredths of a frame have passed since the first line of a
                       program was seen, at the nearest end of a frame; give up after M frames
    rest N             go on when the screen has stayed the same for N frames, the cursor aside
    asked N [S I]…     the same with patterns and colours, while the program looks for keys (in
                       entry I of a table of S)
    key H G A k…       press keys until the program has taken them, for A frames at most (0: no
                       limit)
    tap H G k…         press keys for H frames, then wait G, taken or not
    down k…, up k…     keys and joysticks that stay down; release them
    snap xNAME         report the screen
    mark               time counts from here, and sound from the first line that is seen from now

A driver reports line by line:

    SNAP name codes c      a screen: 768 character codes; the one that the cursor covers
    VIDEO name ram regs    VDP memory and registers at that moment
    FAIL order phase why   an order that was never done; the run ends
    AT entries index       the line that was being executed then
    MISSED order           a text that did not come within its frames; the run goes on
    NOTE text              something that the user should know
    LINES n i,i,…          lines executed: these entries of a line number table of n entries
    KEYS taken spared      see `Played`
    SOUND bytes            since the first line after the order `mark` was seen
    CYCLES n               since the order `mark`
    DONE seconds           machine time at the end

Names, codes and bytes are hexadecimal; indexes count from the highest line.

With `live`, when the job's orders are done, the driver reads further ones from standard input, one
per line. It answers each with its reports, then LOOKS and DID; the machine stands still until the
next one comes. An order that fails does not end the run; the end of the input does. Further orders
and reports:

    within N               from here on, give up each order after N frames
    watch N                go on until what is seen or heard changes, for N frames at most; the
                           movement of sprites in motion is not a change
    eject, insert xPATH    take the disk out of DSK1, whose file is then up to date; put one in
    drive                  report what is in it
    forget, known, ask, count   change the line number tables, when other disks bring other programs

    SEEN running sounds ram regs    8344h; number of bytes sent to the sound chip; VDP memory to
                                    081Fh; VDP registers
    DISK there protected            state of the drive: 0 or 1 each
    LOOKS place c,c,…      cycles at which the program looked for a key since the last answer; place
                           is size.index of the line, and a checksum of its stack unless empty
    DID cycles             the order is over; cycles since power-on
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ti99tools.base.basic import READY
from ti99tools.computer.console.keyscript import (
    AFTER_READY,
    AT_REST,
    Asked,
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Tap,
    Type,
    Until,
    Wait,
)
from ti99tools.games.hosts.host import Job, Played, Since, Video, WithinFrames, named
from ti99tools.games.hosts.line_tables import LineTable, entries_of, number_of
from ti99tools.games.hosts.matrix import Place, all_of_stick, places_of, stick
from ti99tools.hardware.machine.clock import FRAMES_A_SECOND
from ti99tools.hardware.machine.keyboard import GAP, HOLD
from ti99tools.hardware.machine.vdp import OFFSET
from ti99tools.media.disk.image import DiskImage

JOB = "job.txt"
"""The file with the job, in the folder of a run."""
SLOWER = 3600
"""Frames by which a program may begin later than on another machine: drives turn."""
TO_TITLE, TO_MENU = 90, 60
"""Frames from power-on to the title screen, and from the first key to the menu."""
BREAK_FRAMES = 60
"""Frames that CLEAR is held: a running program looks for it without a keyboard scan."""
AT_LINE = 90
"""Frames without a change on the screen after which a program counts as waiting for a key if the
waiting line is known.
"""


class Order(NamedTuple):
    """A line of a job; `what` it waits for, for the message if that never comes."""

    text: str
    what: str = ""


@dataclass(frozen=True)
class Setting:
    """What a driver must be told besides the job's steps."""

    tables: Sequence[LineTable] = ()
    files: Mapping[str, str] | None = None
    offset: int = OFFSET
    boots: bool = True
    """Start Extended BASIC first."""
    live: bool = False
    """Read further orders from standard input after the job."""


def orders_of(job: Job, setting: Setting) -> list[Order]:
    """The orders of a job, numbered as in reports. Raises ScriptError for an unknown key."""
    orders = [*boot_orders()] if setting.boots else []
    # A job without Extended BASIC begins with the steps themselves.
    for step in job.steps:
        orders += orders_for(step, job, setting.tables)
    return orders


def boot_orders() -> Iterator[Order]:
    """From power-on to Extended BASIC, which then looks for DSK1.LOAD."""
    yield _line("wait", TO_TITLE)
    # Any key leaves the title screen.
    yield _key("SPACE", HOLD, GAP, True)
    yield _line("wait", TO_MENU)
    # Menu entry 2 is Extended BASIC; entry 1 is TI BASIC.
    yield _key("2", HOLD, 0, True)
    yield _line("mark")


def job_text(job: Job, setting: Setting, orders: Iterable[Order]) -> str:
    """The job as a driver reads it."""
    lines = [
        _line("offset", setting.offset),
        _line("limit", int(job.max_seconds * FRAMES_A_SECOND)),
        _line("alpha", int(job.alpha_lock)),
        _line("pace", job.pace),
        _line("cell", job.cell or 0),
        _line("sound", int(job.sound)),
        *(_line("live", 1) for _ in range(setting.live)),
        *table_orders(setting.tables),
        *(_line(what, text=path.encode()) for what, path in (setting.files or {}).items()),
        _line("begin"),
        *orders,
    ]
    return "".join(f"{line.text}\n" for line in lines)


def orders_for(step: Step, job: Job, tables: Sequence[LineTable]) -> Iterator[Order]:
    """The orders of a step. Raises ScriptError for an unknown key."""
    match step:
        case WithinFrames(text, frames, gone):
            after, wanted = (AFTER_READY, READY) if text is None else (0, text)
            numbers = (frames,) if gone else (after, frames)
            yield _line("gone" if gone else "until", *numbers, text=_codes(wanted), what=wanted)
        case Until(text):
            after, wanted = (AFTER_READY, READY) if text is None else (0, text)
            yield _line("until", after, 0, text=_codes(wanted), what=wanted)
        case Asked(lines):
            entries = [entry for line in lines for entry in entries_of(tables, line)]
            frames = AT_LINE if entries else AT_REST
            yield _line("asked", frames, *(n for pair in entries for n in pair))
        case Since(frames, hundredths):
            yield _line("since", hundredths, frames + SLOWER, what="the program's first line")
        case Wait(frames):
            yield _line("wait", frames)
        case Rest(frames):
            yield _line("rest", frames)
        case Snap(name):
            yield _line("snap", text=name.encode())
        case _:
            yield from _contacts_for(step, job)


def _contacts_for(step: Step, job: Job) -> Iterator[Order]:
    """The orders of a step that moves keys or joysticks."""
    lock = job.alpha_lock
    press = _key if job.patient else _tap
    match step:
        case Type(text):
            yield from (press(character, HOLD, GAP, lock) for character in text)
        case Press(key, hold, gap):
            yield press(key, hold, gap, lock)
        case Tap(key, hold, gap):
            yield _tap(key, hold, gap, lock)
        case Hold(key):
            yield _line("down", places=places_of(key, lock))
        case Release(key):
            yield _line("up", places=places_of(key, lock))
        case Joystick(unit, x, y, fire):
            # The stick may be in any position: first open all contacts, then close the new ones.
            yield _line("up", places=all_of_stick(unit))
            yield _line("down", places=stick(unit, x, y, fire))


def table_orders(tables: Iterable[LineTable]) -> Iterator[Order]:
    """The orders that tell a driver the line number tables."""
    known_tables = list(tables)
    yield from (_line("known", table.size) for table in known_tables)
    yield from (_line("ask", t.size, at) for t in known_tables for at in sorted(t.asking))
    yield from (_line("count", t.size, at) for t in known_tables for at in sorted(t.counting))


def insertion(path: str) -> Order:
    """The order that puts in the disk in a file."""
    return _line("insert", text=path.encode())


def _key(key: str, hold: int, gap: int, lock: bool) -> Order:
    at_most = BREAK_FRAMES if key == "CLEAR" else 0
    held = 0 if hold == HOLD else hold  # a key that the program has taken goes up at once
    return _line("key", held, gap, at_most, places=places_of(key, lock), what=named(key))


def _tap(key: str, hold: int, gap: int, lock: bool) -> Order:
    return _line("tap", hold, gap, places=places_of(key, lock))


def _codes(text: str) -> bytes:
    """A text as it is in screen memory."""
    return text.encode("latin-1", "replace")


def _line(
    verb: str,
    *numbers: int,
    places: Iterable[Place] = (),
    text: bytes | None = None,
    what: str = "",
) -> Order:
    words = [verb, *map(str, numbers), *(f"k{column}{row}" for column, row in places)]
    if text is not None:
        words.append(f"x{text.hex()}")
    return Order(" ".join(words), what)


UNFINISHED = "the emulator ended before the script did"
LATE = "late"
_NEVER = {
    "until": "never on the screen: {what}",
    "gone": "still on the screen: {what}",
    "rest": "the screen never came to rest",
    "asked": "the program never waited for a key",
    "key": "the program never asked for the key {what}",
}
"""Order → what did not happen."""
PRESSED = 1
"""The phase of the order `key` in which the key is down."""


class Transcript:
    """The parsed report of one run.

    `problem` is empty when all orders were done; `notes` are the driver's notes; `executed`: size
    of a line number table → indexes of executed lines.
    """

    def __init__(
        self,
        lines: Iterable[str],
        orders: Sequence[Order] = (),
        tables: Sequence[LineTable] = (),
    ) -> None:
        self.orders, self.tables = orders, tables
        self.screens: dict[str, tuple[str, ...]] = {}
        self.video: dict[str, Video] = {}
        self.beneath: dict[str, str] = {}
        self.executed: dict[int, set[int]] = {}
        self.notes: list[str] = []
        self.missed: list[str] = []
        self.keys_taken = self.spared = self.cycles = 0
        self.sound = b""
        self.seconds = 0.0
        # Stays if the driver ends before it says DONE.
        self.problem = UNFINISHED
        for line in lines:
            word, _, rest = line.partition(" ")
            self._take(word, rest.split(" "))

    def _take(self, word: str, rest: Sequence[str]) -> None:
        """Take one line: what was seen or counted, or how the run went."""
        match word, rest:
            case "SNAP", (name, codes, beneath):
                self.screens[_text(name)] = rows_of(codes)
                self.beneath[_text(name)] = bytes.fromhex(beneath).decode("latin-1")
            case "VIDEO", (name, ram, registers):
                self.video[_text(name)] = Video(bytes.fromhex(ram), bytes.fromhex(registers))
            case "SOUND", (sound,):
                self.sound = bytes.fromhex(sound)
            case "LINES", (size, indexes):
                self.executed.setdefault(int(size), set()).update(map(int, indexes.split(",")))
            case "KEYS", (count, spared):
                self.keys_taken, self.spared = int(count), int(spared)
            case "CYCLES", (cycles,):
                self.cycles = int(cycles)
            case _:
                self._hear(word, rest)

    def _hear(self, word: str, rest: Sequence[str]) -> None:
        """Take a line about how the run went; an unknown one says nothing."""
        match word, rest:
            case "FAIL", (order, phase, *why):
                self.problem = self._never(int(order), int(phase), " ".join(why))
            case "AT", (size, index):
                number = number_of(self.tables, int(size), int(index))
                if number is not None:
                    self.problem += f" (it is in line {number})"
            case "MISSED", (order,):
                self.missed.append(self.orders[int(order)].what)
            case "NOTE", words:
                self.notes.append(" ".join(words))
            case "DONE", (seconds,):
                self.seconds = float(seconds)
                # A FAIL before DONE has given the reason already.
                self.problem = "" if self.problem == UNFINISHED else self.problem

    def _never(self, at: int, phase: int, why: str) -> str:
        # Any other reason is in the driver's own words.
        if why != LATE or at >= len(self.orders):
            return why
        text, what = self.orders[at]
        verb = text.partition(" ")[0]
        if verb == "key" and phase >= PRESSED:
            return f"the program never took the key {what}"
        return _NEVER.get(verb, "the machine time is over").format(what=what)

    def played_lines(self) -> frozenset[int]:
        """Executed line numbers, of the longest program on the disk for which any are known."""
        # Tables come longest first.
        for table in self.tables:
            if table.size in self.executed:
                places = self.executed[table.size]
                return frozenset(table.numbers[at] for at in places if 0 <= at < table.size)
        return frozenset()

    def played(self, disk: DiskImage, log: str) -> Played:
        """The result of the job; `disk` is the one that came back."""
        return Played(
            records=disk.read(log).records if log in disk else None,
            screens=self.screens,
            seconds=self.seconds,
            problem=self.problem,
            lines=self.played_lines(),
            video=self.video,
            beneath=self.beneath,
            keys_taken=self.keys_taken,
            spared=self.spared,
            disk=disk,
            missed=tuple(self.missed),
            sound=self.sound,
            cycles=self.cycles,
        )


def _text(name: str) -> str:
    return bytes.fromhex(name).decode("utf-8")


def rows_of(codes: str) -> tuple[str, ...]:
    """24 rows of 32 characters from 768 codes in hexadecimal."""
    # Latin-1 keeps each of the 256 codes as one character.
    text = bytes.fromhex(codes).decode("latin-1")
    return tuple(text[at : at + 32] for at in range(0, 768, 32))
