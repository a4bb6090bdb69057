"""Turn a disk into another format or geometry.

Sector images, HFE, PC99 dumps and CF7+ volumes hold the same sectors, and a change of format keeps
every one of them. A larger geometry keeps them too and adds free sectors at the end. Any other
change of geometry copies the files, whole and in order, to a new disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.media.disk import allocation
from ti99tools.media.disk.checks.volume_block import MAP_OF_BAD_SECTORS
from ti99tools.media.disk.containers import FORMS as TABLE
from ti99tools.media.disk.containers import form_named
from ti99tools.media.disk.geometry import (
    CLUSTER_REACH,
    GEOMETRIES,
    SECTOR,
    Geometry,
    sectors_per_unit,
)
from ti99tools.media.disk.image import DiskImage


def form_for(path: str) -> str | None:
    """The format for a file's extension; None for an unknown one."""
    extension = path.rpartition(".")[2].lower()
    return next((form.key for form in TABLE if extension in form.extensions), None)


def convert(
    image: DiskImage, form: str, volume: int = 1, card: bytes = b"", force: bool = False
) -> bytes:
    """The file of `image` in `form` (a key of `FORMS`).

    On a card it becomes volume `volume` of the card image `card`, enlarged to the card's 1600
    sectors. A card's volume that claims fewer sectors gives a disk of that size. Unreadable sectors
    are an error unless `force` is given: then whatever was read is used, else zeros. Data after the
    volume's last sector are an error too, and `force` drops them. Raises DiskError for sectors that
    cannot be read, and for a format that cannot hold the disk.
    """
    chosen = form_named(form)
    if image.volume.defects and not force:
        count = len(image.volume.defects)
        sector, reason = min(image.volume.defects.items())
        raise DiskError(
            f"{count} sectors cannot be read, the first is sector {sector} ({reason})",
            remedy=Remedy.FORCE,
        )
    codec = chosen.codec
    if chosen.volumes:
        assert codec.put is not None
        shape = GEOMETRIES[chosen.volumes]
        if image.total_sectors != shape.sectors:
            image = reshape(image, shape)
        return codec.put(exactly(bytes(image.volume.data), shape.sectors), card, volume)
    assert codec.create is not None
    sectors = bytes(image.volume.data)
    # A plain sector image keeps what follows the volume; tracks have no room for it.
    if chosen.key != "dsk" or _is_smaller_than_its_place(image):
        sectors = exactly(sectors, image.geometry.sectors, force)
    return codec.create(sectors, image.geometry)


def _is_smaller_than_its_place(image: DiskImage) -> bool:
    """Tell whether the disk is a volume of a card that claims fewer sectors than its place has."""
    on_card = any(form.volumes and form.title == image.form for form in TABLE)
    return on_card and image.geometry.sectors == image.total_sectors < image.volume.held


def exactly(sectors: bytes, count: int, force: bool = False) -> bytes:
    """The first `count` of `sectors`.

    Raises `DiskError` when some are missing and, unless `force` is given, when data would be lost.
    V9T9's map of bad sectors, three sectors after the volume, is not data of the disk.
    """
    size = count * SECTOR
    surplus = sectors[size:]
    if len(sectors) < size:
        raise DiskError(
            f"the image has {len(sectors) // SECTOR} of {count} sectors",
            remedy=Remedy.REPAIR_DISK,
        )
    lost = any(surplus) and not force
    # E5 is what a formatter writes: such sectors were never used.
    if lost and surplus.strip(b"\xe5") and len(surplus) != MAP_OF_BAD_SECTORS * SECTOR:
        raise DiskError(
            f"the image holds data after the disk's {count} sectors",
            remedy=Remedy.FORCE_OR_GEOMETRY,
        )
    return sectors[:size]


def reshape(image: DiskImage, geometry: Geometry) -> DiskImage:
    """The same disk in another geometry, as a sector image.

    Raises `DiskError` when the files do not fit.
    """
    old, new = image.total_sectors, geometry.sectors
    same_units = sectors_per_unit(old) == sectors_per_unit(new)
    # Sectors can stay where they are only if bitmap bits and clusters mean the same on both disks.
    same_scale = (old >= CLUSTER_REACH) == (new >= CLUSTER_REACH)
    if new >= old and same_units and same_scale and image.volume.held >= old:
        return _enlarged(image, geometry)
    fresh = DiskImage.new(geometry, image.name)
    fresh.protected = image.protected
    copy_files(image, fresh)
    return fresh


def _enlarged(image: DiskImage, geometry: Geometry) -> DiskImage:
    old, new = image.total_sectors, geometry.sectors
    sectors = exactly(bytes(image.volume.data).ljust(new * SECTOR, b"\0"), new)
    larger = DiskImage(sectors, defects=image.volume.defects)
    vib = larger.volume.vib
    larger.volume.vib = replace(
        vib,
        total_sectors=new,
        tracks=geometry.tracks,
        sides=geometry.sides,
        sectors_per_track=geometry.sectors_per_track,
        density=geometry.density,
    )
    # The bits past the old end were set, as the controller does; now these sectors exist.
    if new > old:
        allocation.release(larger.volume, set(range(old, new)))
    return larger


def copy_files(
    source: DiskImage,
    target: DiskImage,
    names: Iterable[str] | None = None,
    replacing: bool = False,
) -> None:
    """Copy the files `names` of `source` (None: all), byte for byte, with their directories.

    Raises `DiskError` when a file cannot be read, already exists (unless `replacing`) or does not
    fit; the files before it are in `target` then.
    """
    chosen = source.names() if names is None else list(names)
    wanted = {name.rpartition(".")[0] for name in chosen}
    for directory in source.directories:
        if (names is None or directory in wanted) and directory not in target.directories:
            target.make_directory(directory)
    for name in chosen:
        stored = source.read_stored(name)
        target.add_stored(replace(stored, name=name), replacing)
