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

KEY_UNIT, KEY_CODE = 0x8374, 0x8375
FRAME_COUNTER = 0x8379
MOVING_SPRITES = 0x837A
"""Highest sprite number in motion: CALL PEEK(-31878, …)."""

_SOUND_CHIP_MIRROR = 0x100


class Memory:
    """64 KB of CPU addresses; reads and writes one byte at a time."""

    def __init__(self, clock: Clock, sprites: Sprites, keyboard: Keyboard) -> None:
        self._clock = clock
        self._sprites = sprites
        self._keyboard = keyboard
        self._bytes = bytearray(0x10000)

    def peek(self, address: int) -> int:
        """The byte at `address` (modulo 65536)."""
        address &= 0xFFFF
        if 0x8000 <= address < 0x8300:
            address += (0x8300 - address + 0xFF) // _SOUND_CHIP_MIRROR * _SOUND_CHIP_MIRROR
        if address == MOVING_SPRITES:
            return self._sprites.moving
        if address == FRAME_COUNTER:
            return self._clock.frame & 0xFF
        if address == KEY_UNIT:
            return self._keyboard.mapping
        return self._bytes[address]

    def poke(self, address: int, value: int) -> None:
        """Write a byte; ROM addresses ignore it."""
        address &= 0xFFFF
        if address == MOVING_SPRITES:
            self._sprites.moving = value & 0xFF
        if address in LOW_RAM or address in HIGH_RAM or address in SCRATCH_PAD:
            self._bytes[address] = value & 0xFF
