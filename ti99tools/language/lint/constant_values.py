"""Constants in expressions that the console refuses, wherever they occur.

Subscripts outside of their DIM, arguments of functions, digits of CALL CHAR. The console rounds
values, halves up, before it compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place
from ti99tools.language.lint.findings import Finding, Severity, found
from ti99tools.language.listing.argument_ranges import constant, whole
from ti99tools.language.listing.failures import scoped
from ti99tools.language.listing.habits import written_here
from ti99tools.language.listing.hints import Failing, failing
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import AUTOMATIC_SUBSCRIPT
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import parts

_DIGITS = frozenset("0123456789ABCDEF")
_CHARACTER, _MOST = 16, 64
"""Hexadecimal digits of one character, and most digits of a pattern."""
_LAST_DEFINED = 143
_NATURAL = (
    (t.CHR, 0, 0, "the character code"),
    (t.SEG, 1, 1, "the first character"),
    (t.SEG, 2, 0, "the number of characters"),
    (t.RPT, 1, 0, "the number of times"),
    (t.POS, 2, 1, "the first character"),
)
"""Function, the argument that is a number up to 32767, from where on, and what it is."""
_HIGHEST = 32767
Wrong = tuple[Severity, str, str, str]
"""Severity, code, message and remedy."""


def values(
    parsed: Mapping[int, tuple[st.Statement, ...]],
    scan: Scan,
    where: Callable[[int, int], Place],
    listing: bool = True,
) -> Iterator[Finding]:
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
                *_patterns(statement, listing),
            ):
                place = where(number, statement.at)
                yield found(severity, code, place, message, remedy, number)


Scope = list[tuple[int, st.Statement]]


def _scopes(parsed: Mapping[int, tuple[st.Statement, ...]]) -> list[tuple[st.Sub | None, Scope]]:
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
    """Texts as subscripts, and arguments of the wrong type for functions of DEF."""
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
        said = f"goes from {base} to {last}"
        larger = f"DIM {element.name} larger, or correct the subscript"
        remedy = written_here(element.name) or larger
        message = failing(xb.BAD_SUBSCRIPT, f"{element.name} {said}")
        yield Severity.ERROR, "subscript", message, remedy


def _wrong_argument(function: nodes.Function) -> tuple[str, str] | None:
    """What is wrong with a constant argument of a function, and what to do."""
    name, given = t.KEYWORDS[function.token], function.arguments
    for token, index, least, what in _NATURAL:
        value = whole(constant(given[index])) if function.token == token else None
        if value is not None and not least <= value <= _HIGHEST:
            message = failing(xb.BAD_VALUE, f"{what} of {name} is {value}")
            return message, f"use {least} to {_HIGHEST}"
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
        wrong = next((d for d in digits[:_MOST] if d not in _DIGITS), None)
        if wrong is not None:
            small = wrong.upper() in _DIGITS
            remedy = "write capitals" if small else "use 0 to 9 and A to F"
            message = failing(xb.BAD_VALUE, f"{wrong} is no digit of a pattern")
            yield Severity.ERROR, "range", message, remedy
        first = whole(constant(code))
        room = _MOST if first is None else min(_MOST, _CHARACTER * (_LAST_DEFINED + 1 - first))
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
