"""Built-in subprograms for the screen, characters, keys and sound, and VERSION."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import (
    HIGHEST_TONE,
    LAST_NOISE,
    LONGEST_SOUND,
    LOWEST_TONE,
    QUIETEST,
    TONES,
)
from ti99tools.compiler import ir
from ti99tools.compiler.actions import NO_VOLUME
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.refusing import Fails
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.language.analysis.intervals import WORD_HIGH


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
        name = low.names.hidden("frequency")
        low.blocks.assign(name, frequency)
        frequency = ir.var(name)
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
