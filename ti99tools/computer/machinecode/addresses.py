"""Addresses that machine code and its console agree on, and how machine code fails.

Source: the published memory maps. Addresses marked "ours" are not the real machine's: nothing
depends on where they are.
"""

from __future__ import annotations

from ti99tools.base.basic import CODE_NAME
from ti99tools.base.errors import TIError

LINKED, FIRST_FREE, LAST_FREE = 0x2000, 0x2002, 0x2004
"""`LINKED` holds the address that LINK runs: the search for its name, until a program puts another
there (recorded).
"""
INIT_FROM, INIT_TO = 0x2000, 0x2600
"""What CALL INIT overwrites."""
FREE_AFTER_INIT, NAMES_END = 0x24F4, 0x4000
"""The first byte that is free after CALL INIT, and the end of LINK's table, which grows down."""

VECTORS = 0x2008
UTILITY_WORKSPACE = 0x2038
"""The vectors of the utilities, a workspace and a start address each, and that workspace."""
UTILITY_CODE = 0x20C0
"""Where the utilities begin, four bytes each (ours)."""
UTILITY_END = FREE_AFTER_INIT
NAME_SEARCH, SEARCHES = 0x205A, 0
"""Where the search for LINK's name begins (recorded), and the word there (ours)."""
NOT_FOUND = 0x2080
"""Code for a name that is not found: error >25, put into `ERROR_CODE` (recorded)."""
ERROR_CODE = 0x8322
"""Where code that returns with an error puts its number."""
ENTRY = CODE_NAME + 2
"""Bytes of an entry of LINK's table: a name and its address."""
UTILITIES = tuple("NUMASG NUMREF STRASG STRREF XMLLNK KSCAN VSBW VMBW VSBR VMBR VWTR ERR".split())
"""Names of the utilities in the order of their vectors, which have four bytes each."""

ARGUMENT_KINDS, ARGUMENT_COUNT = 0x8300, 0x8312
"""The kind of each argument of LINK, one byte each, and how many there are."""
FAC, ARG = 0x834A, 0x835C
"""The two operands of the console's routines for numbers; the result is in the first."""
STRING_POINTER = 0x8356
"""Where CSN finds a text in video memory; for a DSR, the end of a device's name."""
NAME_LENGTH = 0x8354
ERROR_BYTE = 0x8354
"""A DSR finds the length of the device's name where routines for numbers leave an error."""
GPL_STACKS, STACKS_AT_LINK = 0x8372, 0xAF8E
"""Pointers to GPL's stacks, of data and of return addresses. Words at >838A to >838F are in use
while LINK is at work, those from >8390 on are not (recorded).
"""
JOYSTICK_Y, JOYSTICK_X = 0x8376, 0x8377
GPL_STATUS = 0x837C

GPL_WORKSPACE = 0x83E0
INTERRUPT_WORKSPACE = 0x83C0
"""Workspaces of the interpreter of GPL and of the interrupt routine."""
LIST_IN_VIDEO = 0x83FD
"""Bit 1: the sound list is in video memory, not in GROM."""

RESET, INTERRUPT_VECTOR, KEY_SCAN, GPL_RESET, GPL = 0x0000, 0x0004, 0x000E, 0x006A, 0x0070
SERVICE, RETURNED, HOOK_RETURNED, SERVED = 0x0900, 0x0AC0, 0x0AC4, 0x0AC8
"""Addresses in the console ROM (ours): the interrupt routine; where LINK's code returns to; where a
hook returns to, within an interrupt and between statements.
"""
RESET_CODE = 0x0024
"""Where the vector of a reset leads."""
ERROR_EXIT = 0x0ACC
"""Where code goes back into Extended BASIC with an error (ours)."""
CARD, CARTRIDGE_END = 0x4000, 0x8000
"""Where the memory of cards begins, and that of cartridges ends."""

COMPILED, COMPILED_TABLE, COMPILED_MARKS = 0xA000, 0xA004, (0x5842, 0x5843, 0x5844, 0x5845)
"""Where a program of our compiler begins, where it says that it has tables of its lines, and the
words that it may say there (ours; see docs/compiling.md).
"""

GROM_READ, VIDEO_ADDRESS = 0x9800, 0x8C02
"""What R13 and R15 of the GPL workspace hold."""


class CodeError(TIError):
    """Machine code that this console cannot continue; `line` is the line of the CALL LINK."""

    line: int | None = None


class Quit(Exception):
    """Machine code has left for the title screen, or QUIT was pressed."""


class Returned(Exception):
    """Machine code has come back to BASIC."""
