"""Branches as Python text: B, BL, BLWP, RTWP, and where a step goes on."""

from __future__ import annotations

from ti99tools.cpu.core import EVEN
from ti99tools.cpu.operations import displaced
from ti99tools.cpu.traces import Step
from ti99tools.cpu.tracetext import Operand, TraceText


def branch(text: TraceText, step: Step) -> None:
    """Add the text of B."""
    place = text.operand(step.words[0])
    if step.back is not None:
        _come_back(text, place, step.back)
        return
    text.read(place)
    if not _fixed(step):
        text.leave(_target(text, place.address, place.variable))


def _come_back(text: TraceText, place: Operand, back: int) -> None:
    """B *R11: mostly to where the call came from."""
    text.emit(f"if {place.variable} & {EVEN} != {back}:")
    with text.aside():
        text.read(place)
        text.leave(_target(text, place.address, place.variable))
    text.fetch(back)


def branch_and_link(text: TraceText, step: Step) -> None:
    """Add the text of BL."""
    place = text.operand(step.words[0])
    text.read(place)
    text.set_register(11, str(step.after))
    if not _fixed(step):
        text.leave(_target(text, place.address, place.variable))


def switch_workspace(text: TraceText, step: Step) -> None:
    """Add the text of BLWP."""
    place = text.operand(step.words[0])
    if step.vector is not None:
        _switch(text, place.address, step)
        return
    wp = text.variable(f"{text.read(place)} & {EVEN}", "a")
    for number, value in ((13, str(text.wp)), (14, str(step.after)), (15, text.flags.packed())):
        address = text.variable(f"{wp} + {2 * number} & 65535", "a")
        text.write(Operand(variable=address), value)
    if place.variable:
        pc = text.read(Operand(variable=text.variable(f"{place.variable} + 2 & 65535", "a")))
    else:
        pc = text.read(Operand((place.address + 2) & 0xFFFF))
    text.switch(pc, wp, text.flags.packed())


def _switch(text: TraceText, vector: int, step: Step) -> None:
    """BLWP by a vector that is known."""
    assert step.vector is not None
    wp, pc = step.vector
    text.fetch(vector)
    for number, value in ((13, str(text.wp)), (14, str(step.after)), (15, text.flags.packed())):
        text.write(Operand((wp + 2 * number) & 0xFFFF), value)
    text.fetch((vector + 2) & 0xFFFF)
    if step.resumes is None:
        text.wp = wp
    else:
        text.call(pc | wp << 16, step.resumes)


def switch_back(text: TraceText, step: Step) -> None:
    """Add the text of RTWP."""
    wp, pc, status = (text.variable(text.register(number)) for number in (13, 14, 15))
    text.switch(pc, wp, status)


def _fixed(step: Step) -> bool:
    """Tell whether a branch goes to @address."""
    return step.row.name in ("B", "BL") and step.words[0] & 0x3F == 0x20


def _target(text: TraceText, address: int, variable: str) -> str:
    return f"{variable} & {EVEN}" if variable else str(address & EVEN)


def leaves(step: Step) -> bool:
    """Tell whether a step goes where only the machine knows."""
    name = step.row.name
    if name in ("B", "BL"):
        return step.back is None and not _fixed(step)
    return name == "RTWP" or (name == "BLWP" and step.vector is None)


def goes_on(step: Step) -> int:
    """Where a step goes on when it does not jump."""
    if step.row.name == "JMP":
        return displaced(step.after, step.words[0])
    if step.vector is not None:
        return step.vector[1] if step.resumes is None else step.resumes
    if step.back is not None:
        return step.back
    return step.words[1] & EVEN if _fixed(step) else step.after
