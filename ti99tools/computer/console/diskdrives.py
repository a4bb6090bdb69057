"""The disks in the drives of a console, as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping

from ti99tools.base.errors import TIError
from ti99tools.hardware.machine.drives import Drives
from ti99tools.media.disk.image import DiskImage


class NoDisk(TIError, KeyError):
    """A drive without a disk."""


class DiskDrives(MutableMapping[str, DiskImage]):
    """The images in the drives by name, as they are now.

    `disks["DSK2"] = image` puts a disk into a drive, `del disks["DSK2"]` takes it out.
    """

    def __init__(self, drives: Drives) -> None:
        self._drives = drives

    def __getitem__(self, drive: str) -> DiskImage:
        """The disk in a drive. Raises NoDisk."""
        images = self._drives.images()
        if drive not in images:
            full = ", ".join(images) or "none"
            problem = f"no disk is in {drive!r}; drives with one: {full}"
            raise NoDisk(problem, remedy='put one in: console.disks["DSK1"] = DiskImage.new()')
        return images[drive]

    def __setitem__(self, drive: str, image: DiskImage) -> None:
        """Put a disk into a drive ("DSK1" to "DSK4").

        Raises TIError for another name, and for something that is not an image.
        """
        self._drives.mount(drive, image)

    def __delitem__(self, drive: str) -> None:
        """Take the disk out of a drive. Raises NoDisk if none is in it."""
        self[drive]
        self._drives.eject(drive)

    def __iter__(self) -> Iterator[str]:
        return iter(self._drives.images())

    def __len__(self) -> int:
        return len(self._drives.images())

    def __repr__(self) -> str:
        return repr(self._drives.images())
