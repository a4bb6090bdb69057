"""How often statements are taken to run: by the ways of control, all of them equally likely.

A walk from the program's start takes one way after another; a NEXT goes round three times of four.
The walk may end after each statement, so that a program which runs on and on has numbers, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ti99tools.optimize.flow import Flow, FlowError, Node, flow_of
from ti99tools.optimize.loops import close_loops
from ti99tools.optimize.rows import Row
from ti99tools.source.syntax import nodes as nd
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.walk import parts

AGAIN = 0.75
"""How likely NEXT goes round."""
ONWARD = 0.999
"""How likely the walk goes on after a statement."""
SWEEPS = 60
"""Times that the numbers are taken from those of the statements before; enough to order names."""


def expected(main: Sequence[Row], subs: Sequence[Row]) -> dict[str, float]:
    """How often each name of the main program is taken to be looked up, as a part of all lookups.

    Empty where the flow cannot be told.
    """
    try:
        flow = flow_of(main, subs, {})
    except FlowError:
        return {}
    close_loops(flow)
    found: Counter[str] = Counter()
    for node, often in zip(flow.nodes, _visits(flow), strict=True):
        for name in looked_up(node.statement):
            found[name] += often  # type: ignore[assignment]
    return shares(found)


def shares(counts: Counter[str]) -> dict[str, float]:
    """Each count as a part of all."""
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()} if total else {}


def looked_up(statement: st.Statement) -> list[str]:
    """The names that a statement looks up, those in the branches of an IF aside."""
    names = [p.name for p in parts(statement) if isinstance(p, nd.Variable | nd.Element)]
    return [*names, statement.variable] if isinstance(statement, st.Next) else names


def _visits(flow: Flow) -> list[float]:
    """How often the walk comes to each node."""
    sources: list[list[tuple[int, float]]] = [[] for _ in flow.nodes]
    for at, node in enumerate(flow.nodes):
        for to, likely in _ways(flow, node):
            sources[to].append((at, likely * ONWARD))
    visits = [0.0] * len(flow.nodes)
    for _ in range(SWEEPS):
        for at in range(len(visits) - 1, -1, -1):
            begun = 1.0 if at == flow.starts[0] else 0.0
            visits[at] = begun + sum(visits[source] * likely for source, likely in sources[at])
    return visits


def _ways(flow: Flow, node: Node) -> list[tuple[int, float]]:
    """Where the walk goes on from a node, and how likely; after a GOSUB both there and back."""
    called, ways = flow.called(node), flow.ways(node)
    if called:
        return [(node.back, 1.0), *((to, 1 / len(called)) for to in called)]
    if isinstance(node.statement, st.For):
        return [(ways[0], 1.0)]
    if isinstance(node.statement, st.Next) and len(ways) > 1:
        rounds = [(to, AGAIN / (len(ways) - 1)) for to in ways[1:]]
        return [(ways[0], 1 - AGAIN), *rounds]
    return [(to, 1 / len(ways)) for to in ways]
