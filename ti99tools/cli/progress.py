"""Progress on standard error: a bar on a terminal, a plain line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EVERY = 10.0
"""Seconds between plain lines."""


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` things are done, how fast, and what is left.

    Yields a function that is told how many more are done.
    """
    if not sys.stderr.isatty():
        yield PlainLines(what, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        Elapsed(), TextColumn("left"), Remaining(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, rate="")

        def advance(steps: int) -> None:
            bar.advance(task, steps)
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, rate=f"{speed:.1f}/s" if speed else "")

        yield advance


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
        self.start = self.told = now()

    def __call__(self, steps: int) -> None:
        """`steps` more are done."""
        self.done += steps
        at = self.now()
        if at - self.told < EVERY or self.done >= self.total:
            return
        self.told = at
        rate = self.done / (at - self.start)
        left = (self.total - self.done) / rate if rate else 0.0
        self.write(f"{self.what}: {self.done} of {self.total}, {rate:.1f}/s, {left:.0f} s left")
