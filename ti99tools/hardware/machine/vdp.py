"""The TMS9918A video processor's memory as Extended BASIC lays it out.

Only what programs can see is modelled: 16 KB of RAM and eight write-only registers. Pictures are
drawn from it by `render`, sprites are moved by `machine.sprites`.
"""

from __future__ import annotations

from dataclasses import dataclass

SCREEN = 0x0000
"""Screen image table: 24 rows of 32 bytes, each a character code + `OFFSET`."""

SPRITES = 0x0300
"""Sprite attribute list: 28 entries of y, x, pattern, colour; then the end mark D0h."""

PATTERNS = 0x0000
"""Pattern table, for characters and sprites alike; its first 126 entries lie under other tables."""

MOTION = 0x0780
"""Sprite motion table: 28 entries of row velocity, column velocity, two fraction bytes."""

COLORS = 0x0800
"""Colour table: 32 bytes, foreground × 16 + background, each for eight patterns."""

OFFSET = 0x60
"""The difference between a pattern number and the character code in Extended BASIC."""

SCREEN_SIZE = 768
# The chip has 32; the tables of Extended BASIC have room for 28 only.
SPRITE_COUNT = 28

INITIAL_REGISTERS = bytes((0x00, 0xE0, 0x00, 0x20, 0x00, 0x06, 0x00, 0x07))
"""Registers 0–7 while Extended BASIC runs: graphics mode 1, 8×8 sprites, backdrop cyan.

Register 1 is E0h + MAGNIFY's code less one; register 7 the screen colour less one.
"""


def pattern_address(code: int) -> int:
    """Where the eight pattern bytes of character `code` (0–255) lie."""
    return PATTERNS + 8 * ((code + OFFSET) & 0xFF)


def color_address(code: int) -> int:
    """Where the colour byte of character `code` (0–255) lies; eight characters share it."""
    return COLORS + ((code + OFFSET) & 0xFF) // 8


class VDP:
    """16 KB of video RAM and eight registers. `ram` and `registers` are plain byte arrays.

    `mode` is the console's copy of register 1, which a scan that finds a key writes back.
    """

    __slots__ = ("mode", "ram", "registers")

    def __init__(self) -> None:
        self.ram = bytearray(0x4000)
        self.registers = bytearray(INITIAL_REGISTERS)
        self.mode = self.registers[1]

    def reset_registers(self) -> None:
        """The registers of Extended BASIC."""
        self.registers[:] = INITIAL_REGISTERS
        self.mode = self.registers[1]

    def set_mode(self, value: int) -> None:
        """Set register 1 and the console's copy of it."""
        self.mode = self.registers[1] = value

    @property
    def backdrop(self) -> int:
        """VDP colour code 0–15 of the border and of transparent pixels."""
        return self.registers[7] & 0x0F

    @property
    def patterns(self) -> bytes:
        """The patterns of characters 30–159, eight bytes each."""
        return bytes(self.ram[pattern_address(30) : pattern_address(30) + 130 * 8])

    @property
    def colors(self) -> bytes:
        """The whole colour table, 32 bytes."""
        return bytes(self.ram[COLORS : COLORS + 32])


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Video RAM and registers at one moment."""

    ram: bytes
    registers: bytes

    @classmethod
    def of(cls, vdp: VDP) -> Snapshot:
        """Copy the present state; sync the sprites first."""
        return cls(bytes(vdp.ram), bytes(vdp.registers))

    def vdp(self) -> VDP:
        """A video processor in that state."""
        vdp = VDP()
        vdp.ram[:] = self.ram
        vdp.registers[:] = self.registers
        return vdp
