"""What loops that look for keys owe: see `compiler.pace`; or all statements: `compiler.taking`."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.kinds import OWED, WORD, Typed
from ti99tools.hardware.machine.clock import FRAME


@emits("pace")
def _pace(e: Emission, action: ir.Do, _: Args) -> None:
    if e.code.whole:
        _take(e, "TAKE", action.data)
        return
    e.out.uses("PAUSE")
    e.out.op("AI", f"R{OWED},{action.data}")


@emits("pace shut")
def _shut(e: Emission, action: ir.Do, _: Args) -> None:
    _take(e, "TAKSHT", action.data)


@emits("pace begin")
def _begin(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("TAKBEG", str(action.data))


@emits("pace sum")
def _sum(e: Emission, action: ir.Do, args: Args) -> None:
    """A sum or product of 0 takes less time."""
    (left, right), (by_left, by_right, by_both) = args, action.data
    over, further = e.out.fresh(), e.out.fresh()
    if left.op == "var":
        _unless_0(e, left, further)
        if right.op == "var" and by_both != by_left:
            alone = e.out.fresh()
            _unless_0(e, right, alone)
            _take(e, "TAKE", -by_both)
            e.out.jump("JMP", over)
            e.out.label(alone)
        _take(e, "TAKE", -by_left)
        e.out.jump("JMP", over)
    e.out.label(further)
    if right.op == "var":
        _unless_0(e, right, over)
        _take(e, "TAKE", -by_right)
    e.out.label(over)


def _unless_0(e: Emission, value: Typed, aim: str) -> None:
    """Jump if a variable is not 0."""
    if value.kind == WORD:
        values.word(e, value, 1)
        e.out.op("MOV", "R1,R1")
    else:
        place = e.places.operand(value.data)
        e.out.op("MOV", f"{place},R1")
        e.out.op("SOC", f"{place}+2,R1")
    e.out.jump("JNE", aim)


def _take(e: Emission, entry: str, cycles: int) -> None:
    frames, rest = divmod(cycles, FRAME)
    if frames or entry == "TAKSHT":
        e.out.call("TAKEL" if entry == "TAKE" else entry, str(frames), str(rest))
    elif rest:
        e.out.call(entry, str(rest))
