"""The standard character patterns, the standard colours, and when they come back.

Source: the pattern table of a TI-99/4A with Extended BASIC v110 as recorded at program start, and
CALL CHARPAT of characters 32–127 (recorded cases chars-initial-patterns, chars-charpat-standard).
"""

from __future__ import annotations

from ti99tools.hardware.machine.vdp import COLORS, VDP, pattern_address

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
    """Give characters 32–126 their standard patterns (RUN, return to the prompt)."""
    at = pattern_address(FIRST)
    vdp.ram[at : at + len(STANDARD)] = STANDARD


def restore_capitals(vdp: VDP) -> None:
    """Give characters 32–95 their standard patterns (CALL CHARSET)."""
    size = 8 * (_LAST_CAPITAL - FIRST + 1)
    at = pattern_address(FIRST)
    vdp.ram[at : at + size] = STANDARD[:size]


def restore_colors(vdp: VDP) -> None:
    """Make every character set black on transparent (RUN, return to the prompt, CALL CHARSET)."""
    vdp.ram[COLORS : COLORS + _BEFORE_SETS] = bytes(_BEFORE_SETS)
    vdp.ram[COLORS + _BEFORE_SETS : COLORS + 32] = bytes((_BLACK_ON_TRANSPARENT,)) * _SETS
