"""The range of every variable at every place: abstract interpretation over the whole program.

A block's state says what the variables may hold where it begins; a variable that it does not name
has not been set yet and is 0. States are joined where ways meet; where they keep growing they are
widened to the next number that the program compares with, then without limit. A comparison narrows
what it compares on both ways out. Arrays and DATA have one range each, everywhere.

An error may come in each statement, and the lines that handle it may change anything: so where one
is handled, and where RETURN goes on, all that is assigned anywhere is expected. These blocks have
one state together. States hold only what is read before it is set again (`liveness`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from ti99tools.compiler import ir
from ti99tools.compiler.actions import RESULTS
from ti99tools.compiler.graph import following, ways_after_errors
from ti99tools.compiler.liveness import Liveness, numbers_set, readers
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.analysis import intervals as iv
from ti99tools.language.analysis.fixpoint import State, joined
from ti99tools.language.analysis.intervals import ANY, WORD_HIGH, ZERO, Interval
from ti99tools.language.analysis.terms import RELATIONS, Term, Valuing, marks_at

COLLECTIONS = 10
"""How often at most all assignments are collected, with the results of the time before."""
BYTE = Interval(0, 255)
ROUNDS = 12
"""How often what holds for the whole program grows until it is widened without limit."""


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
        self._scopes: dict[str, str] = {}
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
        self.shared = {to for targets in self._after_errors.values() for to in targets}
        self._anywhere: State = {}
        """All that is assigned to each variable, where ON ERROR is used."""
        self._spreads = Counter[str]()
        """How often each of these has grown."""
        self._turns = 0
        """How often arrays have grown."""
        self._spread_arrays = dict(self.arrays)
        """The arrays as the blocks that read them have seen them."""
        self._unled: dict[str, Sequence[str]] = {}
        """Those of `_after_errors` that control has not come to yet."""
        self.live = Liveness(code, self.shared, self._scope_of)
        self._readers = readers(code)
        self._waits = _waits(code)
        self.data = ANY if code.data_wander else ZERO
        if code.data:
            self.data = of_number(code.data[0])
            for item in code.data:
                self.data = iv.join(self.data, of_number(item))

    def run(self) -> Ranges:
        """Analyse the program; return itself."""
        self.solve()
        for _ in range(COLLECTIONS):
            self._collect()
            if not self._clamp():
                break
        return self

    # -- the fixpoint ---------------------------------------------------------------------

    def arriving(self, place: str, state: State) -> State:
        """What the block, or a later one, reads."""
        live = self.live.of(place)
        if state.keys() <= live:
            return state
        return {name: state[name] for name in live if name in state}

    def at_rest(self) -> None:
        """Let go on what may come after any error, then what reads arrays that have grown."""
        known = joined(self.everywhere, self._anywhere)
        if known is not self.everywhere:
            self._spread(self._widened_everywhere(known))
        else:
            self._spread_stores()

    def _spread(self, known: State) -> None:
        """Give the shared blocks a state; go again through those to which it makes a difference."""
        grown = {name for name, now in known.items() if now != self.everywhere.get(name, ZERO)}
        for place in self.share(known):
            if not grown.isdisjoint(self.live.before[place]):
                self.visit(place)

    def _widened_everywhere(self, known: State) -> State:
        """What may come after any error, widened by what each variable has grown before."""
        wider = dict(known)
        for name, now in known.items():
            before = self.everywhere.get(name, ZERO)
            if now != before:
                self._spreads[name] += 1
                if self._spreads[name] > 1:
                    wider[name] = self.widened(before, now, self._spreads[name] > ROUNDS)
        return wider

    def _spread_stores(self) -> None:
        """Go again through the blocks that read arrays which have grown."""
        before = self._spread_arrays
        grown = [name for name, now in self.arrays.items() if now != before[name]]
        if not grown:
            return
        self._turns += 1
        for name in grown if self._turns > 2 else ():
            self.arrays[name] = self.widened(before[name], self.arrays[name], self._turns > ROUNDS)
        self._spread_arrays = dict(self.arrays)
        # What grows now begins anew: it has a bound of its own.
        self._visits.clear()
        for place in {place for name in grown for place in self._readers.get(name, ())}:
            if place in self.before:
                self.visit(place)

    def _ascend(self) -> None:
        self._unled = dict(self._after_errors)
        super()._ascend()

    def _descend(self) -> None:
        arrays, self._anywhere = dict(self.arrays), {}
        self._unled = dict(self._after_errors)
        super()._descend()
        # `act` has joined the stores into them again; here nothing may grow.
        self.arrays = arrays
        self.share(self._anywhere)

    def step(self, place: str, state: State, flow: Callable[[str, State], None]) -> None:
        """Let control go through a block."""
        block = self.code.blocks[place]
        for to in self._unled.pop(place, ()):
            flow(to, self.everywhere)
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
                flow(to, {name: found for name, found in state.items() if self._scope_of(name)})
                self._after_call(sub, state, back, block.scope, flow)
            case ir.Return(scope):
                self.note_return(("return", scope), dict(state), flow)
            case ir.Rerun(to):
                flow(to, {})
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
        for block in self._waits.get(key, ()):
            if block.name not in self.before:
                continue
            end = block.end
            if isinstance(end, ir.Gosub | ir.Switch) and end.back is not None:
                flow(end.back, state)
            # The caller's own variables are as they were at the CALL: at the end of its block.
            elif isinstance(end, ir.Enter):
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
        result = {name: found for name, found in left.items() if self._scope_of(name) != scope}
        result |= {name: found for name, found in state.items() if self._scope_of(name) == scope}
        flow(back, result)

    def _scope_of(self, name: str) -> str:
        found = self._scopes.get(name)
        if found is None:
            first, dot, _ = name.partition(".")
            found = self._scopes[name] = first if dot and first in self.code.subs else ""
        return found

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
            for target in numbers_set(action):
                known = self._anywhere.get(target, ZERO)
                if known is ZERO or iv.join(known, state[target]) != known:
                    self._anywhere[target] = iv.join(known, state[target])

    def _results(self, action: ir.Do) -> tuple[Interval, ...]:
        if action.name == "read":
            return (self.data,)
        return RESULTS.get(action.name, ())[: len(action.results)]

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
        for state in {id(state): state for state in self.before.values()}.values():
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
            for action in self.code.blocks[name].body:
                self.act(action, state)
                if isinstance(action, ir.Store) and not action.value.is_text:
                    self._note_store(action, state, stored)
                for target in numbers_set(action):
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


def _remainder(a: Interval, b: Interval) -> Interval | None:
    """a-b*INT(a/b) of words, b above 0; of other numbers it says nothing."""
    if not (a.is_word and b.is_word and b.low > 0):
        return None
    # INT rounds down, so that the remainder has the sign of the divisor.
    return Interval(0, min(a.high, b.high - 1) if a.low >= 0 else b.high - 1)


def _waits(code: ir.Code) -> dict[Hashable, list[ir.Block]]:
    """Key of `come_back` → the blocks that end in a call and go on when it is over."""
    found: dict[Hashable, list[ir.Block]] = {}
    for block in code.blocks.values():
        match block.end:
            case ir.Gosub() | ir.Switch():
                found.setdefault(("return", block.scope), []).append(block)
            case ir.Enter(sub):
                found.setdefault(("leave", sub), []).append(block)
    return found


def _thresholds(code: ir.Code) -> list[int]:
    """The numbers that the program compares with, and other limits."""
    every = (one for block in code.blocks.values() for one in (*block.body, block.end))
    parts = (part for one in every for expr in ir.expressions(one) for part in ir.walk(expr))
    compared = (arg for part in parts if part.op in RELATIONS for arg in part.args)
    extents = (extent for array in code.arrays.values() for extent in array.extents)
    return marks_at((of_number(arg.data) for arg in compared if arg.op == "const"), extents)
