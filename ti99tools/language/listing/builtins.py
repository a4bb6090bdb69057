"""The subprograms that Extended BASIC v110 has built in, and the forms of their arguments.

What a record of a built-in subprogram is made of: arguments and the forms they come in.

A form is the arguments `head`, then `group` so many times, each of them with `rest` after it or
without, then `tail`: `#sprite,code,color,row,column[,row velocity,column velocity],…` is a group of
five that repeats, with a rest of two.

The subprograms that Extended BASIC v110 has built in, one record each: what CALL finds without
a SUB.

A record is all that is known before the subprogram runs: arguments and their ranges, what gets a
value, the time it takes. Lint, the compiler and the cost table read it; `interp.subprograms`
implements it, and a test holds both together. Ranges are those that the console enforces (recorded
screen-chars, screen-sprites, screen-sound and screen-key cases); times are fitted to the recorded
loops, `timing-dev.json`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from ti99tools.base.record import Record
from ti99tools.language.syntax import statements as st

VALUE, SPRITE, ALL = "v", "h", "a"
"""Kinds of arguments: an expression or variable, `#` and a number, the word ALL. A whole array,
`A()`, is of the kind `w`, which no built-in subprogram takes."""

Spans = tuple[tuple[int, int], ...]

MANY = 1_000_000
"""As often as a line has room for it."""


class Argument(Record):
    """One argument.

    `values` are the numbers from and to which the console takes, after rounding (halves up); none
    if it takes any. `stored`: it is a variable that gets a value; `string`: it is a string.
    """

    name: str
    kind: str = VALUE
    values: Spans = ()
    stored: bool = False
    string: bool = False

    @property
    def written(self) -> str:
        """As the listing has it, the name standing for the expression."""
        return ("#" if self.kind == SPRITE else "") + self.name + "$" * self.string


class Form(Record):
    """One way to write the arguments of a subprogram."""

    head: tuple[Argument, ...] = ()
    group: tuple[Argument, ...] = ()
    rest: tuple[Argument, ...] = ()
    times: int = 1
    tail: tuple[Argument, ...] = ()

    def takes(self, kinds: str) -> bool:
        """Tell whether arguments of these kinds, a letter each, are right."""
        group, rest = _kinds(self.group), _kinds(self.rest)
        repeated = f"({group}({rest})?){{1,{self.times}}}" if group else ""
        return re.fullmatch(_kinds(self.head) + repeated + _kinds(self.tail), kinds) is not None

    def arguments(self, kinds: str) -> Iterator[Argument]:
        """The arguments that arguments of these kinds stand for, as far as there are any."""
        yield from self.head
        at = len(self.head)
        for _ in range(self.times if self.group else 0):
            if self.tail and kinds[at:] == _kinds(self.tail):
                break
            yield from self.group
            at += len(self.group)
            if self.rest and kinds[at : at + 1] == self.rest[0].kind:
                yield from self.rest
                at += len(self.rest)
            if at >= len(kinds):
                break
        yield from self.tail

    @property
    def text(self) -> str:
        """The form as people write it."""
        head, group, rest, tail = (
            ",".join(argument.written for argument in part)
            for part in (self.head, self.group, self.rest, self.tail)
        )
        repeated = group + (f"[,{rest}]" if rest else "") + (",…" if self.times > 1 else "")
        return ",".join(part for part in (head, repeated, tail) if part)


class Subprogram(Record):
    """A built-in subprogram.

    Without `forms` it is unknown what it takes; `stores` then says whether it may give
    values to variables. `cycles` is its time besides that of CALL and of its arguments (CPU
    cycles, 3 MHz), fitted to loops recorded from the original ROMs; `about` stands for it where no
    loop was recorded: an estimate from whole programs, or what a similar subprogram takes;
    `each_sprite` comes to it for each sprite number. What its values take besides is counted where
    it is done (`interp.subprograms`). One that `prepares` takes its time before it
    does anything, others afterwards.
    """

    name: str
    forms: tuple[Form, ...] = ()
    cycles: int | None = None
    about: int = 0
    stores: bool = False
    prepares: bool = False
    each_sprite: int = 0

    @property
    def time(self) -> int:
        """Its time in cycles, measured or estimated."""
        return self.about if self.cycles is None else self.cycles

    def takes(self, kinds: str) -> bool:
        """Tell whether it takes arguments of these kinds, as far as is known."""
        return not self.forms or any(form.takes(kinds) for form in self.forms)

    def arguments(self, kinds: str) -> list[Argument]:
        """What arguments of these kinds stand for, in the form that they agree with longest."""
        return max((self._meant(form, kinds) for form in self.forms), key=len, default=[])

    @staticmethod
    def _meant(form: Form, kinds: str) -> list[Argument]:
        meant: list[Argument] = []
        for argument, kind in zip(form.arguments(kinds), kinds, strict=False):
            if argument.kind != kind:
                break
            meant.append(argument)
        return meant

    def stored(self, kinds: str) -> list[bool]:
        """For each argument of these kinds, whether it may get a value."""
        if not self.forms:
            return [self.stores] * len(kinds)
        stored = [argument.stored for argument in self.arguments(kinds)]
        return stored + [False] * (len(kinds) - len(stored))

    @property
    def text(self) -> str:
        """How to CALL it."""
        ways = [f"CALL {self.name}({form.text})" if form.text else f"CALL {self.name}"
                for form in self.forms]  # fmt: skip
        return " or ".join(ways)


def _kinds(arguments: tuple[Argument, ...]) -> str:
    return "".join(argument.kind for argument in arguments)


def _taken(name: str, *values: tuple[int, int]) -> Argument:
    return Argument(name, values=values)


def _text(name: str) -> Argument:
    return Argument(name, string=True)


def _given(name: str, string: bool = False) -> Argument:
    return Argument(name, stored=True, string=string)


_BYTE: Spans = ((1, 256),)
_SPRITE = Argument("sprite", SPRITE, ((1, 28),))
_ALL = Argument("ALL", ALL)
_CELL = (_taken("row", (1, 24)), _taken("column", (1, 32)))
_POINT = (Argument("sprite row", values=_BYTE), Argument("sprite column", values=_BYTE))
_VELOCITY = (_taken("row velocity", (-128, 127)), _taken("column velocity", (-128, 127)))
_CODE = _taken("code", (0, 32767))
_CHARACTER = _taken("character code", (32, 143))
_COLOR = _taken("color", (1, 16))
_COLORS = (
    _taken("character set", (0, 14)),
    _taken("foreground color", (1, 16)),
    _taken("background color", (1, 16)),
)
_TONE = (_taken("frequency", (-8, -1), (110, 44733)), _taken("volume", (0, 30)))
_TOLERANCE = _taken("tolerance", (0, 255))


def _once(*arguments: Argument, rest: tuple[Argument, ...] = ()) -> Form:
    """All arguments once, and the `rest` with them or not."""
    return Form(group=arguments, rest=rest) if rest else Form(head=arguments)


def _again(*arguments: Argument, rest: tuple[Argument, ...] = ()) -> Form:
    """The arguments once or more often, each time with the `rest` or not."""
    return Form(group=arguments, rest=rest, times=MANY)


_CELLS = _once(*_CELL, _CODE, rest=(_taken("repetition", (0, 32767)),))
"""The form of HCHAR and VCHAR."""

_RECORDS = (
    Subprogram("CHAR", (_again(_CHARACTER, _text("pattern")),), cycles=2_430),
    Subprogram("CHARPAT", (_again(_CHARACTER, _given("pattern", string=True)),), cycles=0),
    Subprogram("CHARSET", (Form(),), about=580_000),
    Subprogram("CLEAR", (Form(),), cycles=40_670),
    Subprogram(
        "COINC",
        (
            _once(_SPRITE, _SPRITE, _TOLERANCE, _given("hit")),
            _once(_SPRITE, *_POINT, _TOLERANCE, _given("hit")),
            _once(_ALL, _given("hit")),
        ),
        cycles=0,
    ),
    Subprogram("COLOR", (_again(*_COLORS), _again(_SPRITE, _COLOR)), cycles=6_810),
    Subprogram(
        "DELSPRITE",
        (
            _again(_SPRITE),
            _once(_ALL),
            Form(group=(_SPRITE,), times=MANY, tail=(_ALL,)),
        ),
        about=12_000,
    ),
    Subprogram(
        "DISTANCE",
        (_once(_SPRITE, _SPRITE, _given("square")), _once(_SPRITE, *_POINT, _given("square"))),
        about=100_000,
    ),
    Subprogram(
        "ERR",
        (_once(_given("code"), _given("type"), rest=(_given("severity"), _given("line"))),),
        cycles=46_000,
    ),
    Subprogram("GCHAR", (_once(*_CELL, _given("code")),), cycles=13_510),
    Subprogram("HCHAR", (_CELLS,), cycles=13_440),
    Subprogram("INIT", (Form(),), cycles=389_570),
    Subprogram(
        "JOYST", (_once(_taken("joystick unit", (1, 4)), _given("x"), _given("y")),), cycles=29_610
    ),
    Subprogram(
        "KEY",
        (_once(_taken("keyboard unit", (0, 5)), _given("code"), _given("status")),),
        cycles=24_600,
    ),
    Subprogram("LINK", stores=True, cycles=26_190),
    Subprogram("LOAD", cycles=12_440),
    Subprogram("LOCATE", (_again(_SPRITE, *_POINT),), cycles=0),
    Subprogram("MAGNIFY", (_once(_taken("magnification", (1, 4))),), cycles=4_680),
    Subprogram("MOTION", (_again(_SPRITE, *_VELOCITY),), cycles=0),
    Subprogram("PATTERN", (_again(_SPRITE, _CHARACTER),), about=12_000),
    Subprogram(
        "PEEK",
        (Form(head=(_taken("address", (-32768, 32767)),), group=(_given("byte"),), times=MANY),),
        cycles=11_590,
    ),
    Subprogram("POSITION", (_again(_SPRITE, _given("row"), _given("column")),), cycles=0),
    Subprogram("SAY", about=20_000),
    Subprogram("SCREEN", (_once(_COLOR),), cycles=3_680),
    Subprogram(
        "SOUND",
        (
            Form(
                head=(_taken("duration", (-4250, -1), (1, 4250)),),
                group=_TONE,
                times=4,
            ),
        ),
        cycles=83_000,
        prepares=True,
    ),
    Subprogram("SPGET", (_again(_text("word"), _given("code", string=True)),), about=20_000),
    Subprogram("SPRITE", (_again(_SPRITE, _CHARACTER, _COLOR, *_POINT, rest=_VELOCITY),), cycles=0),
    Subprogram("VCHAR", (_CELLS,), cycles=13_440),
    Subprogram("VERSION", (_once(_given("number")),), about=8_000),
)
SUBPROGRAMS = {record.name: record for record in _RECORDS}
"""Name as written after CALL → its record."""


def kinds(arguments: Iterable[st.Argument]) -> str:
    """A letter for each argument: its kind, as in `Form`."""
    letters = {st.Hash: SPRITE, st.All: ALL, st.WholeArray: "w"}
    return "".join(letters.get(type(argument), "v") for argument in arguments)


def may_store(call: st.Call, subs: Container[str]) -> list[bool]:
    """For each argument of a CALL whether it may get a value; `subs` are the program's own."""
    arguments = call.arguments or ()
    record = None if call.name in subs else SUBPROGRAMS.get(call.name)
    return [True] * len(arguments) if record is None else record.stored(kinds(arguments))


def wanted_instead(name: str, written: str) -> str:
    """How to CALL a built-in subprogram instead of with arguments of the kinds `written`.

    Empty when it takes them, or when that is unknown.
    """
    record = SUBPROGRAMS.get(name)
    return "" if record is None or record.takes(written) else f"write {record.text}"
