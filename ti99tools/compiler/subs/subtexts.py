"""Texts of a SUB: what is shorter there than in a whole program.

Variables and elements hold handles (see runtime/subtxt.a99); texts are made as in whole programs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ti99tools.base import xberrors as xb
from ti99tools.compiler.emit import strings, values
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import text_of, word_of
from ti99tools.compiler.kinds import CHARACTER, Typed, fails
from ti99tools.compiler.subs.subkinds import CHARACTER_CODE, PART, TEXT_POSITION, split
from ti99tools.compiler.subs.subwords import offset


def byte_of(e: Emission, array: str, index: Typed, r: int) -> str:
    """The operand of an element of an array of characters; R`r` may point to it."""
    if index.constant is not None:
        return f"@{offset(e.array_label(array), index.constant)}"
    plain, more = split(index)
    source = values.source(e, plain)
    if source is not None and source[0] == "R":
        return f"@{offset(e.array_label(array), more)}({source})"
    values.index(e, plain, r, 1)
    return f"@{offset(e.array_label(array), more)}(R{r})"


def assign(e: Emission, target: str, t: Typed) -> None:
    """Assign to a variable."""
    added = _added(t, lambda one: one.op == "var" and one.data == target, target)
    if added:
        for piece in added:
            strings.into_r0(e, piece, 1)
            e.out.op("LI", f"R1,{e.places.address(target)}")
            e.out.call("SADD")
    elif t.op == "elem" and e.kinds.array(t.data) == CHARACTER:
        strings.handle(e, t, 1)
        e.out.op("MOV", f"R1,{e.places.operand(target)}")
    else:
        strings.assign(e, target, t)


def store(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element."""
    own = (array, index)
    added = _added(t, lambda one: one.op == "elem" and (one.data, one.args[0]) == own, array)
    if not added or fails(index):
        strings.store(e, array, index, t)
        return
    for piece in added:
        strings.into_r0(e, piece, 1)
        slot = ""
        if values.source(e, index) is None and index.constant is None:
            slot = e.keep("R0")
        values.index(e, index, 1, 2)
        e.out.op("AI", f"R1,{e.array_label(array)}")
        if slot:
            e.out.op("MOV", f"@{slot},R0")
        e.out.call("SADD")


def _added(t: Typed, is_own: Callable[[Typed], bool], name: str) -> list[Typed]:
    """What is appended to a variable or an element that a text begins with.

    Nothing where a piece has to be made, or where one that is not the first may fail, or have what
    is appended to: each piece is appended before the next is looked at.
    """
    first, *others = _pieces(t)
    if not others or not is_own(first) or not all(map(strings.is_plain, others)):
        return []
    if len(others) > 1 and any(_names(one, name) or fails(one) for one in others):
        return []
    return others


def _names(t: Typed, name: str) -> bool:
    return t.data == name or any(_names(one, name) for one in t.args)


def _pieces(t: Typed) -> list[Typed]:
    return [*_pieces(t.args[0]), *_pieces(t.args[1])] if t.op == "cat" else [t]


@text_of(PART)
def _part(e: Emission, t: Typed, r: int) -> None:
    """A part of a text that is not made."""
    base, start, length = t.args
    if r != 1:  # other registers are in use
        values.append(e, replace(t, op="seg"), r)
        return
    strings.handle(e, base, 1)
    values.word(e, start, 2)
    values.word(e, length, 3)
    e.out.call("SPART")


def store_character(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element of an array of characters."""
    if t.op == "text":
        place = byte_of(e, array, index, 1)
        code = 1 + ord(t.data) if t.data else 0
        e.out.op("LI" if code else "CLR", f"R0,{code << 8}" if code else "R0")
        e.out.op("MOVB", f"R0,{place}")
        return
    values.word(e, t.args[0], 2)
    e.out.op("INC", "R2")
    e.out.op("SWPB", "R2")
    slot = ""
    if index.constant is None and values.source(e, split(index)[0]) is None:
        slot = e.keep("R2")
    place = byte_of(e, array, index, 1)
    e.out.op("MOVB", f"@{slot},{place}" if slot else f"R2,{place}")


@word_of(CHARACTER_CODE)
def _code(e: Emission, t: Typed, r: int) -> None:
    elem = t.args[0]
    bad = e.out.failing(xb.BAD_ARGUMENT)
    e.out.op("MOVB", f"{byte_of(e, elem.data, elem.args[0], r)},R{r}")
    e.out.jump("JEQ", bad)
    e.out.op("SRL", f"R{r},8")
    e.out.op("DEC", f"R{r}")


@word_of(TEXT_POSITION)
def _position(e: Emission, t: Typed, r: int) -> None:
    """POS of two texts that are not made."""
    where, what, start = t.args
    if start.constant != 1:
        values.word(e, start, r)
        e.out.op("MOV", f"R{r},@{e.out.uses('TBASE')}")
    sought = ""
    if what.op == "seg":  # it needs TSECND itself
        strings.handle(e, what, r)
        sought = e.keep(f"R{r}")
    place = strings.operand(e, where)
    if place is None:
        strings.handle(e, where, r)
        place = f"R{r}"
    e.out.op("MOV", f"{place},@TSECND")
    if sought:
        e.out.op("MOV", f"@{sought},R0")
    else:
        strings.into_r0(e, what, r)
    e.out.call("SPOS1" if start.constant == 1 else "SPOS")
    if r:
        e.out.op("MOV", f"R0,R{r}")
