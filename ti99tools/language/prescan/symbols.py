"""Names of a program, the memory they take, and the work of finding them.

Sizes are in bytes; this is the one table of them. With the 32K expansion, high memory holds the
program and the numeric values; video memory holds the symbol table, strings and the stack. Without
it all of them share video memory. Sizes of symbols and strings are those that SIZE showed in
recordings (size-dev):

    numeric variable       8 + name in video memory, 8 in high memory
    string variable        8 + name; its text, if not empty, 4 + length
    numeric array          8 + name + 2 a dimension; 8 an element in high memory
    string array           6 + name + 2 a dimension + 2 an element; texts as above
    DEF function           8 + name; a numeric parameter 8 in high memory
    CALL of a built-in     8 + name, once however often it is called; of an unknown one nothing
    SUB                    14 + name + 2 a parameter; its variables are its own

The counts of a pre-scan tell how long it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Reversible
from dataclasses import dataclass, field, replace

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.language.syntax.statements import Parameter

VIDEO_SPACE = 11_840
"""Video memory for a program, with a disk controller attached (three files)."""
HIGH_SPACE = 24_488
"""High memory for a program, in the 32K expansion."""

LINE_OVERHEAD = 6
"""Of a program line besides its tokens: entry in the line number table, length byte, end byte."""

ENTRY, PER_DIMENSION, NUMBER, POINTER = 8, 2, 8, 2
SUB_ENTRY, PER_PARAMETER = 14, 2
STRING_OVERHEAD = 4

LOOP_FRAME, SUB_FRAME, OTHER_FRAME = 32, 16, 8
"""Of the stack: a FOR, a CALL of a SUB, everything else."""
STACK_RESERVE = 64
"""Between stack and strings when a string is made; SIZE does not count it."""
FILE_BUFFER = 14
"""Of an open file besides its name and a record: its PAB and what Extended BASIC notes about it."""

HIGHEST_SUBSCRIPT = 32_767
"""The highest subscript in DIM; a larger one is a BAD VALUE."""
AUTOMATIC_SUBSCRIPT = 10
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
        sizes = self.sizes or (AUTOMATIC_SUBSCRIPT,) * self.dimensions
        return tuple(size + 1 - base for size in sizes)


Shape = tuple[int, ...] | None
"""The relevant shape of an argument: an array's sizes by DIM, ELEMENT, or None for the rest."""

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
        """What distinguishes this scope from all others of its program."""
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


class MemoryTaken:
    """Bytes taken of both memories; if not `limited`, they may exceed what exists."""

    def __init__(self, lines: Iterable[bytes] = (), *, limited: bool = True) -> None:
        self.video = 0
        self.values = 0
        self.program = sum(LINE_OVERHEAD + len(tokens) for tokens in lines)
        self.limited = limited

    def take(self, video: int, values: int = 0) -> None:
        """Reserve bytes. Raises XBError (MEMORY FULL) if too few are left."""
        self.video += video
        self.values += values
        if not self.limited:
            return
        if self.video > VIDEO_SPACE or self.program + self.values > HIGH_SPACE:
            raise XBError(xb.MEMORY_FULL)

    def symbol(self, symbol: Symbol, elements: int) -> None:
        """Enter a variable, array or function; `elements` is 0 for an array parameter."""
        size = ENTRY + len(symbol.name)
        if symbol.function is not None:
            numeric = symbol.argument is not None and not symbol.argument.endswith("$")
            self.take(size, NUMBER if numeric else 0)
            return
        size += PER_DIMENSION * symbol.dimensions
        if not symbol.is_string:
            self.take(size, NUMBER * elements)
        elif symbol.dimensions:
            self.take(size + POINTER * elements - POINTER)
        else:
            self.take(size)

    def subprogram(self, name: str, parameters: int) -> None:
        """Enter a SUB: its entry, its name, and a pointer for each parameter."""
        self.take(SUB_ENTRY + len(name) + PER_PARAMETER * parameters)

    def built_in(self, name: str) -> None:
        """Enter a built-in subprogram that is called."""
        self.take(ENTRY + len(name))


@dataclass(eq=False, repr=False, slots=True)
class Work:
    """Counts of one pass.

    Lines: `lines`, without `remarks`, which begin with `!`. Statements: `statements` after the
    first of a line; `entries` of the table of statements that are compared with each first token.
    Names: `names` met, their `characters`, the newer names `passed` on the way to each, and those
    of the `same_length` among these. Subscripts: `steps` from token to token, bytes looked `ahead`,
    and the `commas` between them. Table: `symbols` entered, the `dimensions` of arrays, the
    `elements` of numeric ones, those `declared` by DIM, `functions` (DEF), those with `arguments`,
    those with `texts` for arguments, and `subs`. CALLs: of `built_in` subprograms, the `letters` of
    their names, `new_letters` of names met for the first time, and CALLs of `own` ones. Tokens:
    `jumps` are line numbers, `options` OPTION BASE, `tokens` all but names.
    """

    lines: int = 0
    remarks: int = 0
    statements: int = 0
    entries: int = 0
    names: int = 0
    characters: int = 0
    passed: int = 0
    same_length: int = 0
    steps: int = 0
    ahead: int = 0
    commas: int = 0
    symbols: int = 0
    declared: int = 0
    dimensions: int = 0
    elements: int = 0
    functions: int = 0
    arguments: int = 0
    texts: int = 0
    subs: int = 0
    options: int = 0
    tokens: int = 0
    built_in: int = 0
    letters: int = 0
    new_letters: int = 0
    own: int = 0
    jumps: int = 0

    def find(self, name: str, table: Reversible[str]) -> None:
        """Count a name that is looked for in a table, from the newest entry to the oldest."""
        self.names += 1
        length = len(name)
        self.characters += length
        passed = same_length = 0
        for other in reversed(table):
            if other == name:
                break
            passed += 1
            if len(other) == length:
                same_length += 1
        self.passed += passed
        self.same_length += same_length
