"""PRINT and DISPLAY, to the screen or a file; INPUT, LINPUT and ACCEPT from the keyboard.

The clauses of DISPLAY and ACCEPT (AT, SIZE, BEEP, ERASE ALL, VALIDATE) are evaluated in the order
written. The list is given to a printer item by item, or as values of a USING.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LARGEST_SIZE, PRINT_WIDTH
from ti99tools.base.cycles import language as cy
from ti99tools.base.record import Record
from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
from ti99tools.computer.interp.compile.emit.file_statements import (
    input_file,
    linput_file,
    reference,
)
from ti99tools.computer.interp.compile.emit.registry import costs, emits
from ti99tools.computer.interp.compile.shut import pieces
from ti99tools.computer.interp.compile.timing import Timing, text_length
from ti99tools.hardware.machine.screen import ROWS
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.nodes import Element, Expression, Number, String, Variable, faulty

_SIMPLE = {tk.BEEP: "beep", tk.ERASE: "erase"}
_WORDS = {tk.NUMERIC: "numeric", tk.DIGIT: "digit", tk.UALPHA: "ualpha"}
_CYCLES = {
    tk.AT: cy.AT,
    tk.SIZE: cy.SIZE,
    tk.BEEP: cy.BEEP,
    tk.ERASE: cy.ERASE,
    tk.VALIDATE: cy.VALIDATE,
}
"""Cycles of a clause without its arguments."""
_NUMBERS = {tk.AT: ("at_row", "at_column"), tk.SIZE: ("sized",)}


def clauses(e: BlockEmitter, nodes: tuple[st.Clause, ...]) -> str:
    """Evaluate and apply clauses one after the other; the name of the `Area` that holds them."""
    area = e.temp()
    e.line(f"{area} = rt.screenio.area()")
    for node in nodes:
        if node.token in _SIMPLE:
            e.line(f"{area}.{_SIMPLE[node.token]}()")
        elif node.token == tk.VALIDATE:
            _validate(e, area, node)
        else:
            _numbers(e, area, node)
    return area


def known_place(e: BlockEmitter, nodes: tuple[st.Clause, ...]) -> str | None:
    """Row and column from 0, and the SIZE if there is one, of clauses that are just AT and SIZE.

    None if there are other clauses, or values that may not lie on the screen: then it matters when
    each is evaluated.
    """
    if [node.token for node in nodes] not in ([tk.AT], [tk.AT, tk.SIZE]):
        return None
    arguments = [argument for node in nodes for argument in node.arguments]
    limits = ((1, ROWS), (1, PRINT_WIDTH), (1, LARGEST_SIZE))[: len(nodes) + 1]
    if len(arguments) != len(limits):
        return None
    values: list[str] = []
    for argument, (low, high) in zip(arguments, limits, strict=True):
        if not isinstance(argument, Number | Variable):
            return None
        value = e.value(argument)
        if not value.within(low, high):
            return None
        values.append(value.source)
    row, column, *size = values
    return ", ".join((_from_0(row), _from_0(column), *size))


def _from_0(source: str) -> str:
    return str(int(source) - 1) if source.isdecimal() else f"{source} - 1"


def _validate(e: BlockEmitter, area: str, node: st.Clause) -> None:
    for argument in node.arguments:
        if isinstance(argument, int):
            e.line(f"{area}.{_WORDS[argument]}()")
        else:
            e.line(f"{area}.validate({e.value(argument)})")


def _numbers(e: BlockEmitter, area: str, node: st.Clause) -> None:
    """Surplus arguments of a clause are faults: evaluating them raises the error."""
    methods = _NUMBERS[node.token]
    for index, argument in enumerate(node.arguments):
        assert not isinstance(argument, int)
        source = e.number(argument)
        e.line(f"{area}.{methods[index]}({source})" if index < len(methods) else source)


def clause_cycles(timing: Timing, nodes: tuple[st.Clause, ...]) -> int:
    """What the clauses cost."""
    arguments = [a for node in nodes for a in node.arguments if not isinstance(a, int)]
    return sum(_CYCLES[node.token] for node in nodes) + timing.expressions(arguments)


class Printing(Record):
    """Costs of the items of a list, by destination, in CPU cycles (3 MHz).

    `record` is a record that the list ends, `using` a USING, `form` each character of its image,
    `image` the search for an IMAGE's line, `blank` each space that a comma writes, `new_string` the
    string of an item that no variable holds, `number_constant` more for a number that is one,
    `figure` each character of a number after the first figure,
    `between` more for a separator with an item after it, `as_text` a number that is written as
    text. `at_once`: an item is made and shown in one go, without interrupts (fitted to the tones
    that a later one cuts short).
    """

    number: int
    text: int
    character: int
    record: int
    comma: int
    tab: int
    using: int
    form: int
    image: int
    new_string: int = 0
    using_number: int = 0
    using_text: int = 0
    number_constant: int = 0
    figure: int = 0
    semicolon: int = 0
    between: int = 0
    at_once: bool = False
    colon: int = 0
    blank: int = 0
    as_text: int = 0


ON_SCREEN = Printing(**cy.SHOWN, at_once=True)
"""Scrolling takes its time by itself."""
IN_FILE = Printing(**cy.FILED, at_once=False)
"""The device takes its time by itself."""

_SEPARATORS = {tk.SEMICOLON: "semicolon", tk.COMMA: "comma", tk.COLON: "colon"}


def print_list(
    e: BlockEmitter, printer: str, node: st.Print | st.Display, printing: Printing
) -> str:
    """Give a statement's list to a printer; `printer` is Python source that makes it.

    Returns the printer's name. The list of a statement with a fault is not ended: what it has
    printed stays as it is. What USING made of the values before the fault is shown. Each item takes
    its time after it has been evaluated.
    """
    name = e.temp()
    e.line(f"{name} = {printer}")
    if node.using is None:
        _items(e, name, node.items, printing)
        if node.fault is None:
            e.line(f"{name}.end()")
    else:
        _values(e, name, node.using, node, printing)
    return name


def _items(
    e: BlockEmitter, printer: str, items: tuple[st.PrintItem, ...], printing: Printing
) -> None:
    last = len(items) - 1
    for at, item in enumerate(items):
        if isinstance(item, st.Separator):
            if item.token == tk.COMMA and printing.blank:
                e.line(f"clock.cycles += {printing.blank} * {printer}.comma()")
            else:
                e.line(f"{printer}.{_SEPARATORS[item.token]}()")
            e.spend(separator_cycles(printing, item, at == last))
        elif isinstance(item, st.Tab):
            column = _evaluated(e, item.column)
            e.line(f"{printer}.tab({column})")
            e.spend(printing.tab)
        elif printing.at_once:
            _show_item(e, printer, item, printing)
        else:
            cycles = printing.text if item.is_string else printing.number
            value = _item(e, printer, item, cycles, printing)
            if item.is_string:
                continue
            e.line(f"clock.cycles += {printing.as_text} * {printer}.as_text")
            if e.outline.placed:
                e.line(f"shown({value})")


def _show_item(e: BlockEmitter, printer: str, item: Expression, printing: Printing) -> None:
    """Evaluate an item, and make and show it in one go."""
    _take_time(e, item)
    source = e.value(item)
    if not item.is_string:
        cycles = printing.number + isinstance(item, Number) * printing.number_constant
        e.line(f"show_number({printer}, {source}, {cycles})")
    elif isinstance(item, Variable | Element):
        e.line(f"show_string({printer}, {source}, {printing.text})")
    else:
        e.line(f"show_text({printer}, {source}, {printing.text + printing.new_string})")


def _item(e: BlockEmitter, printer: str, item: Expression, cycles: int, printing: Printing) -> str:
    """Evaluate an item, take its time, and give it to the printer; the name of its value."""
    value = _evaluated(e, item)
    if item.is_string and not isinstance(item, Variable | Element):
        cycles += printing.new_string
    if isinstance(item, Number):
        cycles += printing.number_constant
    time = f"{cycles} + {printing.character} * len({value})" if item.is_string else str(cycles)
    e.line(f"clock.cycles += {time}")
    e.line(f"{printer}.{'string' if item.is_string else 'number'}({value})")
    return value


def _evaluated(e: BlockEmitter, item: Expression) -> str:
    """Take the time of an expression and evaluate it; the name of its value."""
    _take_time(e, item)
    name = e.temp()
    e.line(f"{name} = {e.value(item)}")
    return name


def _take_time(e: BlockEmitter, item: Expression) -> None:
    """Take the time of an expression that is to be evaluated."""
    e.spend(e.timing.expression(item))
    e.shut(pieces(e.timing, [item]))
    e.charged(item)


def _values(
    e: BlockEmitter,
    printer: str,
    using: st.Using,
    node: st.Print | st.Display,
    printing: Printing,
) -> None:
    image = _image(e, using)
    if image is None:
        e.fail(xb.IMAGE_ERROR)
        return
    name = e.temp()
    e.line(f"{name} = rt.screenio.using({printer}, {image})")
    looked_for = printing.image if using.image is None else 0
    looked_at = printing.form * _image_length(e, using)
    e.spend(printing.using + looked_for + looked_at + e.timing.expressions((using.image,)))
    pending = False
    if node.items:
        e.line(f"{name}.begin()")
    for item in node.items:
        if not isinstance(item, st.Separator | st.Tab):
            cycles = (
                printing.text + printing.using_text if item.is_string else printing.using_number
            )
            _item(e, name, item, cycles, printing)
        elif isinstance(item, st.Separator) and item.token == tk.COMMA:
            e.line(f"{name}.comma()")
        else:
            pending = True
    if node.items or node.fault is None:
        e.line(f"{name}.show()")
    if node.fault is None:
        e.line(f"{name}.end({pending})")


def _image(e: BlockEmitter, using: st.Using) -> str | None:
    """Source of the image; None where the line named is not an IMAGE."""
    if using.image is not None:
        source = e.value(using.image).source
        return f"ended({source})" if e.outline.placed else source
    assert using.line is not None
    index = e.listing.index.get(using.line)
    if index is None:
        return None
    first = e.listing.statements(index)[0]
    if not isinstance(first, st.Image):
        return None
    # The text of an IMAGE is a string like that of a constant (recorded: asked4-7-pu).
    return f"ended(made({first.text!r}))" if e.outline.placed else repr(first.text)


def _image_length(e: BlockEmitter, using: st.Using) -> int:
    """Characters of the image as far as the program text shows, else the usual number."""
    if using.image is not None:
        return text_length(using.image)
    first = e.listing.statements(e.listing.index[using.line or 0])[0]
    return len(first.text) if isinstance(first, st.Image) else 0


def separator_cycles(printing: Printing, item: st.Separator, last: bool) -> int:
    """Cycles of a separator, which may be the last of its list."""
    costs = {
        tk.COLON: printing.colon,
        tk.COMMA: printing.comma,
        tk.SEMICOLON: printing.semicolon,
    }
    between = 0 if last or item.token == tk.COLON else printing.between
    return costs[item.token] + between


@emits(st.Print, cycles=0)
def print_(e: BlockEmitter, node: st.Print) -> None:
    """PRINT [USING u:] list, PRINT #n[,REC r][,USING u]: list."""
    if node.file is None:
        name = print_list(e, "rt.screenio.printer()", node, ON_SCREEN)
        if node.fault is None:
            e.line(f"print_ended({name})")
    elif node.listed:
        printer = f"rt.files.printer({reference(e, node.file)})"
        name = print_list(e, printer, node, IN_FILE)
        e.line(f"clock.cycles += {IN_FILE.record} + {cy.PADDED} * {name}.padded")
    else:
        e.line(f"rt.files.printer({reference(e, node.file)})")


@costs(st.Print)
def _print(timing: Timing, node: st.Print) -> int:
    return (
        cy.PRINT_BEGUN
        if node.file is None
        else cy.PRINT_TO_FILE + timing.expression(node.file.number)
    )


@emits(st.Display, cycles=cy.DISPLAY)
def display(e: BlockEmitter, node: st.Display) -> None:
    """DISPLAY [clauses:] [USING u:] list."""
    place = known_place(e, node.clauses) if node.listed else None
    if place is not None:
        print_list(e, f"rt.screenio.display_at({place})", node, ON_SCREEN)
        return
    area = clauses(e, node.clauses)
    if not node.listed:
        return
    print_list(e, f"{area}.printer()", node, ON_SCREEN)
    if node.fault is None and any(clause.token == tk.BEEP for clause in node.clauses):
        e.line(f"{area}.sound()")


@costs(st.Display)
def _display(timing: Timing, node: st.Display) -> int:
    return clause_cycles(timing, node.clauses)


@emits(st.Input, phases=2, cycles=0)
def input_(e: BlockEmitter, node: st.Input, phase: int) -> None:
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
    items = cy.FILE_ITEM * len(node.targets) + cy.FILE_STRING * strings
    read = cy.FROM_FILE + items if node.file else cy.TO_INPUT
    return read + timing.expressions(node.targets)


@emits(st.Linput, phases=2, cycles=0)
def linput(e: BlockEmitter, node: st.Linput, phase: int) -> None:
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
    return (cy.LINE_FROM_FILE if node.file else cy.TO_INPUT) + timing.expressions((node.target,))


def _prompt(e: BlockEmitter, node: Expression | None) -> str:
    return "None" if node is None else e.value(node).source


def element_store(e: BlockEmitter, target: Element) -> str:
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


def _show(e: BlockEmitter, node: Expression | None, prompt: str) -> None:
    """Show the prompt, or `?`, before errors in the list are noticed."""
    good = node is None or not faulty(node)
    e.line(f"rt.screenio.print_prompt({prompt})" if good else prompt)


def _only_in_program(e: BlockEmitter) -> bool:
    """Refuse the statement in a line typed without a number."""
    if not e.is_command:
        return False
    e.fail(xb.ONLY_LEGAL_IN_A_PROGRAM)
    return True


@emits(st.Accept, phases=2, cycles=cy.ACCEPT)
def accept(e: BlockEmitter, node: st.Accept, phase: int) -> None:
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
