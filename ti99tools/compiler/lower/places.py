"""Where control may go: the blocks of lines, and of statements within lines.

A line is lowered in the names of the scope in which control comes to it, as on the machine: a line
of the main program that a SUB goes to, or that handles an error of the SUB, runs with the names of
the SUB. Blocks of lines of another scope, and of statements that the walk along the lines does not
meet, are lowered when the walk is over.
"""

from __future__ import annotations

from itertools import islice

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.actions import can_fail
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.refusing import fail
from ti99tools.language.syntax.cursor import next_statement


def block_of_line(low: Context, number: int) -> str:
    """The block of a line that a statement names. Raises Fails."""
    if number not in low.program.tokens:
        fail(xb.LINE_NOT_FOUND, "name a line that is there")
    return block_at(low, number)


def block_at(low: Context, number: int, at: int = 0) -> str:
    """The block that begins at an offset of a line."""
    name = name_of(low, number, at)
    if name not in low.blocks.code.blocks:
        low.places.setdefault(name, (number, at))
    return name


def name_of(low: Context, number: int, at: int) -> str:
    """The name of the block that begins at an offset of a line."""
    place = f"L{number}.{at}" if at else f"L{number}"
    if low.scopes[number] != low.names.scope.name:
        place += f" in {low.names.scope.name or 'the program'}"
    return low.names.block(place)


def block_after_line(low: Context, number: int) -> str:
    """The block of the line after a line; after the last line of the program, one that stops."""
    later = low.following.get(number)
    code = low.blocks.code
    ends = low.is_own(number) and later is not None and not low.is_own(later)
    if later is None or (ends and not code.traces and later not in code.breaks):
        name = low.names.block("over " + low.names.scope.name)
        low.blocks.put(name, ir.Stop(low.blocks.spot))
        return name
    return block_at(low, later)


def block_after(low: Context, spot: ir.Spot) -> str:
    """Where RETURN goes on after a statement: after the next `::` of the line, wherever that is."""
    number, at = spot
    following = next_statement(low.program.tokens[number], at)
    return block_after_line(low, number) if following is None else block_at(low, number, following)


def begin(low: Context, spot: ir.Spot) -> bool:
    """Begin a statement, in a block of its own if anything goes to it; False if it is there."""
    name = name_of(low, *spot)
    if name == low.blocks.current or not (low.handling or name in low.places):
        return True
    if name in low.blocks.code.blocks:
        low.blocks.finish(ir.Jump(name, low.blocks.spot))
        return False
    low.blocks.enter(name)
    return True


def begin_line(low: Context, number: int) -> None:
    """What TRACE and BREAK want done where a line begins."""
    code = low.blocks.code
    if code.traces:
        low.blocks.do("trace line", data=number)
    if number in code.breaks:
        low.blocks.do("look for break", data=number)


def note_failing(low: Context, spot: ir.Spot, own: str, since: int) -> None:
    """Note where control goes on if a statement fails: its blocks are `own` and those from `since`.

    In the block `own` it begins.
    """
    code = low.blocks.code
    newest = islice(reversed(code.blocks.values()), len(code.blocks) - since)
    blocks = (code.blocks[own], *newest) if own else ()
    parts = (part for block in blocks for part in (*block.body, block.end) if part is not None)
    if any(part.spot == spot and can_fail(part) for part in parts):
        after = block_after(low, spot) if low.returns_next else own
        code.resumes[low.names.variant, spot] = own, after
