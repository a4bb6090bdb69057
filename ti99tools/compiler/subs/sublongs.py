"""The code of longs: whole numbers of 32 bits, two words in memory, named by their label."""

from __future__ import annotations

from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.cells import copy
from ti99tools.compiler.emit.conditions import jumps, test_of, truth
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.sections import cell_bytes
from ti99tools.compiler.emit.values import cell_of, word_of
from ti99tools.compiler.emit.words import in_memory
from ti99tools.compiler.kinds import LONG, WORD, Typed
from ti99tools.compiler.refusing import refuse
from ti99tools.compiler.subs.subkinds import (
    CELL_CHECK,
    LONG_CHECK,
    LONG_MODULO,
    LONG_TEST,
    LONG_TO_CELL,
    LONG_TO_WORD,
)
from ti99tools.compiler.subs.submemory import SubEmission

_ENTRIES = {"add": "LADD", "sub": "LSUB", "mul": "LMUL", "max": "LMAX", "min": "LMIN"}
_ALONE = {"neg": "LNEG", "abs": "LABS"}
_BYTES = 4


def place_of(e: Emission, t: Typed, r: int) -> str:
    """The label of a long that holds a value, a word or a long; R`r` and on, and R0, may change."""
    own = _held(e, t)
    if not own:
        own = e.temps.cell()
        into(e, t, own, r)
    return own


def _held(e: Emission, t: Typed) -> str:
    """The label of a value that is in memory as a long; empty for another."""
    if t.op == "const":
        assert isinstance(e, SubEmission)
        return e.lookup(t.data.to_bytes(_BYTES, "big", signed=True))
    if t.kind == LONG and t.op == "var":
        return e.places.address(t.data)
    if t.kind == LONG and t.op == "elem" and t.args[0].constant is not None:
        return f"{e.array_label(t.data)}+{_BYTES * t.args[0].constant}"
    return ""


def into(e: Emission, t: Typed, place: str, r: int) -> None:
    """Calculate a word or a long into a long."""
    if t.kind == WORD:
        _from_word(e, t, place, r)
        return
    held = _held(e, t)
    if held:
        if held != place:
            e.out.op("MOV", f"@{held},@{place}")
            e.out.op("MOV", f"@{held}+2,@{place}+2")
    elif t.op == "elem":
        values.index(e, t.args[0], r, _BYTES)
        label = e.array_label(t.data)
        e.out.op("MOV", f"@{label}(R{r}),@{place}")
        e.out.op("MOV", f"@{label}+2(R{r}),@{place}+2")
    elif t.op in _ENTRIES:
        first = place_of(e, t.args[0], r)
        e.out.call(_ENTRIES[t.op], first, place_of(e, t.args[1], r), place)
    elif t.op in _ALONE:
        e.out.call(_ALONE[t.op], place_of(e, t.args[0], r), place)
    elif t.op == "quot":
        first = place_of(e, t.args[0], r)
        e.out.call("LQUOT", first, in_memory(e, t.args[1], r), place)
    elif t.op == LONG_CHECK:
        own = place_of(e, t.args[0], r)  # what fails is not assigned
        assert isinstance(e, SubEmission)
        limits = b"".join(one.to_bytes(_BYTES, "big", signed=True) for one in t.data)
        e.out.call("LCHECK", own, e.lookup(limits))
        e.out.op("MOV", f"@{own},@{place}")
        e.out.op("MOV", f"@{own}+2,@{place}+2")
    else:
        refuse(f"{t.op} of whole numbers beyond -32768 to 32767 is not compiled")


def _from_word(e: Emission, t: Typed, place: str, r: int) -> None:
    if t.constant is not None and t.constant >= 0:
        e.out.op("CLR", f"@{place}")
        if t.constant:
            e.out.op("MOV", f"@{e.constants.word(t.constant)},@{place}+2")
        else:
            e.out.op("CLR", f"@{place}+2")
        return
    source = values.source(e, t)
    if source is None or t.range.low < 0:
        values.word(e, t, r)
        source = f"R{r}"
    e.out.op("MOV", f"{source},@{place}+2")
    if t.range.low >= 0:
        e.out.op("CLR", f"@{place}")
    else:
        e.out.op("SRA", f"R{r},15")
        e.out.op("MOV", f"R{r},@{place}")


def assign(e: Emission, target: str, t: Typed) -> None:
    """Assign to a variable."""
    into(e, t, e.places.address(target), 1)


def store(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element."""
    label = e.array_label(array)
    if index.constant is not None:
        into(e, t, f"{label}+{_BYTES * index.constant}", 1)
        return
    place = place_of(e, t, 1)
    values.index(e, index, 1, _BYTES)
    e.out.op("MOV", f"@{place},@{label}(R1)")
    e.out.op("MOV", f"@{place}+2,@{label}+2(R1)")


@word_of(LONG_TO_WORD)
def _to_word(e: Emission, t: Typed, r: int) -> None:
    place, (low, high, error) = place_of(e, t.args[0], r), t.data
    own = t.args[0].range
    if low <= own.low and own.high <= high:
        e.out.op("MOV", f"@{place}+2,R{r}")
        return
    e.out.call("LTOW", place, e.constants.limit(low, high, error))
    e.out.op("MOV", f"R0,R{r}")


@word_of(LONG_MODULO)
def _modulo(e: Emission, t: Typed, r: int) -> None:
    place = place_of(e, t.args[0], r)
    e.out.call("LMOD", place, in_memory(e, t.args[1], r))
    e.out.op("MOV", f"R0,R{r}")


@cell_of(LONG_TO_CELL)
def _to_cell(e: Emission, t: Typed, place: str, r: int) -> None:
    e.out.call("LTOC", place_of(e, t.args[0], r), place)


@cell_of(CELL_CHECK)
def _checked(e: Emission, t: Typed, place: str, r: int) -> None:
    own = values.cell(e, t.args[0], r)
    check(e, own, t.data)
    copy(e, own, place)


def check(e: Emission, place: str, limits: tuple[int, int]) -> None:
    """Fail unless a cell is whole and within limits."""
    assert isinstance(e, SubEmission)
    e.out.call("CCHECK", place, e.lookup(b"".join(map(cell_bytes, limits))))


@test_of(LONG_TEST)
def _test(e: Emission, t: Typed, true: str, false: str, r: int) -> None:
    left, right = t.args
    first = place_of(e, left, r)
    if right.op == "const" and right.data == 0 and t.data in ("eq", "ne", "lt", "ge"):
        e.out.op("MOV", f"@{first},R0")
        if t.data in ("eq", "ne"):
            e.out.op("SOC", f"@{first}+2,R0")
    else:
        e.out.call("LCMP", first, place_of(e, right, r))
    jumps(e, t.data, true, false)


word_of(LONG_TEST)(truth)
