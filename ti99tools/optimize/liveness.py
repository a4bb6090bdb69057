"""Which variables are alive where: read later, before they are written.

A subroutine comes back to the GOSUB that called it, and to no other. So each node has its `needs`:
what is read from there on at its level of the stack and deeper, and what is alive there because it
is alive after the RETURN that ends the level, or after the RETURN NEXT or RETURN n that ends the
handling of an error. What is alive after those, in all the ways that lead to a node, is `above` it.
"""

from __future__ import annotations

from ti99tools.optimize.errors import Failing
from ti99tools.optimize.flow import BACK, RESUMED, Flow

Needs = tuple[int, int, int]
"""What is read; what is alive if it is after RETURN; if it is after RETURN NEXT or RETURN n."""
NONE: Needs = (0, 0, 0)


def alive(flow: Flow, errors: Failing) -> list[int]:
    """Masks of the variables that are alive after each node, also when it fails."""
    return _Liveness(flow, errors).solve()


def _either(a: Needs, b: Needs) -> Needs:
    return a[0] | b[0], a[1] | b[1], a[2] | b[2]


def _through(level: Needs, back: Needs, resumed: Needs) -> Needs:
    """What is needed where a level begins, after which `back` and `resumed` are needed."""
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
        """What is needed after a node, be it done or failed."""
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
            # An error in the handler takes the level of this one off the stack.
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
        """Take the needs of each node from those after it; tell whether that changed any."""
        before = list(self.needs)
        for at, node in enumerate(self.flow.nodes):
            done = self._done(at)
            failed = self._failed(at, done)
            keep = ~node.kills
            kept = node.reads | done[0] & keep, done[1] & keep, done[2] & keep
            self.needs[at] = _either(kept, failed)
        return self.needs != before

    def _raise(self) -> bool:
        """Take what is above each node to those after it; tell whether that changed any."""
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
