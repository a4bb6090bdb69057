"""Which FOR a NEXT meets, as far as the lines tell: the one rule for all who do not run them.

A running program searches its stack: `computer.interp.run.stack`.

NEXT looks for the loop of its variable on the stack, down to the last GOSUB, CALL or error there,
and removes what lies above it. FOR removes an older loop of its variable, however far below.
RETURN removes what lies above its GOSUB. A loop that is over at once goes on after the NEXT that
closes it in the order of the text, by counting FORs and NEXTs. Source: recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ti99tools.language.analysis.flow import Flow, reachable
from ti99tools.language.syntax import statements as st

Variable = tuple[str, str]
"""The SUB of a loop (empty: none) and its variable."""
Stack = tuple[int, ...]
"""FORs that are certainly on the stack, the oldest first; others may lie anywhere."""


class Loops:
    """The loops of a flow; each is known by the node of its FOR.

    `meets` are the loops that each reached NEXT may find. `ends` is the NEXT that closes each loop
    in the order of the text.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.variables: dict[int, Variable] = {}
        """Nodes of FOR and NEXT, in the order of the text."""
        for at in range(len(flow.nodes) - 1, 0, -1):
            node = flow.nodes[at]
            if isinstance(node.statement, st.For):
                self.variables[at] = (node.scope, node.statement.variable.name)
            elif isinstance(node.statement, st.Next):
                self.variables[at] = (node.scope, node.statement.variable)
        self.fors = [at for at in self.variables if isinstance(flow.nodes[at].statement, st.For)]
        self.ends = dict(self._textual())
        self._own = {at: 1 << bit for bit, at in enumerate(self.fors)}
        self._of_variable: dict[Variable, int] = {}
        for at, bit in self._own.items():
            name = self.variables[at]
            self._of_variable[name] = self._of_variable.get(name, 0) | bit
        self._reached = [-1] * len(flow.nodes)
        self._waiting: list[int] = []
        self._failed = 0
        """The loops on the stack where an error was handled. They are there again after RETURN, and
        when an error in the handler removes its level.
        """
        self._follow()
        self.meets: dict[int, Stack] = {
            at: self._loops(self._reached[at] & self._of_variable.get(name, 0))
            for at, name in self.variables.items()
            if at not in self._own and self._reached[at] >= 0
        }

    @cached_property
    def ways(self) -> list[list[int]]:
        """Where control goes on after each node, without subroutines and errors.

        Of FOR first its body, of NEXT first what follows it.
        """
        ways = [node.ways for node in self.flow.nodes]
        for at, end in self.ends.items():
            ways[at] = [*ways[at], self.flow.nodes[end].ways[0]]
        for at, loops in self.meets.items():
            bodies = dict.fromkeys(self.flow.nodes[loop].ways[0] for loop in loops)
            ways[at] = [*ways[at], *(body for body in bodies if body not in ways[at])]
        return ways

    def runs(self, at: int) -> bool:
        """Tell whether control may come to a node."""
        return self._reached[at] >= 0

    def _textual(self) -> Iterator[tuple[int, int]]:
        open_loops: list[int] = []
        for at in self.variables:
            if at in self.fors:
                open_loops.append(at)
            elif open_loops:
                yield open_loops.pop(), at

    def _loops(self, mask: int) -> Stack:
        return tuple(at for at, bit in self._own.items() if bit & mask)

    # -- what may be on the stack ---------------------------------------------------------

    def _follow(self) -> None:
        """Go through the flow with the loops that may be on the stack: a bit for each FOR."""
        flow = self.flow
        self._enter((*flow.starts, *flow.subs.values()), 0)
        while self._waiting:
            at = self._waiting.pop()
            node, here = flow.nodes[at], self._reached[at]
            if flow.handlers:
                self._failed |= here
                self._enter((*flow.handlers, *flow.resumed), self._failed)
                self._enter([node.following], here)
            if at in self._own:
                here &= ~self._of_variable[self.variables[at]]
                if at in self.ends:
                    self._enter(flow.nodes[self.ends[at]].ways, here)
                here |= self._own[at]
            elif at in self.variables:
                own = self._of_variable.get(self.variables[at], 0)
                self._enter((flow.nodes[loop].ways[0] for loop in self._loops(here & own)), here)
                here &= ~own
            self._enter(node.ways, here)
            if node.calls:
                self._enter([node.back], here)
                self._enter(node.calls, 0)

    def _enter(self, places: Iterable[int], loops: int) -> None:
        """Let control come to places with these loops on the stack; places with news are queued."""
        for place in places:
            if self._reached[place] < 0 or loops & ~self._reached[place]:
                self._reached[place] = max(self._reached[place], 0) | loops
                self._waiting.append(place)

    # -- what is on the stack for certain -------------------------------------------------

    @cached_property
    def certain(self) -> Mapping[int, int]:
        """NEXT → the loop that it certainly finds."""
        stacks = self._certain_stacks()
        return {
            at: loop
            for at in self.meets
            for loop in stacks[at]
            if self.variables[loop] == self.variables[at]
        }

    def _certain_stacks(self) -> dict[int, Stack]:
        """The loops that are certainly on the stack before each node."""
        stacks: dict[int, Stack] = {}
        waiting: list[int] = []

        def enter(place: int, stack: Stack) -> None:
            known = stacks.get(place)
            both = stack if known is None else _common(known, stack)
            if both != known:
                stacks[place] = both
                waiting.append(place)

        for start in (*self.flow.starts, *self.flow.subs.values()):
            enter(start, ())
        while waiting:
            at = waiting.pop()
            for place, stack in self._led(at, stacks[at]):
                enter(place, stack)
        return stacks

    def _led(self, at: int, stack: Stack) -> Iterator[tuple[int, Stack]]:
        """The nodes that may come after one, with what is then certainly on the stack."""
        node = self.flow.nodes[at]
        yield from self._onward(at, stack)
        for place in node.calls:
            yield place, ()
        if node.calls:
            yield node.back, self._left(stack, node.calls)
        if self.flow.handlers:
            for place in (*self.flow.handlers, *self.flow.resumed, node.following):
                yield place, ()
            yield at, self._left(stack, self.flow.handlers)

    def _onward(self, at: int, stack: Stack) -> Iterator[tuple[int, Stack]]:
        """What a statement itself leads to: FOR begins a loop, NEXT ends or repeats one."""
        node = self.flow.nodes[at]
        if at in self._own:
            skipped = tuple(one for one in stack if self.variables[one] != self.variables[at])
            yield node.ways[0], (*skipped, at)
            if at in self.ends:
                yield self.flow.nodes[self.ends[at]].ways[0], skipped
        elif at in self.variables:
            below, is_open = self._below(stack, self.variables[at])
            for loop in self.meets[at]:
                yield self.flow.nodes[loop].ways[0], (*below, loop)
            yield node.ways[0], below if is_open else ()
        else:
            for way in node.ways:
                yield way, stack

    def _left(self, stack: Stack, calls: Iterable[int]) -> Stack:
        """What subroutines certainly leave on a stack."""
        begun = {name for place in calls for name in self._begun[place]}
        return tuple(one for one in stack if self.variables[one] not in begun)

    def _below(self, stack: Stack, variable: Variable) -> tuple[Stack, bool]:
        """What is certainly below the loop of a variable, and whether that is there for certain."""
        for at, loop in enumerate(stack):
            if self.variables[loop] == variable:
                return stack[:at], True
        return (), False

    @cached_property
    def _begun(self) -> dict[int, set[Variable]]:
        """First node of subroutines and handlers → the variables of FORs that they may come to."""
        calls = {place for node in self.flow.nodes for place in node.calls}
        calls.update(self.flow.handlers)
        return {
            place: {self.variables[at] for at in self.inside(place) if at in self._own}
            for place in calls
        }

    def inside(self, place: int, deep: bool = True) -> set[int]:
        """The nodes that control may come to from the first one of a subroutine, up to RETURN.

        If not `deep`, without those of the subroutines that it calls.
        """

        def onward(at: int) -> Iterator[int]:
            node = self.flow.nodes[at]
            yield from self.ways[at]
            if node.calls:
                yield from (*node.calls, node.back) if deep else (node.back,)

        return reachable((place,), onward)

    # -- loops that need no stack ---------------------------------------------------------

    @cached_property
    def well_made(self) -> dict[int, int]:
        """FOR → its NEXT, for loops that need nothing on the stack.

        The NEXT meets this loop only and always, no other meets it, and nothing that may lie above
        the loop at its NEXT needs the stack. A variable has well-made loops only, or none. Loops
        that are never reached count as well made, if they have a NEXT.
        """
        alone = {at: end for at, end in self.ends.items() if self._alone(at, end)}
        bad = {self.variables[at] for at in self.fors if at not in alone and self.runs(at)}
        before = -1
        while before != len(bad):
            before = len(bad)
            stacked = [at for at in self.fors if self.variables[at] in bad]
            for at, end in alone.items():
                if any(self._may_lie_above(one, at, end) for one in stacked if one != at):
                    bad.add(self.variables[at])
        return {at: end for at, end in alone.items() if self.variables[at] not in bad}

    def _alone(self, at: int, end: int) -> bool:
        if not self.runs(at):
            return not self.runs(end)
        nexts = [one for one, loops in self.meets.items() if at in loops]
        return nexts == [end] and self.meets[end] == (at,) and self.certain.get(end) == at

    def _may_lie_above(self, one: int, loop: int, end: int) -> bool:
        """Tell whether a FOR may begin a loop inside another that is there at the other's end."""
        begun = self.runs(one) and self._reached[one] & self._own[loop]
        return bool(begun and self.runs(end) and self._reached[end] & self._own[one])


def _common(one: Stack, other: Stack) -> Stack:
    """What two stacks have in common, from below."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return one[:length]
