"""Pass `sharing`: variables of the main program that are never alive together share a name.

The pre-scan takes some 65,000 cycles for each name, and each lookup passes all newer ones. Scalar
variables take part, numbers with numbers and strings with strings; not those that a DEF names. Two
variables of FOR or NEXT never share: both look for a loop of their variable on the stack.

A variable is alive where its value is read later, before it is written. A subroutine returns to the
GOSUB that called it, and to no other. So each node has its `needs`: what is read from there on at
its level of the stack and deeper, and what is alive there because it is alive after the RETURN that
ends the level, or after the RETURN NEXT or RETURN n that ends the handling of an error. What is
alive after those, in all the ways that lead to a node, is `above` it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ti99tools.base import tokens as t
from ti99tools.language.optimize.errors import Failing, failing
from ti99tools.language.optimize.facts import Facts
from ti99tools.language.optimize.flow import BACK, RESUMED, Flow, FlowError, close_loops, flow_of
from ti99tools.language.optimize.prescan import usage
from ti99tools.language.optimize.rows import Rows, names, words
from ti99tools.language.optimize.shortnames import handles_errors, with_names
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

Needs = tuple[int, int, int]
"""What is read; what is alive if it is after RETURN; if it is after RETURN NEXT or RETURN n."""
NONE: Needs = (0, 0, 0)


def alive(flow: Flow, errors: Failing) -> list[int]:
    """Masks of the variables that are alive after each node, also when it fails."""
    return _Liveness(flow, errors).solve()


def _either(a: Needs, b: Needs) -> Needs:
    return a[0] | b[0], a[1] | b[1], a[2] | b[2]


def _through(level: Needs, back: Needs, resumed: Needs) -> Needs:
    """What is needed where a level begins that `back` and `resumed` follow."""
    read, one, two = level
    return (
        read | one & back[0] | two & resumed[0],
        one & back[1] | two & resumed[1],
        one & back[2] | two & resumed[2],
    )


class _Liveness:
    """Solves one program. Masks of all variables are -1."""

    def __init__(self, flow: Flow, errors: Failing) -> None:
        self.flow = flow
        self.errors = errors
        self.needs = [NONE] * len(flow.nodes)
        self.above = [(0, 0)] * len(flow.nodes)
        self.ways = [flow.ways(node) for node in flow.nodes]
        self.called = [flow.called(node) for node in flow.nodes]

    def solve(self) -> list[int]:
        """See `alive`."""
        while self._need():
            pass
        while self._raise():
            pass
        return [self._alive(at, self._after(at)) for at in range(len(self.needs))]

    def _alive(self, at: int, needs: Needs) -> int:
        one, two = self.above[at]
        return needs[0] | needs[1] & one | needs[2] & two

    def _after(self, at: int) -> Needs:
        """What is needed after a node, whether it succeeded or failed."""
        done = self._done(at)
        return _either(done, self._failed(at, done))

    def _done(self, at: int) -> Needs:
        node = self.flow.nodes[at]
        found = NONE
        for to in self.ways[at]:
            found = _either(found, self.needs[to])
        for to in self.called[at]:
            back = self.needs[node.back]
            found = _either(found, _through(self.needs[to], back, (0, 0, -1)))
        if node.leaves == BACK:
            found = _either(found, (0, -1, 0))
        elif node.leaves == RESUMED:
            found = _either(found, (0, 0, -1))
        return found

    def _failed(self, at: int, done: Needs) -> Needs:
        """What is needed when a node fails; `done`: when it does not."""
        found = NONE
        for handler in self.errors.handled[at]:
            again = self._again(at, done)
            entered = self.needs[handler]
            # An error in the handler removes the level of this one from the stack.
            found = _either(found, (0, entered[1], entered[2]))
            found = _either(found, _through(entered, again, again))
        return found

    def _again(self, at: int, done: Needs) -> Needs:
        """What is needed where a handler may go on: here again, after this, at a line."""
        found = _either(done, self.needs[at])
        found = _either(found, self.needs[self.flow.nodes[at].following])
        for line in self.flow.resumed:
            found = _either(found, self.needs[line])
        return found

    def _need(self) -> bool:
        """Take the needs of each node from its successors; tell whether any changed."""
        before = list(self.needs)
        for at, node in enumerate(self.flow.nodes):
            done = self._done(at)
            failed = self._failed(at, done)
            keep = ~node.kills
            kept = node.reads | done[0] & keep, done[1] & keep, done[2] & keep
            self.needs[at] = _either(kept, failed)
        return self.needs != before

    def _raise(self) -> bool:
        """Pass what is above each node to its successors; tell whether any changed."""
        before = list(self.above)
        for at in range(len(before) - 1, -1, -1):
            one, two = self.above[at]
            for to in self.ways[at]:
                self._add(to, one, two)
            if self.called[at]:
                back = self.flow.nodes[at].back
                self._add(back, one, two)
                for to in self.called[at]:
                    self._add(to, self._alive(at, self.needs[back]), two)
            self._raise_handlers(at)
        return self.above != before

    def _raise_handlers(self, at: int) -> None:
        one, two = self.above[at]
        if self.errors.handled[at]:
            again = self._alive(at, self._again(at, self._done(at)))
            for to in self.errors.handled[at]:
                self._add(to, one | again, two | again)
            for to in (self.flow.nodes[at].following, *self.flow.resumed):
                self._add(to, one, two)
        for to in self.errors.tried[at]:
            self._add(to, self._alive(at, self.needs[at]), 0)

    def _add(self, at: int, one: int, two: int) -> None:
        was = self.above[at]
        self.above[at] = was[0] | one, was[1] | two


Apart = dict[str, set[str]]
"""Variable → those with which it cannot share a name."""


def share_names(rows: Rows, facts: Facts) -> Rows:
    """The program with fewer names, if its flow can be determined."""
    new = shared_names(rows, facts)
    return replace(rows, main=with_names(rows.main, new)) if new else rows


def shared_names(rows: Rows, facts: Facts) -> dict[str, str]:
    """Name → the name it shares, for the main program's variables that lose their own."""
    if facts.switched or rows.front:
        return {}
    found = _candidates(rows, facts)
    bits = {name: 1 << bit for bit, name in enumerate(found)}
    try:
        flow = flow_of(rows.main, rows.subs, bits)
    except FlowError:
        # Without a flow nothing is known about lifetimes.
        return {}
    close_loops(flow)
    apart = _apart(flow, found, bits)
    used = usage(rows.main)
    new: dict[str, str] = {}
    for group in _groups(found, apart):
        kept = min(group, key=lambda name: (len(name), -used[name], name))
        new |= {name: kept for name in group if name != kept}
    return new


def _candidates(rows: Rows, facts: Facts) -> list[str]:
    """The variables that take part.

    A handler of errors works with the names of the SUB it was called in: if there is one, names of
    SUBs stay.
    """
    left = {e.text for row in rows.main if t.DEF in words(row.tokens) for e in names(row.tokens)}
    if handles_errors(rows):
        left |= {e.text for row in rows.subs for e in names(row.tokens)}
    return [
        symbol.name
        for symbol in facts.scan.main.symbols.values()
        if not symbol.dimensions and symbol.function is None and symbol.name not in left
    ]


def _apart(flow: Flow, found: Sequence[str], bits: dict[str, int]) -> Apart:
    """Which variables cannot share: one is written while the other is alive."""
    after = alive(flow, failing(flow))
    masks = dict.fromkeys(found, 0)
    for at, node in enumerate(flow.nodes):
        others = after[at] | node.writes | (node.reads if node.entangled else 0)
        for name in found if node.writes else ():
            if bits[name] & node.writes:
                masks[name] |= others
    loops = {_looped(node.statement) for node in flow.nodes}
    apart: Apart = {name: set() for name in found}
    for one in found:
        for other in found:
            kinds = one.endswith("$") != other.endswith("$")
            if one != other and (kinds or {one, other} <= loops or masks[one] & bits[other]):
                apart[one].add(other)
                apart[other].add(one)
    return apart


def _looped(statement: st.Statement) -> str:
    match statement:
        case st.For(variable=nd.Variable(name=name)) | st.Next(variable=name):
            return name
    return ""


def _groups(found: Iterable[str], apart: Apart) -> Collection[list[str]]:
    """The variables in few groups that can share; those with the least choice come first."""
    group_of: dict[str, int] = {}
    waiting = list(found)
    while waiting:
        name = max(waiting, key=lambda one: _difficulty(one, apart, group_of))
        waiting.remove(name)
        taken = {group_of[other] for other in apart[name] if other in group_of}
        group_of[name] = next(n for n in range(len(group_of) + 1) if n not in taken)
    groups: dict[int, list[str]] = {}
    for name, group in group_of.items():
        groups.setdefault(group, []).append(name)
    return groups.values()


def _difficulty(name: str, apart: Apart, group_of: dict[str, int]) -> tuple[int, int, str]:
    taken = {group_of[other] for other in apart[name] if other in group_of}
    return len(taken), len(apart[name]), name
