"""Hosts that games can be verified on, and the user's own ROM dumps for them."""

from __future__ import annotations

from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.base.remedy import Remedy
from ti99tools.hosts import mame, virtual
from ti99tools.hosts.config import setting
from ti99tools.hosts.host import Host
from ti99tools.hosts.roms import RomSet, search


def hosts() -> list[Host]:
    """All hosts; `missing` of each tells what it lacks here."""
    return [virtual.host(), mame.host()]


def prepare_dumps(into: Path) -> RomSet:
    """Look for dumps in the folder that is set, and write them into `into`.

    Raises TIError when no folder is set, or it is not there, or holds none of them.
    """
    folder = setting("roms")
    if folder is None:
        raise TIError("no folder of ROM dumps is named", remedy=Remedy.ADD_ROMS)
    if not Path(folder).is_dir():
        raise TIError(f"{folder}: no such folder of ROM dumps", remedy=Remedy.CHECK_ROMS)
    dumps = search(Path(folder))
    if not dumps.found:
        raise TIError(f"{folder}: none of the ROM dumps is here", remedy=Remedy.CHECK_ROMS)
    dumps.lay_out(into)
    return dumps
