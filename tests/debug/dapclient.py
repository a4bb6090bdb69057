"""An editor for tests: speaks the Debug Adapter Protocol with `ti99tools debug --dap`.

The adapter runs in a thread of the tests, on pipes, unless the process is what is tested.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import IO, Any

from ti99tools.fronts.debug.adapter import DebugAdapter
from ti99tools.fronts.debug.sessions import launched
from ti99tools.fronts.wire import read_request, write

COMMAND = (sys.executable, "-m", "ti99tools", "debug", "--dap")


class Client:
    """One session: requests are answered, events are kept until they are waited for."""

    def __init__(self, command: Sequence[str] = (), cwd: Path | None = None) -> None:
        """With a `command` the adapter is its process."""
        self.events: list[dict[str, Any]] = []
        self.responses: dict[int, dict[str, Any]] = {}
        self._seq = 0
        self._thread: Thread | None = None
        self._folder = Path.cwd()
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: IO[bytes]
        self._answers: IO[bytes]
        if not command:
            self._start()
            return
        self._process = self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._orders, self._answers = self.process.stdin, self.process.stdout

    def _start(self) -> None:
        """Start the adapter in a thread."""
        source, orders = os.pipe()
        answers, out = os.pipe()
        self._orders, self._answers = os.fdopen(orders, "wb"), os.fdopen(answers, "rb")

        def serve() -> None:
            with os.fdopen(source, "rb") as requests, os.fdopen(out, "wb") as answers:
                DebugAdapter(requests, answers, launched).serve()

        self._thread = Thread(target=serve)
        self._thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self._orders.close()
        if self._thread is not None:
            self._thread.join(20)
            assert not self._thread.is_alive()
            os.chdir(self._folder)  # a launch configuration may have named another
        if self._process is not None:
            self._process.wait(20)
            assert self._process.stderr is not None
            self._process.stderr.close()
        self._answers.close()

    def send(self, command: str, **arguments: Any) -> int:
        self._seq += 1
        request = {"seq": self._seq, "type": "request", "command": command, "arguments": arguments}
        write(self._orders, request)
        return self._seq

    def _take(self) -> None:
        message = read_request(self._answers)
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
