"""Built-in subprograms for sprites."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.actions import CHANGES_SPRITES
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context


@built_in("SPRITE")
def _sprite(low: Context, args: Arguments) -> None:
    while True:
        number = args.sprite()
        code, color = args.whole(32, 143), args.whole(1, 16)
        low.blocks.do("sprite pattern", number, code)
        low.blocks.do("sprite color", number, color)
        low.blocks.do("sprite place", number, args.whole(1, 256), args.whole(1, 256))
        if args.more() and not args.is_hash():
            low.blocks.do("sprite motion", number, args.whole(-128, 127), args.whole(-128, 127))
        if not args.more():
            return


@built_in("MOTION")
def _motion(low: Context, args: Arguments) -> None:
    while True:
        low.blocks.do("sprite motion", args.sprite(), args.whole(-128, 127), args.whole(-128, 127))
        if not args.more():
            return


@built_in("LOCATE")
def _locate(low: Context, args: Arguments) -> None:
    while True:
        low.blocks.do("sprite place", args.sprite(), args.whole(1, 256), args.whole(1, 256))
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
        low.blocks.do("sprite position", number, results=(args.target(), args.target()))
        args.settle()
        if not args.more():
            return


@built_in("MAGNIFY")
def _magnify(low: Context, args: Arguments) -> None:
    low.blocks.do("magnify", args.whole(1, 4))


@built_in("DELSPRITE")
def _delsprite(low: Context, args: Arguments) -> None:
    while not args.is_all():
        low.blocks.do("sprite hide", args.sprite())
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
        low.blocks.do(name, results=(args.target(),))
    else:
        first = args.sprite()
        if args.is_hash():
            low.blocks.do(
                "coinc sprites", first, args.sprite(), args.whole(0, 255), results=(args.target(),)
            )
        else:
            row, column, far = args.whole(1, 256), args.whole(1, 256), args.whole(0, 255)
            low.blocks.do("coinc place", first, row, column, far, results=(args.target(),))
    args.settle()


@built_in("DISTANCE")
def _distance(low: Context, args: Arguments) -> None:
    first = args.sprite()
    if args.is_hash():
        low.blocks.do("distance sprites", first, args.sprite(), results=(args.target(),))
    else:
        row, column = args.whole(1, 256), args.whole(1, 256)
        low.blocks.do("distance place", first, row, column, results=(args.target(),))
    args.settle()
