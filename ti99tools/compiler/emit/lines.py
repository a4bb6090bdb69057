"""INPUT, LINPUT, ACCEPT and USING."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import cell_of, text_of
from ti99tools.compiler.kinds import Typed

EXPONENT = "^^^^"
"""What an image has for an exponent, at least."""


@emits("input")
def _input(e: Emission, action: ir.Do, args: Args) -> None:
    kinds, name = action.data
    values.text(e, args[0])
    e.out.call("INPUT", e.constants.text(kinds), e.constants.text(name) if name else "0")


_TEXTS = {
    "linput": "LPROMP", "accept validate": "ACVALI", "using text": "USSTR",
}  # fmt: skip
"""Action → entry that takes a text."""


@emits(*_TEXTS)
def _with_text(e: Emission, action: ir.Do, args: Args) -> None:
    values.text(e, args[0])
    e.out.call(_TEXTS[action.name])


@emits("accept word")
def _word(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.call("ACWORD", e.constants.text(action.data))


_NUMBERS = {"typed": "INNUM", "accepted": "ACCNUM"}
"""Number that is typed → entry that makes a cell of it."""
_TYPED = {"typed text": "INTXT", "accepted text": "ACCTXT", "typed line": "LINPUT"}
"""Text that is typed → entry that appends it."""


@cell_of(*_NUMBERS)
def _number(e: Emission, t: Typed, place: str, _: int) -> None:
    e.out.call(_NUMBERS[t.op], place)


@text_of(*_TYPED)
def _text(e: Emission, t: Typed, _: int) -> None:
    e.out.call(_TYPED[t.op])


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
