"""CALL: user subprograms and built-in ones."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles import language as cy
from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
from ti99tools.computer.interp.compile.emit.registry import costs, emits
from ti99tools.computer.interp.compile.shut import ONE_BY_ONE
from ti99tools.computer.interp.compile.timing import Timing
from ti99tools.computer.interp.compile.units import Passed, SubCall
from ti99tools.language.analysis.analysis import built_in_call
from ti99tools.language.listing.builtins import SUBPROGRAMS, Subprogram
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.nodes import Binary, Element, Expression, Variable, faulty

IN_TWO_PHASES = ("SOUND", "LINK")
"""Subprograms whose work is a block of its own, which can be left and resumed."""


@emits(st.Call, phases=2, cycles=0)
def call(e: BlockEmitter, node: st.Call, phase: int) -> None:
    """A SUB of the program hides a built-in subprogram of the same name.

    SOUND may have to wait, and the machine code of LINK may have to pause.
    """
    if phase:
        if node.name == "LINK":
            e.line("rt.run_code()")
            return
        e.line(f"rt.sounds.finish({_after_first(e.timing, node)})")
        return
    sub = e.outline.scan.subs.get(node.name)
    if sub is not None and e.is_command:
        e.line(f"refuse_sub({node.name!r})")
        e.stop()
    elif sub is not None:
        _user(e, node, sub)
    elif _record(e, node.name) is not None and node.name in e.outline.scan.called:
        tokens = e.listing.tokens[e.flow.line]
        again = built_in_call(tokens, node.at, e.listing.depth)
        assert isinstance(again, st.Call)
        _built_in(e, again)
        if again.name in IN_TWO_PHASES and again.fault is None and again.arguments:
            e.next_phase()
    else:
        e.fail(xb.SUBPROGRAM_NOT_FOUND)


def _record(e: BlockEmitter, name: str) -> Subprogram | None:
    """A subprogram of the cartridge, or one that the program's profile adds."""
    return SUBPROGRAMS.get(name) or e.outline.scan.later.get(name)


@costs(st.Call)
def _call(timing: Timing, node: st.Call) -> int:
    """Arguments are evaluated and converted, variables that get a value are looked up."""
    arguments = node.arguments or ()
    numbers = [a.number if isinstance(a, st.Hash) else a for a in arguments]
    cycles = timing.expressions(a for a in numbers if not isinstance(a, st.All | st.WholeArray))
    record = SUBPROGRAMS.get(node.name)
    if record is None or timing.is_own(node.name):
        return cy.CALL_OWN + sum(_own_argument(timing, argument) for argument in arguments)
    if node.name in ONE_BY_ONE:
        return cy.CALL_BUILT_IN
    cycles += cy.CALL_BUILT_IN + cy.ARGUMENT_OF_BUILT_IN * len(arguments)
    return cycles + (cy.BUILT_IN[node.name] if record.prepares else 0)


def _own_argument(timing: Timing, argument: st.Argument) -> int:
    """Cycles of an argument of a SUB: a value that begins with a name is first taken for a
    variable.
    """
    match argument:
        case st.WholeArray(name=name):
            return cy.ARRAY_OF_OWN + timing.looking_up(name)
        case st.Hash() | st.All():
            return 0
        case Variable() | Element():
            own = cy.STRING_OF_OWN if argument.is_string else cy.VARIABLE_OF_OWN
            return own + timing.expression(argument)
    first: Expression = argument
    while isinstance(first, Binary):
        first = first.left
    again = isinstance(first, Variable | Element)
    more = cy.VALUE_LOOKED_UP + timing.looking_up(first.name) if again else 0  # type: ignore[union-attr]
    return cy.VALUE_OF_OWN + timing.expression(argument) + more


def each_argument(timing: Timing, node: st.Call) -> tuple[int, ...]:
    """Cycles of each argument."""
    return tuple(
        cy.ARGUMENT_OF_BUILT_IN
        + (
            0
            if isinstance(a, st.All | st.WholeArray)
            else timing.expression(a.number if isinstance(a, st.Hash) else a)
        )
        for a in node.arguments or ()
    )


def _after_first(timing: Timing, node: st.Call) -> int:
    """Cycles of the arguments after the first."""
    later = (node.arguments or ())[1:]
    numbers = [a for a in later if not isinstance(a, st.Hash | st.All | st.WholeArray)]
    return cy.ARGUMENT_OF_BUILT_IN * len(later) + timing.expressions(numbers)


# -- built in -----------------------------------------------------------------------------


def _built_in(e: BlockEmitter, node: st.Call) -> None:
    """The call; its work takes time only when it has not failed."""
    arguments = "()"
    if node.arguments:
        arguments = e.unique("args")
        e.makers[arguments] = _maker(e, node)
        e.free.add(arguments)
    times = f", clock, {(*each_argument(e.timing, node), 0)}" if node.name in ONE_BY_ONE else ""
    record = _record(e, node.name)
    assert record is not None
    does = "call" if node.name in SUBPROGRAMS else "later"
    e.line(f"{does}_{node.name}(rt, Args({arguments}{times}))")
    if not record.prepares:
        e.spend(cy.BUILT_IN.get(node.name, cy.BUILT_IN_LATER))


def _maker(e: BlockEmitter, node: st.Call) -> list[str]:
    """The lines of the function that makes the list of arguments, once per activation."""
    lines: list[str] = []
    args: list[str] = []
    for argument in node.arguments or ():
        args.append(_argument(e, argument, lines))
    if node.broken is not None:
        args.append(f"Arg('number', lambda: fault({node.broken}))")
    lines.append("        return [")
    lines += [f"            {arg}," for arg in args]
    lines.append("        ]")
    return lines


def _argument(e: BlockEmitter, argument: st.Argument, lines: list[str]) -> str:
    match argument:
        case st.All():
            return "Arg('all', lambda: 0)"
        case st.Hash(number):
            return f"Arg('hash', lambda: {e.number(number)})"
        case st.WholeArray(name, dimensions):
            return _array(e, name, dimensions)
    kind = "string" if argument.is_string else "number"
    source = e.value(argument).source
    setter = _setter(e, argument, lines)
    tail = f", {setter}" if setter else ""
    return f"Arg({kind!r}, lambda: {source}{tail})"


def _array(e: BlockEmitter, name: str, dimensions: int) -> str:
    """A whole array, which only LINK accepts."""
    symbol = e.symbol(name, dimensions)
    if symbol is None or symbol.function is not None:
        return f"Arg('number', lambda: fault({xb.SYNTAX_ERROR}))"
    base = e.outline.scan.base
    return f"Arg('array', lambda: {e.use(symbol)}, None, {symbol.is_string}, {base})"


def _setter(e: BlockEmitter, argument: Expression, lines: list[str]) -> str:
    """The name of a function that stores into the argument, if it is a variable."""
    if faulty(argument):
        return ""
    name = f"set_{len(lines)}"
    value = "kept(value)" if argument.is_string else "value"
    if isinstance(argument, Variable) and argument.name not in e.local:
        symbol = e.symbol(argument.name, 0)
        if symbol is None or symbol.function is not None:
            return ""
        variable = e.use(symbol)
        lines.append(f"        def {name}(value):")
        if not symbol.element:
            lines.append(f"            nonlocal {variable}")
        lines.append(f"            {variable} = {value}")
        return name
    place = e.element(argument) if isinstance(argument, Element) else None
    if place is None:
        return ""
    lines += [f"        def {name}(value):", f"            {place[0]}[{place[1]}] = {value}"]
    return name


# -- user subprograms ---------------------------------------------------------------------


def _user(e: BlockEmitter, node: st.Call, sub: Scope) -> None:
    """CALL of a SUB of the program; anything after its list makes the list incorrect.

    A SUB that is already running is refused before the arguments are evaluated, a surplus argument
    after it has been evaluated. Source: the published listing of the ROM.
    """
    if node.arguments or node.fault is not None or sub.parameters:
        e.line(f"if {sub.name!r} in entered: raise XBError({xb.RECURSIVE_SUBPROGRAM_CALL})")
    passed, wrong = _arguments(e, node, sub.parameters)
    sources = [p.source for p in passed if p.source]
    if wrong is not None:
        for source in sources:
            e.line(source)
        if not e.flow.stopped:
            e.fail(wrong)
        return
    place = e.flow.back
    name = e.unique("call")
    e.sites[name] = SubCall(sub, tuple(passed))
    e.free.add(name)
    line = e.listing.numbers[e.flow.line]
    values = "".join(f", {source}" for source in sources)
    e.line(f"return enter_sub({name}, {line}, {e.block(place)}, {place}{values})")
    e.stop()


def _arguments(
    e: BlockEmitter, node: st.Call, parameters: tuple[st.Parameter, ...]
) -> tuple[list[Passed], int | None]:
    """How the arguments of a CALL are passed, and the code of the error that they lead to."""
    arguments = node.arguments or ()
    passed: list[Passed] = []
    wrong: int | None = None
    for i, argument in enumerate(arguments):
        if i >= len(parameters):
            wrong = xb.INCORRECT_ARGUMENT_LIST
            if parameters:
                passed.append(_passed(e, argument, parameters[0], True)[0])
            break
        one, wrong = _passed(e, argument, parameters[i], i == len(arguments) - 1)
        passed.append(one)
        if wrong is not None:
            break
    unclosed = node.broken is not None and len(passed) == len(arguments) <= len(parameters)
    if unclosed and wrong in (None, xb.INCORRECT_ARGUMENT_LIST):
        # The end of an argument is found before the argument is checked against its parameter.
        wrong = node.broken
    if wrong is None and (node.fault is not None or len(arguments) < len(parameters)):
        wrong = xb.INCORRECT_ARGUMENT_LIST
    return passed, wrong


def _passed(
    e: BlockEmitter, argument: st.Argument, parameter: st.Parameter, last: bool
) -> tuple[Passed, int | None]:
    """How one argument is passed, and the error code if it does not fit the parameter."""
    string = parameter.name.endswith("$")
    match argument:
        case st.Hash() | st.All():
            return Passed(None), xb.SYNTAX_ERROR
        case st.WholeArray(name, dimensions):
            symbol = e.symbol(name, dimensions)
            if symbol is None or symbol.function is not None:
                return Passed(None), xb.SYNTAX_ERROR
            fits = parameter.dimensions == dimensions and symbol.is_string == string
            return Passed(symbol), None if fits else xb.INCORRECT_ARGUMENT_LIST
        case Variable(name) if name not in e.local:
            symbol = e.symbol(name, 0)
            if symbol is not None and symbol.function is None:
                fits = not parameter.dimensions and symbol.is_string == string
                return Passed(symbol), None if fits else xb.INCORRECT_ARGUMENT_LIST
        case Element(name, subscripts):
            place = e.element(argument)
            if place is not None:
                fits = not parameter.dimensions and argument.is_string == string
                passed = Passed(e.symbol(name, len(subscripts)), place[1])
                return passed, None if fits else xb.INCORRECT_ARGUMENT_LIST
    value = Passed(None, _given(e, argument))
    if parameter.dimensions:
        if string and last and argument.is_string and not faulty(argument):
            # Accepted (recorded); what the SUB finds in its array is unknown, here it is empty.
            e.line(value.source)
            return Passed(None), None
        return value, _no_array(argument, string, last)
    if not faulty(argument) and argument.is_string != string:
        return value, xb.STRING_NUMBER_MISMATCH
    return value, None


def _no_array(argument: Expression, string: bool, last: bool) -> int:
    """The error of a value passed for an array. For a numeric array the machine looks for
    subscripts after the value.

    After the last argument there are none; the case of a value followed by others is not known.
    Source: the published listing of the ROM.
    """
    if string:
        fits = faulty(argument) or argument.is_string
        return xb.INCORRECT_ARGUMENT_LIST if fits else xb.STRING_NUMBER_MISMATCH
    return xb.SYNTAX_ERROR if last else xb.INCORRECT_ARGUMENT_LIST


def _given(e: BlockEmitter, argument: Expression) -> str:
    """Source of a value for a parameter.

    The machine first takes an expression that begins with an array element for that element, so its
    subscripts are evaluated twice. Source: the published listing of the ROM.
    """
    first: Expression = argument
    while isinstance(first, Binary):
        first = first.left
    if first is argument or not isinstance(first, Element) or e.element(first) is None:
        return e.given(argument)
    return f"({e.value(first)}, {e.given(argument)})[1]"
