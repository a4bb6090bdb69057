"""Declarations for other tools: RANGE for the compiler, SUB … ASM "FILE" for twins in machine code,
SUB … COMPILED for twins that the compiler makes.

The SUB runs in a program without the twin, and is the reference against which the twin is verified.
Where the caller has machine code for the twins, the SUBs are left out, each CALL of one becomes a
CALL LINK, and the program's CALL INIT also enters the names of the code into LINK's table. A
program without CALL INIT begins with one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Any

from ti99tools.base.errors import Place, SourceError
from ti99tools.base.record import Record, field
from ti99tools.language.dialect.block_tree import Body, Label, lexemes_of, mapped
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report, between_commas, lex, source_line
from ti99tools.language.dialect.line_statements import Statement, split_statements, symbol
from ti99tools.language.listing.sourcemap import Declared

FARTHEST = 2**31 - 1
"""The farthest from 0 that a RANGE goes."""
_FORM = "write RANGE N=1 TO 24, or RANGE T()=0 TO 9 for an array"


def declare(lexemes: Sequence[Lexeme], scope: str, ranges: list[Declared], report: Report) -> None:
    """Add the variables of `RANGE N=1 TO 24,T()=0 TO 9` in a scope. Reports mistakes in it."""
    for part in between_commas(lexemes[1:]):
        at = part[0] if part else lexemes[0]
        try:
            new = _one(part, scope, at)
        except SourceError as error:
            report(error)
            continue
        ranges.append(new)
        old = next(each for each in ranges if (each.scope, each.name) == (scope, new.name))
        if old is not new:
            problem = f"{at.text} has a RANGE at {old.place} already"
            report(SourceError(problem, remedy="keep one of them", place=at.place))


def _one(part: Sequence[Lexeme], scope: str, at: Lexeme) -> Declared:
    """One declaration. Raises SourceError."""
    rest = list(part[1:])
    if len(rest) > 1 and rest[0].is_symbol("(") and rest[1].is_symbol(")"):
        rest = rest[2:]
    to = next((n for n, lexeme in enumerate(rest) if lexeme.is_word("TO")), None)
    if not part or at.kind is not Kind.NAME or to is None or not rest[0].is_symbol("="):
        raise SourceError("RANGE without a name and its values", remedy=_FORM, place=at.place)
    if at.text.endswith("$"):
        problem = f"RANGE of {at.text}, whose values are texts"
        raise SourceError(problem, remedy="remove it", place=at.place)
    low, high = _number(rest[1:to], at), _number(rest[to + 1 :], at)
    if low > high:
        problem = f"RANGE from {low} to {high}, which is less"
        raise SourceError(problem, remedy="write the lower one first", place=at.place)
    return Declared(scope, at.text, low, high, at.place)


def _number(lexemes: Sequence[Lexeme], at: Lexeme) -> int:
    """A whole number of 32 bits. Raises SourceError."""
    minus = bool(lexemes) and lexemes[0].is_symbol("-")
    digits = lexemes[minus:]
    if len(digits) != 1 or digits[0].kind is not Kind.NUMBER or not digits[0].text.isdecimal():
        place = lexemes[0].place if lexemes else at.place
        problem = f"RANGE of {at.text} without a whole number"
        raise SourceError(problem, remedy=_FORM, place=place)
    value = int(digits[0].text) * (-1 if minus else 1)
    if abs(value) > FARTHEST:
        problem = f"RANGE of {at.text} beyond {-FARTHEST} to {FARTHEST}"
        remedy = "leave it out: larger numbers are calculated as the console does"
        raise SourceError(problem, remedy=remedy, place=digits[0].place)
    return value


MOST_BYTES = 16384
"""The most bytes for the strings of compiled SUBs."""
LONGEST = 6
"""The longest name for CALL LINK, in characters."""


class Twin(Record):
    """A SUB's twin: its name and the file of its source, as written; empty: the SUB is compiled.

    `heap`: bytes for the strings of compiled SUBs, 0 where the source states none; `basic` makes
    the listing of the program in which all SUBs are BASIC.
    """

    name: str
    file: str
    place: Place
    heap: int
    basic: Callable[[], Any] | None = field(default=None, compare=False)


Native = Callable[[Sequence[Twin]], str]
"""Takes the twins; returns the statements that load their code: CALL INIT and what enters names."""


def parted(lexemes: Sequence[Lexeme], report: Report) -> tuple[tuple[Lexeme, ...], Twin | None]:
    """The statement SUB without `ASM "FILE"` or COMPILED, and the twin, if it has one."""
    # `SUB NAME COMPILED` has three lexemes at least, `SUB NAME ASM "FILE"` four.
    heap = 0
    if len(lexemes) > 2 and lexemes[-1].is_word("COMPILED"):
        words = 1
    elif len(lexemes) > 3 and lexemes[-2].is_word("COMPILED"):
        words, heap = 2, _bytes(lexemes[-1], report)
    elif len(lexemes) > 3 and lexemes[-2].is_word("ASM") and lexemes[-1].kind is Kind.STRING:
        words = 2
    else:
        return tuple(lexemes), None
    name, file = lexemes[1], lexemes[-1]
    if len(name.text) > LONGEST:
        problem = f"the SUB {name.text} with a twin in machine code has more than {LONGEST} letters"
        remedy = "rename it: CALL LINK finds no longer name"
        report(SourceError(problem, remedy=remedy, place=name.place))
    own = file.text[1:-1] if file.kind is Kind.STRING else ""
    return tuple(lexemes[:-words]), Twin(name.text, own, file.place, heap)


def _bytes(number: Lexeme, report: Report) -> int:
    """The bytes that `COMPILED 2000` states. Reports a mistake in it."""
    if number.kind is Kind.NUMBER and number.text.isdecimal():
        found = int(number.text)
        if 1 <= found <= MOST_BYTES:
            return found
    problem = f"COMPILED {number.text}: no number of bytes for strings, 1 to {MOST_BYTES}"
    report(SourceError(problem, remedy="write COMPILED 2000, or COMPILED", place=number.place))
    return 0


def linked(
    bodies: Sequence[Body], twins: Mapping[str, Twin], native: Native, report: Report
) -> list[Body]:
    """The bodies with CALL LINK for the twins, without their SUBs; the first is the program."""
    _check_order(bodies[0], twins, report)
    without_twins = [body for body in bodies if _sub(body) not in twins]
    text = native(tuple(twins.values()))
    place = next(iter(twins.values())).place
    entry = [Statement(part) for part in split_statements(lex(source_line(text, place)))]
    entered = False

    def turned(statement: Statement) -> Iterator[Statement]:
        nonlocal entered
        if _is_init(statement):
            entered = True
            yield from entry
        else:
            yield from _turned(statement, twins)

    bodies_of_lines = [mapped(body, turned) for body in without_twins]
    return bodies_of_lines if entered else [[*entry, *bodies_of_lines[0]], *bodies_of_lines[1:]]


def _check_order(program: Body, twins: Mapping[str, Twin], report: Report) -> None:
    """Report a twin that the program calls before its own CALL INIT has entered the names.

    After the first label the order of the text proves nothing.
    """
    straight = list(takewhile(lambda node: not isinstance(node, Label), program))
    called = [(lexeme.text, lexeme.place) for lexeme in _called(straight)]
    names = [name for name, _ in called]
    early = next(((name, place) for name, place in called if name in twins or name == "INIT"), None)
    if early is not None and early[0] != "INIT" and "INIT" in names:
        problem = f"CALL {early[0]} comes before CALL INIT, which enters its name for CALL LINK"
        remedy = "put CALL INIT first, or leave it out: then the program begins with it"
        report(SourceError(problem, remedy=remedy, place=early[1]))


def _called(body: Body) -> Iterator[Lexeme]:
    """The names of the subprograms that a body calls, in the order of the text."""
    for word, name in pairwise(lexemes_of(body)):
        if word.is_word("CALL"):
            yield name


def _is_init(statement: Statement) -> bool:
    """Tell whether a statement is CALL INIT."""
    words = statement.lexemes
    return len(words) == 2 and words[0].is_word("CALL") and words[1].text == "INIT"


def _sub(body: Body) -> str:
    """The name of the SUB of a body; empty for another body."""
    first = body[0] if body else None
    if isinstance(first, Statement) and first.word == "SUB" and len(first.lexemes) > 1:
        return first.lexemes[1].text
    return ""


def _turned(statement: Statement, twins: Mapping[str, Twin]) -> Iterator[Statement]:
    """The statement with CALL LINK("NAME",…) in place of CALL NAME(…), for each twin."""
    words: list[Lexeme] = []
    rest = list(statement.lexemes)
    while rest:
        lexeme = rest.pop(0)
        called = bool(words) and words[-1].is_word("CALL")
        if not (called and lexeme.kind is Kind.SUBPROGRAM and lexeme.text in twins):
            words.append(lexeme)
            continue
        words.append(replace(lexeme, text="LINK"))
        text = Lexeme(Kind.STRING, f'"{lexeme.text}"', lexeme.place)
        if rest and rest[0].is_symbol("("):
            rest.pop(0)
            words += [symbol("(", lexeme.place), text, symbol(",", lexeme.place)]
        else:
            words += [symbol("(", lexeme.place), text, symbol(")", lexeme.place)]
    yield replace(statement, lexemes=tuple(words))
