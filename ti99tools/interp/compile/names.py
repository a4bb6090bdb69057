"""Names of a program: what each one is, and the Python names they get in generated code."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from ti99tools.source.syntax.statements import Parameter

DEFAULT_SIZE = 10
"""Highest subscript of an array that no DIM mentions."""


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
        sizes = self.sizes or (DEFAULT_SIZE,) * self.dimensions
        return tuple(size + 1 - base for size in sizes)

    @property
    def cells(self) -> tuple[str, str]:
        """The two cells of a parameter that stands for an array element: list and position."""
        return f"{self.python}_list", f"{self.python}_at"

    @property
    def python(self) -> str:
        """Its name in generated code: `A`, `A_s` for A$, `A_a`, `A_sa` for arrays, `A_f` …"""
        kind = "f" if self.function is not None else "a" if self.dimensions else ""
        text = python_name(self.name)
        return text + kind if text.endswith("_s") else f"{text}_{kind}" if kind else text


@lru_cache(maxsize=4096)
def python_name(name: str) -> str:
    """A BASIC name as a Python identifier; small letters never occur in BASIC names."""
    string = name.endswith("$")
    body = name[:-1] if string else name
    text = "".join(c if c.isascii() and (c.isupper() or c.isdigit() or c == "_")
                   else f"x{ord(c):02x}" for c in body)  # fmt: skip
    if not text or text[0].isdigit():
        text = f"n{text}"
    return f"{text}_s" if string else text


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
        """This SUB called with arguments of these shapes."""
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
