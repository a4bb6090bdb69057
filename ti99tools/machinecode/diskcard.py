"""The disk controller as machine code finds it: a card at CRU >1100 with a header and names.

The card's memory holds the header and the list of device names that every DSR search reads; their
entries are traps, which do what the Peripheral Access Block (PAB) in video memory asks for and
return to the word after the call. Source: TI's description of device service routines, recorded
opcodes 0 to 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from ti99tools.cpu.bus import Bus
from ti99tools.cpu.core import Core
from ti99tools.machine.drives import DRIVES
from ti99tools.machine.machine import Machine
from ti99tools.machine.pab import DeviceFile, IOFailure, Mode, OpenRequest
from ti99tools.machinecode.places import CARD, NAME_LENGTH, STRING_POINTER

SWITCH = 0x1100 // 2
"""Number of the CRU bit that shows the card's memory."""
LIST = 0x4010
ENTRIES = 0x4100
"""Where the entries of the devices lie, four bytes each."""
VALID, DEVICES_AT = 0xAA, 8
NAMES = ("DSK", *DRIVES)
CALLED, LOADED_BYTE, SAVED_BYTE = 180_000, 184, 500
"""Cycles of LOAD, and of each byte (measured); SAVE's are an estimate."""
_SECTOR = 256
_VIDEO = 0x3FFF
_RELATIVE, _INTERNAL, _VARIABLE = 0x01, 0x08, 0x10
_ILLEGAL, _OUT_OF_SPACE, _FILE_ERROR = 3, 4, 7
_END_OF_FILE, _FULL, _NO_FILE = 0x01, 0x03, 0x80
_TOO_MANY = 3

T = TypeVar("T")


class DiskCard:
    """CRU bits and memory of the controller; the files that machine code has open."""

    def __init__(self, machine: Machine, bus: Bus) -> None:
        self._machine = machine
        self._bus = bus
        self._files: dict[str, DeviceFile] = {}
        self._on = 0
        self._rom = _rom()
        self._opcodes: tuple[Callable[[int, str], None], ...] = (
            self._open, self._close, self._read, self._write, self._rewind,
            self._load, self._save, self._delete, self._scratch, self._status,
        )  # fmt: skip

    def read_bit(self, number: int) -> int:
        """0: the card tells nothing."""
        return 0

    def write_bit(self, number: int, value: int) -> None:
        """Show the card's memory or hide it."""
        if number == SWITCH and value != self._on:
            self._on = value
            self._bus.load(CARD, self._rom if value else bytes(len(self._rom)))

    def entries(self) -> Iterator[int]:
        """The addresses of the devices' routines."""
        return iter(range(ENTRIES, ENTRIES + 4 * len(NAMES), 4))

    def serve(self, cpu: Core) -> None:
        """Do what the PAB asks for, and return to the word after the call."""
        if not self._on:
            cpu.pc = (cpu.pc + 2) & 0xFFFF
            return
        bus, clock, ram = self._bus, self._machine.clock, self._machine.vdp.ram
        length = bus.word_at(NAME_LENGTH)
        pab = bus.word_at(STRING_POINTER) - length - 10 & _VIDEO
        clock.cycles = max(clock.cycles, bus.cycles)
        opcode, flags, size = self._byte(pab), self._byte(pab + 1), self._byte(pab + 9)
        name = bytes(self._byte(pab + 10 + n) for n in range(size)).decode("latin-1")
        error = 0
        try:
            if opcode >= len(self._opcodes):
                raise IOFailure(_ILLEGAL)
            self._opcodes[opcode](pab, name)
        except IOFailure as failure:
            error = failure.code
        ram[pab + 1 & _VIDEO] = flags & 0x1F | error << 5
        bus.cycles = clock.cycles
        cpu.pc = (cpu.register(11) + 2) & 0xFFFE

    def _byte(self, address: int) -> int:
        return self._machine.vdp.ram[address & _VIDEO]

    def _word(self, address: int) -> int:
        return self._byte(address) << 8 | self._byte(address + 1)

    def _put(self, address: int, data: bytes) -> None:
        ram = self._machine.vdp.ram
        for at, byte in enumerate(data, address):
            ram[at & _VIDEO] = byte

    def _got(self, address: int, count: int) -> bytes:
        return bytes(self._byte(address + n) for n in range(count))

    def _file(self, name: str) -> DeviceFile:
        return self._files.get(name) or self._machine.drives.opened(name)

    def _open(self, pab: int, name: str) -> None:
        flags = self._byte(pab + 1)
        if name in self._files:
            raise IOFailure(_FILE_ERROR)
        if len(self._files) >= _TOO_MANY:
            raise IOFailure(_OUT_OF_SPACE)
        request = OpenRequest(
            mode=Mode(flags >> 1 & 3),
            internal=bool(flags & _INTERNAL),
            variable=bool(flags & _VARIABLE),
            relative=bool(flags & _RELATIVE),
            record_length=self._byte(pab + 4),
        )
        self._files[name] = self._machine.drives.open(name, request)
        self._put(pab + 4, bytes((self._files[name].record_length,)))

    def _close(self, pab: int, name: str) -> None:
        file = self._file(name)
        self._files.pop(name, None)
        file.close()

    def _read(self, pab: int, name: str) -> None:
        file = self._file(name)
        data = self._kept(file.read, self._word(pab + 6), name)
        self._put(self._word(pab + 2), data)
        self._put(pab + 5, bytes((len(data),)))
        self._count(pab, file)

    def _write(self, pab: int, name: str) -> None:
        file = self._file(name)
        count = min(self._byte(pab + 5), file.record_length)
        data = self._got(self._word(pab + 2), file.record_length if file.fixed else count)
        self._kept(lambda record: file.write(data, record), self._word(pab + 6), name)
        self._count(pab, file)
        if self._machine.drives.overheard is not None:
            self._machine.drives.overheard(data)

    def _kept(self, operate: Callable[[int], T], record: int, name: str) -> T:
        """Do something with a record; a data file is closed by a failure."""
        try:
            return operate(record)
        except IOFailure:
            self._files.pop(name, None)
            raise

    def _count(self, pab: int, file: DeviceFile) -> None:
        """The next record of a fixed file comes next."""
        if file.fixed:
            self._put(pab + 6, ((self._word(pab + 6) + 1) & 0x7FFF).to_bytes(2, "big"))

    def _rewind(self, pab: int, name: str) -> None:
        file = self._file(name)
        file.rewind()
        if not self._byte(pab + 1) & _RELATIVE:
            self._put(pab + 6, bytes(2))

    def _load(self, pab: int, name: str) -> None:
        """LOAD: the last sector needs room as a whole, and more, when it is partly filled."""
        try:
            data = self._machine.drives.load_program(name)
        except IOFailure:
            raise IOFailure(_FILE_ERROR) from None
        room = self._word(pab + 6)
        sectors = -(-len(data) // _SECTOR) * _SECTOR
        if room < len(data) or (len(data) % _SECTOR and room <= sectors):
            raise IOFailure(_FILE_ERROR)
        self._machine.clock.advance(CALLED + LOADED_BYTE * len(data))
        self._put(self._word(pab + 2), data)

    def _save(self, pab: int, name: str) -> None:
        data = self._got(self._word(pab + 2), min(self._word(pab + 6), len(self._machine.vdp.ram)))
        self._machine.clock.advance(CALLED + SAVED_BYTE * len(data))
        self._machine.drives.save_program(name, data)

    def _delete(self, pab: int, name: str) -> None:
        self._machine.drives.delete(name)

    def _scratch(self, pab: int, name: str) -> None:
        raise IOFailure(_ILLEGAL)

    def _status(self, pab: int, name: str) -> None:
        file = self._files.get(name)
        if file is None:
            state = _NO_FILE
        else:
            state = (0, _END_OF_FILE, _FULL)[file.status(self._word(pab + 6))]
        self._put(pab + 8, bytes((state,)))


def _rom() -> bytes:
    """The card's memory: header and list of names."""
    rom = bytearray(ENTRIES - CARD)
    rom[0] = VALID
    rom[DEVICES_AT : DEVICES_AT + 2] = LIST.to_bytes(2, "big")
    at = LIST
    for number, name in enumerate(NAMES):
        after = (at + 5 + len(name) + 1) & ~1
        link = after if number + 1 < len(NAMES) else 0
        entry = link.to_bytes(2, "big") + (ENTRIES + 4 * number).to_bytes(2, "big")
        rom[at - CARD : at - CARD + 5 + len(name)] = entry + bytes((len(name),)) + name.encode()
        at = after
    return bytes(rom)
