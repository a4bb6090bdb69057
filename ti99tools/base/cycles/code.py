"""What machine code finds in the console: the loader, utilities, routines, in CPU cycles."""

from __future__ import annotations

# Machine code: the loader, utilities of Extended BASIC, routines of the console

TAG_CYCLES = 76_800  # loops: a tag of object code, in loads of 1 to 6 KB
MENU_CYCLES = 3_176_800  # console: from the key in the menu to a cartridge's first instruction
BLWP_COUNTED = 62  # code: the part of a utility that the processor itself counts
NUMASG = 2_174  # code
NUMASG_ELEMENT = 4_106  # code: of an array
NUMREF = 2_198  # code
NUMREF_VALUE = 2_494  # code: of an expression
NUMREF_ELEMENT = 4_130  # code: of an array
STRASG = 11_264  # code
STRASG_CHARACTER = 300  # code
STRREF = 2_046  # code
STRREF_CHARACTER = 346  # code
KSCAN = 2_564  # code: KSCAN of any keyboard unit but these
KSCAN_UNITS: dict[int, int] = {0: 2_402, 1: 2_786, 2: 2_786}
"""Code: keyboard unit → cost of KSCAN."""
VSBW = 492  # code
VMBW = 432  # code
VMBW_BYTE = 92  # code
VSBR = 476  # code
VMBR = 416  # code
VMBR_BYTE = 92  # code
VWTR = 256  # code
ERR = 500  # estimate

XMLLNK_ROUTINES: dict[int, int] = {
    0x0D80: 2_224,
    0x0D7C: 2_240,
    0x0E88: 3_060,
    0x0FF4: 10_556,
    0x0D3A: 610,
    0x11AE: 6_000,
    0x12B8: 650,
    0x0020: 996,
}
"""Code: word given to XMLLNK → cost of the number routine, XMLLNK's own time included; >0D7C and
>11AE are estimates."""

CARD_LOADED = 180_000  # code: LOAD by the disk controller
CARD_LOADED_BYTE = 184  # code: each byte of it
CARD_SAVED_BYTE = 500  # estimate: each byte of SAVE
CARD_READ = 47_000  # code: a record that is read; each byte of it takes the time of LOAD's
CARD_WRITTEN = 51_000  # code: a record that is written
CARD_LOOKED = 40_000  # code: STATUS

BY_ADDRESS: dict[int, int] = {
    0x0D80: 2_043,
    0x0D7C: 2_043,
    0x0D3A: 250,
    0x12B8: 398,
    0x11AE: 5_016,
}
"""Console: ROM address → cost of a number routine called there directly."""

MULTIPLIED = 2_081  # console: FMUL: 1 × 1 digit takes 2,382, I × 1.5 3,135, seven by seven 16,828
MULTIPLIED_DIGITS = 301  # console: each two digits to the base of 100 that are multiplied
DIVIDED = 8_414  # console: FDIV: one digit takes 11,552, seven 30,382
DIVIDED_DIGIT = 3_138  # console: each digit of the number in FAC
DIVIDED_TRIVIAL = 444  # console: FDIV when one of the numbers is 0
CLEAR_LOOKED = 200  # estimate: a look for CLEAR, BL @>0020
GPL_STACKED = 150  # estimate: putting GPL's address on its stack, or taking it off
GPL_CALL = 1_605  # console: calling a routine of GPL and coming back

GPL_ROUTINES: dict[int, int] = {
    0x0014: 230_000,
    0x0018: 563_058,
    0x0022: 24_329,
    0x0024: 885_157,
    0x0026: 329_003,
    0x0028: 409_597,
    0x002A: 532_311,
    0x002C: 363_547,
    0x002E: 338_270,
    0x0030: 755_245,
    0x0032: 383_314,
    0x0034: 3_831,
    0x0036: 4_330,
    0x004A: 275_665,
    0x2858: 2_000,
}
"""Console: GROM address → median cost of a routine."""
