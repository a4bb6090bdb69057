"""Where a parsed statement fails, whatever its values are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ti99tools.base import xberrors as xb
from ti99tools.base.record import Record
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.parser import parse_line
from ti99tools.language.syntax.statements import every_statement, parts, values


def faults(statement: st.Statement) -> Iterator[int]:
    """The errors with which the statement always fails, inner ones first."""
    if isinstance(statement, st.Call) and statement.broken is not None:
        yield statement.broken
    yield from _faults_in(statement)
    if statement.fault is not None:
        yield statement.fault
    if isinstance(statement, st.For):
        ends = (statement.start, statement.step)
        yield from (xb.STRING_NUMBER_MISMATCH for end in ends if end is not None and end.is_string)


@lru_cache(maxsize=4096)
def failures(tokens: bytes) -> tuple[tuple[st.Statement, int], ...]:
    """The statements of a line that always fail, and the first error of each.

    The last lines are cached, because the dialect and then lint ask for them.
    """
    found = ((each, next(faults(each), None)) for each in every_statement(parse_line(tokens)))
    return tuple((statement, code) for statement, code in found if code is not None)


def _faults_in(statement: st.Statement) -> Iterator[int]:
    faults = [part for part in parts(statement) if type(part) is nodes.Fault]
    if len(faults) > 1:
        return _inner_first(statement)
    return iter([part.code for part in faults])


def _inner_first(node: object) -> Iterator[int]:
    if isinstance(node, tuple):
        for item in node:
            yield from _inner_first(item)
    elif isinstance(node, Record):
        for value in values(node):
            yield from _inner_first(value)
        if isinstance(node, nodes.Fault):
            yield node.code
