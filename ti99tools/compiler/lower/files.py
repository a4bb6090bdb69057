"""OPEN, CLOSE, RESTORE #, DELETE, EOF and REC; how PRINT #, INPUT # and LINPUT # begin.

The number of a file leads to the file at work, of which the actions that follow know. File 0 is the
screen and the keyboard.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import HIGHEST_FILE, LONGEST_RECORD, LOWEST_INTEGER
from ti99tools.compiler import ir
from ti99tools.compiler.ir import Expr
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.assigning import settled, store_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.lower.values import Operands, function
from ti99tools.compiler.refusing import fail, refuse
from ti99tools.computer.interp.io.openfile import KINDS, MODES
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.hardware.machine.pab import INTERNAL, RELATIVE, VARIABLE
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

CASSETTES = ("CS1", "CS2")
REC, LINE = 1, 2
"""How a statement reads or writes: what the runtime is told of it."""


def _number(low: Context, node: nd.Expression, least: int = 0) -> Expr:
    return values.whole(low, node, least, HIGHEST_FILE, xb.BAD_VALUE)


def _name(low: Context, node: nd.Expression) -> Expr:
    """The name of a file."""
    name = values.text(low, node)
    if name.op == "text" and name.data.partition(".")[0] in CASSETTES:
        refuse(f"{name.data} is a cassette recorder", "use a disk, or run it in Extended BASIC")
    return name


# -- OPEN -----------------------------------------------------------------------------------


@lowers(st.Open)
def _open(low: Context, node: st.Open) -> None:
    """OPEN #n:name,attributes, which are evaluated in their order."""
    if node.number is None:
        return
    low.blocks.do("open number", _number(low, node.number, LOWEST_INTEGER))
    if node.name is None:
        return
    low.blocks.do("open name", _name(low, node.name))
    kinds: dict[str, int] = {}
    for attribute in node.attributes:
        kind = KINDS[attribute.token]
        if kind in kinds:
            fail(xb.SYNTAX_ERROR, "give one attribute of a kind")
        kinds[kind] = attribute.token
        if attribute.value is not None:
            _attribute(low, kind, attribute.value)
    if node.fault is not None:
        return
    relative = kinds.get("organisation") == tk.RELATIVE
    variable = kinds.get("records", tk.FIXED if relative else tk.VARIABLE) == tk.VARIABLE
    if relative and variable:
        fail(xb.FILE_ERROR, "records of a RELATIVE file are FIXED")
    flags = MODES[kinds.get("mode", tk.UPDATE)].value << 1
    flags |= RELATIVE * relative | VARIABLE * variable
    flags |= INTERNAL * (kinds.get("type") == tk.INTERNAL)
    low.blocks.do("open", data=flags)


def _attribute(low: Context, kind: str, node: nd.Expression) -> None:
    """The number after an attribute: the length of records, or for how many there is room."""
    if kind == "records":
        word = values.whole(low, node, WORD_LOW, WORD_HIGH, xb.BAD_VALUE)
        length = Expr("round", (word,), (1, LONGEST_RECORD, xb.SYNTAX_ERROR))
        low.blocks.do("open length", length)
    else:
        records = values.whole(low, node, 0, WORD_HIGH, xb.BAD_VALUE)
        if kind == "organisation":
            low.blocks.do("open records", records)


# -- other statements that name a file ------------------------------------------------------


@lowers(st.Close)
def _close(low: Context, node: st.Close) -> None:
    """CLOSE #n[:DELETE]."""
    if node.number is None:
        return
    number = _number(low, node.number, LOWEST_INTEGER)
    if node.fault is not None:
        low.blocks.do("find file", number)
        return
    low.blocks.do("close", number, data=int(node.delete))


@lowers(st.RestoreFile)
def _restore(low: Context, node: st.RestoreFile) -> None:
    """RESTORE #n[,REC r]; nothing for the screen."""
    _at_record(low, "restore file", node.file)
    if node.file.record is None:
        low.blocks.do("file record", ir.const(0))
    low.blocks.do("file rewind")


@lowers(st.Delete)
def _delete(low: Context, node: st.Delete) -> None:
    """DELETE name."""
    name = _name(low, node.name)
    low.blocks.do("look at text" if node.fault is not None else "delete", name)


def _at_record(low: Context, action: str, file: st.FileRef, line: int = 0) -> Expr:
    """`#n[,REC r]`: the number, which is looked up before the record is evaluated."""
    how = line | REC * (file.record is not None)
    number = _number(low, file.number)
    low.blocks.do(action, number, data=how)
    if file.record is not None:
        record = values.whole(low, file.record, 0, WORD_HIGH, xb.BAD_VALUE)
        low.blocks.do("file record", record)
    return number


def _known(number: Expr) -> int | None:
    """The number of a file, if it is a constant."""
    return to_integer(number.args[0].data) if number.args[0].op == "const" else None


# -- PRINT #, INPUT #, LINPUT # -------------------------------------------------------------


def print_to_file(low: Context, file: st.FileRef) -> bool:
    """What PRINT # does before its list; tell whether the file may be the screen."""
    return not _known(_at_record(low, "file print", file))


def begin_items(low: Context) -> str:
    """Begin the list of PRINT #; what begins the names of the actions for its items: those for the
    screen do where no file is INTERNAL.
    """
    internal = low.opened.internal
    low.blocks.do("file items begin" if internal else "file print begin")
    return "file " if internal else ""


def input_from_file(
    low: Context, node: st.Input, file: st.FileRef, keyboard: Callable[[], None]
) -> None:
    """INPUT #n[,REC r]: targets; `keyboard` lowers INPUT #0."""
    number = _number(low, file.number)
    known = _known(number)
    if known == 0 and file.record is None:
        keyboard()
        return
    if known is not None or file.record is not None:
        _items(low, node, file)
        return
    own, typed, after = (low.blocks.fresh("file") for _ in range(3))
    hidden = low.held("file's number", number)
    zero = Expr("eq", (hidden, ir.const(0)))
    low.blocks.finish_at(ir.Branch(zero, typed, own, low.blocks.spot))
    low.blocks.enter(own)
    _items(low, node, file, Expr("round", (hidden,), number.data))
    low.blocks.finish(ir.Jump(after, low.blocks.spot))
    low.blocks.enter(typed)
    keyboard()
    low.blocks.enter(after)


def _items(low: Context, node: st.Input, file: st.FileRef, number: Expr | None = None) -> None:
    """The items of a file; `number` is its number, if that has been evaluated."""
    if number is None:
        _at_record(low, "file input", file)
    else:
        low.blocks.do("file input", number, data=0)
    kinds = "".join("S" if target.is_string else "N" for target in node.targets)
    if kinds and low.opened.display:
        low.blocks.do("file look", data=kinds)
    for target in node.targets:
        place = settled(low, values.place(low, target))
        store_in(low, place, Expr("file text" if target.is_string else "file number"))
    if node.more and node.fault is None:
        low.blocks.do("file more")


def line_from_file(low: Context, file: st.FileRef, target: nd.Target | None) -> None:
    """LINPUT #n[,REC r]: target."""
    _at_record(low, "file input", file, LINE)
    if target is None:
        return
    if not target.is_string:
        fail(xb.IMPROPERLY_USED_NAME, "use a string variable")
    place = settled(low, values.place(low, target))
    store_in(low, place, Expr("file line"))


# -- EOF and REC ----------------------------------------------------------------------------


@function(tk.EOF)
def _eof(low: Context, args: Operands) -> Expr:
    return Expr("eof", (_number(low, args[0], 1),))


@function(tk.REC)
def _rec(low: Context, args: Operands) -> Expr:
    return Expr("rec", (_number(low, args[0], 1),))
