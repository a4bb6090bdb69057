"""NEXTs that find no loop: RUN only counts FORs and NEXTs, so that such a program begins."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Where
from ti99tools.language.analysis import Analysis
from ti99tools.language.findings import Finding, Severity, failing, new_finding
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import failures

CODE = "next"


def lost_nexts(program: Analysis, running: Collection[int], where: Where) -> Iterator[Finding]:
    """An error for each NEXT of `running` lines that certainly meets no FOR of its variable.

    None in a program with a mistake that hides what comes after it.
    """
    if program.scanned.error is not None or any(map(failures, program.tokens.values())):
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
        place = where(node.line, node.statement.at)
        yield new_finding(
            Severity.ERROR, CODE, place, message, f"{meant}FOR {name} before it", node.line
        )
