"""READ, RESTORE and RANDOMIZE."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.actions import Args, emits, store_word
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.kinds import CELL, WIDTHS, WORD
from ti99tools.computer.numbers.rnd import seed_state
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW


@emits("read")
def _read(e: Emission, action: ir.Do, _: Args) -> None:
    target = action.results[0]
    if e.code.data_lines:
        read_text(e, target)
        return
    e.out.uses("DATPTR")
    bad = e.out.failing(xb.DATA_ERROR)
    e.out.op("MOV", "@DATPTR,R1")
    e.out.op("CI", "R1,DATEND")
    e.out.jump("JHE", bad)
    if e.kinds.data == WORD:
        e.out.op("MOV", "*R1+,R2")
        e.out.op("MOV", "R1,@DATPTR")
        store_word(e, target, 2)
        _seek(e)
        return
    place = e.places.address(target)
    for n in range(4):
        if e.kinds.of(target) == CELL:
            e.out.op("MOV", f"*R1+,@{place}+{2 * n}")
        elif n == 1:
            e.out.op("MOV", f"*R1+,{e.places.operand(target)}")
        else:
            e.out.op("INCT", "R1")
    e.out.op("MOV", "R1,@DATPTR")
    _seek(e)


def _seek(e: Emission) -> None:
    """Take the time in which the next line with DATA is found, after the last item of one."""
    if e.code.whole:
        e.out.call("DATTAK")


def read_text(e: Emission, target: str) -> None:
    """READ of a number where the items are texts."""
    if e.kinds.of(target) == CELL:
        e.out.call("READNM", e.places.address(target))
        return
    place = e.temps.cell()
    e.out.call("READNM", place)
    e.out.call("CTOW", place, e.constants.limit(WORD_LOW, WORD_HIGH, xb.BAD_VALUE))
    e.out.op("MOV", f"R0,{e.places.operand(target)}")


@emits("restore")
def _restore(e: Emission, action: ir.Do, _: Args) -> None:
    if e.code.data_lines:
        e.out.call("DATSEK", f"DATTAB+{2 * action.data}")
        return
    e.out.op("LI", f"R0,DATAS+{WIDTHS[e.kinds.data] * action.data}")
    e.out.op("MOV", f"R0,@{e.out.uses('DATPTR')}")


@emits("randomize")
def _randomize(e: Emission, _: ir.Do, args: Args) -> None:
    if args[0].op == "const":
        _seed(e, seed_state(args[0].data))
    else:
        e.out.call("RNDSET", values.cell(e, args[0], 1))


def _seed(e: Emission, state: int) -> None:
    """RANDOMIZE with a number that is known."""
    e.out.uses("RNDX")
    for at in (0, 2, 4, 6):
        state, digit = divmod(state, 10_000)
        e.out.op("LI", f"R0,{digit}")
        e.out.op("MOV", f"R0,@RNDX+{at}")
