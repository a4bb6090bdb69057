"""Texts of a SUB: variables with 255 bytes each, in the code's own memory.

A text is appended piece by piece, to its variable where it can be, else to a buffer. A piece is a
constant, a variable, CHR$, STR$, or SEG$ of one of the first two.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler.emit import conditions, values
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import word_of
from ti99tools.compiler.kinds import CELL, WORD, Typed
from ti99tools.compiler.refusing import refuse
from ti99tools.compiler.subs.subkinds import ORDER, TEXT_CODE, TEXT_LENGTH, TEXT_POSITION

BUFFER = "TXTB"
"""The label of the buffer."""
_PLAIN = frozenset({"text", "var"})


def assign(e: Emission, target: str, t: Typed) -> None:
    """Assign a text to a variable."""
    own, parts = e.places.address(target), pieces(t)
    first = parts[0]
    appends = first.op == "var" and first.data == target
    others = parts[1:] if appends else parts
    if appends and not others:
        return
    if any(one.op in ("var", "seg") and _uses(one, target) for one in others):
        build(e, t)
        e.out.call("SNEW", own)
        e.out.call("STXT", BUFFER)
        return
    _join(e, "SAPP" if appends else "SNEW", own, others)


def pieces(t: Typed) -> list[Typed]:
    """What a text is joined of; nothing for an empty constant beside others."""
    if t.op != "cat":
        return [t]
    found = [*pieces(t.args[0]), *pieces(t.args[1])]
    return [one for one in found if one.op != "text" or one.data] or found[:1]


def _uses(t: Typed, name: str) -> bool:
    return (t.op == "var" and t.data == name) or any(_uses(one, name) for one in t.args)


def build(e: Emission, t: Typed) -> None:
    """Make a text in the buffer."""
    _join(e, "SNEW", e.out.uses(BUFFER), pieces(t))


def _join(e: Emission, entry: str, place: str, parts: list[Typed]) -> None:
    """Begin a text, or go on with it, and append pieces.

    All their numbers come first: they may need the buffer, and an error leaves the text as it was.
    """
    numbers = [number for one in parts for number in _numbers(one)]
    busy = [
        number for number in numbers if number.constant is None and not values.source(e, number)
    ]
    kept: dict[int, str] = {}
    for one in parts:
        if one.op == "str" and one.args[0].kind == CELL:
            kept[id(one.args[0])] = values.cell(e, one.args[0], 1)
    alone = len(busy) == 1 and sum(1 for one in parts if _numbers(one)) == 1
    for number in busy:
        values.word(e, number, 1)
        if alone:
            kept[id(number)] = "R1"
        else:
            kept[id(number)] = slot = f"@{e.temps.word()}"
            e.out.op("MOV", f"R1,{slot}")
    e.out.call(entry, place)
    for one in parts:
        _append(e, one, kept)


def _numbers(t: Typed) -> tuple[Typed, ...]:
    """The words of a piece."""
    found = {"chr": t.args, "seg": t.args[1:], "str": t.args}.get(t.op, ())
    return tuple(one for one in found if one.kind == WORD)


def _append(e: Emission, t: Typed, kept: dict[int, str]) -> None:
    if t.op in _PLAIN:
        if t.op == "var" or t.data:
            e.out.call("STXT", _address(e, t))
        return
    if t.op == "str" and t.args[0].kind == CELL:
        e.out.call("STNUM", kept[id(t.args[0])])
        return
    if t.op not in ("chr", "seg", "str") or (t.op == "seg" and t.args[0].op not in _PLAIN):
        what = "SEG$ of a string that is calculated" if t.op == "seg" else t.op
        refuse(f"{what} is not compiled there", "put the string into a variable first")
    numbers = _numbers(t)
    # The last first: what is kept in R1 may be the first.
    for r, number in reversed(list(enumerate(numbers))):
        place = kept.get(id(number))
        if place is None:
            if r == 1 and "R1" in kept.values():
                e.out.op("MOV", "R1,R2")
                kept = {key: "R2" if one == "R1" else one for key, one in kept.items()}
            values.word(e, number, r)
        elif place != f"R{r}":
            e.out.op("MOV", f"{place},R{r}")
    if t.op == "seg":
        e.out.call("SSEG", _address(e, t.args[0]))
    else:
        e.out.call("SCHR" if t.op == "chr" else "STWRD")


def _address(e: Emission, t: Typed) -> str:
    """The address of the length byte of a constant or a variable."""
    return e.places.address(t.data) if t.op == "var" else e.constants.text(t.data)


def _plain(e: Emission, t: Typed) -> str:
    """The address of a text, which is made in the buffer if it has to be."""
    if t.op in _PLAIN:
        return _address(e, t)
    build(e, t)
    return BUFFER


def define(e: Emission, code: Typed, digits: Typed) -> None:
    """CALL CHAR with a constant or a variable."""
    values.word(e, code, 1)
    e.out.call("CHARC", _address(e, digits))


@word_of(TEXT_LENGTH)
def _length(e: Emission, t: Typed, r: int) -> None:
    e.out.op("MOVB", f"@{_plain(e, t.args[0])},R{r}")
    e.out.op("SRL", f"R{r},8")


@word_of(TEXT_CODE)
def _code(e: Emission, t: Typed, r: int) -> None:
    place = _plain(e, t.args[0])
    bad = e.out.failing(xb.BAD_ARGUMENT)
    e.out.op("MOVB", f"@{place},R0")
    e.out.jump("JEQ", bad)
    e.out.op("MOVB", f"@{place}+1,R{r}")
    e.out.op("SRL", f"R{r},8")


def _two(e: Emission, left: Typed, right: Typed) -> tuple[str, str]:
    """The addresses of two texts, of which one at most is made in the buffer."""
    if left.op not in _PLAIN and right.op not in _PLAIN:
        refuse("two strings are calculated in one place", "put one of them into a variable first")
    other = _plain(e, right) if right.op not in _PLAIN else ""
    return _plain(e, left), other or _address(e, right)


def compare(e: Emission, t: Typed) -> None:
    """Compare two texts; the status is their order."""
    e.out.call("STCMP", *_two(e, *t.args))


@word_of(TEXT_POSITION)
def _position(e: Emission, t: Typed, r: int) -> None:
    where, what, start = t.args
    slot = ""
    if start.constant is None and values.source(e, start) is None:
        values.word(e, start, r)
        e.out.op("MOV", f"R{r},@{(slot := e.temps.word())}")
    places = _two(e, where, what)
    if slot:
        e.out.op("MOV", f"@{slot},R0")
    else:
        values.word(e, start, 0)
    e.out.call("STPOS", *places)
    e.out.op("MOV", f"R0,R{r}")


@word_of(ORDER)
def _order(e: Emission, t: Typed, r: int) -> None:
    done, false = e.out.fresh(), e.out.fresh()
    compare(e, t)
    conditions.jumps(e, t.data, "", false)
    e.out.op("SETO", f"R{r}")
    e.out.jump("JMP", done)
    e.out.label(false)
    e.out.op("CLR", f"R{r}")
    e.out.label(done)
