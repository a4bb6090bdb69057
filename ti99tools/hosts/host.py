"""What a host is: a place where a disk boots, keys are pressed, and a play log comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ti99tools.base.hits import Hits
from ti99tools.trace.keyscript import Step

Files = Mapping[str, Sequence[str] | Sequence[bytes] | None]


@dataclass(frozen=True)
class Job:
    """A disk for DSK1 to start from, what to press, and the file to bring back.

    `max_seconds` is machine time. `pace` is for hosts that cannot tell whether a key was taken:
    frames that they let pass after each.
    `files` are put on the disk before: name and lines of text (DIS/VAR 80) or records of bytes
    (INT/VAR 80), None to take a file off.
    """

    disk: bytes
    steps: tuple[Step, ...]
    log: str
    max_seconds: float = 36_000.0
    pace: int = 60
    files: Files = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """What came of a job.

    `records` of the log file, None when it is not there; `screens` by the names of the script's
    `snap` steps and `final`, 24 rows each; `problem` when the session did not go to its end;
    `lines` the numbers of the lines executed of the program that was in memory at last, and `hits`
    how often each of its statements was, where the host can tell.
    """

    records: tuple[bytes, ...] | None
    screens: Mapping[str, tuple[str, ...]]
    seconds: float
    problem: str = ""
    lines: frozenset[int] = field(default_factory=frozenset)
    hits: Hits = field(default_factory=dict)


class Host(Protocol):
    """A machine that can play."""

    name: str

    def missing(self) -> str:
        """Why it cannot run here; empty when it can."""
        ...

    def play(self, job: Job) -> Played:
        """Boot the disk and follow the steps. Raises HostError when the host itself fails."""
        ...
