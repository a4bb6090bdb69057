"""Which files were read while something was made, so that it can be told later whether they change.

Readers of sources tell here what they read: `read_input` reads and tells, `is_input` tells of a
file that is missing, `listed` what is in a folder, `resolved` where links lead. All of it costs
nothing while nobody watches.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

CHANGED = "changed"
"""In the place of a digest: the file was not the same each time it was read."""


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits."""
    from hashlib import sha256

    return sha256(data).hexdigest()


class Inputs:
    """What something was made of.

    `files`: absolute path → digest of what was in the file, or of the names in the folder, None
    where there was none; `links`: absolute path → where it led.
    """

    def __init__(
        self, files: dict[str, str | None] | None = None, links: dict[str, str] | None = None
    ) -> None:
        self.files = {} if files is None else files
        self.links = {} if links is None else links

    def note(self, path: str | os.PathLike[str], data: bytes | None) -> None:
        """Remember what a file held; None: it is not there."""
        self._put(os.path.abspath(path), None if data is None else digest(data))

    def take(self, other: Inputs) -> None:
        """Take over what another thing was made of, of which this one is made."""
        for path, found in other.files.items():
            self._put(path, found)
        self.links |= other.links

    def _put(self, path: str, found: str | None) -> None:
        known = self.files.setdefault(path, found)
        if known != found:
            self.files[path] = CHANGED

    def unchanged(self) -> bool:
        """Tell whether every file holds what it held, and every link leads where it led."""
        return all(os.path.realpath(path) == led for path, led in self.links.items()) and all(
            _digest_of(path) == found for path, found in self.files.items()
        )


def _digest_of(path: str) -> str | None:
    """The digest of a file, or of the names in a folder, as it is now.

    None where there is none, or none that can be read.
    """
    try:
        if os.path.isdir(path):
            return digest(_names(os.listdir(path)))
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return None


def _names(names: Iterable[str]) -> bytes:
    """The names in a folder as bytes."""
    return "\0".join(sorted(names)).encode("utf-8", "surrogateescape")


_watching: ContextVar[Inputs | None] = ContextVar("watching", default=None)


@contextmanager
def watch_reading() -> Iterator[Inputs]:
    """Give what grows with each input read meanwhile; those who watch outside are told too."""
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
    """Tell those who watch of what was read earlier, for a result that is used again."""
    watching = _watching.get()
    if watching is not None:
        watching.take(inputs)


def note_reading(path: str | os.PathLike[str], data: bytes | None) -> None:
    """Tell those who watch what a file held; None: it is not there."""
    watching = _watching.get()
    if watching is not None:
        watching.note(path, data)


def read_input(path: Path) -> bytes:
    """The bytes of a source. Raises OSError."""
    data = path.read_bytes()
    note_reading(path, data)
    return data


def is_input(path: Path) -> bool:
    """Tell whether a source that may be missing is there."""
    there = path.is_file()
    if not there:
        note_reading(path, None)
    return there


def listed(folder: Path) -> list[Path]:
    """What is in a folder, sorted, where the names there tell which file is meant."""
    found = sorted(folder.iterdir())
    note_reading(folder, _names(path.name for path in found))
    return found


def resolved(path: Path) -> Path:
    """The path with all links followed."""
    led = path.resolve()
    watching = _watching.get()
    if watching is not None:
        watching.links[os.path.abspath(path)] = os.path.realpath(path)
    return led
