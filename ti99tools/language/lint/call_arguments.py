"""CALLs that fail: of missing subprograms, or with arguments that the subprogram does not take.

Source of the errors: the recorded lang-subs, screen-key, screen-chars and asked cases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place
from ti99tools.language.lint.findings import Finding, Severity, found
from ti99tools.language.lint.laterbasics import called, enters_name, found_in, routine_of_xb256
from ti99tools.language.listing.argument_ranges import mixed, outside, unstored
from ti99tools.language.listing.builtins import SUBPROGRAMS, Subprogram, kinds, wanted_instead
from ti99tools.language.listing.failures import scoped
from ti99tools.language.listing.hints import did_you_mean, failing
from ti99tools.language.listing.laterprofiles import PROFILES
from ti99tools.language.listing.listing import Element
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

Parsed = Mapping[int, tuple[st.Statement, ...]]
Where = Callable[[int, int], Place]
Wrong = tuple[str, str, str]
"""Code, message and remedy of an error."""


def calls(
    lines: Mapping[int, bytes],
    parsed: Parsed,
    subs: Mapping[str, st.Sub],
    where: Where,
    later: Mapping[str, Subprogram],
) -> Iterator[Finding]:
    """Errors of CALLs; `subs` are the program's own subprograms, `later` those that its profile
    adds to the cartridge's. Warnings about machine code.
    """
    functions = _functions(parsed)
    for sub, number, statement in scoped(parsed):
        if isinstance(statement, st.Call):
            for code, message, remedy in _wrong(statement, subs, sub, functions, later):
                place = where(number, statement.at)
                yield found(Severity.ERROR, code, place, message, remedy, number)
    for number, tokens in lines.items():
        for name, offset, first in called(tokens):
            told = None if name in subs else _machine_code(name, first, lines.values())
            if told is not None:
                place = where(number, offset)
                yield found(Severity.WARNING, "machine-code", place, *told, number)


def _functions(parsed: Parsed) -> set[str]:
    """The names that DEF defines."""
    return {s.name for row in parsed.values() for s in every_statement(row) if type(s) is st.Def}


def _wrong(
    call: st.Call,
    subs: Mapping[str, st.Sub],
    inside: st.Sub | None,
    functions: Collection[str],
    later: Mapping[str, Subprogram],
) -> Iterator[Wrong]:
    """What is wrong with a CALL in the SUB `inside`, or in the main program."""
    whole = call.broken is None and call.fault is None
    if call.name in subs:
        if inside is not None and inside.name == call.name:
            yield (
                "recursion",
                failing(xb.RECURSIVE_SUBPROGRAM_CALL, f"SUB {call.name} calls itself"),
                "use a loop, or GOSUB within it",
            )
        if whole:
            yield from _own(call, subs[call.name].parameters, functions)
    elif call.name in later:
        record = later[call.name]
        if whole and not record.takes(kinds(call.arguments or ())):
            message = f"{call.name} does not take these arguments"
            yield "arguments", message, f"write {record.text}"
    elif call.name not in SUBPROGRAMS:
        yield (
            "no-subprogram",
            f"there is no subprogram {call.name}",
            _instead_of(call.name, subs),
        )
    elif whole:
        yield from _built_in(call.name, call.arguments or (), functions)


def _built_in(
    name: str, arguments: tuple[st.Argument, ...], functions: Collection[str]
) -> Iterator[Wrong]:
    """Arguments that the built-in subprogram `name` does not take."""
    for other in mixed(name, arguments):
        fact = f"{name} takes a {other.kind} as {other.counts}"
        yield "arguments", failing(xb.STRING_NUMBER_MISMATCH, fact), other.remedy
    for lost in unstored(name, arguments, functions):
        message = f"{name} gives its {lost.counts} to a variable: this fails"
        yield "arguments", message, f"write a variable for a {lost.kind}"
    for wrong in outside(name, arguments):
        message = f"{name} takes no {wrong.counts} {wrong.value}"
        yield "range", message, f"the console takes {wrong.allowed}"
    instead = wanted_instead(name, kinds(arguments))
    if instead:
        if name == "LOCATE" and not any(isinstance(each, st.Hash) for each in arguments):
            instead = f"{instead}, or for a text DISPLAY AT(row,column):text"
        yield "arguments", f"{name} does not take these arguments", instead


def _own(
    call: st.Call, parameters: tuple[st.Parameter, ...], functions: Collection[str]
) -> Iterator[Wrong]:
    """What does not fit a SUB's parameters: the number of arguments, or the first wrong one."""
    arguments = call.arguments or ()
    takes, given = len(parameters), len(arguments)
    if given != takes:
        message = f"SUB {call.name} takes {takes} argument{'s' * (takes != 1)}, not {given}"
        yield "arguments", message, "give as many as the SUB has"
        return
    for argument, parameter in zip(arguments, parameters, strict=True):
        code = _misfit(argument, parameter, functions)
        if code is not None:
            takes_this, remedy = _asked_for(parameter)
            fact = f"SUB {call.name} takes {takes_this} as {parameter.name}"
            yield "arguments", failing(code, fact), remedy
            return


def _misfit(
    argument: st.Argument, parameter: st.Parameter, functions: Collection[str]
) -> int | None:
    """The error of an argument that does not fit its parameter; None if it does, or may.

    Variables and elements are passed by reference, everything else by value.
    """
    string = parameter.name.endswith("$")
    match argument:
        case nodes.Fault():
            return None
        case st.Hash() | st.All():
            return xb.SYNTAX_ERROR
        case st.WholeArray(name, dimensions):
            fits = (dimensions, name.endswith("$")) == (parameter.dimensions, string)
            return None if fits else xb.INCORRECT_ARGUMENT_LIST
    if parameter.dimensions:
        return xb.INCORRECT_ARGUMENT_LIST
    if argument.is_string == string or nodes.faulty(argument):
        return None
    named = argument.name if isinstance(argument, nodes.Variable | nodes.Element) else None
    by_value = named is None or named in functions
    return xb.STRING_NUMBER_MISMATCH if by_value else xb.INCORRECT_ARGUMENT_LIST


def _asked_for(parameter: st.Parameter) -> tuple[str, str]:
    """What a parameter takes, and how to pass it."""
    string = parameter.name.endswith("$")
    if not parameter.dimensions:
        kind = "text" if string else "number"
        return f"a {kind}", f"give a {kind}"
    written = f"A{'$' * string}({',' * (parameter.dimensions - 1)})"
    return f"an array of {'texts' if string else 'numbers'}", f"give a whole array: {written}"


def _machine_code(
    name: str, first: Element | None, lines: Iterable[bytes]
) -> tuple[str, str] | None:
    """LINK to a routine of another BASIC; LOAD and LINK in a program without INIT."""
    routine = routine_of_xb256(name, first)
    if routine and not enters_name(routine, lines):
        return f"CALL LINK: {routine} is a routine of XB256", "load your own routine"
    if name in ("LOAD", "LINK") and not _calls_init(lines):
        return f"CALL {name} without CALL INIT", "call INIT before it, once"
    return None


def _calls_init(lines: Iterable[bytes]) -> bool:
    """Tell whether the program calls INIT anywhere."""
    return any(name == "INIT" for tokens in lines for name, *_ in called(tokens))


def _instead_of(name: str, subs: Iterable[str]) -> str:
    """What to do about a CALL of a subprogram that is neither built in nor among `subs`."""
    where = found_in(name)
    if where:
        profile = next((each for each in PROFILES.values() if name in each.subprograms), None)
        offered = "" if profile is None else f", or choose the profile {profile.name}"
        return f"it is one of {where}: write a SUB {name}, or do without it{offered}"
    from difflib import get_close_matches

    from ti99tools.language.listing.habits import called_here

    near = get_close_matches(name, [*subs, *SUBPROGRAMS], 1)
    if near:
        return did_you_mean(near[0], name)
    return called_here(name) or "correct the name or write the SUB"
