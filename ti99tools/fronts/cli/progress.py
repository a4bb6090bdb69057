"""Progress on standard error, and the files that a command has written, listed at its end.

Progress is a bar on a terminal, a plain line every ten seconds elsewhere. A written file is listed
with its kind and size.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import click

from ti99tools.base.hostio import WrittenFile, watch_writing

_MARKS = (
    (0, b"\x89PNG", "PNG picture"),
    (0, b"GIF8", "GIF animation"),
    (0, b"RIFF", "WAV sound"),
    (0, b"HXCPICFE", "HFE disk image"),
    (0, b"\x07TIFILES", "TIFILES file"),
    (13, b"DSK", "disk image"),
)
"""Offset, the bytes there, and the kind of file that they mean."""
_ENDINGS = {
    ".keys": "key script",
    ".bas": "listing",
    ".xb": "listing",
    ".lst": "listing",
    ".html": "web page",
    ".rpk": "cartridge",
    ".cf7": "CF7+ card",
    ".info": "lcov",
    ".json": "JSON",
    ".txt": "text",
    ".md": "text",
}
_MANY = 12
"""The number of files from which only their number is shown."""


@contextmanager
def telling(ctx: click.Context) -> Iterator[None]:
    """List the files written, at the end; not for commands that report them themselves."""
    with watch_writing() as files:
        try:
            yield
        finally:
            command = ctx.invoked_subcommand or ""
            if command in OWN_WORDS:
                files = [file for file in files if _is_report(command, file)]
            for line in lines(files):
                click.echo(line, err=True)


OWN_WORDS = frozenset(
    {"assemble", "build", "hosts", "lint", "new", "package", "tape", "tokenize", "verify", "web"}
)
"""Commands that report what they write themselves, except reports of `build` and `verify`."""
_REPORTS = frozenset({".html", ".info", ".json", ".txt"})


def _is_report(command: str, file: WrittenFile) -> bool:
    """Tell whether a file is a web page or a table of coverage."""
    return command in ("build", "verify") and file.path.suffix.lower() in _REPORTS


def lines(files: Iterable[WrittenFile]) -> list[str]:
    """A line for each file; of files with the same name, the last one."""
    last = {file.path: file for file in files}
    if len(last) > _MANY:
        folders = sorted({str(path.parent) for path in last})
        size = sum(file.size for file in last.values())
        return [f"wrote {len(last)} files in {', '.join(folders[:3])}, {size:,} bytes"]
    return [f"wrote {file.path}: {kind(file)}, {file.size:,} bytes" for file in last.values()]


def kind(file: WrittenFile) -> str:
    """The kind of a file, by its first bytes or its name."""
    for offset, mark, name in _MARKS:
        if file.head[offset:].startswith(mark):
            return name
    from ti99tools.base.decoding import is_cartridge

    if is_cartridge(file.head):
        return "cartridge"
    return _ENDINGS.get(file.path.suffix.lower(), "file")


EVERY = 10.0
"""Seconds between plain lines."""


class Advance(Protocol):
    """A receiver of progress."""

    def __call__(self, steps: int) -> None:
        """`steps` more are done."""

    def machine(self, seconds: float) -> None:
        """Add `seconds` of an emulated machine's time."""

    def say(self, text: str) -> None:
        """Show a text at once, above the bar if there is one."""


def speed(seconds: float, wall: float) -> str:
    """Machine time, and its multiple of the real machine's speed; empty if no time passed."""
    if not seconds:
        return ""
    return f"{seconds:,.0f} machine seconds, {seconds / max(wall, 0.001):,.1f} × its speed"


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """Show how many of `total` things are done, how fast, and what is left.

    Yields the receiver of progress.
    """
    if not sys.stderr.isatty():
        yield PlainLines(what, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        Elapsed(),
        TextColumn("left"),
        Remaining(),
        TextColumn("{task.fields[machine]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar, bar.add_task(what, total=total, rate="", machine=""))


class Bar:
    """Progress on a terminal; `bar` is a `rich.progress.Progress`."""

    def __init__(self, bar: Any, task: Any) -> None:
        self.bar, self.task = bar, task
        self.seconds = 0.0

    def __call__(self, steps: int) -> None:
        """`steps` more are done."""
        self.bar.advance(self.task, steps)
        task = self.bar.tasks[0]
        rate = task.finished_speed or task.speed
        machine = speed(self.seconds, task.elapsed or 0.0)
        self.bar.update(self.task, rate=f"{rate:.1f}/s" if rate else "", machine=machine)

    def machine(self, seconds: float) -> None:
        """They took so many seconds of an emulated machine's time."""
        self.seconds += seconds

    def say(self, text: str) -> None:
        """Show a text above the bar."""
        self.bar.console.print(text, markup=False, highlight=False, soft_wrap=True)


class PlainLines:
    """Progress where there is no terminal: `d5000: 120 of 2000, 10.2/s, 184 s left`."""

    def __init__(
        self,
        what: str,
        total: int,
        now: Callable[[], float] = time.monotonic,
        write: Callable[[str], object] = lambda line: print(line, file=sys.stderr, flush=True),
    ) -> None:
        self.what, self.total, self.now, self.write = what, total, now, write
        self.done = 0
        self.seconds = 0.0
        self.start = self.printed_at = now()

    def __call__(self, steps: int) -> None:
        """`steps` more are done."""
        self.done += steps
        at = self.now()
        if at - self.printed_at < EVERY or self.done >= self.total:
            return
        self.printed_at = at
        rate = self.done / (at - self.start)
        left = (self.total - self.done) / rate if rate else 0.0
        machine = speed(self.seconds, at - self.start)
        text = f"{self.what}: {self.done} of {self.total}, {rate:.1f}/s, {left:.0f} s left"
        self.write(f"{text}, {machine}" if machine else text)

    def machine(self, seconds: float) -> None:
        """They took so many seconds of an emulated machine's time."""
        self.seconds += seconds

    def say(self, text: str) -> None:
        """Write a text as it is: there is no bar to keep below it."""
        self.write(text)
