"""Disk controller and RS232 card as machine code finds them: cards with a header and names.

A card's memory holds the header and the list of device names that every DSR search reads. The
entries in the list are traps, which do what the Peripheral Access Block (PAB) in video memory asks
for and return to the second word after the call; for a device that is not there, to the first.
Source: TI's description of device service routines, and recorded opcodes 0 to 6 of the controller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar

from ti99tools.base.cycles.code import CARD_LOADED, CARD_LOADED_BYTE, CARD_SAVED_BYTE
from ti99tools.base.decoding import HEADER_MARK
from ti99tools.computer.machinecode.addresses import CARD, NAME_LENGTH, STRING_POINTER
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.core import Core
from ti99tools.hardware.machine.drives import DISK_DEVICES
from ti99tools.hardware.machine.dsrfiles import CODE_TIMES, DiskDataFile
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.pab import (
    BAD_DEVICE,
    FILE_ERROR,
    ILLEGAL_OPERATION,
    INTERNAL,
    RELATIVE,
    VARIABLE,
    DeviceFile,
    IOFailure,
    Mode,
    OpenRequest,
)
from ti99tools.hardware.machine.vdp import ADDRESS_MASK
from ti99tools.media.disk.geometry import SECTOR

DISK_SWITCH, PORT_SWITCH = 0x1100 // 2, 0x1300 // 2
"""Numbers of the CRU bits that show the memory of the controller and of the RS232 card."""
LIST = 0x4010
"""Where the list of device names begins (ours)."""
ENTRIES = 0x4100
"""Where the entries of the devices lie, four bytes each."""
MOST_DEVICES = 8
"""Devices of a card."""
DEVICES_AT = 8
"""Byte of a card's header that points at this list."""
PORT_NAMES = ("RS232", "RS232/1", "RS232/2", "PIO", "PIO/1")
"""Devices of the RS232 card; it has those that something is connected to."""
_END_OF_FILE, _FULL, _NO_FILE = 0x01, 0x03, 0x80
"""What STATUS gives: bits for the end of the file and for a full disk, or no such file."""

_FIELDS = {
    "opcode": (0, 1),
    "flags": (1, 1),  # low five bits; the three above get the error
    "buffer": (2, 2),  # address in video memory
    "record_length": (4, 1),
    "count": (5, 1),  # bytes read, or to be written
    "record": (6, 2),  # its number; the bytes of LOAD and SAVE
    "state": (8, 1),  # STATUS answers here
    "name_length": (9, 1),
}
"""The Peripheral Access Block: where each field begins, and how many bytes it has."""
_NAME_AT = 10
"""Where the name begins in the block."""

T = TypeVar("T")


class CardDevices(Protocol):
    """What a card leads to; its methods raise IOFailure."""

    def open(self, name: str, request: OpenRequest) -> DeviceFile: ...
    def opened(self, name: str) -> DeviceFile: ...
    def delete(self, name: str) -> None: ...
    def load_program(self, name: str) -> bytes: ...
    def save_program(self, name: str, data: bytes) -> None: ...


class _Ports:
    """RS232 and PIO: only the card knows which of their files are open."""

    def __init__(self, machine: Machine) -> None:
        self._devices = machine.devices
        self.open = machine.devices.open
        self.delete = machine.devices.delete
        self.load_program = machine.devices.load_program
        self.save_program = machine.devices.save_program

    def opened(self, _name: str) -> DeviceFile:
        """Refuse: none is open that the card does not know."""
        raise IOFailure(FILE_ERROR)


class Cards:
    """The cards in the expansion box, by the CRU bits that show their memory."""

    def __init__(self, machine: Machine, bus: Bus) -> None:
        self._cards = {DISK_SWITCH: Card(machine, bus, DISK_DEVICES, machine.drives)}
        ports = [name for name in PORT_NAMES if machine.devices.has_port(name)]
        if ports:
            self._cards[PORT_SWITCH] = Card(machine, bus, ports, _Ports(machine))

    def read_bit(self, _number: int) -> int:
        """Return 0: no bit of a card reports anything."""
        return 0

    def write_bit(self, number: int, value: int) -> None:
        """Show a card's memory or hide it."""
        if number in self._cards:
            self._cards[number].switch(value)

    def entries(self) -> Iterator[int]:
        """The addresses of the devices' routines."""
        return iter(range(ENTRIES, ENTRIES + 4 * MOST_DEVICES, 4))

    def close_files(self) -> None:
        """Close the files that code has open, with what is pending."""
        for card in self._cards.values():
            card.close_files()

    def serve(self, cpu: Core) -> None:
        """Let the card whose memory is shown do what the PAB asks for."""
        card = next((card for card in self._cards.values() if card.shown), None)
        if card is None:
            cpu.pc = (cpu.pc + 2) & 0xFFFF
        else:
            card.serve(cpu)


class Card:
    """A card: its memory, and the files that machine code has open at its devices."""

    def __init__(
        self, machine: Machine, bus: Bus, names: Sequence[str], devices: CardDevices
    ) -> None:
        self._machine = machine
        self._bus = bus
        self._devices = devices
        self._files: dict[str, DeviceFile] = {}
        self.shown = 0
        self._rom = _rom(names)
        self._opcodes: tuple[Callable[[int, str], None], ...] = (
            self._open,
            self._close,
            self._read,
            self._write,
            self._rewind,
            self._load,
            self._save,
            self._delete,
            self._scratch,
            self._status,
        )

    def close_files(self) -> None:
        """Close the files that code has open; what cannot be written is lost."""
        for file in self._files.values():
            with suppress(IOFailure):
                file.close()
        self._files.clear()

    def switch(self, value: int) -> None:
        """Show the card's memory or hide it."""
        if value != self.shown:
            self.shown = value
            self._bus.load(CARD, self._rom if value else bytes(len(self._rom)))

    def serve(self, cpu: Core) -> None:
        """Do what the PAB asks for, and return to the second word after the call."""
        bus, clock = self._bus, self._machine.clock
        length = bus.word_at(NAME_LENGTH)
        pab = bus.word_at(STRING_POINTER) - length - _NAME_AT & ADDRESS_MASK
        clock.cycles = max(clock.cycles, bus.cycles)
        opcode, flags = self._get(pab, "opcode"), self._get(pab, "flags")
        name = self._got(pab + _NAME_AT, self._get(pab, "name_length")).decode("latin-1")
        error, there = 0, True
        try:
            if opcode >= len(self._opcodes):
                raise IOFailure(ILLEGAL_OPERATION)
            self._opcodes[opcode](pab, name)
        except IOFailure as failure:
            error, there = failure.code, failure.code != BAD_DEVICE
        # Bits 5 to 7 of the flag byte are the error code.
        self._set(pab, "flags", flags & 0x1F | error << 5)
        bus.cycles = clock.cycles
        cpu.pc = (cpu.register(11) + 2 * there) & 0xFFFE

    def _get(self, pab: int, field: str) -> int:
        """What a field of the PAB at `pab` holds now."""
        place, size = _FIELDS[field]
        return int.from_bytes(self._got(pab + place, size), "big")

    def _set(self, pab: int, field: str, value: int) -> None:
        place, size = _FIELDS[field]
        self._put(pab + place, value.to_bytes(size, "big"))

    def _put(self, address: int, data: bytes) -> None:
        ram = self._machine.vdp.ram
        for at, byte in enumerate(data, address):
            ram[at & ADDRESS_MASK] = byte

    def _got(self, address: int, count: int) -> bytes:
        """Bytes of video memory, which goes on at its start."""
        ram = self._machine.vdp.ram
        address &= ADDRESS_MASK
        if address + count <= len(ram):
            return bytes(ram[address : address + count])
        return bytes(ram[address + n & ADDRESS_MASK] for n in range(count))

    def _file(self, name: str) -> DeviceFile:
        return self._files.get(name) or self._devices.opened(name)

    def _open(self, pab: int, name: str) -> None:
        flags = self._get(pab, "flags")
        request = OpenRequest(
            mode=Mode(flags >> 1 & 3),
            internal=bool(flags & INTERNAL),
            variable=bool(flags & VARIABLE),
            relative=bool(flags & RELATIVE),
            record_length=self._get(pab, "record_length"),
            initial=self._get(pab, "record"),
        )
        file = self._files[name] = self._devices.open(name, request)
        if isinstance(file, DiskDataFile):
            file.times = CODE_TIMES
        self._set(pab, "record_length", file.record_length)

    def _close(self, _pab: int, name: str) -> None:
        file = self._file(name)
        self._files.pop(name, None)
        file.close()

    def _read(self, pab: int, name: str) -> None:
        file = self._file(name)
        data = self._kept(file.read, pab, name)
        self._put(self._get(pab, "buffer"), data)
        self._set(pab, "count", len(data))
        self._count(pab, file)

    def _write(self, pab: int, name: str) -> None:
        file = self._file(name)
        count = min(self._get(pab, "count"), file.record_length)
        data = self._got(self._get(pab, "buffer"), file.record_length if file.fixed else count)
        self._kept(lambda record: file.write(data, record), pab, name)
        self._count(pab, file)
        if self._machine.drives.overheard is not None:
            self._machine.drives.overheard(data)

    def _kept(self, operate: Callable[[int], T], pab: int, name: str) -> T:
        """Read or write a record; a failure closes the file, but the record counts."""
        try:
            return operate(self._get(pab, "record"))
        except IOFailure as failure:
            file = self._files.pop(name, None)
            if file is not None and failure.code != FILE_ERROR:
                self._count(pab, file)
            raise

    def _count(self, pab: int, file: DeviceFile) -> None:
        """Go to the next record of a fixed file."""
        if file.fixed:
            self._set(pab, "record", (self._get(pab, "record") + 1) & 0x7FFF)

    def _rewind(self, pab: int, name: str) -> None:
        file = self._file(name)
        file.rewind()
        if not self._get(pab, "flags") & RELATIVE:
            self._set(pab, "record", 0)

    def _load(self, pab: int, name: str) -> None:
        """LOAD: the room is compared with the file in sectors; where these are equal, so are the
        bytes of the last, which are 0 for a whole one (recorded).
        """
        try:
            data = self._devices.load_program(name)
        except IOFailure:
            raise IOFailure(FILE_ERROR) from None
        room, size = (
            (-(-count // SECTOR), count % SECTOR) for count in (self._get(pab, "record"), len(data))
        )
        if room < size:
            raise IOFailure(FILE_ERROR)
        self._machine.clock.advance(CARD_LOADED + CARD_LOADED_BYTE * len(data))
        self._put(self._get(pab, "buffer"), data)

    def _save(self, pab: int, name: str) -> None:
        count = min(self._get(pab, "record"), len(self._machine.vdp.ram))
        data = self._got(self._get(pab, "buffer"), count)
        self._machine.clock.advance(CARD_LOADED + CARD_SAVED_BYTE * len(data))
        self._devices.save_program(name, data)

    def _delete(self, _pab: int, name: str) -> None:
        self._devices.delete(name)

    def _scratch(self, _pab: int, _name: str) -> None:
        raise IOFailure(ILLEGAL_OPERATION)

    def _status(self, pab: int, name: str) -> None:
        file = self._files.get(name)
        if file is None:
            state = _NO_FILE
        else:
            state = (0, _END_OF_FILE, _FULL)[file.status(self._get(pab, "record"))]
        self._set(pab, "state", state)


def _rom(names: Sequence[str]) -> bytes:
    """The card's memory: header and list of names."""
    rom = bytearray(ENTRIES - CARD)
    rom[0] = HEADER_MARK
    rom[DEVICES_AT : DEVICES_AT + 2] = LIST.to_bytes(2, "big")
    at = LIST
    for number, name in enumerate(names):
        after = (at + 5 + len(name) + 1) & ~1
        link = after if number + 1 < len(names) else 0
        entry = link.to_bytes(2, "big") + (ENTRIES + 4 * number).to_bytes(2, "big")
        rom[at - CARD : at - CARD + 5 + len(name)] = entry + bytes((len(name),)) + name.encode()
        at = after
    return bytes(rom)
