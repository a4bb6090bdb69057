"""What every wing knows of Extended BASIC: the program it starts, its message, its limits.

Source: the User's Reference Guide.
"""

from __future__ import annotations

AUTOSTART = "LOAD"
"""The program that Extended BASIC looks for on DSK1 when it starts."""
NEEDS = "NEEDS 32K MEMORY"
"""What such a program says without the memory expansion, after a title."""
CLEAN = "CALL CHARSET::CALL DELSPRITE(ALL)"
"""Statements that reset what RUN keeps: patterns and colours of text, and sprites."""
LONGEST_STEM = 8
"""Characters of a program's name before the dash and the digit of its parts: a file's name has ten.
"""
SOURCES = (".xb", ".bas", ".b99", ".lst")
"""Extensions of sources and listings."""
READY = "* READY *"
"""The message of a program that has ended."""
LOWEST_INTEGER, HIGHEST_INTEGER = -32768, 32767
"""The whole numbers that a word holds."""
PRINT_WIDTH = 28
"""Columns of the screen for PRINT and DISPLAY AT."""
LONGEST_STRING = LARGEST_SIZE = 255
"""Characters of a string, and of a field that ACCEPT and DISPLAY AT take with SIZE."""
LONGEST_RECORD, HIGHEST_FILE = 255, 255
"""Bytes of a record, and the number of a file."""
CELL = 8
"""Rows and columns of dots of a character."""
CODE_NAME, CODE_PROGRAM_NAME = 6, 8
"""Characters of a routine's name in object code, and of the name of a program."""
LAST_CODE = 255
"""The last character code of a string, whether or not a program can draw it."""
LAST_CHARACTER, LAST_SET = 143, 14
"""The highest character code and the highest set of characters that a program can define."""
LONGEST_SOUND, LOWEST_TONE, HIGHEST_TONE, QUIETEST, TONES, LAST_NOISE = 4250, 110, 44733, 30, 3, -8
"""What CALL SOUND takes, as the Extended BASIC manual says: milliseconds, the frequencies of a tone
in Hz, volumes from 0 on, how many tones, and the number of a noise."""
DEEPEST_FUNCTION = 13
"""Most words of stack in use when a DEF function is entered (fitted to the recorded chains of DEFs:
13 deep, or 7 in parentheses, or 4 in INT).
"""


OF_PAIR = 4
"""Arguments of CALL COINC of two sprites."""


def quoted(text: str) -> str:
    """The text as a string constant of Extended BASIC."""
    return '"' + text.replace('"', '""') + '"'
