"""What loops that look for keys owe: see `compiler.pace`; or all statements: `compiler.taking`."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.kinds import OWED, WORD
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
    over = e.out.fresh()
    tested = [(arg, saved) for arg, saved in zip(args, action.data, strict=True) if arg.op == "var"]
    for at, (value, saved) in enumerate(tested, start=1):
        further = over if at == len(tested) else e.out.fresh()
        if value.kind == WORD:
            values.word(e, value, 1)
            e.out.op("MOV", "R1,R1")
        else:
            place = e.places.operand(value.data)
            e.out.op("MOV", f"{place},R1")
            e.out.op("SOC", f"{place}+2,R1")
        e.out.jump("JNE", further)
        _take(e, "TAKE", -saved)
        if further != over:
            e.out.jump("JMP", over)
            e.out.label(further)
    e.out.label(over)


def _take(e: Emission, entry: str, cycles: int) -> None:
    frames, rest = divmod(cycles, FRAME)
    if frames or entry == "TAKSHT":
        e.out.call("TAKEL" if entry == "TAKE" else entry, str(frames), str(rest))
    elif rest:
        e.out.call(entry, str(rest))
