"""A bridge called as the page's workers call it."""

import json
from pathlib import Path
from typing import Any

from ti99tools.fronts.web.bridge import Bridge

HELLO = 'CALL CLEAR\nPRINT "HELLO"\nagain:\n  INPUT A$\n  PRINT "YOU SAID ";A$\n  GOTO again\n'
"""A program that asks again and again."""


class Page:
    """The studio without its page: answers are taken apart, errors are kept."""

    def __init__(self, root: Path) -> None:
        self.bridge = Bridge(root)
        self.blob: bytes | None = None

    def call(self, what: str, blob: bytes | None = None, /, **arguments: Any) -> Any:
        """The result; the bytes of the answer are in `blob`."""
        answer = self.reply_to(what, blob, **arguments)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def reply_to(self, what: str, blob: bytes | None = None, /, **arguments: Any) -> Any:
        """The whole answer, errors included."""
        text, self.blob = self.bridge.call(what, json.dumps(arguments), blob)
        return json.loads(text)

    def run(self, text: str, file: str = "own.xb", **options: Any) -> Any:
        """Start a source."""
        self.call("put", project="own", files={file: text})
        return self.call(
            "run", **{"project": "own", "main": file, "debug": False, "rows": {}, **options}
        )

    def rows(self) -> list[str]:
        """What is on the screen, without empty rows."""
        rows: list[str] = self.call("screen")
        return [row.strip() for row in rows if row.strip()]
