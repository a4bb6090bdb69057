"""Which parts of a statement let no interrupt in: its shut pieces (hardware/machine/interrupts).

Machine code evaluates numbers, looks names up and stores values; functions of strings, RND, MAX,
MIN and DEF are GPL, which lets interrupts in. A statement lets them in when it begins. Statements
that are machine code altogether are shut from there to the next statement, except for such
functions; of others only each expression is. Source: interrupts counted in costs4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ti99tools.base import tokens as tk
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.nodes import operands

OPEN_FUNCTIONS = frozenset(
    (tk.ASC, tk.CHR, tk.EOF, tk.LEN, tk.MAX, tk.MIN, tk.POS, tk.REC, tk.RND, tk.RPT, tk.SEG, tk.STR)
) | {tk.VAL}
SERIES = frozenset((tk.ATN, tk.COS, tk.EXP, tk.LOG, tk.SIN, tk.SQR, tk.TAN))
"""Functions that take long, and how long depends on their argument."""
ALL_SHUT = (
    st.Let,
    st.If,
    st.For,
    st.Next,
    st.Goto,
    st.Gosub,
    st.OnGo,
    st.Return,
    st.EmptyStatement,
)

ONE_BY_ONE = ("COINC", "DISTANCE", "LOCATE", "MOTION", "POSITION", "SPRITE")
"""Subprograms that take the time of each argument when it is evaluated: sprites move meanwhile."""

Piece = tuple[int, int]
"""Cycles from the start of a shut piece to the end of all, and its own cycles."""


class Costs(Protocol):
    """What statements and expressions cost, and what names mean."""

    def statement(self, node: st.Statement, /) -> int: ...

    def expression(self, node: nd.Expression, /) -> int: ...

    def is_own(self, subprogram: str, /) -> bool: ...

    def is_function(self, name: str, /) -> bool: ...


def heavy(node: nd.Expression) -> bool:
    """Tell whether an expression has an operation whose time is long and known only at run time."""
    own = (isinstance(node, nd.Binary) and node.operator == tk.POWER) or (
        isinstance(node, nd.Function) and node.token in SERIES
    )
    return own or any(map(heavy, operands(node)))


def pieces(
    costs: Costs, expressions: Sequence[nd.Expression], own: int = 0, together: bool = False
) -> list[Piece]:
    """The shut pieces that matter: longer than a frame, or not yet known.

    `own` are cycles of the statement besides its expressions. `together`: they and the expressions
    are one piece, except for what is open.
    """
    all_pieces: list[Piece] = []
    rest = own + sum(costs.expression(node) for node in expressions)
    size, long = 0, False

    def close() -> None:
        nonlocal size, long
        if size > FRAME or long:
            all_pieces.append((rest + size, size))
        size, long = 0, False

    for node in expressions:
        for cycles, shut, known in _steps(costs, node):
            if not shut:
                close()
            else:
                size += cycles
                long = long or not known
            rest -= cycles
        if not together:
            close()
    if together:
        size += own
        rest -= own
    close()
    return all_pieces


def is_shut(costs: Costs, node: st.Statement) -> bool:
    """Tell whether a statement is machine code altogether, but for functions that are GPL."""
    return isinstance(node, ALL_SHUT) or (isinstance(node, st.Call) and costs.is_own(node.name))


def of_statement(costs: Costs, node: st.Statement) -> list[Piece]:
    """The shut pieces of a statement whose time is charged when it begins."""
    together = is_shut(costs, node)
    if not together and not (isinstance(node, st.Call) and node.name not in ONE_BY_ONE):
        return []
    expressions = st.expressions_in(node)
    own = costs.statement(node) - sum(map(costs.expression, expressions))
    return pieces(costs, expressions, own, together)


def _steps(costs: Costs, node: nd.Expression) -> Iterator[tuple[int, bool, bool]]:
    """The steps of an evaluation, in order: cycles, whether it is shut, whether that is all."""
    own = costs.expression(node)
    for operand in operands(node):
        own -= costs.expression(operand)
        yield from _steps(costs, operand)
    match node:
        case nd.Function(token=token):
            yield own, token not in OPEN_FUNCTIONS, token not in SERIES
        case nd.Binary(operator=tk.CONCAT):
            yield own, False, True
        case nd.Variable(name=name) | nd.Element(name=name) if costs.is_function(name):
            yield own, False, True
        case nd.Binary(operator=tk.POWER):
            yield own, True, False
        case _:
            yield own, True, True
