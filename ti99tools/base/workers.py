"""A pool of worker processes, which end with the process that they work for, however it ends.

Ctrl-C in a terminal reaches all processes of a command. Workers ignore it: the main process decides
what becomes of them. Each watches the main process, and ends when it is gone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from ti99tools.base.errors import Remedy, TIError


@contextmanager
def workers(count: int) -> Iterator[Executor]:
    """A pool of `count` processes, at least one.

    When the body ends early, by Ctrl-C or any exception, so do the workers, whatever they are
    doing. Raises TIError when the system ends one of them, for example for lack of memory.
    """
    pool = _Pool(count, initializer=_begin)
    try:
        yield pool
    except BrokenProcessPool as error:
        pool.shutdown()
        raise TIError(
            "a worker process was ended from outside; what it did is lost",
            remedy=Remedy.FEWER_WORKERS,
        ) from error
    except BaseException:
        pool.abandon()
        raise
    pool.shutdown()


class _Pool(ProcessPoolExecutor):
    """A pool whose processes are born deaf to Ctrl-C."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """As usual. It starts the processes, which inherit the blocked signal until `_begin`."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def abandon(self) -> None:
        """End the processes at once, and drop what is left to do."""
        # Without this, shutdown waits for what they are doing, which may be long.
        for process in list((self._processes or {}).values()):
            process.terminate()
        self.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a worker: it ignores Ctrl-C, and ends with its main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_main, daemon=True).start()


def _end_with_main() -> None:
    main = multiprocessing.parent_process()
    if main is not None:
        main.join()
        os._exit(1)
