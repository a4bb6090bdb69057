"""Conditions: comparisons of words, of cells and of texts, and jumps where they hold or do not."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit_words import Words
from ti99tools.compiler.intervals import WORD_HIGH, WORD_LOW
from ti99tools.compiler.kinds import CELL, WORD, Typed

_PLAIN = frozenset({"const", "var", "add", "sub", "neg", "abs"})
"""Operations on words that cannot fail."""


class Conditions(Words):
    """Generates code for conditions."""

    def condition(self, t: Typed, true: str, false: str, r: int = 1) -> None:
        """Go to a label where a condition is true or false; an empty label is what follows."""
        if t.op in ("and", "or") and _is_test(t):
            self._both_tests(t, true, false, r)
        elif t.op in ir.COMPARISONS:
            if all(arg.kind == WORD for arg in t.args):
                self._compare_words(t, true, false, r)
            else:
                self.compare_cells(t, true, false, r)
        elif t.op[1:] in ir.COMPARISONS:
            self.compare_texts(t, r)
            self._jumps(t.op[1:], true, false)
        elif t.op == "passed":
            place = [self.cell(arg, r) for arg in t.args]
            self.call("PASSED", *place)
            self.out("MOV", "R0,R0")
            self._jumps("ne", true, false)
        elif t.kind == CELL:
            place_ = self.cell(t, r)
            self.call("CSGN", place_)
            self.out("MOV", "R0,R0")
            self._jumps("ne", true, false)
        else:
            source = self.source(t)
            if source is None:
                self.word(t, r)
                source = f"R{r}"
            self.out("MOV", f"{source},R0")
            self._jumps("ne", true, false)

    def _both_tests(self, t: Typed, true: str, false: str, r: int) -> None:
        """AND, OR of comparisons that do nothing else: the second one where it decides."""
        if not true and not false:
            return
        over = self.fresh()
        first, second = t.args
        if t.op == "and":
            self.condition(first, "", false or over, r)
        else:
            self.condition(first, true or over, "", r)
        self.condition(second, true, false, r)
        self.label(over)

    def _compare_words(self, t: Typed, true: str, false: str, r: int) -> None:
        op, (left, right) = t.op, t.args
        if left.constant is not None:
            op, left, right = ir.SWAPPED[op], right, left
        constant = right.constant
        source = self.source(left)
        if constant is None:
            other = self.source(right)
            if source is None or other is None:
                if other is not None:
                    self.word(left, r)
                else:
                    other = self._both(left, right, r)
                source = f"R{r}"
            self.out("C", f"{source},{other}")
        elif constant == 0:
            if source is None:
                self.word(left, r)
                source = f"R{r}"
            self.out("MOV", f"{source},R0" if source[0] != "R" else f"{source},{source}")
        else:
            if source is None or source[0] != "R":
                self.word(left, r)
                source = f"R{r}"
            op, constant = _sharper(op, constant)
            self.out("CI", f"{source},{constant}")
        self._jumps(op, true, false)

    def _jumps(self, op: str, true: str, false: str) -> None:
        """Jumps after a comparison of the left with the right."""
        if not true and not false:
            return
        if not true:
            op, true, false = ir.NEGATED[op], false, ""
        for jump in _JUMPS[op]:
            self.jump(jump, true)
        if false:
            self.jump("JMP", false)


_JUMPS = {
    "lt": ("JLT",),
    "gt": ("JGT",),
    "eq": ("JEQ",),
    "ne": ("JNE",),
    "le": ("JLT", "JEQ"),
    "ge": ("JGT", "JEQ"),
}


def _sharper(op: str, constant: int) -> tuple[str, int]:
    """The same comparison with a constant, by one jump."""
    if op == "le" and constant < WORD_HIGH:
        return "lt", constant + 1
    if op == "ge" and constant > WORD_LOW:
        return "gt", constant - 1
    return op, constant


def _is_test(t: Typed) -> bool:
    """Tell whether a condition consists of comparisons of words that cannot fail."""
    if t.op in ("and", "or"):
        return all(map(_is_test, t.args))
    return t.op in ir.COMPARISONS and all(map(_plain, t.args))


def _plain(t: Typed) -> bool:
    return t.kind == WORD and t.op in _PLAIN and all(map(_plain, t.args))
