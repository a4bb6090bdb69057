"""The names that a statement sets and uses, and the subprogram to which it belongs."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TypeGuard

from ti99tools.base import tokens as t
from ti99tools.language.listing.builtins import may_store
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement, parts

_TARGET_FIELDS = frozenset({"targets", "target", "variable"})


def subs_of(parsed: Mapping[int, tuple[st.Statement, ...]]) -> dict[str, st.Sub]:
    """A program's own subprograms by name."""
    found = (s for row in parsed.values() for s in every_statement(row))
    return {s.name: s for s in found if isinstance(s, st.Sub)}


def scoped(
    parsed: Mapping[int, tuple[st.Statement, ...]],
) -> Iterator[tuple[st.Sub | None, int, st.Statement]]:
    """Each statement of a program: its SUB (None: none), the number of its line, and the statement.

    SUB and SUBEND belong to their subprogram.
    """
    sub = None
    for number, row in parsed.items():
        for statement in every_statement(row):
            if isinstance(statement, st.Sub):
                sub = statement
            yield sub, number, statement
            if isinstance(statement, st.Subend):
                sub = None


def open_loop(
    lines: Mapping[int, bytes],
    parsed: Mapping[int, tuple[st.Statement, ...]],
    line: int,
    offset: int,
) -> str:
    """The variable of the innermost FOR that is open before a statement; empty without one.

    The statement is given by its line and its `offset` in the tokens.
    """
    opened: list[str] = []
    for _, number, statement in scoped(parsed):
        if (number, statement.at) == (line, offset):
            break
        if isinstance(statement, st.For):
            opened.append(statement.variable.name)
        elif isinstance(statement, st.Sub):
            opened.clear()
        elif opened and lines[number][statement.at : statement.at + 1] == bytes([t.NEXT]):
            # The parser takes a bare NEXT for a mistake; it was meant to close its loop.
            opened.pop()
    return opened[-1] if opened else ""


def names_set(statement: st.Statement, subs: Container[str]) -> Iterator[str]:
    """Names to which a statement assigns, or may assign: arguments of CALL can be results.

    `subs` are the program's own subprograms.
    """
    if isinstance(statement, st.Call):
        for argument, stores in zip(
            statement.arguments or (), may_store(statement, subs), strict=True
        ):
            if stores and _named(argument):
                yield argument.name
        return
    for name, target in _occurrences(statement):
        if target:
            yield name


def names_used(statement: st.Statement) -> Iterator[str]:
    """Names whose value a statement takes (a NEXT uses its variable)."""
    for name, target in _occurrences(statement):
        if not target:
            yield name


def names_in(statement: st.Statement, subs: Container[str]) -> tuple[list[str], list[str]]:
    """`names_set` and `names_used` of a statement, in one walk."""
    if isinstance(statement, st.Call):
        return [*names_set(statement, subs)], [*names_used(statement)]
    found = [*_occurrences(statement)]
    return [name for name, target in found if target], [
        name for name, target in found if not target
    ]


def _occurrences(statement: st.Statement) -> Iterator[tuple[str, bool]]:
    """Every name of the statement, and whether it is there to get a value."""
    local = statement.parameter if isinstance(statement, st.Def) else None
    if isinstance(statement, st.Next):
        yield statement.variable, False
        return
    for field in ("condition",) if isinstance(statement, st.If) else statement.__record_inner__:
        value = getattr(statement, field)
        if value is None:
            continue
        targets = value if isinstance(value, tuple) else (value,)
        for item in targets:
            is_target = field in _TARGET_FIELDS and _named(item)
            if is_target:
                yield item.name, True
            for part in parts(item):
                if (part is item and is_target) or not _named(part) or part.name == local:
                    continue
                yield part.name, False


def _named(node: object) -> TypeGuard[nodes.Variable | nodes.Element | st.WholeArray]:
    return isinstance(node, nodes.Variable | nodes.Element | st.WholeArray)
