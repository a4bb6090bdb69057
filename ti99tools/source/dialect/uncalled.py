"""PROCs that are used as something else, and CALLs of PROCs that are spelled wrong.

Extended BASIC takes `MOVEIT(1,2)` in an expression for an array: no error would tell that a PROC
was meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ti99tools.base.errors import SourceError
from ti99tools.source.builtins import SUBPROGRAMS
from ti99tools.source.callforms import ALL, SPRITE, VALUE
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.mistakes import Report
from ti99tools.source.dialect.parts import between_commas, closed
from ti99tools.source.dialect.procs import Proc
from ti99tools.source.dialect.statements import starts
from ti99tools.source.dialect.tree import Body, lexemes_of, statements_of
from ti99tools.source.remedies import near


def refuse_uncalled(
    bodies: Sequence[Body], procs: Mapping[str, Proc], subs: Sequence[Body], report: Report
) -> None:
    """Report PROCs that stand where a statement or a value does, and unknown ones nearly called.

    `bodies` are the main program's and the PROCs', `subs` the subprograms'.
    """
    if not procs:
        return
    known = {name.text for body in subs for name in _names_of_subs(body)} | set(SUBPROGRAMS)
    arrays = {name for body in bodies for name in _arrays_set(body, procs)}
    for body in bodies:
        for statement in statements_of(body):
            _judge(statement.lexemes, procs, known, report)
        _values(list(lexemes_of(body)), {*procs} - arrays, report)


def _judge(
    lexemes: Sequence[Lexeme], procs: Mapping[str, Proc], known: Collection[str], report: Report
) -> None:
    """Statements that begin with a PROC's name, calls of one that is not there."""
    for at in starts(lexemes):
        first, following = lexemes[at], lexemes[at + 1 : at + 2]
        assigns = following and following[0].is_symbol("=", ",", "(")
        if first.kind is Kind.NAME and first.text in procs and not assigns:
            report(_call_it(first))
        elif first.is_word("CALL") and following and following[0].text not in {*procs, *known}:
            word = near(following[0].text, [*procs, *known])
            if word in procs:
                problem = f"there is no subprogram {following[0].text}"
                remedy = f"did you mean {word}?"
                report(SourceError(problem, remedy=remedy, place=following[0].place))


def _values(lexemes: Sequence[Lexeme], procs: Collection[str], report: Report) -> None:
    """PROCs with parentheses, where neither array nor function has that name."""
    for at, (lexeme, following) in enumerate(pairwise(lexemes)):
        if lexeme.kind is not Kind.NAME or lexeme.text not in procs:
            continue
        if following.is_symbol("(") and following.place.line == lexeme.place.line:
            before = lexemes[at - 1] if at else None
            same_line = before is not None and before.place.line == lexeme.place.line
            if not same_line:
                report(_call_it(lexeme))
            elif before is not None and not before.is_word("DEF", "DIM", "CALL", "LOCAL"):
                problem = f"{lexeme.text} is a PROC, and gives no value"
                remedy = f"CALL {lexeme.text} first, with a parameter that is OUT"
                report(SourceError(problem, remedy=remedy, place=lexeme.place))


def _call_it(name: Lexeme) -> SourceError:
    problem, remedy = f"{name.text} is a PROC", f"write CALL {name.text}"
    return SourceError(problem, remedy=remedy, place=name.place)


def _names_of_subs(body: Body) -> Iterator[Lexeme]:
    for before, lexeme in pairwise(lexemes_of(body)):
        if before.is_word("SUB") and lexeme.kind is Kind.SUBPROGRAM:
            yield lexeme


def _arrays_set(body: Body, procs: Mapping[str, Proc]) -> Iterator[str]:
    """Names that some statement gives values or sizes as arrays, or that DEF defines."""
    for statement in statements_of(body):
        lexemes = statement.lexemes
        begins = [*starts(lexemes), len(lexemes)]
        for start, end in pairwise(begins):
            part = lexemes[start:end]
            if part[0].is_word("CALL"):
                yield from _elements(_results(part, procs))
                continue
            if not part[0].is_word("DIM", "DEF", "READ", "INPUT", "LINPUT", "ACCEPT"):
                equals = (at for at, lexeme in enumerate(part) if lexeme.is_symbol("="))
                sets = part[0].kind is Kind.NAME or part[0].is_word("LET", "FOR")
                part = part[: next(equals, 0)] if sets else ()
            yield from _elements([part])


def _elements(parts: Iterable[Sequence[Lexeme]]) -> Iterator[str]:
    """Names with parentheses."""
    for part in parts:
        for lexeme, following in pairwise(part):
            if lexeme.kind is Kind.NAME and following.is_symbol("("):
                yield lexeme.text


def _results(call: Sequence[Lexeme], procs: Mapping[str, Proc]) -> Iterator[Sequence[Lexeme]]:
    """The beginnings of the arguments that a CALL may give values to.

    A SUB of the source may do so to each of its arguments.
    """
    end = closed(call, 2) if len(call) > 2 else None
    if end is None:
        return
    name, given = call[1].text, between_commas(call[3 : end - 1])
    if name in procs:
        stored = [parameter.out for parameter in procs[name].parameters]
    elif name in SUBPROGRAMS:
        stored = SUBPROGRAMS[name].stored("".join(map(_kind, given)))
    else:
        stored = [True] * len(given)
    yield from (value[:2] for value, may in zip(given, stored, strict=False) if may)


def _kind(value: Sequence[Lexeme]) -> str:
    """The kind of an argument as `callforms` writes it."""
    if value and value[0].is_symbol("#"):
        return SPRITE
    return ALL if value and value[0].is_word("ALL") else VALUE
