"""Conditions and texts: comparisons and the jumps they make; texts appended piece by piece."""

from __future__ import annotations

from ti99tools.base.basic import LONGEST_STRING
from ti99tools.compiler import ir
from ti99tools.compiler.emit_words import Words
from ti99tools.compiler.kinds import CELL, WORD, Typed
from ti99tools.language.analysis.intervals import NEGATED, SWAPPED, WORD_HIGH, WORD_LOW

_PLAIN = frozenset({"const", "var", "add", "sub", "neg", "abs"})
"""Operations on words that cannot fail."""


class Conditions(Words):
    """Generates code for conditions."""

    def condition(self, t: Typed, true: str, false: str, r: int = 1) -> None:
        """Jump to `true` or `false` by a condition; an empty label is the code that follows."""
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
        """AND or OR of comparisons without side effects; the second is made only if it decides."""
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
            op, left, right = SWAPPED[op], right, left
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
            op, true, false = NEGATED[op], false, ""
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
    """The same comparison with a constant in a form that takes one jump, where there is one."""
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


_NUMBER_LENGTH = 15


class Texts(Conditions):
    """Generates code for texts."""

    def text(self, t: Typed, r: int = 1) -> None:
        """Begin a text and append all of it."""
        self.call("TNEW")
        self._append(t, r)

    def _append(self, t: Typed, r: int) -> None:
        match t.op:
            case "text":
                if t.data:
                    self.call("TADD", self.text_constant(t.data))
            case "str":
                self._number(t.args[0], r)
            case "chr":
                self.word(t.args[0], r)
                self.out("MOV", f"R{r},R0")
                self.call("TCHR")
            case "cat":
                self._append(t.args[0], r)
                self._append(t.args[1], r)
                if _longest(t) > LONGEST_STRING:
                    self.call("TCHECK")
            case "seg":
                self.text(t.args[0], r)
                self._numbers(t.args[1:], r)
                self.call("TSEG")
            case "rpt":
                self.text(t.args[0], r)
                self._numbers(t.args[1:], r)
                self.call("TRPT")

    def _number(self, t: Typed, r: int) -> None:
        if t.kind == WORD:
            self.word(t, r)
            self.out("MOV", f"R{r},R0")
            self.call("TWORD")
        else:
            self.call("TNUM", self.cell(t, r))

    def _numbers(self, args: tuple[Typed, ...], r: int) -> None:
        """One or two words for the runtime: R0, then the word at TW0."""
        self.word(args[0], r)
        if len(args) == 1:
            self.out("MOV", f"R{r},R0")
            return
        kept = self.word_temp()
        self.out("MOV", f"R{r},@{kept}")
        self.word(args[1], r)
        self.out("MOV", f"R{r},@TSECND")
        self.out("MOV", f"@{kept},R0")

    def text_number(self, t: Typed, r: int) -> None:
        """LEN, ASC, POS into R0; for VAL the text alone."""
        self.text(t.args[0], r)
        match t.op:
            case "len":
                self.call("TLEN")
            case "asc":
                self.call("TASC")
            case "pos":
                self.text(t.args[1], r)
                self._numbers(t.args[2:], r)
                self.call("TPOS")

    def compare_texts(self, t: Typed, r: int) -> None:
        """Compare two texts: the status of R0 against 0 is their order."""
        self.text(t.args[0], r)
        self.text(t.args[1], r)
        self.call("TCMP")
        self.out("MOV", "R0,R0")


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
