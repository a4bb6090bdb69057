"""Characters, colours, the screen and sprites: CLEAR to COLOR, SPRITE to DISTANCE.

Rows and columns are 1–256: row 1 is the top line of the screen (y = 255), rows 193–256 are below
it. Undefined sprites are accepted everywhere. Source: the recorded screen-sprites cases.

Like the machine's own routines, each does its work as soon as it has its arguments and looks for
the closing parenthesis last: superfluous arguments are a SYNTAX ERROR after the effect. Source:
the recorded screen-chars cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ti99tools.base.basic import HIGHEST_INTEGER, LAST_CHARACTER, LAST_SET, OF_PAIR
from ti99tools.base.cycles.language import (
    CHAR_BEGUN,
    CHAR_DIGIT,
    CHAR_FILLED,
    CHAR_LETTER,
    COINC_ALL,
    COINC_ALL_AFTER,
    COINC_ALL_MET,
    COINC_MET,
    COINC_POINT,
    COINC_ROWS_NEAR,
    COINC_SPRITE,
    COLOR_SPRITE,
    DELSPRITE_ALL,
    DISTANCE_SPRITE,
    DOWNWARDS,
    PATTERN_READ,
    POSITION_LATER,
    POSITION_READ,
    POSITION_READ_AFTER,
    REPEATED,
    RIGHTWARDS,
    SPRITE_LOCATED,
    SPRITE_LOOKS,
    SPRITE_MOVED,
    SPRITE_NUMBERED,
)
from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_VALUE, INCORRECT_ARGUMENT_LIST, XBError
from ti99tools.computer.interp.subprograms.args import SUBPROGRAMS, Args, SubprogramContext
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.hardware.machine.screen import BLANK
from ti99tools.hardware.machine.vdp import (
    OFFSET,
    color_address,
    pattern_address,
    restore_capitals,
    restore_colors,
)

FIRST_CHARACTER = 32
"""The first of the characters that CALL CHAR, CHARPAT, SPRITE and PATTERN take."""
LARGEST_TOLERANCE = 255
"""Largest tolerance of COINC (published listing of the ROM)."""
LAST_ROW = 255
TRUE, FALSE = -1, 0


def _each(rt: SubprogramContext, args: Args) -> Iterator[int]:
    """The sprites of a list, 0-based; the caller takes the other arguments of each meanwhile."""
    for _ in args.groups():
        number = args.leading_sprite()
        rt.machine.clock.cycles += SPRITE_NUMBERED
        yield number


def _location(args: Args) -> tuple[int, int]:
    """Take a row and a column, 1–256 each; 0-based."""
    row = args.leading(1, 256)
    return row - 1, args.integer(1, 256) - 1


def _velocity(args: Args) -> tuple[int, int]:
    row = args.leading(-128, 127)
    return row, args.integer(-128, 127)


def _place_of(rt: SubprogramContext, number: int) -> tuple[int, int]:
    """A sprite's row and column, 0-based."""
    y, x = rt.machine.sprites.position(number)
    return y + 1 & 0xFF, x


@SUBPROGRAMS("SPRITE")
def sprite(rt: SubprogramContext, args: Args) -> None:
    """SPRITE(#n, code, colour, row, column[, row velocity, column velocity], …).

    Each property is set as soon as it is known; without velocities the old ones stay.
    """
    sprites = rt.machine.sprites
    for number in _each(rt, args):
        sprites.set_pattern(number, args.leading(FIRST_CHARACTER, LAST_CHARACTER) + OFFSET)
        sprites.set_color(number, args.leading(1, 16) - 1)
        clock = rt.machine.clock
        clock.cycles += SPRITE_LOOKS
        row, column = _location(args)
        clock.cycles += SPRITE_LOCATED
        sprites.place(number, row - 1, column)
        if args.more() and not args.is_hash():
            velocity = _velocity(args)
            clock.cycles += SPRITE_MOVED
            sprites.set_velocity(number, *velocity)


@SUBPROGRAMS("MOTION")
def motion(rt: SubprogramContext, args: Args) -> None:
    """MOTION(#n, row velocity, column velocity, …): −128 to 127 sixteenths of a pixel a frame."""
    for number in _each(rt, args):
        velocity = _velocity(args)
        rt.machine.clock.cycles += SPRITE_MOVED
        rt.machine.sprites.set_velocity(number, *velocity)


@SUBPROGRAMS("LOCATE")
def locate(rt: SubprogramContext, args: Args) -> None:
    """LOCATE(#n, row, column, …)."""
    for number in _each(rt, args):
        row, column = _location(args)
        rt.machine.clock.cycles += SPRITE_LOCATED
        rt.machine.sprites.place(number, row - 1, column)


@SUBPROGRAMS("POSITION")
def position(rt: SubprogramContext, args: Args) -> None:
    """POSITION(#n, row variable, column variable, …): 0, 0 for a sprite that is not defined."""
    later = 0
    for _ in args.groups():
        number = args.leading_sprite()
        rt.machine.clock.cycles += POSITION_READ_AFTER - later
        later = POSITION_LATER
        row, column = rt.machine.sprites.row_and_column(number)
        rt.machine.clock.cycles += POSITION_READ - POSITION_READ_AFTER
        args.store_number(row, string_error=INCORRECT_ARGUMENT_LIST)
        args.store_number(column, string_error=INCORRECT_ARGUMENT_LIST)


@SUBPROGRAMS("PATTERN")
def pattern(rt: SubprogramContext, args: Args) -> None:
    """PATTERN(#n, code, …): each pair gives a sprite another character."""
    for _ in args.groups():
        number = args.leading_sprite()
        code = args.integer(FIRST_CHARACTER, LAST_CHARACTER)
        rt.machine.sprites.set_pattern(number, code + OFFSET)


@SUBPROGRAMS("MAGNIFY")
def magnify(rt: SubprogramContext, args: Args) -> None:
    """MAGNIFY(1–4) for all sprites."""
    rt.machine.sprites.magnify(args.integer(1, 4))
    args.end()


@SUBPROGRAMS("DELSPRITE")
def delsprite(rt: SubprogramContext, args: Args) -> None:
    """DELSPRITE(#n, …), DELSPRITE(ALL) or, recorded in foreign, DELSPRITE(#n, …, ALL)."""
    while not args.is_all():
        rt.machine.sprites.hide(args.sprite())
        if not args.more():
            return
    args.all()
    rt.machine.sprites.reset()
    rt.machine.clock.cycles += DELSPRITE_ALL
    args.end()


@SUBPROGRAMS("COINC")
def coinc(rt: SubprogramContext, args: Args) -> None:
    """COINC(#n, #m, tolerance, variable), COINC(#n, row, column, tolerance, variable) or
    COINC(ALL, variable).

    Gives −1 if rows and columns each differ by at most the tolerance (sizes do not matter), or,
    with ALL, if any two sprites overlapped in a dot in the frame drawn last; else 0. Comparing two
    places clears the flag that ALL looks at until a frame has been drawn (recorded: prog-sprites).
    """
    clock = rt.machine.clock
    if args.is_all():
        args.all()
        clock.cycles += COINC_ALL_AFTER
        hit = rt.machine.sprites.coincided()
        clock.cycles += COINC_ALL - COINC_ALL_AFTER + COINC_ALL_MET * hit
    else:
        pair = args.count == OF_PAIR
        apart = _difference(rt, args)
        tolerance = args.leading(0, LARGEST_TOLERANCE)
        near = apart is not None and abs(apart[0]) <= tolerance
        clock.cycles += COINC_POINT + COINC_SPRITE * pair + COINC_ROWS_NEAR * near
        hit = apart is not None and max(map(abs, apart)) <= tolerance
        clock.cycles += COINC_MET * hit
        if not hit:
            rt.machine.sprites.read_status()
    args.store_number(TRUE if hit else FALSE, string_error=INCORRECT_ARGUMENT_LIST)
    args.end()


@SUBPROGRAMS("DISTANCE")
def distance(rt: SubprogramContext, args: Args) -> None:
    """DISTANCE(#n, #m, variable) or DISTANCE(#n, row, column, variable).

    Gives the square of the distance modulo 65536, at most 32767.
    """
    pair = args.count == OF_PAIR - 1
    apart = _difference(rt, args)
    rt.machine.clock.cycles += DISTANCE_SPRITE * pair
    square = HIGHEST_INTEGER
    if apart is not None:
        square = min(sum(n * n for n in apart) & 0xFFFF, HIGHEST_INTEGER)
    args.store_number(square, string_error=INCORRECT_ARGUMENT_LIST)
    args.end()


def _difference(rt: SubprogramContext, args: Args) -> tuple[int, int] | None:
    """Take a sprite and another sprite or a point: their distance in rows and columns.

    None for a point in row 256, which is far from everything (recorded). The first sprite's place
    is read before the second's number is evaluated, and meanwhile it may move: of 96 COINC(#1,#1,8)
    of a quick sprite 3 are false (random-sprmove-921050). When exactly it is read is inferred.
    """
    own_row, own_column = _place_of(rt, args.leading_sprite())
    if args.is_hash():
        row, column = _place_of(rt, args.leading_sprite())
    else:
        row, column = args.leading(1, 256) - 1, args.leading(1, 256) - 1
        if row == LAST_ROW:
            return None
    return own_row - row, own_column - column


LAST_COLOR = 16
"""Colours are 1 to 16 here, and 0 to 15 in the video processor."""

_TO_PRINT = 3
"""From a 0-based screen column to the column of PRINT that the machine keeps in the same place."""

_HEX_DIGITS = {digit: value for value, digit in enumerate("0123456789ABCDEF")}
_LETTERS = "ABCDEF"
_MAX_DIGITS = 64
"""CALL CHAR takes patterns of four characters, 16 digits each."""


def _row_column(args: Args) -> tuple[int, int]:
    """Take a row 1–24 and a column 1–32; 0-based."""
    row = args.leading(1, 24)
    return row - 1, args.leading(1, 32) - 1


@contextmanager
def _moved(rt: SubprogramContext, column: int) -> Iterator[None]:
    """After an error inside, the next PRINT begins at the cell to be drawn: the machine keeps both
    in its print position (recorded: chars-hchar-code-range).
    """
    try:
        yield
    except XBError:
        rt.pending.column = max(0, column - _TO_PRINT)
        raise


@SUBPROGRAMS("CLEAR")
def clear(rt: SubprogramContext, args: Args) -> None:
    """Blank the whole screen, edges included; colours and patterns stay.

    What PRINT left pending is gone: the next PRINT begins in the first column (known of the
    machine's print position, not recorded).
    """
    rt.machine.screen.fill(BLANK)
    rt.pending.column = 0
    args.end()


@SUBPROGRAMS("HCHAR")
def hchar(rt: SubprogramContext, args: Args) -> None:
    """HCHAR(row, column, code[, repetition]): rightwards, continuing in the next row."""
    row, column = _row_column(args)
    with _moved(rt, column):
        code = args.integer(0, HIGHEST_INTEGER)
        times = args.integer(0, HIGHEST_INTEGER) if args.more() else None
    if rt.machine.memory.in_use:
        rt.note_leftovers()
        rt.code.leftovers.drawn()
    if times is not None:
        rt.machine.screen.repeat_right(row, column, code, times)
        rt.machine.clock.cycles += REPEATED + RIGHTWARDS * max(times - 1, 0)
        args.end()
    else:
        rt.machine.screen.put(row, column, code)


PLACED = 3
"""Arguments of VCHAR without a repetition."""


@SUBPROGRAMS("VCHAR")
def vchar(rt: SubprogramContext, args: Args) -> None:
    """VCHAR(row, column, code[, repetition]): downwards, continuing in the next column."""
    row, column = _row_column(args)
    with _moved(rt, column):
        code = args.integer(0, HIGHEST_INTEGER)
        times = args.integer(0, HIGHEST_INTEGER) if args.more() else 1
    rt.machine.screen.repeat_down(row, column, code, times)
    rt.machine.clock.cycles += DOWNWARDS * max(times - 1, 0) + REPEATED * (args.count > PLACED)
    args.end()


@SUBPROGRAMS("GCHAR")
def gchar(rt: SubprogramContext, args: Args) -> None:
    """GCHAR(row, column, variable): the code of the character there."""
    row, column = _row_column(args)
    args.store_number(rt.machine.screen.get(row, column))
    args.end()


@SUBPROGRAMS("CHAR")
def char(rt: SubprogramContext, args: Args) -> None:
    """CHAR(code, digits, …): define the patterns of up to four characters from a code on.

    Sixteen hexadecimal digits a character, missing ones 0, digits beyond 64 or for characters
    beyond 143 dropped. BAD VALUE at the first pair that is not hexadecimal; the pairs before it
    are stored.
    """
    for _ in args.groups():
        code = args.leading(FIRST_CHARACTER, LAST_CHARACTER)
        _define(rt, code, args.string())


def _define(rt: SubprogramContext, code: int, digits: str) -> None:
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


@SUBPROGRAMS("CHARPAT")
def charpat(rt: SubprogramContext, args: Args) -> None:
    """CHARPAT(code, variable$, …): the pattern as sixteen hexadecimal digits.

    BAD ARGUMENT for codes outside 32–143, whatever follows (published listing of the ROM).
    """
    for _ in args.groups():
        code = to_integer(args.number())
        if not FIRST_CHARACTER <= code <= LAST_CHARACTER:
            raise XBError(BAD_ARGUMENT)
        at = pattern_address(code)
        rt.machine.clock.cycles += PATTERN_READ
        args.store_string(rt.machine.vdp.ram[at : at + 8].hex().upper())


@SUBPROGRAMS("CHARSET")
def charset(rt: SubprogramContext, args: Args) -> None:
    """Give characters 32–95 their standard patterns and all sets their standard colours."""
    restore_capitals(rt.machine.vdp)
    restore_colors(rt.machine.vdp)
    args.end()


@SUBPROGRAMS("COLOR")
def color(rt: SubprogramContext, args: Args) -> None:
    """COLOR(set, foreground, background, …) or COLOR(#sprite, colour, …)."""
    if args.is_hash():
        for _ in args.groups():
            number = args.leading_sprite()
            rt.machine.sprites.set_color(number, args.integer(1, LAST_COLOR) - 1)
            rt.machine.clock.cycles += COLOR_SPRITE
        return
    for _ in args.groups():
        at = color_address(8 * args.leading(0, LAST_SET) + 24)
        foreground = args.leading(1, LAST_COLOR) - 1
        background = args.integer(1, LAST_COLOR) - 1
        rt.machine.vdp.ram[at] = foreground << 4 | background


@SUBPROGRAMS("SCREEN")
def screen(rt: SubprogramContext, args: Args) -> None:
    """SCREEN(colour): the colour of the border and of everything transparent."""
    rt.machine.vdp.registers[7] = args.integer(1, LAST_COLOR) - 1
    args.end()
