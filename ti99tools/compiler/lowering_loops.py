"""FOR and NEXT to blocks: which loops are well made, and which need the stack shared with GOSUB.

A loop is well made when its NEXT belongs to it alone, when it is entered by its FOR only, and
when the same is true of all loops of its variable and of all within it. Such a loop needs nothing
on the stack: what a jump out of it would leave there could only be found by its own NEXT, and only
its FOR leads there. All other loops are on the stack at run time, as in Extended BASIC.

FOR pushes the number of a loop that is on the stack. NEXT removes what lies above the loop of its
variable, and goes on by that number. A variable has at most one loop on the stack: FOR removes the
earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.ir import QUIET
from ti99tools.compiler.lowering_values import Context
from ti99tools.compiler.refusing import refuse
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

Parsed = list[tuple[int, tuple[st.Statement, ...]]]
Branch = tuple[int, ...]
"""The branches of IFs that a statement is in, from the outermost on."""


@dataclass(slots=True)
class Loop:
    """A FOR; `last` is its NEXT if it is well made, `ending` the NEXT where a skipped loop ends.

    `limit`, `step`, `body` and `after` are set when its FOR is lowered.
    """

    name: str
    variable: str
    scope: str
    first: ir.Spot
    branch: Branch
    last: ir.Spot = (0, 0)
    empty: bool = True
    stacked: bool = False
    number: int = 0
    """Of a loop on the stack: the number of its variable × 256 + its own."""
    ending: ir.Spot | None = None
    ending_variable: str = ""
    limit: ir.Expr | None = None
    step: ir.Expr | None = None
    body: str = ""
    after: str = ""

    def holds(self, spot: ir.Spot) -> bool:
        """Tell whether a place is in the loop, its FOR aside."""
        return self.first < spot <= self.last


@dataclass(slots=True)
class Loops:
    """All loops of a program."""

    by_for: dict[ir.Spot, Loop] = field(default_factory=dict)
    by_next: dict[ir.Spot, Loop] = field(default_factory=dict)
    """NEXT → its loop, for loops that are well made."""
    stacked: dict[tuple[str, str], list[Loop]] = field(default_factory=dict)
    """Scope and variable → the loops of it that are on the stack."""


@dataclass(slots=True)
class _Place:
    scope: str
    spot: ir.Spot
    branch: Branch
    statement: st.Statement


def find_loops(parsed: Parsed) -> Loops:
    """Match FOR and NEXT by their order, and look at all jumps."""
    places = list(_places(parsed))
    found = Loops()
    bad: set[tuple[str, str]] = set()
    ends = _match(found, places, bad)
    _textual_ends(found, places)
    for place in places:
        for line, calls in _targets(place.statement):
            for loop in found.by_for.values():
                inside = loop.scope == place.scope and loop.holds((line, 0))
                # A jump from outside, or a GOSUB from anywhere, comes to the NEXT without the FOR.
                if inside and (calls or not loop.holds(place.spot)):
                    bad.add((loop.scope, loop.variable))
    bad |= set(_taken_off(found, places, parsed))
    _spread(found, ends, bad)
    return found


def _places(parsed: Parsed) -> Iterator[_Place]:
    """Every statement with its scope and the branches that it is in."""
    scope = ""
    made = 0

    def walk(number: int, statements: Iterable[st.Statement], branch: Branch) -> Iterator[_Place]:
        nonlocal scope, made
        for statement in statements:
            if isinstance(statement, st.Sub):
                scope = statement.name
            yield _Place(scope, (number, statement.at), branch, statement)
            if isinstance(statement, st.If):
                for part in (statement.then, statement.otherwise):
                    if isinstance(part, tuple):
                        made += 1
                        yield from walk(number, part, (*branch, made))
            if isinstance(statement, st.Subend):
                scope = ""

    for number, statements in parsed:
        yield from walk(number, statements, ())


def _match(
    found: Loops, places: list[_Place], bad: set[tuple[str, str]]
) -> dict[tuple[str, str], list[ir.Spot]]:
    """Give each FOR its NEXT; what does not fit is `bad`. Returns the NEXTs of each variable."""
    running: list[Loop] = []
    nexts: dict[tuple[str, str], list[ir.Spot]] = {}
    scope = ""
    for place in places:
        node = place.statement
        if place.scope != scope:
            bad |= {(loop.scope, loop.variable) for loop in running}
            # No loop goes on beyond the end of its SUB.
            running, scope = [], place.scope
        if isinstance(node, st.For) and isinstance(node.variable, nd.Variable):
            key = (scope, node.variable.name)
            for loop in running:
                loop.empty = False
                # The FOR takes the running loop of its variable off the stack.
                if loop.variable == node.variable.name:
                    bad.add(key)
            name = f"{place.spot[0]}.{place.spot[1]}"
            loop = Loop(name, node.variable.name, scope, place.spot, place.branch)
            running.append(loop)
            found.by_for[place.spot] = loop
        elif isinstance(node, st.Next):
            nexts.setdefault((scope, node.variable), []).append(place.spot)
            _end(found, running, place, node.variable, bad)
        elif not isinstance(node, st.Nothing):
            for loop in running:
                loop.empty = False
    bad |= {(loop.scope, loop.variable) for loop in running}
    return nexts


def _end(
    found: Loops, running: list[Loop], place: _Place, variable: str, bad: set[tuple[str, str]]
) -> None:
    """Match a NEXT with its loop: the innermost one, or loops are `bad`."""
    if all(loop.variable != variable for loop in running):
        bad.add((place.scope, variable))
        return
    while running[-1].variable != variable:
        bad |= {(place.scope, variable), (place.scope, running.pop().variable)}
    loop = running.pop()
    loop.last = place.spot
    found.by_next[place.spot] = loop
    # The FOR is in a branch of an IF that the NEXT is not in: NEXT may run without FOR.
    if place.branch[: len(loop.branch)] != loop.branch:
        bad.add((place.scope, variable))


def _textual_ends(found: Loops, places: list[_Place]) -> None:
    """Find the NEXT after which a skipped loop goes on, by counting FOR and NEXT."""
    marks = [place for place in places if isinstance(place.statement, st.For | st.Next)]
    for at, place in enumerate(marks):
        loop = found.by_for.get(place.spot)
        depth = 1
        for later in marks[at + 1 :]:
            depth += 1 if isinstance(later.statement, st.For) else -1
            if not depth and loop is not None and isinstance(later.statement, st.Next):
                loop.ending, loop.ending_variable = later.spot, later.statement.variable
                if later.scope != loop.scope:
                    loop.ending = None
                break


def _taken_off(found: Loops, places: list[_Place], parsed: Parsed) -> Iterator[tuple[str, str]]:
    """Loops whose subroutines have a FOR of the same variable: it takes them off the stack."""
    lines: dict[int, set[str]] = {}
    for loop in found.by_for.values():
        lines.setdefault(loop.first[0], set()).add(loop.variable)
    known: dict[int, set[str]] = {}
    following = _following(places, parsed)
    for place in places:
        for line, calls in _targets(place.statement):
            if not calls:
                continue
            if line not in known:
                known[line] = set()
                for number in _reached(line, following):
                    known[line] |= lines.get(number, set())
            for loop in found.by_for.values():
                if loop.holds(place.spot) and loop.variable in known[line]:
                    yield loop.scope, loop.variable


def _following(places: list[_Place], parsed: Parsed) -> dict[int, set[int]]:
    """Line → the lines that may come after it, a RETURN aside."""
    found: dict[int, set[int]] = {}
    numbers = [number for number, _ in parsed]
    for (number, statements), after in zip(parsed, numbers[1:], strict=False):
        ends = (st.Goto, st.OnGo, st.Return, st.End, st.Subexit, st.Subend)
        last = statements[-1] if statements else None
        found[number] = set() if isinstance(last, ends) and _goes(last) else {after}
    for place in places:
        for line, _ in _targets(place.statement):
            found.setdefault(place.spot[0], set()).add(line)
    return found


def _goes(last: st.Statement) -> bool:
    """Tell whether nothing comes after the last statement of a line."""
    return not (isinstance(last, st.OnGo) and last.gosub)


def _reached(line: int, following: dict[int, set[int]]) -> set[int]:
    seen: set[int] = set()
    waiting = [line]
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            waiting += following.get(at, ())
    return seen


def _spread(
    found: Loops, nexts: dict[tuple[str, str], list[ir.Spot]], bad: set[tuple[str, str]]
) -> None:
    """Put loops on the stack that hold a FOR or NEXT of a loop that is there."""
    loops = list(found.by_for.values())
    before = -1
    while before != len(bad):
        before = len(bad)
        for loop in loops:
            key = (loop.scope, loop.variable)
            if key in bad:
                continue
            for other in bad:
                spots = [one.first for one in loops if (one.scope, one.variable) == other]
                spots += nexts.get(other, [])
                if other[0] == loop.scope and any(map(loop.holds, spots)):
                    bad.add(key)
                    break
    for key in sorted(bad):
        own = [loop for loop in loops if (loop.scope, loop.variable) == key]
        found.stacked[key] = own
        for loop in own:
            loop.stacked = True
    found.by_next = {spot: loop for spot, loop in found.by_next.items() if not loop.stacked}
    for number, own in enumerate(found.stacked.values(), 1):
        for at, loop in enumerate(own):
            loop.number = 256 * number + at


def _targets(statement: st.Statement) -> Iterator[tuple[int, bool]]:
    """The lines that a statement may go to, and whether it comes back."""
    match statement:
        case st.Goto():
            yield statement.line, False
        case st.Gosub():
            yield statement.line, True
        case st.OnGo():
            for line in statement.lines:
                yield line, statement.gosub
        case st.If():
            for branch in (statement.then, statement.otherwise):
                if isinstance(branch, st.Jump):
                    yield branch.line, False


_MOST_ROUNDS = 30_000
"""The most rounds of an empty loop that the runtime waits for at once."""
_MOST_VARIABLES = 127
"""The most variables whose loops are on the stack: so these numbers differ from addresses."""


def lower_for(low: Context, node: st.For, loops: Loops) -> None:
    """FOR: control goes to the body, or to what follows the NEXT. Raises Refused."""
    if not isinstance(node.variable, nd.Variable) or node.start is None or node.limit is None:
        refuse("it fails with SYNTAX ERROR", "correct it")
    operands = [node.start, node.limit] + ([] if node.step is None else [node.step])
    if any(one.is_string for one in operands):
        refuse("it fails with STRING-NUMBER MISMATCH", "use numbers")
    name = low.plain_variable(node.variable)
    loop = loops.by_for[low.spot]
    if loop.stacked:
        if loop.number >= 256 * (_MOST_VARIABLES + 1):
            refuse("so many loops are not well made", "let each NEXT follow its FOR")
        low.do("drop loop", data=(loop.number, loop.scope))
    start, limit = low.number(node.start), low.number(node.limit)
    step = ir.const(1) if node.step is None else low.number(node.step)
    if step.op == "const" and not step.data:
        refuse("it fails with BAD VALUE: the step is 0", "use another step")
    loop.limit = _kept(low, limit, f"limit of {loop.name}")
    loop.step = _kept(low, step, f"step of {loop.name}")
    if step.op != "const":
        low.do("check step", loop.step)
    if loop.empty:
        _delay(low, name, start, loop.limit, loop.step)
    else:
        low.assign(name, start)
    passed = _passed(ir.var(name), loop.limit, loop.step)
    loop.body, loop.after = low.fresh("body"), low.fresh("after")
    if not loop.stacked:
        low.finish_at(ir.Branch(passed, loop.after, loop.body, low.spot))
        low.enter(loop.body)
        return
    over = _skipped(low, loop)
    low.finish_at(ir.Branch(passed, over, loop.body, low.spot))
    low.enter(loop.body)
    if loop.ending is not None:
        low.do("push loop", data=loop.number)
    # The block before pushes the loop; rounds after the first leave that out.
    low.enter(f"{loop.body} again")


def _kept(low: Context, value: ir.Expr, word: str) -> ir.Expr:
    """A constant, or a variable that holds a value."""
    if value.op == "const":
        return value
    kept = low.hidden(word)
    low.assign(kept, value)
    return ir.var(kept)


def _skipped(low: Context, loop: Loop) -> str:
    """The block where a loop on the stack that is not entered goes on, or an error."""
    if loop.ending is not None and loop.ending_variable == loop.variable:
        return _after_next(low, loop.ending)
    name = low.fresh("no next")
    spot = loop.ending or low.spot
    low.put(name, ir.Stop(spot, xb.FOR_NEXT_NESTING))
    return name


def _after_next(low: Context, spot: ir.Spot) -> str:
    return low.own(f"after {spot[0]}.{spot[1]}")


def _delay(low: Context, name: str, start: ir.Expr, limit: ir.Expr, step: ir.Expr) -> None:
    """A loop with nothing in it takes the time that it takes in Extended BASIC.

    The variable is set to what it has in the last round; NEXT then goes on.
    """
    bounds = [part.data for part in (start, limit, step) if part.op == "const"]
    if len(bounds) == 3 and all(isinstance(bound, int) for bound in bounds):
        rounds = (limit.data - start.data) // step.data + 1
        if rounds >= 1:
            for _ in range(rounds // _MOST_ROUNDS):
                low.do("delay", ir.const(_MOST_ROUNDS))
            low.do("delay", ir.const(rounds % _MOST_ROUNDS))
            low.assign(name, ir.const(start.data + (rounds - 1) * step.data))
            return
        low.assign(name, start)
        return
    low.assign(name, start)
    left = ir.Expr("sub", (limit, ir.var(name)))
    whole = ir.Expr("int", (left,))
    if step.op != "const" or step.data != 1:
        whole = ir.Expr("quot", (left, step), ir.Expr("int", (ir.Expr("div", (left, step)),)))
    count = ir.Expr("add", (whole, ir.const(1)))
    count = ir.Expr("max", (ir.const(0), ir.Expr("min", (ir.const(_MOST_ROUNDS), count))))
    low.do("delay", ir.Expr("round", (count,), (0, _MOST_ROUNDS, xb.BAD_VALUE)))


def lower_next(low: Context, node: st.Next, loops: Loops) -> None:
    """NEXT: the variable moves on; the body again unless it has passed the limit."""
    loop = loops.by_next.get(low.spot)
    if loop is not None:
        if not loop.after:  # its FOR is refused
            return
        _round(low, loop)
        low.enter(loop.after)
        return
    after = _after_next(low, low.spot)
    own = loops.stacked.get((low.scope.name, node.variable), [])
    cases = [(one.number, low.fresh("next")) for one in own if one.ending is not None]
    spot = low.spot
    if not cases:
        low.finish_at(ir.Stop(spot, xb.NEXT_WITHOUT_FOR))
    else:
        low.finish_at(ir.Next(low.scope.name, tuple(cases), spot))
        low.waiting.append(lambda: _cases(low, own, dict(cases), after, spot))
    low.enter(after)


def _cases(low: Context, own: list[Loop], cases: dict[int, str], after: str, spot: ir.Spot) -> None:
    """What NEXT does with each loop that it may find on the stack: once all FORs are lowered."""
    for loop in own:
        if loop.number not in cases:
            continue
        low.spot = spot
        low.enter(cases[loop.number])
        if not loop.body:
            low.finish_at(ir.Stop(spot, xb.NEXT_WITHOUT_FOR))
            continue
        off = low.fresh("off")
        _round(low, loop, off)
        low.enter(off)
        low.do("pop loop")
        low.finish_at(ir.Jump(after, spot))


def _round(low: Context, loop: Loop, after: str = "") -> None:
    assert loop.limit is not None and loop.step is not None
    name = low.full_name(low.scope, loop.variable)
    low.assign(name, ir.Expr("add", (ir.var(name), loop.step), QUIET))
    passed = _passed(ir.var(name), loop.limit, loop.step)
    # A loop on the stack goes on after the push: its number is still there.
    body = f"{loop.body} again" if loop.stacked else loop.body
    low.finish_at(ir.Branch(passed, after or loop.after, body, low.spot))


def _passed(name: ir.Expr, limit: ir.Expr, step: ir.Expr) -> ir.Expr:
    """Tell whether a loop's variable has passed its limit."""
    if step.op != "const":
        return ir.Expr("passed", (name, limit, step))
    return ir.Expr("gt" if step.data > 0 else "lt", (name, limit))
