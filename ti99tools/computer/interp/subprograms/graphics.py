"""Characters, colours and the screen: CLEAR, HCHAR, VCHAR, GCHAR, CHAR, CHARPAT, CHARSET, COLOR,
SCREEN.

Like the machine's own routines, each does its work as soon as it has its arguments and looks for
the closing parenthesis last: superfluous arguments are a SYNTAX ERROR after the effect. Source:
the recorded screen-chars cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ti99tools.base.cycles import (
    CHAR_BEGUN,
    CHAR_DIGIT,
    CHAR_FILLED,
    CHAR_LETTER,
    DOWNWARDS,
    PATTERN_READ,
    RIGHTWARDS,
)
from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_VALUE, XBError
from ti99tools.computer.interp.subprograms.args import Args, Surroundings, subprogram
from ti99tools.computer.interp.subprograms.sprites import (
    FIRST_CHARACTER,
    LAST_CHARACTER,
    MAX_INTEGER,
    sprite_number,
)
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.hardware.machine.charset import restore_capitals, restore_colors
from ti99tools.hardware.machine.screen import BLANK
from ti99tools.hardware.machine.vdp import color_address, pattern_address

LAST_SET = 14
LAST_COLOR = 16

_TO_PRINT = 3
"""From a 0-based screen column to the column of PRINT that the machine keeps in the same place."""

_HEX_DIGITS = {digit: value for value, digit in enumerate("0123456789ABCDEF")}
_LETTERS = "ABCDEF"
_MAX_DIGITS = 64


def _row_column(args: Args) -> tuple[int, int]:
    """Take a row 1–24 and a column 1–32; 0-based."""
    row = args.leading(1, 24)
    return row - 1, args.leading(1, 32) - 1


@contextmanager
def _moved(rt: Surroundings, column: int) -> Iterator[None]:
    """Inside, the machine's print position is that of the cell to be drawn, and stays so after an
    error: the next PRINT begins there (recorded: chars-hchar-code-range).
    """
    try:
        yield
    except XBError:
        rt.pending.column = max(0, column - _TO_PRINT)
        raise


@subprogram("CLEAR")
def clear(rt: Surroundings, args: Args) -> None:
    """Blank the whole screen, edges included; colours and patterns stay.

    What PRINT left pending is gone too: the next one begins in the first column (known of the
    machine's print position, not recorded).
    """
    rt.machine.screen.fill(BLANK)
    rt.pending.column = 0
    args.end()


@subprogram("HCHAR")
def hchar(rt: Surroundings, args: Args) -> None:
    """HCHAR(row, column, code[, repetition]): rightwards, continuing in the next row."""
    row, column = _row_column(args)
    with _moved(rt, column):
        code = args.integer(0, MAX_INTEGER)
        times = args.integer(0, MAX_INTEGER) if args.more() else None
    if rt.machine.memory.in_use:
        rt.note_leftovers()
        rt.code.leftovers.drawn()
    if times is not None:
        rt.machine.screen.repeat_right(row, column, code, times)
        rt.machine.clock.cycles += RIGHTWARDS * max(times - 1, 0)
        args.end()
    else:
        rt.machine.screen.put(row, column, code)


@subprogram("VCHAR")
def vchar(rt: Surroundings, args: Args) -> None:
    """VCHAR(row, column, code[, repetition]): downwards, continuing in the next column."""
    row, column = _row_column(args)
    with _moved(rt, column):
        code = args.integer(0, MAX_INTEGER)
        times = args.integer(0, MAX_INTEGER) if args.more() else 1
    rt.machine.screen.repeat_down(row, column, code, times)
    rt.machine.clock.cycles += DOWNWARDS * max(times - 1, 0)
    args.end()


@subprogram("GCHAR")
def gchar(rt: Surroundings, args: Args) -> None:
    """GCHAR(row, column, variable): the code of the character there."""
    row, column = _row_column(args)
    args.store_number(rt.machine.screen.get(row, column))
    args.end()


@subprogram("CHAR")
def char(rt: Surroundings, args: Args) -> None:
    """CHAR(code, digits, …): define the patterns of up to four characters from a code on.

    Sixteen hexadecimal digits a character, missing ones 0, digits beyond 64 or for characters
    beyond 143 dropped. BAD VALUE at the first pair that is not hexadecimal; the pairs before it
    are stored.
    """
    while True:
        code = args.leading(FIRST_CHARACTER, LAST_CHARACTER)
        _define(rt, code, args.string())
        if not args.more():
            return


def _define(rt: Surroundings, code: int, digits: str) -> None:
    ram = rt.machine.vdp.ram
    at = pattern_address(code)
    room = min(_MAX_DIGITS, 16 * (LAST_CHARACTER + 1 - code))
    digits = digits[:room]
    size = max(1, -(-len(digits) // 16)) * 8
    rt.machine.clock.cycles += _defining(digits, size // 8)
    for start in range(0, 2 * size, 2):
        high, low = (_HEX_DIGITS.get(d) for d in digits[start : start + 2].ljust(2, "0"))
        if high is None or low is None:
            raise XBError(BAD_VALUE)
        ram[at + start // 2] = high << 4 | low


def _defining(digits: str, characters: int) -> int:
    """Cycles of the definition of some characters."""
    letters = sum(map(digits.count, _LETTERS))
    filled = len(digits) // 16
    return (
        CHAR_BEGUN * characters
        + CHAR_DIGIT * len(digits)
        + CHAR_LETTER * letters
        + CHAR_FILLED * filled
    )


@subprogram("CHARPAT")
def charpat(rt: Surroundings, args: Args) -> None:
    """CHARPAT(code, variable$, …): the pattern as sixteen hexadecimal digits.

    BAD ARGUMENT for codes outside 32–143, whatever follows (published listing of the ROM).
    """
    while True:
        code = to_integer(args.number())
        if not FIRST_CHARACTER <= code <= LAST_CHARACTER:
            raise XBError(BAD_ARGUMENT)
        at = pattern_address(code)
        rt.machine.clock.cycles += PATTERN_READ
        args.store_string(rt.machine.vdp.ram[at : at + 8].hex().upper())
        if not args.more():
            return


@subprogram("CHARSET")
def charset(rt: Surroundings, args: Args) -> None:
    """Give characters 32–95 their standard patterns and all sets their standard colours."""
    restore_capitals(rt.machine.vdp)
    restore_colors(rt.machine.vdp)
    args.end()


@subprogram("COLOR")
def color(rt: Surroundings, args: Args) -> None:
    """COLOR(set, foreground, background, …) or COLOR(#sprite, colour, …)."""
    if args.is_hash():
        while True:
            number = sprite_number(args)
            rt.machine.sprites.set_color(number, args.integer(1, LAST_COLOR) - 1)
            if not args.more():
                return
    while True:
        at = color_address(8 * args.leading(0, LAST_SET) + 24)
        foreground = args.leading(1, LAST_COLOR) - 1
        background = args.integer(1, LAST_COLOR) - 1
        rt.machine.vdp.ram[at] = foreground << 4 | background
        if not args.more():
            return


@subprogram("SCREEN")
def screen(rt: Surroundings, args: Args) -> None:
    """SCREEN(colour): the colour of the border and of everything transparent."""
    rt.machine.vdp.registers[7] = args.integer(1, LAST_COLOR) - 1
    args.end()
