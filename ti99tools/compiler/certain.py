"""SUBs in which nothing can fail: no line that ON ERROR names runs with their names.

Such lines, and all that follows them, are compiled once more for each SUB in which a statement may
fail. Where the ranges of variables prove that none does, this is left out. At first all SUBs are
taken for certain; those in which something may fail by the ranges found so are not, and it begins
again. A first error would be where the ranges exclude it.

Where memory is full is another matter: such an error in one of these SUBs ends the program.
"""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.compiler import ir
from ti99tools.compiler.actions import SURE, SURE_ACTIONS
from ti99tools.compiler.graph import following, reached
from ti99tools.compiler.ranges import Ranges
from ti99tools.language.analysis.fixpoint import State
from ti99tools.language.analysis.flow import reachable

_SURE_BUT_FOR_MEMORY = SURE | {"str", "chr", "cat", "seg", "rpt", "moved", "under way"}
_SURE_ACTIONS = SURE_ACTIONS | {
    "push loop", "room", "sprite place", "sprite position", "coinc all", "coinc at once",
    "coinc sprites", "coinc place", "distance sprites", "distance place", "display size",
    "field open", "new row",
}  # fmt: skip
"""Actions that fail, if their arguments do not, at most where memory is full."""
_HEX = frozenset("0123456789ABCDEF")
_VARIABLE = 8
"""Bits above which the number of a loop has that of its variable."""


def ranges_of(code: ir.Code) -> Ranges:
    """The ranges of a program; drop what is not reached as no error of a certain SUB comes."""
    code.certain = set(code.handlers) - {""}
    while True:
        ranges = Ranges(code).run()
        doubtful = {variant for variant in code.certain if _may_fail(ranges, variant)}
        if not doubtful:
            break
        code.certain -= doubtful
    if code.certain:
        code.blocks = {name: code.blocks[name] for name in reached(code)}
    return ranges


def _may_fail(ranges: Ranges, variant: str) -> bool:
    """Tell whether a statement of a variant may fail, by the ranges."""
    own = {
        name: block
        for name, block in ranges.code.blocks.items()
        if block.variant == variant and name in ranges.before
    }
    made = _WellMade(ranges.code, own)
    for name, block in own.items():
        state = dict(ranges.before[name])
        for action in block.body:
            if not _is_sure(ranges, action, state):
                return True
            ranges.act(action, state)
        assert block.end is not None
        if not made.is_sure(name) or not _expressions_are_sure(ranges, block.end, state):
            return True
    return False


def _is_sure(ranges: Ranges, action: ir.Action, state: State) -> bool:
    if not _expressions_are_sure(ranges, action, state):
        return False
    match action:
        case ir.Do("check sub"):
            return action.data not in _callees(ranges, action.data)
        case ir.Do("char", (_, ir.Expr("text", _, digits))):
            return _HEX.issuperset(digits)
        case ir.Do(name):
            return name in _SURE_ACTIONS
    return True


def _expressions_are_sure(ranges: Ranges, one: ir.Action | ir.End, state: State) -> bool:
    return all(
        part.op in _SURE_BUT_FOR_MEMORY or _is_within(ranges, part, state)
        for expr in ir.expressions(one)
        for part in ir.walk(expr)
    )


def _is_within(ranges: Ranges, part: ir.Expr, state: State) -> bool:
    """Tell whether what is rounded lies within its limits."""
    if part.op == "pos":
        return True
    if part.op != "round":
        return False
    low, high, _ = part.data
    found = ranges.value(part.args[0], state)
    return bool(low <= found.low and found.high <= high)


def _callees(ranges: Ranges, sub: str) -> set[str]:
    """The SUBs that a SUB may call, at any depth."""
    calls: dict[str, set[str]] = {}
    for name in ranges.before:
        block = ranges.code.blocks[name]
        if isinstance(block.end, ir.Enter):
            calls.setdefault(block.scope, set()).add(block.end.sub)

    def callees(scope: str) -> set[str]:
        return calls.get(scope, set())

    return reachable(callees(sub), callees)


Known = tuple[bool, tuple[int, ...]]
"""Whether control may be in no subroutine; the loops that are surely on the stack, above its
subroutine, the outermost first.
"""


class _WellMade:
    """Where each RETURN and NEXT of a SUB finds what it needs, as long as nothing fails."""

    def __init__(self, code: ir.Code, own: Mapping[str, ir.Block]) -> None:
        self._own = own
        self._before: dict[str, Known] = {}
        self._loops = {name: self._pushed(name) for name in own}
        called = (b.end.to for b in code.blocks.values() if isinstance(b.end, ir.Enter))
        self._waiting: list[str] = []
        for name in {name for name in called if name in own}:
            self._come(name, (True, ()))
        while self._waiting:
            self._go(self._waiting.pop())

    def is_sure(self, name: str) -> bool:
        """Tell whether the end of a block does not fail, but for its expressions."""
        # Code that control does not come to by this way does not count on the stack.
        known = self._before.get(name, (True, ()))
        match self._own[name].end:
            case ir.Return():
                return not known[0]
            case ir.Next(_, cases):
                return bool(cases) and _variable(cases[0][0]) in self._after(name, known)
            case ir.Resume():
                return False
            case ir.Stop(code=code):
                return code is None
        return True

    def _pushed(self, name: str) -> set[int]:
        """The variables of the loops that begin in a block."""
        dos = (one for one in self._own[name].body if isinstance(one, ir.Do))
        return {_variable(one.data) for one in dos if one.name == "push loop"}

    def _go(self, name: str) -> None:
        block, known = self._own[name], self._before[name]
        flat, loops = known[0], self._after(name, known)
        match block.end:
            case ir.Gosub(to, back):
                self._call((to,), back, flat, loops)
            case ir.Switch(_, to, _, back) if back is not None:
                self._call(to, back, flat, loops)
            case ir.Enter(_, _, back):
                self._come(back, (flat, loops))
            case ir.Next(_, cases):
                variable = _variable(cases[0][0]) if cases else -1
                kept = loops[: loops.index(variable) + 1] if variable in loops else ()
                for _, to in cases:
                    self._come(to, (flat, kept))
            case _:
                for to in following(block):
                    self._come(to, (flat, loops))

    def _call(
        self, targets: tuple[str, ...], back: str, flat: bool, loops: tuple[int, ...]
    ) -> None:
        # A FOR drops a loop of its variable even from below its subroutine.
        begun = {variable for to in targets for variable in self._begun(to)}
        kept = next((at for at, loop in enumerate(loops) if loop in begun), len(loops))
        for to in targets:
            self._come(to, (False, ()))
        self._come(back, (flat, loops[:kept]))

    def _begun(self, start: str) -> set[int]:
        """The variables of the loops that a subroutine may begin."""

        def onward(name: str) -> tuple[str, ...]:
            return following(self._own[name]) if name in self._own else ()

        return {loop for name in reachable((start,), onward) for loop in self._loops.get(name, ())}

    def _after(self, name: str, known: Known) -> tuple[int, ...]:
        """The loops on the stack at the end of a block."""
        loops = known[1]
        for action in self._own[name].body:
            match action:
                case ir.Do("push loop", data=number):
                    loops = (*loops, _variable(number))
                case ir.Do("pop loop"):
                    loops = loops[:-1]
                case ir.Do("drop loop", data=(number, _)):
                    loops = tuple(one for one in loops if one != _variable(number))
                case ir.Do("empty stack"):
                    loops = ()
        return loops

    def _come(self, name: str, known: Known) -> None:
        if name not in self._own:
            return
        before = self._before.get(name)
        now = known if before is None else (before[0] or known[0], _common(before[1], known[1]))
        if now != before:
            self._before[name] = now
            self._waiting.append(name)


def _common(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """What two stacks have in common at their bottom."""
    at = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    return a[: min(len(a), len(b)) if at is None else at]


def _variable(number: int) -> int:
    """The number of a loop's variable; of a loop whose FOR is not over another one."""
    return number >> _VARIABLE if number & ir.HALF != ir.HALF else -number
