"""Sprites: SPRITE, MOTION, LOCATE, POSITION, PATTERN, MAGNIFY, DELSPRITE, COINC, DISTANCE.

Rows and columns are 1–256: row 1 is the top line of the screen (y = 255), rows 193–256 are below
it. Undefined sprites are accepted everywhere. Source: the recorded screen-sprites cases.
"""

from __future__ import annotations

from ti99tools.base.xberrors import INCORRECT_ARGUMENT_LIST
from ti99tools.interp.subprograms.args import Args
from ti99tools.interp.subprograms.registry import subprogram
from ti99tools.interp.subprograms.surroundings import Surroundings
from ti99tools.machine.vdp import OFFSET, SPRITE_COUNT

FIRST_CHARACTER, LAST_CHARACTER = 32, 143
MAX_INTEGER = 32767
LARGEST_TOLERANCE = 255
"""Of COINC (published listing of the ROM)."""
TRUE, FALSE = -1, 0


def sprite_number(args: Args) -> int:
    """Take `#n`, 1–28, that something must follow; 0-based."""
    return args.leading_hash_number(1, SPRITE_COUNT) - 1


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


LOOKED_BEFORE = 25_000
"""Cycles between COINC(ALL, …) looking at the flag and its end (fitted to recorded answers: right
after LOCATE it never sees the new place, the second time it mostly does, the third always)."""


@subprogram("SPRITE")
def sprite(rt: Surroundings, args: Args) -> None:
    """SPRITE(#n, code, colour, row, column[, row velocity, column velocity], …).

    Each property is set as soon as it is known; without velocities the old ones stay.
    """
    sprites = rt.machine.sprites
    while True:
        number = sprite_number(args)
        sprites.set_pattern(number, args.leading(FIRST_CHARACTER, LAST_CHARACTER) + OFFSET)
        sprites.set_color(number, args.leading(1, 16) - 1)
        row, column = _location(args)
        sprites.place(number, row - 1, column)
        if args.more() and not args.is_hash():
            sprites.set_velocity(number, *_velocity(args))
        if not args.more():
            return


@subprogram("MOTION")
def motion(rt: Surroundings, args: Args) -> None:
    """MOTION(#n, row velocity, column velocity, …): −128 to 127 sixteenths of a pixel a frame."""
    while True:
        number = sprite_number(args)
        rt.machine.sprites.set_velocity(number, *_velocity(args))
        if not args.more():
            return


@subprogram("LOCATE")
def locate(rt: Surroundings, args: Args) -> None:
    """LOCATE(#n, row, column, …)."""
    while True:
        number = sprite_number(args)
        row, column = _location(args)
        rt.machine.sprites.place(number, row - 1, column)
        if not args.more():
            return


@subprogram("POSITION")
def position(rt: Surroundings, args: Args) -> None:
    """POSITION(#n, row variable, column variable, …): 0, 0 for a sprite that is not defined."""
    while True:
        number = sprite_number(args)
        row, column = rt.machine.sprites.row_and_column(number)
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
    args.end()


@subprogram("COINC")
def coinc(rt: Surroundings, args: Args) -> None:
    """COINC(#n, #m, tolerance, variable), COINC(#n, row, column, tolerance, variable) or
    COINC(ALL, variable).

    Gives −1 if rows and columns each differ by at most the tolerance (sizes do not matter), or,
    with ALL, if any two sprites overlapped in a dot in the frame drawn last; else 0. Comparing two
    places clears the flag that ALL looks at until a frame has been drawn (recorded: prog-sprites).
    """
    if args.is_all():
        args.all()
        hit = rt.machine.sprites.coincided(LOOKED_BEFORE)
    else:
        rows, columns = _difference(rt, args)
        tolerance = args.leading(0, LARGEST_TOLERANCE)
        hit = abs(rows) <= tolerance and abs(columns) <= tolerance
        rt.machine.sprites.read_status()
    args.store_number(TRUE if hit else FALSE, string_error=INCORRECT_ARGUMENT_LIST)
    args.end()


@subprogram("DISTANCE")
def distance(rt: Surroundings, args: Args) -> None:
    """DISTANCE(#n, #m, variable) or DISTANCE(#n, row, column, variable).

    Gives the square of the distance modulo 65536, at most 32767.
    """
    rows, columns = _difference(rt, args)
    square = min((rows * rows + columns * columns) & 0xFFFF, MAX_INTEGER)
    args.store_number(square, string_error=INCORRECT_ARGUMENT_LIST)
    args.end()


def _difference(rt: Surroundings, args: Args) -> tuple[int, int]:
    """Take a sprite and another sprite or a point: how far apart in rows and columns."""
    first = sprite_number(args)
    if args.is_hash():
        row, column = _place_of(rt, sprite_number(args))
    else:
        row, column = args.leading(1, 256) - 1, args.leading(1, 256) - 1
    own_row, own_column = _place_of(rt, first)
    return own_row - row, own_column - column
