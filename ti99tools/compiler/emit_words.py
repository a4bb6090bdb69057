"""Words, calculated in the registers R1 to R5; R0 holds short-lived values.

`word(t, r)` puts a value into R`r`, and may change the registers from there on, and R0.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit_cells import Cells
from ti99tools.compiler.kinds import CELL, WORD, Typed
from ti99tools.compiler.refusing import refuse
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW

LAST = 4
"""The last register that a value may be calculated in: products take one more."""
_DIRECT = {"add": "A", "sub": "S", "or": "SOC"}
_STEPS = {1: "INC", -1: "DEC", 2: "INCT", -2: "DECT"}


class Words(Cells):
    """Generates code for words."""

    def source(self, t: Typed) -> str | None:
        """The operand of a word in a register or in memory; None if it must be calculated."""
        if t.kind == WORD and t.op == "var":
            return self.places.operand(t.data)
        if t.kind == WORD and t.op == "elem" and t.args[0].constant is not None:
            return f"@{self.places.arrays[self._own_array(t.data)]}+{2 * t.args[0].constant}"
        return None

    def address_of(self, t: Typed) -> str:
        """The address of the word of a variable or constant; empty for anything else."""
        if t.constant is not None:
            return self.word_constant(t.constant)
        if t.op == "var":
            return self.places.address(t.data)
        return ""

    def word(self, t: Typed, r: int) -> None:
        """Calculate a word into a register."""
        source = self.source(t)
        if t.constant is not None:
            if t.constant in (0, -1):
                self.out("CLR" if t.constant == 0 else "SETO", f"R{r}")
            else:
                self.out("LI", f"R{r},{t.constant}")
        elif source is not None:
            self.out("MOV", f"{source},R{r}")
        else:
            self._calculate(t, r)

    def _calculate(self, t: Typed, r: int) -> None:
        match t.op:
            case "elem":
                self.index(t.args[0], r, 2)
                self.out("MOV", f"@{self.places.arrays[self._own_array(t.data)]}(R{r}),R{r}")
            case "add" | "sub" | "or":
                self._binary(t, r)
            case "and" | "xor":
                self._bits(t, r)
            case "not":
                self.word(t.args[0], r)
                self.out("INV", f"R{r}")
            case "neg":
                self.word(t.args[0], r)
                self.out("NEG", f"R{r}")
            case "abs":
                self.word(t.args[0], r)
                self.out("ABS", f"R{r}")
            case "mul":
                self._product(t, r)
            case "quot" | "mod":
                self._quotient(t, r)
            case "max" | "min":
                self._larger(t, r)
            case "check":
                self.word(t.args[0], r)
                self._check(t, r)
            case "wrapped":
                self.word(t.args[0], r)
                self._wrap(t, r)
            case _:
                self._called(t, r)

    def _called(self, t: Typed, r: int) -> None:
        """Words that the runtime calculates in R0, and truth values."""
        if t.op in ir.COMPARISONS or t.op[1:] in ir.COMPARISONS or t.op == "passed":
            self._truth(t, r)
            return
        match t.op:
            case "toword":
                self._rounded(t, r)
            case "randint":
                if t.args[0].constant is not None:
                    self.out("LI", f"R0,{t.args[0].constant}")
                else:
                    self.word(t.args[0], r)
                    self.out("MOV", f"R{r},R0")
                self.call("RNDINT")
            case "sgn":
                self.call("CSGN", self.cell(t.args[0], r))
            case "len" | "asc" | "pos":
                self.text_number(t, r)
            case _:
                refuse(f"{t.op} as a word")
        self.out("MOV", f"R0,R{r}")

    def _truth(self, t: Typed, r: int) -> None:
        """A condition as -1 or 0."""
        done = self.fresh()
        false = self.fresh()
        self.condition(t, "", false, r)
        self.out("SETO", f"R{r}")
        self.jump("JMP", done)
        self.label(false)
        self.out("CLR", f"R{r}")
        self.label(done)

    def _rounded(self, t: Typed, r: int) -> None:
        """A cell as a word in R0; a small constant is added to the word where that is quicker."""
        low, high, error = t.data
        inner = t.args[0]
        by = inner.args[1].constant if inner.op in ("add", "sub") else None
        # The negative of -32768 is not a word.
        if self.hot and by is not None and by != WORD_LOW:
            place = self.cell(inner.args[0], r)
            sign = by if inner.op == "add" else -by
            self._to_word(place, low, high, error, sign, inner)
        else:
            self._to_word(self.cell(inner, r), low, high, error)

    def _to_word(
        self, place: str, low: int, high: int, error: int, by: int = 0, whole: Typed | None = None
    ) -> None:
        """A cell as a word in R0, in place where it holds a small integer within the limits.

        `by` is added to it; `whole` is then the sum.
        """
        if not self.hot:
            self.call("CTOW", place, str(low), str(high), f"M{error}")
            return
        limits = str(low), str(high), f"M{error}"
        slow = self.aside(lambda: None)
        back = self.fresh()
        self.out("MOV", f"@{place},R0")
        self.jump("JNE", slow)
        self.out("MOV", f"@{place}+2,R0")
        if by:
            self.step("R0", by)
            good = self.fresh()
            self.jump("JNO", good)
            self.jump("JMP", slow)
            self.label(good)
        if (low, high) != (WORD_LOW, WORD_HIGH):
            self._within(low, high, slow)
        self.label(back)

        def work() -> None:
            self.call("CTOW", place if whole is None else self._whole(place, whole), *limits)
            self.jump("JMP", back)

        self.redo(slow, work)

    def _within(self, low: int, high: int, out: str) -> None:
        """Jump where R0 is outside its limits; from 0 on one unsigned comparison does."""
        self.out("CI", f"R0,{high}")
        if low == 0:
            self.jump("JH", out)
        else:
            self.jump("JGT", out)
            self.out("CI", f"R0,{low}")
            self.jump("JLT", out)

    def _whole(self, place: str, whole: Typed) -> str:
        """The sum of a cell and a small constant, by the runtime; where it lies."""
        constant = whole.args[1].constant
        assert constant is not None
        total = self.temp()
        entry = "CADD" if whole.op == "add" else "CSUB"
        self.call(entry, place, self.cell_constant(constant), total)
        return total

    def _check(self, t: Typed, r: int) -> None:
        """An error where a word is outside its limits."""
        low, high, error = t.data
        own = t.args[0].range
        bad = self.failing(error)
        # Read without a sign a negative word is above the limit: one comparison finds both.
        if low == 0 and own.low < 0 and high < WORD_HIGH:
            self.out("CI", f"R{r},{high}")
            self.jump("JH", bad)
            return
        if own.high > high:
            self.out("CI", f"R{r},{high}")
            self.jump("JGT", bad)
        if own.low < low:
            if low == 0 and own.high <= high:
                self.out("MOV", f"R{r},R{r}")
            else:
                self.out("CI", f"R{r},{low}")
            self.jump("JLT", bad)

    def _wrap(self, t: Typed, r: int) -> None:
        """A row or column counted from 0: below 1 is the first; beyond the last it starts again."""
        first, done = self.fresh(), self.fresh()
        own = t.args[0].range
        if own.low < 1:
            self.out("MOV", f"R{r},R{r}")
            good = self.fresh()
            self.jump("JGT", good)
            self.out("CLR", f"R{r}")
            self.jump("JMP", done)
            self.label(good)
        self.out("DEC", f"R{r}")
        if own.high > t.data:
            self.label(first)
            self.out("CI", f"R{r},{t.data}")
            self.jump("JLT", done)
            self.out("AI", f"R{r},-{t.data}")
            self.jump("JMP", first)
        self.label(done)

    def _binary(self, t: Typed, r: int) -> None:
        left, right = t.args
        if t.op == "add" and left.constant is not None:
            left, right = right, left
        constant = right.constant
        if constant is not None and t.op != "or":
            self.word(left, r)
            self.step(f"R{r}", constant if t.op == "add" else -constant)
            return
        source = self.source(right)
        if source is not None:
            self.word(left, r)
            self.out(_DIRECT[t.op], f"{source},R{r}")
        elif t.op == "add" and self.source(left) is not None:
            self.word(right, r)
            self.out("A", f"{self.source(left)},R{r}")
        else:
            other = self._both(left, right, r)
            self.out(_DIRECT[t.op], f"{other},R{r}")

    def _both(self, left: Typed, right: Typed, r: int) -> str:
        """Calculate both; the left one is in R`r`, the operand of the right one is returned."""
        self.word(left, r)
        if r < LAST:
            self.word(right, r + 1)
            return f"R{r + 1}"
        kept = self.word_temp()
        self.out("MOV", f"R{r},@{kept}")
        self.word(right, r)
        self.out("MOV", f"R{r},R0")
        self.out("MOV", f"@{kept},R{r}")
        return "R0"

    def step(self, operand: str, by: int) -> None:
        """Add a constant to a word."""
        by = ((by + 0x8000) & 0xFFFF) - 0x8000
        if by in _STEPS:
            self.out(_STEPS[by], operand)
        elif by and operand[0] == "R":
            self.out("AI", f"{operand},{by}")
        elif by:
            self.out("A", f"@{self.word_constant(by)},{operand}")

    def _bits(self, t: Typed, r: int) -> None:
        left, right = t.args
        if left.constant is not None:
            left, right = right, left
        if t.op == "and" and right.constant is not None:
            self.word(left, r)
            self.out("ANDI", f"R{r},{right.constant & 0xFFFF}")
            return
        other = self._both(left, right, r)
        if t.op == "xor":
            self.out("XOR", f"{other},R{r}")
        else:
            self.out("INV", f"R{r}")
            # AND of two operands: the processor only clears in one the bits that the other has.
            self.out("SZC", f"R{r},{other}")
            self.out("MOV", f"{other},R{r}")

    def _product(self, t: Typed, r: int) -> None:
        left, right = t.args
        if left.constant is not None:
            left, right = right, left
        factor = right.constant
        if factor is not None and factor > 0 and factor & (factor - 1) == 0:
            self.word(left, r)
            if factor > 1:
                self.out("SLA", f"R{r},{factor.bit_length() - 1}")
            return
        source = f"@{self.word_constant(factor)}" if factor is not None else self.source(right)
        if source is None:
            source = self._both(left, right, r)
            if source != "R0":
                self.out("MOV", f"{source},R0")
            source = "R0"
        else:
            self.word(left, r)
        # The product has two words; the low one is the same with and without a sign.
        self.out("MPY", f"{source},R{r}")
        self.out("MOV", f"R{r + 1},R{r}")

    def _quotient(self, t: Typed, r: int) -> None:
        left, right = t.args
        divisor = right.constant
        power = divisor is not None and divisor & (divisor - 1) == 0
        if power:
            assert divisor is not None
            self.word(left, r)
            if t.op == "mod":
                # Masking and shifting round down, as INT does: both are right for negative numbers.
                self.out("ANDI", f"R{r},{divisor - 1}")
            elif divisor > 1:
                self.out("SRA", f"R{r},{divisor.bit_length() - 1}")
            return
        place = self.address_of(right)
        if not place:
            self.word(right, r)
            place = self.word_temp()
            self.out("MOV", f"R{r},@{place}")
        # DIV knows no sign.
        if left.range.low < 0:
            self.word(left, r)
            self.out("MOV", f"R{r},R0")
            self.call("WQUOT" if t.op == "quot" else "WMOD", place)
            self.out("MOV", f"R0,R{r}")
            return
        self.word(left, r)
        self.out("MOV", f"R{r},R{r + 1}")
        self.out("CLR", f"R{r}")
        self.out("DIV", f"@{place},R{r}")
        if t.op == "mod":
            self.out("MOV", f"R{r + 1},R{r}")

    def _larger(self, t: Typed, r: int) -> None:
        done = self.fresh()
        other = self._both(t.args[0], t.args[1], r)
        self.out("C", f"R{r},{other}")
        self.jump("JGT" if t.op == "max" else "JLT", done)
        self.out("MOV", f"{other},R{r}")
        self.label(done)

    def index(self, t: Typed, r: int, width: int) -> None:
        """A position as an offset into an array whose elements have `width` bytes (2 or 8)."""
        self.word(t, r)
        if width == 2:
            self.out("A", f"R{r},R{r}")
        else:
            self.out("SLA", f"R{r},3")

    # -- assignments ----------------------------------------------------------------------

    def assign_word(self, target: str, t: Typed) -> None:
        """Assign to a word variable; in place where that is possible."""
        own = self.places.operand(target)
        if t.constant is not None:
            self._set(own, t.constant)
            return
        if t.kind == WORD and t.op in ("add", "sub") and self._in_place(target, own, t):
            return
        source = self.source(t)
        if source is not None:
            if source != own:
                self.out("MOV", f"{source},{own}")
            return
        self.as_word(t, 1)
        self.out("MOV", f"R1,{own}")

    def _set(self, operand: str, value: int) -> None:
        if value in (0, -1):
            self.out("CLR" if value == 0 else "SETO", operand)
        elif operand[0] == "R":
            self.out("LI", f"{operand},{value}")
        else:
            self.out("MOV", f"@{self.word_constant(value)},{operand}")

    def _in_place(self, target: str, own: str, t: Typed) -> bool:
        left, right = t.args
        if t.op == "add" and right.op == "var" and right.data == target:
            left, right = right, left
        if left.op != "var" or left.data != target:
            return False
        if right.constant is not None:
            self.step(own, right.constant if t.op == "add" else -right.constant)
            return True
        source = self.source(right)
        if source is None:
            self.word(right, 1)
            source = "R1"
        self.out("A" if t.op == "add" else "S", f"{source},{own}")
        return True

    def as_word(self, t: Typed, r: int) -> None:
        """A value that is proven to be a word, whatever its kind."""
        if t.kind == CELL:
            t = Typed("toword", WORD, (t,), (WORD_LOW, WORD_HIGH, xb.BAD_VALUE), t.range)
        self.word(t, r)

    def store_word(self, array: str, index: Typed, t: Typed) -> None:
        """Assign to an element of an array of words."""
        place = self.places.arrays[self._own_array(array)]
        if index.constant is not None:
            self.as_word(t, 1)
            self.out("MOV", f"R1,@{place}+{2 * index.constant}")
            return
        plain = t.constant in (0, -1) or self.source(t) is not None
        if not plain:
            # The runtime changes registers: the value comes first, and is kept in memory.
            if t.kind == CELL or _calls(t):
                self.as_word(t, 2)
                kept = self.word_temp()
                self.out("MOV", f"R2,@{kept}")
                self.index(index, 1, 2)
                self.out("MOV", f"@{kept},@{place}(R1)")
                return
            self.index(index, 1, 2)
            self.word(t, 2)
            self.out("MOV", f"R2,@{place}(R1)")
            return
        self.index(index, 1, 2)
        if t.constant is not None:
            self._set(f"@{place}(R1)", t.constant)
        else:
            self.out("MOV", f"{self.source(t)},@{place}(R1)")


def _calls(t: Typed) -> bool:
    """Tell whether calculating a word calls the runtime."""
    called = t.op in ("toword", "randint", "sgn", "len", "asc", "pos", "passed") or t.kind == CELL
    return called or any(map(_calls, t.args))
