"""The code of the operations on words that only a SUB has."""

from __future__ import annotations

from ti99tools.compiler.emit import values, words
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import word_of
from ti99tools.compiler.kinds import Typed
from ti99tools.compiler.subs.lookups import LOOKUP
from ti99tools.compiler.subs.subkinds import SHARE, SIGN, SLOT, SUM, TIMES, split
from ti99tools.compiler.subs.submemory import SubEmission


@word_of(LOOKUP)
def _looked_up(e: Emission, t: Typed, r: int) -> None:
    assert isinstance(e, SubEmission)
    index, more = split(t.args[0])
    label = e.lookup(t.data)
    values.word(e, index, r)
    e.out.op("MOVB", f"@{offset(label, more - 1)}(R{r}),R{r}")
    e.out.op("SRL", f"R{r},8")


@word_of(SHARE)
def _share(e: Emission, t: Typed, r: int) -> None:
    a, b, c = t.args
    source = values.source(e, b)
    if source is not None:
        values.word(e, a, r)
    else:
        assert r < words.LAST
        source = words.both(e, a, b, r)
    e.out.op("MPY", f"{source},R{r}")
    assert c.constant is not None
    e.out.op("DIV", f"@{e.constants.word(c.constant)},R{r}")


@word_of(SUM)
def _sum(e: Emission, t: Typed, r: int) -> None:
    op, error = t.data
    left, right = t.args
    source = values.source(e, right)
    if source is not None:
        values.word(e, left, r)
    else:
        source = words.both(e, left, right, r)
    e.out.op("A" if op == "add" else "S", f"{source},R{r}")
    e.out.jump_if_over(e.out.failing(error))


@word_of(SLOT)
def _slot(e: Emission, t: Typed, r: int) -> None:
    array, more = t.data
    values.index(e, t.args[0], r, 2)
    e.out.op("MOV", f"@{offset(e.array_label(array), 2 * more)}(R{r}),R{r}")


@word_of(SIGN)
def _sign(e: Emission, t: Typed, r: int) -> None:
    done = e.out.fresh()
    values.word(e, t.args[0], r)
    e.out.op("MOV", f"R{r},R{r}")
    e.out.jump("JEQ", done)
    if t.args[0].range.low < 0:
        above = e.out.fresh()
        e.out.jump("JGT", above)
        e.out.op("SETO", f"R{r}")
        e.out.jump("JMP", done)
        e.out.label(above)
    e.out.op("LI", f"R{r},1")
    e.out.label(done)


@word_of(TIMES)
def _times(e: Emission, t: Typed, r: int) -> None:
    source = values.source(e, t.args[0])
    values.word(e, t.args[0], r)
    if t.data == 2:
        e.out.op("A", f"R{r},R{r}")
        return
    if source is None or source[0] != "R":
        source = "R0"
        e.out.op("MOV", f"R{r},R0")
    e.out.op("A", f"R{r},R{r}")
    e.out.op("A", f"{source},R{r}")


def offset(label: str, more: int) -> str:
    """An address some bytes after a label, or before it."""
    return label if not more else f"{label}{more:+}"


def store(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element of an array of words."""
    if index.constant is not None:
        place, r = f"@{offset(e.array_label(array), 2 * index.constant)}", 1
    else:
        plain, more = split(index)
        values.index(e, plain, 1, 2)
        place, r = f"@{offset(e.array_label(array), 2 * more)}(R1)", 2
    if t.constant in (0, -1):
        e.out.op("CLR" if t.constant == 0 else "SETO", place)
        return
    source = values.source(e, t)
    if t.constant is not None:
        source = f"@{e.constants.word(t.constant)}"
    if source is None:
        words.as_word(e, t, r)
        source = f"R{r}"
    e.out.op("MOV", f"{source},{place}")
