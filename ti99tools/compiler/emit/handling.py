"""ON ERROR, CALL ERR, ON WARNING, ON BREAK, BREAK, TRACE, RUN, and values that nothing needs."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.emit import values, words
from ti99tools.compiler.emit.actions import Args, emits, store_results
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import cell_of, text_of, word_of
from ti99tools.compiler.kinds import CELL, TEXT, WORD, Typed


@emits("on error")
def _on_error(e: Emission, action: ir.Do, _: Args) -> None:
    hook = e.out.uses("ERRHK")
    if action.data is None:
        e.out.op("CLR", f"@{hook}")
        return
    if e.code.certain:
        e.out.uses("NOCATC")
    if e.code.deepest and not e.code.looks and not e.banked:
        e.out.uses("DEEP")
    e.out.op("LI", f"R0,{e.out.uses('CAUGHT')}")
    e.out.op("MOV", f"R0,@{hook}")
    e.out.op("LI", f"R0,{2 * action.data}")
    e.out.op("MOV", f"R0,@{e.out.uses('ERRNUM')}")


@word_of("caught")
def _caught(e: Emission, _: Typed, r: int) -> None:
    e.out.op("MOV", f"@{e.out.uses('ERRROW')},R{r}")


@emits("error")
def _error(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("CALERR")
    if len(action.results) > 2:
        e.out.uses("SEVERE")
    store_results(e, action.results)


@emits("on warning")
def _on_warning(e: Emission, action: ir.Do, _: Args) -> None:
    hook = e.out.uses("WRNHK")
    if action.data == "PRINT":
        e.out.op("CLR", f"@{hook}")
        return
    e.out.op("LI", f"R0,{e.out.uses('WRNSTP' if action.data == 'STOP' else 'WRNNXT')}")
    e.out.op("MOV", f"R0,@{hook}")


@emits("warn")
def _warn(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("WARNIN", f"M{action.data}")


@emits("on break")
def _on_break(e: Emission, action: ir.Do, _: Args) -> None:
    # The operations LI R2 and ANDI R2: see the runtime's CLRDN.
    e.out.op("LI", "R0,>0202" if action.data == "NEXT" else "R0,>0242")
    e.out.op("MOV", f"R0,@{e.out.uses('BRKOFF')}")


@emits("mark line")
def _mark_line(e: Emission, action: ir.Do, _: Args) -> None:
    line, on = action.data
    e.out.op("SETO" if on else "CLR", f"@{_mark(e, line)}")


@emits("look for break")
def _look_for_break(e: Emission, action: ir.Do, _: Args) -> None:
    """Stop at a line that BREAK has named."""
    mark, back = _mark(e, action.data), e.out.fresh()

    def stop() -> None:
        e.out.call("BRKLIN", mark)
        e.out.jump("JMP", back)

    e.out.op("MOV", f"@{mark},R0")
    e.out.jump("JNE", e.out.aside(stop))
    e.out.label(back)


@emits("stand still")
def _stand_still(e: Emission, _action: ir.Do, _: Args) -> None:
    e.out.op("B", f"@{e.out.uses('STILL')}")


@emits("run other")
def _run_other(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("CHAIN", f"CHPLAC+{2 * action.data}")


@emits("run fails")
def _run_fails(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("RUNFAL", e.out.uses(action.data))


@emits("trace")
def _trace(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.op("SETO" if action.data else "CLR", f"@{e.out.uses('TRACED')}")


@emits("trace line")
def _trace_line(e: Emission, action: ir.Do, _: Args) -> None:
    """Show the number of a line that begins, if TRACE is on."""
    back = e.out.fresh()

    def show() -> None:
        e.out.call("TRCLIN", str(action.data))
        e.out.jump("JMP", back)

    e.out.op("MOV", f"@{e.out.uses('TRACED')},R0")
    e.out.jump("JNE", e.out.aside(show))
    e.out.label(back)


def _mark(e: Emission, line: int) -> str:
    return f"BP{e.code.breaks.index(line)}"


@emits("check sub")
def _check_sub(e: Emission, action: ir.Do, _: Args) -> None:
    """A SUB that is running already is refused; one that no CALL can enter never runs."""
    if action.data not in e.code.subs:
        return
    back = f"SR{e.code.subs.index(action.data)}"
    if not e.hot:
        e.out.call("CHKSUB", back)
        return
    bad = e.out.failing(xb.RECURSIVE_SUBPROGRAM_CALL)
    e.out.op("MOV", f"@{back},R0")
    e.out.jump("JNE", bad)


@word_of("within")
def _word_within(e: Emission, t: Typed, r: int) -> None:
    with e.out.function(t.data):
        values.word(e, t.args[0], r)


@cell_of("within")
def _cell_within(e: Emission, t: Typed, place: str, r: int) -> None:
    with e.out.function(t.data):
        values.cell_into(e, t.args[0], place, r)


@text_of("within")
def _text_within(e: Emission, t: Typed, r: int) -> None:
    with e.out.function(t.data):
        values.append(e, t.args[0], r)


@emits("calculate")
def _calculate(e: Emission, _action: ir.Do, args: Args) -> None:
    """A value that nothing needs, for the errors and warnings that calculating it gives."""
    value = args[0]
    if value.kind == TEXT:
        value = Typed("len", WORD, (value,))
    if value.kind == CELL:
        values.cell(e, value, 1)
    else:
        words.as_word(e, value, 1)
