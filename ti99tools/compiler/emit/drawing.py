"""HCHAR and VCHAR."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.actions import ENTRIES
from ti99tools.compiler.emit import words
from ti99tools.compiler.emit.actions import Args, call_with_words, emits
from ti99tools.compiler.emit.effects import fails
from ti99tools.compiler.emit.emission import Emission

_PLACE = 2
"""How many arguments say where."""


@emits("hchar", "vchar", "put")
def _draw(e: Emission, action: ir.Do, args: Args) -> None:
    """After an error in what follows the place, PRINT goes on in the column of the place."""
    if not (e.code.handlers and any(map(fails, args[_PLACE:]))):
        call_with_words(e, ENTRIES[action.name], args, action)
        return
    slots: list[str] = []
    for arg in args:
        words.as_word(e, arg, 1)
        slots.append(e.temps.word())
        e.out.op("MOV", f"R1,@{slots[-1]}")
        if len(slots) == _PLACE:
            e.out.call("PCELL")
    e.out.call("PCELLX")
    for n, slot in enumerate(slots, 1):
        e.out.op("MOV", f"@{slot},R{n}")
    e.out.call(ENTRIES[action.name])


@emits("aim")
def _aim(e: Emission, _: ir.Do, args: Args) -> None:
    """The place of a statement that always fails after it."""
    for arg in args:
        words.as_word(e, arg, 1)
    e.out.call("PCELL")
