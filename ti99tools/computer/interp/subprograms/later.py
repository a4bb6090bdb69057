"""Subprograms that Extended BASICs of later years add: they are called under a profile only.

Written from the pages named below, of the RXB manual (Rich Gilbertson, RXB 2025, "Documents") and
of the XB 2.9 manual (Harry Wilhelm, "Extended BASIC 2.9 G.E.M.", 6 February 2024). Times are
estimates. Where a manual leaves something open, the docstring says what we chose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ti99tools.base.basic import LAST_CHARACTER, LONGEST_STRING
from ti99tools.base.codes import INTERRUPT_FLAGS
from ti99tools.base.entries import Entries
from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_VALUE, STRING_NUMBER_MISMATCH, XBError
from ti99tools.computer.interp.subprograms.args import Args, Subprogram, SubprogramContext
from ti99tools.computer.interp.subprograms.misc import word
from ti99tools.computer.numbers.forms import to_str
from ti99tools.hardware.machine.cpu_memory import NO_QUIT
from ti99tools.hardware.machine.screen import BLANK, COLUMNS, ROWS
from ti99tools.hardware.machine.vdp import (
    ADDRESS_MASK,
    OFFSET,
    SCREEN,
    SCREEN_SIZE,
    SPRITES,
    color_address,
    pattern_address,
)

LATER = Entries[str, Subprogram]()
"""Name as written after CALL → what does it."""
_FIRST, _LAST = 30, 159
"""The characters whose patterns lie in video memory: cursor and edge come before the space."""
_WORD = 0x10000
_OF_A_CHARACTER, _OF_A_SCROLL = 1_200, 40_000
"""Cycles of a character put or moved, and of a screen scrolled (estimates)."""


@LATER("BEEP")
def beep(rt: SubprogramContext, args: Args) -> None:
    """BEEP: the tone of DISPLAY BEEP. RXB manual, page B2; XB 2.9 manual, page 11."""
    rt.machine.sound.beep()
    args.end()


@LATER("HONK")
def honk(rt: SubprogramContext, args: Args) -> None:
    """HONK: the low tone of errors. RXB manual, page H5; XB 2.9 manual, page 12."""
    rt.machine.sound.honk()
    args.end()


@LATER("CLSALL")
def clsall(rt: SubprogramContext, args: Args) -> None:
    """CLSALL: close all open files. RXB manual, page C5; XB 2.9 manual, page 11."""
    rt.files.close_all()
    args.end()


@LATER("QUITON")
def quiton(rt: SubprogramContext, args: Args) -> None:
    """QUITON: the QUIT key works again. RXB manual, page Q2; XB 2.9 manual, page 12."""
    memory = rt.machine.memory
    memory.poke(INTERRUPT_FLAGS, memory.peek(INTERRUPT_FLAGS) & ~NO_QUIT)
    args.end()


def _cell(args: Args) -> int:
    """Take a row 1–24 and a column 1–32: the place on the screen, 0–767."""
    row = args.leading(1, ROWS)
    return COLUMNS * (row - 1) + args.leading(1, COLUMNS) - 1


@LATER("HPUT")
def hput(rt: SubprogramContext, args: Args) -> None:
    """HPUT(row, column, text or number, …): put it there; the screen never scrolls.

    Text past the edge goes on at the left of the next row, after the last row in the first, as
    HCHAR does. RXB manual, page H6, which does not say how a number is written: here as by STR$.
    """
    screen = rt.machine.screen
    for _ in args.groups():
        place = _cell(args)
        text = args.string() if args.is_string() else to_str(args.number())
        for at, character in enumerate(text, place):
            screen.put(at // COLUMNS % ROWS, at % COLUMNS, ord(character))
        rt.machine.clock.cycles += _OF_A_CHARACTER * len(text)


@LATER("HGET")
def hget(rt: SubprogramContext, args: Args) -> None:
    """HGET(row, column, length, variable$, …): read 1 to 255 characters from there on.

    Past the edge they go on as in HPUT. RXB manual, page H4.
    """
    for _ in args.groups():
        place = _cell(args)
        length = args.leading(1, LONGEST_STRING)
        codes = rt.machine.screen.codes
        places = range(place, place + length)
        args.store_string("".join(chr(codes[at % SCREEN_SIZE]) for at in places))
        rt.machine.clock.cycles += _OF_A_CHARACTER * length


@LATER("HEX")
def hexadecimal(_rt: SubprogramContext, args: Args) -> None:
    """HEX(number, variable$, …) or HEX(string, variable, …): to four hexadecimal digits and back.

    Numbers are rounded, −32768 to 32767. Of a string the first four characters count, in either
    case; an empty one is 0. RXB manual, page H2, which does not name the error of other values:
    here BAD VALUE.
    """
    for _ in args.groups():
        if args.is_string():
            digits = args.string()[:4]
            if any(digit not in "0123456789ABCDEFabcdef" for digit in digits):
                raise XBError(BAD_VALUE)
            value = int(digits or "0", 16)
            value -= _WORD * (value >= _WORD // 2)
            args.store_number(value, string_error=STRING_NUMBER_MISMATCH)
        else:
            number = args.leading(-_WORD // 2, _WORD // 2 - 1)
            args.store_string(f"{number % _WORD:04X}")


@LATER("PEEKV")
def peekv(rt: SubprogramContext, args: Args) -> None:
    """PEEKV(address, variable, …): successive bytes of video memory.

    RXB manual, page P4; XB 2.9 manual, page 15.
    """
    rt.machine.sync()
    address = word(args)
    args.peek()
    while args.more():
        byte = rt.machine.vdp.ram[address & ADDRESS_MASK]
        args.store_number(byte, string_error=STRING_NUMBER_MISMATCH)
        address += 1


@LATER("POKEV")
def pokev(rt: SubprogramContext, args: Args) -> None:
    """POKEV(address, byte, …): write successive bytes of video memory, modulo 256.

    RXB manual, page P9; XB 2.9 manual, page 15.
    """
    rt.machine.sync()
    address = word(args)
    args.peek()
    while args.more():
        rt.machine.vdp.ram[address & ADDRESS_MASK] = word(args) & 0xFF
        address += 1


def _pattern(args: Args, more: bool) -> slice:
    """Take a character code: where its pattern lies. `more`: another argument must follow."""
    code = args.leading(_FIRST, _LAST) if more else args.integer(_FIRST, _LAST)
    return slice(pattern_address(code), pattern_address(code) + 8)


@LATER("SWAPCHAR")
def swapchar(rt: SubprogramContext, args: Args) -> None:
    """SWAPCHAR(code, code, …): exchange two patterns, of 30 to 159. RXB manual, page S15."""
    ram = rt.machine.vdp.ram
    for _ in args.groups():
        first = _pattern(args, True)
        second = _pattern(args, False)
        ram[first], ram[second] = ram[second], ram[first]


@LATER("SWAPCOLOR")
def swapcolor(rt: SubprogramContext, args: Args) -> None:
    """SWAPCOLOR(set, set, …) of 0 to 16, or SWAPCOLOR(#sprite, #sprite, …): exchange colours.

    RXB manual, page S16.
    """
    ram = rt.machine.vdp.ram
    sprites = args.is_hash()
    for _ in args.groups():
        if sprites:
            first = SPRITES + 4 * args.leading_sprite() + 3
            second = SPRITES + 4 * args.sprite() + 3
        else:
            first = color_address(8 * args.leading(0, 16) + 24)
            second = color_address(8 * args.integer(0, 16) + 24)
        ram[first], ram[second] = ram[second], ram[first]


@LATER("INVERSE")
def inverse(rt: SubprogramContext, args: Args) -> None:
    """INVERSE(code, …), or INVERSE(ALL) for 30 to 143: invert all dots of the patterns.

    RXB manual, page I2.
    """
    ram = rt.machine.vdp.ram
    for _ in args.groups():
        if args.is_all():
            args.all()
            places = slice(pattern_address(_FIRST), pattern_address(LAST_CHARACTER) + 8)
        else:
            places = _pattern(args, False)
        ram[places] = bytes(byte ^ 0xFF for byte in ram[places])


def _scroll(rt: SubprogramContext, args: Args, name: str, moved: Callable[[bytes], bytes]) -> None:
    """Scroll the screen 1 to 65535 times; the cells that come in are blank.

    A text may follow the repetition; the manual does not say enough about it, so it is refused.
    """
    times = args.integer(1, _WORD - 1) if args.count else 1
    if args.more():
        raise XBError(BAD_ARGUMENT, detail=f"a text with {name} is not known here")
    ram = rt.machine.vdp.ram
    for _ in range(min(times, COLUMNS)):
        ram[SCREEN : SCREEN + SCREEN_SIZE] = moved(bytes(ram[SCREEN : SCREEN + SCREEN_SIZE]))
    rt.machine.clock.cycles += _OF_A_SCROLL * times


_CELL = bytes((BLANK + OFFSET,))


def _sideways(cells: bytes, turned: Callable[[bytes], bytes]) -> bytes:
    """The screen with `turned` applied to each row."""
    rows = (cells[at : at + COLUMNS] for at in range(0, SCREEN_SIZE, COLUMNS))
    return b"".join(map(turned, rows))


@LATER("SCROLLUP")
def scroll_up(rt: SubprogramContext, args: Args) -> None:
    """SCROLLUP[(repetition)]: all rows go up. RXB manual, page S10."""
    _scroll(rt, args, "SCROLLUP", lambda cells: cells[COLUMNS:] + _CELL * COLUMNS)


@LATER("SCROLLDOWN")
def scroll_down(rt: SubprogramContext, args: Args) -> None:
    """SCROLLDOWN[(repetition)]: all rows go down. RXB manual, page S7."""
    _scroll(rt, args, "SCROLLDOWN", lambda cells: _CELL * COLUMNS + cells[:-COLUMNS])


@LATER("SCROLLLEFT")
def scroll_left(rt: SubprogramContext, args: Args) -> None:
    """SCROLLLEFT[(repetition)]: all columns go left. RXB manual, page S8."""
    _scroll(rt, args, "SCROLLLEFT", lambda cells: _sideways(cells, lambda row: row[1:] + _CELL))


@LATER("SCROLLRIGHT")
def scroll_right(rt: SubprogramContext, args: Args) -> None:
    """SCROLLRIGHT[(repetition)]: all columns go right. RXB manual, page S9."""
    _scroll(rt, args, "SCROLLRIGHT", lambda cells: _sideways(cells, lambda row: _CELL + row[:-1]))


@LATER("MOVES")
def moves(rt: SubprogramContext, args: Args) -> None:
    """MOVES(types$, bytes, from, to, …): copy bytes between kinds of memory.

    `types$` has a letter for source and target: `$` a string, V video memory, R CPU memory. Bytes
    are copied one after the other, so that a byte ripples through places that overlap. A string
    takes at most 255 bytes, and gives no more than it has. RXB manual, pages M7 to M9. G, the
    console's GROMs, is refused: they are not here.
    """
    rt.machine.sync()
    for _ in args.groups():
        kinds = args.string()
        if len(kinds) != 2 or not set(kinds) <= set("$VR"):
            raise XBError(BAD_VALUE, detail=f'"{kinds}" is not two of the letters $, V and R')
        count = args.leading(0, LONGEST_STRING if kinds[1] == "$" else _WORD // 2 - 1)
        source = _bytes(rt, args, kinds[0], count)
        if kinds[1] == "$":
            args.store_string("".join(map(chr, source)))
        else:
            _write(rt, kinds[1], word(args), source)
        rt.machine.clock.cycles += _OF_A_CHARACTER * count


def _bytes(rt: SubprogramContext, args: Args, kind: str, count: int) -> Iterator[int]:
    """Take a string or an address: the bytes there, each read when it is asked for."""
    if kind == "$":
        return iter([ord(character) for character in args.string()[:count]])
    places = range(address := word(args), address + count)
    if kind == "V":
        ram = rt.machine.vdp.ram
        return (ram[at & ADDRESS_MASK] for at in places)
    rt.note_leftovers()
    return map(rt.machine.memory.peek, places)


def _write(rt: SubprogramContext, kind: str, address: int, source: Iterator[int]) -> None:
    """Write bytes to memory from an address on."""
    for at, byte in enumerate(source, address):
        if kind == "V":
            rt.machine.vdp.ram[at & ADDRESS_MASK] = byte
        else:
            rt.machine.memory.poke(at, byte)
    if kind == "R":
        rt.program_poked()
