"""Texts of variables: their handles, what is assigned to them, and what takes no copy of a text.

A variable or an element holds a *handle*, a word (see runtime/handle.a99). A text is *plain* if its
handle is found without making the text.
"""

from __future__ import annotations

from ti99tools.base.basic import LAST_CODE
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import text_of
from ti99tools.compiler.kinds import CHARACTER, Typed
from ti99tools.computer.console.compiledmemory import ONE_CHARACTER


def is_plain(t: Typed) -> bool:
    """Tell whether a text is plain."""
    if t.op == "seg":
        return t.args[2].constant == 1 and is_plain(t.args[0])
    return t.op in ("text", "var", "elem", "chr", "item")


def call_with(e: Emission, t: Typed, for_handle: str, for_text: str) -> None:
    """Call the runtime with a text: the handle of a plain one in R1, or the text made last."""
    if is_plain(t):
        handle(e, t, 1)
        e.out.call(for_handle)
    else:
        values.text(e, t)
        e.out.call(for_text)


def operand(e: Emission, t: Typed) -> str | None:
    """The operand of a handle in memory; None if it must be calculated."""
    if t.op == "var":
        return e.places.operand(t.data)
    if t.op == "elem" and t.args[0].constant is not None and not _is_character(e, t):
        return f"@{e.array_label(t.data)}+{2 * t.args[0].constant}"
    return None


def kept(e: Emission, t: Typed, r: int) -> str:
    """The operand of a plain text's handle in memory, calculated if it must be."""
    own = operand(e, t)
    if own is None:
        handle(e, t, r)
        own = "@" + e.keep(f"R{r}")
    return own


def constant(e: Emission, text: str) -> str:
    """The handle of a constant, as an expression of the assembler."""
    if len(text) <= 1:
        return str(ONE_CHARACTER + ord(text)) if text else "0"
    return e.lasting.text(text)


def handle(e: Emission, t: Typed, r: int) -> None:
    """The handle of a plain text into a register; registers from there on, and R0, may change."""
    own = operand(e, t)
    if own is not None:
        e.out.op("MOV", f"{own},R{r}")
        return
    match t.op:
        case "text" if not t.data:
            e.out.op("CLR", f"R{r}")
        case "text":
            e.out.op("LI", f"R{r},{constant(e, t.data)}")
        case "elem" if _is_character(e, t) and e.character is not None:
            done = e.out.fresh()
            e.out.op("MOVB", f"{e.character(t, r)},R{r}")
            e.out.op("SRL", f"R{r},8")
            e.out.jump("JEQ", done)
            e.out.op("AI", f"R{r},>00FF")
            e.out.label(done)
        case "elem" if _is_character(e, t):
            values.index(e, t.args[0], r, 1)
            e.out.op("MOV", f"R{r},R0")
            e.out.call("CHRGET", e.array_label(t.data))
            e.out.op("MOV", f"R0,R{r}")
        case "elem":
            values.index(e, t.args[0], r, 2)
            e.out.op("MOV", f"@{e.array_label(t.data)}(R{r}),R{r}")
        case "chr":
            values.word(e, t.args[0], r)
            if t.args[0].range.high > LAST_CODE:
                e.out.op("ANDI", f"R{r},{LAST_CODE}")
            e.out.op("AI", f"R{r},{ONE_CHARACTER}")
        case "item":
            e.out.call("READTW" if e.code.data_wander else "READTX")
            e.out.op("MOV", f"R0,R{r}")
        case _:
            _character(e, t, r)


def _character(e: Emission, t: Typed, r: int) -> None:
    """A single character of a plain text."""
    base, start, _ = t.args
    own = kept(e, base, r)
    values.word(e, start, r)
    e.out.op("MOV", f"R{r},R0")
    e.out.op("MOV", f"{own},@TSECND")
    e.out.call("SCHAR")
    e.out.op("MOV", f"R0,R{r}")


def into_r0(e: Emission, t: Typed, r: int) -> None:
    """The handle of a plain text into R0."""
    own = operand(e, t)
    if own is not None:
        e.out.op("MOV", f"{own},R0")
    elif t.op == "text":
        handle(e, t, 0)
    else:
        handle(e, t, r)
        e.out.op("MOV", f"R{r},R0")


@text_of("var", "elem")
def _held(e: Emission, t: Typed, r: int) -> None:
    into_r0(e, t, r)
    e.out.call("TVAR")


@text_of("charpat")
def _pattern(e: Emission, t: Typed, r: int) -> None:
    values.word(e, t.args[0], r)
    e.out.op("MOV", f"R{r},R0")
    e.out.call("TPAT")


# -- comparisons ----------------------------------------------------------------------------


def compare(e: Emission, t: Typed, r: int) -> None:
    """Compare two plain texts: the status is their order."""
    left, right = t.args
    equality = t.op in ("teq", "tne")
    if equality and left.op == "text":
        left, right = right, left
    if equality and right.op == "text" and len(right.data) <= 1:
        _compare_handles(e, left, right.data, r)
        return
    first = operand(e, left)
    if first is None and left.op != "text":
        handle(e, left, r)
        first = f"R{r}"
        if operand(e, right) is None and right.op != "text":
            first = "@" + e.keep(f"R{r}")
    _second(e, right, r)
    if first is None:
        handle(e, left, 0)
    else:
        e.out.op("MOV", f"{first},R0")
    e.out.call("SEQL" if equality else "SCMP")
    e.out.op("MOV", "R0,R0")


def _second(e: Emission, t: Typed, r: int) -> None:
    own = operand(e, t)
    if own is None:
        into_r0(e, t, r)
        own = "R0"
    e.out.op("MOV", f"{own},@TSECND")


def _compare_handles(e: Emission, t: Typed, text: str, r: int) -> None:
    """Compare with the empty text or a single character, each of which has one handle only."""
    own = operand(e, t)
    if not text and e.character is not None and t.op == "elem" and _is_character(e, t):
        e.out.op("MOVB", f"{e.character(t, r)},R0")
        return
    if own is None or text:
        handle(e, t, r)
        own = f"R{r}"
    if text:
        e.out.op("CI", f"{own},{constant(e, text)}")
    else:
        e.out.op("MOV", f"{own},R0")


# -- assignments ----------------------------------------------------------------------------


def assign(e: Emission, target: str, t: Typed) -> None:
    """Assign to a variable."""
    _into(e, e.places.address(target), t)
    _step_on(e, t)


def store(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element. As on the machine its subscripts are calculated before the value."""
    label = e.array_label(array)
    if index.constant is not None:
        _into(e, f"{label}+{2 * index.constant}", t)
        _step_on(e, t)
        return
    values.index(e, index, 1, 2)
    if t.op == "text":
        handle(e, t, 0)
        e.out.op("MOV", f"R0,@{label}(R1)")
        return
    e.out.op("AI", f"R1,{label}")
    if t.op == "under way":
        e.out.call("TSETAT")
        return
    slot = e.keep("R1")
    if t.op == "moved":
        _source(e, t.args[0])
        e.out.op("MOV", f"@{slot},R2")
        e.out.call("SMOVE")
    elif t.op in ("var", "elem"):
        into_r0(e, t, 1)
        e.out.op("MOV", f"@{slot},R1")
        e.out.call("SCOPAT")
    elif is_plain(t):
        into_r0(e, t, 1)
        e.out.op("MOV", f"@{slot},R1")
        e.out.op("MOV", "R0,*R1")
        _step_on(e, t)
    else:
        values.text(e, t)
        e.out.op("MOV", f"@{slot},R1")
        e.out.call("TSETAT")


def store_character(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element of an array of characters."""
    values.index(e, index, 1, 1)
    if t.op == "text":
        handle(e, t, 0)
    else:
        slot = e.keep("R1")
        into_r0(e, t, 1)
        e.out.op("MOV", f"@{slot},R1")
    e.out.call("CHRPUT", e.array_label(array))


def _is_character(e: Emission, t: Typed) -> bool:
    """Tell whether an element is one of an array of characters."""
    return e.kinds.array(t.data) == CHARACTER


def _into(e: Emission, address: str, t: Typed) -> None:
    """Assign to what is at an address that is known."""
    own = operand(e, t)
    if own == f"@{address}":
        return
    if t.op == "moved":
        _source(e, t.args[0])
        e.out.op("LI", f"R2,{address}")
        e.out.call("SMOVE")
    elif t.op in ("var", "elem"):
        into_r0(e, t, 1)
        e.out.call("SCOPY", address)
    elif t.op == "text" and not t.data:
        e.out.op("CLR", f"@{address}")
    elif is_plain(t):
        into_r0(e, t, 1)
        e.out.op("MOV", f"R0,@{address}")
    else:
        if t.op != "under way":
            values.text(e, t)
        e.out.call("TSET", address)


def _step_on(e: Emission, t: Typed) -> None:
    """Go on after an item of DATA, where that may fail."""
    if t.op == "item" and e.code.data_wander:
        e.out.call("DATNEX")


def _source(e: Emission, t: Typed) -> None:
    """The address of a variable or an element into R1."""
    own = operand(e, t)
    if own is not None:
        e.out.op("LI", f"R1,{own[1:]}")
        return
    values.index(e, t.args[0], 1, 2)
    e.out.op("AI", f"R1,{e.array_label(t.data)}")
