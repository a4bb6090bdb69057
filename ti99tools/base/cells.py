"""Cells of the console's memory that several wings know by their addresses.

Those that only the console itself keeps are in `hardware/machine/cpu_memory`, those that only
machine code meets in `computer/machinecode/addresses`. Source: the console's published memory map.
"""

from __future__ import annotations

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
