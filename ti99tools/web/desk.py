"""What the page's editor asks of the language server, which is in the same place here."""

from __future__ import annotations

from io import BytesIO

from ti99tools.base.editorwire import Message, read
from ti99tools.lsp.server import Server


class Desk:
    """A language server without streams: messages go in, and those that it sends come back."""

    def __init__(self) -> None:
        self._out = BytesIO()
        self._server = Server(BytesIO(), self._out)

    def take(self, message: Message) -> list[Message]:
        """Hand over a message of the editor; what the server answers and tells."""
        self._server.take(message)
        self._out.seek(0)
        told = []
        while (answer := read(self._out)) is not None:
            told.append(answer)
        self._out.seek(0)
        self._out.truncate()
        return told
