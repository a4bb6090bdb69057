"""The built-in subprograms of Extended BASIC v110, one record each.

A record is all that is known before the subprogram runs: its arguments, their ranges, and which of
them get a value. Lint and the compiler read it, `interp.subprograms` implements it, and a test
keeps both in agreement. Ranges are those that the console enforces (recorded screen-chars,
screen-sprites, screen-sound and screen-key cases); times are in `base/cycles`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from ti99tools.base.basic import HIGHEST_TONE, LAST_NOISE, LONGEST_SOUND, LOWEST_TONE, QUIETEST
from ti99tools.base.record import Record
from ti99tools.language.syntax import statements as st

VALUE, SPRITE, ALL = "v", "h", "a"
"""Kinds of arguments: an expression or variable, `#` and a number, the word ALL. A whole array,
`A()`, is of the kind `w`, which no built-in subprogram takes.
"""

Spans = tuple[tuple[int, int], ...]

MANY = 1_000_000
"""As often as a line has room for."""


class Argument(Record):
    """One argument.

    `values` are the ranges that the console accepts, after rounding (halves up); none if it accepts
    any number. `stored`: it is a variable that gets a value; `string`: it is a string.
    """

    name: str
    kind: str = VALUE
    values: Spans = ()
    stored: bool = False
    string: bool = False

    @property
    def written(self) -> str:
        """The argument as in a listing, with the name in place of the expression."""
        return ("#" if self.kind == SPRITE else "") + self.name + "$" * self.string


class ArgumentForm(Record):
    """One way to write the arguments of a subprogram.

    `head`, then `group` 1 to `times` times, each time with or without `rest`, then `tail`.
    """

    head: tuple[Argument, ...] = ()
    group: tuple[Argument, ...] = ()
    rest: tuple[Argument, ...] = ()
    times: int = 1
    tail: tuple[Argument, ...] = ()

    def takes(self, kinds: str) -> bool:
        """Tell whether arguments of these kinds, one letter each, are right."""
        group, rest = _kinds(self.group), _kinds(self.rest)
        repeated = f"({group}({rest})?){{1,{self.times}}}" if group else ""
        return re.fullmatch(_kinds(self.head) + repeated + _kinds(self.tail), kinds) is not None

    def arguments(self, kinds: str) -> Iterator[Argument]:
        """The arguments that these kinds correspond to, as far as there are any."""
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

    Without `forms` it is unknown what it takes; `stores` then says whether it may give values to
    variables. One that `prepares` spends its time (`base.cycles.BUILT_IN`) before it does anything,
    others spend it afterwards.
    """

    name: str
    forms: tuple[ArgumentForm, ...] = ()
    stores: bool = False
    prepares: bool = False

    def takes(self, kinds: str) -> bool:
        """Tell whether it takes arguments of these kinds, as far as is known."""
        return not self.forms or any(form.takes(kinds) for form in self.forms)

    def arguments(self, kinds: str) -> list[Argument]:
        """The arguments that these kinds stand for, in the form that agrees with them longest."""
        return max((self._meant(form, kinds) for form in self.forms), key=len, default=[])

    @staticmethod
    def _meant(form: ArgumentForm, kinds: str) -> list[Argument]:
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
        ways = [
            f"CALL {self.name}({form.text})" if form.text else f"CALL {self.name}"
            for form in self.forms
        ]
        return " or ".join(ways) or f"CALL {self.name}(…)"


def _kinds(arguments: tuple[Argument, ...]) -> str:
    return "".join(argument.kind for argument in arguments)


def _taken(name: str, *values: tuple[int, int]) -> Argument:
    return Argument(name, values=values)


def _text(name: str) -> Argument:
    return Argument(name, string=True)


def _given(name: str, string: bool = False) -> Argument:
    return Argument(name, stored=True, string=string)


_BYTE: Spans = ((1, 256),)
A_SPRITE = Argument("sprite", SPRITE, ((1, 28),))
THE_WORD_ALL = Argument("ALL", ALL)
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
_TONE = (
    _taken("frequency", (LAST_NOISE, -1), (LOWEST_TONE, HIGHEST_TONE)),
    _taken("volume", (0, QUIETEST)),
)
_TOLERANCE = _taken("tolerance", (0, 255))


def _once(*arguments: Argument, rest: tuple[Argument, ...] = ()) -> ArgumentForm:
    """All arguments once, with or without the `rest`."""
    return ArgumentForm(group=arguments, rest=rest) if rest else ArgumentForm(head=arguments)


def _again(*arguments: Argument, rest: tuple[Argument, ...] = ()) -> ArgumentForm:
    """The arguments once or more often, each time with or without the `rest`."""
    return ArgumentForm(group=arguments, rest=rest, times=MANY)


_CELLS = _once(*_CELL, _CODE, rest=(_taken("repetition", (0, 32767)),))
"""The form of HCHAR and VCHAR."""

_RECORDS = (
    Subprogram("CHAR", (_again(_CHARACTER, _text("pattern")),)),
    Subprogram("CHARPAT", (_again(_CHARACTER, _given("pattern", string=True)),)),
    Subprogram("CHARSET", (ArgumentForm(),)),
    Subprogram("CLEAR", (ArgumentForm(),)),
    Subprogram(
        "COINC",
        (
            _once(A_SPRITE, A_SPRITE, _TOLERANCE, _given("hit")),
            _once(A_SPRITE, *_POINT, _TOLERANCE, _given("hit")),
            _once(THE_WORD_ALL, _given("hit")),
        ),
    ),
    Subprogram("COLOR", (_again(*_COLORS), _again(A_SPRITE, _COLOR))),
    Subprogram(
        "DELSPRITE",
        (
            _again(A_SPRITE),
            _once(THE_WORD_ALL),
            ArgumentForm(group=(A_SPRITE,), times=MANY, tail=(THE_WORD_ALL,)),
        ),
    ),
    Subprogram(
        "DISTANCE",
        (_once(A_SPRITE, A_SPRITE, _given("square")), _once(A_SPRITE, *_POINT, _given("square"))),
    ),
    Subprogram(
        "ERR", (_once(_given("code"), _given("type"), rest=(_given("severity"), _given("line"))),)
    ),
    Subprogram("GCHAR", (_once(*_CELL, _given("code")),)),
    Subprogram("HCHAR", (_CELLS,)),
    Subprogram("INIT", (ArgumentForm(),)),
    Subprogram("JOYST", (_once(_taken("joystick unit", (1, 4)), _given("x"), _given("y")),)),
    Subprogram("KEY", (_once(_taken("keyboard unit", (0, 5)), _given("code"), _given("status")),)),
    Subprogram("LINK", stores=True),
    Subprogram("LOAD"),
    Subprogram("LOCATE", (_again(A_SPRITE, *_POINT),)),
    Subprogram("MAGNIFY", (_once(_taken("magnification", (1, 4))),)),
    Subprogram("MOTION", (_again(A_SPRITE, *_VELOCITY),)),
    Subprogram("PATTERN", (_again(A_SPRITE, _CHARACTER),)),
    Subprogram(
        "PEEK",
        (
            ArgumentForm(
                head=(_taken("address", (-32768, 32767)),), group=(_given("byte"),), times=MANY
            ),
        ),
    ),
    Subprogram("POSITION", (_again(A_SPRITE, _given("row"), _given("column")),)),
    Subprogram("SAY"),
    Subprogram("SCREEN", (_once(_COLOR),)),
    Subprogram(
        "SOUND",
        (
            ArgumentForm(
                head=(_taken("duration", (-LONGEST_SOUND, -1), (1, LONGEST_SOUND)),),
                group=_TONE,
                times=4,
            ),
        ),
        prepares=True,
    ),
    Subprogram("SPGET", (_again(_text("word"), _given("code", string=True)),)),
    Subprogram("SPRITE", (_again(A_SPRITE, _CHARACTER, _COLOR, *_POINT, rest=_VELOCITY),)),
    Subprogram("VCHAR", (_CELLS,)),
    Subprogram("VERSION", (_once(_given("number")),)),
)
SUBPROGRAMS = {record.name: record for record in _RECORDS}
"""Name as written after CALL → its record."""


def kinds(arguments: Iterable[st.Argument]) -> str:
    """One letter for each argument: its kind (see `VALUE`)."""
    letters = {st.Hash: SPRITE, st.All: ALL, st.WholeArray: "w"}
    return "".join(letters.get(type(argument), "v") for argument in arguments)


def may_store(call: st.Call, subs: Container[str]) -> list[bool]:
    """For each argument of a CALL, whether it may get a value; `subs` are the program's own."""
    arguments = call.arguments or ()
    record = None if call.name in subs else SUBPROGRAMS.get(call.name)
    return [True] * len(arguments) if record is None else record.stored(kinds(arguments))
