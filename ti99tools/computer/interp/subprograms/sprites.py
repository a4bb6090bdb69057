"""Sprites: SPRITE, MOTION, LOCATE, POSITION, PATTERN, MAGNIFY, DELSPRITE, COINC, DISTANCE.

Rows and columns are 1–256: row 1 is the top line of the screen (y = 255), rows 193–256 are below
it. Undefined sprites are accepted everywhere. Source: the recorded screen-sprites cases.
"""

from __future__ import annotations

from collections.abc import Iterator

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


NUMBERED, LOOKS, LOCATED, MOVED = 4_000, 4_400, 9_570, 19_400
"""Cycles besides those of the arguments: of a sprite's number in a list; of its pattern and colour,
of its row and column, of its velocities in CALL SPRITE, before they are set. What CALL SPRITE,
LOCATE and MOTION take was measured; how it is shared follows from their differences."""

READ_AFTER, READ = 37_000, 40_120
"""Cycles of POSITION from a sprite's number to where row and column are read (fitted to recorded
ways), and in all, besides its arguments (measured)."""


def sprite_number(args: Args) -> int:
    """Take `#n`, 1–28, that something must follow; 0-based."""
    return args.leading_hash_number(1, SPRITE_COUNT) - 1


def _each(rt: Surroundings, args: Args) -> Iterator[int]:
    """The sprites of a list, whose other arguments are taken meanwhile; 0-based."""
    while True:
        number = sprite_number(args)
        rt.machine.clock.cycles += NUMBERED
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


ALL_DELETED = 140_000
"""Cycles of DELSPRITE(ALL) (estimated from whole programs)."""


LOOKED_AFTER, LOOKED = 7_440, 16_340
"""Cycles of COINC(ALL, …) until it looks at the flag, and in all (fitted to recorded answers: right
after LOCATE it never sees the new place, the second time it mostly does, the third always)."""

OF_PAIR = 4
"""Arguments of COINC of two sprites."""

COMPARED, PAIRED, ROWS_NEAR = 36_410, 3_740, 5_200
"""Cycles of COINC of a sprite and a point in other rows (measured); what another sprite in place of
the point takes, and what comes to it when the rows are near enough (fitted to recorded ways)."""


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
        clock.cycles += LOOKS
        row, column = _location(args)
        clock.cycles += LOCATED
        sprites.place(number, row - 1, column)
        if args.more() and not args.is_hash():
            velocity = _velocity(args)
            clock.cycles += MOVED
            sprites.set_velocity(number, *velocity)


@subprogram("MOTION")
def motion(rt: Surroundings, args: Args) -> None:
    """MOTION(#n, row velocity, column velocity, …): −128 to 127 sixteenths of a pixel a frame."""
    for number in _each(rt, args):
        velocity = _velocity(args)
        rt.machine.clock.cycles += MOVED
        rt.machine.sprites.set_velocity(number, *velocity)


@subprogram("LOCATE")
def locate(rt: Surroundings, args: Args) -> None:
    """LOCATE(#n, row, column, …)."""
    for number in _each(rt, args):
        row, column = _location(args)
        rt.machine.clock.cycles += LOCATED
        rt.machine.sprites.place(number, row - 1, column)


@subprogram("POSITION")
def position(rt: Surroundings, args: Args) -> None:
    """POSITION(#n, row variable, column variable, …): 0, 0 for a sprite that is not defined."""
    while True:
        number = sprite_number(args)
        rt.machine.clock.cycles += READ_AFTER
        row, column = rt.machine.sprites.row_and_column(number)
        rt.machine.clock.cycles += READ - READ_AFTER
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
    rt.machine.clock.cycles += ALL_DELETED
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
        clock.cycles += LOOKED_AFTER
        hit = rt.machine.sprites.coincided()
        clock.cycles += LOOKED - LOOKED_AFTER
    else:
        pair = args.count == OF_PAIR
        apart = _difference(rt, args)
        tolerance = args.leading(0, LARGEST_TOLERANCE)
        near = apart is not None and abs(apart[0]) <= tolerance
        clock.cycles += COMPARED + PAIRED * pair + ROWS_NEAR * near
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
    """Take a sprite and another sprite or a point: how far apart in rows and columns.

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
