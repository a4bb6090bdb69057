"""OPEN, CLOSE, RESTORE #, DELETE, and the forms of INPUT and LINPUT with `#n`.

The device's time is its own (machine/dsrvolume). If it asks for something, the wait for the answers
is the statement's second phase.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles import language as cy
from ti99tools.base.tokens import KEYWORDS
from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
from ti99tools.computer.interp.compile.emit.registry import emits
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.nodes import Number


@emits(st.Open, phases=2, cycles=cy.OPEN_FILE)
def open_file(e: BlockEmitter, node: st.Open, phase: int) -> None:
    """Number, name, attributes in order; nothing is opened when wrong syntax follows."""
    if phase:
        e.line("rt.files.answer()")
        return
    if node.number is None:
        return
    number = e.temp()
    e.line(f"{number} = rt.files.unused({e.number(node.number)})")
    if node.name is None:
        return
    name, request = e.temp(), e.temp()
    e.line(f"{name} = {e.value(node.name)}")
    e.line(f"{request} = rt.files.request()")
    for attribute in node.attributes:
        value = "" if attribute.value is None else f", {e.number(attribute.value)}"
        e.line(f"{request}.word({attribute.token}{value})  # {KEYWORDS[attribute.token]}")
    if node.fault is None:
        e.line("opening()")
        _ask(e, f"rt.files.open({number}, {name}, {request}.request())")


def _ask(e: BlockEmitter, call: str) -> None:
    """Write a call that tells whether the device asks for something; see `Files`."""
    e.line(f"if {call}:")
    with e.indented():
        e.line(f"return {second_phase(e)}")


@emits(st.Close, phases=2, cycles=0)
def close_file(e: BlockEmitter, node: st.Close, phase: int) -> None:
    """CLOSE #n, CLOSE #n:DELETE; wrong syntax is noticed when the file has been found."""
    if phase:
        e.line("rt.files.answer()")
        return
    if node.number is None:
        return
    if node.fault is not None:
        e.line(f"rt.files.to_close({e.number(node.number)})")
        return
    e.line("closing(rt.files.count)")
    delete = ", delete=True" if node.delete else ""
    _ask(e, f"rt.files.close({e.number(node.number)}{delete})")


@emits(st.RestoreFile, phases=2)
def restore_file(e: BlockEmitter, node: st.RestoreFile, phase: int) -> None:
    """RESTORE #n, RESTORE #n,REC r."""
    if phase:
        e.line("rt.files.answer()")
    else:
        _ask(e, f"rt.files.restore({reference(e, node.file, 'None')})")


@emits(st.Delete, phases=2, cycles=cy.DELETE_FILE)
def delete_file(e: BlockEmitter, node: st.Delete, phase: int) -> None:
    """DELETE of a file; after a question of the device it begins at `phase` 1."""
    if phase:
        e.line("rt.files.answer()")
        return
    source = e.value(node.name).source
    if node.fault is None:
        _ask(e, f"rt.files.delete({source})")


def input_file(e: BlockEmitter, node: st.Input) -> None:
    """INPUT #n: the items of a DISPLAY file are read before the first is assigned.

    Those of an INTERNAL file are read one by one, each just after the subscripts of its variable.
    #0 is the keyboard: its wait is the statement's second phase.
    """
    assert node.file is not None
    arguments = reference(e, node.file)
    strings = tuple(target.is_string for target in node.targets)
    number = node.file.number
    known = isinstance(number, Number) and number.text.strip("0").isdecimal()
    if node.file.record is None and not known:
        e.line(f"if rt.files.is_console({arguments}):")
        with e.indented():
            e.line(f"rt.screenio.begin_input(None, {strings})")
            e.line(f"return {second_phase(e)}")
    reader = e.temp()
    e.line(f"{reader} = rt.files.reader({arguments})")
    e.line(f"{reader}.look({strings}, big)")
    looked = f"{cy.FILE_TEXT_ITEM * len(strings)} + {cy.FILE_CHARACTER} * {reader}.looked_through"
    e.line(f"if {reader}.as_text: clock.cycles += {looked}")
    for target in node.targets:
        slot = e.slot(target)
        read = f"{reader}.string()" if slot.is_string else f"big({reader}.number())"
        e.line(slot.store(read))
    if node.fault is None:
        e.line(f"{reader}.end(keep={node.more})")


def linput_file(e: BlockEmitter, node: st.Linput) -> None:
    """LINPUT #n: a whole record; nothing is read for a numeric variable."""
    assert node.file is not None
    reader = e.temp()
    e.line(f"{reader} = rt.files.reader({reference(e, node.file)}, line=True)")
    if node.target is not None and not node.target.is_string:
        e.fail(xb.IMPROPERLY_USED_NAME)
    elif node.target is not None:
        slot = e.slot(node.target)
        e.line(slot.store(f"{reader}.linput()"))
        e.line(f"{reader}.end()")


def second_phase(e: BlockEmitter) -> str:
    """Source of the block in which the present statement waits for its keys."""
    return e.block(e.flow.place, 1)


def reference(e: BlockEmitter, file: st.FileRef, missing: str = "") -> str:
    """Arguments `number[, record]` of a call, evaluated in this order."""
    number = e.temp()
    e.line(f"{number} = {e.number(file.number)}")
    if file.record is None:
        return f"{number}, {missing}" if missing else number
    e.line(f"rt.files.look_up({number})")
    record = e.temp()
    e.line(f"{record} = {e.number(file.record)}")
    e.spend(cy.RECORD)
    return f"{number}, {record}"
