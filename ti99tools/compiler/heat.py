"""How hot statements are: how many loops are around them that do not wait for a key.

Statements with a heat of 0 are cold: their code is short rather than quick. A CALL or GOSUB waits
where each way through what it calls waits; so a loop waits only if every round of it does. What a
statement calls is at least as hot as the statement.
"""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.compiler.graph import groups
from ti99tools.compiler.ir import Spot
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import END, ON, Node, reachable
from ti99tools.language.syntax import statements as st

_WAITING = (st.Input, st.Linput, st.Accept)
LOOKS = frozenset({"KEY", "JOYST"})
"""Built-in subprograms that look at the keyboard."""
HOTTEST = 6
"""Loops beyond these do not count."""
Heat = dict[Spot, int]
"""Statement → its heat."""


def heat_of(program: Analysis) -> Heat:
    """The heat of all statements of a program."""
    nodes = program.flow.nodes
    return {
        (node.line, node.statement.at): found
        for node, found in zip(nodes, _Heat(program).levels(), strict=True)
    }


class _Heat:
    """The flow of a program level by level: a GOSUB or CALL is one step."""

    def __init__(self, program: Analysis) -> None:
        self.flow = program.flow
        nodes = self.flow.nodes
        subs = self.flow.subs
        self.callees = [(subs[n.enters],) if n.enters in subs else n.calls for n in nodes]
        self.ways = [
            {*ways, *((node.back,) if node.calls else ())} - {END}
            for node, ways in zip(nodes, program.loops.ways, strict=True)
        ]
        self.waits = {at for at, node in enumerate(nodes) if _waits(node, subs)}
        while more := {at for at in range(len(nodes)) if self._calls_wait(at)}:
            self.waits |= more

    def _calls_wait(self, at: int) -> bool:
        """Tell whether a call is found to wait, on each way through what it calls."""
        return (
            at not in self.waits
            and bool(self.callees[at])
            and all(not self._comes_through(entry) for entry in self.callees[at])
        )

    def _comes_through(self, entry: int) -> bool:
        """Tell whether control may come back without waiting for a key."""
        nodes = self.flow.nodes
        return any(
            nodes[at].leaves != ON or isinstance(nodes[at].statement, st.Subend | st.Subexit)
            for at in self.region((entry,), self.waits)
        )

    def region(self, entries: Iterable[int], without: Iterable[int] = ()) -> set[int]:
        """The nodes of a level that control comes to from some, not through others."""
        left_out = frozenset(without)
        return reachable(set(entries) - left_out, lambda at: self.ways[at] - left_out)

    def levels(self) -> list[int]:
        """The heat of each node."""
        found = [0] * len(self.ways)
        self._nest(set(range(len(self.ways))) - self.waits, 1, found)
        waiting = [at for at, level in enumerate(found) if level and self.callees[at]]
        own = [*found]
        while waiting:
            caller = waiting.pop()
            for at in self.region(self.callees[caller]):
                level = min(own[at] + found[caller], HOTTEST)
                if level > found[at]:
                    found[at] = level
                    if self.callees[at]:
                        waiting.append(at)
        return found

    def _nest(self, within: set[int], level: int, found: list[int]) -> None:
        """Set the levels of the loops among some nodes, and of the loops in them."""
        for loop in groups({at: self.ways[at] & within for at in within}):
            for at in loop:
                found[at] = min(level, HOTTEST)
            # Without its first statement only the loops within a loop are loops.
            self._nest(loop - {max(loop)}, level + 1, found)


def _waits(node: Node, subs: Iterable[str]) -> bool:
    statement = node.statement
    if isinstance(statement, st.Call):
        return statement.name in LOOKS and statement.name not in subs
    return isinstance(statement, _WAITING)
