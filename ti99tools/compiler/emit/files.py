"""Statements of files, EOF and REC: actions with a word for the runtime after the call."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit import strings, values, words
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import cell_of, text_of, word_of
from ti99tools.compiler.kinds import Typed

_BY_NUMBER = {
    "close": "FCLOSE", "restore file": "FRESTR", "file print": "FPRINT", "file input": "FINPUT",
}  # fmt: skip
"""Action → entry that takes a file's number, and a word after the call."""


@emits(*_BY_NUMBER)
def _by_number(e: Emission, action: ir.Do, args: Args) -> None:
    words.as_word(e, args[0], 1)
    if action.name == "file input" and e.code.internal:
        e.out.uses("FINTIT")
    e.out.call(_BY_NUMBER[action.name], str(action.data))


@emits("open name")
def _open_name(e: Emission, _: ir.Do, args: Args) -> None:
    values.text(e, args[0])


@emits("open")
def _open(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("FOPEN", str(action.data))


@emits("delete")
def _delete(e: Emission, _: ir.Do, args: Args) -> None:
    values.text(e, args[0])
    e.out.call("FDELET")


@emits("file show text")
def _show_text(e: Emission, _: ir.Do, args: Args) -> None:
    strings.call_with(e, args[0], "FHAND", "FTEXT")


@emits("file show number")
def _show_number(e: Emission, _: ir.Do, args: Args) -> None:
    values.call_with(e, args[0], "FWORD", "FCELL")


@emits("file look")
def _look(e: Emission, action: ir.Do, _: Args) -> None:
    e.temps.most_items = max(e.temps.most_items, len(action.data))
    e.out.call("FLOOK", e.constants.text(action.data))


@cell_of("file number")
def _number(e: Emission, _: Typed, place: str, _r: int) -> None:
    e.out.call("FINNUM", place)


_TEXTS = {"file text": "FINTXT", "file line": "FLINP"}


@text_of(*_TEXTS)
def _text(e: Emission, t: Typed, _: int) -> None:
    e.out.call(_TEXTS[t.op])


_OF_FILES = {"eof": "FEOF", "rec": "FREC"}


@word_of(*_OF_FILES)
def _of_file(e: Emission, t: Typed, r: int) -> None:
    values.word(e, t.args[0], r)
    e.out.op("MOV", f"R{r},R0")
    e.out.call(_OF_FILES[t.op])
    e.out.op("MOV", f"R0,R{r}")
