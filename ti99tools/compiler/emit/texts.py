"""Texts, made piece by piece: TNEW begins one, each operation appends to it."""

from __future__ import annotations

from ti99tools.base.basic import LONGEST_STRING
from ti99tools.compiler.emit import strings, values
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import cell_of, text_of, word_of
from ti99tools.compiler.kinds import WORD, Typed

_NUMBER_LENGTH = 15
"""More than STR$ ever gives: a sign, 10 digits, a point, or 6 digits with E and two more."""


@text_of("text")
def _constant(e: Emission, t: Typed, _: int) -> None:
    if t.data:
        e.out.call("TADD", e.constants.text(t.data))


@text_of("str")
def _number(e: Emission, t: Typed, r: int) -> None:
    number = t.args[0]
    if number.kind == WORD:
        values.word(e, number, r)
        e.out.op("MOV", f"R{r},R0")
        e.out.call("TWORD")
    else:
        e.out.call("TNUM", values.cell(e, number, r))


@text_of("chr")
def _character(e: Emission, t: Typed, r: int) -> None:
    values.word(e, t.args[0], r)
    e.out.op("MOV", f"R{r},R0")
    e.out.call("TCHR")


@text_of("cat")
def _joined(e: Emission, t: Typed, r: int) -> None:
    left, right = t.args
    values.append(e, left, r)
    if right.op == "cat" and _longest(right) > LONGEST_STRING:
        # It is cut by itself, before it is joined to the left one.
        values.text(e, right, r)
        e.out.call("TJOIN")
    else:
        values.append(e, right, r)
    if _longest(t) > LONGEST_STRING:
        e.out.call("TCHECK")
    if e.code.whole:
        e.out.call("TAKCAT")


@text_of("rpt")
def _repeated(e: Emission, t: Typed, r: int) -> None:
    values.text(e, t.args[0], r)
    _numbers(e, t.args[1:], r)
    e.out.call("TRPT")


@text_of("seg")
def _part(e: Emission, t: Typed, r: int) -> None:
    base = t.args[0]
    if not strings.is_plain(base):
        values.text(e, base, r)
        _numbers(e, t.args[1:], r)
        e.out.call("TSEG")
        return
    own = strings.kept(e, base, r)
    _numbers(e, t.args[1:], r)
    e.out.op("MOV", f"{own},@{e.out.uses('TBASE')}")
    e.out.call("TPART")


def _numbers(e: Emission, args: tuple[Typed, ...], r: int) -> None:
    """One or two words for the runtime: R0, then the word at TW0."""
    values.word(e, args[0], r)
    if len(args) == 1:
        e.out.op("MOV", f"R{r},R0")
        return
    slot = e.keep(f"R{r}")
    values.word(e, args[1], r)
    e.out.op("MOV", f"R{r},@TSECND")
    e.out.op("MOV", f"@{slot},R0")


# -- numbers from texts ---------------------------------------------------------------------

_ENTRIES = {"len": "TLEN", "asc": "TASC"}
_OF_PLAIN = {"len": "SLEN", "asc": "SASC"}


@word_of(*_ENTRIES)
def _of_one(e: Emission, t: Typed, r: int) -> None:
    if strings.is_plain(t.args[0]):
        strings.into_r0(e, t.args[0], r)
        e.out.call(_OF_PLAIN[t.op])
    else:
        values.text(e, t.args[0], r)
        e.out.call(_ENTRIES[t.op])
    e.out.op("MOV", f"R0,R{r}")


@word_of("pos")
def _position(e: Emission, t: Typed, r: int) -> None:
    values.text(e, t.args[0], r)
    values.text(e, t.args[1], r)
    _numbers(e, t.args[2:], r)
    e.out.call("TPOS")
    e.out.op("MOV", f"R0,R{r}")


@cell_of("val")
def _value(e: Emission, t: Typed, place: str, r: int) -> None:
    values.text(e, t.args[0], r)
    e.out.call("TVAL", place)


def compare(e: Emission, t: Typed, r: int) -> None:
    """Compare two texts: the status is their order."""
    if all(map(strings.is_plain, t.args)):
        strings.compare(e, t, r)
        return
    values.text(e, t.args[0], r)
    values.text(e, t.args[1], r)
    e.out.call("TCMP")
    e.out.op("MOV", "R0,R0")


def _longest(t: Typed) -> int:
    match t.op:
        case "text":
            return len(t.data)
        case "str":
            return _NUMBER_LENGTH
        case "chr":
            return 1
        case "cat":
            return min(_longest(t.args[0]) + _longest(t.args[1]), 2 * LONGEST_STRING)
        case "seg":
            length = t.args[2].constant
            own = _longest(t.args[0])
            return own if length is None else min(own, length)
        case "rpt":
            times = t.args[1].constant
            if times is not None:
                return min(LONGEST_STRING, times * _longest(t.args[0]))
    return LONGEST_STRING
