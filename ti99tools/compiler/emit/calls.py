"""PRINT and DISPLAY; built-in subprograms: CHAR, HCHAR and VCHAR, SOUND, PEEK, LOAD and INIT."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.actions import ENTRIES, NO_VOLUME
from ti99tools.compiler.emit import strings, values, words
from ti99tools.compiler.emit.actions import Args, call_with_words, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import word_of
from ti99tools.compiler.kinds import WORD, Typed, fails

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


@emits("sound voice")
def _voice(e: Emission, action: ir.Do, args: Args) -> None:
    """A frequency, rounded, a volume, and the frequency as it is: a fraction, or above 32767."""
    frequency, volume, exact = args
    if volume.constant == NO_VOLUME:
        e.out.uses("SNDCHK")
    if exact.range.is_word or frequency.constant is not None:
        call_with_words(e, "SNDVOI", [frequency, volume], action)
        return
    place = values.cell(e, exact, 1)
    words.as_word(e, volume, 2)
    e.out.call("SNDFRA", place)


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
