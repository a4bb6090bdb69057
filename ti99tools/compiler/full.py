"""Where memory is full in Extended BASIC: how deep GOSUBs may nest there, and what strings get.

Its strings, its stack and the table of its names share video memory. A compiled program has each
elsewhere. Where nothing else ends its GOSUBs, or a GOSUB that no RETURN ends, they are as many as
Extended BASIC has room for, without strings. If few statements may run meanwhile, each of them
looks whether it would have room there, with the loops and SUBs around it. If there are more, loops
count as GOSUBs, and a GOSUB is refused if a statement that follows would have no room. Strings end
where those of Extended BASIC do that have more than one character, and are no constants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls, following, groups, ways_after_errors
from ti99tools.compiler.lower.context import Loops
from ti99tools.computer.interp.compile.needs import PUSH_RESERVE, need
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import reachable
from ti99tools.language.prescan.symbols import (
    LOOP_FRAME,
    OTHER_FRAME,
    STACK_RESERVE,
    SUB_FRAME,
    VIDEO_SPACE,
)
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

Inside = dict[tuple[str, str, int], set[str]]
"""SUB, variable of a loop or none, bytes besides the word of a loop on the stack → the blocks where
it may be under way.
"""

_MOST_LOOKS = 10
"""So many statements look for room at most: others shall not grow for it."""


class Depths(NamedTuple):
    """How many GOSUBs may be under way: at all (0: the program itself bounds them), and at the
    statements that look for room.
    """

    most: int
    at: dict[ir.Spot, int]


def taken_by_names(program: Analysis) -> int:
    """The bytes of video memory that the names of a program take in Extended BASIC."""
    return program.scan.memory.video


def beyond_strings(code: ir.Code) -> int:
    """The bytes that must be free in video memory after the last character of a string."""
    own_last, one_more = 1, 1
    return own_last + code.names_take + OTHER_FRAME + STACK_RESERVE + one_more


def depths(program: Analysis, code: ir.Code, loops: Loops) -> Depths:
    """How many GOSUBs may be under way."""
    ways = _ways(code)
    within = {name for group in groups(ways) if _calls_within(code, group) for name in group}
    if not within:
        return Depths(0, {})
    statements = {(node.line, node.statement.at): node.statement for node in program.flow.nodes}
    room = VIDEO_SPACE + STACK_RESERVE - taken_by_names(program)
    at = _looks(code, loops, statements, room, reachable(within, lambda name: ways[name]))
    if len(at) <= _MOST_LOOKS:
        return Depths(1 + (room - OTHER_FRAME - PUSH_RESERVE) // OTHER_FRAME, at)
    spots = {spot for name in within for spot in _spots(code.blocks[name])}
    most = max((need(statements[spot]) for spot in spots if spot in statements), default=0)
    return Depths(max(1, (room - most) // OTHER_FRAME), {})


def _looks(
    code: ir.Code,
    loops: Loops,
    statements: Mapping[ir.Spot, st.Statement],
    room: int,
    names: Container[str],
) -> dict[ir.Spot, int]:
    """The statements of some blocks that have room only up to so many GOSUBs."""
    inside = _inside(code, loops)
    at: dict[ir.Spot, int] = {}
    seen: set[ir.Spot] = set()
    for name in filter(names.__contains__, code.blocks):
        least = room
        for spot in _spots(code.blocks[name]):
            statement = None if spot in seen else statements.get(spot)
            seen.add(spot)
            if statement is None or not need(statement):
                continue
            around = _around(code.blocks[name], statement, inside)
            limit = max(1, (room - need(statement) - around) // OTHER_FRAME)
            # A GOSUB alone is refused where the stack ends.
            if limit < least and (around or not isinstance(statement, st.Gosub)):
                at[spot] = limit
                # Where this one has room, so have others after it; errors lead to any.
                least = room if code.handlers else limit
    return at


def _around(block: ir.Block, statement: st.Statement, inside: Inside) -> int:
    """Bytes of the loops and SUBs around a statement, besides the words that loops have here.

    In Extended BASIC FOR has dropped a loop of its variable before it needs room.
    """
    own = "", ""
    if isinstance(statement, st.For) and isinstance(statement.variable, nd.Variable):
        own = block.scope, statement.variable.name
    return sum(
        size - LOOP_FRAME * ((scope, variable) == own)
        for (scope, variable, size), names in inside.items()
        if block.name in names
    )


def _inside(code: ir.Code, loops: Loops) -> Inside:
    """The blocks in loops and SUBs."""
    inside: Inside = defaultdict(set)
    for loop in (*loops.by_for.values(), *loops.elsewhere.values()):
        if loop.body in code.blocks:
            size = LOOP_FRAME - OTHER_FRAME * loop.stacked
            key = code.blocks[loop.body].scope, loop.variable, size
            inside[key] |= _until(code, loop.body, loop.after, loop.number >> 8)
    for block in code.blocks.values():
        if isinstance(block.end, ir.Enter):
            inside[block.end.sub, "", SUB_FRAME] |= _until(code, block.end.to, block.end.back)
    return inside


def _until(code: ir.Code, first: str, after: str, number: int = 0) -> set[str]:
    """The blocks from one on, with all that they call, up to another or the NEXT of a loop."""

    def ways(name: str) -> Iterator[str]:
        end = code.blocks[name].end
        if isinstance(end, ir.Next) and number in (case >> 8 for case, _ in end.cases):
            return iter(())
        return (to for to in following(code.blocks[name]) if to != after)

    return reachable((first,), ways)


def _ways(code: ir.Code) -> dict[str, Iterable[str]]:
    """Where control may go on after each block."""
    ways: dict[str, Iterable[str]] = {}
    for name, block in code.blocks.items():
        handlers, resumed = ways_after_errors(code, block)
        ways[name] = (*following(block), *handlers, *resumed)
    return ways


def _calls_within(code: ir.Code, group: set[str]) -> bool:
    """Tell whether a subroutine may be called once more before it returns."""
    return any(
        not group.isdisjoint(calls(code.blocks[name].end))
        for name in group
        if not isinstance(code.blocks[name].end, ir.Enter)
    )


def _spots(block: ir.Block) -> Iterator[ir.Spot]:
    yield from (part.spot for part in (*block.body, block.end) if part is not None)
