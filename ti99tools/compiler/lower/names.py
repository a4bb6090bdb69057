"""What names of a program mean: scopes, hidden variables, and parameters in a variant of a SUB."""

from __future__ import annotations

from dataclasses import dataclass, field

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.refusing import fail, refuse
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import Scope, Symbol
from ti99tools.language.syntax import nodes as nd

MOST_VARIANTS = 12
"""The most variants of a SUB; each takes memory for its own code."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a parameter is: `array` (whole), `element` (of an array), `same` (another variable)."""

    kind: str
    name: str


WITHOUT_NAMES = " without names"
"""Ends the names of blocks of a program that has lost its names."""
Binding = tuple[Bound | None, ...]
"""For each parameter what it is; None: a variable of its own."""


@dataclass(slots=True)
class Variants:
    """The variants of all SUBs: those met so far, and those still to be lowered."""

    known: dict[str, list[Binding]] = field(default_factory=dict)
    waiting: list[tuple[str, Binding]] = field(default_factory=list)
    bound: dict[str, Bound] = field(default_factory=dict)
    """Parameter → what it is in the current variant."""

    def label(self, name: str, binding: Binding) -> str:
        """The suffix of the names of a variant's blocks; a new variant waits to be lowered.

        Raises Refused for too many variants of a SUB.
        """
        known = self.known.setdefault(name, [])
        if binding not in known:
            if len(known) == MOST_VARIANTS:
                refuse(
                    f"SUB {name} is called with too many different arrays",
                    "write another SUB for some of them",
                )
            known.append(binding)
            self.waiting.append((name, binding))
        number = known.index(binding)
        return f" {name}~{number}" if number else ""


def subscript(parameter: str, number: int) -> str:
    """The variable that holds a subscript of a parameter that is an element."""
    return f"{parameter} subscript {number}"


def full_name(scope: Scope, name: str) -> str:
    """A name of a scope as the intermediate form has it."""
    return f"{scope.name}.{name}" if scope.name else name


class Names:
    """The current scope and the current variant of it, with what names mean there."""

    def __init__(self, scan: Scan, code: ir.Code) -> None:
        self.scan = scan
        self.scope: Scope = scan.main
        self.variants = Variants()
        self.definition: dict[str, ir.Expr] = {}
        """The parameter of the current DEF → what it stands for."""
        self.definitions_open = 0
        """How many DEFs are being put in place of their uses, one in another."""
        self.definition_uses = 0
        """Uses of DEFs whose argument is kept in a variable; each has one of its own."""
        self.lost = False
        """Whether RUN has failed before: there are no names then, nor subprograms."""
        self._code = code
        self._suffix = ""

    def enter(self, scope: Scope, binding: Binding) -> None:
        """Make a SUB the current scope, in the variant with this binding of its parameters."""
        self.scope = scope
        pairs = zip(scope.parameters, binding, strict=True)
        self.variants.bound = {one.name: bound for one, bound in pairs if bound is not None}
        self._suffix = self.variants.label(scope.name, binding)

    def lose(self) -> None:
        """Go on without any names, as a program does that has caught the error of a RUN."""
        self.scope = Scope()
        self.variants.bound = {}
        self.lost, self._suffix = True, WITHOUT_NAMES

    def symbol(self, name: str) -> Symbol:
        """The symbol of a name in the current scope. Raises Fails."""
        symbol = self.scope.symbols.get(name)
        if symbol is None:
            fail(xb.SYNTAX_ERROR, f"let the pre-scan see {name}")
        return symbol

    def is_calculated_use(self, node: object) -> bool:
        """Tell whether an expression uses a DEF with an argument that is calculated."""
        if not isinstance(node, nd.Element):
            return False
        symbol = self.scope.symbols.get(node.name)
        plain = isinstance(node.subscripts[0], nd.Number | nd.String | nd.Variable)
        return symbol is not None and symbol.function is not None and not plain

    @property
    def variant(self) -> str:
        """The current variant: see `ir.Block`."""
        return self.scope.name + self._suffix

    def block(self, name: str) -> str:
        """A block's name in the current variant."""
        return f"{name}{self._suffix}"

    def full(self, name: str) -> str:
        """A name of the current scope as the intermediate form has it."""
        return full_name(self.scope, name)

    def hidden(self, word: str) -> str:
        """A variable that the compiler adds to the current scope; no program can name it."""
        name = self.full(word)
        self._code.hidden.add(name)
        return name

    def bound(self, name: str) -> Bound | None:
        """What a parameter is in the current variant; None for any other variable."""
        return self.variants.bound.get(name)

    def variable(self, name: str) -> str:
        """A simple variable's name in the intermediate form."""
        bound = self.bound(name)
        return bound.name if bound is not None and bound.kind == "same" else self.full(name)

    def array(self, name: str) -> str:
        """The array that a name means: that of a caller, where it is a parameter."""
        bound = self.bound(name)
        return self.variable(name) if bound is None else bound.name
