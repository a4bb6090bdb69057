"""What statements take in Extended BASIC, beside them: see `compiler.pace`, which uses it."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.pace import EDGE, UNIT
from ti99tools.language.analysis import Analysis
from ti99tools.language.syntax import statements as st

_LOOKS = frozenset({"KEY", "JOYST"})
_LITTLE = 8 * UNIT
"""Cycles of a jump that are not worth a block of their own on the way."""


def use_times(low: Context, program: Analysis) -> None:
    """Let statements leave their time, if the program looks for keys."""
    if not _LOOKS.isdisjoint(low.scan.called):
        # It loads what the interpreter knows of times, which no other program needs.
        from ti99tools.compiler.basictime import BasicTimes

        low.times = BasicTimes(program)


def note_statement(low: Context, spot: ir.Spot, node: st.Statement) -> None:
    """Leave the time of a statement in the current block."""
    if low.times is not None and not low.names.lost:
        low.blocks.note_time(low.times.owed(low.names.scope, spot, node))


def ways_from_if(low: Context, node: st.If) -> tuple[int, int]:
    """Cycles of both ways on from an IF, besides what it takes in any case."""
    if low.times is None or low.names.lost:
        return 0, 0
    true, false = low.times.ways(low.names.scope, low.blocks.spot[0], node)
    if node.otherwise is None:
        # What follows has other ways to it: what is false counts always, and less where it is true.
        low.blocks.note_time(false)
        return true - false, 0
    return true, false


def on_the_way(low: Context, to: str, cycles: int) -> str:
    """A block on the way to another that takes some time; the other one if that is little."""
    if cycles <= _LITTLE:
        low.blocks.note_time(cycles // 2)
        return to
    name = low.blocks.fresh(EDGE)
    spot = low.blocks.spot
    low.blocks.put(name, ir.Jump(to, spot))
    low.blocks.code.blocks[name].body.append(ir.Do("pace", (), spot, cycles))
    return name
