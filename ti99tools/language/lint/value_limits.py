"""Constants, arguments and statements with right syntax that the console does not take.

Arguments of CALLs and functions, subscripts outside their DIM, digits of CALL CHAR, files, LINPUT,
FOR, and the clauses of DISPLAY and ACCEPT. The console rounds numbers, halves up, before it
compares them. A value outside its range is an error when the CALL runs, whatever its other
arguments are.

Source: the recorded files-err, files-open-opts, fuzz-045, fuzz-046, screen-accept and lang-control
cases.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import (
    HIGHEST_FILE,
    HIGHEST_INTEGER,
    LARGEST_SIZE,
    LAST_CHARACTER,
    LONGEST_RECORD,
    LOWEST_INTEGER,
)
from ti99tools.base.record import Record
from ti99tools.language.analysis.constants import constant, whole
from ti99tools.language.analysis.names import scoped
from ti99tools.language.findings import Failing, Noted, Severity, failing
from ti99tools.language.listing.builtins import VALUE, Argument, Subprogram, kinds
from ti99tools.language.listing.listing import scan
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import AUTOMATIC_SUBSCRIPT
from ti99tools.language.remedies.otherbasics import written_here
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement, parts


class OutOfRange(Record):
    """A constant that the console refuses: its meaning and its range."""

    counts: str
    value: str
    allowed: str


def paired(
    called: Subprogram, arguments: Sequence[st.Argument]
) -> Iterable[tuple[st.Argument, Argument]]:
    """Each argument of a CALL of a built-in subprogram with what it stands for."""
    return zip(arguments, called.arguments(kinds(arguments)), strict=False)


def outside(called: Subprogram, arguments: Sequence[st.Argument]) -> Iterator[OutOfRange]:
    """The constants of a CALL of a built-in subprogram that are out of range."""
    for argument, meant in paired(called, arguments):
        value = constant(argument.number if isinstance(argument, st.Hash) else argument)
        if not meant.values or value is None:
            continue
        rounded = whole(value)
        if not any(low <= rounded <= high for low, high in meant.values):
            allowed = " or ".join(f"{low} to {high}" for low, high in meant.values)
            yield OutOfRange(meant.name, f"{value}", allowed)


class Mixed(Record):
    """A string where the console takes a number, or vice versa; `kind` is what it takes."""

    counts: str
    kind: str
    remedy: str


def mixed(called: Subprogram, arguments: Sequence[st.Argument]) -> Iterator[Mixed]:
    """The arguments of a CALL of a built-in subprogram that are of the other type."""
    for argument, meant in paired(called, arguments):
        if isinstance(argument, st.Hash | st.All | st.WholeArray | nodes.Fault):
            continue
        if meant.kind != VALUE or meant.stored or argument.is_string == meant.string:
            continue
        remedy = "give a text" if meant.string else "give a number"
        text = argument.text if isinstance(argument, nodes.String) else ""
        if meant.name.endswith("code") and len(text) == 1:
            remedy = f"write {ord(text)}, its code"
        named = argument.name if isinstance(argument, nodes.Variable) else ""
        if meant.string and re.fullmatch("[0-9A-F]+", named):
            remedy = f'write " around it: "{named}"'
        yield Mixed(meant.name, "text" if meant.string else "number", remedy)


def unstored(
    called: Subprogram, arguments: Sequence[st.Argument], functions: Container[str]
) -> Iterator[Mixed]:
    """The arguments of a CALL that should be variables of the type it gives back.

    `functions` are the names of DEFs.
    """
    for argument, meant in paired(called, arguments):
        if not meant.stored or isinstance(argument, nodes.Fault | st.Hash | st.All | st.WholeArray):
            continue
        named = argument.name if isinstance(argument, nodes.Variable | nodes.Element) else None
        if named and named not in functions and argument.is_string == meant.string:
            continue
        yield Mixed(meant.name, "text" if meant.string else "number", "")


_HEX_DIGITS = frozenset("0123456789ABCDEF")
_CHARACTER, _MOST = 16, 64
"""Hexadecimal digits of one character, and of the longest pattern."""
NATURAL = (
    (t.CHR, 0, 0, "the character code"),
    (t.SEG, 1, 1, "the first character"),
    (t.SEG, 2, 0, "the number of characters"),
    (t.RPT, 1, 0, "the number of times"),
    (t.POS, 2, 1, "the first character"),
)
"""Function, index of an argument, its lowest value (the highest is 32767), and its meaning."""
Wrong = tuple[Severity, str, str, str]
"""Severity, code, message and remedy."""


def values(
    parsed: st.Parsed,
    scan: Scan,
    listing: bool = True,
) -> Iterator[Noted]:
    """Findings about constants in a program; `listing`: its patterns were typed as they are.

    `scan` knows the arrays: their DIM may be where only the pre-scan sees it.
    """
    base = scan.base
    for sub, scope in _scopes(parsed):
        sizes = _sizes(sub, scan)
        hidden = set() if sub is None else {p.name for p in sub.parameters}
        functions = {each.name: each for _, each in scope if isinstance(each, st.Def)}
        for number, statement in scope:
            for severity, code, message, remedy in (
                *_inside(statement, sizes, hidden | functions.keys(), base),
                *_of_wrong_type(statement, functions),
                *_of_itself(statement),
                *_patterns(statement, listing),
            ):
                yield Noted(code, number, statement.at, message, remedy, severity)


Scope = list[tuple[int, st.Statement]]


def _scopes(parsed: st.Parsed) -> list[tuple[st.Sub | None, Scope]]:
    """Each SUB, and None for the main program, with its statements and their line numbers."""
    scopes: list[tuple[st.Sub | None, Scope]] = [(None, [])]
    for sub, number, statement in scoped(parsed):
        if sub is statement:
            scopes.append((sub, []))
        scopes[0 if sub is None else -1][1].append((number, statement))
    return scopes


def _sizes(sub: st.Sub | None, scan: Scan) -> dict[str, tuple[int, ...]]:
    """The highest subscripts that DIM gives to the arrays of a SUB or of the main program."""
    known = scan.main if sub is None else scan.subs.get(sub.name)
    symbols = {} if known is None else known.symbols
    return {name: symbol.sizes for name, symbol in symbols.items() if symbol.sizes is not None}


def _inside(
    statement: st.Statement, sizes: Mapping[str, tuple[int, ...]], hidden: set[str], base: int
) -> Iterator[Wrong]:
    """Elements outside their array, and arguments that functions do not take.

    Parameters and functions of DEF do not count as arrays.
    """
    declares = isinstance(statement, st.Dim | st.Def | st.Sub)
    for part in parts(statement):
        if isinstance(part, nodes.Function):
            wrong = _wrong_argument(part)
            if wrong:
                yield Severity.ERROR, "range", *wrong
        elif isinstance(part, nodes.Element) and not declares and part.name not in hidden:
            yield from _subscripts(part, sizes.get(part.name), base)


def _of_wrong_type(statement: st.Statement, functions: Mapping[str, st.Def]) -> Iterator[Wrong]:
    """Strings as subscripts, and arguments of the wrong type for functions of DEF."""
    for part in parts(statement):
        if not isinstance(part, nodes.Element) or any(map(nodes.faulty, part.subscripts)):
            continue
        function = functions.get(part.name)
        meant = "subscript" if function is None else function.parameter
        if meant is None:
            continue
        texts = meant.endswith("$")
        if any(subscript.is_string != texts for subscript in part.subscripts):
            kind = "a text" if texts else "a number"
            yield (
                Severity.ERROR,
                "arguments",
                failing(xb.STRING_NUMBER_MISMATCH, f"{part.name} takes {kind} as {meant}"),
                written_here(part.name) or f"give {kind}",
            )


def _of_itself(statement: st.Statement) -> Iterator[Wrong]:
    """A DEF whose value needs its own value: `DEF F(X)=F(X)+1`."""
    if not isinstance(statement, st.Def) or statement.parameter == statement.name:
        return
    named = (part for part in parts(statement) if isinstance(part, nodes.Variable | nodes.Element))
    if any(part.name == statement.name for part in named):
        fact = f"where {statement.name} is used, it needs itself again and again"
        remedy = "write a SUB with a loop, which gives its result in a variable"
        yield Severity.ERROR, "endless", failing(xb.STACK_OVERFLOW, fact), remedy


def _subscripts(
    element: nodes.Element, known: tuple[int, ...] | None, base: int
) -> Iterator[Wrong]:
    """Subscripts outside an array; `known` are the highest ones that its DIM gives."""
    if known is not None and len(known) != len(element.subscripts):
        return
    for index, subscript in enumerate(element.subscripts):
        last = AUTOMATIC_SUBSCRIPT if known is None else known[index]
        value = whole(constant(subscript))
        if value is None or base <= value <= last:
            continue
        bounds = f"goes from {base} to {last}"
        larger = f"DIM {element.name} larger, or correct the subscript"
        remedy = written_here(element.name) or larger
        message = failing(xb.BAD_SUBSCRIPT, f"{element.name} {bounds}")
        yield Severity.ERROR, "subscript", message, remedy


def _wrong_argument(function: nodes.Function) -> tuple[str, str] | None:
    """What is wrong with a constant argument of a function, and what to do."""
    name, given = t.KEYWORDS[function.token], function.arguments
    for token, index, least, what in NATURAL:
        value = whole(constant(given[index])) if function.token == token else None
        if value is not None and not least <= value <= HIGHEST_INTEGER:
            message = failing(xb.BAD_VALUE, f"{what} of {name} is {value}")
            return message, f"use {least} to {HIGHEST_INTEGER}"
    text = given[0].text if given and isinstance(given[0], nodes.String) else None
    if function.token == t.VAL and text is not None and not _is_number(text):
        return _fails(f'VAL("{text}")'), "give the text of a number"
    if function.token == t.ASC and text == "":
        return _fails('ASC("")'), "give a character"
    number = constant(given[0]) if given and text is None else None
    negative = number is not None and (number < 0 or (number == 0 and function.token == t.LOG))
    if negative and function.token in (t.SQR, t.LOG):
        return _fails(f"{name}({number})"), "give a positive number"
    return None


def _fails(function: str) -> Failing:
    return Failing(f"{function} fails with {xb.TEXTS[xb.BAD_ARGUMENT]}", xb.BAD_ARGUMENT)


def _patterns(statement: st.Statement, listing: bool) -> Iterator[Wrong]:
    """Patterns of CALL CHAR that have wrong digits, or too many."""
    if not isinstance(statement, st.Call) or statement.name != "CHAR":
        return
    arguments = statement.arguments or ()
    for code, pattern in zip(arguments[::2], arguments[1::2], strict=False):
        if not isinstance(pattern, nodes.String):
            continue
        digits = pattern.text
        wrong = next((d for d in digits[:_MOST] if d not in _HEX_DIGITS), None)
        if wrong is not None:
            small = wrong.upper() in _HEX_DIGITS
            remedy = "write capitals" if small else "use 0 to 9 and A to F"
            message = failing(xb.BAD_VALUE, f"{wrong} is no digit of a pattern")
            yield Severity.ERROR, "range", message, remedy
        first = whole(constant(code))
        room = _MOST if first is None else min(_MOST, _CHARACTER * (LAST_CHARACTER + 1 - first))
        if 0 < room < len(digits):
            many = f"the pattern has {len(digits)} digits, {room} are taken"
            yield Severity.WARNING, "pattern", many, "a character has 16, a pattern 64 at most"
        elif listing and len(digits) % 2:
            odd = f"the pattern has {len(digits)} digits: an odd number"
            remedy = "a row of dots has two digits; a 0 is put at the end"
            yield Severity.INFO, "pattern", odd, remedy


def _is_number(text: str) -> bool:
    from decimal import Decimal, InvalidOperation

    try:
        return Decimal(text.strip(" ")).is_finite()
    except InvalidOperation:
        # Forms that the console accepts and Python does not: an exponent alone, a sign alone.
        return text.strip(" ").strip("+-.0123456789E") == "" and text.strip(" ") != ""


_ALTERNATIVES = (
    (t.INPUT, t.OUTPUT, t.UPDATE, t.APPEND),
    (t.DISPLAY, t.INTERNAL),
    (t.SEQUENTIAL, t.RELATIVE),
    (t.FIXED, t.VARIABLE),
)
"""Words of OPEN that exclude each other."""
_SCREEN = (("row", 24), ("column", 28))


def statements(lines: Mapping[int, bytes], parsed: st.Parsed) -> Iterator[Noted]:
    """Findings about statements, each at its beginning."""
    opened = _opened(lines, parsed)
    for number, row in parsed.items():
        for statement in every_statement(row):
            for severity, code, message, remedy in (
                *_of_statement(statement),
                *_of_files(statement, opened),
            ):
                yield Noted(code, number, statement.at, message, remedy, severity)


def _of_statement(statement: st.Statement) -> Iterator[Wrong]:
    match statement:
        case st.Linput(target=target, fault=None) if target is not None and not target.is_string:
            name = target.name
            message = failing(xb.IMPROPERLY_USED_NAME, "LINPUT reads a text")
            yield Severity.ERROR, "arguments", message, f"write {name}$, or INPUT instead of LINPUT"
        case st.For(step=step) if step is not None and constant(step) == 0:
            yield Severity.ERROR, "range", failing(xb.BAD_VALUE, "STEP 0"), "give another STEP"
        case st.For():
            yield from _passed_over(statement)
        case st.Open():
            yield from _open(statement)
        case st.Display(clauses=clauses) | st.Accept(clauses=clauses):
            for clause in clauses:
                yield from _clause(clause)


def _passed_over(loop: st.For) -> Iterator[Wrong]:
    """A FOR that is over before its first round: `FOR I=10 TO 1`."""
    start, limit = constant(loop.start), constant(loop.limit)
    step = 1 if loop.step is None else constant(loop.step)
    if start is None or limit is None or step is None or (limit - start) * step >= 0:
        return
    remedy = "write STEP -1" if step > 0 else "leave out STEP, or correct its sign"
    message = f"from {start} to {limit} with STEP {step} nothing is done"
    yield Severity.WARNING, "loop", message, remedy


def _open(statement: st.Open) -> Iterator[Wrong]:
    """Words of OPEN that exclude each other, and record lengths that no file has."""
    words = [attribute.token for attribute in statement.attributes]
    for kind in _ALTERNATIVES:
        given = [t.KEYWORDS[token] for token in words if token in kind]
        if len(given) > 1:
            message = failing(xb.SYNTAX_ERROR, f"OPEN takes one word of {' and '.join(given)}")
            yield Severity.ERROR, "open", message, "leave out the other"
            return
    if t.RELATIVE in words and t.VARIABLE in words:
        message = failing(xb.FILE_ERROR, "a RELATIVE file has no VARIABLE records")
        yield Severity.ERROR, "open", message, "write FIXED"
    for attribute in statement.attributes:
        length = whole(constant(attribute.value))
        if attribute.token not in (t.FIXED, t.VARIABLE) or length is None:
            continue
        if not 1 <= length <= LONGEST_RECORD:
            beyond = not LOWEST_INTEGER <= length <= HIGHEST_INTEGER
            code = xb.BAD_VALUE if beyond else xb.SYNTAX_ERROR
            message = failing(code, f"a record has no {length} bytes")
            yield Severity.ERROR, "open", message, f"use 1 to {LONGEST_RECORD}"


def _clause(clause: st.Clause) -> Iterator[Wrong]:
    """AT that means another place on the screen, SIZE of nothing."""
    values = [None if isinstance(a, int) else whole(constant(a)) for a in clause.arguments]
    if clause.token == t.SIZE and values and values[0] is not None:
        if not 1 <= abs(values[0]) <= LARGEST_SIZE:
            message = failing(xb.BAD_VALUE, f"SIZE({values[0]})")
            yield Severity.ERROR, "range", message, f"use 1 to {LARGEST_SIZE}"
    elif clause.token == t.AT:
        for value, (what, most) in zip(values, _SCREEN, strict=False):
            if value is not None and value > HIGHEST_INTEGER:
                message = failing(xb.BAD_VALUE, f"AT takes no {what} {value}")
                yield Severity.ERROR, "range", message, f"use 1 to {most}"
            elif value is not None and not 1 <= value <= most:
                meant = (max(value, 1) - 1) % most + 1
                moved = f"AT takes {what} {value} for {what} {meant}"
                yield Severity.WARNING, "position", moved, f"use 1 to {most}"


class _Use(Record):
    """The number of a file: its lowest value, the error for one below, whether it must be open."""

    number: nodes.Expression
    least: int
    below: int
    must_be_open: bool


def _uses(statement: st.Statement) -> Iterator[_Use]:
    """The numbers of files in a statement."""
    for part in parts(statement):
        if isinstance(part, nodes.Function) and part.token in (t.EOF, t.REC):
            of_end = part.token == t.EOF
            yield _Use(part.arguments[0], int(of_end), xb.BAD_VALUE, of_end)
        elif isinstance(part, st.FileRef):
            yield _Use(part.number, 0, xb.BAD_VALUE, True)
    if isinstance(statement, st.Open | st.Close) and statement.number is not None:
        yield _Use(statement.number, 1, xb.FILE_ERROR, isinstance(statement, st.Close))


def _of_files(statement: st.Statement, opened: set[int] | None) -> Iterator[Wrong]:
    """Invalid file numbers, or numbers that nothing opens (`opened` None: unknown)."""
    for use in _uses(statement):
        number = whole(constant(use.number))
        if number is None:
            continue
        if not use.least <= number <= HIGHEST_FILE:
            beyond = not LOWEST_INTEGER <= number <= HIGHEST_FILE
            code = xb.BAD_VALUE if beyond else use.below
            message = failing(code, f"there is no file #{number}")
            yield Severity.ERROR, "range", message, f"use 1 to {HIGHEST_FILE}"
        elif use.must_be_open and opened is not None and number not in {0, *opened}:
            message = failing(xb.FILE_ERROR, f"nothing opens file #{number}")
            yield Severity.ERROR, "not-open", message, "OPEN it before, or correct the number"


def _opened(lines: Mapping[int, bytes], parsed: st.Parsed) -> set[int] | None:
    """The numbers of the files that the program opens; None where they are unknown."""
    opens = [s for row in parsed.values() for s in every_statement(row) if isinstance(s, st.Open)]
    written = sum(e.token == t.OPEN for tokens in lines.values() for e in scan(tokens))
    numbers = [None if s.number is None else whole(constant(s.number)) for s in opens]
    if len(opens) < written or None in numbers:
        return None
    return {number for number in numbers if number is not None}
