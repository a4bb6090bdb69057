"""The standard streams of a command, where they are closed, full or cut off.

A stream that is closed when the command starts gets the null device in its place, so that no file
that is opened later takes its number. Reading such an input, and writing to such an output, is an
error, as it is when a disk is full: `Unwritable` ends the command, and whoever started it learns in
one line, and by the exit code, that the output is incomplete. Messages that cannot be written to
standard error are lost, and change nothing.

This module is loaded by every command, and imports next to nothing.
"""

from __future__ import annotations

import errno
import io
import os
import sys

TYPE_CHECKING = False
"""As in `typing`, which costs more than all of this."""
if TYPE_CHECKING:
    from typing import TextIO

    from _typeshed import ReadableBuffer, WriteableBuffer

FAILED = 2
"""The exit code when standard output cannot be written."""
CUT_OFF = 141
"""The exit code when nobody reads standard output any more, as shells use it: 128 and SIGPIPE."""


class Unwritable(Exception):
    """Standard output cannot be written."""


class _Output(io.FileIO):
    """The raw side of an output; `problem` is why it could not be written, or None."""

    def __init__(self, number: int, problem: OSError | None = None) -> None:
        super().__init__(number, "w", closefd=False)
        self.problem = problem
        self.has_output = False
        """What comes after the first problem is dropped: buffers are flushed again at the end."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write data. Raises Unwritable when that fails for the first time."""
        if self.problem is None:
            try:
                return super().write(data)
            except OSError as error:
                self.problem = error
        if not self.has_output:
            self.has_output = True
            raise Unwritable
        return memoryview(data).nbytes


class _Messages(_Output):
    """The raw side of standard error: what cannot be written is lost."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write data, if possible."""
        try:
            return super().write(data)
        except Unwritable:
            return memoryview(data).nbytes


class _Input(io.FileIO):
    """The raw side of standard input; `problem` is why it cannot be read, or None."""

    def __init__(self, number: int, problem: OSError | None = None) -> None:
        super().__init__(number, "r", closefd=False)
        self.problem = problem

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read data. Raises TIError when that fails."""
        try:
            if self.problem is not None:
                raise self.problem
            return super().readinto(buffer)
        except OSError as error:
            from ti99tools.base.errors import TIError

            problem = f"standard input {_words(error)}"
            raise TIError(problem, remedy="name a file, or give it an input") from error


def _words(error: OSError) -> str:
    """What is wrong with a stream, after its name."""
    if error.errno == errno.EBADF:
        return "is closed"
    return f"fails: {(error.strerror or str(error)).lower()}"


class Streams:
    """The standard streams with guards; replaces those of `sys` when it is made."""

    def __init__(self) -> None:
        was_closed = [_reserved(number) for number in range(3)]
        _, output, errors = was_closed
        self._output = _Output(1, output)
        if sys.stdin is None or not sys.stdin.isatty():
            sys.stdin = _text(sys.stdin, io.BufferedReader(_Input(0, was_closed[0])))
        sys.stdout = _text(sys.stdout, io.BufferedWriter(self._output))
        # What a system takes for texts may have no block elements. A file is read as UTF-8 later.
        encoding = None if self._output.isatty() else "utf-8"
        lenient = "replace" if sys.stdout.errors == "strict" else sys.stdout.errors
        sys.stdout.reconfigure(encoding=encoding, errors=lenient)
        sys.stderr = _text(sys.stderr, io.BufferedWriter(_Messages(2, errors)), "backslashreplace")

    def end(self, code: int) -> int:
        """Flush the outputs; returns the exit code, which tells when output was lost."""
        try:
            sys.stdout.flush()
        except Unwritable:
            code = FAILED
        problem = self._output.problem if self._output.has_output else None
        if problem is not None and problem.errno == errno.EPIPE:
            # Whoever reads the output has seen enough: `ti99tools list GAME | head`.
            code = CUT_OFF
        elif problem is not None:
            sys.stderr.write(f"error: standard output {_words(problem)}; output is missing\n")
            code = FAILED
        sys.stderr.flush()
        return code


def _reserved(number: int) -> OSError | None:
    """Open the null device as a standard stream that is closed; None when it is open."""
    try:
        os.fstat(number)
    except OSError as error:
        # The lowest free number is this one: those below are open by now.
        os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
        os.set_inheritable(number, True)
        return error
    return None


def _text(
    known: TextIO | None, buffer: io.BufferedReader | io.BufferedWriter, errors: str = "strict"
) -> io.TextIOWrapper:
    """A stream of text on a buffer, in the encoding of the one that it replaces."""
    if not isinstance(known, io.TextIOWrapper):
        return io.TextIOWrapper(buffer, encoding="utf-8", errors=errors)
    return io.TextIOWrapper(
        buffer,
        encoding=known.encoding,
        errors=known.errors,
        line_buffering=known.line_buffering,
        write_through=known.write_through,
    )
