"""Which loops a NEXT can go round: those whose FOR lies on the stack when control comes to it.

NEXT looks for the loop of its variable down to the last GOSUB or error on the stack, and FOR takes
an older loop of its variable off it (recorded).
"""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.optimize.flow import Flow
from ti99tools.source.syntax import statements as st


def close_loops(flow: Flow) -> None:
    """Give each NEXT of a flow its ways back."""
    _Loops(flow).close()


class _Loops:
    """Goes through a flow with the loops that are on the stack: a bit for each FOR."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.own: dict[int, int] = {}
        self.of_variable: dict[str, int] = {}
        for at, node in enumerate(flow.nodes):
            if isinstance(node.statement, st.For):
                self.own[at] = 1 << len(self.own)
                name = node.statement.variable.name
                self.of_variable[name] = self.of_variable.get(name, 0) | self.own[at]
        self.reached = [-1] * len(flow.nodes)
        self.waiting: list[int] = []
        self.failed = 0
        """The loops under way where an error was handled: those of the level that it came from
        are there again after RETURN, and when an error in the handler takes its level off."""

    def close(self) -> None:
        """See `close_loops`."""
        self._enter(self.flow.starts, 0)
        while self.waiting:
            at = self.waiting.pop()
            node, here = self.flow.nodes[at], self.reached[at]
            if self.flow.handlers:
                self.failed |= here
                self._enter((*self.flow.handlers, *self.flow.resumed), self.failed)
                self._enter([node.following], here)
            match node.statement:
                case st.For(variable=variable):
                    here = here & ~self.of_variable[variable.name] | self.own[at]
                case st.Next(variable=name):
                    self._go_round(at, here & self.of_variable.get(name, 0))
            self._enter(self.flow.ways(node), here)
            if node.calls:
                self._enter([node.back], here)
                self._enter(self.flow.called(node), 0)

    def _go_round(self, at: int, loops: int) -> None:
        ways = self.flow.nodes[at].onward
        bodies = (self.flow.nodes[loop].onward[0] for loop, bit in self.own.items() if bit & loops)
        ways += [body for body in bodies if body not in ways]

    def _enter(self, places: Iterable[int], loops: int) -> None:
        """Control comes to places with these loops on the stack; those with news wait."""
        for place in places:
            if self.reached[place] < 0 or loops & ~self.reached[place]:
                self.reached[place] = max(self.reached[place], 0) | loops
                self.waiting.append(place)
