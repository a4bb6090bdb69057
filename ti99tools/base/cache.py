"""A cache of results, in the user's cache folder.

    kept("hfe", [digest(sectors)], lambda: create_hfe(sectors), bytes, bytes)

A cache entry is used only if nothing has changed that its result depends on: what the caller names,
the code of this package and of the libraries that take part, and the contents of every file that
was read while the result was made (see `inputs`). An entry begins with a digest of its rest; one
that is damaged, foreign or of another form counts as missing. Entries are written under another
name and then renamed, so that several runs can share the cache. They hold bytes, no pickles.

`TI99TOOLS_CACHE` names another folder; an empty value turns the cache off. Nothing is kept in a
folder that belongs to another user, that others may write, or that cannot be written; in a browser,
only in a named folder.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TypeVar

import ti99tools
from ti99tools.base.errors import TIError
from ti99tools.base.inputs import Inputs, digest, note_inputs, watch_reading

VARIABLE = "TI99TOOLS_CACHE"
"""The environment variable that names the folder; empty: nothing is kept."""
LIMIT = 64 * 1024 * 1024
"""Bytes of all entries together; above it, the least recently used ones are removed."""
LARGEST = 32 * 1024 * 1024
"""Largest size of an entry in bytes, both packed and unpacked."""
HEAD = b"ti99tools cache 1 "
"""Start of an entry; the digest of the rest and a line end follow."""
_ENTRY = ".kept"
_NEW = ".new"
"""Extensions of an entry, and of one still being written."""
_LIBRARIES = ("construct", "pillow")
"""Libraries whose versions the results depend on."""

T = TypeVar("T")
_off: ContextVar[bool] = ContextVar("off", default=False)


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Turn the cache off while the body runs: for proofs."""
    token = _off.set(True)
    try:
        yield
    finally:
        _off.reset(token)


def from_cache(
    kind: str,
    about: Iterable[str],
    make: Callable[[], T],
    pack: Callable[[T], bytes],
    unpack: Callable[[bytes], T],
) -> T:
    """The result of `make`, or the one kept from an earlier call with the same inputs.

    `kind` and `about` name everything the result depends on besides this package and the files
    that `make` reads. `unpack` reverses `pack`; if it fails, the entry is not used.
    """
    if _off.get() or (folder := cache_folder()) is None or (tool := _tool()) is None:
        return make()
    key = digest("\0".join([kind, tool, *about]).encode("utf-8", "surrogatepass"))
    path = folder / f"{kind}-{key}{_ENTRY}"
    entry = _read_entry(path, key)
    if entry is not None:
        inputs, data = entry
        with suppress(ValueError, KeyError, IndexError, TypeError, TIError):
            result = unpack(data)
            note_inputs(inputs)
            return result
    with watch_reading() as inputs:
        result = make()
    with suppress(OSError):
        _write_entry(path, key, inputs, pack(result))
    return result


def cache_folder() -> Path | None:
    """The folder of entries, made if missing; None where nothing is kept."""
    path = _folder_path()
    if path is None:
        return None
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError:
        return None
    if not hasattr(os, "getuid"):
        return path
    others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return path if status.st_uid == os.getuid() and not others else None


def _folder_path() -> Path | None:
    """The path of the folder by the conventions of the operating system."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    if sys.platform == "emscripten":
        return None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "darwin":
        root = home / "Library" / "Caches"
    elif sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        # A relative path is invalid by the XDG Base Directory Specification.
        given = Path(os.environ.get("XDG_CACHE_HOME") or ".")
        root = given if given.is_absolute() else home / ".cache"
    return root / "ti99tools"


@cache
def _tool() -> str | None:
    """A digest of what makes the results: Python, libraries, and all code of this package.

    None where the code cannot be read, or has changed since it was loaded: a result of the old code
    would be kept as one of the new code.
    """
    from importlib.metadata import PackageNotFoundError, version

    root = Path(ti99tools.__file__).resolve().parent
    parts = [sys.version, str(root)]
    for library in _LIBRARIES:
        try:
            parts.append(version(library) or "")  # None where its metadata lacks a version
        except PackageNotFoundError:
            parts.append("")
    try:
        for path in sorted(root.rglob("*.py")):
            if path.stat().st_mtime >= ti99tools.LOADED:
                return None
            parts += [str(path.relative_to(root)), digest(path.read_bytes())]
    except OSError:
        return None
    return digest("\0".join(parts).encode("utf-8", "surrogatepass"))


def _read_entry(path: Path, key: str) -> tuple[Inputs, bytes] | None:
    """The inputs and the data of an entry; None where it must not be used."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size  # read() allocates all that it asks for
            whole = file.read(min(size, LARGEST) + 1)
    except OSError:
        return None
    head, _, rest = whole.partition(b"\n")
    if len(whole) > LARGEST or head != HEAD + digest(rest).encode():
        return None
    about, _, packed = rest.partition(b"\n")
    try:
        record = json.loads(about)
        inputs = Inputs(record["files"], record["links"])
        if record["key"] != key or not inputs.unchanged():
            return None
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, LARGEST)
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
        return None
    if not unpacking.eof:
        return None
    with suppress(OSError):
        os.utime(path)  # `_trim` goes by the time of last use
    return inputs, data


def _write_entry(path: Path, key: str, inputs: Inputs, data: bytes) -> None:
    """Write an entry unless it is too large. Raises OSError."""
    about = json.dumps({"key": key, "files": inputs.files, "links": inputs.links})
    rest = about.encode() + b"\n" + zlib.compress(data, 1)
    whole = HEAD + digest(rest).encode() + b"\n" + rest
    if max(len(whole), len(data)) > LARGEST:
        return
    new = path.with_name(f"{os.urandom(8).hex()}{_NEW}")
    try:
        new.write_bytes(whole)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)
    _trim(path.parent)


def _trim(folder: Path) -> None:
    """Above the limit, remove the least recently used entries down to three quarters of it."""
    entries = []
    for path in folder.iterdir():
        if path.suffix in (_ENTRY, _NEW):
            with suppress(FileNotFoundError):
                status = path.stat()
                entries.append((status.st_mtime, status.st_size, path))
    size = sum(each[1] for each in entries)
    if size <= LIMIT:
        return
    for _, bytes_there, path in sorted(entries):
        path.unlink(missing_ok=True)
        size -= bytes_there
        if size <= LIMIT * 3 // 4:
            return
