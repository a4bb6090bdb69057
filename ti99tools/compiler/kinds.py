"""Words and cells: which representation every variable, array and expression has.

A variable is a word if all that is ever assigned to it is proven to be one, else a cell; so is an
array. Expressions become trees of `Typed` nodes, whose kind the code generator relies on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ti99tools.compiler import intervals as iv
from ti99tools.compiler import ir
from ti99tools.compiler.intervals import Interval
from ti99tools.compiler.ranges import Ranges, State

WORD, CELL, TEXT = "w", "c", "t"
_PLAIN = frozenset({"add", "sub", "mul", "neg", "abs", "max", "min"})
_BITS = frozenset({"and", "or", "xor", "not"})


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression whose kind is known; its value lies in `range`.

    Besides the operations of `ir.Expr`: toword (a cell as a word, data: lowest, highest, error),
    check (a word, the same data), index (args: positions; data: the array).
    """

    op: str
    kind: str
    args: tuple[Typed, ...] = ()
    data: Any = None
    range: Interval = iv.WORD

    @property
    def constant(self) -> int | None:
        """The value, where it is a constant word."""
        return self.data if self.op == "const" and self.kind == WORD else None


class Kinds:
    """The kinds of a program's variables and arrays; `words` False: everything is a cell."""

    def __init__(self, code: ir.Code, ranges: Ranges, words: bool = True) -> None:
        self.code = code
        self.ranges = ranges
        self.words = words
        self.variables = {
            name: WORD if words and found.is_word else CELL for name, found in ranges.all.items()
        }
        self.arrays = {
            name: WORD if words and found.is_word else CELL for name, found in ranges.arrays.items()
        }
        self.data = WORD if words and ranges.data.is_word else CELL

    def of(self, name: str) -> str:
        """The kind of a variable."""
        return self.variables.get(name, WORD if self.words else CELL)

    def array(self, name: str) -> str:
        """The kind of an array's elements."""
        return self.arrays[self.code.arrays[name].name]

    def typed(self, expr: ir.Expr, state: State) -> Typed:
        """An expression in a state."""
        found = self.ranges.value(expr, state) if not expr.is_text else iv.WORD
        match expr.op:
            case "const":
                small = isinstance(expr.data, int) and found.is_word
                return Typed("const", WORD if small else CELL, (), expr.data, found)
            case "var":
                return Typed("var", self.of(expr.data), (), expr.data, found)
            case "elem":
                index = self.index(expr.data, expr.args, state)
                return Typed("elem", self.array(expr.data), (index,), expr.data, found)
            case "round":
                return self._rounded(expr, state)
            case "quot" | "mod" | "randint":
                return self._special(expr, state, found)
        args = tuple(self.typed(arg, state) for arg in expr.args)
        return self._operation(expr, args, found)

    def index(self, array: str, positions: tuple[ir.Expr, ...], state: State) -> Typed:
        """Positions as a number from 0."""
        own = self.code.arrays[array]
        found: Typed | None = None
        for position, extent in zip(positions, own.extents, strict=True):
            one = self.typed(position, state)
            if own.base:
                one = self._sum("sub", one, own.base)
            if found is not None:
                scaled = self._sum("mul", found, extent)
                high = scaled.range.high + one.range.high
                one = Typed("add", WORD, (scaled, one), None, Interval(0, high))
            found = one
        assert found is not None
        return found

    @staticmethod
    def _sum(op: str, left: Typed, right: int) -> Typed:
        if left.constant is not None:
            value = left.constant - right if op == "sub" else left.constant * right
            return Typed("const", WORD, (), value, Interval(value, value))
        other = Interval(right, right)
        result = iv.mul(left.range, other) if op == "mul" else iv.add(left.range, iv.neg(other))
        return Typed(op, WORD, (left, Typed("const", WORD, (), right, other)), None, result)

    def _rounded(self, expr: ir.Expr, state: State) -> Typed:
        inner = self.typed(expr.args[0], state)
        low, high, _ = expr.data
        within = iv.meet(Interval(inner.range.low, inner.range.high), low, high)
        result = within or Interval(low, high)
        if inner.kind == WORD:
            if low <= inner.range.low and inner.range.high <= high:
                return inner
            return Typed("check", WORD, (inner,), expr.data, result)
        return Typed("toword", WORD, (inner,), expr.data, result)

    def _special(self, expr: ir.Expr, state: State, found: Interval) -> Typed:
        args = tuple(self.typed(arg, state) for arg in expr.args)
        words = self.words and all(arg.kind == WORD for arg in args)
        if expr.op == "randint":
            if args[0].kind == WORD and args[0].range.low >= 1:
                return Typed("randint", WORD, args, None, found)
        elif words and args[1].range.low > 0:
            return Typed(expr.op, WORD, args, None, found)
        return self.typed(expr.data, state)

    def _operation(self, expr: ir.Expr, args: tuple[Typed, ...], found: Interval) -> Typed:
        op = expr.op
        words = all(arg.kind == WORD for arg in args)
        if expr.is_text:
            return Typed(op, TEXT, args, expr.data)
        if op in ir.COMPARISONS or op[1:] in ir.COMPARISONS or op in _BITS:
            return Typed(op, WORD, args, expr.data, found)
        if op in ("len", "asc", "pos", "wrapped", "passed", "sgn"):
            return Typed(op, WORD, args, expr.data, found)
        if op == "int" and args[0].kind == WORD:
            return args[0]
        if op in _PLAIN and words and found.is_word and self.words:
            return Typed(op, WORD, args, expr.data, found)
        return Typed(op, CELL, args, expr.data, found)
