"""Play logs from elsewhere, on a disk image or as text; and files put on a disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ti99tools.base.errors import HostError, ScriptError, TIError
from ti99tools.base.record import Record
from ti99tools.games.hosts.host import Files
from ti99tools.games.models.playlog import END, MAGIC, LogError, LogKind, PlayLog, read, split
from ti99tools.language.program.hostfile import FileKind, HostFile
from ti99tools.media.disk.geometry import SECTOR
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import load
from ti99tools.media.disk.tifile import DiskFile, FileType

RECORD = 80
"""Record length of files put on a disk."""
FILLER = "FILLER"
"""The name of the file that fills a disk."""


class FoundLog(Record):
    """A log in a host file: the name of the file it was in, and the log or its error."""

    file: str
    log: PlayLog | None
    error: LogError | None = None


def read_logs(path: Path) -> list[FoundLog]:
    """All play logs in a host file: a disk image of any form, a TIFILES or FIAD file, or a text.

    Raises HostError when it has none.
    """
    file = HostFile.open(path)
    if file.kind is FileKind.LOG:
        return _logs(path.name, _whole_lines(file.data), str(path))
    try:
        if file.stored is not None:
            records = load(file.stored).records
            if not records or not records[0].startswith(MAGIC.encode()):
                raise HostError(f"{path}: no play log is in this file", remedy=_PLAY)
            return _logs(path.name, records, str(path))
        if file.disk is None:
            raise file.no_disk
    except HostError:
        raise
    except TIError as error:
        raise HostError(
            f"{path}: neither a disk image nor a play log", remedy=str(error)
        ) from error
    logs: list[FoundLog] = []
    for name, records in log_files(file.disk):
        logs += _logs(name, records, f"{path}:{name}")
    if not logs:
        raise HostError(f"{path}: no play log on this disk", remedy=_PLAY)
    return logs


def _whole_lines(text: bytes) -> list[bytes]:
    """The lines of a text, without an incomplete last line."""
    lines = text.splitlines()
    cut = not text.endswith((b"\n", b"\r")) and lines[-1].strip() != str(END).encode()
    return lines[:-1] if cut and len(lines) > 1 else lines


_PLAY = "switch it on in the game and play to the end of a match"


def _logs(name: str, records: Sequence[bytes], place: str) -> list[FoundLog]:
    """The logs of one file, numbered if there are several."""
    parts = split(records)
    logs = []
    for number, (first, part) in enumerate(parts, 1):
        title = f"{name} #{number}" if len(parts) > 1 else name
        logs.append(_log(title, part, place, first))
    return logs


def _log(title: str, part: list[bytes], place: str, first: int) -> FoundLog:
    try:
        return FoundLog(title, read(part, place, first))
    except LogError as error:
        if error.kind is LogKind.TRUNCATED and len(part) > 2:  # its last line is incomplete
            return FoundLog(title, read(part[:-1], place, first))
        return FoundLog(title, None, error)


def with_files(disk: bytes, files: Files) -> DiskImage:
    """The disk with files put on it or taken off; see `Job.files`."""
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
    """The disk filled by one more file until `left` sectors are free; unchanged if fewer are."""
    image = DiskImage.from_bytes(disk)
    size = image.free_sectors - left - 1  # the file's FDR takes a sector
    if size > 0:
        image.add(DiskFile.program(FILLER, bytes(SECTOR * size)))
    return image.to_bytes()


def records_on(disk: bytes, name: str) -> tuple[bytes, ...] | None:
    """The records of a file on a disk; None when it does not exist or is empty."""
    image = DiskImage.from_bytes(disk)
    return image.read(name).records if name in image else None


def log_files(image: DiskImage) -> list[tuple[str, tuple[bytes, ...]]]:
    """Names and records of the DIS/VAR 80 files that begin as a play log."""
    files = []
    for info in image.files():
        try:
            file = image.read(info.name)
        except (TIError, ScriptError):
            continue
        is_text = file.type is FileType.DIS_VAR and bool(file.records)
        if is_text and file.records[0].startswith(MAGIC.encode()):
            files.append((info.name, file.records))
    return files
