"""Sprites: SPRITE, MOTION, LOCATE, POSITION, PATTERN, MAGNIFY, DELSPRITE, COINC, DISTANCE.

Rows and columns are 1–256: row 1 is the top line of the screen (y = 255), rows 193–256 are below
it. Undefined sprites are accepted everywhere. Source: the recorded screen-sprites cases.
"""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.base.cycles import (
    COINC_ALL,
    COINC_ALL_AFTER,
    COINC_POINT,
    COINC_ROWS_NEAR,
    COINC_SPRITE,
    DELSPRITE_ALL,
    POSITION_READ,
    POSITION_READ_AFTER,
    SPRITE_LOCATED,
    SPRITE_LOOKS,
    SPRITE_MOVED,
    SPRITE_NUMBERED,
)
from ti99tools.base.xberrors import INCORRECT_ARGUMENT_LIST
from ti99tools.computer.interp.subprograms.args import Args, Surroundings, subprogram
from ti99tools.hardware.machine.vdp import OFFSET, SPRITE_COUNT

FIRST_CHARACTER, LAST_CHARACTER = 32, 143
"""Characters that CALL CHAR, CHARPAT, SPRITE and PATTERN take."""
MAX_INTEGER = 32767
LARGEST_TOLERANCE = 255
"""Of COINC (published listing of the ROM)."""
LAST_ROW = 255
TRUE, FALSE = -1, 0


def sprite_number(args: Args) -> int:
    """Take `#n`, 1–28, that must be followed by something; 0-based."""
    return args.leading_hash_number(1, SPRITE_COUNT) - 1


def _each(rt: Surroundings, args: Args) -> Iterator[int]:
    """The sprites of a list; their other arguments are taken meanwhile; 0-based."""
    while True:
        number = sprite_number(args)
        rt.machine.clock.cycles += SPRITE_NUMBERED
        yield number
        if not args.more():
            return


def _location(args: Args) -> tuple[int, int]:
    """Take a row and a column, 1–256 each; 0-based."""
    row = args.leading(1, 256)
    return row - 1, args.integer(1, 256) - 1


def _velocity(args: Args) -> tuple[int, int]:
    row = args.leading(-128, 127)
    return row, args.integer(-128, 127)


def _place_of(rt: Surroundings, number: int) -> tuple[int, int]:
    """A sprite's row and column, 0-based."""
    y, x = rt.machine.sprites.position(number)
    return y + 1 & 0xFF, x


OF_PAIR = 4
"""Arguments of COINC of two sprites."""


@subprogram("SPRITE")
def sprite(rt: Surroundings, args: Args) -> None:
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


@subprogram("MOTION")
def motion(rt: Surroundings, args: Args) -> None:
    """MOTION(#n, row velocity, column velocity, …): −128 to 127 sixteenths of a pixel a frame."""
    for number in _each(rt, args):
        velocity = _velocity(args)
        rt.machine.clock.cycles += SPRITE_MOVED
        rt.machine.sprites.set_velocity(number, *velocity)


@subprogram("LOCATE")
def locate(rt: Surroundings, args: Args) -> None:
    """LOCATE(#n, row, column, …)."""
    for number in _each(rt, args):
        row, column = _location(args)
        rt.machine.clock.cycles += SPRITE_LOCATED
        rt.machine.sprites.place(number, row - 1, column)


@subprogram("POSITION")
def position(rt: Surroundings, args: Args) -> None:
    """POSITION(#n, row variable, column variable, …): 0, 0 for a sprite that is not defined."""
    while True:
        number = sprite_number(args)
        rt.machine.clock.cycles += POSITION_READ_AFTER
        row, column = rt.machine.sprites.row_and_column(number)
        rt.machine.clock.cycles += POSITION_READ - POSITION_READ_AFTER
        args.store_number(row, string_error=INCORRECT_ARGUMENT_LIST)
        args.store_number(column, string_error=INCORRECT_ARGUMENT_LIST)
        if not args.more():
            return


@subprogram("PATTERN")
def pattern(rt: Surroundings, args: Args) -> None:
    """PATTERN(#n, code, …)."""
    while True:
        number = sprite_number(args)
        code = args.integer(FIRST_CHARACTER, LAST_CHARACTER)
        rt.machine.sprites.set_pattern(number, code + OFFSET)
        if not args.more():
            return


@subprogram("MAGNIFY")
def magnify(rt: Surroundings, args: Args) -> None:
    """MAGNIFY(1–4) for all sprites."""
    rt.machine.sprites.magnify(args.integer(1, 4))
    args.end()


@subprogram("DELSPRITE")
def delsprite(rt: Surroundings, args: Args) -> None:
    """DELSPRITE(#n, …), DELSPRITE(ALL) or, recorded in foreign, DELSPRITE(#n, …, ALL)."""
    while not args.is_all():
        rt.machine.sprites.hide(args.hash_number(1, SPRITE_COUNT) - 1)
        if not args.more():
            return
    args.all()
    rt.machine.sprites.reset()
    rt.machine.clock.cycles += DELSPRITE_ALL
    args.end()


@subprogram("COINC")
def coinc(rt: Surroundings, args: Args) -> None:
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
        clock.cycles += COINC_ALL - COINC_ALL_AFTER
    else:
        pair = args.count == OF_PAIR
        apart = _difference(rt, args)
        tolerance = args.leading(0, LARGEST_TOLERANCE)
        near = apart is not None and abs(apart[0]) <= tolerance
        clock.cycles += COINC_POINT + COINC_SPRITE * pair + COINC_ROWS_NEAR * near
        hit = apart is not None and max(map(abs, apart)) <= tolerance
        if not hit:
            rt.machine.sprites.read_status()
    args.store_number(TRUE if hit else FALSE, string_error=INCORRECT_ARGUMENT_LIST)
    args.end()


@subprogram("DISTANCE")
def distance(rt: Surroundings, args: Args) -> None:
    """DISTANCE(#n, #m, variable) or DISTANCE(#n, row, column, variable).

    Gives the square of the distance modulo 65536, at most 32767.
    """
    apart = _difference(rt, args)
    square = MAX_INTEGER
    if apart is not None:
        square = min(sum(n * n for n in apart) & 0xFFFF, MAX_INTEGER)
    args.store_number(square, string_error=INCORRECT_ARGUMENT_LIST)
    args.end()


def _difference(rt: Surroundings, args: Args) -> tuple[int, int] | None:
    """Take a sprite and another sprite or a point: their distance in rows and columns.

    None for a point in row 256, which is far from everything (recorded).
    """
    first = sprite_number(args)
    if args.is_hash():
        row, column = _place_of(rt, sprite_number(args))
    else:
        row, column = args.leading(1, 256) - 1, args.leading(1, 256) - 1
        if row == LAST_ROW:
            return None
    own_row, own_column = _place_of(rt, first)
    return own_row - row, own_column - column
