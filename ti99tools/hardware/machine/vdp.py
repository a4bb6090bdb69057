"""The TMS9918A's memory as Extended BASIC lays it out, its standard characters and colours.

Only what programs can see is modelled: 16 KB of RAM and eight write-only registers. Pictures are
drawn from it by `render`, sprites are moved by `machine.sprites`.

Source: the pattern table of a TI-99/4A with Extended BASIC v110 as recorded at program start, and
CALL CHARPAT of characters 32–127 (recorded cases chars-initial-patterns, chars-charpat-standard).
"""

from __future__ import annotations

from ti99tools.base.record import Record

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
"""24 rows of 32 characters."""
ADDRESS_MASK = 0x3FFF
"""Video memory has 16 KB: what lies after its end is at its beginning."""
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
        """Set the registers as Extended BASIC does."""
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


class Snapshot(Record):
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


CURSOR_PATTERN = bytes.fromhex("007C7C7C7C7C7C7C")
"""Character 30."""

_HEX = (
    "0000000000000000"
    "0010101010100010"
    "0028282800000000"
    "0028287C287C2828"  # space ! " #
    "0038545038145438"
    "0060640810204C0C"
    "0020505020544834"
    "0008081000000000"  # $ % & '
    "0008102020201008"
    "0020100808081020"
    "000028107C102800"
    "000010107C101000"  # ( ) * +
    "0000000000301020"
    "000000007C000000"
    "0000000000003030"
    "0000040810204000"  # , - . /
    "0038444444444438"
    "0010301010101038"
    "003844040810207C"
    "0038440418044438"  # 0 1 2 3
    "00081828487C0808"
    "007C407804044438"
    "0018204078444438"
    "007C040810202020"  # 4 5 6 7
    "0038444438444438"
    "003844443C040830"
    "0000303000303000"
    "0000303000301020"  # 8 9 : ;
    "0008102040201008"
    "0000007C007C0000"
    "0020100804081020"
    "0038440408100010"  # < = > ?
    "0038445C545C4038"
    "003844447C444444"
    "0078242438242478"
    "0038444040404438"  # @ A B C
    "0078242424242478"
    "007C40407840407C"
    "007C404078404040"
    "003C40405C444438"  # D E F G
    "004444447C444444"
    "0038101010101038"
    "0004040404044438"
    "0044485060504844"  # H I J K
    "004040404040407C"
    "00446C5454444444"
    "00446464544C4C44"
    "007C44444444447C"  # L M N O
    "0078444478404040"
    "0038444444544834"
    "0078444478504844"
    "0038444038044438"  # P Q R S
    "007C101010101010"
    "0044444444444438"
    "0044444428281010"
    "0044444454545428"  # T U V W
    "0044442810284444"
    "0044442810101010"
    "007C04081020407C"
    "0038202020202038"  # X Y Z [
    "0000402010080400"
    "0038080808080838"
    "0000102844000000"
    "000000000000007C"  # \ ] ^ _
    "0000201008000000"
    "00000038447C4444"
    "0000007824382478"
    "0000003C4040403C"  # ` a b c
    "0000007824242478"
    "0000007C4078407C"
    "0000007C40784040"
    "0000003C405C4438"  # d e f g
    "00000044447C4444"
    "0000003810101038"
    "0000000808084830"
    "0000002428302824"  # h i j k
    "000000404040407C"
    "000000446C544444"
    "0000004464544C44"
    "0000007C4444447C"  # l m n o
    "0000007844784040"
    "0000003844544834"
    "0000007844784844"
    "0000003C40380478"  # p q r s
    "0000007C10101010"
    "0000004444444438"
    "0000004444282810"
    "0000004444545428"  # t u v w
    "0000004428102844"
    "0000004428101010"
    "0000007C0810207C"
    "0018202040202018"  # x y z {
    "0010101000101010"
    "0030080804080830"
    "0000205408000000"  # | } ~
)
"""Characters 32–126, eight bytes each, the top row first; the bit 80h is the leftmost pixel."""

STANDARD = bytes.fromhex(_HEX)
FIRST, LAST = 32, 126
_LAST_CAPITAL = 95

_BLACK_ON_TRANSPARENT = 0x10
_BEFORE_SETS = 15
_SETS = 17
"""Bytes of the colour table: those before the sets of BASIC, then sets 0 to 14 and two more."""


def standard_pattern(code: int) -> bytes:
    """The pattern of a character (0–255) when a program starts; blank where none is defined."""
    if FIRST <= code <= LAST:
        start = 8 * (code - FIRST)
        return STANDARD[start : start + 8]
    return CURSOR_PATTERN if code == 30 else bytes(8)


_GROM = ((0x06B4, FIRST, _LAST_CAPITAL), (0x0874, _LAST_CAPITAL + 1, LAST))
"""Where machine code finds the patterns in GROM, without their empty top rows; first and last
character. Source: published maps of the console's GROM.
"""
_ROWS = 7


def grom_byte(address: int) -> int | None:
    """A byte of GROM; None where no standard pattern lies."""
    for start, first, last in _GROM:
        code, row = divmod(address - start, _ROWS)
        if 0 <= code <= last - first:
            return standard_pattern(first + code)[row + 1]
    return None


def reset_patterns(vdp: VDP) -> None:
    """Fill the pattern table as Extended BASIC does when it is chosen from the title screen."""
    for code in range(30, 160):
        at = pattern_address(code)
        vdp.ram[at : at + 8] = standard_pattern(code)


def restore_patterns(vdp: VDP) -> None:
    """Give characters 32–126 their standard patterns (return to the prompt, NEW)."""
    at = pattern_address(FIRST)
    vdp.ram[at : at + len(STANDARD)] = STANDARD


def restore_capitals(vdp: VDP) -> None:
    """Give characters 32–95 their standard patterns (CALL CHARSET)."""
    size = 8 * (_LAST_CAPITAL - FIRST + 1)
    at = pattern_address(FIRST)
    vdp.ram[at : at + size] = STANDARD[:size]


def restore_colors(vdp: VDP) -> None:
    """Make every character set black on transparent (return to the prompt, NEW, CALL CHARSET)."""
    vdp.ram[COLORS : COLORS + _BEFORE_SETS] = bytes(_BEFORE_SETS)
    vdp.ram[COLORS + _BEFORE_SETS : COLORS + 32] = bytes((_BLACK_ON_TRANSPARENT,)) * _SETS
