"""Longs: whole numbers of 32 bits, where the ranges prove that nothing is beyond them.

Extended BASIC calculates with 13 digits at least, so that a whole number of ten digits is exact. A
variable is a long if it is no word, no parameter, and all that is assigned to it is a word or a
long.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.kinds import CELL, LONG, SUMS, WORD, Kinds, Typed
from ti99tools.compiler.ranges import Ranges
from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.fixpoint import State
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW, Interval

LONG_HIGH = 2**31 - 1
LONG_TEST, LONG_TO_WORD, LONG_TO_CELL = "long test", "long to word", "long to cell"
LONG_CHECK, LONG_MODULO = "long check", "long modulo"
CELL_CHECK = "cell check"
"""Operations: a comparison (data: how), a word within limits (data: these and the error), a cell; a
long within limits (data); what is left of a division by a word above 0; a cell that is whole and
within limits (data)."""


def is_long(found: Interval) -> bool:
    """Tell whether a range has only whole numbers of 32 bits; the lowest of all is none of them."""
    return found.whole and found.low >= -LONG_HIGH and found.high <= LONG_HIGH


class LongKinds(Kinds):
    """Kinds with longs; elements of arrays that are `passed`, and such variables, are no longs."""

    def __init__(self, code: ir.Code, ranges: Ranges, passed: Container[str]) -> None:
        super().__init__(code, ranges, small=True)
        given = {name for block in code.blocks.values() for name in _results(block)}
        for name, found in ranges.all.items():
            whole = self.variables[name] == CELL and is_long(found)
            if whole and name not in given and name not in passed:
                self.variables[name] = LONG
        for name, found in ranges.arrays.items():
            if self.arrays[name] == CELL and is_long(found) and name not in passed:
                self.arrays[name] = LONG
        while self._mixed():
            pass

    def _mixed(self) -> bool:
        """Make cells of longs that cells are assigned to; tell whether there are any."""
        changed = False
        for name, before in self.ranges.before.items():
            state: State = dict(before)
            for action in self.code.blocks[name].body:
                match action:
                    case ir.Assign(target, value) if self.of(target) == LONG:
                        if self.typed(value, state).kind == CELL:
                            self.variables[target], changed = CELL, True
                    case ir.Store(array, _, value) if self.array(array) == LONG:
                        if self.typed(value, state).kind == CELL:
                            self.arrays[self.code.arrays[array].name], changed = CELL, True
                self.ranges.act(action, state)
        return changed

    def typed(self, expr: ir.Expr, state: State) -> Typed:
        """An expression with the kinds and ranges that it has in a state."""
        typed = super().typed(expr, state)
        if typed.op == "const" and typed.kind == CELL and is_long(typed.range):
            return replace(typed, kind=LONG)
        return typed

    def argument(self, expr: ir.Expr, state: State) -> Typed:
        """The argument of an action, which is no long."""
        return as_cell(self.typed(expr, state))

    def coerced(self, t: Typed, kind: str) -> Typed:
        """A value for a variable of a kind."""
        if t.kind == LONG and kind == WORD:
            return Typed(LONG_TO_WORD, WORD, (t,), (WORD_LOW, WORD_HIGH, xb.BAD_VALUE), t.range)
        return t if kind == LONG else as_cell(t)

    def _rounded(self, expr: ir.Expr, state: State) -> Typed:
        low, high, _ = expr.data
        inner = self.typed(expr.args[0], state)
        within = iv.rounded(inner.range, low, high)
        words = low >= WORD_LOW and high <= WORD_HIGH
        if inner.kind == LONG and words:
            return Typed(LONG_TO_WORD, WORD, (inner,), expr.data, within)
        if words:
            return super()._rounded(expr, state)
        if inner.range.whole and low <= inner.range.low and inner.range.high <= high:
            return inner
        if inner.kind == CELL:
            return Typed(CELL_CHECK, CELL, (inner,), (low, high), within)
        return Typed(LONG_CHECK, LONG, (inner,), (low, high), within)

    def _special(self, expr: ir.Expr, state: State, found: Interval) -> Typed:
        if expr.op in ("quot", "mod"):
            a, b = (self.typed(arg, state) for arg in expr.args)
            if a.kind == LONG and b.kind == WORD and b.range.low > 0:
                if expr.op == "mod":
                    return Typed(LONG_MODULO, WORD, (a, b), None, Interval(0, b.range.high - 1))
                return Typed("quot", LONG, (a, b), None, found)
        return super()._special(expr, state, found)

    def _operation(self, expr: ir.Expr, args: tuple[Typed, ...], found: Interval) -> Typed:
        longs = any(arg.kind == LONG for arg in args)
        whole = all(arg.kind in (WORD, LONG) for arg in args)
        if expr.op in SUMS and whole and is_long(found) and (longs or not found.is_word):
            return Typed(expr.op, LONG, args, expr.data, found)
        if longs and expr.op == "int":
            return args[0]
        if longs and whole and expr.op in ir.COMPARISONS:
            return Typed(LONG_TEST, WORD, args, expr.op, found)
        return super()._operation(expr, tuple(map(as_cell, args)), found)


def as_cell(t: Typed) -> Typed:
    """A value that is not a long."""
    if t.kind != LONG:
        return t
    if t.op == "const":
        return replace(t, kind=CELL)
    if t.op in SUMS:
        return replace(t, kind=CELL, args=tuple(map(as_cell, t.args)))
    return Typed(LONG_TO_CELL, CELL, (t,), None, t.range)


def test_of_long(t: Typed) -> Typed:
    """A condition: a long is true where it is not 0."""
    zero = Typed("const", WORD, (), 0, iv.ZERO)
    return Typed(LONG_TEST, WORD, (t, zero), "ne", iv.TRUTH) if t.kind == LONG else t


def _results(block: ir.Block) -> set[str]:
    return {name for one in block.body if isinstance(one, ir.Do) for name in one.results}
