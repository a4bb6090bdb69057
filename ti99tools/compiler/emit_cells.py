"""Cells: 8 bytes in memory, named by their label.

`cell(t, r)` makes sure that a value lies in a cell and returns where; it may change the registers
from R`r` on, and R0. In loops, sums and comparisons of small integers are done in place; the
runtime does everything else, in code put aside.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.compiler import ir
from ti99tools.compiler.emit_base import Base
from ti99tools.compiler.kinds import CELL, WORD, Typed
from ti99tools.compiler.refusing import refuse
from ti99tools.language.analysis.intervals import SWAPPED, WORD_LOW

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


class Cells(Base):
    """Generates code for cells."""

    def word(self, t: Typed, r: int) -> None:
        """See `emit_words`."""
        raise NotImplementedError

    def index(self, t: Typed, r: int, width: int) -> None:
        """See `emit_words`."""
        raise NotImplementedError

    def condition(self, t: Typed, true: str, false: str, r: int = 1) -> None:
        """See `emit_words`."""
        raise NotImplementedError

    def _jumps(self, op: str, true: str, false: str) -> None:
        raise NotImplementedError

    def text_number(self, t: Typed, r: int) -> None:
        """See `emit_texts`."""
        raise NotImplementedError

    def compare_texts(self, t: Typed, r: int) -> None:
        """See `emit_texts`."""
        raise NotImplementedError

    def redo(self, label: str, work: Callable[[], None]) -> None:
        """Replace the code at a label that `aside` gave."""
        for at, (name, spot, _) in enumerate(self._aside):
            if name == label:
                self._aside[at] = (name, spot, work)

    def cell(self, t: Typed, r: int) -> str:
        """The label of a cell that holds a value."""
        if t.op == "const":
            return self.cell_constant(t.data)
        if t.kind == CELL and t.op == "var":
            return self.places.address(t.data)
        if t.kind == CELL and t.op == "elem" and t.args[0].constant is not None:
            return f"{self.places.arrays[self._own_array(t.data)]}+{8 * t.args[0].constant}"
        place = self.temp()
        self.cell_into(t, place, r)
        return place

    def _own_array(self, array: str) -> str:
        return self.code.arrays[array].name

    def cell_into(self, t: Typed, place: str, r: int) -> None:
        """Calculate a value into a cell."""
        if t.kind == WORD:
            if t.constant == 0:
                self.out("CLR", f"@{place}")
                self.out("CLR", f"@{place}+2")
                return
            self.word(t, r)
            self.out("CLR", f"@{place}")
            self.out("MOV", f"R{r},@{place}+2")
            return
        match t.op:
            case "const":
                self._copy(self.cell_constant(t.data), place)
            case "var":
                self._copy(self.places.address(t.data), place)
            case "elem" if t.args[0].constant is not None:
                self._copy(self.cell(t, r), place)
            case "elem":
                self.index(t.args[0], r, 8)
                self.out("AI", f"R{r},{self.places.arrays[self._own_array(t.data)]}")
                self._fetch(r, place)
            case "add" | "sub" if self.hot:
                self._sum(t, place, r)
            case op if op in _ENTRIES:
                left, right = self._pair(t, r)
                self.call(self._entry(t), left, right, place)
            case op if op in _ALONE:
                self.call(_ALONE[op], self.cell(t.args[0], r), place)
            case "rnd":
                self.call("CRND", place)
            case "val":
                self.text_number(t, r)
                self.call("TVAL", place)
            case op:
                refuse(f"{op} as a cell")

    @staticmethod
    def _entry(t: Typed) -> str:
        """The runtime's entry for an operation of two cells."""
        return "CNEXT" if t.data == ir.QUIET else _ENTRIES[t.op]

    def _pair(self, t: Typed, r: int) -> tuple[str, str]:
        left = self.cell(t.args[0], r)
        return left, self.cell(t.args[1], r)

    def _copy(self, source: str, place: str) -> None:
        if source == place:
            return
        self._move(_at(source), _at(place))

    def _fetch(self, r: int, place: str) -> None:
        """Copy the cell that a register points to."""
        self._move(lambda n: f"@{n}(R{r})" if n else f"*R{r}", _at(place))

    def _move(self, source: Operand, target: Operand) -> None:
        """Copy a cell; its last two words only if the first is not 0: a radix-100 number."""
        done = self.fresh()
        self.out("MOV", f"{source(2)},{target(2)}")
        self.out("MOV", f"{source(0)},{target(0)}")
        self.jump("JEQ", done)
        self.out("MOV", f"{source(4)},{target(4)}")
        self.out("MOV", f"{source(6)},{target(6)}")
        self.label(done)

    def store_cell(self, array: str, index: Typed, t: Typed) -> None:
        """Assign to an element of an array of cells."""
        place = self.places.arrays[self._own_array(array)]
        if index.constant is not None:
            self.cell_into(t, f"{place}+{8 * index.constant}", 1)
            return
        if t.constant is not None:
            self.index(index, 1, 8)
            self.out("CLR", f"@{place}(R1)")
            if t.constant:
                self.out("MOV", f"@{self.word_constant(t.constant)},@{place}+2(R1)")
            else:
                self.out("CLR", f"@{place}+2(R1)")
            return
        if (
            t.kind == CELL
            and t.op == "elem"
            and t.args[0].constant is None
            and not self._deep(index)
        ):
            self._element_to_element(place, index, t)
            return
        source = self.cell(t, 1)
        self.index(index, 1, 8)
        self._move(_at(source), _at(place, 1))

    @staticmethod
    def _deep(index: Typed) -> bool:
        """Tell whether calculating a position takes more than a register or two."""
        return index.op not in ("toword", "var", "const", "add", "sub")

    def _element_to_element(self, place: str, index: Typed, t: Typed) -> None:
        own = self.places.arrays[self._own_array(t.data)]
        self.index(t.args[0], 2, 8)
        self.out("MOV", f"R2,@{(kept := self.word_temp())}")
        self.index(index, 1, 8)
        self.out("MOV", f"@{kept},R2")
        self._move(_at(own, 2), _at(place, 1))

    def assign_cell(self, target: str, t: Typed) -> None:
        """Assign to a cell variable."""
        self.cell_into(t, self.places.address(target), 1)

    # -- in place -------------------------------------------------------------------------

    def _pointed(self, t: Typed, r: int) -> tuple[str, str, Callable[[], str]]:
        """The operands of a value's two first words, and a function that copies it into a cell.

        An element is not copied at once: a register points to it.
        """
        if t.kind == CELL and t.op == "elem" and t.args[0].constant is None and r < POINTERS:
            self.index(t.args[0], r, 8)
            self.out("AI", f"R{r},{self.places.arrays[self._own_array(t.data)]}")
            place = self.temp()

            def copy() -> str:
                self._fetch(r, place)
                return place

            return f"*R{r}", f"@2(R{r})", copy
        place = self.cell(t, r)
        return f"@{place}", f"@{place}+2", lambda: place

    def _two(self, left: Typed, right: Typed, r: int) -> tuple[str, str, Callable[[], str], str]:
        """The left value as `_pointed` gives it, and the cell of the right one."""
        first, second, copy = self._pointed(left, r)
        free = r + 1 if first[0] == "*" else r
        return first, second, copy, self._second(right, free)

    def _second(self, t: Typed, r: int) -> str:
        """The cell of a value; for a known small integer that of a constant."""
        return self.cell(t, r) if t.constant is None else self.cell_constant(t.constant)

    def _sum(self, t: Typed, place: str, r: int) -> None:
        """Add or subtract small integers here, all else aside."""
        left, right = t.args
        if t.op == "add" and left.constant is not None:
            left, right = right, left
        first, second, copy, b = self._two(left, right, r)
        small = right.constant if right.constant != WORD_LOW else None  # its negative is not a word
        done = self.fresh()
        entry = self._entry(t)

        def slow() -> None:
            self.call(entry, copy(), b, place)
            self.jump("JMP", done)

        away = self.aside(slow)
        self.out("MOV", f"{first},R0")
        if small is None and f"@{b}" != first:
            # The first words of small integers are 0: one OR tells whether both are.
            self.out("SOC", f"@{b},R0")
        self.jump("JNE", away)
        self.out("MOV", f"{second},R0")
        if small is None:
            self.out("A" if t.op == "add" else "S", f"@{b}+2,R0")
        else:
            by = small if t.op == "add" else -small
            self.out({1: "INC", -1: "DEC"}.get(by, "AI"), "R0" if abs(by) == 1 else f"R0,{by}")
        # JNO has no opposite: it jumps over the jump aside.
        good = self.fresh()
        self.jump("JNO", good)
        self.jump("JMP", away)
        self.label(good)
        if place != b and f"@{place}" != first:
            self.out("CLR", f"@{place}")
        self.out("MOV", f"R0,@{place}+2")
        self.label(done)

    def compare_cells(self, t: Typed, true: str, false: str, r: int) -> None:
        """Compare two numbers, and jump."""
        op, (left, right) = t.op, t.args
        if left.constant is not None:
            op, left, right = SWAPPED[op], right, left
        small = right.constant
        if not self.hot:
            self.call("CCMP", self.cell(left, r), self._second(right, r))
            self.out("MOV", "R0,R0")
            self._jumps(op, true, false)
            return
        first, second, copy, b = self._two(left, right, r)
        compared = self.fresh()

        def slow() -> None:
            self.call("CCMP", copy(), b)
            self.out("MOV", "R0,R0")
            self.jump("JMP", compared)

        away = self.aside(slow)
        self.out("MOV", f"{first},R0")
        if small is None and f"@{b}" != first:
            self.out("SOC", f"@{b},R0")
        self.jump("JNE", away)
        if small is None:
            self.out("C", f"{second},@{b}+2")
        elif small == 0:
            self.out("MOV", f"{second},R0")
        else:
            self.out("MOV", f"{second},R0")
            self.out("CI", f"R0,{small}")
        self.label(compared)
        self._jumps(op, true, false)
