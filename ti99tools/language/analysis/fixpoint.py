"""The ranges of variables over a graph of places: abstract interpretation, for lint and compiler.

A place's state says what the variables may hold there; a variable that it does not name has not
been set yet and is 0. States are joined where ways meet; where they keep growing they are widened
to the next number that the program compares with, then without limit. Then two sweeps narrow what
was widened too far.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from math import inf
from typing import Generic, TypeVar

from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.intervals import ZERO, Interval

Place = TypeVar("Place", bound=Hashable)
State = dict[str, Interval]
NARROWINGS = 2
"""How often states are then narrowed again."""


class Fixpoint(Generic[Place]):
    """The states of a graph: `before` is the one before each place that control comes to.

    `entries` are places with the states in which they may begin, `order` numbers all places in the
    order of the program, `marks` are the numbers to widen to, ascending.
    """

    PATIENT, FIRST = 14, 3
    """Visits of a place until its state is widened without limit, and until that at all."""

    def __init__(
        self,
        entries: Mapping[Place, State],
        order: Mapping[Place, int],
        marks: Sequence[int],
    ) -> None:
        self.before: dict[Place, State] = {}
        self._entries = entries
        self._order = order
        self._marks = marks
        self.straight: Container[Place] = frozenset()
        """Places to which one way leads only: there is nothing to join."""
        self.shared: Container[Place] = frozenset()
        """Places to which control may come from anywhere: `everywhere` is the state of them all."""
        self.everywhere: State = {}
        self._returns: dict[Hashable, State] = {}
        """Level that ends → the joined states at its ends."""
        self._visits: dict[Place, int] = {}
        """How often the state of a place has grown where it is widened."""
        self._waiting: list[tuple[int, Place]] = []
        self._queued: set[Place] = set()

    @abstractmethod
    def step(self, place: Place, state: State, flow: Callable[[Place, State], None]) -> None:
        """Let control go from a place in a `state`, which may be changed, to the next ones."""

    @abstractmethod
    def come_back(self, key: Hashable, state: State, flow: Callable[[Place, State], None]) -> None:
        """Let control go on in a `state` after all that wait for a level to end."""

    def arriving(self, _: Place, state: State) -> State:
        """What matters of the state in which control comes to a place."""
        return state

    def at_rest(self) -> None:
        """Let go on, by `visit` and `reach`, what depends on more than the state before it.

        Called when all states have come to rest, again and again until nothing goes on.
        """

    def note_return(
        self, key: Hashable, state: State, flow: Callable[[Place, State], None]
    ) -> None:
        """Take note of an end of a level."""
        old = self._returns.get(key)
        new = state if old is None else joined(old, state)
        if new is not old:
            self._returns[key] = new
            self.come_back(key, new, flow)

    def solve(self) -> None:
        """Find the states of all places: let them grow, then narrow them."""
        self._ascend()
        for _ in range(NARROWINGS):
            self._descend()

    def visit(self, place: Place) -> None:
        """Let control go through a place again."""
        if place not in self._queued:
            self._queued.add(place)
            heappush(self._waiting, (self._order[place], place))

    def reach(self, place: Place) -> None:
        """Let control come to one of the shared places, if it has not come there yet."""
        if place not in self.before:
            self.before[place] = self.everywhere
            self.visit(place)

    def share(self, state: State) -> list[Place]:
        """Give all shared places that control has come to a state; return these places."""
        self.everywhere = state
        places = [place for place in self.before if place in self.shared]
        self.before.update(dict.fromkeys(places, state))
        return places

    def _ascend(self) -> None:
        self.before = dict(self._entries)
        for place in self.before:
            self.visit(place)
        waiting = self._waiting
        while waiting:
            while waiting:
                at, place = heappop(waiting)
                self._queued.discard(place)
                self.step(place, dict(self.before[place]), partial(self._grow, source=at))
            self.at_rest()

    def _grow(self, place: Place, state: State, source: int) -> None:
        """Let control come to a place in a state, from the place with the number `source`."""
        if place in self.shared:
            self.reach(place)
            return
        state = self.arriving(place, state)
        old = self.before.get(place)
        new = state if old is None else self._grown(place, old, state, source)
        if new is not old:
            self.before[place] = new
            self.visit(place)

    def _grown(self, place: Place, old: State, state: State, source: int) -> State:
        """The state of a place where control has come before; `old` itself if it is the same."""
        back = self._order[place] <= source
        if place in self.straight and not back:
            return old if state == old else state
        new = joined(old, state)
        if new is old:
            return old
        # Every circle has a way back in the order of the program: to widen there is enough
        # for all states to come to rest, and keeps what straight ways know.
        visits = self._visits.setdefault(place, 0)
        if back or visits > 3 * self.PATIENT:
            visits = self._visits[place] = visits + 1
            if visits > self.FIRST:
                return self.widened_state(old, new, visits > self.PATIENT)
        return new

    def _descend(self) -> None:
        """Go over all places again from the known states, to undo what was widened too far."""
        known, self._returns = self._returns, {}
        after: dict[Place, State] = dict(self._entries)

        def flow(place: Place, state: State) -> None:
            if place in self.shared:
                after[place] = self.everywhere
                return
            state = self.arriving(place, state)
            old = None if place in self.straight else after.get(place)
            after[place] = state if old is None else joined(old, state)

        # Twice: a GOSUB before its RETURN gets what comes back in the second round only.
        for _ in range(2):
            for place, before in self.before.items():
                self.step(place, dict(before), flow)
        self.before = after
        self._returns = {**known, **self._returns}

    def widened_state(self, old: State, new: State, far: bool) -> State:
        """A state, widened where it has grown."""
        wider = dict(new)
        for name, now in new.items():
            before = old.get(name, ZERO)
            if before != now:
                wider[name] = self.widened(before, now, far)
        return wider

    def widened(self, old: Interval, new: Interval, far: bool) -> Interval:
        """The range, moved to the next mark where it has grown, or without limit."""
        marks = self._marks
        low, high = new.low, new.high
        if low < old.low:
            at = bisect_right(marks, low) - 1
            low = -inf if far or at < 0 else marks[at]
        if high > old.high:
            at = bisect_left(marks, high)
            high = inf if far or at >= len(marks) else marks[at]
        return Interval(low, high, new.whole)


def joined(a: State, b: State) -> State:
    """Both states; `a` itself if `b` adds nothing."""
    if a is b:
        return a
    union: State | None = None
    for name, new in b.items():
        old = a.get(name)
        # Most names have the same range on both ways, and mostly it is the same object.
        if old is new or old == new:
            continue
        both = iv.join(old or ZERO, new)
        if both != old:
            union = union or dict(a)
            union[name] = both
    # What `b` does not name is still 0 there.
    for name in a.keys() - b.keys() if len(a) != len(b) or a.keys() != b.keys() else ():
        old = a[name]
        if not old.low <= 0 <= old.high:
            union = union or dict(a)
            union[name] = iv.join(old, ZERO)
    return a if union is None else union


def narrowed(
    relation: str,
    pairs: tuple[tuple[str, Interval], tuple[str, Interval]],
    state: State,
) -> State | None:
    """The state where two values stand in a relation; None where they cannot.

    Each is a variable's name (empty: none) and its range.
    """
    (left, a), (right, b) = pairs
    if not iv.possible(relation, a, b):
        return None
    narrower = dict(state)
    for name, own, other, one in ((left, a, b, relation), (right, b, a, iv.SWAPPED[relation])):
        if name:
            values = iv.within(own, one, other)
            if values is None:
                return None
            narrower[name] = values
    return narrower
