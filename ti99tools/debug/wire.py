"""Messages of the Debug Adapter Protocol that come in while a program runs."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Thread
from typing import IO

from ti99tools.base import editorwire
from ti99tools.base.editorwire import Message, write
from ti99tools.base.errors import ScriptError

__all__ = ["Inbox", "Message", "read", "write"]


def read(stream: IO[bytes]) -> Message | None:
    """The next message; None at the end of the stream. Raises ScriptError for anything else."""
    try:
        return editorwire.read(stream)
    except ScriptError as error:
        raise ScriptError(
            f"{error.problem} of the Debug Adapter Protocol",
            remedy="this is for editors: `debug TARGET` takes commands from people",
        ) from error


class Inbox:
    """Messages that come in while other work is done; None says that no more come."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._queue: SimpleQueue[Message | ScriptError | None] = SimpleQueue()
        Thread(target=self._fill, args=(stream,), daemon=True).start()

    def _fill(self, stream: IO[bytes]) -> None:
        while True:
            try:
                message = read(stream)
            except (ScriptError, OSError, ValueError) as error:
                wrong = error if isinstance(error, ScriptError) else None
                self._queue.put(wrong)
                return
            self._queue.put(message)
            if message is None:
                return

    def get(self) -> Message | None:
        """The next message, waited for. Raises ScriptError for what is none."""
        found = self._queue.get()
        if isinstance(found, ScriptError):
            raise found
        return found

    @property
    def empty(self) -> bool:
        """Tell whether none is there now."""
        return self._queue.empty()
