"""Our console as a host: no ROMs, hundreds of times faster than the machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.console.session import Console
from ti99tools.disk.image import DiskImage
from ti99tools.hosts.host import Job, Played
from ti99tools.trace.keyscript import Press, Snap, Step, Type, Until, Wait

COMPILED = "<Extended BASIC"
"""How the names of compiled code begin."""
SLICE = 20.0
"""Seconds of machine time between looks whether anything still happens."""
STUCK = 3
"""Slices in which the screen stays the same, a key being looked for, until we give up."""


class Virtual:
    """See `Host`."""

    name = "virtual"

    def missing(self) -> str:
        """Nothing ever is."""
        return ""

    def play(self, job: Job) -> Played:
        """Boot the disk and follow the steps; the log is read even if the game never closed it."""
        image = DiskImage.from_bytes(job.disk)
        console = Console({"DSK1": image}, max_seconds=job.max_seconds)
        session = Session(console, job.max_seconds)
        with executed(job.trace) as places:
            problem = session.follow(job.steps)
        session.snap("final")
        console.runtime.files.close_all()
        records = image.read(job.log).records if job.log in image else None
        lines = line_numbers(console, places)
        return Played(records, session.screens, console.clock.seconds, problem, lines)


class Session:
    """A console following a script."""

    def __init__(self, console: Console, max_seconds: float) -> None:
        self.console = console
        self.max_seconds = max_seconds
        self.screens: dict[str, tuple[str, ...]] = {}

    def follow(self, steps: tuple[Step, ...]) -> str:
        """Boot and do all steps; what went wrong, or an empty text."""
        self.console.boot()
        for step in steps:
            try:
                problem = self.do(step)
            except TIError as error:
                problem = str(error)
            if not problem and self.console.error is not None:
                problem = f"the program stopped: {self.console.error}"
            if problem:
                return problem
        return ""

    def do(self, step: Step) -> str:
        """Do one step; what went wrong, or an empty text."""
        console = self.console
        match step:
            case Until(text):
                return self.until(text)
            case Type(text):
                for character in text:
                    console.type(character)
                    if not console.running:
                        break
            case Press(key, hold, gap):
                console.press(key, hold, gap)
            case Wait(frames):
                console.wait(frames)
            case Snap(name):
                self.snap(name)
        return ""

    def until(self, text: str | None) -> str:
        """Let time pass until a text is there; gives up when nothing happens any more."""
        console, unchanged = self.console, 0
        while console.clock.seconds < self.max_seconds:
            before, scans = console.screen.codes, console.machine.keyboard.idle_scans
            if console.run_until(text=text, ready=text is None, seconds=SLICE):
                return ""
            wanted = "* READY *" if text is None else text
            if not console.running:
                return f"the program ended, and never showed {wanted}"
            waits = console.machine.keyboard.idle_scans > scans
            unchanged = unchanged + 1 if waits and before == console.screen.codes else 0
            if unchanged == STUCK:
                return f"the program waits for a key, and never showed {wanted}"
        return f"more than {self.max_seconds:g} seconds of machine time"

    def snap(self, name: str) -> None:
        """Remember the screen."""
        self.screens[name] = tuple(self.console.screen.rows)


@contextmanager
def executed(wanted: bool) -> Iterator[set[tuple[str, int]]]:
    """Collect the lines of compiled Extended BASIC that run: (file name, line of Python)."""
    places: set[tuple[str, int]] = set()
    if not wanted:
        yield places
        return

    def local(frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            places.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def calls(frame: FrameType, event: str, arg: Any) -> Any:
        return local if frame.f_code.co_filename.startswith(COMPILED) else None

    before = sys.gettrace()
    sys.settrace(calls)
    try:
        yield places
    finally:
        sys.settrace(before)


def line_numbers(console: Console, places: set[tuple[str, int]]) -> frozenset[int]:
    """The numbers of the program lines to which places of compiled code belong."""
    if console.execution is None:
        return frozenset()
    units = console.execution.compiler.files
    return frozenset(
        units[file].number(units[file].place(line)) for file, line in places if file in units
    )


def host() -> Virtual:
    """The host."""
    return Virtual()
