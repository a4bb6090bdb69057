"""The contract of a host: a disk boots, keys are pressed, and a play log comes back.

`Host.play` does a script from start to end. People look first, hold a key for a while, see whether
it did anything, and change disks. A host that can be played like this also has `open_session`, see
`SessionHost`.

Also the evidence of a difference: the screens where a game and its rules, or two hosts, first
differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Protocol, cast, runtime_checkable

from ti99tools.base.counts import Hits
from ti99tools.base.errors import Advice, HostError, Remedy
from ti99tools.base.record import Record
from ti99tools.computer.console.asking import Deciding, WaitKind
from ti99tools.computer.console.keyscript import Press, Step, Tap, Type, Until, Wait
from ti99tools.games.hosts.sight import Blinking
from ti99tools.media.disk.image import DiskImage

OURS = "virtual"
"""The host that is our own console."""
EMULATORS = ("mame", "ti99sim")
"""The hosts that need ROMs."""
HOSTS = (OURS, *EMULATORS)
"""All hosts; each is a module of this room with a function `host()`."""


FINAL = "final"
"""The name of the screen after the session, which shows BASIC's prompt."""


def named(key: str) -> str:
    """The name of a key in messages."""
    return {"\n": "ENTER", " ": "SPACE"}.get(key, key)


class Shot(Record):
    """A picture of the screen (PNG, 256 × 192 dots without border) and its 24 rows of codes."""

    title: str
    png: bytes
    rows: tuple[str, ...]


Cells = tuple[int, int, int]
"""Row and column of a cell, from 0, and the number of cells from there to the right."""


class Evidence(Record):
    """Two screens, or one if there was no other, and where they differ.

    `calls` leads to the place in the program: line number and token offset of the statement, then
    of the GOSUBs and CALLs that led to it. `caption` says what happened there.
    """

    shots: tuple[Shot, ...]
    marked: tuple[Cells, ...] = ()
    calls: tuple[tuple[int, int], ...] = ()
    caption: str = ""


Files = Mapping[str, Sequence[str] | Sequence[bytes] | None]


class Endless(HostError):
    """A run that did not end within the time limit of its host."""


class Unable(HostError):
    """Something that a host cannot do; matches that require it are left out and reported."""


@dataclass(frozen=True, slots=True)
class WithinFrames(Until):
    """Go on when a text is on the screen (`gone`: no longer on it), or after `frames` frames."""

    frames: int = 0
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Since(Wait):
    """Wait for `frames` frames as the machine did for which a script was made.

    There the program on the disk had begun `hundredths` hundredths of a frame before their end. An
    emulator, whose drive may be slower, waits until as much has passed since its own beginning.
    """

    hundredths: int = 0


@dataclass(frozen=True)
class Job:
    """A disk for DSK1 to start from, what to press, and the file to bring back.

    `max_seconds` is machine time. `pace` is the number of frames that pass after each key on hosts
    that cannot tell whether a key was taken.
    `files` are put on the disk first: name and lines of text (DIS/VAR 80) or records of bytes
    (INT/VAR 80), None to take a file off.

    `cartridge`: banks of 8 KB of ROM, whose program starts in place of Extended BASIC; `deciding`
    is what our own console must know of a compiled program, on the disk too, to give it keys.
    `watched` asks it for `restless`.

    The following are for emulators. If not `patient`, keys go up after their frames, taken or not,
    as a person's do and as in the recordings. `expansion`: the 32K are there; `alpha_lock`: it is
    down. `sound` asks for the bytes sent to the sound chip. `cell`, for a program without Extended
    BASIC: the scratchpad address (8300h–83FEh) of a word that is not 0 while the program waits for
    a key.
    """

    disk: bytes
    steps: tuple[Step, ...]
    log: str
    max_seconds: float = 36_000.0
    pace: int = 60
    files: Files = field(default_factory=dict)
    patient: bool = True
    expansion: bool = True
    alpha_lock: bool = True
    sound: bool = False
    cell: int | None = None
    cartridge: bytes | None = None
    deciding: Deciding | None = None
    watched: bool = False


class Video(Record):
    """The state of the VDP: 16 KB of memory, eight registers."""

    ram: bytes
    registers: bytes


@dataclass(frozen=True)
class Played:
    """The result of a job.

    `records`: those of the log file, None without one. `screens`: name of a `snap` step, or
    `final`, → 24 rows. `problem`: why the session did not reach its end; else empty. Where the host
    can tell, `lines` are the executed line numbers of the last program in memory, and `hits` how
    often each of its statements ran.

    `video` is VDP memory at the same moments as `screens`, `beneath` the character that the cursor
    covers. `restless` are addresses in VDP memory that kept changing while the program waited.
    `asked_in`: the lines that waited for a key at each of the script's `until asked` steps.
    `keys_taken`: how many keys the program took; `spared`: how many of these had to be hidden from
    other statements that scanned first. `disk` is the content of DSK1 at the end; `missed` are
    texts that did not come within their frames. `sound` and `cycles` count from the start of
    Extended BASIC.
    """

    records: tuple[bytes, ...] | None
    screens: Mapping[str, tuple[str, ...]]
    seconds: float
    problem: str = ""
    lines: frozenset[int] = field(default_factory=frozenset)
    hits: Hits = field(default_factory=dict)
    video: Mapping[str, Video] = field(default_factory=dict)
    beneath: Mapping[str, str] = field(default_factory=dict)
    restless: frozenset[int] = frozenset()
    asked_in: tuple[tuple[int, ...], ...] = ()
    keys_taken: int = 0
    spared: int = 0
    disk: DiskImage | None = None
    missed: tuple[str, ...] = ()
    sound: bytes = b""
    cycles: int = 0


class Host(Protocol):
    """A machine that can play a job."""

    name: str

    def missing(self) -> str:
        """Why it cannot run here; empty when it can."""
        ...

    def play(self, job: Job) -> Played:
        """Boot the disk and follow the steps. Raises HostError when the host itself fails."""
        ...


def refusal(host: Host) -> HostError:
    """The reason why a host cannot run here, as an error that says what to do."""
    reason = host.missing()
    if isinstance(reason, Advice):
        return HostError(f"{host.name} cannot run here", remedy=reason)
    return HostError(f"{host.name}: {reason}", remedy=Remedy.CHECK_HOST.of(host=host.name))


@cache
def host_named(name: str) -> Host:
    """The host of that name, made once per process so that it can keep what it has prepared."""
    return cast(Host, import_module(f"ti99tools.games.hosts.{name}").host())


KEY_STEPS = Press | Tap | Type
"""Steps that give keys."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player sees once the machine waits for a key.

    `video` has the sprites at their positions, and where the cursor is, the cursor, a space or the
    character beneath it. Times are seconds since power-on: `at` is now, `changed` the last change
    that could be seen or heard. `sounds` counts the bytes sent to the sound chip. `message` is the
    message with which the program stopped; empty if it ended normally.

    `place` names where in the program the key is asked for. `looks`: place → when the program first
    looked for a key there since the last key was pressed. Both are empty if a host cannot tell.
    """

    waits: WaitKind
    video: Video
    at: float
    changed: float
    sounds: int
    message: str = ""
    place: str = ""
    looks: Mapping[str, float] = field(default_factory=dict)

    def asked_at(self, place: str) -> float:
        """When the program first looked for a key at a place; if unknown, the last change."""
        return self.looks.get(place, self.changed)


class HostSession(Protocol):
    """A machine with a player at it."""

    def do(self, step: Step) -> str:
        """Do a step of a key script. Returns why it cannot be done; empty if it was."""
        ...

    def look(self, blinking: Blinking, seconds: float) -> Seen:
        """Let time pass until the machine waits for a key, at most `seconds`.

        Changes of what is `blinking` do not count as work.
        """
        ...

    def clock(self) -> float:
        """Seconds since power-on. (A step may take longer than its length: drives are slow.)"""
        ...

    def take_out(self) -> bytes:
        """Take the disk out of DSK1. Returns its sectors."""
        ...

    def put_in(self, disk: bytes, protected: bool = False) -> None:
        """Put a disk into DSK1; with equal bytes it is the same disk as before."""
        ...

    def leave(self) -> None:
        """Switch the machine off."""
        ...


@runtime_checkable
class SessionHost(Protocol):
    """A host with a session."""

    def open_session(self, disk: bytes, max_seconds: float, protected: bool = False) -> HostSession:
        """Switch a machine on with a disk in DSK1, and choose Extended BASIC."""
        ...
