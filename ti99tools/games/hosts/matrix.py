"""The key matrix that drivers press, and the comparison of two machines' video memory.

A place in the matrix is column and row: 0–5 are the columns of keys, 6 and 7 the joysticks, whose
rows are button, left, right, down, up.

Of VDP memory, patterns, colours, sprites at rest and registers are compared. Left out are the
screen's codes, which are compared as text; positions of sprites in motion, which depend on the
exact frame; everything that keeps changing while the program waits, such as a blinking picture;
0370h–03EFh, the work area of Extended BASIC and the console; buffers, stacks and strings from 0820h
on; and a screen that is dark only on the other machine: a console blanks it when no key has been
found for nine minutes, ours does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.games.hosts.host import Video
from ti99tools.hardware.machine.keycodes import COLUMNS, FUNCTION, FUNCTION_CAP, SHIFT_CAP, find_key
from ti99tools.hardware.machine.vdp import COLORS, MOTION, SPRITE_COUNT, SPRITES, pattern_address

Place = tuple[int, int]
STICKS = len(COLUMNS)
"""The column of joystick 1."""

_PLACES = {cap: (n, row) for n, column in enumerate(COLUMNS) for row, cap in enumerate(column)}


def places_of(key: str, alpha_lock: bool = True) -> tuple[Place, ...]:
    """The places of a character or a named key, its modifier first.

    A capital letter needs SHIFT when alpha lock is up. Raises ScriptError for a key that the
    keyboard lacks.
    """
    if key.upper() == FUNCTION:
        return (_PLACES[FUNCTION_CAP],)
    position = find_key(key)
    # With the alpha lock down capitals need no SHIFT.
    shift = SHIFT_CAP * (len(key) == 1 and key.isupper() and not alpha_lock)
    return tuple(_PLACES[cap] for cap in (*shift, *position.held, position.cap))


def stick(unit: int, x: int, y: int, fire: bool) -> tuple[Place, ...]:
    """The contacts closed by joystick 1 or 2 at x, y (−4, 0 or 4) and its button."""
    rows = (fire, x < 0, x > 0, y < 0, y > 0)
    return tuple((STICKS + unit - 1, row) for row, closed in enumerate(rows) if closed)


def all_of_stick(unit: int) -> tuple[Place, ...]:
    """All places of a joystick."""
    return tuple((STICKS + unit - 1, row) for row in range(5))


FIRST, LAST = 30, 143
"""First and last character with a pattern of its own."""
COLOR_BYTES = 32
REGISTERS = bytes((0x03, 0xFB, 0x0F, 0xFF, 0x07, 0x7F, 0x07, 0xFF))
"""The bits of each register that exist in the chip."""
LIT = 0x40
"""The bit of register 1 that shows the screen. Source: recorded; cleared after 33,000 frames."""


def differences(
    ours: Video, theirs: Video, restless: frozenset[int] = frozenset()
) -> Iterator[tuple[str, str, str]]:
    """The differences, the most informative first: name, our value, theirs.

    `restless` are addresses that are left out.
    """
    ours, theirs = (_at_rest(video, restless) for video in (ours, theirs))
    for code in range(FIRST, LAST + 1):
        a, b = (video.ram[pattern_address(code) :][:8] for video in (ours, theirs))
        if a != b:
            yield f"the pattern of character {code}", a.hex(), b.hex()
    for entry in range(COLOR_BYTES):
        a, b = (video.ram[COLORS + entry :][:1] for video in (ours, theirs))
        if a != b:
            yield f"the colours at {COLORS + entry:04X}h", a.hex(), b.hex()
    for number in range(1, SPRITE_COUNT + 1):
        # For a sprite in motion only pattern and colour are compared.
        first = 2 if _moves(ours, number) or _moves(theirs, number) else 0
        a, b = (_sprite(video, number)[first:] for video in (ours, theirs))
        if a != b:
            yield f"sprite #{number}", a.hex(), b.hex()
    # Only their dark screen is ignored: ours is never blanked by the console.
    dark = ours.registers[1] & ~theirs.registers[1] & LIT
    for number, mask in enumerate(REGISTERS):
        if number == 1:
            mask &= ~dark
        a, b = (bytes((video.registers[number] & mask,)) for video in (ours, theirs))
        if a != b:
            yield f"VDP register {number}", a.hex(), b.hex()


def _at_rest(video: Video, restless: frozenset[int]) -> Video:
    ram = bytearray(video.ram)
    # Both sides get a zero, so that an address that keeps changing never differs.
    for at in restless:
        ram[at] = 0
    return Video(bytes(ram), video.registers)


def _sprite(video: Video, number: int) -> bytes:
    """Row, column, pattern and colour of a sprite."""
    at = SPRITES + 4 * (number - 1)
    return video.ram[at : at + 4]


def _moves(video: Video, number: int) -> bool:
    at = MOTION + 4 * (number - 1)
    return any(video.ram[at : at + 2])
