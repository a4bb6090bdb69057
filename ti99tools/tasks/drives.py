"""Disks in the drives of a run: `[DSKn=]FILE` puts an image in, and says where one is saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.base.hostio import check_output
from ti99tools.base.remedies import Remedy
from ti99tools.disk.image import DiskImage
from ti99tools.machine.drives import DRIVES
from ti99tools.tasks.sources import spare
from ti99tools.tasks.targets import Target


def mounted(target: Target, disks: Iterable[str]) -> dict[str, DiskImage]:
    """The drives: the target's own disk, a blank DSK1 without one, and `DSKn=FILE` options."""
    images: dict[str, DiskImage] = {"DSK1": target.disk or DiskImage.new(name="BLANK")}
    for name, file in _drives(disks):
        images[name] = DiskImage.open(file)
    return images


def check_saves(target: Target, images: Mapping[str, DiskImage], saves: Iterable[str]) -> None:
    """Raise TIError when `save_disks` could not do what the options say."""
    for name, file in _drives(saves):
        if target.file is not None and target.disk is None:
            spare(Path(target.file), Path(file))
        if name not in images:
            raise TIError(f"no disk in {name}", remedy=Remedy.DISK_FOR_DRIVE.of(drive=name))
        check_output(file)


def save_disks(images: Mapping[str, DiskImage], saves: Iterable[str]) -> None:
    """Write images as `[DSKn=]FILE` options say."""
    for name, file in _drives(saves):
        images[name].save(file)


def _drives(options: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Drive and file of each `[DSKn=]FILE`."""
    for option in options:
        drive, _, file = option.rpartition("=")
        name = drive_name(drive or "DSK1")
        if not file:
            raise TIError(f"{option or name}: no file is named", remedy=f"write {name}=FILE")
        yield name, file


def drive_name(text: str) -> str:
    """`DSK2` for `dsk2`. Raises TIError for other names."""
    name = text.upper()
    if name not in DRIVES:
        drives = ", ".join(DRIVES)
        raise TIError(f"{text}: no drive", remedy=f"drives are {drives}: write DSK2=FILE")
    return name
