"""Reading the source that a command names, with a word for those who name a disk."""

from __future__ import annotations

from os.path import samefile
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import ProgramError, SourceError, TIError

if TYPE_CHECKING:
    from ti99tools.program.sourcefile import Source


def read(path: Path, refused: list[SourceError] | None = None, *, pack: bool = True) -> Source:
    """`read_source`; a disk image is told as such."""
    from ti99tools.program.sourcefile import read_source

    try:
        return read_source(path, refused=refused, pack=pack)
    except ProgramError as error:
        if not _is_disk(path):
            raise
        remedy = "`ti99tools disk ls` shows what is on it, `disk show` a program"
        raise TIError(f"{path}: a disk image, no program", remedy=remedy) from error


def spare(source: Path, output: Path | None) -> None:
    """Raise TIError when the output would overwrite the source."""
    if output is not None and output.exists() and source.exists() and samefile(source, output):
        raise TIError(f"{output} is the source itself", remedy="choose another output")


def _is_disk(path: Path) -> bool:
    from ti99tools.disk.image import DiskImage

    try:
        DiskImage.open(path)
    except TIError:
        return False
    return True
