"""Why a device refused a statement: what its name shows, and what is in the drives."""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.app.run_drives import FolderDrive
from ti99tools.base.record import Record
from ti99tools.base.tokens import QUOTED
from ti99tools.base.xberrors import XBError
from ti99tools.hardware.machine.drives import DRIVES
from ti99tools.hardware.machine.ports import known
from ti99tools.language.listing.listing import scan
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import NAME_FORM, is_legal_name

_OPENED = {
    "CS1": "CS1 takes FIXED records, for INPUT or for OUTPUT",
    "CS2": "CS2 takes FIXED records for OUTPUT",
}
_DISKS = ("DSK", *DRIVES)
"""The devices whose files are on disks; the volume's name follows DSK."""
_NO_DEVICE, _REFUSED = 0, 3
_NOT_FOUND = (2, 7, 72, 77)
"""How OPEN and DELETE fail that do not find a file, or take its name for none."""


class DrivesNow(Record):
    """The disks in the drives, and the drives that hold folders."""

    disks: Mapping[str, DiskImage]
    folders: Mapping[str, FolderDrive]


def why_refused(error: XBError, tokens: bytes, drives: DrivesNow) -> str:
    """Why the device that a statement names did not open; empty where nothing is known of it.

    `tokens` begin with the statement. A name that is not a constant is not known.
    """
    device, _, file = _name_in(tokens).partition(".")
    if error.io_code == _NO_DEVICE:
        return _no_device(device)
    if error.io_code == _REFUSED:
        return _OPENED.get(device, "")
    if device not in _DISKS or error.io_code not in _NOT_FOUND:
        return ""
    if device in DRIVES and device not in drives.disks:
        return f"no disk is in {device}"
    if file and not is_legal_name(file.rpartition(".")[2]):
        return f"a file's name has {NAME_FORM}"
    hidden = drives.folders[device].hidden.get(file) if device in drives.folders else None
    return f"{hidden.place}: {hidden.problem}" if hidden is not None and hidden.place else ""


def unconnected(error: XBError, tokens: bytes) -> str:
    """The port that a statement names and that nothing is connected to; empty for other errors."""
    return (known(_name_in(tokens)) or "") if error.io_code == _NO_DEVICE else ""


def _name_in(tokens: bytes) -> str:
    """The first text of a statement; empty without one."""
    return next((element.text for element in scan(tokens) if element.token == QUOTED), "")


def _no_device(device: str) -> str:
    """Why there is no such device."""
    # The recorded controller has three drives; DSK4 exists only with a disk in it.
    if device == "DSK4":
        return "DSK4 is there when a disk is in it"
    if port := known(device):
        return f"nothing is connected to {port}"
    capitals = device.upper()
    if capitals != device and (capitals in _DISKS or known(capitals)):
        return f"write {capitals}, in capitals"
    return "devices are DSK1 to DSK3, PIO, RS232, CS1 and CS2" if device else ""
