"""The range of every variable at every place: abstract interpretation over the whole program.

A block's state says what the variables may hold where it begins; a variable that it does not name
has not been set yet and is 0. States are joined where ways meet; where they keep growing they are
widened to the next number that the program compares with, then without limit. A comparison narrows
what it compares on both ways out. Arrays and DATA have one range each, everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ti99tools.compiler import ir
from ti99tools.compiler.actions import RESULTS
from ti99tools.compiler.graph import following, ways_after_errors
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.fixpoint import State, joined
from ti99tools.language.analysis.intervals import ANY, WORD_HIGH, ZERO, Interval
from ti99tools.language.analysis.terms import RELATIONS, Term, Valuing, marks_at

COLLECTIONS = 4
"""How often all assignments are collected, each time with the results of the time before."""
BYTE = Interval(0, 255)
ROUNDS = 12
"""Rounds over the whole program until arrays are widened without limit."""


def of_number(value: Number) -> Interval:
    """The range of a number that is known."""
    if isinstance(value, int):
        return Interval(value, value)
    if value.places <= 0:
        whole = value.mantissa * 100**-value.places
        return Interval(whole, whole)
    low = value.mantissa // 100**value.places
    return Interval(low, low + 1, whole=False)


class Ranges(Valuing[str]):
    """The analysis of a program; `before` is the state at the beginning of each block."""

    def __init__(self, code: ir.Code) -> None:
        self.code = code
        order = {name: at for at, name in enumerate(code.blocks)}
        super().__init__({code.first: {}}, order, _thresholds(code))
        self.arrays: dict[str, Interval] = {a.name: ZERO for a in code.arrays.values()}
        self.all: dict[str, Interval] = {}
        """Each variable's range over the whole program."""
        self.broken: dict[str, tuple[ir.Spot, Interval]] = {}
        """Variable or array → where it first gets a value that is not a word, and its range."""
        self._stored: dict[str, Interval] = {}
        ways = ((name, ways_after_errors(code, block)) for name, block in code.blocks.items())
        self._after_errors = {name: (*handlers, *on) for name, (handlers, on) in ways if on}
        """Block → where its errors lead: to the lines that ON ERROR names, and where RETURN goes on
        after them.
        """
        self._anywhere: State = {}
        """All that is assigned to each variable, where ON ERROR is used: an error may come in each
        statement, so nothing more is known where it is handled, and where RETURN goes on after it.
        """
        self._spread: State = {}
        """The same, as it has gone there already."""
        self._spreads = 0
        self._spread_to: set[str] = set()
        self._descending = False
        self.data = ANY if code.data_wander else ZERO
        if code.data:
            self.data = of_number(code.data[0])
            for item in code.data:
                self.data = iv.join(self.data, of_number(item))

    def run(self) -> Ranges:
        """Analyse the program; return itself."""
        # From turn ROUNDS on a bound that still moves becomes infinite, and each array has two.
        for turn in range(ROUNDS + 3 + 2 * len(self.arrays)):
            before = dict(self.arrays)
            self.solve(again=turn > 0)
            if self.arrays == before:
                break
            if turn > 1:
                for name, now in self.arrays.items():
                    wide = self.widened(before[name], now, turn > ROUNDS)
                    self.arrays[name] = wide
        else:
            raise AssertionError("the ranges of arrays do not come to rest")
        for _ in range(COLLECTIONS):
            self._collect()
            if not self._clamp():
                break
        return self

    # -- the fixpoint ---------------------------------------------------------------------

    def _ascend(self, again: bool) -> None:
        self._spread_to = set()
        super()._ascend(again)

    def _descend(self) -> None:
        arrays, self._anywhere = dict(self.arrays), {}
        self._descending = True
        super()._descend()
        self._descending = False
        # `act` has joined the stores into them again; here nothing may grow.
        self.arrays, self._spread = arrays, dict(self._anywhere)

    def spread(self, flow: Callable[[str, State], None]) -> None:
        """Errors go to the lines that ON ERROR names, and RETURN goes on after them.

        It would be costly to do this for each statement, and all that it knows flows together.
        """
        if not self._after_errors:
            return
        reached = (name for name in self._after_errors if name in self.before)
        targets = dict.fromkeys(to for name in reached for to in self._after_errors[name])
        if not self._descending:
            known = joined(self._spread, self._anywhere)
            if known is self._spread:  # only what has been reached since is new
                targets = {to: None for to in targets if to not in self._spread_to}
            else:
                self._spreads += 1
                if self._spreads > 1:
                    known = self._widen_state(self._spread, known, self._spreads > self.FIRST)
                self._spread = known
            self._spread_to |= targets.keys()
        for to in targets:
            flow(to, self._spread)

    def step(self, place: str, state: State, flow: Callable[[str, State], None]) -> None:
        """Let control go through a block."""
        block = self.code.blocks[place]
        for action in block.body:
            self.act(action, state)
        match block.end:
            case ir.Branch():
                self._branch(block.end, state, flow)
            case ir.Gosub(to, back):
                self._goes((to,), back, block.scope, state, flow)
            case ir.Switch(_, targets, _, back):
                self._goes(targets, back, block.scope, state, flow)
            case ir.Enter(sub, to, back):
                flow(to, _of_scopes(state, self.code))
                self._after_call(sub, state, back, block.scope, flow)
            case ir.Return(scope):
                self.note_return(("return", scope), dict(state), flow)
            case ir.Leave(sub):
                self.note_return(("leave", sub), state, flow)
            case _:
                self._goes(following(block), None, block.scope, state, flow)

    def _branch(self, end: ir.Branch, state: State, flow: Callable[[str, State], None]) -> None:
        for to, truth in ((end.then, True), (end.otherwise, False)):
            there = self.narrowed(end.condition, state, truth)
            if there is not None:
                flow(to, there)

    def _goes(
        self,
        targets: Sequence[str],
        back: str | None,
        scope: str,
        state: State,
        flow: Callable[[str, State], None],
    ) -> None:
        """Go on at blocks; at `back` with what the RETURNs of the scope leave."""
        for to in targets:
            flow(to, state)
        known = self._returns.get(("return", scope))
        if back is not None and known is not None:
            flow(back, known)

    def come_back(self, key: Hashable, state: State, flow: Callable[[str, State], None]) -> None:
        """A RETURN or SUBEND: its state goes to all places that it may go on at."""
        for block in self.code.blocks.values():
            if block.name not in self.before:
                continue
            end = block.end
            if key == ("return", block.scope):
                if isinstance(end, ir.Gosub | ir.Switch) and end.back is not None:
                    flow(end.back, state)
            # The caller's own variables are as they were at the CALL: at the end of its block.
            elif isinstance(end, ir.Enter) and key == ("leave", end.sub):
                calling = dict(self.before[block.name])
                for action in block.body:
                    self.act(action, calling)
                self._after_call(end.sub, calling, end.back, block.scope, flow)

    def _after_call(
        self, sub: str, state: State, back: str, scope: str, flow: Callable[[str, State], None]
    ) -> None:
        """After a CALL the caller's variables are as before it, all others as at the SUBEND."""
        left = self._returns.get(("leave", sub))
        if left is None:
            return
        result = {name: r for name, r in left.items() if _scope_of(name, self.code) != scope}
        result |= {name: r for name, r in state.items() if _scope_of(name, self.code) == scope}
        flow(back, result)

    # -- statements -----------------------------------------------------------------------

    def act(self, action: ir.Action, state: State) -> None:
        """Change a state as an action does."""
        match action:
            case ir.Assign(target, value) if not value.is_text:
                state[target] = self.value(value, state)
            case ir.Store(array, _, value) if not value.is_text:
                name = self.code.arrays[array].name
                self.arrays[name] = iv.join(self.arrays[name], self.value(value, state))
            case ir.Do():
                for target, found in zip(action.results, self._results(action), strict=True):
                    state[target] = found
        if self._after_errors:
            for target in _numbers_set(action):
                known = self._anywhere.get(target, ZERO)
                if known is ZERO or iv.join(known, state[target]) != known:
                    self._anywhere[target] = iv.join(known, state[target])

    def _results(self, action: ir.Do) -> tuple[Interval, ...]:
        return (self.data,) if action.name == "read" else RESULTS.get(action.name, ())

    def special(self, term: Term, values: Sequence[Interval], state: State, /) -> Interval:
        """The range of what only the compiler has."""
        match term.op:
            case "const":
                return of_number(term.data)
            case "elem":
                return self.arrays[self.code.arrays[term.data].name]
            case "byte":
                return BYTE
            case "within":
                return values[0]
            case "eof":
                return Interval(-1, 1)
            case "rec":
                return Interval(0, WORD_HIGH)
            case "wrapped":
                return Interval(0, term.data - 1)
            case "mod":
                return _remainder(*values) or self.value(term.data, state)
            case "randint":
                # Not one less: RND*N is rounded to seven digits of radix 100 and may become N.
                within = values[0].is_word and values[0].low >= 1
                return Interval(0, values[0].high) if within else self.value(term.data, state)
        return ANY

    # -- what came out --------------------------------------------------------------------

    def _clamp(self) -> bool:
        """Limit states to values that are assigned; tell whether any becomes narrower."""
        changed = self.arrays != self._stored
        self.arrays = dict(self._stored)
        for state in self.before.values():
            for name, found in state.items():
                most = self.all.get(name, ZERO)
                bounded = iv.meet(found, most.low, most.high) or most
                bounded = bounded._replace(whole=bounded.whole or most.whole)
                if bounded != found:
                    state[name] = bounded
                    changed = True
        return changed

    def _collect(self) -> None:
        """Collect what is assigned to each variable anywhere; before that it is 0."""
        self.all.clear()
        self.broken.clear()
        stored: dict[str, Interval] = dict.fromkeys(self.arrays, ZERO)
        for name, before in self.before.items():
            state = dict(before)
            for target in state:
                self.all.setdefault(target, ZERO)
            for action in self.code.blocks[name].body:
                self.act(action, state)
                if isinstance(action, ir.Store) and not action.value.is_text:
                    self._note_store(action, state, stored)
                for target in _numbers_set(action):
                    found = state[target]
                    self.all[target] = iv.join(self.all.get(target, ZERO), found)
                    if not found.is_word:
                        self.broken.setdefault(target, (action.spot, found))
        self._stored = stored

    def _note_store(self, action: ir.Store, state: State, stored: dict[str, Interval]) -> None:
        found = self.value(action.value, state)
        name = self.code.arrays[action.array].name
        stored[name] = iv.join(stored[name], found)
        if not found.is_word:
            self.broken.setdefault(name, (action.spot, found))

    def __str__(self) -> str:
        rows = [f"{name:<20} {found}" for name, found in sorted(self.all.items())]
        rows += [f"{name + '()':<20} {found}" for name, found in sorted(self.arrays.items())]
        return "\n".join(rows) + "\n"


def _numbers_set(action: ir.Action) -> tuple[str, ...]:
    """The numeric variables that an action sets."""
    match action:
        case ir.Assign(target, value) if not value.is_text:
            return (target,)
        case ir.Do():
            return action.results
    return ()


def _remainder(a: Interval, b: Interval) -> Interval | None:
    """a-b*INT(a/b) of words, b above 0; of other numbers it says nothing."""
    if not (a.is_word and b.is_word and b.low > 0):
        return None
    # INT rounds down, so that the remainder has the sign of the divisor.
    return Interval(0, min(a.high, b.high - 1) if a.low >= 0 else b.high - 1)


def _scope_of(name: str, code: ir.Code) -> str:
    first, dot, _ = name.partition(".")
    return first if dot and first in code.subs else ""


def _of_scopes(state: State, code: ir.Code) -> State:
    """The state in which a SUB begins, without the main program's variables."""
    return {name: found for name, found in state.items() if _scope_of(name, code)}


def _thresholds(code: ir.Code) -> list[int]:
    """The numbers that the program compares with, and other limits."""
    every = (one for block in code.blocks.values() for one in (*block.body, block.end))
    parts = (part for one in every for expr in ir.expressions(one) for part in ir.walk(expr))
    compared = (arg for part in parts if part.op in RELATIONS for arg in part.args)
    extents = (extent for array in code.arrays.values() for extent in array.extents)
    return marks_at((of_number(arg.data) for arg in compared if arg.op == "const"), extents)
