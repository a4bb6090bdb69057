"""What the GOSUBs of a SUB run: how deep they go, what they set, what is read before it is set.

RETURN goes back to the GOSUB that came last, so each GOSUB has its own way back. All stacks have a
depth that is known, and no RETURN comes without a GOSUB: else the SUB is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls, ways_on
from ti99tools.compiler.liveness import Names, names_set, numbers_set, read_and_set
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
