"""What is known of variables before the run, so that generated code can leave out checks.

Certain are the ranges of loop variables:

A variable that nothing but FOR statements with constant start and step ever assigns counts: its
value is start + n × step, and no program runs so long that it would get past 2**40 steps. The
look is at the whole text, by name: what is a parameter, is read into, accepted, passed to a
subprogram that may store into it, or assigned in any other way is left out.

A guess is which variables will hold fractions: the check after an operation on them looks for a
fraction first.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.lines import Listing
from ti99tools.numbers.parse import parse_number
from ti99tools.source.builtins import may_store
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.cursor import next_statement
from ti99tools.source.syntax.nodes import (
    Binary,
    Element,
    Expression,
    Function,
    Group,
    Number,
    Unary,
    Variable,
)
from ti99tools.source.syntax.walk import every_statement

Range = tuple[int, int]

ROUNDS = 1 << 40
"""More often than this no loop runs: at 50 ns a round, half a day."""

SPARE = 10_000
"""A loop leaves its variable a step past the limit; a subroutine with a loop of the same variable
adds one more for each level it is called on."""

LARGEST = 10**9
"""Starts and steps up to this are looked at."""


def int_ranges(listing: Listing) -> dict[str, Range]:
    """Name → bounds, for the variables that certainly hold ints."""
    found: dict[str, Range] = {}
    others: set[str] = set()
    nodes = [node for line in range(len(listing)) for node in entered(listing, line)]
    subs = {node.name for node in nodes if isinstance(node, st.Sub)}
    for node in nodes:
        if isinstance(node, st.For):
            _loop(node, found, others)
        else:
            others.update(assigned(node, subs))
    return {name: bounds for name, bounds in found.items() if name not in others}


def entered(listing: Listing, line: int) -> Iterator[st.Statement]:
    """All statements of a line that can come to run.

    Wrong syntax hides what stands after it, but RETURN NEXT goes on after the next `::`.
    """
    seen: set[int] = set()
    at: int | None = 0
    while at is not None:
        if at not in seen:
            for node in every_statement(listing.statements(line, at)):
                seen.add(node.at)
                yield node
        at = next_statement(listing.tokens[line], at)


def assigned(node: st.Statement, subs: Container[str]) -> set[str]:
    """The simple variables that a statement may store into, FOR aside; `subs`: the program's."""
    match node:
        case st.Let(targets=targets) | st.Read(targets=targets) | st.Input(targets=targets):
            return _names(targets)
        case st.Accept(target=target) | st.Linput(target=target) if target is not None:
            return _names((target,))
        case st.Call(arguments=arguments) if arguments:
            stored = zip(arguments, may_store(node, subs), strict=True)
            return {a.name for a, stores in stored if stores and isinstance(a, Variable)}
        case st.Sub(parameters=parameters):
            return {parameter.name for parameter in parameters}
        case st.Def(name=name, parameter=parameter):
            return {name, parameter} if parameter is not None else {name}
    return set()


def _names(targets: Iterable[Expression]) -> set[str]:
    return {target.name for target in targets if isinstance(target, Variable)}


def _loop(node: st.For, found: dict[str, Range], others: set[str]) -> None:
    if not isinstance(node.variable, Variable):
        return
    name = node.variable.name
    start = constant(node.start)
    step = 1 if node.step is None else constant(node.step)
    if start is None or step is None or abs(start) > LARGEST or abs(step) > LARGEST:
        others.add(name)
        return
    limit = constant(node.limit)
    if limit is None or abs(limit) > LARGEST:
        last = start + step * min(ROUNDS, 10**13 // (abs(step) or 1))
    else:
        last = (max(limit, start) if step > 0 else min(limit, start)) + SPARE * step
    low, high = min(start, last), max(start, last)
    known = found.get(name, (0, 0))
    found[name] = (min(low, known[0]), max(high, known[1]))


def constant(node: Expression | None) -> int | None:
    """The value of a whole constant, with or without a sign."""
    match node:
        case Number(text):
            try:
                value = parse_number(text)
            except ValueError:
                return None
            return value if isinstance(value, int) else None
        case Group(inner):
            return constant(inner)
        case Unary(op, operand) if op in (tk.PLUS, tk.MINUS):
            inside = constant(operand)
            return -inside if inside is not None and op == tk.MINUS else inside
    return None


FRACTIONS = frozenset(
    (tk.DIVIDE, tk.RND, tk.PI, tk.SQR, tk.EXP, tk.LOG, tk.SIN, tk.COS, tk.TAN, tk.ATN)
)
"""Operator and functions whose values are seldom whole."""


def fraction_names(listing: Listing) -> frozenset[str]:
    """Names of variables and arrays that are assigned what looks like a fraction."""
    assignments = [
        node
        for line in range(len(listing))
        for node in every_statement(listing.statements(line))
        if isinstance(node, st.Let) and node.value is not None and not node.value.is_string
    ]
    found: set[str] = set()
    while True:
        before = len(found)
        for node in assignments:
            if node.value is not None and looks_fractional(node.value, found):
                found.update(target.name for target in node.targets)
        if len(found) == before:
            return frozenset(found)


def looks_fractional(node: Expression, names: Container[str]) -> bool:
    """Tell whether the value will probably not be whole."""
    match node:
        case Number(text):
            try:
                return not isinstance(parse_number(text), int)
            except ValueError:
                return False
        case Variable(name) | Element(name):
            return name in names
        case Group(inner):
            return looks_fractional(inner, names)
        case Unary(_, operand):
            return looks_fractional(operand, names)
        case Binary(op, left, right) if op in _OPERATORS:
            return (
                op == tk.DIVIDE or looks_fractional(left, names) or looks_fractional(right, names)
            )
        case Function(token, arguments):
            if token in FRACTIONS:
                return True
            shares = token in (tk.ABS, tk.MAX, tk.MIN)
            return shares and any(looks_fractional(a, names) for a in arguments)
    return False


_OPERATORS = frozenset((tk.PLUS, tk.MINUS, tk.MULTIPLY, tk.DIVIDE, tk.POWER))
