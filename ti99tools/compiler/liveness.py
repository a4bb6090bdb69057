"""Which variables matter where: those that are read before they are set again.

Where control may come from anywhere (`shared` blocks, to which errors lead) nothing is kept for
what follows, as one state holds there for the whole program.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator

from ti99tools.compiler import ir
from ti99tools.compiler.graph import following

Names = frozenset[str]
_NONE: Names = frozenset()


class Liveness:
    """The live variables of a program; `before` are those where a block begins."""

    def __init__(
        self, code: ir.Code, shared: Container[str], scope_of: Callable[[str], str]
    ) -> None:
        self.before: dict[str, Names] = {}
        self._shared = shared
        self._scope_of = scope_of
        self._ends: dict[Hashable, Names] = {}
        """The end of a level (as for `Fixpoint.come_back`) → what matters where it goes on."""
        own = []
        for block in reversed(code.blocks.values()):
            read, given = read_and_set(block)
            own.append((block, _numbers(read), _numbers(given)))
        changed = True
        while changed:
            changed = False
            for block, read, given in own:
                known = self._ends
                live = read | (self._after(block) - given)
                if live != self.before.get(block.name) or self._ends is not known:
                    self.before[block.name] = live
                    changed = True

    def of(self, name: str) -> Names:
        """What matters of the state with which control comes to a block."""
        return _NONE if name in self._shared else self.before.get(name, _NONE)

    def _after(self, block: ir.Block) -> Names:
        """What matters at the end of a block."""
        match block.end:
            case ir.Enter(sub, to, back):
                live, scope = self.of(back), self._scope_of
                own = frozenset(name for name in live if scope(name) == block.scope)
                self._wait(("leave", sub), live - own)
                return own | frozenset(filter(scope, self.of(to)))
            case ir.Rerun():
                return _NONE
            case ir.Leave(sub):
                return self._ends.get(("leave", sub), _NONE)
            case ir.Return(scope):
                return self._ends.get(("return", scope), _NONE)
            case ir.Gosub(to, back):
                self._wait(("return", block.scope), self.of(back))
                return self.of(to)
            case ir.Switch(_, targets, _, str(back)):
                self._wait(("return", block.scope), self.of(back))
                return self._join(targets)
        return self._join(following(block))

    def _join(self, blocks: Iterable[str]) -> Names:
        return _NONE.union(*map(self.of, blocks))

    def _wait(self, key: Hashable, live: Names) -> None:
        """Note what matters where it goes on after a level."""
        known = self._ends.get(key, _NONE)
        if not live <= known:
            self._ends = {**self._ends, key: known | live}


def readers(code: ir.Code) -> dict[str, set[str]]:
    """Array → the blocks that read its elements."""
    found: dict[str, set[str]] = {}
    for block in code.blocks.values():
        for one in (*block.body, block.end):
            for part in _parts(one):
                if part.op == "elem":
                    found.setdefault(code.arrays[part.data].name, set()).add(block.name)
    return found


def read_and_set(block: ir.Block) -> tuple[Names, Names]:
    """The variables that a block reads before it sets them, and those that it sets."""
    read: set[str] = set()
    given: set[str] = set()
    for one in (*block.body, block.end):
        read |= {part.data for part in _parts(one) if part.op == "var"} - given
        given |= set(names_set(one))
    return frozenset(read), frozenset(given)


def _numbers(names: Names) -> Names:
    return frozenset(name for name in names if not ir.is_text_name(name))


def names_set(one: ir.Action | ir.End | None) -> tuple[str, ...]:
    """The variables that an action sets, numbers and texts."""
    return (one.target,) if isinstance(one, ir.Assign) else numbers_set(one)


def numbers_set(action: ir.Action | ir.End | None) -> tuple[str, ...]:
    """The numeric variables that an action sets."""
    match action:
        case ir.Assign(target, value) if not value.is_text:
            return (target,)
        case ir.Do():
            return action.results
    return ()


def _parts(one: ir.Action | ir.End | None) -> Iterator[ir.Expr]:
    """All expressions in an action, or in the end of a block."""
    for expr in ir.expressions(one):
        yield from ir.walk(expr)
