"""Where memory is full in Extended BASIC: how deep GOSUBs may nest there, and what strings get.

Its strings, its stack and the table of its names share video memory. A compiled program has each
elsewhere. Where nothing else ends its GOSUBs, or a GOSUB that no RETURN ends, they are as many as
Extended BASIC has room for, without strings: one more is refused if a statement that follows would
have no room there. Loops on the stack count as GOSUBs. Strings end where those of Extended BASIC do
that have more than one character, and are no constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls, following, groups, ways_after_errors
from ti99tools.computer.interp.compile.needs import need
from ti99tools.language.analysis import Analysis
from ti99tools.language.prescan.symbols import OTHER_FRAME, STACK_RESERVE, VIDEO_SPACE


def taken_by_names(program: Analysis) -> int:
    """The bytes of video memory that the names of a program take in Extended BASIC."""
    return program.scan.memory.video


def beyond_strings(code: ir.Code) -> int:
    """The bytes that must be free in video memory after the last character of a string."""
    own_last, one_more = 1, 1
    return own_last + code.names_take + OTHER_FRAME + STACK_RESERVE + one_more


def deepest(program: Analysis, code: ir.Code) -> int:
    """How many GOSUBs may be under way; 0 if the program itself bounds them."""
    names = [name for group in groups(_ways(code)) if _calls_within(code, group) for name in group]
    if not names:
        return 0
    statements = {(node.line, node.statement.at): node.statement for node in program.flow.nodes}
    spots = {spot for name in names for spot in _spots(code.blocks[name])}
    needed = max((need(statements[spot]) for spot in spots if spot in statements), default=0)
    room = VIDEO_SPACE + STACK_RESERVE - taken_by_names(program) - needed
    return max(1, room // OTHER_FRAME)


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
