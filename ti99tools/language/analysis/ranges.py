"""The range of every numeric variable before every statement, as far as it is certain.

Elements of arrays may hold anything, as may the variables of a SUB when it begins, what is read or
typed, and what a CALL gives. Of a program that handles errors or calls machine code nothing is
said: both may change variables between any two statements.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from ti99tools.base import tokens as t
from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.constants import constant, integer
from ti99tools.language.analysis.fixpoint import Fixpoint, State, narrowed
from ti99tools.language.analysis.flow import BACK
from ti99tools.language.analysis.intervals import ANY, TRUTH, WORD, WORD_HIGH, ZERO, Interval
from ti99tools.language.analysis.names import Uses, stored, uses_of
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from ti99tools.language.syntax.statements import parts

if TYPE_CHECKING:
    from ti99tools.language.analysis.analysis import Analysis

RELATIONS = {
    t.EQUAL: "eq",
    t.LESS: "lt",
    t.GREATER: "gt",
    NOT_EQUAL: "ne",
    LESS_EQUAL: "le",
    GREATER_EQUAL: "ge",
}
_BITS = {t.AND: "and", t.OR: "or", t.XOR: "xor"}
_FIXED = {
    t.SGN: Interval(-1, 1),
    t.LEN: Interval(0, 255),
    t.ASC: Interval(0, 255),
    t.POS: Interval(0, WORD_HIGH),
    t.RND: Interval(0, 1, whole=False),
    t.SIN: Interval(-1, 1, whole=False),
    t.COS: Interval(-1, 1, whole=False),
}
"""Function → its range, whatever its arguments are."""
_MEDDLING = frozenset(("LOAD", "LINK"))
"""Subprograms of machine code, which may change any variable."""


MOST_STEPS = 60
"""Steps for each statement, after which nothing is said; usual programs need 10 to 20."""


class _TooLongError(Exception):
    """A program takes too many steps."""


class Ranges(Fixpoint[int]):
    """The ranges of a program; places are the nodes of its flow.

    `certain`: there are any.
    """

    # An editor lints at every key: rather soon than sharp.
    PATIENT, FIRST = 3, 1

    def __init__(self, program: Analysis) -> None:
        self._nodes = program.flow.nodes
        self._loops = program.loops
        self._subs = program.subs
        every = [node.statement for node in self._nodes]
        self._unknown = {one.name for one in every if isinstance(one, st.Def)}
        """Functions, and parameters of SUBs: two of them may be one variable of the caller."""
        for sub in self._subs.values():
            self._unknown |= {one.name for one in sub.parameters if len(sub.parameters) > 1}
        entries: dict[int, State] = {start: {} for start in program.flow.starts}
        for name, first in program.flow.subs.items():
            entries[first] = dict.fromkeys(self._names(name), ANY)
        super().__init__(entries, self._ordered(entries), self._thresholds())
        into = Counter([*entries])
        for at, node in enumerate(self._nodes):
            into.update([*self._loops.ways[at], *node.calls, *[node.back] * len(node.calls)])
            # A NEXT comes to what follows it once for each loop that it meets.
            into.update(node.ways * len(self._loops.meets.get(at, ())[1:]))
        self.straight = {at for at, ways in into.items() if ways == 1 and at not in entries}
        known = (SUBPROGRAMS.keys() - _MEDDLING) | self._subs.keys()
        self.certain = not program.flow.handlers and not any(
            isinstance(one, st.Call) and one.name not in known for one in every
        )
        self._steps = MOST_STEPS * len(self._nodes)
        if self.certain:
            try:
                self.solve()
            except _TooLongError:
                self.certain = False

    def _ordered(self, entries: Iterable[int]) -> dict[int, int]:
        """The nodes in an order in which most come after all that lead to them.

        Subroutines come before what follows their GOSUB.
        """
        done: list[int] = []
        seen: set[int] = set()
        waiting = [(at, False) for at in entries]
        while waiting:
            at, left = waiting.pop()
            if left:
                done.append(at)
            elif at not in seen:
                seen.add(at)
                node = self._nodes[at]
                after = [*node.calls, *([node.back] if node.calls else ()), *self._loops.ways[at]]
                waiting += [(at, True), *((way, False) for way in after)]
        return {at: index for index, at in enumerate(reversed(done))}

    def _names(self, scope: str) -> set[str]:
        """The simple variables of a scope, and what a loop there keeps."""
        found: set[str] = set()
        for at, node in enumerate(self._nodes):
            if node.scope == scope:
                found |= {part.name for part in parts(node.statement) if type(part) is nd.Variable}
                found |= {_limit(at), _step(at)} if isinstance(node.statement, st.For) else set()
        return found

    def _thresholds(self) -> list[int]:
        found = {0, 1, -1, iv.WORD_LOW, WORD_HIGH, 255, 256}
        for node in self._nodes:
            if isinstance(node.statement, st.If | st.For):
                values = (integer(part) for part in parts(node.statement))
                found |= {n + off for n in values if n is not None for off in (-1, 0, 1)}
        return sorted(found)

    def of(self, at: int, node: nd.Expression) -> Interval:
        """The range of an expression in the statement of a node that control comes to."""
        return self._value(node, self._reading(at, self.before[at]))

    def _reading(self, at: int, state: State) -> State:
        """The state in which a statement reads: what it may have assigned may be anything."""
        uses = self._uses[at]
        if not uses.entangled or not uses.writes:
            return state
        return state | dict.fromkeys(uses.writes, ANY)

    @cached_property
    def _uses(self) -> list[Uses]:
        return [uses_of(node.statement, self._subs) for node in self._nodes]

    # -- statements -----------------------------------------------------------------------

    def step(self, place: int, state: State, flow: Callable[[int, State], None]) -> None:
        """Let control go through a statement."""
        self._steps -= 1
        if not self._steps:
            raise _TooLongError
        node = self._nodes[place]
        statement = node.statement
        ways = self._loops.ways[place]
        match statement:
            case st.If(condition=condition):
                for way, truth in zip(ways, (True, False), strict=True):
                    there = self._narrowed(condition, state, truth)
                    if there is not None:
                        flow(way, there)
                return
            case st.For(variable=nd.Variable()):
                self._begin(place, statement, state, flow)
                return
            case st.Next():
                self._go_round(place, statement.variable, state, flow)
                return
            case st.Let(targets=targets, value=value):
                found = ANY if value is None else self._value(value, state)
                state.update({one.name: found for one in targets if type(one) is nd.Variable})
            case _:
                given = stored(statement, self._subs)
                state.update({one.name: ANY for one in given if type(one) is nd.Variable})
        if node.leaves == BACK:
            for sub in self._ended.get(place, ()):
                self.note_return(sub, state, flow)
        for way in (*ways, *node.calls):
            flow(way, state)
        for sub in node.calls:
            if (left := self._returns.get(sub)) is not None:
                flow(node.back, self._after(sub, state, left))

    def come_back(self, key: Hashable, state: State, flow: Callable[[int, State], None]) -> None:
        """Let the state at the RETURNs of a subroutine go to all of its GOSUBs."""
        for at, node in enumerate(self._nodes):
            if key in node.calls and at in self.before:
                flow(node.back, self._after(key, self.before[at], state))

    def _after(self, sub: Hashable, before: State, left: State) -> State:
        """The state after a GOSUB: what its subroutine does not write is as it was."""
        changed = self._changed[sub]
        return before | {name: left.get(name, ZERO) for name in changed}

    @cached_property
    def _called(self) -> set[int]:
        """The first nodes of subroutines."""
        return {sub for node in self._nodes for sub in node.calls}

    @cached_property
    def _ended(self) -> dict[int, list[int]]:
        """RETURN → the subroutines that it may end."""
        found: dict[int, list[int]] = {}
        for sub in self._called:
            for at in self._loops.inside(sub, deep=False):
                found.setdefault(at, []).append(sub)
        return found

    @cached_property
    def _changed(self) -> dict[Hashable, set[str]]:
        """First node of each subroutine → the names that it may change."""
        return {
            sub: {name for at in self._loops.inside(sub) for name in self._written(at)}
            for sub in self._called
        }

    def _written(self, at: int) -> frozenset[str]:
        kept = isinstance(self._nodes[at].statement, st.For)
        return self._uses[at].writes | ({_limit(at), _step(at)} if kept else set())

    def _begin(
        self, at: int, loop: st.For, state: State, flow: Callable[[int, State], None]
    ) -> None:
        reading = self._reading(at, state)
        name = loop.variable.name
        start, limit, step = (
            Interval(1, 1) if part is None else self._value(part, reading)
            for part in (loop.start, loop.limit, loop.step)
        )
        state |= {name: start, _limit(at): limit, _step(at): step}
        self._pass(at, name, state, flow, self._loops.ways[at][:1], self._loops.ways[at][1:])

    def _go_round(
        self, at: int, name: str, state: State, flow: Callable[[int, State], None]
    ) -> None:
        """Let a NEXT go on with each loop that it may meet."""
        after = self._nodes[at].ways
        for loop in self._loops.meets.get(at, ()):
            step = state.get(_step(loop), ANY)
            moved = state | {name: iv.add(state.get(name, ZERO), step)}
            self._pass(loop, name, moved, flow, [self._nodes[loop].ways[0]], after)

    @staticmethod
    def _pass(
        loop: int,
        name: str,
        state: State,
        flow: Callable[[int, State], None],
        body: list[int],
        after: list[int],
    ) -> None:
        """Let control go to a loop's body up to its limit, and beyond that to what follows."""
        limit, step = state.get(_limit(loop), ANY), state.get(_step(loop), ANY)
        pairs = ((name, state[name]), ("", limit))
        for ways, relations in ((body, ("le", "ge")), (after, ("gt", "lt"))):
            there: State | None = state
            if step.low > 0 or step.high < 0:
                there = narrowed(relations[step.high < 0], pairs, state)
            if there is not None:
                for way in ways:
                    flow(way, there)

    # -- values ---------------------------------------------------------------------------

    def _value(self, node: nd.Expression, state: State) -> Interval:
        if node.is_string:
            return ANY
        match node:
            case nd.Number():
                value = constant(node)
                if value is None:
                    return ANY
                low, high = math.floor(value), math.ceil(value)
                return Interval(low, high, whole=low == high)
            case nd.Variable(name=name):
                return ANY if name in self._unknown else state.get(name, ZERO)
            case nd.Group(inner):
                return self._value(inner, state)
            case nd.Unary(operator, operand):
                return self._signed(operator, self._value(operand, state))
            case nd.Binary(operator, left, right) if operator in RELATIONS:
                return TRUTH
            case nd.Binary(operator, left, right):
                return _calculated(operator, self._value(left, state), self._value(right, state))
            case nd.Function(token, arguments):
                return self._function(token, arguments, state)
        return ANY

    @staticmethod
    def _signed(operator: int, value: Interval) -> Interval:
        if operator == t.NOT:
            return Interval(-1 - value.high, -1 - value.low) if value.is_word else WORD
        return iv.neg(value) if operator == t.MINUS else value

    def _function(self, token: int, arguments: tuple[nd.Expression, ...], state: State) -> Interval:
        if token in _FIXED:
            return _FIXED[token]
        values = [self._value(argument, state) for argument in arguments]
        match token:
            case t.INT:
                return values[0]._replace(whole=True)
            case t.ABS:
                return iv.absolute(values[0])
            case t.MAX:
                return iv.larger(*values)
            case t.MIN:
                return iv.smaller(*values)
        return ANY

    # -- conditions -----------------------------------------------------------------------

    def _narrowed(self, condition: nd.Expression, state: State, truth: bool) -> State | None:
        """The state where a condition is true or false; None where it cannot be."""
        match condition:
            case nd.Group(inner):
                return self._narrowed(inner, state, truth)
            case nd.Unary(t.NOT, operand) if _is_truth(operand):
                return self._narrowed(operand, state, not truth)
            case nd.Binary(operator, left, right) if operator in RELATIONS and not left.is_string:
                relation = RELATIONS[operator]
                relation = relation if truth else iv.NEGATED[relation]
                sides = self._side(left, state), self._side(right, state)
                return narrowed(relation, sides, state)
            case nd.Binary(operator, left, right) if _is_truth(left) and _is_truth(right):
                # Of -1 and 0 the result of AND and OR tells what both of them are.
                if operator == (t.AND if truth else t.OR):
                    first = self._narrowed(left, state, truth)
                    return None if first is None else self._narrowed(right, first, truth)
            case nd.Variable() if not condition.is_string:
                zero = ("", ZERO)
                relation = "ne" if truth else "eq"
                return narrowed(relation, (self._side(condition, state), zero), state)
        return state

    def _side(self, node: nd.Expression, state: State) -> tuple[str, Interval]:
        while isinstance(node, nd.Group):
            node = node.inner
        name = node.name if isinstance(node, nd.Variable) else ""
        return "" if name in self._unknown else name, self._value(node, state)


def _limit(loop: int) -> str:
    """What stands for the limit of a loop in a state; no variable has such a name."""
    return f"limit {loop}"


def _step(loop: int) -> str:
    return f"step {loop}"


def _calculated(operator: int, a: Interval, b: Interval) -> Interval:
    match operator:
        case t.PLUS:
            return iv.add(a, b)
        case t.MINUS:
            return iv.add(a, iv.neg(b))
        case t.MULTIPLY:
            return iv.mul(a, b)
        case t.DIVIDE:
            return iv.quotient(a, b)._replace(whole=False)
        case t.AND | t.OR | t.XOR:
            return iv.bits(a, b, _BITS[operator]) if a.is_word and b.is_word else WORD
    return ANY


def _is_truth(node: nd.Expression) -> bool:
    """Tell whether an expression is a comparison, or made of them."""
    match node:
        case nd.Group(inner) | nd.Unary(t.NOT, inner):
            return _is_truth(inner)
        case nd.Binary(operator, left, right):
            both = operator in (t.AND, t.OR) and _is_truth(left) and _is_truth(right)
            return operator in RELATIONS or both
    return False
