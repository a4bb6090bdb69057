"""Reading and writing host files safely: bounded reads, atomic writes, one-line errors.

Every writer of the package goes through `write_atomically`, so that an interrupted or failing
command never leaves half a file after.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from ti99tools.base.errors import Place, TIError
from ti99tools.base.nearby import near_file
from ti99tools.base.record import Record

HEAD = 32
"""First bytes of a written file that are remembered."""


class WrittenFile(Record):
    """A file that was written: its path as given, its size in bytes, and its first bytes."""

    path: Path
    size: int
    head: bytes


_watched: ContextVar[list[WrittenFile] | None] = ContextVar("watched", default=None)


@contextlib.contextmanager
def watch_writing() -> Iterator[list[WrittenFile]]:
    """Give a list that grows with each file written meanwhile."""
    files: list[WrittenFile] = []
    token = _watched.set(files)
    try:
        yield files
    finally:
        _watched.reset(token)


_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
STDIN = "-"
"""The path that means standard input."""
READ_LIMIT = 256 * 1024 * 1024
"""Bytes; more than any TI image (a full CF7+ card image aside) has."""


def read_bytes(path: str | os.PathLike[str], limit: int = READ_LIMIT) -> bytes:
    """The content of the regular file `path`; of standard input where that is `-`.

    Raises `TIError` when it cannot be read, is a folder or device, or exceeds `limit` bytes.
    """
    name = os.fspath(path)
    if name == STDIN:
        return _within(sys.stdin.buffer.read(limit + 1), limit, name)
    try:
        with open(name, "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode)):
                raise TIError("not a regular file", place=Place(name))
            data = file.read(limit + 1)
    except OSError as error:
        raise _unreadable(error, name) from error
    return _within(data, limit, name)


def _within(data: bytes, limit: int, name: str) -> bytes:
    if len(data) > limit:
        raise TIError(
            f"larger than {limit} bytes",
            remedy="this is not a TI-99/4A file",
            place=Place(name),
        )
    return data


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file in UTF-8. Raises `TIError` as `read_bytes`, and for what is not text."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = Place(os.fspath(path))
        raise TIError("not a text in UTF-8", remedy="give a text file", place=place) from error


def check_output(path: str | os.PathLike[str]) -> None:
    """Raise `TIError` when no file can be written at `path`.

    That is when its folder is missing, when it is a folder, or a file that nobody may write. For
    commands that work long before they write; `write_atomically` looks itself.
    """
    target = Path(os.path.realpath(path))
    place = Place(os.fspath(path))
    try:
        if target.is_dir():
            raise TIError("a folder", remedy="name a file in it", place=place)
        if target.is_file() and not target.stat().st_mode & _WRITABLE:
            remedy = "choose another file or allow writing to it"
            raise TIError("the file is read-only", remedy=remedy, place=place)
        if not target.parent.is_dir():
            problem = "not a folder" if target.parent.exists() else "no such folder"
            folder = Place(str(Path(path).parent))
            raise TIError(problem, remedy="make it first", place=folder)
    except OSError as error:
        raise _readable(error, os.fspath(path), "choose another folder") from error


def write_atomically(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Make `path` hold exactly `data` (text as UTF-8), or leave it as it was.

    A temporary file in the same folder takes the data and then the name. The folder must exist;
    an existing file keeps its permission bits, a symbolic link keeps pointing where it points.
    Raises `TIError` when the folder or disk refuses.
    """
    check_output(path)
    content = data.encode("utf-8") if isinstance(data, str) else data
    target = Path(os.path.realpath(path))
    temporary = ""
    try:
        if target.exists() and not target.is_file():
            raise TIError("not a regular file", place=Place(os.fspath(path)))
        temporary = str(target.parent / f".{target.name[:40]}.{os.urandom(8).hex()}")
        with open(temporary, "xb", opener=_private) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
        temporary = ""
        files = _watched.get()
        if files is not None:
            files.append(WrittenFile(Path(path), len(content), content[:HEAD]))
    except OSError as error:
        remedy = "check that the folder may be written and has room"
        raise _readable(error, os.fspath(path), remedy) from error
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner may read until it has its name."""
    return os.open(path, flags, 0o600)


def _mode(target: Path) -> int:
    """Permission bits for the new file: those it had, else what the umask leaves of 666."""
    with contextlib.suppress(FileNotFoundError):
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _unreadable(error: OSError, name: str) -> TIError:
    """What to say about a file that cannot be read."""
    if isinstance(error, IsADirectoryError):
        return TIError("a folder", remedy="name a file in it", place=Place(name))
    meant = near_file(name) if isinstance(error, FileNotFoundError) else ""
    remedy = f"did you mean {meant}?" if meant else "check the path and its permissions"
    return _readable(error, name, remedy)


def _readable(error: OSError, name: str, remedy: str) -> TIError:
    reason = (error.strerror or str(error)).lower()
    return TIError(reason, remedy=remedy, place=Place(name))
