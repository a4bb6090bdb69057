"""What a program asks of a device when it opens a file, and how the device refuses.

The names follow the Peripheral Access Block (PAB) of the TI-99/4A's device service routines.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Mode(Enum):
    """The four ways to open a file (PAB flag bits 1–2)."""

    UPDATE = 0
    OUTPUT = 1
    INPUT = 2
    APPEND = 3


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """The attributes of an OPEN.

    `record_length` 0 means none was named: the file's own, or 80 for a new one. `initial` is the
    number of records that RELATIVE n or SEQUENTIAL n reserves in a new file of fixed records.
    """

    mode: Mode = Mode.UPDATE
    internal: bool = False
    variable: bool = True
    relative: bool = False
    record_length: int = 0
    initial: int = 0


class IOFailure(Exception):
    """A device service routine's refusal; `code` 0–7 is the error in the PAB's flag byte.

    0 bad device name, 1 write protected, 2 bad attribute or no such file, 3 illegal operation,
    4 out of space, 5 past the end, 6 device error, 7 file error. `operation` is that of the PAB
    where the device knows it better than who asked.
    """

    def __init__(self, code: int, operation: int = 0) -> None:
        self.code = code
        self.operation = operation
        super().__init__(f"I/O error {code}")


class DeviceFile(Protocol):
    """An open file at the device: whole records in and out.

    `record_length` in bytes, `fixed` tells whether `record` numbers count. Every method may raise
    `IOFailure`; after a failure the device has closed a data file.
    """

    record_length: int
    fixed: bool

    def read(self, record: int) -> bytes:
        """The next record; of a fixed file the one of that number, from 0."""
        ...

    def write(self, data: bytes, record: int) -> None:
        """Write a record of at most `record_length` bytes, of a fixed file exactly as many."""
        ...

    def rewind(self) -> None:
        """Go back to the first record."""
        ...

    def status(self, record: int) -> int:
        """0: more to read, 1: at the end, -1: at the end and the medium is full."""
        ...

    def close(self) -> None:
        """Make what was written part of the medium, and the file unusable."""
        ...


class Devices(Protocol):
    """The devices of a console by name, as `OPEN #1:"DSK1.NAME"` gives them."""

    def open(self, name: str, request: OpenRequest) -> DeviceFile:
        """Open a file. Raises `IOFailure`."""
        ...

    def delete(self, name: str) -> None:
        """Delete a file, if it is there. Raises `IOFailure`."""
        ...
