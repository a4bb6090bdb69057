"""The subprograms that Extended BASIC v110 has built in, one record each: what CALL finds without
a SUB.

A record is all that is known before the subprogram runs: arguments and their ranges, what gets a
value, the time it takes. Lint, the compiler and the cost table read it; `interp.subprograms`
implements it, and a test holds both together. Ranges are those that the console enforces (recorded
screen-chars, screen-sprites, screen-sound and screen-key cases); times are fitted to the recorded
loops, `timing-dev.json`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from ti99tools.source.callforms import ALL, MANY, SPRITE, Argument, Form, Spans, Subprogram
from ti99tools.source.syntax import statements as st


def _taken(name: str, *values: tuple[int, int], each: int = 0, usual: int = 1) -> Argument:
    return Argument(name, values=values, each=each, usual=usual)


def _text(name: str, each: int = 0, multiple: int = 1) -> Argument:
    return Argument(name, string=True, each=each, multiple=multiple)


def _given(name: str, string: bool = False) -> Argument:
    return Argument(name, stored=True, string=string)


_BYTE: Spans = ((1, 256),)
_SPRITE = Argument("sprite", SPRITE, ((1, 28),))
_ALL = Argument("ALL", ALL)
_ALL_DELETED = Argument("ALL", ALL, each=140_000, usual=2)
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


def _cells(each: int) -> tuple[Form]:
    """Form of HCHAR and VCHAR; `each`: cycles for a cell after the first."""
    return (_once(*_CELL, _CODE, rest=(_taken("repetition", (0, 32767), each=each, usual=16),)),)


_RECORDS = (
    Subprogram("CHAR", (_again(_CHARACTER, _text("pattern", each=13_460, multiple=16)),), cycles=0),
    Subprogram("CHARPAT", (_again(_CHARACTER, _given("pattern", string=True)),), about=197_000),
    Subprogram("CHARSET", (Form(),), about=960_000),
    Subprogram("CLEAR", (Form(),), cycles=40_670),
    Subprogram(
        "COINC",
        (
            _once(_SPRITE, _SPRITE, _TOLERANCE, _given("hit")),
            _once(_SPRITE, *_POINT, _TOLERANCE, _given("hit")),
            _once(_ALL, _given("hit")),
        ),
        cycles=25_060,
    ),
    Subprogram("COLOR", (_again(*_COLORS), _again(_SPRITE, _COLOR)), cycles=0),
    Subprogram(
        "DELSPRITE",
        (
            _again(_SPRITE),
            _once(_ALL_DELETED),
            Form(group=(_SPRITE,), times=MANY, tail=(_ALL_DELETED,)),
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
        about=5_000,
    ),
    Subprogram("GCHAR", (_once(*_CELL, _given("code")),), cycles=6_700),
    Subprogram("HCHAR", _cells(each=3_190), cycles=6_630),
    Subprogram("INIT", (Form(),), cycles=389_570),
    Subprogram(
        "JOYST", (_once(_taken("joystick unit", (1, 4)), _given("x"), _given("y")),), cycles=22_800
    ),
    Subprogram(
        "KEY",
        (_once(_taken("keyboard unit", (0, 5)), _given("code"), _given("status")),),
        cycles=17_790,
    ),
    Subprogram("LINK", stores=True, cycles=26_740),
    Subprogram("LOAD", cycles=7_900),
    Subprogram("LOCATE", (_again(_SPRITE, *_POINT),), cycles=6_760),
    Subprogram("MAGNIFY", (_once(_taken("magnification", (1, 4))),), cycles=2_410),
    Subprogram("MOTION", (_again(_SPRITE, *_VELOCITY),), cycles=0, each_sprite=23_700),
    Subprogram("PATTERN", (_again(_SPRITE, _CHARACTER),), about=12_000),
    Subprogram(
        "PEEK",
        (Form(head=(_taken("address", (-32768, 32767)),), group=(_given("byte"),), times=MANY),),
        cycles=7_050,
    ),
    Subprogram("POSITION", (_again(_SPRITE, _given("row"), _given("column")),), cycles=33_310),
    Subprogram("SAY", about=20_000),
    Subprogram("SCREEN", (_once(_COLOR),), cycles=1_410),
    Subprogram(
        "SOUND",
        (
            Form(
                head=(_taken("duration", (-4250, -1), (1, 4250)),),
                group=_TONE,
                times=4,
            ),
        ),
        cycles=87_460,
        prepares=True,
    ),
    Subprogram("SPGET", (_again(_text("word"), _given("code", string=True)),), about=20_000),
    Subprogram(
        "SPRITE", (_again(_SPRITE, _CHARACTER, _COLOR, *_POINT, rest=_VELOCITY),), cycles=4_970
    ),
    Subprogram("VCHAR", _cells(each=5_100), cycles=222),
    Subprogram("VERSION", (_once(_given("number")),), about=8_000),
)
SUBPROGRAMS = {record.name: record for record in _RECORDS}
"""Name as written after CALL → its record."""


def kinds(arguments: Iterable[st.Argument]) -> str:
    """A letter for each argument: its kind, see `callforms`."""
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
