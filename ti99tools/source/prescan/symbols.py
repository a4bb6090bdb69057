"""Names of a program: what each one is, and in which scope."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ti99tools.source.prescan.sizes import AUTOMATIC_SUBSCRIPT
from ti99tools.source.syntax.statements import Parameter


@dataclass(slots=True)
class Symbol:
    """A name of a scope: simple variable (`dimensions` 0), array, or DEF function.

    `sizes` are the highest subscripts DIM gave. For a function `dimensions` is 1 with a
    parameter, `function` is the place (line index, offset) of its DEF and `argument` the
    parameter's name. `element`: a parameter of SUB that stands for an array element.
    """

    name: str
    dimensions: int
    sizes: tuple[int, ...] | None = None
    function: tuple[int, int] | None = None
    argument: str | None = None
    element: bool = False

    @property
    def is_string(self) -> bool:
        return self.name.endswith("$")

    @property
    def is_array(self) -> bool:
        return self.dimensions > 0 and self.function is None

    def extents(self, base: int) -> tuple[int, ...]:
        """The number of elements in each dimension."""
        sizes = self.sizes or (AUTOMATIC_SUBSCRIPT,) * self.dimensions
        return tuple(size + 1 - base for size in sizes)


Shape = tuple[int, ...] | None
"""What matters of an argument: an array's sizes by DIM, ELEMENT, or None for all else."""

ELEMENT: Shape = (-1,)
"""The shape of an array element passed by reference."""


@dataclass(slots=True)
class Scope:
    """The names of the main program (`name` empty) or of one SUB.

    A SUB whose arguments are arrays or array elements has a variant for each combination of
    array sizes and elements it is called with: `shape` says which.
    """

    name: str = ""
    parameters: tuple[Parameter, ...] = ()
    first_statement: tuple[int, int] = (0, 0)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    shape: tuple[Shape, ...] = ()
    _variants: dict[object, Scope] = field(default_factory=dict)

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells this scope from all others of its program."""
        return (self.name, self.shape)

    def copy(self) -> Scope:
        """A scope of the same names to which more can be added."""
        return replace(self, symbols=dict(self.symbols))

    def variant(self, shape: tuple[Shape, ...]) -> Scope:
        """The SUB as called with arguments of these shapes."""
        if shape == self.shape:
            return self
        known = self._variants.get(shape)
        if known is None:
            symbols = dict(self.symbols)
            for parameter, sizes in zip(self.parameters, shape, strict=True):
                symbol = symbols[parameter.name]
                if sizes == ELEMENT:
                    symbols[parameter.name] = replace(symbol, element=True)
                else:
                    symbols[parameter.name] = replace(symbol, sizes=sizes)
            known = Scope(self.name, self.parameters, self.first_statement, symbols, shape)
            self._variants[shape] = known
        return known
