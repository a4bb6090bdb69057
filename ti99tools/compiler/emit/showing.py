"""PRINT, DISPLAY and CALL CHAR: actions that take texts, and numbers of both kinds."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit import strings, values
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.kinds import WORD


@emits("show text")
def _show_text(e: Emission, _: ir.Do, args: Args) -> None:
    text = args[0]
    if text.op == "text":
        e.out.call("PTEXT", e.constants.text(text.data))
    elif text.op == "str" and text.args[0].kind == WORD:
        values.word(e, text.args[0], 1)
        e.out.call("PWSTR")
    else:
        strings.call_with(e, text, "PHAND", "PSHOW")


@emits("look at text")
def _look_at_text(e: Emission, _: ir.Do, args: Args) -> None:
    """A text that is made because making it may fail or warn."""
    if args[0].op not in ("text", "var"):
        values.text(e, args[0])
        e.out.call("TDROP")


@emits("show number")
def _show_number(e: Emission, _: ir.Do, args: Args) -> None:
    values.call_with(e, args[0], "PWORD", "PNUM")


@emits("char")
def _char(e: Emission, _: ir.Do, args: Args) -> None:
    if args[1].op == "text" and args[0].op != "toword":
        values.word(e, args[0], 1)
        e.out.call("CHARC", e.constants.text(args[1].data))
        return
    values.word(e, args[0], 1)
    slot = e.temps.word()
    e.out.op("MOV", f"R1,@{slot}")
    values.text(e, args[1])
    e.out.op("MOV", f"@{slot},R1")
    e.out.call("CHAR")
