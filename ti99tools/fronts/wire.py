"""Messages between an editor and a server: a header with a length, then JSON.

The Debug Adapter Protocol and the Language Server Protocol share this. Source: their
specifications, base protocol. An `Inbox` holds the messages that arrive while a program runs.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from ti99tools.base.errors import ScriptError, TIError
from ti99tools.base.tables import check_depth, json_value

LONGEST = 16 << 20
"""The most bytes of a message."""
_HEADER, _HEADERS = 4096, 32
"""The most bytes of a line of a message's header, and the most lines."""
_DIGITS = re.compile(r"0*([0-9]{1,8})")
"""A length; one with more digits is too long in any case."""

Message = dict[str, Any]


def write(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    """Send a message as JSON, after a header with its length in bytes."""
    data = json.dumps(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    stream.flush()


def read(stream: IO[bytes]) -> Message | None:
    """The next message; None at the end of the stream. Raises TIError for anything else."""
    length = _length(stream)
    if length is None:
        return None
    data = stream.read(length)
    if len(data) < length:
        return None  # the editor was ended while it wrote
    try:
        message = json_value(data)
        check_depth(message)
    except ValueError as error:
        raise _no_message("text that is not JSON") from error
    if not isinstance(message, dict):
        raise _no_message("JSON that is not an object")
    return message


def _length(stream: IO[bytes]) -> int | None:
    """Read a header; returns the length of the message after it, None at the end of the stream."""
    length = None
    for _ in range(_HEADERS):
        line = stream.readline(_HEADER)
        if not line:
            return None
        name, colon, value = line.decode("ascii", "replace").partition(":")
        if name.strip().lower() == "content-length":
            digits = _DIGITS.fullmatch(value.strip())
            length = int(digits[1]) if digits else LONGEST + 1
        elif not line.strip():
            break
        elif not colon:
            raise _no_message("a line that is no header")
    if length is None or length > LONGEST:
        raise _no_message("a message without a length, or a very long one")
    return length


def _no_message(what: str) -> ScriptError:
    return ScriptError(f"{what} instead of a message", remedy="this is for editors")


def read_request(stream: IO[bytes]) -> Message | None:
    """The next message; None at the end of the stream. Raises TIError for anything else."""
    try:
        return read(stream)
    except ScriptError as error:
        raise ScriptError(
            f"{error.problem} of the Debug Adapter Protocol",
            remedy="this is for editors: `debug TARGET` takes commands from people",
        ) from error


def _separate(stream: IO[bytes]) -> IO[bytes]:
    """The same file with a buffer of its own; a stream without a file as it is.

    At its end Python closes standard input, and would abort while a thread still waits for its
    buffer to be filled.
    """
    return io.BufferedReader(stream.raw) if isinstance(stream, io.BufferedReader) else stream


class Inbox:
    """Collects messages that arrive during other work; a None in it means the end of the stream."""

    def __init__(
        self, stream: IO[bytes], reader: Callable[[IO[bytes]], Message | None] = read_request
    ) -> None:
        """`reader` takes a message from the stream, of which nothing has been read before."""
        self._reader = reader
        self._queue: SimpleQueue[Message | TIError | None] = SimpleQueue()
        Thread(target=self._fill, args=(_separate(stream),), daemon=True).start()

    def _fill(self, stream: IO[bytes]) -> None:
        while True:
            message: Message | TIError | None = None
            try:
                message = self._reader(stream)
            except TIError as error:
                message = error
            except (OSError, ValueError):
                return  # the stream was closed
            finally:
                # Whatever has happened here, nobody waits for a message that never comes.
                self._queue.put(message)
            if not isinstance(message, dict):
                return

    def get(self) -> Message | None:
        """Wait for the next message; None at the end. Raises TIError for anything else."""
        message = self._queue.get()
        if isinstance(message, TIError):
            raise message
        return message

    @property
    def empty(self) -> bool:
        """Tell whether no message is there now."""
        return self._queue.empty()
