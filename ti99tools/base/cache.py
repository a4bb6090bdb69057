"""What was made before from the same inputs, kept in the user's cache folder.

    kept("hfe", [digest(sectors)], lambda: create_hfe(sectors), bytes, bytes)

An entry is used only if all is as it was: what the caller says the result depends on, the code of
this package and the libraries that take part, every file that was read meanwhile (see `inputs`),
by content. It begins with a digest of the rest: what is damaged, foreign or of another form is made
anew, as if nothing were there. Entries take their name as a whole, so that several runs at a time
do no harm. There is no pickle in it: bytes are all that is kept.

`TI99TOOLS_CACHE` names another folder; set to nothing, it turns the cache off. Where a folder is
not the user's alone, and where it cannot be written, nothing is kept; in a browser only if named.
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
"""Names the folder; empty: nothing is kept."""
LIMIT = 64 * 1024 * 1024
"""Bytes of all entries; beyond it those go that were not used for longest."""
LARGEST = 32 * 1024 * 1024
"""Bytes of an entry, packed or unpacked."""
HEAD = b"ti99tools cache 1 "
"""What an entry begins with; the digest of the rest and a line end follow."""
_ENTRY = ".kept"
_NEW = ".new"
"""Endings of an entry, and of one that does not have its name yet."""
_LIBRARIES = ("construct", "pillow")
"""Libraries that take part in what is made."""

T = TypeVar("T")
_off: ContextVar[bool] = ContextVar("off", default=False)


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Make everything anew meanwhile: for proofs."""
    token = _off.set(True)
    try:
        yield
    finally:
        _off.reset(token)


def kept(
    kind: str,
    about: Iterable[str],
    make: Callable[[], T],
    pack: Callable[[T], bytes],
    unpack: Callable[[bytes], T],
) -> T:
    """What `make` gives, or what it gave before for the same inputs.

    `kind` and `about` tell all that it depends on beside this package and the files that it reads.
    `unpack` reverses `pack`; where it fails, the entry is not used.
    """
    if _off.get() or (folder := cache_folder()) is None or (tool := _tool()) is None:
        return make()
    key = digest("\0".join([kind, tool, *about]).encode("utf-8", "surrogatepass"))
    path = folder / f"{kind}-{key}{_ENTRY}"
    found = _found(path, key)
    if found is not None:
        inputs, data = found
        with suppress(ValueError, KeyError, IndexError, TypeError, TIError):
            result = unpack(data)
            note_inputs(inputs)
            return result
    with watch_reading() as inputs:
        result = make()
    with suppress(OSError):
        _put(path, key, inputs, pack(result))
    return result


def cache_folder() -> Path | None:
    """The folder of entries, made if need be; None where nothing is kept."""
    path = _named()
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


def _named() -> Path | None:
    """Where the folder is by the rules of the system."""
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
    """What makes the results: Python, libraries, and all code of this package, by content.

    None where the code cannot be read, and where it has changed since it was loaded: what is made
    by the old code would be kept as that of the new one.
    """
    from importlib.metadata import PackageNotFoundError, version

    root = Path(ti99tools.__file__).resolve().parent
    parts = [sys.version, str(root)]
    for library in _LIBRARIES:
        try:
            parts.append(version(library) or "")  # none where its metadata is left out
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


def _found(path: Path, key: str) -> tuple[Inputs, bytes] | None:
    """The inputs of an entry and what is kept there; None where it must not be used."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size  # a read takes memory for all that it asks for
            whole = file.read(min(size, LARGEST) + 1)
    except OSError:
        return None
    head, _, rest = whole.partition(b"\n")
    if len(whole) > LARGEST or head != HEAD + digest(rest).encode():
        return None
    about, _, packed = rest.partition(b"\n")
    try:
        told = json.loads(about)
        inputs = Inputs(told["files"], told["links"])
        if told["key"] != key or not inputs.unchanged():
            return None
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, LARGEST)
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
        return None
    if not unpacking.eof:
        return None
    with suppress(OSError):
        os.utime(path)  # so that the entries not used for longest can be told
    return inputs, data


def _put(path: Path, key: str, inputs: Inputs, data: bytes) -> None:
    """Make an entry; raises OSError where that is refused."""
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
    """Remove entries not used for longest until the rest is well below the limit."""
    found = []
    for path in folder.iterdir():
        if path.suffix in (_ENTRY, _NEW):
            with suppress(FileNotFoundError):
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
    size = sum(each[1] for each in found)
    if size <= LIMIT:
        return
    for _, bytes_there, path in sorted(found):
        path.unlink(missing_ok=True)
        size -= bytes_there
        if size <= LIMIT * 3 // 4:
            return
