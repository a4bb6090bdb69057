"""The language server on a pipe: texts that change faster than they can be checked."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from ti99tools.fronts.wire import Message, read, write

CHANGES = 40


@pytest.fixture
def server() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "ti99tools", "lsp"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def _until(stream: IO[bytes], number: int | None, text: str = "") -> list[Message]:
    """The messages up to the answer with a number, or to marks that have a text."""
    messages: list[Message] = []
    while (message := read(stream)) is not None:
        messages.append(message)
        if message.get("id") == number if number is not None else text in json.dumps(message):
            return messages
    raise AssertionError(messages)


def test_only_the_last_of_many_changes_is_checked(
    server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    to, back = _streams(server)
    uri = (tmp_path / "game.xb").as_uri()
    opened = {"textDocument": {"uri": uri, "text": ""}}
    burst: list[Message] = [{"method": "textDocument/didOpen", "params": opened}]
    for number in range(CHANGES):
        change = {"textDocument": {"uri": uri}, "contentChanges": [{"text": f"GOTO l{number}\n"}]}
        burst.append({"method": "textDocument/didChange", "params": change})
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    burst.append({"id": 7, "method": "textDocument/completion", "params": place})
    for message in burst:
        write(to, message)
    before = [each for each in _until(back, 7) if "method" in each]
    assert len(before) < CHANGES
    last = f"no label L{CHANGES - 1};"
    if not any(last in json.dumps(each) for each in before):
        _until(back, None, last)
    # Nothing more comes: the text has been checked.
    write(to, {"id": 8, "method": "shutdown"})
    assert _until(back, 8) == [{"jsonrpc": "2.0", "id": 8, "result": None}]
    write(to, {"method": "exit"})
    assert server.wait(30) == 0


def test_a_text_that_was_closed_is_not_checked_any_more(
    server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    to, back = _streams(server)
    uri = (tmp_path / "game.xb").as_uri()
    write(to, {"id": 1, "method": "initialize", "params": {}})
    _until(back, 1)
    for method in ("didOpen", "didClose"):
        document = {"uri": uri, "text": "PRNT 1\n"}
        write(to, {"method": f"textDocument/{method}", "params": {"textDocument": document}})
    write(to, {"id": 2, "method": "shutdown"})
    marks = [each["params"]["diagnostics"] for each in _until(back, 2) if "method" in each]
    assert marks[-1] == []
