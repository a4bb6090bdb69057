"""Where new descriptors and contents go: the disk controller's rules.

The controller takes the first free sectors: descriptors from sector 2, contents from 22h, so that
sectors 2–21h stay together for descriptors; when nothing is free above, contents fall back to the
low sectors. It merges neighbours into one cluster. A sector counts as free only if the bitmap says
so and no structure points at it: a wrong bitmap never makes us overwrite a file.

Source: the software specification of the disk peripheral, confirmed by the recorded descriptors
(three files written in turn take 23h, 24h, 25h, 26h, … as they grow).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.geometry import CLUSTER_BLOCKS
from ti99tools.media.disk.volume import Volume

FIRST_DESCRIPTOR = 2
# Sectors 2–21h are kept for 32 descriptors.
FIRST_DATA = 0x22

_FREE = tuple(tuple(bit for bit in range(8) if not byte >> bit & 1) for byte in range(256))
"""Byte of the bitmap → its bits that are free, from the least significant on, as the controller
stores them.
"""


def free_units(volume: Volume) -> Iterator[int]:
    """First sectors of all free allocation units, ascending."""
    unit = volume.unit
    # Not the bitmap alone: a bitmap that wrongly calls a sector free must not cost a file.
    in_use = {sector // unit for sector in volume.referenced()}
    units = volume.total // unit
    bitmap = volume.vib.bitmap[: -(-units // 8)]
    free = (8 * place + bit for place, byte in enumerate(bitmap) for bit in _FREE[byte])
    return (bit * unit for bit in free if bit < units and bit not in in_use)


def take_descriptor(volume: Volume) -> int:
    """A sector for a new descriptor, now marked as used. Raises `DiskError` on a full disk."""
    unit = volume.unit
    # Only descriptors share an allocation unit; contents always begin a unit of their own.
    if unit > 1:
        shared = _beside_descriptor(volume, unit)
        if shared is not None:
            return shared
    return take_directory(volume)


def take_directory(volume: Volume) -> int:
    """A sector at the start of a free unit for a subdirectory's index, now marked as used.

    Raises `DiskError` on a full disk.
    """
    free = (sector for sector in free_units(volume) if sector >= FIRST_DESCRIPTOR)
    first = next(free, None)
    if first is None:
        raise full(1, 0)
    volume.mark({first}, True)
    return first


def take_contents(volume: Volume, count: int) -> list[range]:
    """Extents of `count` sectors for file contents, now marked as used.

    First fit, as the controller does it. Only when that needs more pieces than a descriptor holds
    are the largest gaps taken first. Raises `DiskError` on a full disk, with nothing changed.
    """
    unit = volume.unit
    needed = -(-count // unit)
    order = list(islice((s for s in free_units(volume) if s >= FIRST_DATA), needed))
    if len(order) < needed:
        # The low sectors are the last resort, as on the controller: contents there push descriptors
        # up.
        order += [s for s in free_units(volume) if s < FIRST_DATA]
    if len(order) < needed:
        raise full(count, len(order) * unit)
    extents = merge(_fill(order, count, unit))
    # A descriptor lists 76 clusters. On a scattered disk first fit may need more.
    if len(extents) > CLUSTER_BLOCKS:
        free = [range(s, s + unit) for s in free_units(volume)]
        gaps = sorted(merge(free), key=len, reverse=True)
        order = [s for gap in gaps for s in range(gap.start, gap.stop, unit)]
        extents = merge(_fill(order, count, unit))
    volume.mark({sector for extent in extents for sector in extent}, True)
    return extents


def release(volume: Volume, sectors: set[int]) -> None:
    """Mark `sectors` free, except allocation units that something else still points at.

    Call it after removing the structure that pointed at them.
    """
    unit = volume.unit
    in_use = {sector // unit for sector in volume.referenced()}
    volume.mark({sector for sector in sectors if sector // unit not in in_use}, False)


def merge(extents: list[range]) -> list[range]:
    """Join neighbouring `extents`, as the controller records them."""
    merged: list[range] = []
    for extent in extents:
        if merged and merged[-1].stop == extent.start:
            merged[-1] = range(merged[-1].start, extent.stop)
        elif extent:
            merged.append(extent)
    return merged


def full(wanted: int, free: int) -> DiskError:
    """The error of a disk without enough room."""
    return DiskError(
        f"the disk is full: {wanted} sectors needed, {free} free",
        remedy="remove files or use a larger disk",
    )


def _fill(units: list[int], count: int, unit: int) -> list[range]:
    """The first `count` sectors of `units` as extents."""
    extents = []
    for start in units:
        if count <= 0:
            break
        extents.append(range(start, start + min(unit, count)))
        count -= unit
    return extents


def _beside_descriptor(volume: Volume, unit: int) -> int | None:
    """An unused sector in a unit that holds a descriptor (only descriptors share units)."""
    pointers = {p for index in volume.indexes().values() for p in volume.pointers(index)}
    in_use = volume.referenced()
    for start in sorted({pointer // unit * unit for pointer in pointers}):
        for sector in range(start, min(start + unit, volume.total)):
            if sector not in in_use:
                return sector
    return None
