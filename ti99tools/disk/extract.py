"""Take files off a disk into a host folder: safe names, nothing overwritten unasked, all or none.

A file's folder must exist; a folder to take several files into is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ti99tools.base.errors import DiskError, Place
from ti99tools.base.hostio import write_atomically
from ti99tools.base.remedy import Remedy
from ti99tools.disk.hostnames import to_host


def host_path(folder: Path, name: str, extension: str = "") -> Path:
    """Where the TI file `name` (`DIRECTORY.NAME` or `NAME`) goes under `folder`."""
    directory, _, plain = name.rpartition(".")
    base = folder / to_host(directory) if directory else folder
    return base / (to_host(plain) + extension)


def write_new(path: Path, data: bytes, replace: bool = False) -> None:
    """Write `path`; an existing file is an error unless `replace`."""
    if not replace:
        _refuse_existing([path])
    write_atomically(path, data)


def write_all(folder: Path, files: Mapping[Path, bytes], replace: bool = False) -> None:
    """Write files under `folder`, which is made; nothing when one of them already exists.

    Unless `replace`: then files are overwritten, but a folder in the place of a file is an error.
    Raises DiskError for that, and for a folder that cannot be made.
    """
    _refuse_existing([path for path in files if not replace or path.is_dir()])
    for parent in {folder, *(path.parent for path in files)}:
        try:
            parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DiskError(
                f"cannot make the folder: {error.strerror}",
                remedy="choose another",
                place=Place(str(parent)),
            ) from error
    for path, data in files.items():
        write_atomically(path, data)


def _refuse_existing(paths: list[Path]) -> None:
    there = [path for path in paths if path.exists()]
    if not there:
        return
    place = Place(str(there[0]))
    if there[0].is_dir():
        raise DiskError("a folder is there already", remedy="choose another name", place=place)
    if len(there) == 1:
        raise DiskError("the file already exists", remedy=Remedy.REPLACE, place=place)
    raise DiskError(
        f"this file and {len(there) - 1} more already exist, nothing was written",
        remedy=Remedy.REPLACE,
        place=place,
    )
