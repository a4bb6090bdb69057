"""The names that a statement sets and uses, and the subprogram to which it belongs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard

from ti99tools.base import tokens as t
from ti99tools.base.record import Record
from ti99tools.language.listing.builtins import SUBPROGRAMS, may_store
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement, parts

_Named: TypeAlias = "nodes.Variable | nodes.Element | st.WholeArray"


def subs_of(parsed: st.Parsed) -> dict[str, st.Sub]:
    """A program's own subprograms by name."""
    found = (s for row in parsed.values() for s in every_statement(row))
    return {s.name: s for s in found if isinstance(s, st.Sub)}


def scoped(
    parsed: st.Parsed,
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
    parsed: st.Parsed,
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


def stored(statement: st.Statement, subs: Container[str]) -> Sequence[_Named]:
    """What a statement assigns to, or may assign to: arguments of CALL can be results.

    `subs` are the program's own subprograms. NEXT, whose variable was set by its FOR, has none.
    """
    match statement:
        case st.Let(targets=targets) | st.Read(targets=targets) | st.Input(targets=targets):
            return targets
        case st.Linput(target=target) | st.Accept(target=target) if target is not None:
            return (target,)
        case st.For(variable=variable):
            return (variable,)
        case st.Call(arguments=arguments) if arguments:
            pairs = zip(arguments, may_store(statement, subs), strict=True)
            return [argument for argument, stores in pairs if stores and _named(argument)]
    return ()


def names_set(statement: st.Statement, subs: Container[str]) -> Iterator[str]:
    """The names of what a statement assigns to; see `stored`."""
    return (target.name for target in stored(statement, subs))


def names_used(statement: st.Statement) -> Iterator[str]:
    """Names whose value a statement takes (a NEXT uses its variable, a CALL all arguments)."""
    if isinstance(statement, st.Next):
        yield statement.variable
        return
    given = () if isinstance(statement, st.Call) else stored(statement, ())
    local = statement.parameter if isinstance(statement, st.Def) else None
    for part in parts(statement):
        if _named(part) and part.name != local and not any(part is each for each in given):
            yield part.name


def _named(node: object) -> TypeGuard[_Named]:
    return isinstance(node, nodes.Variable | nodes.Element | st.WholeArray)


class Uses(Record):
    """The variables that a statement `reads`, those it `writes`, and those it surely `kills`.

    Arrays are only read: what is in them stays. What is written may get a value, what is killed
    does unless the statement fails. An `entangled` statement may write before it has read all.
    """

    reads: frozenset[str]
    writes: frozenset[str] = frozenset()
    kills: frozenset[str] = frozenset()
    entangled: bool = False


def uses_of(statement: st.Statement, subs: Container[str]) -> Uses:
    """What a statement reads and writes; `subs` are the program's own subprograms."""
    match statement:
        case st.Let(targets=targets, value=value):
            return _gives(targets, len(targets) > 1, value)
        case st.Read(targets=targets):
            return _gives(targets, True)
        case st.For(variable=variable, start=start, limit=limit, step=step):
            return _gives((variable,), True, start, limit, step)
        case st.Next(variable=name):
            own = frozenset({name})
            return Uses(own, own, own)
        case st.Input() | st.Linput() | st.Accept():
            return Uses(_all(statement), _alone(stored(statement, subs)), entangled=True)
        case st.Call():
            return _called(statement, subs)
    return Uses(_all(statement))


def _gives(targets: Sequence[nodes.Target], entangled: bool, *read: object) -> Uses:
    """Assigning to targets values made of what is `read`."""
    elements = tuple(target for target in targets if isinstance(target, nodes.Element))
    given = _alone(targets)
    return Uses(_all((*read, elements)), given, given, entangled)


def _called(call: st.Call, subs: Container[str]) -> Uses:
    """A built-in subprogram assigns to its variables; others may or may not."""
    record = None if call.name in subs else SUBPROGRAMS.get(call.name)
    certain = record is not None and bool(record.forms)
    given = _alone(stored(call, subs))
    pairs = zip(call.arguments or (), may_store(call, subs), strict=True)
    sure = {id(one) for one, stores in pairs if stores and isinstance(one, nodes.Variable)}
    read = [one for one in call.arguments or () if not (certain and id(one) in sure)]
    return Uses(_all(tuple(read)), given, given if certain else frozenset(), True)


def _all(node: object) -> frozenset[str]:
    """The variables and arrays that occur in a part of a statement."""
    kinds = nodes.Variable | nodes.Element
    return frozenset(part.name for part in parts(node) if isinstance(part, kinds))


def _alone(targets: Iterable[object]) -> frozenset[str]:
    return frozenset(target.name for target in targets if isinstance(target, nodes.Variable))
