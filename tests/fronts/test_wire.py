"""Messages of editors: whatever else comes in is told, within bounds, and nobody waits for it."""

from io import BytesIO
from typing import Any

import pytest

from ti99tools.base.errors import ScriptError
from ti99tools.fronts.wire import Inbox, read, write


class Endless(BytesIO):
    """A stream that never ends: each read or line gives all that was asked for."""

    def __init__(self, piece: bytes) -> None:
        super().__init__()
        self.given = 0
        self.piece = piece

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None and size > 0, "a line without a bound"
        self.given += 1
        assert self.given < 1000
        return self.piece[:size].ljust(size, b"x") if self.piece[-1:] != b"\n" else self.piece

    read = readline


def framed(data: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def test_a_message_comes_back_as_it_was_written() -> None:
    stream = BytesIO()
    write(stream, {"a": [1, "é"]})
    stream.seek(0)
    assert read(stream) == {"a": [1, "é"]}
    assert read(stream) is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (framed(b"[" * 100_000), "not JSON"),
        (framed(b'{"id": ' + b"[" * 80 + b"]" * 80 + b"}"), "not JSON"),
        (framed(b'{"id": ' + b"9" * 5000 + b"}"), "not JSON"),
        (framed(b"[]"), "not an object"),
        (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", "no header"),
        (b"Content-Length: -1\r\n\r\n{}", "very long"),
        (b"Content-Length: \xd9\xa1\r\n\r\n{}", "very long"),
        (b"no header\r\n", "no header"),
        (b"A: b\r\n" * 99, "without a length"),
    ],
    ids=range(9),
)
def test_what_is_no_message_is_told(data: bytes, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        read(BytesIO(data))
    with pytest.raises(ScriptError, match=message):
        Inbox(BytesIO(data)).get()


@pytest.mark.parametrize("piece", [b"\0", b"a: b\r\n", b"Content-Length: 1\r\n"])
def test_a_stream_without_end_is_refused(piece: bytes) -> None:
    with pytest.raises(ScriptError):
        read(Endless(piece))


def test_a_message_that_breaks_off_is_the_end() -> None:
    assert read(BytesIO(framed(b'{"a": 1}')[:-1])) is None


def test_a_reader_that_breaks_leaves_nobody_waiting() -> None:
    class Broken(BytesIO):
        def readline(self, *_: Any) -> bytes:
            raise OSError("gone")

    assert Inbox(Broken()).get() is None
