"""Records of the files that a result was made from, to tell later whether they have changed.

Code that reads sources notes it here: `read_input` reads a file and notes its content, `is_input`
notes that a file is missing, `listed` the names in a folder, `resolved` the targets of links. While
nobody watches (`watch_reading`), nothing is noted and nothing is hashed.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

CHANGED = "changed"
"""Instead of a digest: the file changed between two reads."""


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits."""
    from hashlib import sha256

    return sha256(data).hexdigest()


class Inputs:
    """What a result was made from.

    `files`: absolute path → digest of the file's content or of the names in the folder; None where
    nothing was there. `links`: absolute path → its real path.
    """

    def __init__(
        self, files: dict[str, str | None] | None = None, links: dict[str, str] | None = None
    ) -> None:
        self.files = {} if files is None else files
        self.links = {} if links is None else links

    def note(self, path: str | os.PathLike[str], data: bytes | None) -> None:
        """Note a file's content; None: the file is missing."""
        self._put(os.path.abspath(path), None if data is None else digest(data))

    def take(self, other: Inputs) -> None:
        """Add the inputs of a part of this result."""
        for path, digest in other.files.items():
            self._put(path, digest)
        self.links |= other.links

    def _put(self, path: str, digest: str | None) -> None:
        known = self.files.setdefault(path, digest)
        if known != digest:
            self.files[path] = CHANGED

    def unchanged(self) -> bool:
        """Tell whether all files and links are as they were."""
        return all(os.path.realpath(path) == led for path, led in self.links.items()) and all(
            _digest_of(path) == digest for path, digest in self.files.items()
        )


def _digest_of(path: str) -> str | None:
    """The present digest of a file, or of the names in a folder; None if it cannot be read."""
    try:
        if os.path.isdir(path):
            return digest(_names(os.listdir(path)))
        return digest(read_regular(path))
    except OSError:
        return None


def _names(names: Iterable[str]) -> bytes:
    """The names in a folder as bytes."""
    return "\0".join(sorted(names)).encode("utf-8", "surrogateescape")


_watching: ContextVar[Inputs | None] = ContextVar("watching", default=None)


@contextmanager
def watch_reading() -> Iterator[Inputs]:
    """Collect the inputs that are read while the body runs, also for an outer `watch_reading`."""
    outer = _watching.get()
    inputs = Inputs()
    token = _watching.set(inputs)
    try:
        yield inputs
    finally:
        _watching.reset(token)
        if outer is not None:
            outer.take(inputs)


def note_inputs(inputs: Inputs) -> None:
    """Note the inputs of an earlier result that is used again."""
    watching = _watching.get()
    if watching is not None:
        watching.take(inputs)


def note_reading(path: str | os.PathLike[str], data: bytes | None) -> None:
    """Note a file's content; None: the file is missing."""
    watching = _watching.get()
    if watching is not None:
        watching.note(path, data)


READ_LIMIT = 256 * 1024 * 1024
"""Bytes; more than any TI image except that of a full CF7+ card."""


def read_regular(path: str | os.PathLike[str], limit: int = READ_LIMIT) -> bytes:
    """The content of a regular file of at most `limit` bytes.

    Raises OSError for anything else: pipes may never answer, and devices have no end.
    """
    # Without O_NONBLOCK, opening a pipe waits for somebody who writes.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL
            raise OSError(kind, "not a regular file", os.fspath(path))
        # Reading allocates all that is asked for. Files of /proc have no size, but content.
        data = file.read(min(status.st_size, limit) + 1)
        if len(data) > status.st_size:
            data += file.read(limit + 1 - len(data))
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit} bytes", os.fspath(path))
    return data


_BINARY = getattr(os, "O_BINARY", 0)


def read_input(path: Path) -> bytes:
    """The bytes of a source. Raises OSError."""
    data = read_regular(path)
    note_reading(path, data)
    return data


def is_input(path: Path) -> bool:
    """Tell whether a source exists, and note it if it does not."""
    there = path.is_file()
    if not there:
        note_reading(path, None)
    return there


def listed(folder: Path) -> list[Path]:
    """The sorted paths in a folder, for readers whose choice depends on them. Raises OSError."""
    paths = sorted(folder.iterdir())
    note_reading(folder, _names(path.name for path in paths))
    return paths


def resolved(path: Path) -> Path:
    """The path with all links followed."""
    led = path.resolve()
    watching = _watching.get()
    if watching is not None:
        watching.links[os.path.abspath(path)] = os.path.realpath(path)
    return led
