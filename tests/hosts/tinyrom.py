"""A console ROM of our own, small enough to read: it shows a text and a K for each key pressed.

With it MAME boots without anybody's ROMs (it warns of wrong checksums), so that the command line,
the Lua driver, keys, screens and time-outs of the host can be tested for real. Like the real
console it leaves what its last keyboard scan found in the scratchpad at 8375h (FFh: no key), and
like a busy Extended BASIC program it scans seldom: a key that is not held until then is lost.
"""

from __future__ import annotations

import struct
from pathlib import Path

OFFSET = 0x60
TEXT = b"TI99TOOLS TEST "
START, TEXT_AT = 0x24, 0x100
LINE_TABLE = (0xE000, 0xE00B)
"""Start and end of a line number table of three entries, as at 8330h and 8332h."""
CURRENT = 0xE006
"""What 832Eh says: the second entry's address word."""

Code = list[int | str | tuple[str, str]]
"""Words, labels, and jumps: (opcode name, label)."""

JUMPS = {"JMP": 0x1000, "JEQ": 0x1300, "JNE": 0x1600}


def program(busy: int) -> Code:
    """The program; between two scans it counts to `busy` (about 8 µs each)."""
    return [
        0x020F, 0x8C02,          # LI   R15,>8C02    VDP address port
        0x0201, 0x0000, 0xD7C1,  # LI   R1,0         MOVB R1,*R15
        0x0201, 0x4000, 0xD7C1,  # LI   R1,>4000     MOVB R1,*R15   write from 0 on
        0x0202, TEXT_AT,         # LI   R2,text
        0x0203, len(TEXT),       # LI   R3,length
        0x020E, 0x8C00,          # LI   R14,>8C00    VDP data port
        "text",
        0xD7B2, 0x0603,          # MOVB *R2+,*R14    DEC  R3
        ("JNE", "text"),
        0x0206, (ord("K") + OFFSET) << 8,    # LI   R6,'K'
        0x0200, 0xFF00,          # LI   R0,>FF00     the key before: none
        0x0201, LINE_TABLE[0], 0xC801, 0x8330,  # LI R1,start  MOV R1,@>8330
        0x0201, LINE_TABLE[1], 0xC801, 0x8332,  # LI R1,end    MOV R1,@>8332
        0x0201, CURRENT, 0xC801, 0x832E,        # LI R1,entry  MOV R1,@>832E
        0xD800, 0x8375,          # MOVB R0,@>8375
        "main",
        0x020A, busy,            # LI   R10,busy
        "busy",
        0x060A,                  # DEC  R10
        ("JNE", "busy"),
        0x020D, 0xFF00,          # LI   R13,>FF00    no key found
        0x0205, 0x0000,          # LI   R5,0         keyboard column
        "column",
        0x020C, 0x0024, 0x30C5,  # LI   R12,>24      LDCR R5,3      choose the column
        0x020C, 0x0006, 0x04C4,  # LI   R12,>06      CLR  R4
        0x3604, 0x0284, 0xFF00,  # STCR R4,8         CI   R4,>FF00  any key?
        ("JEQ", "next"),
        0xC346,                  # MOV  R6,R13
        "next",
        0x0225, 0x0100,          # AI   R5,>0100
        0x0285, 0x0600,          # CI   R5,>0600
        ("JNE", "column"),
        0xD80D, 0x8375,          # MOVB R13,@>8375   what this scan found
        0x800D,                  # C    R13,R0       the same as before?
        ("JEQ", "main"),
        0xC00D,                  # MOV  R13,R0
        0x028D, 0xFF00,          # CI   R13,>FF00
        ("JEQ", "main"),
        0xD786,                  # MOVB R6,*R14      show a K
        ("JMP", "main"),
    ]  # fmt: skip


def assemble(code: Code) -> list[int]:
    """The words of a program; jumps reach their labels."""
    places: dict[str, int] = {}
    at = 0
    for item in code:
        if isinstance(item, str):
            places[item] = at
        else:
            at += 1
    words: list[int] = []
    for item in code:
        if isinstance(item, tuple):
            distance = places[item[1]] - len(words) - 1
            words.append(JUMPS[item[0]] | distance & 0xFF)
        elif isinstance(item, int):
            words.append(item)
    return words


def lay_out(folder: Path, busy: int = 0x2000) -> None:
    """Write the ROM as MAME's pieces, with empty GROMs and an empty disk controller ROM."""
    image = bytearray(8192)
    image[0:4] = struct.pack(">HH", 0x8300, START)
    code = assemble(program(busy))
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
