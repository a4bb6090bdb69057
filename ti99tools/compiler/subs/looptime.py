"""Which loops of a SUB are so long that they let interrupts in: an estimate of their time."""

from __future__ import annotations

from functools import cached_property
from math import prod

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls, ways_on
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.subs.gosubs import Gosubs
from ti99tools.language.analysis.flow import reachable

ACTION, NODE = 40, 30
"""Cycles of a statement, and of each part of an expression, more or less."""
PATIENCE = 15_000
"""Cycles of a loop that lets no interrupt in: a third of a frame."""
MANY = 10_000
"""Rounds of a loop about which nothing is known."""


class LoopTime:
    """The time of the loops of a SUB."""

    def __init__(self, code: ir.Code, gosubs: Gosubs, ranges: Ranges) -> None:
        self._blocks = code.blocks
        self._gosubs = gosubs
        self._ranges = ranges
        self._order = {name: at for at, name in enumerate(gosubs.own)}
        self._known: dict[str, int] = {}

    def is_long(self, name: str) -> bool:
        """Tell whether a block ends a loop that lets interrupts in."""
        return any(self._cycles(span) > PATIENCE for span in self._spans if span[1] == name)

    @cached_property
    def _spans(self) -> dict[tuple[str, str], int]:
        """The loops: first block and last block → rounds."""
        return {
            (to, name): self._rounds(self._blocks[name])
            for name in self._gosubs.own
            for to in ways_on(self._blocks[name].end)
            if self._order[to] <= self._order[name] and self._comes_back(to, name)
        }

    def _comes_back(self, first: str, last: str) -> bool:
        """Tell whether control gets from one block to another within the same subroutine."""
        return last in reachable((first,), lambda at: ways_on(self._blocks[at].end))

    def _rounds(self, block: ir.Block) -> int:
        """The most rounds of a loop of FOR with a range that is known."""
        end = block.end
        if not isinstance(end, ir.Branch) or end.condition.op not in ("gt", "lt"):
            return MANY
        counter = end.condition.args[0]
        found = self._ranges.all.get(counter.data) if counter.op == "var" else None
        if found is None or found.high - found.low > MANY:
            return MANY
        return int(found.high - found.low)

    def _cycles(self, span: tuple[str, str]) -> int:
        """All rounds of a loop."""
        first, last = (self._order[one] for one in span)
        inside = self._gosubs.own[first : last + 1]
        within = {one: n for one, n in self._spans.items() if one != span and self._in(one, span)}
        return self._spans[span] * sum(
            self._block(name) * prod(n for one, n in within.items() if self._holds(one, name))
            for name in inside
        )

    def _in(self, one: tuple[str, str], other: tuple[str, str]) -> bool:
        a, b = ([self._order[name] for name in span] for span in (one, other))
        return b[0] <= a[0] and a[1] <= b[1]

    def _holds(self, span: tuple[str, str], name: str) -> bool:
        return self._order[span[0]] <= self._order[name] <= self._order[span[1]]

    def _block(self, name: str) -> int:
        """A block, and what it calls."""
        block = self._blocks[name]
        own = 0
        for one in (*block.body, block.end):
            own += ACTION + NODE * sum(1 for expr in ir.expressions(one) for _ in ir.walk(expr))
        return own + max((self._subroutine(to) for to in calls(block.end)), default=0)

    def _subroutine(self, entry: str) -> int:
        """All of a subroutine; one that calls itself takes for ever."""
        if entry not in self._known:
            self._known[entry] = MANY * MANY
            self._known[entry] = sum(
                self._block(name)
                * prod(n for one, n in self._spans.items() if self._holds(one, name))
                for name in self._gosubs.regions[entry]
            )
        return self._known[entry]
