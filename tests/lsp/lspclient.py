"""An editor that says all it has to say, and then reads what it was told."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from ti99tools.fronts.lsp.server import serve
from ti99tools.fronts.wire import Message, read, write


class Editor:
    """Gathers messages; `end` sends them and gives the answers by number, and the marks by file."""

    def __init__(self, basic: str = "") -> None:
        self._basic = basic
        self._sent: list[Message] = []
        self.marks: dict[Path, list[list[dict[str, Any]]]] = {}
        self.answers: dict[int, Any] = {}
        self.code = -1
        self.ask("initialize", capabilities={})

    def ask(self, method: str, **params: Any) -> int:
        """Ask; the number that the answer will have."""
        number = len(self._sent) + 1
        self._sent.append({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def say(self, method: str, **params: Any) -> None:
        """Say something that has no answer."""
        self._sent.append({"jsonrpc": "2.0", "method": method, "params": params})

    def open(self, path: Path, text: str | None = None) -> None:
        """Open a file, or a text that is not saved in it."""
        text = path.read_text(encoding="utf-8") if text is None else text
        document = {"uri": path.as_uri(), "languageId": "xb", "version": 1, "text": text}
        self.say("textDocument/didOpen", textDocument=document)

    def change(self, path: Path, text: str) -> None:
        """Type until the text is this one."""
        document = {"uri": path.as_uri(), "version": 2}
        self.say("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def at(self, method: str, path: Path, line: int, character: int) -> int:
        """Ask about a place, counted from 0."""
        return self.ask(
            f"textDocument/{method}",
            textDocument={"uri": path.as_uri()},
            position={"line": line, "character": character},
        )

    def end(self) -> Editor:
        """Send all, and take what comes back."""
        self.ask("shutdown")
        self.say("exit")
        sent, received = io.BytesIO(), io.BytesIO()
        for message in self._sent:
            write(sent, message)
        sent.seek(0)
        self.code = serve(sent, received, self._basic)
        received.seek(0)
        while (answer := read(received)) is not None:
            if answer.get("method") == "textDocument/publishDiagnostics":
                params = answer["params"]
                file = Path(params["uri"].removeprefix("file://"))
                self.marks.setdefault(file, []).append(params["diagnostics"])
            elif "id" in answer:
                self.answers[answer["id"]] = answer.get("result", answer.get("error"))
        return self

    def last_marks(self, path: Path) -> list[tuple[int, int, str]]:
        """The last marks of a file: line, character, message."""
        return [
            (mark["range"]["start"]["line"], mark["range"]["start"]["character"], mark["message"])
            for mark in self.marks[path][-1]
        ]
