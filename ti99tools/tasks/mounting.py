"""Disks in the drives of a run, and where they are saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.base.hostio import check_output
from ti99tools.base.remedy import Remedy
from ti99tools.disk.image import DiskImage
from ti99tools.tasks.folders import FolderDrive
from ti99tools.tasks.sources import spare
from ti99tools.tasks.targets import Target

Mounts = Sequence[tuple[str, Path]]
"""Drives (`DSK2`), and image files or folders."""


class Drives(dict[str, DiskImage]):
    """What is in the drives; `folders` are those that are folders of the host."""

    def __init__(self, images: Mapping[str, DiskImage]) -> None:
        super().__init__(images)
        self.folders: dict[str, FolderDrive] = {}


def mounted(target: Target, disks: Mounts = ()) -> Drives:
    """The drives: the target's own disk, a blank DSK1 without one, further images and folders."""
    images = Drives({"DSK1": target.disk or DiskImage.new(name="BLANK")})
    for name, file in disks:
        images.folders.pop(name, None)
        if file.is_dir():
            images.folders[name] = FolderDrive.of(file)
            images[name] = images.folders[name].image
        else:
            images[name] = DiskImage.open(file)
    return images


def check_saves(target: Target, images: Mapping[str, DiskImage], saves: Mounts) -> None:
    """Raise TIError when `save_disks` could not do its work."""
    for name, file in saves:
        if target.file is not None and target.disk is None:
            spare(Path(target.file), file)
        if name not in images:
            raise TIError(f"no disk in {name}", remedy=Remedy.DISK_FOR_DRIVE.of(drive=name))
        check_output(file)


def save_disks(images: Mapping[str, DiskImage], saves: Mounts) -> None:
    """Write the images of these drives to these files, and changes in folders back to them."""
    for name, file in saves:
        images[name].save(file)
    if isinstance(images, Drives):
        for folder in images.folders.values():
            folder.write_back()
