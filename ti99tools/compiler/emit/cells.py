"""Cells: 8 bytes in memory, named by their label; what is calculated as one, and stored.

In loops, sums and comparisons of small integers are done in place; the runtime does everything
else, in code put aside.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.compiler import ir
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import cell_of
from ti99tools.compiler.kinds import CELL, Typed, order_matters
from ti99tools.language.analysis.intervals import WORD_LOW

POINTERS = 4
"""The first register that cannot point to an element: the one after it is needed for products."""
_ENTRIES = {
    "add": "CADD",
    "sub": "CSUB",
    "mul": "CMUL",
    "div": "CDIV",
    "pow": "CPOW",
    "max": "CMAX",
    "min": "CMIN",
}
_ALONE = {
    "neg": "CNEG",
    "abs": "CABS",
    "int": "CINT",
    "sqr": "CSQR",
    "exp": "CEXP",
    "log": "CLOG",
    "sin": "CSIN",
    "cos": "CCOS",
    "tan": "CTAN",
    "atn": "CATN",
}

Operand = Callable[[int], str]
"""The operand of a cell's word at an offset in bytes: 0, 2, 4 or 6."""


def _at(label: str, index: int = 0) -> Operand:
    """The cell at a label, or at what the register `index` holds after it."""
    register = f"(R{index})" if index else ""
    return lambda n: f"@{label}+{n}{register}" if n else f"@{label}{register}"


"""Generates code for cells."""

# -- operations -----------------------------------------------------------------------------


@cell_of("const", "var")
def _plain(e: Emission, t: Typed, place: str, r: int) -> None:
    copy(e, values.cell(e, t, r), place)


@cell_of("elem")
def _element(e: Emission, t: Typed, place: str, r: int) -> None:
    if t.args[0].constant is not None:
        copy(e, values.cell(e, t, r), place)
        return
    values.index(e, t.args[0], r, 8)
    e.out.op("AI", f"R{r},{e.array_label(t.data)}")
    _fetch(e, r, place)


@cell_of(*_ENTRIES)
def _of_two(e: Emission, t: Typed, place: str, r: int) -> None:
    if e.hot and t.op in ("add", "sub"):
        _sum(e, t, place, r)
        return
    left = values.cell(e, t.args[0], r)
    e.out.call(_entry(t), left, values.cell(e, t.args[1], r), place)


@cell_of(*_ALONE)
def _of_one(e: Emission, t: Typed, place: str, r: int) -> None:
    e.out.call(_ALONE[t.op], values.cell(e, t.args[0], r), place)


@cell_of("rnd")
def _random(e: Emission, _: Typed, place: str, _r: int) -> None:
    e.out.call("CRND", place)


def _entry(t: Typed) -> str:
    """The runtime's entry for an operation of two cells."""
    return "CNEXT" if t.data == ir.QUIET else _ENTRIES[t.op]


# -- copies ---------------------------------------------------------------------------------


def copy(e: Emission, source: str, place: str) -> None:
    """Copy a cell from one label to another, if they differ."""
    if source == place:
        return
    _move(e, _at(source), _at(place))


def _fetch(e: Emission, r: int, place: str) -> None:
    """Copy the cell that a register points to."""
    _move(e, lambda n: f"@{n}(R{r})" if n else f"*R{r}", _at(place))


def _move(e: Emission, source: Operand, target: Operand) -> None:
    """Copy a cell; its last two words only if the first is not 0: a radix-100 number."""
    done = e.out.fresh()
    e.out.op("MOV", f"{source(2)},{target(2)}")
    e.out.op("MOV", f"{source(0)},{target(0)}")
    e.out.jump("JEQ", done)
    e.out.op("MOV", f"{source(4)},{target(4)}")
    e.out.op("MOV", f"{source(6)},{target(6)}")
    e.out.label(done)


def store(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element of an array of cells."""
    place = e.array_label(array)
    if index.constant is not None:
        values.cell_into(e, t, f"{place}+{8 * index.constant}", 1)
        return
    if order_matters(index, t):
        values.index(e, index, 1, 8)
        slot = e.keep("R1")
        source = values.cell(e, t, 1)
        e.out.op("MOV", f"@{slot},R1")
        _move(e, _at(source), _at(place, 1))
        return
    if t.constant is not None:
        values.index(e, index, 1, 8)
        e.out.op("CLR", f"@{place}(R1)")
        if t.constant:
            e.out.op("MOV", f"@{e.constants.word(t.constant)},@{place}+2(R1)")
        else:
            e.out.op("CLR", f"@{place}+2(R1)")
        return
    if t.kind == CELL and t.op == "elem" and t.args[0].constant is None and not _deep(index):
        _element_to_element(e, place, index, t)
        return
    source = values.cell(e, t, 1)
    values.index(e, index, 1, 8)
    _move(e, _at(source), _at(place, 1))


def _deep(index: Typed) -> bool:
    """Tell whether calculating a position takes more than a register or two."""
    return index.op not in ("toword", "var", "const", "add", "sub")


def _element_to_element(e: Emission, place: str, index: Typed, t: Typed) -> None:
    own = e.array_label(t.data)
    values.index(e, t.args[0], 2, 8)
    slot = e.keep("R2")
    values.index(e, index, 1, 8)
    e.out.op("MOV", f"@{slot},R2")
    _move(e, _at(own, 2), _at(place, 1))


def assign(e: Emission, target: str, t: Typed) -> None:
    """Assign to a cell variable."""
    values.cell_into(e, t, e.places.address(target), 1)


# -- in place -------------------------------------------------------------------------


def _pointed(e: Emission, t: Typed, r: int) -> tuple[str, str, Callable[[], str]]:
    """The operands of a value's two first words, and a function that copies it into a cell.

    An element is not copied at once: a register points to it.
    """
    if t.kind == CELL and t.op == "elem" and t.args[0].constant is None and r < POINTERS:
        values.index(e, t.args[0], r, 8)
        e.out.op("AI", f"R{r},{e.array_label(t.data)}")
        place = e.temps.cell()

        def copy() -> str:
            _fetch(e, r, place)
            return place

        return f"*R{r}", f"@2(R{r})", copy
    place = values.cell(e, t, r)
    return f"@{place}", f"@{place}+2", lambda: place


def _two(e: Emission, left: Typed, right: Typed, r: int) -> tuple[str, str, Callable[[], str], str]:
    """The left value as `_pointed` gives it, and the cell of the right one."""
    first, second, copy = _pointed(e, left, r)
    free = r + 1 if first[0] == "*" else r
    return first, second, copy, _second(e, right, free)


def _second(e: Emission, t: Typed, r: int) -> str:
    """The cell of a value; for a known small integer that of a constant."""
    return values.cell(e, t, r) if t.constant is None else e.constants.cell(t.constant)


def _sum(e: Emission, t: Typed, place: str, r: int) -> None:
    """Add or subtract small integers here, all else aside."""
    left, right = t.args
    if t.op == "add" and left.constant is not None:
        left, right = right, left
    first, second, copy, b = _two(e, left, right, r)
    small = right.constant if right.constant != WORD_LOW else None  # its negative is not a word
    done = e.out.fresh()
    entry = _entry(t)

    def slow() -> None:
        e.out.call(entry, copy(), b, place)
        e.out.jump("JMP", done)

    away = e.out.aside(slow)
    _leave_unless_small(e, first, b if small is None else None, away)
    e.out.op("MOV", f"{second},R0")
    if small is None:
        e.out.op("A" if t.op == "add" else "S", f"@{b}+2,R0")
    else:
        by = small if t.op == "add" else -small
        e.out.op({1: "INC", -1: "DEC"}.get(by, "AI"), "R0" if abs(by) == 1 else f"R0,{by}")
    e.out.jump_if_over(away)
    if place != b and f"@{place}" != first:
        e.out.op("CLR", f"@{place}")
    e.out.op("MOV", f"R0,@{place}+2")
    e.out.label(done)


def _leave_unless_small(e: Emission, first: str, other: str | None, away: str) -> None:
    """Jump unless a cell, whose first word is the operand `first`, is a small integer, and a cell
    `other` is one, too.
    """
    e.out.op("MOV", f"{first},R0")
    if other is not None and f"@{other}" != first:
        # The first words of small integers are 0: one OR tells whether both are.
        e.out.op("SOC", f"@{other},R0")
    e.out.jump("JNE", away)


def compare(e: Emission, left: Typed, right: Typed, r: int) -> None:
    """Compare two numbers, the status tells how; a small integer that is known is the right one."""
    small = right.constant
    if not e.hot:
        e.out.call("CCMP", values.cell(e, left, r), _second(e, right, r))
        return
    first, second, copy, b = _two(e, left, right, r)
    compared = e.out.fresh()

    def slow() -> None:
        e.out.call("CCMP", copy(), b)
        e.out.jump("JMP", compared)

    away = e.out.aside(slow)
    _leave_unless_small(e, first, b if small is None else None, away)
    if small is None:
        e.out.op("C", f"{second},@{b}+2")
    elif small == 0:
        e.out.op("MOV", f"{second},R0")
    else:
        e.out.op("MOV", f"{second},R0")
        e.out.op("CI", f"R0,{small}")
    e.out.label(compared)
