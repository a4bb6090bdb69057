"""Words and cells: the representation of every variable and expression, and where variables lie.

A variable is a word if all that is ever assigned to it is proven to be one, else a cell; so is an
array. Expressions become trees of `Typed` nodes, whose kind the code generator relies on.

Workspace >8320: R0-R5 are for calculations, R10 points into the stack of GOSUB and FOR, R11 is for
BL. The others hold variables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ti99tools.compiler import ir
from ti99tools.compiler.actions import SURE
from ti99tools.compiler.ranges import Ranges
from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.fixpoint import State
from ti99tools.language.analysis.intervals import Interval

WORD, CELL, TEXT, CHARACTER, LONG = "w", "c", "t", "h", "l"
WIDTHS = {WORD: 2, CELL: 8, TEXT: 2, CHARACTER: 1, LONG: 4}
"""Bytes of a variable or an element: a text's handle is a word. Only elements are characters, and
only SUBs of a program that is interpreted have longs."""
SUMS = frozenset({"add", "sub", "mul", "neg", "abs", "max", "min"})
"""Operations whose words are added, subtracted, multiplied or chosen."""
_BITS = frozenset({"and", "or", "xor", "not"})
_WARNING, _DRAWS = "a warning", "a random number"
_WARN = frozenset({"add", "sub", "mul", "div", "exp"})
"""Operations of cells that never fail, but may give a warning."""


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression whose kind is known; its value lies in `range`.

    Besides the operations of `ir.Expr`: toword (a cell as a word, data: lowest, highest, error) and
    check (a word, the same data). The argument of elem is a single position from 0.
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
    """The kinds of a program's variables and arrays; `words` False: everything is a cell.

    `small`: elements of arrays that need no more are characters.
    """

    def __init__(
        self, code: ir.Code, ranges: Ranges, words: bool = True, small: bool = False
    ) -> None:
        self.code = code
        self.ranges = ranges
        self.words = words
        self.variables = {
            name: WORD if words and found.is_word else CELL for name, found in ranges.all.items()
        }
        self.arrays = {
            name: WORD if words and found.is_word else CELL for name, found in ranges.arrays.items()
        } | dict.fromkeys(filter(ir.is_text_name, ranges.arrays), TEXT)
        if small:
            self.arrays |= dict.fromkeys(character_arrays(ranges), CHARACTER)
        self.data = WORD if words and ranges.data.is_word else CELL

    def of(self, name: str) -> str:
        """The kind of a variable."""
        if ir.is_text_name(name):
            return TEXT
        return self.variables.get(name, WORD if self.words else CELL)

    def array(self, name: str) -> str:
        """The kind of an array's elements."""
        return self.arrays[self.code.arrays[name].name]

    def condition(self, expr: ir.Expr, state: State) -> Typed:
        """An expression that is only asked whether it is 0."""
        return self.typed(expr, state)

    def typed(self, expr: ir.Expr, state: State) -> Typed:
        """An expression with the kinds and ranges that it has in a state."""
        found = self.ranges.value(expr, state) if not expr.is_text else iv.WORD
        match expr.op:
            case "const":
                small = isinstance(expr.data, int) and found.is_word
                return Typed("const", WORD if small else CELL, (), expr.data, found)
            case "var":
                return Typed("var", self.of(expr.data), (), expr.data, found)
            case "elem":
                index = self.index(expr.data, expr.args, state)
                kind = self.array(expr.data)
                if kind == CHARACTER:
                    kind = TEXT
                return Typed("elem", kind, (index,), expr.data, found)
            case "round":
                return self._rounded(expr, state)
            case "within":
                inner = self.typed(expr.args[0], state)
                if _is_quiet(inner):
                    return inner
                return replace(inner, op="within", args=(inner,), data=expr.data)
            case "quot" | "mod" | "randint":
                return self._special(expr, state, found)
        args = tuple(self.typed(arg, state) for arg in expr.args)
        return self._operation(expr, args, found)

    def argument(self, expr: ir.Expr, state: State) -> Typed:
        """The argument of an action."""
        return self.typed(expr, state)

    def index(self, array: str, positions: tuple[ir.Expr, ...], state: State) -> Typed:
        """The positions in all dimensions as one position from 0."""
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
        result = iv.mul(left.range, other) if op == "mul" else iv.sub(left.range, other)
        return Typed(op, WORD, (left, Typed("const", WORD, (), right, other)), None, result)

    def _rounded(self, expr: ir.Expr, state: State) -> Typed:
        inner = self.typed(expr.args[0], state)
        low, high, _ = expr.data
        result = iv.rounded(inner.range, low, high)
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
        if op in ("len", "asc", "pos", "wrapped", "passed", "sgn", "byte", "eof", "rec", "caught"):
            return Typed(op, WORD, args, expr.data, found)
        # A word has no fraction.
        if op == "int" and args[0].kind == WORD:
            return args[0]
        if op in SUMS and words and found.is_word and self.words:
            return Typed(op, WORD, args, expr.data, found)
        return Typed(op, CELL, args, expr.data, found)


_QUIET = frozenset({"const", "var", "add", "sub", "mul", "neg", "abs", "max", "min", *_BITS})


def _is_quiet(t: Typed) -> bool:
    """Tell whether calculating a word gives neither an error nor a warning."""
    own = t.op in _QUIET or t.op in ir.COMPARISONS
    return t.kind == WORD and own and all(map(_is_quiet, t.args))


REGISTERS = (6, 7, 8, 9, 12, 13, 14, 15)
"""Registers for variables: nothing else changes them."""
OWED = 15
"""The register for the time that is owed, in programs that have loops with a pace."""
PAD = (*range(0x8302, 0x8320, 2), *range(0x8340, 0x8348, 2), *range(0x83AC, 0x83C0, 2))
"""Words of the scratch pad that the console's routines leave alone."""
HOT = 8
"""How much more a use counts with each loop around it."""


class Places:
    """The operand of every variable and array; `suffix` ends its labels."""

    def __init__(self, code: ir.Code, kinds: Kinds, suffix: str = "") -> None:
        self.kinds, self.suffix = kinds, suffix
        self.registers: dict[str, int] = {}
        self.operands: dict[str, str] = {}
        self.labels: list[tuple[str, int]] = []
        """Label and bytes of each variable in memory."""
        self.arrays: dict[str, str] = {}
        self.array_sizes: list[tuple[str, int]] = []
        self._share_out(code)

    def _share_out(self, code: ir.Code) -> None:
        """Give places to arrays, and to the variables that are used most."""
        self._take(code.arrays.values())
        # They get registers, then the fast memory of the scratch pad.
        names = used_most(code.blocks.values(), HOT)
        words = [name for name in names if self.kinds.of(name) == WORD]
        cells = [name for name in names if self.kinds.of(name) == CELL]
        pad = [f">{at:04X}" for at in PAD]
        registers = [r for r in REGISTERS if not (code.paced and r == OWED)]
        for name in words:
            if registers:
                self.registers[name] = registers.pop(0)
                self.operands[name] = f"R{self.registers[name]}"
            elif pad:
                self.operands[name] = f"@{pad.pop(0)}"
            else:
                self.operands[name] = f"@{self._label(2)}"
        for name in cells:
            place = _four(pad)
            self.operands[name] = f"@{place or self._label(8)}"

    def _take(self, arrays: Iterable[ir.Array]) -> None:
        for array in {a.name: a for a in arrays}.values():
            label = self.arrays[array.name] = f"A{len(self.arrays)}{self.suffix}"
            width = WIDTHS[self.kinds.array(array.name)]
            self.array_sizes.append((label, (array.size * width + 1) & ~1))

    def _label(self, size: int) -> str:
        label = f"V{len(self.labels)}{self.suffix}"
        self.labels.append((label, size))
        return label

    def operand(self, name: str) -> str:
        """How an instruction names a variable: R7, @>8302, @V3."""
        if name not in self.operands:
            self.operands[name] = f"@{self._label(WIDTHS[self.kinds.of(name)])}"
        return self.operands[name]

    def address(self, name: str) -> str:
        """A variable's address as an expression of the assembler."""
        operand = self.operand(name)
        return f"WS+{2 * self.registers[name]}" if operand[0] == "R" else operand[1:]


def _four(pad: list[str]) -> str:
    """Take four adjacent words of the pad; empty if there are none."""
    for at in range(len(pad) - 3):
        first = int(pad[at][1:], 16)
        if pad[at : at + 4] == [f">{first + 2 * n:04X}" for n in range(4)]:
            del pad[at : at + 4]
            return f">{first:04X}"
    return ""


def used_most(blocks: Iterable[ir.Block], deeper: int) -> list[str]:
    """The variables of blocks, the most used first; a loop counts a use `deeper` times."""
    weight: Counter[str] = Counter()
    for block in blocks:
        for action in (*block.body, block.end):
            for name in _names_of(action):
                weight[name] += deeper**block.depth
    return [name for name, _ in weight.most_common()]


def _names_of(action: ir.Action | ir.End | None) -> list[str]:
    found: list[str] = []
    if isinstance(action, ir.Assign):
        found.append(action.target)
    elif isinstance(action, ir.Do):
        found += action.results
    for expr in ir.expressions(action):
        found += [part.data for part in ir.walk(expr) if part.op == "var"]
    return found


LAST_CODE = 254
"""The last code that such an element may have: its byte is the code and 1; 0 is no character."""


def character_arrays(ranges: Ranges) -> set[str]:
    """The names of these arrays in a program whose ranges are known."""
    code = ranges.code
    found = {array.name for array in code.arrays.values() if ir.is_text_name(array.name)}
    for name, before in ranges.before.items():
        block = code.blocks[name]
        state: State = dict(before)
        for action in (*block.body, block.end):
            for expr in ir.expressions(action):
                for part in ir.walk(expr):
                    if part.op == "moved" and part.args[0].op == "elem":
                        found.discard(code.arrays[part.args[0].data].name)
            if not isinstance(action, ir.Action):
                continue
            if isinstance(action, ir.Store) and not _is_character(action.value, ranges, state):
                found.discard(code.arrays[action.array].name)
            ranges.act(action, state)
    return found


def _is_character(value: ir.Expr, ranges: Ranges, state: State) -> bool:
    if value.op == "text":
        return len(value.data) <= 1 and all(ord(each) <= LAST_CODE for each in value.data)
    if value.op != "chr":
        return False
    code = ranges.value(value.args[0], state)
    return bool(code.low >= 0 and code.high <= LAST_CODE)


def fails(t: Typed) -> bool:
    """Tell whether calculating a value can fail."""
    return any(_fails(part) for part in _walk(t))


def order_matters(first: Typed, second: Typed) -> bool:
    """Tell whether a program can see which of two values is calculated first."""
    effects = [set().union(*map(_effects, _walk(t))) for t in (first, second)]
    both = effects[0] | effects[1]
    return all(effects) and (len(both) > 1 or _DRAWS in both)


def _walk(t: Typed) -> list[Typed]:
    return [t, *(part for arg in t.args for part in _walk(arg))]


def _fails(t: Typed) -> bool:
    if t.op in ("toword", "check"):
        low, high = t.data[:2]
        own = t.args[0].range
        return not (low <= own.low and own.high <= high)
    return t.op not in SURE


def _effects(t: Typed) -> set[object]:
    if _fails(t):
        return {t.data[2] if t.op in ("toword", "check") else t.op}
    if t.op in ("rnd", "randint"):
        return {_DRAWS}
    warns = t.kind == CELL and t.op in _WARN and t.data != ir.QUIET
    return {_WARNING} if warns else set()
