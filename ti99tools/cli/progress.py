"""A progress bar on standard error; silent when nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar for `total` things on a terminal; yields a function that advances it."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), Elapsed())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)
