"""Variables in generated code: names, elements, values, targets of assignments.

A value is Python source with what is known about it; a slot is a target with its subscripts
evaluated.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.record import Record
from ti99tools.computer.interp.compile.outline import Outline, Range
from ti99tools.computer.interp.compile.units import COMMAND, cells_of, python_of
from ti99tools.computer.numbers.radix import Radix
from ti99tools.language.prescan.symbols import Scope, Symbol
from ti99tools.language.syntax.nodes import Element, Expression, Target, Variable, faulty


class PythonValue(Record):
    """Source text; `low` and `high` are bounds of a value that certainly is an int.

    `fraction` is a guess that it is not an int.
    """

    source: str
    low: int | None = None
    high: int | None = None
    fraction: bool = False

    def __str__(self) -> str:
        return self.source

    def within(self, low: int, high: int) -> bool:
        """Tell whether the value is certainly an int from `low` to `high`."""
        return (
            self.low is not None and self.high is not None and low <= self.low <= self.high <= high
        )

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Both bounds, if the value is certainly an int."""
        if self.low is None or self.high is None:
            return None
        return self.low, self.high


class VariableText(Record):
    """A target: `load` is the source that reads it. Unless `good`, `load` raises its error."""

    load: str
    is_string: bool
    good: bool
    declared: int | None = None
    """The number of the RANGE that its values are checked against."""

    def store(self, source: str) -> str:
        """The line that assigns `source` to it."""
        if not self.good:
            return self.load
        if self.declared is not None:
            return f"{self.load} = within({source}, {self.declared})"
        return f"{self.load} = kept({source})" if self.is_string else f"{self.load} = {source}"


class VariableEmitter:
    """Keeps track of the names that a block uses and assigns."""

    def __init__(self, outline: Outline, scope: Scope) -> None:
        self.outline = outline
        self.scope = scope
        self.free: set[str] = set()
        self.assigned: set[str] = set()
        self.symbols: dict[str, Symbol] = {}
        self.depths: dict[str, int] = {}
        self.constants: dict[str, Radix] = {}
        self.local: dict[str, str] = {}
        self.narrow: dict[str, Range] = {}
        self._temps = 0

    def temp(self) -> str:
        """A fresh local name."""
        self._temps += 1
        return f"t{self._temps}"

    def slot(self, target: Target) -> VariableText:
        """Evaluate a target's subscripts now; the result loads and stores it."""
        if isinstance(target, Variable):
            local = self.local.get(target.name)
            symbol = None if local else self.symbol(target.name, 0)
            if symbol is None:
                return VariableText(
                    local or f"fault({xb.SYNTAX_ERROR})", target.is_string, local is not None
                )
            if symbol.function is not None:
                return VariableText(f"fault({xb.IMPROPERLY_USED_NAME})", target.is_string, False)
            return VariableText(
                self.assign(symbol), target.is_string, True, self._declared(target.name)
            )
        index = self.element(target)
        if index is None:
            symbol = self.symbol(target.name, len(target.subscripts))
            if symbol is not None and symbol.function is not None:
                return VariableText(f"fault({xb.IMPROPERLY_USED_NAME})", target.is_string, False)
            return VariableText(self.value(target).source, target.is_string, False)
        array, position = index
        if not position.isdecimal():
            temp = self.temp()
            self.line(f"{temp} = {position}")
            position = temp
        return VariableText(
            f"{array}[{position}]", target.is_string, True, self._declared(target.name)
        )

    def _declared(self, name: str) -> int | None:
        return self.outline.declared.get((self.scope.name, name))

    @property
    def is_command(self) -> bool:
        """Tell whether this is a line typed without a number."""
        return self.outline.listing.numbers[:1] == [COMMAND]

    def line(self, text: str) -> None:
        """Write a line (the emitter's business)."""
        raise NotImplementedError

    def value(self, node: Expression) -> PythonValue:
        """Source of any expression (ExpressionEmitter's business)."""
        raise NotImplementedError

    # -- names ----------------------------------------------------------------------------

    def symbol(self, name: str, dimensions: int) -> Symbol | None:
        """The symbol of a name used with `dimensions` subscripts; None if there is none."""
        symbol = self.scope.symbols.get(name)
        return symbol if symbol is not None and symbol.dimensions == dimensions else None

    def use(self, symbol: Symbol) -> str:
        """The Python name of a variable or array that generated code reads."""
        if symbol.element:
            self.free.update(cells_of(symbol))
            return "{}[{}]".format(*cells_of(symbol))
        name = python_of(symbol)
        self.symbols[name] = symbol
        self.free.add(name)
        return name

    def function(self, symbol: Symbol, depth: int) -> str:
        """The Python name of a DEF that is used with `depth` words of stack taken."""
        name = f"{python_of(symbol)}{depth}"
        self.symbols[name] = symbol
        self.depths[name] = depth
        self.free.add(name)
        return name

    def assign(self, symbol: Symbol) -> str:
        """What generated code assigns to for a variable."""
        name = self.use(symbol)
        if not symbol.element:
            self.assigned.add(name)
        return name

    def missing(self, name: str) -> PythonValue:
        """The error of using a name wrongly: no such name, or one with another number of
        subscripts.

        The pre-scan refuses the latter; where it was switched off, the parentheses are surplus.
        """
        symbol = self.scope.symbols.get(name)
        function = symbol is not None and symbol.function is not None
        code = xb.IMPROPERLY_USED_NAME if function else xb.SYNTAX_ERROR
        return PythonValue(f"fault({code})")

    def element(self, node: Element) -> tuple[str, str] | None:
        """(list, index) of an array element; None if there is no such element."""
        symbol = self.symbol(node.name, len(node.subscripts))
        if symbol is None or symbol.function is not None:
            return None
        if any(part.is_string or faulty(part) for part in node.subscripts):
            return None
        array = self.use(symbol)
        base = self.outline.scan.base
        index = ""
        for part, extent in zip(node.subscripts, symbol.extents(base), strict=True):
            position = self._subscript(part, base, extent)
            index = _flat(index, extent, position)
        return array, index

    def left_undone(self, node: Expression) -> str:
        """A further argument: cycles that an error saves (ExpressionEmitter's business)."""
        raise NotImplementedError

    def _subscript(self, part: Expression, base: int, extent: int) -> str:
        """Source of a subscript as a position from 0, checked unless it is certainly valid."""
        value = self.value(part)
        shift = f" - {base}" if base else ""
        bounds = value.bounds
        end = base + extent
        if bounds is not None and base <= bounds[0] and bounds[1] < end:
            return str(bounds[0] - base) if bounds[0] == bounds[1] else f"{value}{shift}"
        name = first = value.source
        if not name.isidentifier():
            name = self.temp()
            first = f"({name} := {value})"
        if bounds is None:
            good = f"{first}.__class__ is int and {base} <= {name} < {end}"
        elif base <= bounds[0]:
            good = f"{first} < {end}"
        else:
            good = f"{base} <= {first} < {end}"
        other = f"subscript({name}, {base}, {extent}{self.left_undone(part)})"
        return f"({name}{shift} if {good} else {other})"


def _flat(index: str, extent: int, position: str) -> str:
    """The position in a flat list, given that of the leading subscripts."""
    if not index:
        return position
    if index.isdecimal() and position.isdecimal():
        return str(int(index) * extent + int(position))
    return f"({index}) * {extent} + {position}"
