"""What the runtime does: CALL of built-in subprograms, PRINT and DISPLAY, as actions.

As on the machine a program's own SUB (see `lowering_subs`) goes before a built-in of the same name.
PRINT and DISPLAY become one action for each item, between `print` or `display` and `line end`.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import PRINT_WIDTH
from ti99tools.base.errors import near
from ti99tools.compiler import ir
from ti99tools.compiler.lowering_subs import lower_sub_call
from ti99tools.compiler.lowering_values import Context
from ti99tools.compiler.refusing import USING, refuse
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.hardware.machine.screen import ROWS
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

_TOP_FREQUENCY = 44733
_CHANGES_SPRITES = frozenset(
    (
        "sprite pattern",
        "sprite color",
        "sprite place",
        "sprite motion",
        "sprite hide",
        "sprites off",
    )
)
_BAD_LIST = "its arguments are not what it takes"


class Arguments:
    """Takes the arguments of a CALL one after the other. Raises Refused where they do not fit."""

    def __init__(self, low: Context, node: st.Call) -> None:
        self.low = low
        self._arguments = list(node.arguments or ())
        self._at = 0
        self._elements: list[tuple[str, tuple[str, tuple[ir.Expr, ...]]]] = []

    def more(self) -> bool:
        """Tell whether one is left."""
        return self._at < len(self._arguments)

    def is_hash(self) -> bool:
        """Tell whether the next is a sprite."""
        return self.more() and isinstance(self._arguments[self._at], st.Hash)

    def is_all(self) -> bool:
        """Tell whether the next is ALL."""
        return self.more() and isinstance(self._arguments[self._at], st.All)

    def skip(self) -> None:
        """Skip one."""
        self._at += 1

    def _next(self) -> st.Argument:
        if not self.more():
            refuse(_BAD_LIST, "correct them")
        self._at += 1
        return self._arguments[self._at - 1]

    def number(self) -> ir.Expr:
        """A number."""
        found = self._next()
        if not isinstance(found, nd.Expression):
            refuse(_BAD_LIST, "correct them")
        return self.low.number(found)

    def whole(self, low: int, high: int) -> ir.Expr:
        """A whole number between limits."""
        return ir.Expr("round", (self.number(),), (low, high, xb.BAD_VALUE))

    def sprite(self) -> ir.Expr:
        """#n."""
        found = self._next()
        if not isinstance(found, st.Hash):
            refuse(_BAD_LIST, "write #n")
        return self.low.whole(found.number, 1, 28, xb.BAD_VALUE)

    def text(self) -> ir.Expr:
        """A string expression."""
        found = self._next()
        if not isinstance(found, nd.Expression):
            refuse(_BAD_LIST, "correct them")
        return self.low.text(found)

    def target(self) -> str:
        """A numeric variable that gets a value; an element gets it afterwards: see `settle`."""
        found = self._next()
        if not isinstance(found, nd.Variable | nd.Element) or found.is_string:
            refuse(_BAD_LIST, "give a numeric variable")
        place = self.low.place(found)
        if isinstance(place, str):
            return place
        name = self.low.hidden(f"result {len(self._elements)}")
        self._elements.append((name, place))
        return name

    def settle(self) -> None:
        """Store results into elements."""
        for name, (array, positions) in self._elements:
            self.low.add(ir.Store(array, positions, ir.var(name), self.low.spot))
        self._elements.clear()

    def end(self) -> None:
        """Refuse arguments that are left over."""
        if self.more():
            refuse(f"it fails with {xb.TEXTS[xb.SYNTAX_ERROR]}", "remove what is too much")


def lower_call(low: Context, node: st.Call) -> None:
    """A CALL. Raises Refused."""
    sub = low.scan.subs.get(node.name)
    if sub is not None:
        lower_sub_call(low, node, sub)
        return
    handler = _BUILT_IN.get(node.name)
    if handler is None:
        if node.name in _UNCOMPILED:
            refuse(_UNCOMPILED[node.name])
        meant = near(node.name, [*low.scan.subs, *_BUILT_IN])
        remedy = f"did you mean {meant}?" if meant else f"add SUB {node.name}, or remove the CALL"
        refuse(f"there is no subprogram {node.name}", remedy)
    # A CALL finds only what the pre-scan has entered.
    if node.name not in low.scan.called:
        refuse("the pre-scan is off (!@P-) and has not met this subprogram", "name it before !@P-")
    args = Arguments(low, node)
    handler(low, args)
    args.end()


def _clear(low: Context, args: Arguments) -> None:
    low.do("clear")


def _fill(name: str) -> Callable[[Context, Arguments], None]:
    def lower(low: Context, args: Arguments) -> None:
        row, column, code = args.whole(1, 24), args.whole(1, 32), args.whole(0, WORD_HIGH)
        if args.more():
            low.do(name, row, column, code, args.whole(0, WORD_HIGH))
        else:
            # Without a count one cell is written.
            low.do("put", row, column, code)

    return lower


def _gchar(low: Context, args: Arguments) -> None:
    row, column = args.whole(1, 24), args.whole(1, 32)
    low.do("gchar", row, column, results=(args.target(),))
    args.settle()


def _char(low: Context, args: Arguments) -> None:
    while True:
        low.do("char", args.whole(32, 143), args.text())
        if not args.more():
            return


def _charset(low: Context, args: Arguments) -> None:
    low.do("charset")


def _color(low: Context, args: Arguments) -> None:
    while True:
        if args.is_hash():
            low.do("sprite color", args.sprite(), args.whole(1, 16))
        else:
            low.do("color", args.whole(0, 14), args.whole(1, 16), args.whole(1, 16))
        if not args.more():
            return


def _screen(low: Context, args: Arguments) -> None:
    low.do("screen", args.whole(1, 16))


def _key(low: Context, args: Arguments) -> None:
    unit = args.whole(0, 5)
    key, status = args.target(), args.target()
    low.do("key", unit, results=(key, status))
    args.settle()


def _joyst(low: Context, args: Arguments) -> None:
    unit = args.whole(1, 4)
    x, y = args.target(), args.target()
    low.do("joyst", unit, results=(x, y))
    args.settle()


def _sound(low: Context, args: Arguments) -> None:
    """SOUND; the runtime refuses a length of 0."""
    length = args.whole(-4250, 4250)
    voices = []
    while args.more():
        voices += [_frequency(args.number()), args.whole(0, 30)]
    if not 2 <= len(voices) <= 8:
        refuse(_BAD_LIST, "give one to three tones and a noise")
    low.do("sound begin")
    for frequency, volume in zip(voices[::2], voices[1::2], strict=True):
        low.do("sound voice", frequency, volume)
    low.do("sound play", length)


def _frequency(value: ir.Expr) -> ir.Expr:
    """A frequency as a word: a constant above 32767 less 65536; a variable may not be so high."""
    if value.op == "const":
        whole = to_integer(value.data)
        if WORD_HIGH < whole <= _TOP_FREQUENCY:
            return ir.const(whole - 0x10000)
    return ir.Expr("round", (value,), (-8, WORD_HIGH, xb.BAD_VALUE))


def _sprite(low: Context, args: Arguments) -> None:
    while True:
        number = args.sprite()
        code, color = args.whole(32, 143), args.whole(1, 16)
        low.do("sprite pattern", number, code)
        low.do("sprite color", number, color)
        low.do("sprite place", number, args.whole(1, 256), args.whole(1, 256))
        if args.more() and not args.is_hash():
            low.do("sprite motion", number, args.whole(-128, 127), args.whole(-128, 127))
        if not args.more():
            return


def _motion(low: Context, args: Arguments) -> None:
    while True:
        low.do("sprite motion", args.sprite(), args.whole(-128, 127), args.whole(-128, 127))
        if not args.more():
            return


def _locate(low: Context, args: Arguments) -> None:
    while True:
        low.do("sprite place", args.sprite(), args.whole(1, 256), args.whole(1, 256))
        if not args.more():
            return


def _pattern(low: Context, args: Arguments) -> None:
    while True:
        low.do("sprite pattern", args.sprite(), args.whole(32, 143))
        if not args.more():
            return


def _position(low: Context, args: Arguments) -> None:
    while True:
        number = args.sprite()
        low.do("sprite position", number, results=(args.target(), args.target()))
        args.settle()
        if not args.more():
            return


def _magnify(low: Context, args: Arguments) -> None:
    low.do("magnify", args.whole(1, 4))


def _delsprite(low: Context, args: Arguments) -> None:
    while not args.is_all():
        low.do("sprite hide", args.sprite())
        if not args.more():
            return
    args.skip()
    low.do("sprites off")


def _coinc(low: Context, args: Arguments) -> None:
    if args.is_all():
        args.skip()
        at_once = isinstance(low.last, ir.Do) and low.last.name in _CHANGES_SPRITES
        name = "coinc at once" if at_once else "coinc all"
        low.do(name, results=(args.target(),))
    else:
        first = args.sprite()
        if args.is_hash():
            low.do(
                "coinc sprites", first, args.sprite(), args.whole(0, 255), results=(args.target(),)
            )
        else:
            row, column, far = args.whole(1, 256), args.whole(1, 256), args.whole(0, 255)
            low.do("coinc place", first, row, column, far, results=(args.target(),))
    args.settle()


def _distance(low: Context, args: Arguments) -> None:
    first = args.sprite()
    if args.is_hash():
        low.do("distance sprites", first, args.sprite(), results=(args.target(),))
    else:
        row, column = args.whole(1, 256), args.whole(1, 256)
        low.do("distance place", first, row, column, results=(args.target(),))
    args.settle()


def _version(low: Context, args: Arguments) -> None:
    low.assign(args.target(), ir.const(110))
    args.settle()


_BUILT_IN: dict[str, Callable[[Context, Arguments], None]] = {
    "CLEAR": _clear, "HCHAR": _fill("hchar"), "VCHAR": _fill("vchar"), "GCHAR": _gchar,
    "CHAR": _char, "CHARSET": _charset, "COLOR": _color, "SCREEN": _screen, "KEY": _key,
    "JOYST": _joyst, "SOUND": _sound, "SPRITE": _sprite, "MOTION": _motion, "LOCATE": _locate,
    "PATTERN": _pattern, "POSITION": _position, "MAGNIFY": _magnify, "DELSPRITE": _delsprite,
    "COINC": _coinc, "DISTANCE": _distance, "VERSION": _version,
}  # fmt: skip
_UNCOMPILED = {
    "CHARPAT": "CHARPAT sets a string variable",
    "ERR": "ERR is for ON ERROR",
    "PEEK": "PEEK looks at Extended BASIC's memory",
    "LOAD": "LOAD puts machine code into memory",
    "INIT": "INIT prepares memory for machine code",
    "LINK": "LINK runs other machine code",
    "SAY": "SAY needs a speech synthesizer",
    "SPGET": "SPGET sets a string variable",
}


_SEPARATORS = {tk.COMMA: "comma", tk.COLON: "new line"}


def lower_print(low: Context, node: st.Print) -> None:
    """PRINT to the screen. Raises Refused."""
    if node.file is not None:
        refuse("PRINT # uses a file")
    if node.using is not None:
        refuse(USING)
    low.do("print")
    _items(low, node.items)


def lower_display(low: Context, node: st.Display) -> None:
    """DISPLAY with its clauses. Raises Refused."""
    if node.using is not None:
        refuse(USING)
    row = column = size = None
    beep = False
    for clause in node.clauses:
        numbers = [low.number(n) for n in clause.arguments if isinstance(n, nd.Expression)]
        match clause.token:
            case tk.AT:
                row, column = (
                    _coordinate(n, most)
                    for n, most in zip(numbers, (ROWS, PRINT_WIDTH), strict=True)
                )
            case tk.SIZE:
                size = ir.Expr("round", (numbers[0],), (1, 255, xb.BAD_VALUE))
            case tk.BEEP:
                beep = True
            case tk.ERASE:
                low.do("clear")
            case _:
                refuse(f"{tk.KEYWORDS[clause.token]} in DISPLAY")
    if row is None or column is None:
        if size is not None:
            refuse("DISPLAY SIZE without AT")
        low.do("print")
    elif size is None:
        low.do("display at", row, column)
    else:
        low.do("display in", row, column, size)
    ended = _items(low, node.items, fixed=row is not None)
    if row is not None and size is not None and not ended:
        low.do("field end")
    if beep:
        low.do("beep")


def _coordinate(value: ir.Expr, most: int) -> ir.Expr:
    """A row or column counted from 0: below 1 is the first; beyond the last it starts again."""
    whole = ir.Expr("round", (value,), (WORD_LOW, WORD_HIGH, xb.BAD_VALUE))
    return ir.Expr("wrapped", (whole,), most)


def _items(low: Context, items: tuple[st.PrintItem, ...], fixed: bool = False) -> bool:
    """Lower the items of a list; tell whether a line end follows them."""
    ended = False
    for item in items:
        ended = False
        match item:
            case st.Separator(token):
                ended = True
                if token in _SEPARATORS:
                    low.do(_SEPARATORS[token])
            case st.Tab(column):
                whole = low.whole(column, WORD_LOW, WORD_HIGH, xb.BAD_VALUE)
                low.do("tab", whole)
            case _ if item.is_string:
                low.do("show text", low.text(item))
            case _:
                low.do("show number", low.number(item))
    if not ended:
        low.do("line end")
    if not fixed:
        low.do("print done")
    return not ended
