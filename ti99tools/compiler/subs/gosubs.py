"""What the GOSUBs of a SUB run: how deep they go, what they set, what is read before it is set.

RETURN goes back to the GOSUB that came last, so each GOSUB has its own way back. All stacks have a
depth that is known, and no RETURN comes without a GOSUB: else the SUB is refused.

An estimate of the time of loops shows which are so long that they let interrupts in.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import prod

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls, ways_on
from ti99tools.compiler.liveness import Names, names_set, numbers_set, read_and_set
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.refusing import Refused
from ti99tools.language.analysis.flow import reachable

MOST_GOSUBS = 16
"""Of GOSUBs in GOSUBs."""


class Gosubs:
    """The subroutines of a SUB whose first block is `entry`."""

    def __init__(self, code: ir.Code, entry: str) -> None:
        self.blocks = code.blocks
        self.entry = entry
        self.scope = code.blocks[entry].scope
        self.depth = 0
        """The most GOSUBs that are under way."""
        self.wrong: tuple[Refused, ir.Spot] | None = None
        """Why the SUB is refused, and where."""
        own = reachable((entry,), lambda at: (*calls(self._end(at)), *ways_on(self._end(at))))
        self.own = [name for name in code.blocks if name in own]
        """The blocks of the SUB, in their order."""
        self.entries = sorted({to for name in self.own for to in calls(self._end(name))})
        """The blocks that a GOSUB goes to."""
        self.regions = {to: self._region(to) for to in self.entries}
        """Entry → the blocks up to its RETURNs, without those of GOSUBs within."""
        self.main = self._region(entry)
        self._measure()
        self.sets = {to: self._sets(to) for to in self.entries}
        """Entry → the variables that its subroutine may set."""

    def _end(self, name: str) -> ir.End | None:
        return self.blocks[name].end

    def _region(self, start: str) -> set[str]:
        return reachable((start,), lambda at: ways_on(self._end(at)))

    def entries_of(self, name: str) -> list[str]:
        """The entries of the subroutines that a block may belong to."""
        return [to for to in self.entries if name in self.regions[to]]

    def _measure(self) -> None:
        """Follow all ways with the number of GOSUBs under way."""
        waiting, seen = [(self.entry, 0)], {(self.entry, 0)}
        while waiting and self.wrong is None:
            name, depth = waiting.pop()
            end = self._end(name)
            if isinstance(end, ir.Return) and not depth:
                remedy = "let only a GOSUB lead to it"
                self.wrong = Refused("RETURN may come there without a GOSUB", remedy), end.spot
            deeper = [(to, depth + 1) for to in calls(end)]
            if deeper and depth == MOST_GOSUBS:
                assert end is not None
                reason = f"more than {MOST_GOSUBS} GOSUBs may be under way there"
                self.wrong = Refused(reason, "let each of them end with RETURN"), end.spot
            self.depth = max(self.depth, depth + bool(deeper))
            for one in (*deeper, *((to, depth) for to in ways_on(end))):
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)

    def _sets(self, start: str) -> Names:
        found: set[str] = set()
        all_blocks = reachable(
            (start,), lambda at: (*calls(self._end(at)), *ways_on(self._end(at)))
        )
        for name in all_blocks:
            for one in (*self.blocks[name].body, self._end(name)):
                found |= set(numbers_set(one))
        return frozenset(found)

    @cached_property
    def leaves(self) -> set[str]:
        """Entries of subroutines that keep their way back in R11: no GOSUB is in them, and control
        comes to their blocks by a GOSUB to them alone.
        """
        leaves = {
            to
            for to in self.entries
            if not any(calls(self._end(name)) for name in self.regions[to])
            and self.regions[to].isdisjoint(self.main)
        }
        while True:
            others = [self.regions[to] for to in self.entries if to not in leaves]
            mixed = {
                to for to in leaves if any(not self.regions[to].isdisjoint(one) for one in others)
            }
            if not mixed:
                return leaves
            leaves -= mixed

    @cached_property
    def kept(self) -> Names:
        """The variables that may be read in a call before it has set them: a call before did."""
        sure = self._surely_set()
        exposed: dict[str, Names] = dict.fromkeys(self.own, frozenset())
        changed = True
        while changed:
            changed = False
            for name in reversed(self.own):
                read, given = read_and_set(self.blocks[name])
                end = self._end(name)
                after = frozenset[str]().union(*(exposed[to] for to in ways_on(end)))
                targets = calls(end)
                if targets:
                    always = frozenset.intersection(*(sure[to] for to in targets))
                    after = (after - always).union(*(exposed[to] for to in targets))
                now = read | (after - given)
                if now != exposed[name]:
                    exposed[name], changed = now, True
        return exposed[self.entry]

    def _surely_set(self) -> dict[str, Names]:
        """Block → the variables that are set on all ways from it to a RETURN."""
        everything: Names = frozenset().union(*(_set_in(self.blocks[name]) for name in self.own))
        sure = dict.fromkeys(self.own, everything)
        changed = True
        while changed:
            changed = False
            for name in reversed(self.own):
                end = self._end(name)
                ways: Iterable[Names] = [sure[to] for to in ways_on(end)]
                after = frozenset.intersection(*ways) if ways else everything
                if isinstance(end, ir.Return):
                    after = frozenset()
                targets = calls(end)
                if targets:
                    after |= frozenset.intersection(*(sure[to] for to in targets))
                now = after | _set_in(self.blocks[name])
                if now != sure[name]:
                    sure[name], changed = now, True
        return sure


def _set_in(block: ir.Block) -> Names:
    return frozenset(name for one in block.body for name in names_set(one))


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
