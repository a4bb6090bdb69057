"""Repair a disk without losing anything on it, and bring deleted files back.

The controller deletes a file by taking it out of the index and freeing its sectors. Descriptor and
contents stay until something else is written there; the recovery programs of the time relied on
that.

Repair does only what a finding announces: it corrects counts and marks, sorts indexes, lists files
that no index lists, gives cross-linked files their own sectors, drops entries that point nowhere.
It never frees or overwrites a sector that might hold data; lost sectors are freed only on request.
What it cannot repair stays as it is and is still found by `check`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.checks.index import NOTE, DiskFinding, stray_file, whole_file
from ti99tools.media.disk.checks.volume_block import lost_sectors, ranges
from ti99tools.media.disk.image import DiskImage, exists
from ti99tools.media.disk.volume import ROOT_INDEX, Volume


def deleted(volume: Volume) -> list[int]:
    """Sectors of the descriptors of deleted files whose sectors are all still free."""
    free, referenced = _free(volume), volume.referenced()
    sectors = (sector for sector in range(2, volume.total) if sector not in referenced)
    return [sector for sector in sectors if _contents(volume, sector, free)]


def restore(image: DiskImage, sector: int) -> str:
    """List the deleted file whose descriptor is in `sector` again; return its name.

    Raises `DiskError` when another file has taken its name or its sectors, and when the index is
    full.
    """
    volume = image.volume
    fdr = volume.fdr(sector)
    name = descriptors.clean_name(fdr.name)
    if name in image:
        raise exists(name)
    contents = [] if sector in volume.referenced() else _contents(volume, sector, _free(volume))
    if not contents:
        taker = _taker(image, sector)
        if taker:
            problem = f"{taker} has sectors of {name} now"
            raise DiskError(problem, remedy="only one of the two can be there")
        raise DiskError(f"{name} has been overwritten", remedy="nothing can be done")
    pointers = [*volume.pointers(ROOT_INDEX), sector]
    pointers.sort(key=lambda pointer: volume.fdr(pointer).name)
    volume.set_pointers(ROOT_INDEX, tuple(pointers))
    volume.mark({sector, *(s for extent in contents for s in extent)}, True)
    return name


def _taker(image: DiskImage, sector: int) -> str:
    """The file that took sectors of the one whose descriptor is in `sector`; empty for none."""
    volume = image.volume
    wanted = {sector, *(s for extent in whole_file(volume, volume.fdr(sector)) for s in extent)}
    for name in image.names():
        other = image.descriptor_sector(name)
        extents = volume.sound_extents(volume.fdr(other))
        if other in wanted or any(not wanted.isdisjoint(extent) for extent in extents):
            return name
    return ""


def _free(volume: Volume) -> bytearray:
    """A byte for each sector: 1 if it is free and can be read."""
    free = volume.unlisted(used=False)
    for sector in volume.defects:
        if sector < len(free):
            free[sector] = 0
    return free


def _contents(volume: Volume, sector: int, free: bytearray) -> list[range]:
    """The extents of the deleted file whose descriptor is in `sector`; none if there is none."""
    extents = stray_file(volume, sector, free)
    return [] if any(sector in extent for extent in extents) else extents


ROUNDS = 100
"""Most rounds of checking and repairing, more than there are kinds of findings."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was repaired, one line each, and what remains."""

    done: tuple[str, ...]
    remaining: tuple[DiskFinding, ...]

    @property
    def clean(self) -> bool:
        """Tell whether only notes remain."""
        return all(finding.severity == NOTE for finding in self.remaining)


def repair(image: DiskImage, reclaim: bool = False) -> Repaired:
    """Repair `image`; `reclaim` also frees sectors that belong to no file.

    The image is changed in memory only. Raises `DiskError` when its format cannot take the change.
    """
    volume = image.volume
    # Never write to something that may not be a TI disk at all.
    if any(f.code == "mark" and not f.fix for f in check(volume)):
        raise DiskError(
            "this does not look like a TI disk: no DSK, and the sizes do not fit",
            remedy=Remedy.NEW_DISK,
        )
    done: list[str] = []
    # A repair that failed or changed nothing is not tried again.
    given_up: set[tuple[str, str]] = set()
    for _ in range(ROUNDS):
        due = [f for f in check(volume) if f.fix and (f.code, f.place) not in given_up]
        if not due:
            break
        # One kind at a time: a repair of one kind may remove or create findings of another.
        for finding in [f for f in due if f.code == due[0].code]:
            assert finding.fix is not None
            before = bytes(volume.data)
            try:
                finding.fix(volume)
            except DiskError:
                volume.data[:] = before
            if volume.data == before:
                given_up.add((finding.code, finding.place))
            else:
                done.append(f"{finding.place}: {finding.problem}: {finding.mend}")
    if reclaim and (lost := lost_sectors(volume)):
        volume.mark(set(lost), False)
        done.append(f"bitmap: freed {ranges(lost)}")
    return Repaired(tuple(done), tuple(check(volume)))
