"""Statements: INPUT, PRINT and the like, USING, files, READ; built-in subprograms, EOF and REC.

Many take a word after the call of the runtime.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.actions import ENTRIES, NO_VOLUME
from ti99tools.compiler.emit import strings, values, words
from ti99tools.compiler.emit.actions import Args, call_with_words, emits, store_word
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import cell_of, text_of, word_of
from ti99tools.compiler.kinds import CELL, WIDTHS, WORD, Typed, fails
from ti99tools.computer.numbers.rnd import seed_state
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW

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
        slots.append(e.keep("R1"))
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
    slot = e.keep("R1")
    values.text(e, args[1])
    e.out.op("MOV", f"@{slot},R1")
    e.out.call("CHAR")


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
def _write_text(e: Emission, _: ir.Do, args: Args) -> None:
    strings.call_with(e, args[0], "FHAND", "FTEXT")


@emits("file show number")
def _write_number(e: Emission, _: ir.Do, args: Args) -> None:
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
