"""NEXTs that find no loop: RUN only counts FORs and NEXTs, so that such a program begins.

A FOR ends an open loop of its variable, wherever that began (recorded).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import pairwise

from ti99tools.base import xberrors as xb
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import END, Flow, Node, reachable
from ti99tools.language.findings import Noted, Severity, failing
from ti99tools.language.syntax import statements as st

CODE = "next"


def lost_nexts(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """An error for each NEXT of `running` lines that certainly meets no FOR of its variable.

    None in a program with a mistake that hides what comes after it.
    """
    if not program.sound:
        return
    loops, nodes = program.loops, program.flow.nodes
    for at, met in loops.meets.items():
        node = nodes[at]
        if met or node.line not in running or not isinstance(node.statement, st.Next):
            continue
        name = node.statement.variable
        closed = {loops.variables[begin][1] for begin, end in loops.ends.items() if end == at}
        meant = f"did you mean NEXT {min(closed)}, or " if closed - {name} else "write "
        message = failing(xb.NEXT_WITHOUT_FOR, f"there is no loop of {name} here")
        remedy = f"{meant}FOR {name} before it"
        yield Noted(CODE, node.line, node.statement.at, message, remedy, Severity.ERROR)


def crossed_loops(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """A warning for the first NEXT of two loops that cross: FOR I, FOR J, NEXT I, NEXT J."""
    loops, nodes = program.loops, program.flow.nodes
    pairs = [
        (loops.variables[begin], loops.variables[end], end) for begin, end in loops.ends.items()
    ]
    # The inner loop is closed first, so its pair comes right before that of the outer one.
    for (inner, outer, at), (first, last, _) in pairwise(pairs):
        node = nodes[at]
        if inner != outer and (first, last) == (outer, inner) and node.line in running:
            message = (
                f"this ends the loop of {inner[1]}, too, which begins inside that of {outer[1]}"
            )
            remedy = f"write NEXT {inner[1]} before it"
            yield Noted("loop-ended", node.line, node.statement.at, message, remedy)


def ended_loops(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """A warning for each FOR in a subroutine that ends the loop from which that is called."""
    flow = program.flow
    found: dict[int, tuple[int, str]] = {}
    for at, node in enumerate(flow.nodes):
        if isinstance(node.statement, st.For) and node.line in running:
            name, scope = node.statement.variable.name, node.scope
            inside = _looping(flow, node.ways, name)
            called = {entry for one in inside for entry in flow.nodes[one].calls}
            for one in _called(flow, called) - inside - {at}:
                other = flow.nodes[one]
                loop = other.statement
                again = isinstance(loop, st.For) and loop.variable.name == name
                if again and other.scope == scope:
                    found.setdefault(one, (node.line, name))
    for one, (line, name) in found.items():
        node = flow.nodes[one]
        message = f"this ends the loop of {name} in line {line}, from which it is called"
        remedy = "use another variable; in a PROC, LOCAL makes it its own"
        yield Noted("loop-ended", node.line, node.statement.at, message, remedy)


def _looping(flow: Flow, starts: Collection[int], name: str) -> set[int]:
    """What control comes to in a loop and from where it comes to a NEXT, without what it calls.

    A jump may have left the loop elsewhere.
    """

    def is_next(at: int) -> bool:
        statement = flow.nodes[at].statement
        return isinstance(statement, st.Next) and statement.variable == name

    def further(at: int) -> list[int]:
        node = flow.nodes[at]
        loop = node.statement
        if is_next(at) or (isinstance(loop, st.For) and loop.variable.name == name):
            return []
        return _ways_on(node)

    inside = reachable(starts, further) - {END}
    before: defaultdict[int, list[int]] = defaultdict(list)
    for at in inside:
        for to in further(at):
            before[to].append(at)
    return reachable(filter(is_next, inside), before.__getitem__)


def _called(flow: Flow, entries: Collection[int]) -> set[int]:
    """What control comes to in subroutines, with those that they call."""

    def further(at: int) -> list[int]:
        node = flow.nodes[at]
        return [*node.calls, *_ways_on(node)]

    return reachable(entries, further) - {END}


def _ways_on(node: Node) -> list[int]:
    """Where control goes on after a statement and what it calls."""
    return [*node.ways, node.back] if node.calls else node.ways
