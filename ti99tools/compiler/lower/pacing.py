"""What statements take in Extended BASIC, beside them: see `compiler.pace`, `compiler.taking`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from ti99tools.compiler import ir
from ti99tools.compiler.heat import LOOKS
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.pace import EDGE, UNIT, Pace
from ti99tools.compiler.taking import Span
from ti99tools.language.analysis import Analysis
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

if TYPE_CHECKING:
    from ti99tools.compiler.wholetime import Sum

_LITTLE = 8 * UNIT
"""Cycles of a jump that are not worth a block of their own on the way."""


def use_times(low: Context, program: Analysis, pace: Pace) -> None:
    """Let statements leave their time: all of them, or those of a program that looks for keys."""
    if pace is Pace.ALL or (pace is Pace.BASIC and not LOOKS.isdisjoint(low.scan.called)):
        # It loads what the interpreter knows of times, which no other program needs.
        from ti99tools.compiler.basictime import BasicTimes

        low.times = BasicTimes(program)
    if pace is Pace.ALL:
        from ti99tools.compiler.wholetime import WholeTimes

        assert low.times is not None
        low.whole = WholeTimes(low.times)


def note_statement(low: Context, spot: ir.Spot, node: st.Statement) -> None:
    """Leave the time of a statement in the current block."""
    if low.names.lost:
        return
    scope = low.names.scope
    if low.whole is not None:
        _take(low, low.whole.begin(scope, spot, node))
        _save(low, low.whole.sums(scope, node))
    elif low.times is not None:
        low.blocks.note_time(low.times.owed(scope, spot, node))


def _take(low: Context, spans: Iterable[Span]) -> None:
    for span in spans:
        if span.cycles:
            low.blocks.note_time(span.cycles, span.shut)


def _save(low: Context, sums: Iterable[Sum]) -> None:
    """Sums and products of 0 are quicker."""
    for one in sums:
        args = tuple(map(partial(_operand, low), (one.left, one.right)))
        if any(arg.op == "var" for arg in args):
            low.blocks.do("pace sum", *args, data=one[2:])


def _operand(low: Context, name: str) -> ir.Expr:
    """A variable; a constant for what is not looked at."""
    symbol, bound = low.names.scope.symbols.get(name), low.names.bound(name)
    if symbol is None or symbol.function is not None or (bound and bound.kind != "same"):
        return ir.const(1)
    return ir.var(low.names.variable(name))


def note_item(low: Context, node: nd.Expression, shown: bool = True) -> None:
    """Leave the time of an item of PRINT or DISPLAY; one that is not `shown` is only evaluated."""
    if low.whole is not None and not low.names.lost:
        times = low.whole.item if shown else low.whole.evaluated
        _take(low, times(low.names.scope, node))


def note_saved(low: Context, name: str, cycles: int) -> None:
    """Leave what is saved where a variable is 0, if all programs take all of the time."""
    if low.whole is not None and not low.names.lost and not name.endswith("$"):
        operand = _operand(low, name)
        if operand.op == "var":
            low.blocks.do("pace sum", operand, ir.const(1), data=(cycles, 0, cycles))


def note_whole(low: Context, cycles: int) -> None:
    """Leave some time of a statement, where all programs take it."""
    if low.whole is not None and not low.names.lost and cycles:
        low.blocks.note_time(cycles)


def note_more(low: Context, cycles: int) -> None:
    """Leave some time of a statement, where programs take any."""
    if low.times is not None and not low.names.lost and cycles:
        low.blocks.note_time(cycles)


def whole_counting(low: Context, node: st.For) -> int:
    """What the NEXT of a loop takes more than usual, where all programs take it."""
    return low.times.counting(node) if low.whole is not None and low.times is not None else 0


def ways_from_if(low: Context, node: st.If) -> tuple[int, int]:
    """Cycles of both ways on from an IF, besides what it takes in any case."""
    if low.times is None or low.names.lost:
        return 0, 0
    true, false = low.times.ways(low.names.scope, low.blocks.spot[0], node)
    if node.otherwise is None and low.whole is None:
        # What follows has other ways to it: what is false counts always, and less where it is true.
        low.blocks.note_time(false)
        return true - false, 0
    return true, false


def on_the_way(low: Context, to: str, cycles: int) -> str:
    """A block on the way to another that takes some time; the other one if that is little."""
    if low.whole is None and cycles <= _LITTLE:
        low.blocks.note_time(cycles // 2)
        return to
    if not cycles:
        return to
    name = low.blocks.fresh(EDGE)
    spot = low.blocks.spot
    low.blocks.put(name, ir.Jump(to, spot))
    low.blocks.code.blocks[name].body.append(ir.Do("pace", (), spot, cycles))
    return name
