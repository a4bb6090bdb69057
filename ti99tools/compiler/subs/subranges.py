"""Ranges in a SUB: after a GOSUB its caller's variables are as before it, but for those it sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls
from ti99tools.compiler.liveness import names_set
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.subs.gosubs import Gosubs
from ti99tools.compiler.subs.lookups import LOOKUP
from ti99tools.compiler.subs.subkinds import is_long
from ti99tools.language.analysis import intervals as iv
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

    def act(self, action: ir.Action, state: State) -> None:
        """Change a state as an action does; what has not failed is within its limits."""
        before = self._within(ir.expressions(action), state)
        super().act(action, state)
        for name in names_set(action):
            before.pop(name, None)
        state |= before

    def narrowed(self, condition: Term, state: State, truth: bool) -> State | None:
        """The state where a condition is true or false; None where it cannot be."""
        assert isinstance(condition, ir.Expr)
        return super().narrowed(condition, state | self._within((condition,), state), truth)

    def _within(self, expressions: Sequence[ir.Expr], state: State) -> State:
        """The variables of which a statement that goes on proves more: N of A(N), of A(N+1)."""
        found: State = {}
        for expr in expressions:
            for part in ir.walk(expr):
                if part.op == "round":
                    low, high, _ = part.data
                    self._bound(part.args[0], Interval(low, high), state | found, found)
        return found

    def _bound(self, expr: ir.Expr, limits: Interval, state: State, found: State) -> None:
        """Note what a value within limits says of its variables."""
        if not self.value(expr, state).whole:
            return
        match expr.op:
            case "var":
                narrower = iv.meet(self.value(expr, state), *limits[:2])
                if narrower is not None:
                    found[expr.data] = narrower
            case "add" | "sub":
                left, right = (self.value(one, state) for one in expr.args)
                if not (left.whole and right.whole):
                    return
                back = iv.sub if expr.op == "add" else iv.add
                self._bound(expr.args[0], back(limits, right), state, found)
                others = iv.sub(limits, left) if expr.op == "add" else iv.sub(left, limits)
                self._bound(expr.args[1], others, state | found, found)

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
        if term.op == "mod" and is_long(values[0]) and values[1].is_word and values[1].low > 0:
            return Interval(0, values[1].high - 1)
        return super().special(term, values, state)
