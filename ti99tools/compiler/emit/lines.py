"""INPUT, LINPUT, ACCEPT and USING; statements of files, EOF and REC.

Many take a word after the call of the runtime.
"""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit import strings, values, words
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import cell_of, text_of, word_of
from ti99tools.compiler.kinds import Typed

EXPONENT = "^^^^"
"""What an image has for an exponent, at least."""


@emits("input")
def _input(e: Emission, action: ir.Do, args: Args) -> None:
    kinds, name = action.data
    values.text(e, args[0])
    e.out.call("INPUT", e.constants.text(kinds), e.constants.text(name) if name else "0")


_TEXTS = {
    "linput": "LPROMP", "accept validate": "ACVALI", "using text": "USSTR", "delete": "FDELET",
}  # fmt: skip
"""Action → entry that takes a text."""


@emits(*_TEXTS)
def _with_text(e: Emission, action: ir.Do, args: Args) -> None:
    values.text(e, args[0])
    e.out.call(_TEXTS[action.name])


@emits("accept word")
def _word(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("ACWORD", e.constants.text(action.data))


_NUMBERS = {"typed": "INNUM", "accepted": "ACCNUM", "file number": "FINNUM"}
"""Number that is typed or read → entry that makes a cell of it."""
_READ = {
    "typed text": "INTXT", "accepted text": "ACCTXT", "typed line": "LINPUT",
    "file text": "FINTXT", "file line": "FLINP",
}  # fmt: skip
"""Text that is typed or read → entry that appends it."""


@cell_of(*_NUMBERS)
def _number(e: Emission, t: Typed, place: str, _: int) -> None:
    e.out.call(_NUMBERS[t.op], place)


@text_of(*_READ)
def _text(e: Emission, t: Typed, _: int) -> None:
    e.out.call(_READ[t.op])


# -- USING ----------------------------------------------------------------------------------


@emits("using")
def _using(e: Emission, action: ir.Do, args: Args) -> None:
    image, more = args[0], str(int(action.data))
    if image.op != "text" or EXPONENT in image.data:
        e.out.uses("USEXP0")
    if image.op == "text":
        e.out.call("USING", e.lasting.text(image.data), more)
    else:
        values.text(e, image)
        e.out.call("USINGT", more)


@emits("using number")
def _using_number(e: Emission, _: ir.Do, args: Args) -> None:
    e.out.call("USNUM", values.cell(e, args[0], 1))


# -- files ----------------------------------------------------------------------------------

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


_OF_FILES = {"eof": "FEOF", "rec": "FREC"}


@word_of(*_OF_FILES)
def _of_file(e: Emission, t: Typed, r: int) -> None:
    values.word(e, t.args[0], r)
    e.out.op("MOV", f"R{r},R0")
    e.out.call(_OF_FILES[t.op])
    e.out.op("MOV", f"R0,R{r}")
