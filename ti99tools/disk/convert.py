"""Turn a disk into another form or geometry.

Sector images, HFE, PC99 dumps and CF7+ volumes hold the same sectors; a change of form keeps every
one of them. A larger geometry keeps them too and adds free ones at the end. Any other change of
geometry copies the files, whole and in order, onto a fresh disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ti99tools.base.errors import DiskError
from ti99tools.disk import allocation
from ti99tools.disk.checks.volume import MAP_OF_BAD_SECTORS
from ti99tools.disk.containers.cf7 import SECTORS as CARD_SECTORS
from ti99tools.disk.containers.cf7 import VOLUME, CardVolume
from ti99tools.disk.geometry import GEOMETRIES, SECTOR, Geometry, sectors_per_unit
from ti99tools.disk.image import DiskImage
from ti99tools.disk.volume import LARGE

FORMS = {"dsk": "sector image", "hfe": "HFE", "pc99": "PC99", "cf7": "CF7+"}
"""Name on the command line → form."""


def form_for(path: str) -> str | None:
    """The form a file's extension asks for, None when it asks for none."""
    extension = path.rpartition(".")[2].lower()
    aliases = {"hfe": "hfe", "pc99": "pc99", "trk": "pc99", "dsk": "dsk", "cf7": "cf7"}
    return aliases.get(extension)


def convert(
    image: DiskImage, form: str, volume: int = 1, card: bytes = b"", force: bool = False
) -> bytes:
    """The file of `image` in `form` (a key of `FORMS`).

    For `cf7` it becomes volume `volume` of the card image `card`, enlarged to 1600 sectors.
    Unreadable sectors are an error unless `force`: then what was read is used, else zeros.
    """
    if form not in FORMS:
        raise DiskError(f"no form {form!r}", remedy=f"use one of {', '.join(FORMS)}")
    if image.volume.defects and not force:
        count = len(image.volume.defects)
        sector, reason = min(image.volume.defects.items())
        raise DiskError(
            f"{count} sectors cannot be read, the first is sector {sector} ({reason})",
            remedy="--force takes what could be read of them",
        )
    sectors = bytes(image.volume.data)
    if form == "dsk":
        return sectors
    if form == "cf7":
        return _on_card(image, volume, card)
    geometry = image.geometry
    sectors = exactly(sectors, geometry.sectors)
    if form == "hfe":
        from ti99tools.disk.containers.hfe import create_hfe

        return create_hfe(sectors, geometry)
    from ti99tools.disk.containers.pc99 import create_pc99

    return create_pc99(sectors, geometry)


def exactly(sectors: bytes, count: int) -> bytes:
    """The first `count` of `sectors`. Raises `DiskError` when data would be lost or are missing.

    V9T9's map of bad sectors, three sectors behind the volume, is no data of the disk.
    """
    size = count * SECTOR
    surplus = sectors[size:]
    if len(sectors) < size:
        raise DiskError(
            f"the image has {len(sectors) // SECTOR} of {count} sectors",
            remedy="`ti99tools disk repair` may be able to complete it",
        )
    if any(surplus) and surplus.strip(b"\xe5") and len(surplus) != MAP_OF_BAD_SECTORS * SECTOR:
        raise DiskError(
            f"the image holds data behind the disk's {count} sectors",
            remedy="give the disk a larger geometry first (--geometry)",
        )
    return sectors[:size]


def _on_card(image: DiskImage, volume: int, card: bytes) -> bytes:
    """`card` with `image` as its volume `volume`, and room up to there."""
    if volume < 1:
        raise DiskError(f"no volume {volume}", remedy="volumes count from 1")
    if image.total_sectors != CARD_SECTORS:
        image = reshape(image, GEOMETRIES["CF"])
    sectors = exactly(bytes(image.volume.data), CARD_SECTORS)
    return CardVolume(card.ljust(volume * VOLUME, b"\0"), volume).pack(sectors)


def reshape(image: DiskImage, geometry: Geometry) -> DiskImage:
    """The same disk in another geometry, as a sector image.

    Raises `DiskError` when the files do not fit.
    """
    old, new = image.total_sectors, geometry.sectors
    same_units = sectors_per_unit(old) == sectors_per_unit(new)
    same_scale = (old >= LARGE) == (new >= LARGE)
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
    if new > old:
        allocation.release(larger.volume, set(range(old, new)))
    return larger


def copy_files(
    source: DiskImage,
    target: DiskImage,
    names: Iterable[str] | None = None,
    replacing: bool = False,
) -> None:
    """Copy the files `names` of `source` (None: all), byte for byte, directories included.

    Raises `DiskError` when a file cannot be read, exists already (unless `replacing`) or does not
    fit; `target` then has the files before it.
    """
    chosen = source.names() if names is None else list(names)
    wanted = {name.rpartition(".")[0] for name in chosen}
    for directory in source.directories:
        if (names is None or directory in wanted) and directory not in target.directories:
            target.make_directory(directory)
    for name in chosen:
        stored = source.read_stored(name)
        target.add_stored(replace(stored, name=name), replacing)


def blank(form: str, geometry: Geometry, name: str, card: bytes = b"", volume: int = 1) -> bytes:
    """A file of an empty disk in `form`."""
    return convert(DiskImage.new(geometry, name), form, volume, card)
