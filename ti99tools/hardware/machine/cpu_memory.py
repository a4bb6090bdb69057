"""CPU memory and its ports, as CALL PEEK, CALL LOAD and machine code see them.

There are the 32K expansion, the scratchpad and the ports. ROM and GROM are not part of this
project; their addresses read as zero. Scratchpad cells that programs are known to look at follow
the machine: their values are computed on each access, or put into memory before machine code runs
(`publish`), and its changes are taken over afterwards (`take`). The bus is made on first use.
Source: the console's published memory map, checked against recorded programs.

The video processor's address counter, its read-ahead and the two bytes of an address follow the
TMS9918A. Through the GROM ports the patterns of characters can be read; any other read is reported.
Source: the TMS9918A data manual, the console's published memory map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from ti99tools.base.codes import INIT_MARK, INITIALIZED, INTERRUPT_FLAGS, KEY_CODE, KEY_UNIT
from ti99tools.hardware.cpu.bus import PORTS, Bus
from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.hardware.machine.sprites import Sprites
from ti99tools.hardware.machine.vdp import ADDRESS_MASK, VDP, grom_byte

SCRATCH_PAD = 0x8300
HIGH_MEMORY = 0xA000
LAST_KEYS = 0x83C8
"""Three cells: the key found by the last scan of the whole keyboard, its left half, its right half.
"""
FRAME_COUNTER = 0x8379
MOVING_SPRITES = 0x837A
"""Highest sprite number in motion: CALL PEEK(-31878, …)."""
VIDEO_STATUS = 0x837B
"""The video processor's status at the last interrupt: bit 20h is the sprites' coincidence."""
TABLE_START, FREE_END = 0x8330, 0x8386
"""Pointers to the line number table, and to the last free byte below it."""
HOOK = 0x83C4
"""The address of the routine that each interrupt calls, 0 for none."""
SOUND_LIST = 0x83CC
"""Points at the next block of a sound list."""
SOUND_TIMER = 0x83CE
"""Frames until the next block of a sound, 0 when none is being played."""
MODE = 0x83D4
"""The value that register 1 of the video processor gets when a key is found."""

_COINCIDENCE = 0x20
ALL_OFF, NO_MOTION, NO_SOUND, NO_QUIT = 0x80, 0x40, 0x20, 0x10
"""Bits of >83C2: what the interrupt routine leaves out."""


class Cell(NamedTuple):
    """A byte that follows the machine; without `write` it cannot be set."""

    read: Callable[[], int]
    write: Callable[[int], None] | None = None


class Memory:
    """64 KB of CPU addresses, read and written one byte at a time; the last address bit counts."""

    def __init__(
        self,
        clock: Clock,
        sprites: Sprites,
        keyboard: Keyboard,
        sound: SoundChip,
        expansion: bool,
    ) -> None:
        self._clock = clock
        self._sprites = sprites
        self._sound = sound
        self.expansion = expansion
        self._bus: Bus | None = None
        self._flags = 0
        self.list_timer = 0
        """Frames until the next block of a machine-code sound list; 0 without one."""
        self._indexes: list[int] = []
        """The words of memory that have cells."""
        self._published: list[int] = []
        """What these words held when machine code was given them."""
        self._bytes: list[tuple[int, int, int]] = []
        """Cells that are not part of a word read as a whole: address, and the word and shift."""
        self._counted = 0
        self._words: dict[int, Callable[[], Sequence[int]]] = {}
        """Address of words that are read as a whole → what reads them."""
        self.cells: dict[int, Cell] = {
            KEY_UNIT: Cell(lambda: keyboard.mapping, keyboard.choose),
            KEY_CODE: Cell(lambda: keyboard.code, keyboard.set_code),
            FRAME_COUNTER: Cell(lambda: clock.frame & 0xFF),
            MOVING_SPRITES: Cell(lambda: sprites.moving, self._move),
            VIDEO_STATUS: Cell(self.video_status),
            INTERRUPT_FLAGS: Cell(lambda: self._flags, self._set_flags),
            SOUND_TIMER: Cell(self._sound_frames),
            **{
                LAST_KEYS + n: Cell(partial(keyboard.cell, n), partial(keyboard.set_cell, n))
                for n in range(3)
            },
        }
        """Address → the byte there that follows the machine."""
        self.when_made: Callable[[Bus], None] = lambda _bus: None
        """Called with the bus when it is made."""
        self.show: Callable[[], None] = lambda: None
        """Called before high memory is read or written: it puts the program there."""

    @property
    def bus(self) -> Bus:
        """The bus of the processor."""
        if self._bus is None:
            self._bus = Bus(expansion=self.expansion)
            self.when_made(self._bus)
        return self._bus

    @property
    def in_use(self) -> bool:
        """Tell whether anything has been put into memory."""
        return self._bus is not None

    @property
    def initialized(self) -> bool:
        """Tell whether CALL INIT has left its mark."""
        return self.word(INIT_MARK) == INITIALIZED

    @property
    def keeps_quit(self) -> bool:
        """Tell whether the interrupt routine ignores the QUIT key."""
        return bool(self._flags & (ALL_OFF | NO_QUIT))

    def word(self, address: int) -> int:
        """The 16-bit word at an address."""
        return self.peek(address) << 8 | self.peek(address + 1)

    def peek(self, address: int) -> int:
        """The byte at `address` (modulo 65536)."""
        address = home(address)
        cell = self.cells.get(address)
        if cell is not None:
            return cell.read() & 0xFF
        if address >= HIGH_MEMORY:
            self.show()
        if PORTS[0] <= address < PORTS[1] or self._bus is None:
            return 0
        return self._bus.peek(address)

    def poke(self, address: int, value: int) -> None:
        """Write a byte; ROM addresses ignore it, ports take it."""
        address = home(address)
        cell = self.cells.get(address)
        if cell is not None and cell.write is not None:
            cell.write(value & 0xFF)
        bus = self.bus
        if address >= HIGH_MEMORY:
            self.show()
        if PORTS[0] <= address < PORTS[1]:
            # Ports are at even addresses; the odd byte of the bus is not connected.
            if not address & 1:
                bus.write_port(address, (value & 0xFF) << 8)
        elif bus.writable(address):
            bus.load_byte(address, value & 0xFF)

    def store(self, address: int, data: Iterable[int]) -> None:
        """Write bytes one after the other; see `poke`."""
        for at, value in enumerate(data, address):
            self.poke(at, value)

    def set_word(self, address: int, value: int) -> None:
        """Write a 16-bit word."""
        self.store(address, value.to_bytes(2, "big"))

    def follow(
        self,
        address: int,
        read: Callable[[], Sequence[int]],
        write: Callable[[int], None] | None = None,
        count: int = 1,
    ) -> None:
        """Make words from an even address on follow the machine; `write` gets each byte written."""
        for n in range(2 * count):
            self.cells[address + n] = Cell(partial(_byte_of, read, n), write)
        self._words[address] = read

    def publish(self) -> None:
        """Put the values of all cells into memory, for machine code to see."""
        self.show()
        bus, memory = self.bus, self.bus.words
        if len(self.cells) != self._counted:
            self._count_cells()
        for address, read in self._words.items():
            for at, word in enumerate(read()):
                # Only what differs is loaded: a load of watched code would drop traces.
                if memory[index := (address >> 1) + at] != word & 0xFFFF:
                    bus.load_word(2 * index, word & 0xFFFF)
        cells = self.cells
        for address, index, shift in self._bytes:
            value = cells[address].read() & 0xFF
            if memory[index] >> shift & 0xFF != value:
                bus.load_byte(address, value)
        self._published = [memory[index] for index in self._indexes]

    def _count_cells(self) -> None:
        """Sort newly added cells: single bytes, and the words that hold any."""
        self._counted = len(self.cells)
        self._bytes = [
            (at, at >> 1, 0 if at & 1 else 8)
            for at, cell in self.cells.items()
            if not (isinstance(cell.read, partial) and cell.read.func is _byte_of)
        ]
        self._indexes = list(dict.fromkeys(at >> 1 for at in self.cells))

    def take(self) -> None:
        """Take over what machine code has changed in cells."""
        memory = self.bus.words
        now = [memory[index] for index in self._indexes]
        # Almost always nothing has changed: one comparison of lists.
        if now == self._published:
            return
        before, self._published = self._published, now
        for index, old, new in zip(self._indexes, before, now, strict=True):
            for address, shift in ((2 * index, 8), (2 * index + 1, 0)):
                value = new >> shift & 0xFF
                cell = self.cells.get(address)
                if value != old >> shift & 0xFF and cell is not None and cell.write is not None:
                    cell.write(value)

    def video_status(self) -> int:
        """The video processor's status as the last interrupt read it."""
        fifth = self._sprites.fifth()
        met = _COINCIDENCE if self._sprites.coincided() else 0
        # Bit 80h: an interrupt has come, which is true from the first frame on.
        return (0x80 if self._clock.frame else 0) | met | fifth

    def _move(self, count: int) -> None:
        self._sprites.moving = count

    def _set_flags(self, flags: int) -> None:
        self._flags = flags
        self._sprites.freeze(bool(flags & (ALL_OFF | NO_MOTION)))
        self._sound.freeze(bool(flags & (ALL_OFF | NO_SOUND)))

    def _sound_frames(self) -> int:
        return min(self._sound.frames_left, 0xFF) or self.list_timer


def _byte_of(read: Callable[[], Sequence[int]], number: int) -> int:
    """A byte of words."""
    return read()[number >> 1] >> (0 if number & 1 else 8)


def home(address: int) -> int:
    """An address modulo 65536; the mirrors of the scratchpad become one."""
    address &= 0xFFFF
    return SCRATCH_PAD | address & 0xFF if 0x8000 <= address < 0x8400 else address


_REGISTER, _WRITE = 0x80, 0x40
"""Bits of the second byte of an address: it is for a register, or to write to."""


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
            self._address = (self._address + 1) & ADDRESS_MASK
        elif self._first is None:
            self._first = value
        else:
            first, self._first = self._first, None
            self._set(first, value)

    def _set(self, low: int, high: int) -> None:
        if high & _REGISTER:
            self._vdp.registers[high & 7] = low
            return
        self._address = (high << 8 | low) & ADDRESS_MASK
        # Set up for reading: the chip fetches the first byte at once.
        if not high & _WRITE:
            self._fetch()

    def _fetch(self) -> None:
        self._ahead = self._vdp.ram[self._address]
        self._address = (self._address + 1) & ADDRESS_MASK


class SoundPort:
    """The sound chip's port, which can only be written."""

    def __init__(self, chip: SoundChip) -> None:
        self._chip = chip

    def read(self, _address: int) -> int:
        """Give 0: the sound chip can only be written."""
        return 0

    def write(self, _address: int, value: int) -> None:
        """Send a byte to the chip."""
        self._chip.write(value)


class GromPort:
    """The GROM ports with their counting address. Standard patterns of characters can be read.

    Everything else reads 0, and `told` is called with the address.
    """

    def __init__(self, listener: Callable[[int], None]) -> None:
        self._listener = listener
        self._address = 0
        self._high = True

    def read(self, address: int) -> int:
        """Data (0 where there is none), or the address, its high byte first."""
        if address & 2:
            value = (self._address >> 8, self._address & 0xFF)[not self._high]
            self._high = not self._high
            return value
        byte = grom_byte(self._address)
        if byte is None:
            self._listener(self._address)
        # The address counts within its 8K GROM and wraps there.
        self._address = self._address & 0xE000 | (self._address + 1) & 0x1FFF
        self._high = True
        return byte or 0

    def write(self, address: int, value: int) -> None:
        """Half of an address; a GROM itself cannot be written."""
        if address & 2:
            self._address = (self._address << 8 | value) & 0xFFFF
