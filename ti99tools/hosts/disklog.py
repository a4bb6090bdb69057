"""Play logs brought from elsewhere, on a disk image or as text; text files put on a disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ti99tools.base.errors import HostError, ScriptError, TIError
from ti99tools.disk.files import DiskFile, FileType
from ti99tools.disk.image import DiskImage
from ti99tools.trace.playlog import MAGIC, PlayLog, read_all


def read_logs(path: Path) -> list[tuple[str, PlayLog]]:
    """All play logs in a host file, with the name of the file that each was in.

    Raises HostError when there is none, ScriptError for one that cannot be read.
    """
    data = path.read_bytes()
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


def with_files(disk: bytes, files: Mapping[str, Sequence[str] | None]) -> DiskImage:
    """A disk with text files put on it or taken off."""
    image = DiskImage.from_bytes(disk)
    for name, lines in files.items():
        if lines is not None:
            records = [line.encode("ascii") for line in lines]
            image.add(DiskFile.display_var(name, records), replace=True)
        elif name in image:
            image.remove(name)
    return image


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
