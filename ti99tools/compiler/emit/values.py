"""Finds the function that calculates an operation: by its result a word, a cell or a text.

Registers: a word is calculated into R`r`; registers from there on, and R0, may change.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base.entries import Entries
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.kinds import CELL, WORD, Typed
from ti99tools.compiler.refusing import refuse

IntoWord = Callable[[Emission, Typed, int], None]
"""Calculates a word into a register."""
IntoCell = Callable[[Emission, Typed, str, int], None]
"""Calculates a cell into the place with a label; the last argument is the first free register."""
Append = Callable[[Emission, Typed, int], None]
"""Appends a text to the one that is being made."""


word_of = Entries[str, IntoWord]()
"""The functions that calculate operations whose result is a word."""
cell_of = Entries[str, IntoCell]()
"""The functions that calculate operations whose result is a cell."""
text_of = Entries[str, Append]()
"""The functions that append what operations give as a text."""


def source(e: Emission, t: Typed) -> str | None:
    """The operand of a word in a register or in memory; None if it must be calculated."""
    if t.kind == WORD and t.op == "var":
        return e.places.operand(t.data)
    if t.kind == WORD and t.op == "elem" and t.args[0].constant is not None:
        return f"@{e.array_label(t.data)}+{2 * t.args[0].constant}"
    return None


def word(e: Emission, t: Typed, r: int) -> None:
    """Calculate a word into a register."""
    own = source(e, t)
    if t.constant is not None:
        if t.constant in (0, -1):
            e.out.op("CLR" if t.constant == 0 else "SETO", f"R{r}")
        else:
            e.out.op("LI", f"R{r},{t.constant}")
    elif own is not None:
        e.out.op("MOV", f"{own},R{r}")
    elif t.op in word_of:
        word_of[t.op](e, t, r)
    else:
        refuse(f"{t.op} as a word")


def cell(e: Emission, t: Typed, r: int) -> str:
    """The label of a cell that holds a value."""
    if t.op == "const":
        return e.constants.cell(t.data)
    if t.kind == CELL and t.op == "var":
        return e.places.address(t.data)
    if t.kind == CELL and t.op == "elem" and t.args[0].constant is not None:
        return f"{e.array_label(t.data)}+{8 * t.args[0].constant}"
    place = e.temps.cell()
    cell_into(e, t, place, r)
    return place


def call_with(e: Emission, t: Typed, for_word: str, for_cell: str) -> None:
    """Call the runtime with a number: a word in R1, or a cell whose label follows the call."""
    if t.kind == WORD:
        word(e, t, 1)
        e.out.call(for_word)
    else:
        e.out.call(for_cell, cell(e, t, 1))


def cell_into(e: Emission, t: Typed, place: str, r: int) -> None:
    """Calculate a value into a cell."""
    if t.kind == WORD:
        if t.constant == 0:
            e.out.op("CLR", f"@{place}")
            e.out.op("CLR", f"@{place}+2")
            return
        word(e, t, r)
        e.out.op("CLR", f"@{place}")
        e.out.op("MOV", f"R{r},@{place}+2")
    elif t.op in cell_of:
        cell_of[t.op](e, t, place, r)
    else:
        refuse(f"{t.op} as a cell")


def text(e: Emission, t: Typed, r: int = 1) -> None:
    """Begin a text and append all of it."""
    e.out.call("TNEW")
    append(e, t, r)


def append(e: Emission, t: Typed, r: int) -> None:
    """Append a text to the one that is being made."""
    if t.op not in text_of:
        refuse(f"{t.op} as a text")
    text_of[t.op](e, t, r)


def index(e: Emission, t: Typed, r: int, width: int) -> None:
    """A position as an offset into an array whose elements have `width` bytes (1, 2, 4 or 8)."""
    word(e, t, r)
    if width == 2:
        e.out.op("A", f"R{r},R{r}")
    elif width == 4:
        e.out.op("SLA", f"R{r},2")
    elif width == 8:
        e.out.op("SLA", f"R{r},3")
