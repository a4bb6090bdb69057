"""Take files off a disk into a host folder: safe names, nothing overwritten unasked."""

from __future__ import annotations

from pathlib import Path

from ti99tools.base.errors import DiskError, Place
from ti99tools.base.files import write_atomically
from ti99tools.disk.hostnames import to_host


def host_path(folder: Path, name: str, extension: str = "") -> Path:
    """Where the TI file `name` (`DIRECTORY.NAME` or `NAME`) goes under `folder`."""
    directory, _, plain = name.rpartition(".")
    base = folder / to_host(directory) if directory else folder
    return base / (to_host(plain) + extension)


def write_new(path: Path, data: bytes, replace: bool = False) -> None:
    """Write `path`; an existing file is an error unless `replace`. Folders are made."""
    if not replace and path.exists():
        raise DiskError(
            "the file exists already",
            remedy="choose another name or say --replace",
            place=Place(str(path)),
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskError(
            f"cannot make the folder: {error.strerror}", place=Place(str(path.parent))
        ) from error
    write_atomically(path, data)
