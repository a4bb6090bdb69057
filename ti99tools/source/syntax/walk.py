"""Walking over parsed statements: those inside IFs, and the records inside a statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

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
    if isinstance(node, tuple):
        for item in node:
            yield from parts(item)
    elif is_dataclass(node):
        yield node
        for field in fields(node):
            if not (isinstance(node, st.If) and field.name in ("then", "otherwise")):
                yield from parts(getattr(node, field.name))


def expressions_in(node: Any) -> Iterator[nd.Expression]:
    """The expressions of a statement, whole and in order; not those in the branches of an IF."""
    if isinstance(node, nd.Expression):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from expressions_in(item)
    elif is_dataclass(node):
        for field in fields(node):
            if not (isinstance(node, st.If) and field.name in ("then", "otherwise")):
                yield from expressions_in(getattr(node, field.name))
