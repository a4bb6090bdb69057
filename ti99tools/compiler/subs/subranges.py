"""Ranges in a SUB: after a GOSUB its caller's variables are as before it, but for those it sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.subs.gosubs import Gosubs
from ti99tools.compiler.subs.lookups import LOOKUP
from ti99tools.language.analysis.fixpoint import State, joined
from ti99tools.language.analysis.intervals import ANY, Interval
from ti99tools.language.analysis.terms import Term

Flow = Callable[[str, State], None]


class SubRanges(Ranges):
    """The analysis of a SUB with its stub."""

    def __init__(self, code: ir.Code, gosubs: Gosubs) -> None:
        super().__init__(code)
        self._gosubs = gosubs
        self._callers: defaultdict[str, list[str]] = defaultdict(list)
        for name in gosubs.own:
            for to in calls(code.blocks[name].end):
                self._callers[to].append(name)

    def step(self, place: str, state: State, flow: Flow) -> None:
        """Let control go through a block; a RETURN goes back to the GOSUBs to its subroutines."""
        block = self.code.blocks[place]
        if not isinstance(block.end, ir.Return):
            super().step(place, state, flow)
            return
        for action in block.body:
            self.act(action, state)
        for entry in self._gosubs.entries_of(place):
            self.note_return(("gosub", entry), dict(state), flow)

    def _goes(
        self, targets: Sequence[str], back: str | None, scope: str, state: State, flow: Flow
    ) -> None:
        assert scope == self._gosubs.scope or back is None
        for to in targets:
            flow(to, state)
        if back is not None:
            self._come_home(targets, back, state, flow)

    def come_back(self, key: Hashable, state: State, flow: Flow) -> None:
        """The end of a level: a GOSUB's, or that of the SUB."""
        assert isinstance(key, tuple)
        level, entry = key
        if level != "gosub":
            super().come_back(key, state, flow)
            return
        for name in self._callers[entry]:
            if name not in self.before:
                continue
            block = self.code.blocks[name]
            calling = dict(self.before[name])
            for action in block.body:
                self.act(action, calling)
            assert isinstance(block.end, ir.Gosub | ir.Switch)
            assert block.end.back is not None
            self._come_home(calls(block.end), block.end.back, calling, flow)

    def _come_home(self, targets: Sequence[str], back: str, calling: State, flow: Flow) -> None:
        """Go on after a GOSUB: with what its subroutine has set, and the rest as it was."""
        known: State | None = None
        for to in targets:
            left = self._returns.get(("gosub", to))
            if left is not None:
                known = left if known is None else joined(known, left)
        if known is None:
            return
        changed = frozenset().union(*(self._gosubs.sets[to] for to in targets))
        there = {name: found for name, found in calling.items() if name not in changed}
        there |= {name: found for name, found in known.items() if name in changed}
        flow(back, there)

    def special(self, term: Term, values: Sequence[Interval], state: State, /) -> Interval:
        """The range of what only a SUB has."""
        if term.op == LOOKUP:
            return Interval(min(term.data), max(term.data))
        if term.op == "argument":
            return Interval(*term.data) if term.data else ANY
        return super().special(term, values, state)
