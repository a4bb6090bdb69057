"""Built-in subprograms for the screen, characters, sprites, keys, sound and memory, and VERSION.

PEEK and LOAD know the cells of memory that mean the same in a compiled program. A calculated
address is read as it is. LOAD needs INIT before it, as on the machine.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import (
    HIGHEST_TONE,
    LAST_NOISE,
    LONGEST_SOUND,
    LOWEST_TONE,
    OF_PAIR,
    QUIETEST,
    TONES,
)
from ti99tools.base.cycles import language as cy
from ti99tools.compiler import ir
from ti99tools.compiler.actions import CHANGES_SPRITES, NO_VOLUME
from ti99tools.compiler.ir import Expr, const
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.refusing import Fails, refuse
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW


@built_in("CLEAR")
def _clear(low: Context, _: Arguments) -> None:
    low.blocks.do("clear")


def _fill(name: str) -> None:
    """HCHAR, VCHAR."""

    @built_in(name.upper())
    def lower(low: Context, args: Arguments) -> None:
        row, column = args.whole(1, 24, leading=True), args.whole(1, 32, leading=True)
        try:
            code = args.whole(0, WORD_HIGH)
            times = args.whole(0, WORD_HIGH) if args.more() else None
        except Fails:
            low.blocks.do("aim", row, column)
            raise
        if times is None:
            # Without a count one cell is written.
            low.blocks.do("put", row, column, code)
        else:
            low.blocks.do(name, row, column, code, times)


_fill("hchar")
_fill("vchar")


@built_in("GCHAR")
def _gchar(low: Context, args: Arguments) -> None:
    row, column = args.whole(1, 24, leading=True), args.whole(1, 32, leading=True)
    low.blocks.do("gchar", row, column, results=(args.target(),))
    args.settle()


@built_in("CHAR")
def _char(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        low.blocks.do("char", args.whole(32, 143, leading=True), args.text())


@built_in("CHARSET")
def _charset(low: Context, _: Arguments) -> None:
    low.blocks.do("charset")


@built_in("COLOR")
def _color(low: Context, args: Arguments) -> None:
    sprites = args.is_hash()
    for _ in args.groups():
        if sprites:
            low.blocks.do("sprite color", args.sprite(), args.whole(1, 16))
        else:
            one, other = args.whole(0, 14, leading=True), args.whole(1, 16, leading=True)
            low.blocks.do("color", one, other, args.whole(1, 16))


@built_in("SCREEN")
def _screen(low: Context, args: Arguments) -> None:
    low.blocks.do("screen", args.whole(1, 16))


@built_in("KEY")
def _key(low: Context, args: Arguments) -> None:
    _scan(low, args, "key", 0, 5)


@built_in("JOYST")
def _joyst(low: Context, args: Arguments) -> None:
    _scan(low, args, "joyst", 1, 4)


def _scan(low: Context, args: Arguments, action: str, first: int, last: int) -> None:
    """Scan a unit, `first` to `last`; two variables get what is found."""
    unit = args.whole(first, last, leading=True)
    results = args.target(), args.target()
    low.blocks.do(action, unit, results=results)
    args.settle()


@built_in("SOUND")
def _sound(low: Context, args: Arguments) -> None:
    """SOUND; the runtime refuses a length of 0, as soon as it is known, and each frequency."""
    length = args.once(args.whole(-LONGEST_SOUND, LONGEST_SOUND, leading=True))
    low.blocks.do("sound begin", length)
    tones: list[bool] = []
    for _ in args.groups():
        exact = args.number(leading=True)
        second = _may_be_second_noise(exact, tones) and not args.is_constant(0, QUIETEST)
        if not _is_taken(exact, tones) and (second or not args.is_sure()):
            exact = _checked(low, exact)
        tones.append(exact.op == "const" and exact.data > 0)
        low.blocks.do("sound voice", _frequency(exact), args.whole(0, QUIETEST), exact)
    low.blocks.do("sound play", length)


def _is_taken(frequency: ir.Expr, tones: list[bool]) -> bool:
    """Tell whether a frequency is surely taken after other voices, of which these are tones."""
    if frequency.op != "const":
        return False
    whole = to_integer(frequency.data)
    if whole < 0:
        return whole >= LAST_NOISE and all(tones)
    return LOWEST_TONE <= whole <= HIGHEST_TONE and len(tones) < TONES


def _may_be_second_noise(frequency: ir.Expr, tones: list[bool]) -> bool:
    """Tell whether the error of a frequency may be another one than that of its volume."""
    is_tone = frequency.op == "const" and frequency.data > 0
    return not (is_tone or all(tones))


def _checked(low: Context, frequency: ir.Expr) -> ir.Expr:
    """Let a frequency fail before its volume is calculated; returns it."""
    if frequency.op not in ("const", "var"):
        frequency = low.held("frequency", frequency)
    low.blocks.do("sound voice", _frequency(frequency), ir.const(NO_VOLUME), frequency)
    return frequency


def _frequency(value: ir.Expr) -> ir.Expr:
    """A frequency as a word: a constant above 32767 less 65536."""
    if value.op == "const":
        whole = to_integer(value.data)
        if WORD_HIGH < whole <= HIGHEST_TONE:
            return ir.const(whole - 0x10000)
    return ir.Expr("round", (value,), (LAST_NOISE, WORD_HIGH, xb.BAD_VALUE))


@built_in("VERSION")
def _version(low: Context, args: Arguments) -> None:
    low.blocks.store_at(args.place(xb.STRING_NUMBER_MISMATCH), ir.const(110))


_WRONG = xb.INCORRECT_ARGUMENT_LIST
"""The error for a string variable in place of a number."""


@built_in("SPRITE")
def _sprite(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        number = args.once(args.sprite())
        code = args.whole(32, 143, leading=True)
        _timed(low, args, "sprite pattern", number, code, cycles=cy.SPRITE_NUMBERED)
        _timed(low, args, "sprite color", number, args.whole(1, 16, leading=True))
        place = args.whole(1, 256, leading=True), args.whole(1, 256)
        _timed(
            low, args, "sprite place", number, *place, cycles=cy.SPRITE_LOOKS + cy.SPRITE_LOCATED
        )
        if args.more() and not args.is_hash():
            speed = args.whole(-128, 127, leading=True), args.whole(-128, 127)
            _timed(low, args, "sprite motion", number, *speed, cycles=cy.SPRITE_MOVED)


@built_in("MOTION")
def _motion(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        number, speed = args.sprite(), args.whole(-128, 127, leading=True)
        cycles = cy.SPRITE_NUMBERED + cy.SPRITE_MOVED
        _timed(low, args, "sprite motion", number, speed, args.whole(-128, 127), cycles=cycles)


@built_in("LOCATE")
def _locate(low: Context, args: Arguments) -> None:
    for _ in args.groups():
        number, row = args.sprite(), args.whole(1, 256, leading=True)
        cycles = cy.SPRITE_NUMBERED + cy.SPRITE_LOCATED
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
        args.take_time(cy.POSITION_READ_AFTER - later)
        results = (args.target(_WRONG), args.target(_WRONG))
        low.blocks.do("sprite position", number, results=results)
        args.settle()
        args.take_time(cy.POSITION_READ - cy.POSITION_READ_AFTER)
        later = cy.POSITION_LATER


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
        args.take_time(cy.COINC_ALL_AFTER)
        last = low.blocks.last
        at_once = isinstance(last, ir.Do) and last.name in CHANGES_SPRITES
        # Where all takes its time, so does the frame that has to be drawn.
        name = "coinc at once" if at_once or low.whole is not None else "coinc all"
        low.blocks.do(name, results=(args.target(_WRONG),))
        args.take_time(cy.COINC_ALL - cy.COINC_ALL_AFTER)
    else:
        pair = args.count == OF_PAIR
        first = args.sprite()
        found = (args.sprite(),) if args.is_hash() else _place(args)
        args.take_time()
        name = "coinc sprites" if len(found) == 1 else "coinc place"
        far = args.whole(0, 255, leading=True)
        low.blocks.do(name, first, *found, far, results=(args.target(_WRONG),))
        args.take_time(cy.COINC_POINT + cy.COINC_SPRITE * pair)
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
    args.take_time(cy.DISTANCE_SPRITE * pair)
    args.settle()


def _timed(low: Context, args: Arguments, action: str, *values: ir.Expr, cycles: int = 0) -> None:
    """Do something once the time of its arguments has passed."""
    args.take_time(cycles)
    low.blocks.do(action, *values)


HOOK = (-31804, -31803)
"""What the console calls at each interrupt: here always 0 to the program."""
SOUND = -31744
CELLS = frozenset({-31888, -31887, *range(-31884, -31876), -31806, *HOOK, -31794, -31788})
"""Cells for PEEK and LOAD: the end of video memory, those of the keyboard and the joysticks, the
random number of RANDOMIZE, the counter of frames, sprites in motion, the status of the video
processor, what an interrupt leaves out and calls, frames of the sound, and video register 1."""


@built_in("INIT")
def _init(low: Context, _: Arguments) -> None:
    low.blocks.do("init")


@built_in("PEEK")
def _peek(low: Context, args: Arguments) -> None:
    address = _word(args)
    known = _constant(address)
    if known is None:
        address = Expr("round", (low.held("address of PEEK", address),), address.data)
    for offset, _ in enumerate(args.groups()):
        value = Expr("byte", (address,), offset)
        if known is not None:
            at = known + offset
            if at not in CELLS:
                refuse(f"PEEK of {at} looks at Extended BASIC's memory")
            value = const(0) if at in HOOK else Expr("byte", (const(at),), 0)
        low.blocks.assign(args.target(), value)
        args.settle()


@built_in("LOAD")
def _load(low: Context, args: Arguments) -> None:
    low.blocks.do("check init")
    while args.more():
        if args.is_text():
            text = args.text()
            if text.op != "text" or text.data:
                refuse("LOAD of a file puts machine code into memory")
            continue
        at = _constant(_word(args))
        if at is None:
            refuse("LOAD to an address that is calculated")
        while args.more() and not args.is_text():
            _load_byte(low, at, _word(args))
            at += 1


def _load_byte(low: Context, at: int, value: Expr) -> None:
    if at in HOOK and _constant(value) != 0:
        refuse(f"LOAD to {at} lets machine code run")
    if at not in CELLS and at != SOUND:
        refuse(f"LOAD to {at} changes Extended BASIC's memory")
    if at not in HOOK:
        low.blocks.do("load", value, data=at)


def _word(args: Arguments) -> Expr:
    """An address or a value."""
    return args.whole(WORD_LOW, WORD_HIGH, error=xb.NUMERIC_OVERFLOW)


def _constant(word: Expr) -> int | None:
    """The value of a word that is known, if it is a word."""
    inner = word.args[0]
    value = to_integer(inner.data) if inner.op == "const" else WORD_LOW - 1
    return value if WORD_LOW <= value <= WORD_HIGH else None
