"""Kinds that only a SUB has: words where the whole of a calculation is one, and longs.

The former are I*J/C within INT, and sums that are checked. Longs are whole numbers of 32 bits,
where the ranges prove that nothing is beyond them: Extended BASIC calculates with 13 digits at
least, so that a whole number of ten digits is exact. A variable is a long if it is no word, no
parameter, and all that is assigned to it is a word or a long.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit.strings import is_plain
from ti99tools.compiler.kinds import (
    CELL,
    CHARACTER,
    LONG,
    SUMS,
    TEXT,
    WORD,
    Kinds,
    Typed,
    order_matters,
)
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.subs.lookups import LOOKUP
from ti99tools.computer.numbers.functions import add
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


def _test_of_long(t: Typed) -> Typed:
    """A condition: a long is true where it is not 0."""
    zero = Typed("const", WORD, (), 0, iv.ZERO)
    return Typed(LONG_TEST, WORD, (t, zero), "ne", iv.TRUTH) if t.kind == LONG else t


def _results(block: ir.Block) -> set[str]:
    return {name for one in block.body if isinstance(one, ir.Do) for name in one.results}


SHARE, SUM, SLOT, SIGN, TIMES = "share", "checked sum", "slot", "sign", "times"
CHARACTER_CODE, TEXT_POSITION, PART = "character code", "text position", "part"
"""Operations on words: INT(a*b/c); a sum or difference with an error beyond a word (data: add or
sub, error); an element (data: the array, the number added to the position); SGN; a product with a
small constant (data); ASC of an element of an array of characters; POS of texts that are not
made. On texts: SEG$ of one that is not made, where no number is calculated by the runtime.
"""
SMALL_FACTOR = 3
"""The largest factor for which adding is shorter than multiplying."""


class SubKinds(LongKinds):
    """The kinds of a SUB; variables and elements of arrays that are `passed` may be anything."""

    def __init__(self, code: ir.Code, ranges: Ranges, passed: Container[str]) -> None:
        super().__init__(code, ranges, passed)
        for name, kind in self.arrays.items():
            if kind == CHARACTER and name in passed:
                self.arrays[name] = TEXT

    def condition(self, expr: ir.Expr, state: State) -> Typed:
        """An expression that is only asked whether it is 0, by comparisons where possible."""
        return _tests(_test_of_long(self.typed(expr, state)))

    def typed(self, expr: ir.Expr, state: State) -> Typed:
        """An expression with the kinds and ranges that it has in a state."""
        if expr.op == LOOKUP:
            index = self.typed(expr.args[0], state)
            found = self.ranges.value(expr, state)
            return Typed(LOOKUP, WORD, (index,), expr.data, found)
        if expr.op == "quot":
            share = (
                self._share(expr, state) if expr.args[0].op == "mul" else self._half(expr, state)
            )
            if share is not None:
                return share
        typed = super().typed(expr, state)
        elem = typed.args[0] if typed.op == "asc" else typed
        if elem is not typed and elem.op == "elem" and self.array(elem.data) == CHARACTER:
            return replace(typed, op=CHARACTER_CODE)
        return _better(typed)

    def _share(self, expr: ir.Expr, state: State) -> Typed | None:
        """INT(a*b/c) of words that are not negative, where the result is a word."""
        a, b, c = (self.typed(one, state) for one in (*expr.args[0].args, expr.args[1]))
        divisor = c.constant
        if divisor is None or divisor <= 0 or any(one.kind != WORD for one in (a, b)):
            return None
        if min(a.range.low, b.range.low) < 0:
            return None
        most = a.range.high * b.range.high // divisor
        if most > WORD_HIGH:
            return None
        return Typed(SHARE, WORD, (a, b, c), None, Interval(0, most))

    def _half(self, expr: ir.Expr, state: State) -> Typed | None:
        """INT(a/b) of a word, where b has the fraction .5: 2a divided by 2b.

        The quotient of words is so far from the next whole number that the rounding of a division
        in radix 100 does not reach it.
        """
        a, twice = self.typed(expr.args[0], state), _twice(expr.args[1])
        if a.kind != WORD or twice is None:
            return None
        found = iv.mul(a.range, Interval(2, 2))
        if not found.is_word:
            return None
        divisor = Typed("const", WORD, (), twice, Interval(twice, twice))
        result = iv.whole_quotient(found, divisor.range)
        return Typed("quot", WORD, (_better(_doubled(a, found)), divisor), None, result)

    def index(self, array: str, positions: tuple[ir.Expr, ...], state: State) -> Typed:
        """The positions in all dimensions as one position from 0; a constant if all are."""
        return _folded(super().index(array, positions, state))

    def _rounded(self, expr: ir.Expr, state: State) -> Typed:
        typed = super()._rounded(expr, state)
        inner = typed.args[0] if typed.args else typed
        if typed.op not in ("toword", LONG_TO_WORD) or inner.op not in ("add", "sub"):
            return typed
        if inner.kind not in (CELL, LONG):
            return typed
        if any(one.kind != WORD for one in inner.args):
            return typed
        low, high, error = expr.data
        within = iv.meet(inner.range, WORD_LOW, WORD_HIGH) or iv.WORD
        total = Typed(SUM, WORD, inner.args, (inner.op, error), within)
        if low <= within.low and within.high <= high:
            return total
        return Typed("check", WORD, (total,), expr.data, typed.range)


def _twice(expr: ir.Expr) -> int | None:
    """Twice a constant above 0 that is no whole number, where that is a word."""
    if expr.op != "const" or isinstance(expr.data, int):
        return None
    doubled = add(expr.data, expr.data)
    return doubled if isinstance(doubled, int) and 0 < doubled <= WORD_HIGH else None


def _doubled(t: Typed, found: Interval) -> Typed:
    two = Typed("const", WORD, (), 2, Interval(2, 2))
    return Typed("mul", WORD, (t, two), None, found)


def slot(elem: Typed) -> Typed:
    """An element whose position has no constant part: that is part of its address."""
    index, more = split(elem.args[0])
    return replace(elem, op=SLOT, args=(index,), data=(elem.data, more))


def split(index: Typed) -> tuple[Typed, int]:
    """A position without the constant that is added to it, and that constant."""
    if index.op in ("add", "sub") and index.kind == WORD:
        left, right = index.args
        if right.constant is not None:
            rest, more = split(left)
            return rest, more + (right.constant if index.op == "add" else -right.constant)
        if index.op == "add":
            if left.constant is not None:
                rest, more = split(right)
                return rest, more + left.constant
            first, one = split(left)
            second, other = split(right)
            return replace(index, args=(first, second)), one + other
    if index.op == "mul" and index.kind == WORD and index.args[1].constant is not None:
        rest, more = split(index.args[0])
        factor = index.args[1].constant
        return replace(index, args=(rest, index.args[1])), more * factor
    if index.op == TIMES:
        rest, more = split(index.args[0])
        return replace(index, args=(rest,)), more * index.data
    return index, 0


def _folded(t: Typed) -> Typed:
    """A sum or product of constants as one."""
    args = tuple(map(_folded, t.args))
    if t.op in ("add", "sub", "mul") and len(args) == 2:
        left, right = (one.constant for one in args)
        if left is not None and right is not None:
            value = {"add": left + right, "sub": left - right, "mul": left * right}[t.op]
            return Typed("const", WORD, (), value, Interval(value, value))
    return replace(t, args=args)


def _better(t: Typed) -> Typed:
    """The same value by another operation, where there is one for it."""
    if t.kind not in (WORD, TEXT) or not t.args:
        return t
    if t.op == "seg" and is_plain(t.args[0]) and not (is_plain(t) or any(map(_busy, t.args))):
        return replace(t, op=PART)
    if t.op == "pos" and all(map(is_plain, t.args[:2])) and not order_matters(*t.args[:2]):
        return replace(t, op=TEXT_POSITION)
    if t.kind == WORD and t.op == "elem" and t.args[0].constant is None:
        return slot(t)
    if t.op == "sgn" and t.args[0].kind == WORD:
        return replace(t, op=SIGN)
    if t.op == "mul":
        left, right = t.args if t.args[1].constant is not None else t.args[::-1]
        if right.constant is not None and 1 < right.constant <= SMALL_FACTOR:
            return replace(t, op=TIMES, args=(left,), data=right.constant)
    return t


def _is_truth(t: Typed) -> bool:
    """Tell whether a condition is -1 or 0."""
    if t.op in ("and", "or"):
        return all(map(_is_truth, t.args))
    return t.op in ir.COMPARISONS or t.op == LONG_TEST


_QUICK = frozenset({"const", "var", "text", "add", "sub", "neg", "check", SLOT})


def _busy(t: Typed) -> bool:
    """Tell whether calculating a value may need more than its own register."""
    if t.op in ("elem", SLOT):
        return any(one.op not in ("const", "var") for one in t.args)
    if t.op in ("add", "sub") and t.args[1].op not in ("const", "var"):
        return True
    return t.op not in _QUICK or any(map(_busy, t.args))


def _tests(t: Typed) -> Typed:
    """A condition whose parts are comparisons: a word is true where it is not 0.

    In an AND that is so if another part has all bits, or none: a comparison.
    """
    if t.op not in ("or", "and") or any(one.kind != WORD for one in t.args):
        return t
    if t.op == "and" and not any(map(_is_truth, t.args)):
        return t
    zero = Typed("const", WORD, (), 0, Interval(0, 0))
    parts = []
    for one in map(_tests, t.args):
        plain = one.op in ("var", "const")
        parts.append(Typed("ne", WORD, (one, zero), None, iv.TRUTH) if plain else one)
    return replace(t, args=tuple(parts))
