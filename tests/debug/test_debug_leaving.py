"""The debugger of editors ends while the editor still holds its pipe."""

import subprocess
import sys

from ti99tools.fronts.wire import write


def test_it_ends_without_an_error_when_the_editor_disconnects() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ti99tools", "debug", "--dap"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdin is not None
        assert process.stderr is not None
        for number, command in enumerate(("initialize", "disconnect"), 1):
            message = {"seq": number, "type": "request", "command": command, "arguments": {}}
            write(process.stdin, message)
        # Standard input stays open, as with an editor that goes on.
        assert process.wait(30) == 0
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.communicate()
