"""Pass `sharing`: variables of the main program that are never alive together share a name.

The pre-scan takes some 65,000 cycles for each name, and each lookup passes all newer ones. Scalar
variables take part, numbers with numbers and strings with strings; not those that a DEF names. Two
variables of FOR or NEXT never share: both look for a loop of their variable on the stack.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ti99tools.base import tokens as t
from ti99tools.optimize.block import usage
from ti99tools.optimize.errors import failing
from ti99tools.optimize.facts import Facts
from ti99tools.optimize.flow import Flow, FlowError, flow_of
from ti99tools.optimize.liveness import alive
from ti99tools.optimize.loops import close_loops
from ti99tools.optimize.rows import Rows, names, words
from ti99tools.optimize.shortnames import handles_errors, with_names
from ti99tools.source.syntax import nodes as nd
from ti99tools.source.syntax import statements as st

Apart = dict[str, set[str]]
"""Variable → those that it cannot share a name with."""


def share_names(rows: Rows, facts: Facts) -> Rows:
    """The program with fewer names, where what it does can be told."""
    new = shared_names(rows, facts)
    return replace(rows, main=with_names(rows.main, new)) if new else rows


def shared_names(rows: Rows, facts: Facts) -> dict[str, str]:
    """Name → the name that it shares, of the main program's variables that lose their own."""
    if facts.switched or rows.front:
        return {}
    found = _candidates(rows, facts)
    bits = {name: 1 << bit for bit, name in enumerate(found)}
    try:
        flow = flow_of(rows.main, rows.subs, bits)
    except FlowError:
        return {}
    close_loops(flow)
    apart = _apart(flow, found, bits)
    used = usage(rows.main)
    new: dict[str, str] = {}
    for group in _groups(found, apart):
        kept = min(group, key=lambda name: (len(name), -used[name], name))
        new |= {name: kept for name in group if name != kept}
    return new


def _candidates(rows: Rows, facts: Facts) -> list[str]:
    """The variables that take part.

    A handler of errors works with the names of the SUB that it was called in: where there is one,
    names of SUBs stay.
    """
    left = {e.text for row in rows.main if t.DEF in words(row.tokens) for e in names(row.tokens)}
    if handles_errors(rows):
        left |= {e.text for row in rows.subs for e in names(row.tokens)}
    return [
        symbol.name
        for symbol in facts.scan.main.symbols.values()
        if not symbol.dimensions and symbol.function is None and symbol.name not in left
    ]


def _apart(flow: Flow, found: Sequence[str], bits: dict[str, int]) -> Apart:
    """Which variables cannot share: one is written while the other is alive."""
    after = alive(flow, failing(flow))
    masks = dict.fromkeys(found, 0)
    for at, node in enumerate(flow.nodes):
        others = after[at] | node.writes | (node.reads if node.entangled else 0)
        for name in found if node.writes else ():
            if bits[name] & node.writes:
                masks[name] |= others
    loops = {_looped(node.statement) for node in flow.nodes}
    apart: Apart = {name: set() for name in found}
    for one in found:
        for other in found:
            kinds = one.endswith("$") != other.endswith("$")
            if one != other and (kinds or {one, other} <= loops or masks[one] & bits[other]):
                apart[one].add(other)
                apart[other].add(one)
    return apart


def _looped(statement: st.Statement) -> str:
    match statement:
        case st.For(variable=nd.Variable(name=name)) | st.Next(variable=name):
            return name
    return ""


def _groups(found: Iterable[str], apart: Apart) -> Collection[list[str]]:
    """The variables in few groups that can share; first those that have least choice."""
    group_of: dict[str, int] = {}
    waiting = list(found)
    while waiting:
        name = max(waiting, key=lambda one: _difficulty(one, apart, group_of))
        waiting.remove(name)
        taken = {group_of[other] for other in apart[name] if other in group_of}
        group_of[name] = next(n for n in range(len(group_of) + 1) if n not in taken)
    groups: dict[int, list[str]] = {}
    for name, group in group_of.items():
        groups.setdefault(group, []).append(name)
    return groups.values()


def _difficulty(name: str, apart: Apart, group_of: dict[str, int]) -> tuple[int, int, str]:
    taken = {group_of[other] for other in apart[name] if other in group_of}
    return len(taken), len(apart[name]), name
