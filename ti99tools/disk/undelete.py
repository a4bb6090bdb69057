"""Deleted files: what is left of them on a disk, and how they come back.

The controller deletes a file by taking it out of the index and freeing its sectors; descriptor and
contents stay until something else is written there, as the recovery programs of its time relied on.
"""

from __future__ import annotations

from ti99tools.base.errors import DiskError
from ti99tools.disk import layout
from ti99tools.disk.checks.index import maybe_descriptor, whole_file
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.image import DiskImage, exists
from ti99tools.disk.volume import ROOT_INDEX, Volume


def deleted(volume: Volume) -> list[int]:
    """Sectors of descriptors whose files were deleted, with all their sectors still free."""
    referenced = volume.referenced()
    found = []
    for sector in range(2, volume.total):
        if sector in referenced or sector in volume.defects:
            continue
        if not maybe_descriptor(volume.data, sector * SECTOR):
            continue
        contents = whole_file(volume, volume.fdr(sector))
        if contents and sector not in contents and _are_free(volume, contents, referenced):
            found.append(sector)
    return found


def restore(image: DiskImage, sector: int) -> str:
    """List the deleted file of the descriptor in `sector` again; its name.

    Raises `DiskError` when another file has its name or its sectors meanwhile, and when the index
    is full.
    """
    volume = image.volume
    fdr = volume.fdr(sector)
    name = layout.clean_name(fdr.name)
    if name in image:
        raise exists(name)
    if sector not in deleted(volume):
        raise DiskError(f"{name} has been overwritten", remedy="nothing can be done")
    pointers = [*volume.pointers(ROOT_INDEX), sector]
    pointers.sort(key=lambda pointer: volume.fdr(pointer).name)
    volume.set_pointers(ROOT_INDEX, tuple(pointers))
    volume.mark({sector, *whole_file(volume, fdr)}, True)
    return name


def _are_free(volume: Volume, sectors: list[int], referenced: set[int]) -> bool:
    return all(
        s < volume.total
        and s not in referenced
        and s not in volume.defects
        and not volume.is_used(s)
        for s in sectors
    )
