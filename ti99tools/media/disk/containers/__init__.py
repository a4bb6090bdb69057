"""Image formats: the table of them, and how to tell them apart by content."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.base.record import Record
from ti99tools.media.disk.containers.sectors import Codec, Unpacked
from ti99tools.media.disk.geometry import SECTOR, by_size
from ti99tools.media.disk.hostfiles import is_tifiles


class Form(Record):
    """A format of disk images.

    `key` is its name on the command line, `title` its name for users; `module` in this package
    reads and makes it. Cards hold volumes, all of the geometry `volumes`.
    """

    key: str
    title: str
    extensions: tuple[str, ...]
    module: str
    volumes: str | None = None

    @property
    def codec(self) -> Codec:
        """The format's reader and writer; its module is loaded on first use."""
        return cast(Codec, import_module(f"{__name__}.{self.module}").CODEC)


FORMS = (
    Form("dsk", "sector image", ("dsk",), "sectors"),
    Form("hfe", "HFE", ("hfe",), "hfe"),
    Form("pc99", "PC99", ("pc99", "trk"), "pc99"),
    Form("cf7", "CF7+", ("cf7",), "cf7", volumes="CF"),
)
"""All formats, in the order in which content is tried; the plain one has its mark at 13 to 15."""


def form_named(key: str) -> Form:
    """The format `key` of the table. Raises `DiskError` when there is none."""
    for form in FORMS:
        if form.key == key:
            return form
    keys = ", ".join(form.key for form in FORMS)
    raise DiskError(f"no form {key!r}", remedy=f"use one of {keys}")


def unpack(data: bytes, volume: int = 1) -> Unpacked:
    """The volume in `data`, whatever the format; `volume` is for cards.

    Raises `DiskError` for content of an unknown format.
    """
    # Checked first: a TIFILES file of the right size would pass as a sector image.
    if is_tifiles(data):
        raise DiskError("a TIFILES file, not a disk", remedy=Remedy.ADD_TO_DISK)
    for form in FORMS:
        unpacked = form.codec.read(data, volume)
        if unpacked is not None:
            if volume != 1 and not form.volumes:
                break
            return unpacked
    if volume != 1:
        raise DiskError("only CF7+ cards have volumes", remedy=Remedy.NO_VOLUME)
    # The size is the only hint at a sector image without its mark; `check` can then say more.
    if by_size(len(data) // SECTOR) is None:
        raise DiskError(
            "not a disk image in any known format",
            remedy=f"known formats are {', '.join(form.title for form in FORMS)}",
        )
    from ti99tools.media.disk.containers.sectors import unpack_sectors

    return unpack_sectors(data)
