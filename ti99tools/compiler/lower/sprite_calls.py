"""Built-in subprograms for sprites."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import OF_PAIR
from ti99tools.base.cycles.language import (
    COINC_ALL,
    COINC_ALL_AFTER,
    COINC_POINT,
    COINC_SPRITE,
    DISTANCE_SPRITE,
    POSITION_LATER,
    POSITION_READ,
    POSITION_READ_AFTER,
    SPRITE_LOCATED,
    SPRITE_LOOKS,
    SPRITE_MOVED,
    SPRITE_NUMBERED,
)
from ti99tools.compiler import ir
from ti99tools.compiler.actions import CHANGES_SPRITES
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context

_WRONG = xb.INCORRECT_ARGUMENT_LIST
"""The error for a string variable in place of a number."""


@built_in("SPRITE")
def _sprite(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        number = args.once(args.sprite())
        code = args.whole(32, 143, leading=True)
        _timed(low, args, "sprite pattern", number, code, cycles=SPRITE_NUMBERED)
        _timed(low, args, "sprite color", number, args.whole(1, 16, leading=True))
        place = args.whole(1, 256, leading=True), args.whole(1, 256)
        _timed(low, args, "sprite place", number, *place, cycles=SPRITE_LOOKS + SPRITE_LOCATED)
        if args.more() and not args.is_hash():
            speed = args.whole(-128, 127, leading=True), args.whole(-128, 127)
            _timed(low, args, "sprite motion", number, *speed, cycles=SPRITE_MOVED)


@built_in("MOTION")
def _motion(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        number, speed = args.sprite(), args.whole(-128, 127, leading=True)
        cycles = SPRITE_NUMBERED + SPRITE_MOVED
        _timed(low, args, "sprite motion", number, speed, args.whole(-128, 127), cycles=cycles)


@built_in("LOCATE")
def _locate(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        number, row = args.sprite(), args.whole(1, 256, leading=True)
        cycles = SPRITE_NUMBERED + SPRITE_LOCATED
        _timed(low, args, "sprite place", number, row, args.whole(1, 256), cycles=cycles)


@built_in("PATTERN")
def _pattern(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        low.blocks.do("sprite pattern", args.sprite(), args.whole(32, 143))


@built_in("POSITION")
def _position(low: Context, args: Arguments) -> None:
    later = 0
    for _ in args.groups():
        number = args.sprite()
        args.take_time(POSITION_READ_AFTER - later)
        results = (args.target(_WRONG), args.target(_WRONG))
        low.blocks.do("sprite position", number, results=results)
        args.settle()
        args.take_time(POSITION_READ - POSITION_READ_AFTER)
        later = POSITION_LATER


@built_in("MAGNIFY")
def _magnify(low: Context, args: Arguments) -> None:
    low.blocks.do("magnify", args.whole(1, 4))


@built_in("DELSPRITE")
def _delsprite(low: Context, args: Arguments) -> None:
    while not args.is_all():
        low.blocks.do("sprite hide", args.sprite(leading=False))
        if not args.more():
            return
    args.skip()
    low.blocks.do("sprites off")


@built_in("COINC")
def _coinc(low: Context, args: Arguments) -> None:
    if args.is_all():
        args.skip()
        args.take_time(COINC_ALL_AFTER)
        last = low.blocks.last
        at_once = isinstance(last, ir.Do) and last.name in CHANGES_SPRITES
        # Where all takes its time, so does the frame that has to be drawn.
        name = "coinc at once" if at_once or low.whole is not None else "coinc all"
        low.blocks.do(name, results=(args.target(_WRONG),))
        args.take_time(COINC_ALL - COINC_ALL_AFTER)
    else:
        pair = args.count == OF_PAIR
        first = args.sprite()
        found = (args.sprite(),) if args.is_hash() else _place(args)
        args.take_time()
        name = "coinc sprites" if len(found) == 1 else "coinc place"
        far = args.whole(0, 255, leading=True)
        low.blocks.do(name, first, *found, far, results=(args.target(_WRONG),))
        args.take_time(COINC_POINT + COINC_SPRITE * pair)
    args.settle()


def _place(args: Arguments) -> tuple[ir.Expr, ir.Expr]:
    return args.whole(1, 256, leading=True), args.whole(1, 256, leading=True)


@built_in("DISTANCE")
def _distance(low: Context, args: Arguments) -> None:
    pair = args.count == OF_PAIR - 1
    first = args.sprite()
    found = (args.sprite(),) if args.is_hash() else _place(args)
    args.take_time()
    name = "distance sprites" if len(found) == 1 else "distance place"
    low.blocks.do(name, first, *found, results=(args.target(_WRONG),))
    args.take_time(DISTANCE_SPRITE * pair)
    args.settle()


def _timed(low: Context, args: Arguments, action: str, *values: ir.Expr, cycles: int = 0) -> None:
    """Do something once the time of its arguments has passed."""
    args.take_time(cycles)
    low.blocks.do(action, *values)
