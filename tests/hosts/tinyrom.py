"""A console ROM of our own, small enough to read: it shows a text and a K for each key pressed.

With it MAME boots without anybody's ROMs (it warns of wrong checksums), so that the command line,
the Lua driver, keys, screens and time-outs of the host can be tested for real.
"""

from __future__ import annotations

import struct
from pathlib import Path

OFFSET = 0x60
TEXT = b"TI99TOOLS TEST "
START, TEXT_AT = 0x24, 0x100


def words() -> list[int]:
    """The program: TMS9900 words from START on."""
    head = [
        0x020F, 0x8C02,          # LI   R15,>8C02    VDP address port
        0x0201, 0x0000, 0xD7C1,  # LI   R1,0         MOVB R1,*R15
        0x0201, 0x4000, 0xD7C1,  # LI   R1,>4000     MOVB R1,*R15   write from 0 on
        0x0202, TEXT_AT,         # LI   R2,text
        0x0203, len(TEXT),       # LI   R3,length
        0x020E, 0x8C00,          # LI   R14,>8C00    VDP data port
        0xD7B2, 0x0603, 0x16FD,  # MOVB *R2+,*R14    DEC R3   JNE back two words
        0x0206, (ord("K") + OFFSET) << 8,  # LI R6,'K'
        0x0205, 0x0000,          # LI   R5,0         keyboard column
    ]  # fmt: skip
    loop = [
        0x020C, 0x0024, 0x30C5,  # LI   R12,>24      LDCR R5,3      choose the column
        0x020C, 0x0006, 0x04C4,  # LI   R12,>06      CLR  R4
        0x3604, 0x0284, 0xFF00,  # STCR R4,8         CI   R4,>FF00  any key?
        0x1305,                  # JEQ  next
        0xD786,                  # MOVB R6,*R14      show a K
        0x3604, 0x0284, 0xFF00,  # STCR R4,8         CI   R4,>FF00  until it is up
        0x16FC,                  # JNE  back
        0x0207, 0x0100, 0x2947,  # LI   R7,>100      XOR  R7,R5     next: the other column
    ]  # fmt: skip
    back = 0x1000 | (-(len(loop) + 1) & 0xFF)
    return [*head, *loop, back]


def lay_out(folder: Path) -> None:
    """Write the ROM as MAME's pieces, with empty GROMs and an empty disk controller ROM."""
    image = bytearray(8192)
    image[0:4] = struct.pack(">HH", 0x8300, START)
    code = words()
    image[START : START + 2 * len(code)] = struct.pack(f">{len(code)}H", *code)
    image[TEXT_AT : TEXT_AT + len(TEXT)] = bytes(byte + OFFSET for byte in TEXT)
    pieces = {
        "ti99_4a/994a_rom_hb.u610": bytes(image[0::2]),
        "ti99_4a/994a_rom_lb.u611": bytes(image[1::2]),
        **{f"ti99_4a/994a_grom{n}.u50{n}": bytes(6144) for n in range(3)},
        **{f"ti99_fdc/fdc_dsr.u{n}": bytes(4096) for n in (26, 27)},
    }
    for name, data in pieces.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
