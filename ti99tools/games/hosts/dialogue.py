"""A dialogue with a running driver: it gets an order, and answers with its reports.

Orders go to its standard input, one per line. Reports come from its standard output in lines that
begin with `@`; an answer ends with DID. See `hosts.driver`.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Thread
from typing import IO, Protocol
from weakref import finalize

from ti99tools.base.errors import HostError, Remedy
from ti99tools.games.hosts.host import Endless

ERRORS = "errors.txt"
"""The file, in the folder of a run, with an emulator's standard error."""
MOST_LINES = 10_000
"""The most unread lines; a driver that says more has to wait."""
PARTING = 30.0
"""Seconds for an emulator to end."""


class Dialogue(Protocol):
    """A driver that answers."""

    def answer(self, seconds: float) -> list[str]:
        """The lines that it says up to DID, within `seconds`.

        Raises Endless when it takes longer, HostError when it has ended.
        """
        ...

    def tell(self, order: str) -> None:
        """Give it an order. Raises HostError when it has ended."""
        ...

    def close(self) -> None:
        """End it. Does nothing when it has ended."""
        ...


class Piped:
    """A driver in a process of its own; see `Dialogue`.

    Raises HostError with the `remedy` when the program does not start.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        remedy: Remedy | str,
    ) -> None:
        self._name, self._remedy = name, remedy
        self._errors = folder / ERRORS
        try:
            with self._errors.open("wb") as errors:
                self._process = subprocess.Popen(
                    command,
                    env={**os.environ, **environment},
                    cwd=folder,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    encoding="utf-8",
                    errors="replace",
                )
        except OSError as error:
            problem = f"{name}: {command[0]} does not start: {error.strerror}"
            raise HostError(problem, remedy=remedy) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders: IO[str] = self._process.stdin
        self._lines: Queue[str | None] = Queue(MOST_LINES)
        self._over = False
        Thread(target=_hear, args=(self._process.stdout, self._lines), daemon=True).start()
        self._kill = finalize(self, _end, self._process)

    def answer(self, seconds: float) -> list[str]:
        """The lines that the driver says up to DID."""
        limit = time.monotonic() + seconds
        lines: list[str] = []
        while not (lines and lines[-1].startswith("DID ")):
            try:
                line = self._lines.get(timeout=max(0.0, limit - time.monotonic()))
            except Empty:
                raise Endless(f"{self._name}: no answer after {seconds:.0f} seconds") from None
            if line is None:
                self._over = True
                raise self._ended(lines)
            lines.append(line)
        return lines

    def tell(self, order: str) -> None:
        """Give the driver an order."""
        try:
            self._orders.write(f"{order}\n")
            self._orders.flush()
        except OSError:
            raise self._ended([]) from None

    def close(self) -> None:
        """Close its input, which ends the driver; one that goes on is killed."""
        if not self._kill.alive:
            return
        with suppress(OSError):
            self._orders.close()
        with suppress(subprocess.TimeoutExpired):
            self._drain()
            self._process.wait(PARTING)
        self._kill()

    def _drain(self) -> None:
        """Read the driver's remaining output, since it waits until that is read."""
        limit = time.monotonic() + PARTING
        with suppress(Empty):
            while (
                not self._over
                and self._lines.get(timeout=max(0.0, limit - time.monotonic())) is not None
            ):
                pass

    def _ended(self, lines: Sequence[str]) -> HostError:
        """The reason why the driver has ended or closed its output, as an error.

        A driver that just did its job and ended does not support orders one by one.
        """
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING)
        failures = [line.split(" ", 3)[-1] for line in lines if line.startswith("FAIL ")]
        failures += (
            self._errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        )
        if any(line.startswith("DONE ") for line in lines) and not failures:
            problem = f"{self._name}: its driver cannot be played key by key"
            return HostError(problem, remedy=self._remedy)
        code = self._process.returncode
        if code is None:
            why = "".join(f": {each}" for each in failures[:1])
            return HostError(f"{self._name}: it still runs, but no longer answers{why}")
        why = failures[0] if failures else f"it ended with code {code}"
        return HostError(f"{self._name}: it ended: {why}")


def _hear(output: IO[str], queue: Queue[str | None]) -> None:
    """Put a driver's lines into the queue, then None: it has ended, or nobody reads any more."""
    with suppress(OSError, ValueError, Full), output:
        for line in _lines(output):
            queue.put(line, timeout=PARTING)
    with suppress(Full):
        queue.put(None, timeout=PARTING)


def _lines(output: IO[str]) -> Iterator[str]:
    return (line[1:].rstrip("\n") for line in output if line.startswith("@"))


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    # The reading thread closes the output: an emulator started by a script may still be running.
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
