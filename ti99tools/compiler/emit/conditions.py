"""Conditions: comparisons and the jumps they make."""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base.entries import Entries
from ti99tools.compiler import ir
from ti99tools.compiler.emit import cells, texts, values, words
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import word_of
from ti99tools.compiler.kinds import CELL, WORD, Typed
from ti99tools.language.analysis.intervals import NEGATED, SWAPPED, WORD_HIGH, WORD_LOW

_PLAIN = frozenset({"const", "var", "add", "sub", "neg", "abs"})
"""Operations on words that cannot fail."""


Test = Callable[[Emission, Typed, str, str, int], None]


test_of = Entries[str, Test]()
"""The functions that generate the jumps of conditions; an empty label is what follows."""


@word_of(*ir.COMPARISONS, *(f"t{op}" for op in ir.COMPARISONS), "passed")
def truth(e: Emission, t: Typed, r: int) -> None:
    """A condition as -1 or 0."""
    done = e.out.fresh()
    false = e.out.fresh()
    jump_if(e, t, "", false, r)
    e.out.op("SETO", f"R{r}")
    e.out.jump("JMP", done)
    e.out.label(false)
    e.out.op("CLR", f"R{r}")
    e.out.label(done)


def jump_if(e: Emission, t: Typed, true: str, false: str, r: int = 1) -> None:
    """Jump to `true` or `false` by a condition; an empty label is the code that follows."""
    if t.op in ("and", "or") and _is_test(t):
        _two_tests(e, t, true, false, r)
    elif t.op in test_of:
        test_of[t.op](e, t, true, false, r)
    elif t.op in ir.COMPARISONS:
        if all(arg.kind == WORD for arg in t.args):
            _compare_words(e, t, true, false, r)
        else:
            _compare_cells(e, t, true, false, r)
    elif t.op[1:] in ir.COMPARISONS:
        texts.compare(e, t, r)
        jumps(e, t.op[1:], true, false)
    elif t.op == "passed":
        place = [values.cell(e, arg, r) for arg in t.args]
        e.out.call("PASSED", *place)
        jumps(e, "ne", true, false)
    elif t.kind == CELL:
        place_ = values.cell(e, t, r)
        e.out.call("CSGN", place_)
        jumps(e, "ne", true, false)
    else:
        source = values.source(e, t)
        if source is None:
            values.word(e, t, r)
            source = f"R{r}"
        e.out.op("MOV", f"{source},R0")
        jumps(e, "ne", true, false)


def _two_tests(e: Emission, t: Typed, true: str, false: str, r: int) -> None:
    """AND or OR of comparisons without side effects; the second is made only if it decides."""
    if not true and not false:
        return
    over = e.out.fresh()
    first, second = t.args
    if t.op == "and":
        jump_if(e, first, "", false or over, r)
    else:
        jump_if(e, first, true or over, "", r)
    jump_if(e, second, true, false, r)
    e.out.label(over)


def _compare_words(e: Emission, t: Typed, true: str, false: str, r: int) -> None:
    op, (left, right) = t.op, t.args
    if left.constant is not None:
        op, left, right = SWAPPED[op], right, left
    constant = right.constant
    source = values.source(e, left)
    if constant is None:
        other = values.source(e, right)
        if source is None or other is None:
            if other is not None:
                values.word(e, left, r)
            else:
                other = words.both(e, left, right, r)
            source = f"R{r}"
        e.out.op("C", f"{source},{other}")
    elif constant == 0:
        if source is None:
            values.word(e, left, r)
            source = f"R{r}"
        e.out.op("MOV", f"{source},R0" if source[0] != "R" else f"{source},{source}")
    else:
        op, constant = _sharper(op, constant)
        if source is not None and source[0] != "R" and e.near_checks:
            e.out.op("C", f"{source},@{e.constants.word(constant)}")
        else:
            if source is None or source[0] != "R":
                values.word(e, left, r)
                source = f"R{r}"
            e.out.op("CI", f"{source},{constant}")
    jumps(e, op, true, false)


def _compare_cells(e: Emission, t: Typed, true: str, false: str, r: int) -> None:
    op, (left, right) = t.op, t.args
    if left.constant is not None:
        op, left, right = SWAPPED[op], right, left
    cells.compare(e, left, right, r)
    jumps(e, op, true, false)


def jumps(e: Emission, op: str, true: str, false: str) -> None:
    """Jumps after a comparison of the left with the right."""
    if not true and not false:
        return
    if not true:
        op, true, false = NEGATED[op], false, ""
    for jump in _JUMPS[op]:
        e.out.jump(jump, true)
    if false:
        e.out.jump("JMP", false)


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
    if t.op in test_of:
        return all(arg.op in ("var", "const") for arg in t.args)
    return t.op in ir.COMPARISONS and all(map(_plain, t.args))


def _plain(t: Typed) -> bool:
    return t.kind == WORD and t.op in _PLAIN and all(map(_plain, t.args))
