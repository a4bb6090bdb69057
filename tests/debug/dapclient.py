"""An editor for tests: speaks the Debug Adapter Protocol with `ti99tools debug --dap`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ti99tools.app.debug.wire import read_request, write

COMMAND = (sys.executable, "-m", "ti99tools", "debug", "--dap")


class Client:
    """One session: requests are answered, events are kept until they are waited for."""

    def __init__(self, command: Sequence[str] = COMMAND, cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
        )
        self.events: list[dict[str, Any]] = []
        self.responses: dict[int, dict[str, Any]] = {}
        self._seq = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)
        assert self.process.stdout is not None and self.process.stderr is not None
        self.process.stdout.close()
        self.process.stderr.close()

    def send(self, command: str, **arguments: Any) -> int:
        self._seq += 1
        assert self.process.stdin is not None
        request = {"seq": self._seq, "type": "request", "command": command, "arguments": arguments}
        write(self.process.stdin, request)
        return self._seq

    def _take(self) -> None:
        assert self.process.stdout is not None
        message = read_request(self.process.stdout)
        assert message is not None, "the adapter is gone"
        if message["type"] == "event":
            self.events.append(message)
        else:
            self.responses[message["request_seq"]] = message

    def response(self, seq: int) -> dict[str, Any]:
        while seq not in self.responses:
            self._take()
        return self.responses.pop(seq)

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """The body of a successful answer."""
        response = self.response(self.send(command, **arguments))
        assert response["success"], response
        assert response["command"] == command
        return dict(response.get("body") or {})

    def refused(self, command: str, **arguments: Any) -> str:
        """The message of an answer that says no."""
        response = self.response(self.send(command, **arguments))
        assert not response["success"], response
        assert response["body"]["error"]["format"] == response["message"]
        return str(response["message"])

    def event(self, name: str) -> dict[str, Any]:
        """The body of the next event of a name; those before it are dropped."""
        while True:
            for at, event in enumerate(self.events):
                if event["event"] == name:
                    del self.events[: at + 1]
                    return dict(event["body"])
            self._take()

    def launch(self, breakpoints: dict[str, list[Any]] | None = None, **arguments: Any) -> None:
        """Go as far as the first stop."""
        capabilities = self.ask("initialize", adapterID="ti99")
        assert capabilities["supportsStepBack"]
        launch = self.send("launch", **arguments)
        self.event("initialized")
        for path, lines in (breakpoints or {}).items():
            wishes = [one if isinstance(one, dict) else {"line": one} for one in lines]
            self.ask("setBreakpoints", source={"path": path}, breakpoints=wishes)
        self.ask("configurationDone")
        assert self.response(launch)["success"]

    def go(self, command: str) -> tuple[str, str]:
        """An order and where it ends: reason of the stop, `name:line` of the innermost frame."""
        self.ask(command, threadId=1)
        return self.stop()

    def stop(self) -> tuple[str, str]:
        reason = str(self.event("stopped")["reason"])
        frames = self.ask("stackTrace", threadId=1)["stackFrames"]
        place = f"{frames[0]['source']['name']}:{frames[0]['line']}" if frames else ""
        return reason, place

    def variables(self, level: int = 0, scope: int = 0) -> dict[str, str]:
        frames = self.ask("stackTrace", threadId=1)["stackFrames"]
        scopes = self.ask("scopes", frameId=frames[level]["id"])["scopes"]
        found = self.ask("variables", variablesReference=scopes[scope]["variablesReference"])
        return {row["name"]: row["value"] for row in found["variables"]}
