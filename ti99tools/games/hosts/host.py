"""The contract of a host: a disk boots, keys are pressed, and a play log comes back.

Also the evidence of a difference: what was seen where a game and its rules, or two hosts, first
differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from ti99tools.base.counts import Hits
from ti99tools.base.errors import Advice, HostError, Remedy
from ti99tools.computer.console.keyscript import Step, Until
from ti99tools.media.disk.image import DiskImage

OURS = "virtual"
"""The host that is our own console."""
EMULATORS = ("mame", "ti99sim")
"""The hosts that need ROMs."""
HOSTS = (OURS, *EMULATORS)
"""Each is a module of this room, which has a function `host()`."""


@dataclass(frozen=True)
class Shot:
    """A picture of the screen (PNG, 256 × 192 dots without border) and its 24 rows of codes."""

    title: str
    png: bytes
    rows: tuple[str, ...]


Cells = tuple[int, int, int]
"""Row and column of a cell, from 0, and how many cells from there to the right."""


@dataclass(frozen=True)
class Evidence:
    """Two screens, or the only one that there was, and where they differ.

    `calls` leads to the place in the program: line number and token offset of the statement, then
    of the GOSUBs and CALLs that led there. `told` says what happened there.
    """

    shots: tuple[Shot, ...]
    marked: tuple[Cells, ...] = ()
    calls: tuple[tuple[int, int], ...] = ()
    told: str = ""


Files = Mapping[str, Sequence[str] | Sequence[bytes] | None]


class Endless(HostError):
    """A run that did not end in the time that its host has for it."""


class Unable(HostError):
    """Something that a host cannot do; what requires it is left out, and that is told."""


@dataclass(frozen=True, slots=True)
class Within(Until):
    """Go on when a text is on the screen, or after so many frames; `gone`: when it has gone."""

    frames: int = 0
    gone: bool = False


@dataclass(frozen=True)
class Job:
    """A disk for DSK1 to start from, what to press, and the file to bring back.

    `max_seconds` is machine time. `pace` is for hosts that cannot tell whether a key was taken:
    frames that they let pass after each.
    `files` are put on the disk before: name and lines of text (DIS/VAR 80) or records of bytes
    (INT/VAR 80), None to take a file off.

    Emulators know these besides. Not `patient`: keys go up after their frames, taken or not, as a
    person lets them go and as recordings were made. `expansion`: there are 32K; `alpha_lock`: it is
    down. `sound` asks for the bytes that are sent to the sound chip. `cell`: the scratchpad address
    (8300h–83FEh) of the word that is not 0 while the program waits for a key, of a program without
    Extended BASIC. `watched` asks our own console for `restless`.
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
    watched: bool = False


@dataclass(frozen=True)
class Video:
    """The video processor at a moment: 16 KB of memory, eight registers."""

    ram: bytes
    registers: bytes


@dataclass(frozen=True)
class Played:
    """What came of a job.

    `records` of the log file, None when it is not there; `screens` by the names of the script's
    `snap` steps and `final`, 24 rows each; `problem` when the session did not go to its end;
    `lines` the numbers of the lines executed of the program that was in memory at last, and `hits`
    how often each of its statements was, where the host can tell.

    `video` at the same moments as `screens`, and `beneath`, the character that the cursor covers.
    `restless` are addresses in video memory that changed all the time while the program waited.
    `asked_in`: the lines that waited for a key at each of the script's `until asked` steps.
    `taken` keys were taken by the program; `spared` of them were kept from another statement that
    looked for keys first, and would have been lost to it. `disk` is what DSK1 holds at the end;
    `missed` are texts that did not come within their frames. `sound` and `cycles` count from
    Extended BASIC on.
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
    taken: int = 0
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
    """The host, made once a process so that it can keep what it has prepared."""
    return cast(Host, import_module(f"ti99tools.games.hosts.{name}").host())
