"""Image forms, one module each, and how to tell them apart by content."""

from __future__ import annotations

from ti99tools.base.errors import DiskError
from ti99tools.disk.containers.base import Unpacked
from ti99tools.disk.containers.cf7 import is_card, unpack_card
from ti99tools.disk.containers.sectors import unpack_sectors
from ti99tools.disk.geometry import SECTOR, by_size
from ti99tools.disk.tifiles import is_tifiles


def unpack(data: bytes, volume: int = 1) -> Unpacked:
    """The volume in `data`, whatever the form; `volume` is for cards.

    Raises `DiskError` when the content is of no form known here.
    """
    if data.startswith(b"HXCPICFE"):
        from ti99tools.disk.containers.hfe import unpack_hfe

        return unpack_hfe(data)
    if data.startswith(b"HXCHFEV3"):
        raise DiskError("HFE version 3 is not known here", remedy="save it as HFE version 1")
    if is_tifiles(data):
        raise DiskError("a TIFILES file, no disk", remedy="`ti99tools disk add` puts it on one")
    if data[0x0D:0x10] != b"DSK":
        from ti99tools.disk.containers.pc99 import track_format, unpack_pc99

        form = track_format(data)
        if form is not None:
            return unpack_pc99(data, form)
        if is_card(data):
            return unpack_card(data, volume)
    if volume != 1:
        raise DiskError("only CF7+ cards have volumes", remedy="leave out --volume")
    if data[0x0D:0x10] != b"DSK" and by_size(len(data) // SECTOR) is None:
        raise DiskError(
            "not a disk image of any known form",
            remedy="known are sector images, HFE, PC99 track dumps and CF7+ cards",
        )
    return unpack_sectors(data)
