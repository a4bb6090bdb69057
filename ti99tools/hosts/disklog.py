"""Play logs brought from elsewhere, on a disk image or as text; files put on a disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ti99tools.base.errors import HostError, ScriptError, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.image import DiskImage
from ti99tools.disk.tifile import DiskFile, FileType
from ti99tools.hosts.host import Files
from ti99tools.trace.playlog import MAGIC, PlayLog, read_all

RECORD = 80
"""Record length of files put on a disk."""
FILLER = "FILLER"
"""Name of the file that takes up room on a disk."""


def read_logs(path: Path) -> list[tuple[str, PlayLog]]:
    """All play logs in a host file, with the name of the file that each was in.

    Raises HostError when there is none, ScriptError for one that cannot be read.
    """
    data = read_bytes(path)
    if data.startswith(MAGIC.encode()):
        return [(path.name, log) for log in read_all(data.splitlines(), str(path))]
    try:
        image = DiskImage.from_bytes(data)
    except TIError as error:
        raise HostError(
            f"{path}: neither a disk image nor a play log", remedy=str(error)
        ) from error
    found: list[tuple[str, PlayLog]] = []
    for name, records in log_files(image):
        found.extend((name, log) for log in read_all(records, f"{path}:{name}"))
    if not found:
        raise HostError(
            f"{path}: no play log on this disk",
            remedy="switch it on in the game and play to the end of a match",
        )
    return found


def with_files(disk: bytes, files: Files) -> DiskImage:
    """A disk with files put on it or taken off, as `Job` has them."""
    image = DiskImage.from_bytes(disk)
    for name, lines in files.items():
        if lines is not None:
            image.add(_file(name, lines), replace=True)
        elif name in image:
            image.remove(name)
    return image


def _file(name: str, lines: Sequence[str] | Sequence[bytes]) -> DiskFile:
    rows = [line for line in lines if isinstance(line, bytes)]
    if rows:
        return DiskFile.internal_var(name, rows, RECORD)
    texts = [line.encode("ascii") for line in lines if isinstance(line, str)]
    return DiskFile.display_var(name, texts)


def filled(disk: bytes, left: int) -> bytes:
    """A disk that a further file leaves so many free sectors; as it is if it has fewer."""
    image = DiskImage.from_bytes(disk)
    size = image.free_sectors - left - 1  # the file's own entry takes a sector
    if size > 0:
        image.add(DiskFile.program(FILLER, bytes(SECTOR * size)))
    return image.to_bytes()


def log_files(image: DiskImage) -> list[tuple[str, tuple[bytes, ...]]]:
    """Names and records of the DIS/VAR 80 files that begin as a play log."""
    found = []
    for info in image.files():
        try:
            file = image.read(info.name)
        except (TIError, ScriptError):
            continue
        is_text = file.type is FileType.DIS_VAR and bool(file.records)
        if is_text and file.records[0].startswith(MAGIC.encode()):
            found.append((info.name, file.records))
    return found
