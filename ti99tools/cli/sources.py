"""Reading the source that a command names, with a word for those who name a disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os.path import samefile
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import ProgramError, SourceError, TIError

if TYPE_CHECKING:
    from ti99tools.program.memory_report import MemoryReport
    from ti99tools.program.sourcefile import Source
    from ti99tools.source.findings import Finding


def read(path: Path, refused: list[SourceError] | None = None) -> Source:
    """`read_source`; a disk image is told as such."""
    from ti99tools.program.sourcefile import read_source

    with _no_disk(path):
        return read_source(path, refused=refused)


def advise(path: Path) -> tuple[list[Finding], MemoryReport | None]:
    """`advise_file`; a disk image is told as such."""
    from ti99tools.program.advice import advise_file

    with _no_disk(path):
        return advise_file(path)


@contextmanager
def _no_disk(path: Path) -> Iterator[None]:
    try:
        yield
    except ProgramError as error:
        if not _is_disk(path):
            raise
        remedy = "`ti99tools disk ls` shows what is on it, `disk show` a program"
        raise TIError(f"{path}: a disk image, no program", remedy=remedy) from error


def must_be_text(path: Path) -> None:
    """Raise TIError when the file cannot be read or is no text."""
    from ti99tools.base.hostio import read_bytes
    from ti99tools.base.hosttext import is_text

    if not is_text(read_bytes(path)):
        raise TIError(f"{path}: no text", remedy="`ti99tools list` shows the program in a file")


def spare(source: Path, *outputs: Path | None) -> None:
    """Raise TIError when an output would overwrite the source."""
    for output in outputs:
        if output is not None and output.exists() and source.exists() and samefile(source, output):
            raise TIError(f"{output} is the source itself", remedy="choose another output")


def _is_disk(path: Path) -> bool:
    from ti99tools.disk.image import DiskImage

    try:
        DiskImage.open(path)
    except TIError:
        return False
    return True
