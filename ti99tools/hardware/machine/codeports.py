"""The ports through which machine code reaches video processor, sound chip and GROM.

The video processor's address counter, its read-ahead and the two bytes of an address follow the
TMS9918A. GROMs are not part of this project: theirs holds only the patterns of characters, and
reads elsewhere are reported. Source: the TMS9918A data manual, the console's published memory map.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.hardware.machine.charset import grom_byte
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.hardware.machine.vdp import VDP

_MEMORY = 0x3FFF
_REGISTER, _WRITE = 0x80, 0x40


class VideoPort:
    """The four video ports: data and status to read, data and address to write.

    `status` reads the status register, which clears it.
    """

    def __init__(self, vdp: VDP, status: Callable[[], int]) -> None:
        self._vdp = vdp
        self._status = status
        self._address = 0
        self._ahead = 0
        self._first: int | None = None

    def read(self, address: int) -> int:
        """The byte that was read ahead, or the status."""
        # Any read ends a half-written address, as on the chip.
        self._first = None
        if address & 2:
            return self._status()
        value = self._ahead
        self._fetch()
        return value

    def write(self, address: int, value: int) -> None:
        """A byte of data, or one of the two of an address or a register."""
        if not address & 2:
            self._first = None
            self._vdp.ram[self._address] = self._ahead = value
            self._address = (self._address + 1) & _MEMORY
        elif self._first is None:
            self._first = value
        else:
            first, self._first = self._first, None
            self._set(first, value)

    def _set(self, low: int, high: int) -> None:
        if high & _REGISTER:
            self._vdp.registers[high & 7] = low
            return
        self._address = (high << 8 | low) & _MEMORY
        # Set up for reading: the chip fetches the first byte at once.
        if not high & _WRITE:
            self._fetch()

    def _fetch(self) -> None:
        self._ahead = self._vdp.ram[self._address]
        self._address = (self._address + 1) & _MEMORY


class SoundPort:
    """The sound chip's port, which can only be written."""

    def __init__(self, chip: SoundChip) -> None:
        self._chip = chip

    def read(self, address: int) -> int:
        """0."""
        return 0

    def write(self, address: int, value: int) -> None:
        """Send a byte to the chip."""
        self._chip.write(value)


class GromPort:
    """The GROM ports with their counting address. Standard patterns of characters can be read.

    Everything else reads 0, and `told` is called with the address.
    """

    def __init__(self, told: Callable[[int], None]) -> None:
        self._told = told
        self._address = 0
        self._high = True

    def read(self, address: int) -> int:
        """Data (0 where there is none), or the address, its high byte first."""
        if address & 2:
            value = (self._address >> 8, self._address & 0xFF)[not self._high]
            self._high = not self._high
            return value
        found = grom_byte(self._address)
        if found is None:
            self._told(self._address)
        # The address counts within its 8K GROM and wraps there.
        self._address = self._address & 0xE000 | (self._address + 1) & 0x1FFF
        self._high = True
        return found or 0

    def write(self, address: int, value: int) -> None:
        """Half of an address; a GROM itself cannot be written."""
        if address & 2:
            self._address = (self._address << 8 | value) & 0xFFFF
