"""A pool of worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from ti99tools.base.errors import Remedy, TIError


@contextmanager
def workers(count: int) -> Iterator[Executor]:
    """A pool of `count` processes, at least one.

    Raises TIError when the system ends one of them, for example for lack of memory.
    """
    try:
        with ProcessPoolExecutor(count) as pool:
            yield pool
    except BrokenProcessPool as error:
        raise TIError(
            "a worker process was ended from outside; what it did is lost",
            remedy=Remedy.FEWER_WORKERS,
        ) from error
