"""Which cells of the console CALL PEEK and CALL LOAD reach here, and what is said of the others.

A cell that is not modelled keeps what is written to it, and nothing follows from it: the program is
told so. Source: the console's published memory map, and the lists of addresses that users know.
"""

from __future__ import annotations

from collections.abc import Container

ROM_END, CARD, CARTRIDGE_END = 0x2000, 0x4000, 0x8000
PAD, SOUND, SPEECH, GROM, PORTS_END = 0x8300, 0x8400, 0x9000, 0x9800, 0xA000
SPEECH_END = GROM
OWN = ((0x8300, 0x8318), (0x8326, 0x8328), (0x834A, 0x836E))
"""What programs use as their own, and where a program's end goes on: that is looked at later."""

NAMES: tuple[tuple[int, int, str], ...] = (
    (0x8318, 0x8320, "pointers to strings in video memory"),
    (0x8320, 0x8326, "pointers of the interpreter"),
    (0x8326, 0x8328, "where the console goes on after a program"),
    (0x8328, 0x832E, "pointers of the interpreter"),
    (0x832E, 0x8334, "line number table"),
    (0x8334, 0x8342, "pointers to DATA, symbols and files"),
    (0x8342, 0x834A, "flags of the interpreter"),
    (0x836E, 0x8370, "top of the stack in video memory"),
    (0x8370, 0x8372, "highest address of video memory"),
    (0x8372, 0x8374, "stacks of the GPL interpreter"),
    (0x8374, 0x8378, "keyboard"),
    (0x837B, 0x837D, "status"),
    (0x8380, 0x8384, "stack of the GPL interpreter"),
    (0x8384, 0x8388, "limits of memory"),
    (0x8388, 0x838A, "flags of the memory expansion"),
    (0x838A, 0x83C0, "stacks of the GPL interpreter"),
    (0x83C0, 0x83C2, "seed of random numbers"),
    (0x83C6, 0x83CC, "memory of the keyboard scan"),
    (0x83CC, 0x83D0, "sound list"),
    (0x83D0, 0x83D4, "search for devices"),
    (0x83D4, 0x83D6, "copy of video register 1"),
    (0x83D6, 0x83D8, "time until the screen goes dark"),
    (0x83D8, 0x83E0, "return addresses of the console's routines"),
    (0x83E0, 0x8400, "registers of the GPL interpreter"),
)
"""First address, end, what lies there."""


def not_loaded(address: int, changed: Container[int]) -> str:
    """What is to be said of a CALL LOAD at an address; "" where it does what it should.

    `changed` are the cells that change something when they are written.
    """
    if ROM_END <= address < CARD or address >= PORTS_END:
        return ""
    return _said("LOAD", address, changed, "nothing follows from it")


def not_peeked(address: int, followed: Container[int]) -> str:
    """What is to be said of a CALL PEEK at an address; "" where it gives what it should.

    `followed` are the cells that follow the console.
    """
    if ROM_END <= address < CARD or address >= PORTS_END or SPEECH <= address < SPEECH_END:
        return ""
    return _said("PEEK", address, followed, "it got what was last put there, or 0")


def _said(word: str, address: int, known: Container[int], result: str) -> str:
    own = any(first <= address < end for first, end in OWN)
    if own or address in known or CARD <= address < 0x6000:
        return ""
    if PAD <= address < SOUND:
        what = next((f" ({n})" for first, end, n in NAMES if first <= address < end), "")
        return f"CALL {word} at {shown(address)}{what}: that is not modelled, {result}"
    if address < ROM_END or CARD <= address < CARTRIDGE_END:
        return f"CALL {word} at {shown(address)}: no ROM is here, {result}"
    if address < GROM:
        speech = address >= SPEECH
        return f"CALL {word} at {shown(address)}: no speech synthesizer is here" if speech else ""
    return f"CALL {word} at {shown(address)}: no GROM is here, {result}"


def shown(address: int) -> str:
    """An address as memory maps and as programs write it."""
    number = address - 0x10000 if address & 0x8000 else address
    return f">{address:04X} ({number})"
