"""Built-in subprograms for sprites."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.actions import CHANGES_SPRITES
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context

_WRONG = xb.INCORRECT_ARGUMENT_LIST
"""The error for a string variable in place of a number."""


@built_in("SPRITE")
def _sprite(low: Context, args: Arguments) -> None:
    while True:
        number = args.once(args.sprite())
        low.blocks.do("sprite pattern", number, args.whole(32, 143, leading=True))
        low.blocks.do("sprite color", number, args.whole(1, 16, leading=True))
        low.blocks.do("sprite place", number, args.whole(1, 256, leading=True), args.whole(1, 256))
        if args.more() and not args.is_hash():
            speed = args.whole(-128, 127, leading=True)
            low.blocks.do("sprite motion", number, speed, args.whole(-128, 127))
        if not args.more():
            return


@built_in("MOTION")
def _motion(low: Context, args: Arguments) -> None:
    while True:
        number, speed = args.sprite(), args.whole(-128, 127, leading=True)
        low.blocks.do("sprite motion", number, speed, args.whole(-128, 127))
        if not args.more():
            return


@built_in("LOCATE")
def _locate(low: Context, args: Arguments) -> None:
    while True:
        number, row = args.sprite(), args.whole(1, 256, leading=True)
        low.blocks.do("sprite place", number, row, args.whole(1, 256))
        if not args.more():
            return


@built_in("PATTERN")
def _pattern(low: Context, args: Arguments) -> None:
    while True:
        low.blocks.do("sprite pattern", args.sprite(), args.whole(32, 143))
        if not args.more():
            return


@built_in("POSITION")
def _position(low: Context, args: Arguments) -> None:
    while True:
        number = args.sprite()
        results = (args.target(_WRONG), args.target(_WRONG))
        low.blocks.do("sprite position", number, results=results)
        args.settle()
        if not args.more():
            return


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
        at_once = isinstance(low.blocks.last, ir.Do) and low.blocks.last.name in CHANGES_SPRITES
        name = "coinc at once" if at_once else "coinc all"
        low.blocks.do(name, results=(args.target(_WRONG),))
    else:
        first = args.sprite()
        if args.is_hash():
            other, far = args.sprite(), args.whole(0, 255, leading=True)
            low.blocks.do("coinc sprites", first, other, far, results=(args.target(_WRONG),))
        else:
            row, column = args.whole(1, 256, leading=True), args.whole(1, 256, leading=True)
            far = args.whole(0, 255, leading=True)
            low.blocks.do("coinc place", first, row, column, far, results=(args.target(_WRONG),))
    args.settle()


@built_in("DISTANCE")
def _distance(low: Context, args: Arguments) -> None:
    first = args.sprite()
    if args.is_hash():
        low.blocks.do("distance sprites", first, args.sprite(), results=(args.target(_WRONG),))
    else:
        row, column = args.whole(1, 256, leading=True), args.whole(1, 256, leading=True)
        low.blocks.do("distance place", first, row, column, results=(args.target(_WRONG),))
    args.settle()
