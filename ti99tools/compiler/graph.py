"""The blocks as a graph: their successors, which are reached, how deep in loops they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from ti99tools.compiler import ir
from ti99tools.compiler.actions import spots_that_fail
from ti99tools.language.analysis.flow import Place, reachable

TOP_DEPTH = 6
"""Loops around a block beyond these do not count."""


def following(block: ir.Block) -> tuple[str, ...]:
    """The blocks that may come next, within the scope's own flow: a RETURN goes to none."""
    return (*calls(block.end), *ways_on(block.end))


def calls(end: ir.End | None) -> tuple[str, ...]:
    """What the end of a block calls: control comes back from there by RETURN or SUBEND."""
    match end:
        case ir.Switch(_, to, _, back) if back is not None:
            return to
        case ir.Gosub(to) | ir.Enter(_, to):
            return (to,)
    return ()


def ways_on(end: ir.End | None) -> tuple[str, ...]:
    """Where a block goes on in its own level, after what it calls."""
    match end:
        case ir.Jump(to) | ir.Rerun(to):
            return (to,)
        case ir.Branch(_, then, otherwise):
            return (then, otherwise)
        case ir.Switch(_, to, _, back):
            return to if back is None else (back,)
        case ir.Gosub(_, back) | ir.Enter(_, _, back):
            return (back,)
        case ir.Next(_, cases):
            return tuple(to for _, to in cases)
        case ir.Resume(to=to) if to is not None:
            return (to,)
    return ()


def ways_after_errors(code: ir.Code, block: ir.Block) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The blocks that handle errors of a block, and those where RETURN goes on after them."""
    handled = code.handlers and block.variant not in code.certain
    failing = sorted(spots_that_fail(block)) if handled else []
    if not failing:
        return (), ()
    resumes = [code.resumes.get((block.variant, spot), ()) for spot in failing]
    return code.handlers.get(block.variant, ()), tuple(name for pair in resumes for name in pair)


def reached(code: ir.Code) -> list[str]:
    """Blocks that can be reached, in the order of the program."""

    def onward(name: str) -> Iterator[str]:
        block = code.blocks[name]
        return chain(following(block), *ways_after_errors(code, block))

    seen = reachable((code.first,), onward)
    return [name for name in code.blocks if name in seen]


def prune(code: ir.Code) -> None:
    """Drop blocks that nothing reaches, and join those that always run one after the other."""
    keep = set(reached(code))
    code.blocks = {name: block for name, block in code.blocks.items() if name in keep}
    into: dict[str, int] = dict.fromkeys(code.blocks, 0)
    # Only a block that one plain jump alone leads to can be joined; all else counts twice.
    into[code.first] = 2
    for block in code.blocks.values():
        plain = isinstance(block.end, ir.Jump)
        for name in following(block):
            into[name] += 1 if plain else 2
        for name in chain(*ways_after_errors(code, block)):
            into[name] += 2
    for name in list(code.blocks):
        if name not in code.blocks:
            continue
        block = code.blocks[name]
        while isinstance(block.end, ir.Jump):
            to = block.end.to
            if to == name or into[to] != 1 or code.blocks[to].scope != block.scope:
                break
            other = code.blocks.pop(to)
            block.body += other.body
            block.end = other.end


def measure_depths(code: ir.Code) -> None:
    """Set how many loops each block is in; a jump back in the order of the program closes one."""
    order = {name: at for at, name in enumerate(code.blocks)}
    names = list(code.blocks)
    spans = sorted(
        {
            (order[to], order[block.name])
            for block in code.blocks.values()
            for to in _jumps(block)
            if order[to] <= order[block.name]
        }
    )
    # Several ways back to one block are one loop.
    merged: dict[int, int] = {}
    for first, last in spans:
        merged[first] = max(last, merged.get(first, last))
    for first, last in merged.items():
        for at in range(first, last + 1):
            block = code.blocks[names[at]]
            block.depth = min(block.depth + 1, TOP_DEPTH)
    _through_calls(code)


def _jumps(block: ir.Block) -> Iterator[str]:
    match block.end:
        case ir.Jump(to):
            yield to
        case ir.Branch(_, then, otherwise):
            yield from (then, otherwise)
        case ir.Switch(_, to, _, None):
            yield from to
        case ir.Next(_, cases):
            yield from (to for _, to in cases)


def _through_calls(code: ir.Code) -> None:
    """Count what a loop calls as part of the loop."""
    # Calls within calls: three levels are enough, as depth decides the speed of code only.
    for _ in range(3):
        for block in list(code.blocks.values()):
            for name in calls(block.end):
                if code.blocks[name].depth < block.depth:
                    _raise(code, name, block.depth)


def _raise(code: ir.Code, name: str, depth: int) -> None:
    waiting, seen = [name], set()
    own = code.blocks[name].depth
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        block = code.blocks[at]
        block.depth = min(block.depth - own + depth if block.depth >= own else depth, TOP_DEPTH)
        waiting += [n for n in _jumps(block) if code.blocks[n].scope == block.scope]


Ways = Mapping[Place, Iterable[Place]]


def groups(ways: Ways[Place]) -> Iterator[set[Place]]:
    """The loops: the largest groups of places that control comes from each to each other.

    `ways`: where control goes on from each place; all of them are keys, too.
    """
    back: dict[Place, list[Place]] = {at: [] for at in ways}
    for at, on in ways.items():
        for to in on:
            back[to].append(at)
    grouped: set[Place] = set()
    for start in reversed(_as_left(ways)):
        if start in grouped:
            continue
        group, waiting = {start}, [start]
        while waiting:
            for one in back[waiting.pop()]:
                if one not in grouped and one not in group:
                    group.add(one)
                    waiting.append(one)
        grouped |= group
        if len(group) > 1 or start in ways[start]:
            yield group


def _as_left(ways: Ways[Place]) -> list[Place]:
    """All places in the order in which a walk, deeper first, is done with them."""
    left: list[Place] = []
    seen: set[Place] = set()
    for start in ways:
        stack = [(start, iter(ways[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            at, on = stack[-1]
            for to in on:
                if to not in seen:
                    seen.add(to)
                    stack.append((to, iter(ways[to])))
                    break
            else:
                left.append(at)
                stack.pop()
    return left
