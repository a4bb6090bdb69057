"""The flow of a main program, if it can be determined, and how often each name is looked up.

How often statements run is estimated by a random walk from the program's start, which takes all
ways with equal probability; a NEXT goes round three times out of four. The walk may end after each
statement, so that a program that never ends has finite numbers too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ti99tools.language.analysis import analysis_of
from ti99tools.language.analysis.flow import flow_of
from ti99tools.language.analysis.loop_matching import Loops
from ti99tools.language.optimize.rows import Row, references
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import failures
from ti99tools.language.syntax.statements import parts


class FlowError(Exception):
    """The flow of a program cannot be determined; the argument says why."""


def loops_of(main: Sequence[Row], subs: Sequence[Row]) -> Loops:
    """The flow of the `main` rows, with its loops.

    Raises FlowError for a line with a mistake or with unreachable statements, for a jump between
    main program and `subs`, and for a handler in `subs`: it stays armed after them.
    """
    for rows, others in ((main, subs), (subs, main)):
        keys = {row.key for row in others}
        if any(e.line_number in keys for row in rows for e in references(row.tokens)):
            raise FlowError("a jump into a SUB, or out of one")
    of_subs = analysis_of((row.key, row.tokens) for row in subs)
    if of_subs.flow.handlers:
        raise FlowError("a handler of errors in a SUB")
    for row in main:
        if failures(row.tokens):
            raise FlowError(f"line {row.key} has a mistake")
    program = analysis_of((row.key, row.tokens) for row in main)
    flow = flow_of(program.parsed, program.tokens, whole=True)
    if flow.lost is not None:
        raise FlowError(f"line {flow.lost} has statements that control never comes to")
    return Loops(flow)


AGAIN = 0.75
"""The probability that NEXT goes round."""
ONWARD = 0.999
"""The probability that the walk goes on after a statement."""
SWEEPS = 60
"""How often each statement's visits are computed from those before it; enough to order names."""


def expected(main: Sequence[Row], subs: Sequence[Row]) -> dict[str, float]:
    """The expected lookups of each name of the main program, as a share of all lookups.

    Empty if the flow cannot be determined.
    """
    try:
        loops = loops_of(main, subs)
    except FlowError:
        # Without a flow the order of names is guessed from loops.
        return {}
    lookups: Counter[str] = Counter()
    for node, often in zip(loops.flow.nodes, _visits(loops), strict=True):
        for name in looked_up(node.statement):
            lookups[name] += often  # type: ignore[assignment]
    return shares(lookups)


def shares(counts: Counter[str]) -> dict[str, float]:
    """Each count as a share of all."""
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()} if total else {}


def looked_up(statement: st.Statement) -> list[str]:
    """The names that a statement looks up, without those in the branches of an IF."""
    names = [p.name for p in parts(statement) if isinstance(p, nd.Variable | nd.Element)]
    return [*names, statement.variable] if isinstance(statement, st.Next) else names


def _visits(loops: Loops) -> list[float]:
    """The expected visits of the walk to each node."""
    visits = [0.0] * len(loops.flow.nodes)
    sources: list[list[tuple[int, float]]] = [[] for _ in visits]
    for at in range(len(visits)):
        for to, likely in _ways(loops, at):
            sources[to].append((at, likely * ONWARD))
    first = loops.flow.starts[0]
    backwards = [(at, sources[at]) for at in range(len(visits) - 1, -1, -1)]
    for _ in range(SWEEPS):
        for at, ways in backwards:
            often = 0.0
            for source, likely in ways:
                often += visits[source] * likely
            visits[at] = often + 1.0 if at == first else often
    return visits


def _ways(loops: Loops, at: int) -> list[tuple[int, float]]:
    """Where the walk goes from a node, with probabilities; after a GOSUB both there and back."""
    node, ways = loops.flow.nodes[at], loops.ways[at]
    if node.calls:
        return [(node.back, 1.0), *((to, 1 / len(node.calls)) for to in node.calls)]
    if isinstance(node.statement, st.For):
        return [(ways[0], 1.0)]
    if isinstance(node.statement, st.Next) and len(ways) > 1:
        rounds = [(to, AGAIN / (len(ways) - 1)) for to in ways[1:]]
        return [(ways[0], 1 - AGAIN), *rounds]
    return [(to, 1 / len(ways)) for to in ways]
