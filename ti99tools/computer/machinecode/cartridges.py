"""ROM cartridges: banks of 8 KB at >6000, their programs, and how they run.

A program runs on the processor, with a few entries of the console. Entries called by BL work in
workspace >83E0 and return by its R11; GPL is entered at >0060 with a GROM address in R6 (see
`entries`). Nothing else of the console's ROM and GROM is here: a program
that goes elsewhere stops with a message. Source of the header, of the selection of banks, of the
entries and of their cycles: measured on the console.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import unpack

from ti99tools.base.cycles.code import MENU_CYCLES
from ti99tools.base.decoding import HEADER_MARK
from ti99tools.base.errors import TIError
from ti99tools.base.record import Record
from ti99tools.computer.machinecode import addresses
from ti99tools.computer.machinecode.running import Engine
from ti99tools.hardware.cpu.bus import CARTRIDGE, Bus
from ti99tools.hardware.machine.cpu_memory import FRAME_COUNTER
from ti99tools.hardware.machine.machine import Machine

BANK = CARTRIDGE[1] - CARTRIDGE[0]
_PROGRAMS = 6
_MOST_PROGRAMS = 8
"""The menu has the numbers 2 to 9; the header points at the first program from byte 6 on."""
_MOST_BYTES = 2 * 1024 * 1024
_NO_DISKS, _BELOW_DISKS = 0x3FFF, 0x37D7
"""The last byte of video memory that programs may use: the rest is the disk controller's."""


class MenuEntry(Record):
    """A program of the menu: its name and its start address."""

    name: str
    address: int


class Cartridge:
    """The image of a cartridge, in banks of 8 KB. Raises TIError for data that is not one."""

    def __init__(self, data: bytes) -> None:
        if not data or len(data) > _MOST_BYTES or data[0] != HEADER_MARK:
            raise TIError(
                "not a ROM cartridge", remedy="its first byte is >AA, and it has at most 2 MB"
            )
        size = -(-len(data) // BANK) * BANK
        data = data.ljust(size, b"\0")
        self.banks = [data[at : at + BANK] for at in range(0, size, BANK)]

    @property
    def programs(self) -> list[MenuEntry]:
        """The entries of the menu, from number 2 on: the last of the header's list is first."""
        bank = self.banks[0]
        entries: list[MenuEntry] = []
        at = int.from_bytes(bank[_PROGRAMS : _PROGRAMS + 2], "big")
        while CARTRIDGE[0] <= at < CARTRIDGE[1] - 5 and len(entries) < _MOST_PROGRAMS:
            # An entry: link to the next, start address, length of the name, name.
            offset = at - CARTRIDGE[0]
            length = bank[offset + 4]
            name = bank[offset + 5 : offset + 5 + length].decode("latin-1")
            entries.append(MenuEntry(name, int.from_bytes(bank[offset + 2 : offset + 4], "big")))
            at = int.from_bytes(bank[offset : offset + 2], "big")
        return entries[::-1]


class Slot:
    """The cartridge port of a bus: writing to >6000->7FFF selects a bank."""

    def __init__(self, bus: Bus, cartridge: Cartridge) -> None:
        self._bus = bus
        self.cartridge = cartridge
        self.bank = -1
        words = f">{BANK // 2}H"
        self._words = [unpack(words, bank) for bank in cartridge.banks]
        bus.cartridge = self.select
        self.select(CARTRIDGE[0])

    def select(self, address: int) -> None:
        """Select a bank by a write to an address: half of it, modulo the number of banks."""
        banks = self._words
        bank = (address >> 1) % len(banks) if len(banks) > 1 else 0
        if bank != self.bank:
            self.bank = bank
            self._bus.show(bank, banks[bank])


_REGISTERS = bytes((0x00, 0xE0, 0xF0, 0x0E, 0xF9, 0x86, 0xF8, 0xF7))
"""Registers of the video processor as the title screen leaves them."""


class CartridgeEngine(Engine):
    """The processor of a console with a cartridge, no Extended BASIC and no disk."""

    def __init__(
        self, machine: Machine, cartridge: Cartridge, remark: Callable[[str], None]
    ) -> None:
        super().__init__(machine, remark)
        self.slot = Slot(self.bus, cartridge)
        self.alone = True
        traps = self.cpu.traps
        for number in range(len(addresses.UTILITIES)):
            del traps[addresses.UTILITY_CODE + 4 * number]
        for entry in (
            *(addresses.RETURNED, addresses.GPL),
            *(addresses.NAME_SEARCH, addresses.ERROR_EXIT),
        ):
            del traps[entry]

    def begin(self, entry: MenuEntry) -> None:
        """Prepare to run a program, with the console as the menu leaves it."""
        machine, cpu, bus = self.machine, self.cpu, self.bus
        machine.clock.advance(MENU_CYCLES)
        machine.sprites.hold()
        machine.sound.hold()
        self._prepare_video()
        bus.load(0x8300, bytes(256))
        for address, value in (
            (0x8300, entry.address),
            (0x8370, _NO_DISKS if not machine.drives.images() else _BELOW_DISKS),
            (0x8372, 0x9E7E),
            (0x837C, 0xD800),
            (0x83D4, 0xE000),
            (0x83D6, 0x001A),
            (0x83F4, 0x0800),
            (0x83F6, 0x061C),
            (0x83FA, 0x9800),
            (0x83FC, 0x0108),
            (0x83FE, 0x8C02),
            (0x83C8, 0xFFFF),
            (0x83CA, 0xFF00),
        ):
            bus.load_word(address, value)
        bus.load_byte(FRAME_COUNTER, machine.clock.frame & 0xFF)
        cpu.wp, cpu.pc, cpu.st = addresses.GPL_WORKSPACE, entry.address, 0x8000
        self.interrupts.begin()
        self._due = machine.clock.next_interrupt
        self._reached_at = machine.clock.cycles
        self.running = True

    def _prepare_video(self) -> None:
        """Set up video memory as the menu leaves it, but without patterns of characters."""
        vdp = self.machine.vdp
        vdp.ram[:] = bytes(len(vdp.ram))
        vdp.ram[:0x300] = b"\x20" * 0x300
        vdp.ram[0x380:0x3A0] = b"\x17" * 32
        vdp.registers[:] = _REGISTERS
        vdp.mode = _REGISTERS[1]
