"""Bytes of memory: PEEK, LOAD and INIT."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit import values, words
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import word_of
from ti99tools.compiler.kinds import Typed


@word_of("byte")
def _byte(e: Emission, t: Typed, r: int) -> None:
    address = t.args[0]
    if address.constant is not None:
        e.out.op("MOVB", f"@>{address.constant & 0xFFFF:04X},R{r}")
    else:
        values.word(e, address, r)
        e.out.op("MOVB", f"@{t.data}(R{r}),R{r}" if t.data else f"*R{r},R{r}")
    e.out.op("SRL", f"R{r},8")


@emits("init")
def _init(e: Emission, _: ir.Do, __: Args) -> None:
    e.out.op("SETO", f"@{e.out.uses('INITED')}")


@emits("check init")
def _check_init(e: Emission, _: ir.Do, __: Args) -> None:
    bad = e.out.failing(xb.SYNTAX_ERROR)
    e.out.op("MOV", f"@{e.out.uses('INITED')},R0")
    e.out.jump("JEQ", bad)


@emits("load")
def _load(e: Emission, action: ir.Do, args: Args) -> None:
    words.as_word(e, args[0], 1)
    e.out.op("SWPB", "R1")
    e.out.op("MOVB", f"R1,@>{action.data & 0xFFFF:04X}")
