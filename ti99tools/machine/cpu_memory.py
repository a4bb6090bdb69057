"""CPU memory as CALL PEEK and CALL LOAD see it.

The 32K expansion and the scratch pad are there; ROM and GROM are not part of this project, their
addresses read as zero. A few scratch-pad cells follow the machine: the cells programs are known
to look at, from the console's published memory map.
"""

from __future__ import annotations

from ti99tools.machine.clock import Clock
from ti99tools.machine.keyboard import Keyboard
from ti99tools.machine.sprites import Sprites

LOW_RAM = range(0x2000, 0x4000)
"""8K of the expansion: machine-language routines and their names."""

HIGH_RAM = range(0xA000, 0x10000)
"""24K of the expansion: program and numeric values."""

SCRATCH_PAD = range(0x8300, 0x8400)

KEY_UNIT = 0x8374
FRAME_COUNTER = 0x8379
MOVING_SPRITES = 0x837A
"""Highest sprite number in motion: CALL PEEK(-31878, …)."""

VIDEO_STATUS = 0x837B
"""The video processor's status at the last interrupt: bit 20h is the sprites' coincidence."""

INTERRUPT_FLAGS = 0x83C2
"""What the interrupt routine leaves out: 80h everything, 40h sprite motion, 20h sound, 10h QUIT."""

_FRAME_DONE, _COINCIDENCE = 0x80, 0x20
_NO_MOTION = 0xC0

LOADER_CELLS = {0x2002: 0x24F4, 0x2004: 0x4000, 0x2006: 0xAA55}
"""What CALL INIT writes where programs look: first and last free address, and its mark."""


class Memory:
    """64 KB of CPU addresses; reads and writes one byte at a time."""

    def __init__(self, clock: Clock, sprites: Sprites, keyboard: Keyboard) -> None:
        self._clock = clock
        self._sprites = sprites
        self._keyboard = keyboard
        self._bytes = bytearray(0x10000)
        self.initialized = False

    def initialize(self) -> None:
        """Prepare the low memory for machine-language routines, as CALL INIT does."""
        self.initialized = True
        for address, word in LOADER_CELLS.items():
            self._bytes[address : address + 2] = word.to_bytes(2, "big")

    def peek(self, address: int) -> int:
        """The byte at `address` (modulo 65536)."""
        address &= 0xFFFF
        if 0x8000 <= address < 0x8300:
            address = 0x8300 | address & 0xFF
        if address == MOVING_SPRITES:
            return self._sprites.moving
        if address == FRAME_COUNTER:
            return self._clock.frame & 0xFF
        if address == VIDEO_STATUS:
            return _FRAME_DONE | (_COINCIDENCE if self._sprites.coincided() else 0)
        if address == KEY_UNIT:
            return self._keyboard.mapping
        return self._bytes[address]

    def poke(self, address: int, value: int) -> None:
        """Write a byte; ROM addresses ignore it."""
        address &= 0xFFFF
        if address == MOVING_SPRITES:
            self._sprites.moving = value & 0xFF
        elif address == INTERRUPT_FLAGS:
            self._sprites.frozen = bool(value & _NO_MOTION)
        if address in LOW_RAM or address in HIGH_RAM or address in SCRATCH_PAD:
            self._bytes[address] = value & 0xFF
