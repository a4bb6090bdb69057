"""What expressions may give, and what conditions tell: the one evaluation of ranges.

Lint and the compiler describe expressions as terms: an operation, its operands, and what is no
operand. These are known here:

var (data: its name) · add sub mul div neg · lt le gt ge eq ne (−1 or 0) · tlt … tne (texts
compared) · passed (tells whether a loop is over) · and or xor not, of words · int abs sgn max min
sin cos · quot (INT(a/b)) · rnd · len asc pos · round (data: lowest, highest, …: a as a whole
number).

All others are special: whoever has them says what they give.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from ti99tools.base.basic import LONGEST_STRING
from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.fixpoint import Fixpoint, Place, State, narrowed
from ti99tools.language.analysis.intervals import TRUTH, WORD_HIGH, WORD_LOW, ZERO, Interval


class Term(Protocol):
    """An expression: its operation, its operands, and what else belongs to it."""

    @property
    def op(self) -> str: ...

    @property
    def args(self) -> Sequence[Term]: ...

    @property
    def data(self) -> Any: ...


RELATIONS = frozenset(iv.NEGATED)
TRUTHS = RELATIONS | {f"t{one}" for one in RELATIONS}
"""Comparisons of numbers and of texts."""
FIXED = {
    **dict.fromkeys((*TRUTHS, "passed"), TRUTH),
    "sgn": Interval(-1, 1),
    "len": Interval(0, LONGEST_STRING),
    "asc": Interval(0, 255),
    # POS may begin beyond the end of the text, and finds what lies in memory there.
    "pos": Interval(0, WORD_HIGH),
    "rnd": Interval(0, 1, whole=False),
    "sin": Interval(-1, 1, whole=False),
    "cos": Interval(-1, 1, whole=False),
}
"""Operation → its range, whatever its operands are."""
CALCULATED: dict[str, Callable[..., Interval]] = {
    "add": iv.add,
    "sub": iv.sub,
    "mul": iv.mul,
    "div": iv.divided,
    "quot": iv.whole_quotient,
    "neg": iv.neg,
    "int": iv.floor,
    "abs": iv.absolute,
    "max": iv.larger,
    "min": iv.smaller,
    "not": iv.inverted,
    **{op: partial(iv.bits, op=op) for op in ("and", "or", "xor")},
}
"""Operation → its range, given those of its operands."""
_EDGES = frozenset({0, 1, -1, WORD_LOW, WORD_HIGH, 255, 256})
"""Where states are widened to in any program: the edges of truth, words and bytes."""


def marks_at(numbers: Iterable[Interval], others: Iterable[int] = ()) -> list[int]:
    """Where to widen states to: beside the `numbers` that a program compares with, and `others`."""
    marks = _EDGES | set(others)
    for one in numbers:
        low, high = int(one.low), int(one.high)
        marks |= {low - 1, low, high + 1}
    return sorted(marks)


class Valuing(Fixpoint[Place]):
    """A fixpoint over places whose states come from terms."""

    @abstractmethod
    def special(self, term: Term, values: Sequence[Interval], state: State, /) -> Interval:
        """The range of a term that is not known here, given the `values` of its operands."""

    def value(self, term: Term, state: State) -> Interval:
        """The range of a term."""
        op = term.op
        if op == "var":
            return state.get(term.data, ZERO)
        if (fixed := FIXED.get(op)) is not None:
            return fixed
        values = [self.value(arg, state) for arg in term.args]
        if (calculate := CALCULATED.get(op)) is not None:
            return calculate(*values)
        if op == "round":
            return iv.rounded(values[0], *term.data[:2])
        return self.special(term, values, state)

    def narrowed(self, condition: Term, state: State, truth: bool) -> State | None:
        """The state where a condition is true or false; None where it cannot be."""
        op, args = condition.op, condition.args
        if op == "round":
            return self.narrowed(args[0], state, truth)
        if op in RELATIONS:
            sides = self._side(args[0], state), self._side(args[1], state)
            return narrowed(op if truth else iv.NEGATED[op], sides, state)
        if op == "not" and _is_truth(args[0]):
            return self.narrowed(args[0], state, not truth)
        # AND and OR work on bits. Only of -1 and 0 does the result tell what both of them are.
        if op == ("and" if truth else "or") and all(map(_is_truth, args)):
            first = self.narrowed(args[0], state, truth)
            return None if first is None else self.narrowed(args[1], first, truth)
        if op == "var":
            return narrowed("ne" if truth else "eq", (self._side(condition, state), NONE), state)
        return state

    def _side(self, term: Term, state: State) -> tuple[str, Interval]:
        return (term.data if term.op == "var" else ""), self.value(term, state)


NONE = ("", ZERO)
"""The other side of a condition that is a number by itself: it holds where that is not 0."""


def _is_truth(term: Term) -> bool:
    """Tell whether a term is a comparison, or made of them."""
    while term.op == "round":
        term = term.args[0]
    return term.op in TRUTHS or (term.op in ("and", "or", "not") and all(map(_is_truth, term.args)))
