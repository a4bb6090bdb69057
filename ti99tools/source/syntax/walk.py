"""Walking over parsed statements: those inside IFs, and the records inside a statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ti99tools.base.record import Record
from ti99tools.source.syntax import nodes as nd
from ti99tools.source.syntax import statements as st


def every_statement(statements: Iterable[st.Statement]) -> Iterator[st.Statement]:
    """The statements of a line and those in the branches of its IFs."""
    for statement in statements:
        yield statement
        if isinstance(statement, st.If):
            for branch in (statement.then, statement.otherwise):
                if isinstance(branch, tuple):
                    yield from every_statement(branch)


def parts(node: Any) -> Iterator[Any]:
    """All records inside a statement or expression, itself first; not the branches of an IF."""
    found: list[Any] = []
    _collect(node, found)
    return iter(found)


def _collect(node: Any, found: list[Any]) -> None:
    """Put the records in `node` at the end of `found`."""
    if isinstance(node, tuple):
        for item in node:
            if isinstance(item, tuple | Record):
                _collect(item, found)
    elif isinstance(node, Record):
        found.append(node)
        for value in values(node):
            if isinstance(value, tuple | Record):
                _collect(value, found)


def values(node: Record) -> list[Any]:
    """What the fields of a record hold that may be records; not the branches of an IF."""
    names = ("condition",) if type(node) is st.If else node.__record_inner__
    return [getattr(node, name) for name in names]


def expressions_in(node: Any) -> Iterator[nd.Expression]:
    """The expressions of a statement, whole and in order; not those in the branches of an IF."""
    if isinstance(node, nd.Expression):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from expressions_in(item)
    elif isinstance(node, Record):
        for value in values(node):
            yield from expressions_in(value)
