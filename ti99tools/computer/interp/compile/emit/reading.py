"""INPUT, LINPUT and ACCEPT from the keyboard."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles import (
    ACCEPT,
    FILE_ITEM,
    FILE_STRING,
    FROM_FILE,
    LINE_FROM_FILE,
    TO_INPUT,
)
from ti99tools.computer.interp.compile.emit.emitter import Emitter
from ti99tools.computer.interp.compile.emit.file_statements import input_file, linput_file
from ti99tools.computer.interp.compile.emit.printing import clause_cycles, clauses
from ti99tools.computer.interp.compile.emit.registry import costs, emits
from ti99tools.computer.interp.compile.timing import Timing
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.nodes import Element, Expression, String, faulty


@emits(st.Input, phases=2, cycles=0)
def input_(e: Emitter, node: st.Input, phase: int) -> None:
    """INPUT [prompt:] targets; subscripts are evaluated one by one as the values are assigned."""
    if not phase:
        if _only_in_program(e):
            return
        if node.file is not None:
            input_file(e, node)
            return
        strings = tuple(target.is_string for target in node.targets)
        prompt = _prompt(e, node.prompt)
        if node.fault is None:
            name = node.targets[0].name
            once = node.prompt == String("")
            more = ", repeatable=False" if once else ""
            e.line(f"rt.screenio.begin_input({prompt}, {strings}, {name!r}{more})")
            e.next_phase()
        else:
            _show(e, node.prompt, prompt)
        return
    values = e.temp()
    e.line(f"{values} = rt.screenio.finish()")
    for index, target in enumerate(node.targets):
        e.line(e.slot(target).store(f"{values}[{index}]"))


@costs(st.Input)
def _input(timing: Timing, node: st.Input) -> int:
    strings = sum(target.is_string for target in node.targets)
    items = FILE_ITEM * len(node.targets) + FILE_STRING * strings
    read = FROM_FILE + items if node.file else TO_INPUT
    return read + timing.expressions(node.targets)


@emits(st.Linput, phases=2, cycles=0)
def linput(e: Emitter, node: st.Linput, phase: int) -> None:
    """LINPUT [prompt:] target; its subscripts are evaluated when the prompt is shown."""
    if not phase:
        if _only_in_program(e):
            return
        if node.file is not None:
            linput_file(e, node)
            return
        prompt = _prompt(e, node.prompt)
        if node.fault is not None or node.target is None:
            _show(e, node.prompt, prompt)
        elif not node.target.is_string:
            e.line(f"rt.screenio.show_prompt({prompt})")
            e.fail(xb.IMPROPERLY_USED_NAME)
        elif isinstance(node.target, Element):
            column = e.temp()
            e.line(f"{column} = rt.screenio.print_prompt({prompt})")
            store = element_store(e, node.target)
            if store:
                e.line(f"rt.screenio.go_on_with_linput({column}, {store})")
                e.next_phase()
        else:
            e.line(f"rt.screenio.begin_linput({prompt})")
            e.next_phase()
        return
    assert node.target is not None
    if isinstance(node.target, Element):
        e.line("rt.screenio.finish_element()")
        return
    values = e.temp()
    e.line(f"{values} = rt.screenio.finish()")
    e.line(e.slot(node.target).store(f"{values}[0]"))


@costs(st.Linput)
def _linput(timing: Timing, node: st.Linput) -> int:
    return (LINE_FROM_FILE if node.file else TO_INPUT) + timing.expressions((node.target,))


def _prompt(e: Emitter, node: Expression | None) -> str:
    return "None" if node is None else e.value(node).source


def element_store(e: Emitter, target: Element) -> str:
    """Evaluate an element's subscripts now; the name of a function that stores into it.

    Empty where the statement always fails here.
    """
    slot = e.slot(target)
    if not slot.good:
        e.line(slot.load)
        e.stop()
        return ""
    store = e.temp()
    e.line(f"def {store}(value):")
    with e.indented():
        e.line(slot.store("value"))
    return store


def _show(e: Emitter, node: Expression | None, prompt: str) -> None:
    """Show the prompt, or `?`, before errors in the list are noticed."""
    good = node is None or not faulty(node)
    e.line(f"rt.screenio.print_prompt({prompt})" if good else prompt)


def _only_in_program(e: Emitter) -> bool:
    """Refuse the statement in a line typed without a number."""
    if not e.is_command:
        return False
    e.fail(xb.ONLY_LEGAL_IN_A_PROGRAM)
    return True


@emits(st.Accept, phases=2, cycles=ACCEPT)
def accept(e: Emitter, node: st.Accept, phase: int) -> None:
    """ACCEPT [clauses:] target; the target's subscripts are evaluated before it waits."""
    target = node.target
    if phase:
        if isinstance(target, Element):
            e.line("rt.screenio.finish_element()")
        elif target is not None:
            values = e.temp()
            e.line(f"{values} = rt.screenio.finish()")
            e.line(e.slot(target).store(f"{values}[0]"))
        return
    area = clauses(e, node.clauses)
    if target is None:
        return
    store = ""
    if isinstance(target, Element):
        store = element_store(e, target)
        if not store:
            return
        store = f", {store}"
    e.line(f"rt.screenio.begin_accept({area}, {target.is_string}{store})")
    e.next_phase()


@costs(st.Accept)
def _accept(timing: Timing, node: st.Accept) -> int:
    return clause_cycles(timing, node.clauses) + timing.expressions((node.target,))
