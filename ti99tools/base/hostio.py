"""Read and write files of the host safely: bounded reads, locks, atomic writes.

Every writer of the package goes through `write_atomically`, so that an interrupted or failing
command never leaves half a file. Temporary files of a killed command are removed by the next
command that writes to the folder.

Locks keep commands that run at the same time out of each other's way. A lock belongs to the open
file and ends when the file is closed or its process is killed. Where a system or file system has no
such locks, every file counts as free.

Errors are one line with a remedy.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, Self

from ti99tools.base.decoding import foreign
from ti99tools.base.errors import Place, TIError, near_file
from ti99tools.base.inputs import READ_LIMIT, note_reading
from ti99tools.base.record import Record

try:
    import fcntl
except ImportError:
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

PATIENCE = 30.0
"""Seconds to wait for a file that another run holds."""
LOOK = 0.02
"""Seconds between two attempts to take a lock."""


def take(descriptor: int) -> bool:
    """Take the lock on an open file; False when another run holds it."""
    if not HAS_LOCKS:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


@contextlib.contextmanager
def held(path: str | os.PathLike[str]) -> Iterator[None]:
    """Lock a file while the body runs; other runs that want the lock wait.

    A file that does not exist is not locked. Raises TIError when another run keeps the lock for
    longer than `PATIENCE`.
    """
    descriptor = _locked(path, time.monotonic() + PATIENCE)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _locked(path: str | os.PathLike[str], end: float) -> int | None:
    """A descriptor that holds the lock on the file at the path; None if none can be locked."""
    while HAS_LOCKS and os.path.isfile(path):
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except OSError:
            return None
        if take(descriptor) and _is_at(path, descriptor):
            return descriptor
        os.close(descriptor)
        if time.monotonic() > end:
            raise TIError(
                "another run is changing the file",
                remedy="try again when it has ended",
                place=Place(os.fspath(path)),
            )
        time.sleep(LOOK)
    return None


def _is_at(path: str | os.PathLike[str], descriptor: int) -> bool:
    """Tell whether an open file still has its name: another run may have replaced the file."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except OSError:
        return False


MANIFEST = "game.toml"
"""The file that makes a folder a game."""
HEAD = 32
"""How many of its first bytes a `WrittenFile` keeps."""


class WrittenFile(Record):
    """A file that was written: its path as given, its size in bytes, and its first bytes."""

    path: Path
    size: int
    head: bytes


_watched: ContextVar[list[WrittenFile] | None] = ContextVar("watched", default=None)


@contextlib.contextmanager
def watch_writing() -> Iterator[list[WrittenFile]]:
    """Give a list that grows with each file written while the body runs."""
    files: list[WrittenFile] = []
    token = _watched.set(files)
    try:
        yield files
    finally:
        _watched.reset(token)


_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
STDIN = "-"
"""The path that means standard input."""
_TEMPORARY = re.compile(r"\..{1,40}\.[0-9a-f]{16}\.ti99tmp", re.DOTALL)
OLD = 3600
"""Age in seconds from which a temporary file counts as abandoned, where there are no locks."""
_swept: set[Path] = set()
"""Folders that this run has already searched for temporary files."""
_PIECE = 256 * 1024
"""Bytes that are read at once."""


def read_start(path: str | os.PathLike[str], size: int) -> bytes:
    """The first `size` bytes of a regular file; none where there is no such file.

    A pipe is left alone: its bytes can be read only once.
    """
    with contextlib.suppress(OSError, ValueError):
        if stat.S_ISREG(os.stat(path).st_mode):
            with open(path, "rb") as file:
                return file.read(size)
    return b""


def read_bytes(path: str | os.PathLike[str], limit: int = READ_LIMIT) -> bytes:
    """The content of the regular file `path`, or of standard input for `-`.

    Raises `TIError` when it cannot be read, is a folder or device, or exceeds `limit` bytes.
    """
    name = os.fspath(path)
    if name == STDIN:
        return _within(_read_up_to(sys.stdin.buffer, limit + 1), limit, name)
    try:
        with open(name, "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode)):
                raise TIError("not a regular file", place=Place(name))
            data = _read_up_to(file, limit + 1)
    except OSError as error:
        raise _unreadable(error, name) from error
    note_reading(name, data)
    return _within(data, limit, name)


def _read_up_to(file: BinaryIO, most: int) -> bytes:
    """The rest of a file, at most `most` bytes, read in pieces.

    A single read allocates as much as is asked for, however short the file is; a browser's Python
    never gives that memory back.
    """
    pieces = []
    while most > 0 and (piece := file.read(min(most, _PIECE))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def too_large(data: bytes, limit: int) -> TIError:
    """The error for a file of more bytes than are read: what it is, if its beginning tells that."""
    kind = foreign(data)
    if kind is None:
        return TIError(f"larger than {limit} bytes", remedy="this is not a TI-99/4A file")
    return TIError(f"it is {kind.what}, larger than {limit} bytes", remedy=kind.remedy)


def _within(data: bytes, limit: int, name: str) -> bytes:
    if len(data) > limit:
        raise too_large(data, limit).at(name)
    return data


_NO_TEXT = re.compile(rb"[\0-\b\x0e-\x1f]")
"""Bytes that no text has, in whichever code page it was saved."""


def read_text(path: str | os.PathLike[str], limit: int = READ_LIMIT) -> str:
    """The text of a UTF-8 file. Raises `TIError` as `read_bytes` does, and if it is not UTF-8."""
    data = read_bytes(path, limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place, remedy = Place(os.fspath(path)), "give a text file"
        if not _NO_TEXT.search(data):
            place = Place(os.fspath(path), data.count(b"\n", 0, error.start) + 1)
            remedy = "save it in UTF-8, or use only the characters of the TI-99/4A"
        raise TIError("not a text in UTF-8", remedy=remedy, place=place) from error


def check_output(path: str | os.PathLike[str]) -> None:
    """Raise `TIError` when no file can be written at `path`.

    That is: its folder is missing, it is itself a folder, or it is read-only. This is for commands
    that work for a long time before they write; `write_atomically` calls it too.
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
        raise _error_of(error, os.fspath(path), "choose another folder") from error


def write_atomically(
    path: str | os.PathLike[str],
    data: bytes | bytearray | str | Iterator[bytes],
    before: bytes | None = None,
) -> None:
    """Make `path` hold exactly `data` (text as UTF-8), or leave it as it was.

    `data` may be made while they are written, in pieces.
    The data go to a temporary file in the same folder, which then takes the name. The folder must
    exist. An existing file keeps its permission bits, and a symbolic link keeps its target.
    `before` is what an existing file must still hold. Raises `TIError` when it holds anything
    else, or when the file cannot be written.
    """
    with _Pending(path, data) as pending:
        pending.take_place(before)


def write_together(
    files: Mapping[Path, bytes | str], folders: Iterable[str | os.PathLike[str]] = ()
) -> None:
    """Write all files, or none when the data of one cannot be written; see `write_atomically`.

    All data are on the disk before the first file takes its name. From then on only a name can be
    refused: then the files before that one in `files` are new, it and those after it as they were.
    `folders` are made first. After a failure, those that were missing and stayed empty are removed.
    """
    new_folders: list[Path] = []
    with contextlib.ExitStack() as stack:
        # Called last, when the temporary files are gone.
        stack.callback(_remove_empty, new_folders)
        for folder in folders:
            new_folders += _missing(Path(folder))
            _make_folder(Path(folder))
        pending = []
        for count, (path, data) in enumerate(files.items()):
            each = stack.enter_context(_Pending(path, data))
            pending.append(each)
            if count >= _MOST_OPEN:
                each.close()
        for each in pending:
            each.take_place()
        new_folders.clear()


_MOST_OPEN = 100
"""The most temporary files that are kept open, and so locked; systems may allow 256."""


def _missing(folder: Path) -> list[Path]:
    """The folder and those above it, as far as they do not exist."""
    return [each for each in (folder, *folder.parents) if not os.path.exists(each)]


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it. Raises TIError, perhaps with some of them made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"cannot make the folder: {error.strerror}"
        raise TIError(problem, remedy="choose another", place=Place(str(folder))) from error


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in sorted(set(folders), reverse=True):
        with contextlib.suppress(OSError):
            folder.rmdir()


class _Pending:
    """Content on its way to a file: in a temporary file beside it until it takes its place.

    As a context manager it removes what has not taken its place.
    """

    def __init__(
        self, path: str | os.PathLike[str], data: bytes | bytearray | str | Iterator[bytes]
    ) -> None:
        """Write the temporary file. Raises TIError."""
        whole = data.encode("utf-8") if isinstance(data, str) else data
        pieces = whole if isinstance(whole, Iterator) else [whole]
        check_output(path)
        self._path = path
        self._size, self._head = 0, b""
        self._target = Path(os.path.realpath(path))
        self._temporary = ""
        try:
            self._file = self._written(pieces)
        except BaseException as error:
            self._remove()
            if isinstance(error, OSError):
                raise self._error(error) from error
            raise

    def _written(self, pieces: Iterable[bytes | bytearray]) -> BinaryIO:
        if self._target.exists() and not self._target.is_file():
            raise TIError("not a regular file", place=Place(os.fspath(self._path)))
        _sweep(self._target.parent)
        file = _temporary_beside(self._target)
        self._temporary = file.name
        try:
            for piece in pieces:
                file.write(piece)
                self._size += len(piece)
                self._head += piece[: HEAD - len(self._head)]
            file.flush()
            os.fsync(file.fileno())
            os.chmod(self._temporary, _mode(self._target))
        except BaseException:
            with contextlib.suppress(OSError):
                file.close()
            raise
        return file

    def take_place(self, before: bytes | None = None) -> None:
        """Give the temporary file its name, unless the file there is not as `before`.

        Raises TIError.
        """
        # The lock keeps other runs from sweeping the file away, but ends when it is closed.
        if not HAS_LOCKS:
            self.close()
        try:
            if before is not None and self._target.exists() and self._target.read_bytes() != before:
                raise TIError(
                    "another program has changed the file since it was read",
                    remedy="try again, or write to another file",
                    place=Place(os.fspath(self._path)),
                )
            os.replace(self._temporary, self._target)
        except OSError as error:
            raise self._error(error) from error
        self._temporary = ""
        files = _watched.get()
        if files is not None:
            files.append(WrittenFile(Path(self._path), self._size, self._head))

    def close(self) -> None:
        """Close the temporary file, which ends its lock."""
        self._file.close()

    def _error(self, error: OSError) -> TIError:
        remedy = "check that the folder may be written and has room"
        return _error_of(error, os.fspath(self._path), remedy)

    def _remove(self) -> None:
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._remove()


def _temporary_beside(target: Path) -> BinaryIO:
    """Create a temporary file beside a target, with a lock on it."""
    while True:
        # Forty characters keep the name below 255 bytes, the limit of most file systems.
        name = str(target.parent / f".{target.name[:40]}.{os.urandom(8).hex()}.ti99tmp")
        # Only its owner may read it until it gets its final name.
        file = open(name, "xb", opener=lambda at, flags: os.open(at, flags, 0o600))  # noqa: SIM115
        if take(file.fileno()) and os.path.exists(name):
            return file
        file.close()  # another run has taken it for an abandoned one


def _sweep(folder: Path) -> None:
    """Remove the temporary files that killed runs left in a folder, once per run."""
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if _TEMPORARY.fullmatch(name):
                _remove_left(folder / name)


def _remove_left(path: Path) -> None:
    """Remove a temporary file that no run holds."""
    with contextlib.suppress(OSError):
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            return
        if not HAS_LOCKS and time.time() - status.st_mtime < OLD:
            return
        with path.open("rb") as file:
            if take(file.fileno()):
                path.unlink()


def _mode(target: Path) -> int:
    """Permission bits for the new file: those it had, else 666 less the umask."""
    with contextlib.suppress(FileNotFoundError):
        return stat.S_IMODE(target.stat().st_mode)
    # The umask can only be read by setting it.
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _unreadable(error: OSError, name: str) -> TIError:
    """The error for a file that cannot be read."""
    if isinstance(error, IsADirectoryError):
        return TIError("a folder", remedy="name a file in it", place=Place(name))
    meant = near_file(name) if isinstance(error, FileNotFoundError) else ""
    remedy = f"did you mean {meant}?" if meant else "check the path and its permissions"
    return _error_of(error, name, remedy)


def _error_of(error: OSError, name: str, remedy: str) -> TIError:
    reason = (error.strerror or str(error)).lower()
    return TIError(reason, remedy=remedy, place=Place(name))
