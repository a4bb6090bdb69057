"""Codes of the machine's keys and colours, and cells of its memory that several wings know.

Key codes are those of the TI-99/4A keyboard as Extended BASIC sees them (CALL KEY units 0 and 5).
Source: the keyboard map of the User's Reference Guide, confirmed by the recorded key cases.

Colours are the sixteen of the TMS9918A VDP. Extended BASIC numbers them 1–16; the VDP's own code is
one less. RGB values follow the usual reading of the data manual's luminance and colour-difference
levels.

Cells are known by their addresses, from the console's published memory map. Those that only the
console itself keeps are in `hardware/machine/cpu_memory`, those that only machine code meets in
`computer/machinecode/addresses`.
"""

from __future__ import annotations

AID, CLEAR, DELETE, INSERT, QUIT, REDO, ERASE = 1, 2, 3, 4, 5, 6, 7
LEFT, RIGHT, DOWN, UP, PROCEED, ENTER, BEGIN, BACK = 8, 9, 10, 11, 12, 13, 14, 15

KEY_NAMES: dict[str, int] = {
    "AID": AID,
    "CLEAR": CLEAR,
    "DEL": DELETE,
    "INS": INSERT,
    "QUIT": QUIT,
    "REDO": REDO,
    "ERASE": ERASE,
    "LEFT": LEFT,
    "RIGHT": RIGHT,
    "DOWN": DOWN,
    "UP": UP,
    "PROCEED": PROCEED,
    "ENTER": ENTER,
    "BEGIN": BEGIN,
    "BACK": BACK,
}
"""Names used in key scripts (`press NAME`) → key code."""

RGB: tuple[tuple[int, int, int], ...] = (
    (0, 0, 0),
    (0, 0, 0),
    (33, 200, 66),
    (94, 220, 120),
    (84, 85, 237),
    (125, 118, 252),
    (212, 82, 77),
    (66, 235, 245),
    (252, 85, 84),
    (255, 121, 120),
    (212, 193, 84),
    (230, 206, 128),
    (33, 176, 59),
    (201, 91, 186),
    (204, 204, 204),
    (255, 255, 255),
)
"""Index: VDP code 0–15 (XB colour number minus one); code 0 shows the backdrop."""


INIT_MARK, INITIALIZED = 0x2006, 0xAA55
"""Where CALL INIT leaves its mark, and the mark."""
FILE_BLOCK = 0x8304
"""Where Extended BASIC keeps the address of a file's block in video memory, and other things."""
STRINGS_START = 0x8318
"""The pointer to the highest byte of video memory that strings may use; then those to the next free
byte below them, and to the text of the newest one.
"""
STACK_TOP = 0x836E
"""The pointer to the top of Extended BASIC's stack in video memory."""
KEY_UNIT, KEY_CODE = 0x8374, 0x8375
INTERRUPT_FLAGS = 0x83C2
"""What the interrupt routine skips: 80h everything, 40h sprite motion, 20h sound, 10h QUIT."""
