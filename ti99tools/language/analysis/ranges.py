"""The range of every numeric variable before every statement, as far as it is certain.

Elements of arrays may hold anything, as may the variables of a SUB when it begins, what is read or
typed, and what a CALL gives. Of a program that handles errors or calls machine code nothing is
said: both may change variables between any two statements.

Expressions are translated into formulas: terms whose ranges `terms` knows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ti99tools.base import tokens as t
from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.constants import constant, integer
from ti99tools.language.analysis.fixpoint import State, narrowed
from ti99tools.language.analysis.flow import BACK
from ti99tools.language.analysis.intervals import ANY, WORD_HIGH, WORD_LOW, ZERO, Interval
from ti99tools.language.analysis.names import Uses, stored, uses_of
from ti99tools.language.analysis.terms import Term, Valuing, marks_at
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
SUMS = {t.PLUS: "add", t.MINUS: "sub", t.MULTIPLY: "mul", t.DIVIDE: "div"}
BITS = {t.AND: "and", t.OR: "or", t.XOR: "xor"}
_FUNCTIONS = {
    t.INT: "int",
    t.ABS: "abs",
    t.MAX: "max",
    t.MIN: "min",
    t.SGN: "sgn",
    t.LEN: "len",
    t.ASC: "asc",
    t.POS: "pos",
    t.RND: "rnd",
    t.SIN: "sin",
    t.COS: "cos",
}
CONSTANT = "range"
"""The operation of a term whose `data` is its range."""


class Formula(NamedTuple):
    """An expression as a term."""

    op: str
    args: tuple[Any, ...] = ()
    data: Any = None


def known(value: Interval) -> Formula:
    """The term of a value of which only the range is known."""
    return Formula(CONSTANT, (), value)


ANYTHING, ONE = known(ANY), known(Interval(1, 1))


def formula(node: nd.Expression, unknown: Container[str]) -> Formula:
    """An expression as a term; `unknown` variables may be anything."""
    if node.is_string:
        return ANYTHING
    match node:
        case nd.Number():
            value = constant(node)
            if value is None:
                return ANYTHING
            low, high = math.floor(value), math.ceil(value)
            return known(Interval(low, high, whole=low == high))
        case nd.Variable(name=name):
            return ANYTHING if name in unknown else Formula("var", (), name)
        case nd.Group(inner):
            return formula(inner, unknown)
        case nd.Unary(operator, operand):
            return _signed(operator, formula(operand, unknown))
        case nd.Binary(operator, left, right):
            return _joined(operator, left, right, unknown)
        case nd.Function(token, arguments) if token in _FUNCTIONS:
            args = tuple(formula(each, unknown) for each in arguments)
            return Formula(_FUNCTIONS[token], args)
    return ANYTHING


def _signed(operator: int, operand: Formula) -> Formula:
    if operator == t.NOT:
        return Formula("not", (_word(operand),))
    return Formula("neg", (operand,)) if operator == t.MINUS else operand


def _joined(
    operator: int, left: nd.Expression, right: nd.Expression, unknown: Container[str]
) -> Formula:
    args = formula(left, unknown), formula(right, unknown)
    if operator in RELATIONS:
        return Formula(("t" if left.is_string else "") + RELATIONS[operator], args)
    if operator in SUMS:
        return Formula(SUMS[operator], args)
    if operator in BITS:
        return Formula(BITS[operator], tuple(map(_word, args)))
    return ANYTHING


def _word(operand: Formula) -> Formula:
    """An operand of AND, OR, XOR or NOT, which the machine rounds."""
    return Formula("round", (operand,), (WORD_LOW, WORD_HIGH))


_MEDDLING = frozenset(("LOAD", "LINK"))
"""Subprograms of machine code, which may change any variable."""


MOST_STEPS = 60
"""Steps for each statement, after which nothing is said; usual programs need 10 to 20."""


class _TooLongError(Exception):
    """A program takes too many steps."""


class Ranges(Valuing[int]):
    """The ranges of a program; places are the nodes of its flow.

    `certain`: there are any.
    """

    # An editor lints at every key: rather soon than sharp.
    PATIENT, FIRST = 3, 1

    def __init__(self, program: Analysis) -> None:
        self._nodes = program.flow.nodes
        self._loops = program.loops
        self._subs = program.subs
        self._translated: dict[int, Sequence[Formula]] = {}
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
        names: set[str] = set()
        for at, node in enumerate(self._nodes):
            if node.scope == scope:
                names |= {part.name for part in parts(node.statement) if type(part) is nd.Variable}
                names |= {_limit(at), _step(at)} if isinstance(node.statement, st.For) else set()
        return names

    def _thresholds(self) -> list[int]:
        compared = (n.statement for n in self._nodes if isinstance(n.statement, st.If | st.For))
        values = (integer(part) for statement in compared for part in parts(statement))
        return marks_at(Interval(value, value) for value in values if value is not None)

    def of(self, at: int, node: nd.Expression) -> Interval:
        """The range of an expression in the statement of a node that control comes to."""
        return self.value(formula(node, self._unknown), self._reading(at, self.before[at]))

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
        statement = self._nodes[place].statement
        match statement:
            case st.If():
                self._branch(place, state, flow)
            case st.For(variable=nd.Variable()):
                self._begin(place, statement, state, flow)
            case st.Next():
                self._go_round(place, statement.variable, state, flow)
            case _:
                self._assign(place, state)
                self._go_on(place, state, flow)

    def _branch(self, place: int, state: State, flow: Callable[[int, State], None]) -> None:
        (condition,) = self._formulas(place)
        for way, truth in zip(self._loops.ways[place], (True, False), strict=True):
            there = self.narrowed(condition, state, truth)
            if there is not None:
                flow(way, there)

    def _assign(self, place: int, state: State) -> None:
        """Change a state as a statement does: only what LET assigns is known."""
        statement = self._nodes[place].statement
        value = ANY
        if isinstance(statement, st.Let):
            value = self.value(self._formulas(place)[0], state)
        given = stored(statement, self._subs)
        state.update({one.name: value for one in given if type(one) is nd.Variable})

    def _go_on(self, place: int, state: State, flow: Callable[[int, State], None]) -> None:
        """Let control go to what follows, to subroutines, and back from them."""
        node = self._nodes[place]
        if node.leaves == BACK:
            for sub in self._ended.get(place, ()):
                self.note_return(sub, state, flow)
        for way in (*self._loops.ways[place], *node.calls):
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
        subroutines: dict[int, list[int]] = {}
        for sub in self._called:
            for at in self._loops.inside(sub, deep=False):
                subroutines.setdefault(at, []).append(sub)
        return subroutines

    @cached_property
    def _changed(self) -> dict[Hashable, set[str]]:
        """First node of each subroutine → the names that it may change."""
        return {
            sub: {name for at in self._loops.inside(sub) for name in self._written(at)}
            for sub in self._called
        }

    def _written(self, at: int) -> frozenset[str]:
        is_loop = isinstance(self._nodes[at].statement, st.For)
        return self._uses[at].writes | ({_limit(at), _step(at)} if is_loop else set())

    def _begin(
        self, at: int, loop: st.For, state: State, flow: Callable[[int, State], None]
    ) -> None:
        reading = self._reading(at, state)
        name = loop.variable.name
        start, limit, step = (self.value(part, reading) for part in self._formulas(at))
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

    # -- expressions ----------------------------------------------------------------------

    def _formulas(self, at: int) -> Sequence[Formula]:
        """What the statement of a node evaluates, as far as it matters here."""
        formulas = self._translated.get(at)
        if formulas is None:
            given, missing = _evaluated(self._nodes[at].statement)
            formulas = [missing if n is None else formula(n, self._unknown) for n in given]
            self._translated[at] = formulas
        return formulas

    def special(self, term: Term, *_: object) -> Interval:
        """Constants have their range with them."""
        return term.data if term.op == CONSTANT else ANY


def _evaluated(statement: st.Statement) -> tuple[Sequence[nd.Expression | None], Formula]:
    """The expressions of a statement, and what stands for those that it does not have."""
    match statement:
        case st.If(condition=condition):
            return (condition,), ANYTHING
        case st.For(start=start, limit=limit, step=step):
            return (start, limit, step), ONE
        case st.Let(value=value):
            return (value,), ANYTHING
    return (), ANYTHING


def _limit(loop: int) -> str:
    """What stands for the limit of a loop in a state; no variable has such a name."""
    return f"limit {loop}"


def _step(loop: int) -> str:
    return f"step {loop}"
