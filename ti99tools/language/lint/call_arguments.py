"""CALLs that fail: unknown subprograms, those of other BASICs, and wrong arguments.

A program written for another BASIC stops at such a CALL, and its user wants to know which BASIC it
needs. Sources: the RXB manual, the descriptions of Extended BASIC II Plus, of XB256 and of Extended
BASIC 2.9, the manuals of Myarc, of the Mini Memory and of the disk controller.

Source of the errors: the recorded lang-subs, screen-key, screen-chars and asked cases.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LAST_CHARACTER, LAST_SET
from ti99tools.base.errors import near
from ti99tools.language.analysis.names import scoped
from ti99tools.language.findings import Edit, EditKind, Hint, Noted, Severity, did_you_mean, failing
from ti99tools.language.lint.value_limits import OutOfRange, mixed, outside, unstored
from ti99tools.language.listing.builtins import SUBPROGRAMS, Subprogram, kinds
from ti99tools.language.listing.laterprofiles import PROFILES
from ti99tools.language.listing.listing import NAME, Element, scan
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

NOT_DEFINED = "no machine code with that name has been loaded"
NO_INIT = "machine code needs CALL INIT first, and the 32K expansion"
ONLY_THERE = "characters 144 to 159 and sets 15 and 16 are those of TI BASIC"
_OF_TI_BASIC = {
    "CHAR": range(LAST_CHARACTER + 1, 160),
    "COLOR": range(LAST_SET + 1, 17),
}
"""What TI BASIC takes besides, for want of sprites."""
_ELSEWHERE = {
    "RXB": """
        ALPHALOCK AMSBANK AMSINIT AMSMAP AMSOFF AMSON AMSPASS AMSSIZE BEEP BIAS BLOAD BSAVE BYE CAT
        CATALOG CHARSETALL CLEARPRINT CLSALL COLLIDE DIR DUPCHAR DUPCOLOR EA EALR EXECUTE GMOTION
        HEX HGET HONK HPUT INVERSE IO ISROFF ISRON JOYLOCATE JOYMOTION MOVE MOVES NEW ONKEY PEEKG
        PEEKV PLOAD POKEG POKER POKEV PRAM PSAVE QUITOFF QUITON RMOTION ROLLDOWN ROLLLEFT ROLLRIGHT
        ROLLUP SAMS SCROLLDOWN SCROLLLEFT SCROLLRIGHT SCROLLUP SECTOR SIZE SWAPCHAR SWAPCOLOR USER
        VDPSTACK VGET VPUT XB XBPGM""",
    "Extended BASIC II Plus": """
        ALLSET BHCOPY BYE FIND GPEEK HALT MLOAD MOVE MSAVE NEW QUITOFF QUITON RESTORE SCREENOF
        SCREENON SPROF SPRON VPEEK VPOKE WAIT""",
    "Myarc Extended BASIC II": """
        CIRCLE DCOLOR DRAW DRAWTO FILL GRAPHICS MARGINS POINT RECTANGLE TCOLOR""",
    "Extended BASIC 2.9 G.E.M.": "LDCR MOVE PEEKV POKEV STCR",
    "the Mini Memory cartridge": "PEEKV POKEV",
    "the disk controller (typed)": "FILES",
}
"""BASIC or device → its subprograms that Extended BASIC v110 lacks."""
_XB256 = frozenset(
    """
    CHAR2 CHPAT2 CHSET2 COLOR2 CWRITE DISPLY FREEZE HILITE SCRLDN SCRLLF SCRLRT SCRLUP SCRN1
    SCRN2 THAW VREAD VWRITE
    """.split()
)
"""Routines that XB256 adds, reached with CALL LINK."""


def found_in(name: str) -> str:
    """The BASICs with a subprogram that Extended BASIC lacks; empty if unknown."""
    return ", ".join(where for where, names in _ELSEWHERE.items() if name in names.split())


def called(tokens: bytes) -> Iterator[tuple[str, int, Element | None]]:
    """For each CALL in a line: the name, its offset, and the first element of the arguments."""
    elements = list(scan(tokens))
    for at, (word, name) in enumerate(pairwise(elements)):
        if word.token == t.CALL and name.token in (NAME, t.UNQUOTED):
            first = elements[at + 3 : at + 4]
            yield name.text, word.start, first[0] if first else None


def routine_of_xb256(name: str, first: Element | None) -> str:
    """The name of XB256's routine that CALL LINK runs, else empty; `first` is its argument."""
    if name != "LINK" or first is None or first.token != t.QUOTED:
        return ""
    return first.text if first.text in _XB256 else ""


def enters_name(name: str, lines: Iterable[bytes]) -> bool:
    """Tell whether a program contains a routine of machine code by that name.

    Its letters are numbers in a CALL LOAD or in DATA, or object code is loaded.
    """
    letters = [str(ord(letter)) for letter in name]
    for tokens in lines:
        numbers = [e.text.strip() for e in scan(tokens) if e.token == t.UNQUOTED]
        if any(numbers[at : at + len(letters)] == letters for at in range(len(numbers))):
            return True
        loads = (first for word, _, first in called(tokens) if word == "LOAD" and first)
        if any(is_text(first) for first in loads):
            return True
    return False


def is_text(element: Element) -> bool:
    """Tell whether an argument that begins with `element` is a string."""
    return element.token == t.QUOTED or (element.token == NAME and element.text.endswith("$"))


def _no_code(code: int, name: str, first: Element | None, lines: Iterable[bytes]) -> str:
    """Why a LINK or LOAD failed; empty where the error says it."""
    if name == "LINK" and code == xb.SUBPROGRAM_NOT_FOUND:
        routine = routine_of_xb256(name, first)
        return NOT_DEFINED + (f": {routine} is of XB256" if routine else "")
    if name not in ("LINK", "LOAD") or code != xb.SYNTAX_ERROR:
        return ""
    begun = any(other == "INIT" for tokens in lines for other, _, _ in called(tokens))
    return NO_INIT if (first and is_text(first)) or not begun else ""


def _of_ti_basic(code: int, name: str, first: Element | None, lines: Iterable[bytes]) -> str:
    """Why a CHAR or COLOR of a program without `::` may have failed; empty for any other."""
    most = {"CHAR": LAST_CHARACTER, "COLOR": LAST_SET}.get(name)
    if code != xb.BAD_VALUE or most is None or first is None:
        return ""
    constant = first.text if first.token == t.UNQUOTED else ""
    fits = constant.isdecimal() and int(constant) <= most
    apart = any(e.token == t.STATEMENT_SEP for tokens in lines for e in scan(tokens))
    return "" if fits or apart else ONLY_THERE


def why_failed(code: int, lines: Mapping[int, bytes], number: int, offset: int) -> str:
    """Why a statement fails with the error `code` here and not elsewhere; empty if unknown.

    `lines` are numbers and tokens, `offset` that of the failed statement in its line.
    """
    elements = [e for e in scan(lines.get(number, b"")) if e.start >= offset]
    ends = (e.start for e in elements if e.token == t.STATEMENT_SEP)
    statement = lines.get(number, b"")[offset : next(ends, None) if offset else None]
    for name, _, first in called(statement):
        if name in SUBPROGRAMS:
            no_code = _no_code(code, name, first, lines.values())
            known = no_code or _of_ti_basic(code, name, first, lines.values())
            if known:
                return known
        elif code == xb.SUBPROGRAM_NOT_FOUND and name not in (subs := set(_subs(lines.values()))):
            where = found_in(name)
            has = [each.name for each in PROFILES.values() if name in each.subprograms]
            rest = f", and of the profile {' or '.join(has)}" if has else ", and no profile has it"
            if where:
                return f"{name} is a subprogram of {where}{rest}"
            return f"there is no {name}; {_instead_of(name, subs)}"
    return ""


def _subs(lines: Iterable[bytes]) -> Iterator[str]:
    """Names of the program's own subprograms."""
    for tokens in lines:
        for word, name in pairwise(scan(tokens)):
            if word.token == t.SUB:
                yield name.text


Wrong = tuple[str, str, str]
"""Code, message and remedy of an error."""


def calls(
    lines: Mapping[int, bytes],
    parsed: st.Parsed,
    subs: Mapping[str, st.Sub],
    later: Mapping[str, Subprogram],
    structured: bool,
) -> Iterator[Noted]:
    """Errors of CALLs; `subs` are the program's own subprograms, `later` those that its profile
    adds to the cartridge's. A `structured` source can include the library's. Warnings about
    machine code.
    """
    functions = _functions(parsed)
    for sub, number, statement in scoped(parsed):
        if isinstance(statement, st.Call):
            for code, message, remedy in _wrong(statement, subs, sub, functions, later):
                if structured and code == "no-subprogram":
                    remedy = _in_library(statement.name) or remedy
                yield Noted(code, number, statement.at, message, remedy, Severity.ERROR)
    for number, tokens in lines.items():
        for name, offset, first in called(tokens):
            advice = None if name in subs else _machine_code(name, first, lines.values())
            if advice is not None:
                yield Noted("machine-code", number, offset, *advice)


def _functions(parsed: st.Parsed) -> set[str]:
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
        if whole:
            yield from _built_in(later[call.name], call.arguments or (), functions)
    elif call.name not in SUBPROGRAMS:
        yield (
            "no-subprogram",
            f"there is no subprogram {call.name}",
            _instead_of(call.name, {*subs, *later}),
        )
    elif whole:
        yield from _built_in(SUBPROGRAMS[call.name], call.arguments or (), functions)


def _only_there(name: str, wrong: OutOfRange) -> bool:
    """Tell whether a value that CHAR or COLOR does not take is one that TI BASIC has."""
    there = _OF_TI_BASIC.get(name)
    return there is not None and wrong.value.isdecimal() and int(wrong.value) in there


def _built_in(
    called: Subprogram, arguments: tuple[st.Argument, ...], functions: Collection[str]
) -> Iterator[Wrong]:
    """Arguments that a built-in subprogram does not take."""
    name = called.name
    for other in mixed(called, arguments):
        fact = f"{name} takes a {other.kind} as {other.counts}"
        yield "arguments", failing(xb.STRING_NUMBER_MISMATCH, fact), other.remedy
    for lost in unstored(called, arguments, functions):
        message = f"{name} gives its {lost.counts} to a variable: this fails"
        yield "arguments", message, f"write a variable for a {lost.kind}"
    for wrong in outside(called, arguments):
        message = f"{name} takes no {wrong.counts} {wrong.value}"
        allowed = f"the console takes {wrong.allowed}"
        yield "range", message, f"{allowed}; {ONLY_THERE}" if _only_there(name, wrong) else allowed
    if not called.takes(kinds(arguments)):
        instead: str = f"write {called.text}"
        if name == "LOCATE" and not any(isinstance(each, st.Hash) for each in arguments):
            instead = f"{instead}, or for a text DISPLAY AT(row,column):text"
        if name == "KEY" and len(arguments) == 2:
            instead = Hint(instead, Edit("KEY", "STATUS", EditKind.STATUS))
        yield "arguments", f"{name} does not take these arguments", instead


def _own(
    call: st.Call, parameters: tuple[st.Parameter, ...], functions: Collection[str]
) -> Iterator[Wrong]:
    """What does not fit a SUB's parameters: the number of arguments, or the first wrong one."""
    arguments = call.arguments or ()
    if any(isinstance(each, nodes.Fault) for each in arguments):
        return
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
    if name in ("LOAD", "LINK") and not any(
        each == "INIT" for tokens in lines for each, *_ in called(tokens)
    ):
        return f"CALL {name} without CALL INIT", "call INIT before it, once"
    return None


def _in_library(name: str) -> str:
    """What to do about a CALL of what a file of the library has; empty if none does."""
    from ti99tools.language.dialect.library_names import or_include

    there = or_include(name)
    return f"write a SUB {name}{there}" if there else ""


def _instead_of(name: str, subs: Iterable[str]) -> str:
    """What to do about a CALL of a subprogram that is neither built in nor among `subs`."""
    where = found_in(name)
    if where:
        profile = next((each for each in PROFILES.values() if name in each.subprograms), None)
        offered = "" if profile is None else f", or choose the profile {profile.name}"
        return f"it is one of {where}: write a SUB {name}, or do without it{offered}"

    from ti99tools.language.remedies.otherbasics import called_here

    if stated := called_here(name):
        return stated
    meant = near(name, [*subs, *SUBPROGRAMS])
    return did_you_mean(meant, name) if meant else "correct the name or write the SUB"
