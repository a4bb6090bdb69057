"""Expressions of Extended BASIC as small immutable records.

Every node knows whether it is a string: types are static, by the `$` of names. A `Fault` stands
where the machine raises an error; evaluating from left to right up to it gives what happens before
the error.
"""

from __future__ import annotations

from typing import TypeAlias

from ti99tools.base.record import Record, field


class Number(Record):
    """A numeric literal as written, e.g. `007`, `.5E-3`; `computer.numbers` gives its value."""

    text: str
    is_string = False


class String(Record):
    """A quoted literal without its quotes; code points are character codes."""

    text: str
    is_string = True


class Variable(Record):
    """A name without parentheses: a simple variable or a DEF function without parameter.

    `depth` is the number of stack words in use at its place in an expression.
    """

    name: str
    depth: int = field(default=0, compare=False)

    @property
    def is_string(self) -> bool:
        return self.name.endswith("$")


class Element(Record):
    """A name with parentheses: an array element or a DEF function with its argument.

    `depth` is the number of stack words in use at its place in an expression.
    """

    name: str
    subscripts: tuple[Expression, ...]
    depth: int = field(default=0, compare=False)

    @property
    def is_string(self) -> bool:
        return self.name.endswith("$")


class Group(Record):
    """An expression in parentheses (as an argument of CALL it is passed by value)."""

    inner: Expression

    @property
    def is_string(self) -> bool:
        return self.inner.is_string


class Unary(Record):
    """`+`, `-` or NOT (a token of base.tokens) before a numeric operand."""

    operator: int
    operand: Expression
    is_string = False


class Binary(Record):
    """Two operands of one type; comparisons of strings give numbers, `&` gives a string."""

    operator: int
    left: Expression
    right: Expression
    is_string: bool


class Function(Record):
    """A built-in function (its token) with as many arguments of the right types as it takes."""

    token: int
    arguments: tuple[Expression, ...]
    is_string: bool


class Fault(Record):
    """Evaluates `before` in order, then raises the error `code` (base.xberrors)."""

    code: int
    before: tuple[Expression, ...] = ()
    is_string = False


Expression: TypeAlias = (
    Number | String | Variable | Element | Group | Unary | Binary | Function | Fault
)
Target: TypeAlias = Variable | Element
"""What can be assigned to."""


_ATOMS = frozenset({Number, String, Variable})


def faulty(node: Expression) -> bool:
    """Tell whether evaluating `node` always ends in an error."""
    if type(node) in _ATOMS:
        return False
    match node:
        case Fault():
            return True
        case Element():
            return any(map(faulty, node.subscripts))
        case Group():
            return faulty(node.inner)
        case Unary():
            return faulty(node.operand)
        case Binary():
            return faulty(node.left) or faulty(node.right)
        case Function():
            return any(map(faulty, node.arguments))
        case _:
            return False


def operands(node: Expression) -> tuple[Expression, ...]:
    """The expressions inside a node, in the order in which they are evaluated."""
    match node:
        case Element():
            return node.subscripts
        case Group():
            return (node.inner,)
        case Unary():
            return (node.operand,)
        case Binary():
            return (node.left, node.right)
        case Function():
            return node.arguments
        case Fault():
            return node.before
        case _:
            return ()
