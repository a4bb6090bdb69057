"""PROC: parameters and locals under names of their own, and calls turned into GOSUB.

A subprogram (SUB) of Extended BASIC is slow to call, and its names are its own. A PROC is a routine
of the main program. Its parameters and locals are variables of the main program under names that
nothing else has, so that they keep their values between calls, and it cannot call itself.

PROCs in the wrong place and misspelt CALLs are reported here too: Extended BASIC takes
`MOVEIT(1,2)` in an expression for an array, and no error would say that a PROC was meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ti99tools.base.errors import Place, SourceError
from ti99tools.base.record import Record
from ti99tools.language.dialect.block_tree import Body, lexemes_of, mapped, statements_of
from ti99tools.language.dialect.flatten import is_text
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report, between_commas, closed
from ti99tools.language.dialect.line_statements import (
    Statement,
    keyword,
    split_statements,
    starts,
    symbol,
)
from ti99tools.language.dialect.reader import in_library
from ti99tools.language.findings import call_it, did_you_mean
from ti99tools.language.listing.builtins import ALL, SPRITE, SUBPROGRAMS, VALUE
from ti99tools.language.listing.laterprofiles import PROFILES
from ti99tools.language.listing.sourcemap import Routine, Uncalled
from ti99tools.language.listing.tokenize import MAX_NAME
from ti99tools.language.remedies.misread_words import near

_FORM = "write PROC NAME(A,B$,C OUT)"


class ProcParameter(Record):
    """A variable of the main program that takes a value, or gives one back (`out`)."""

    name: str
    out: bool

    @property
    def text(self) -> bool:
        """Tell whether its values are strings."""
        return self.name.endswith("$")


@dataclass(slots=True)
class Proc:
    """A PROC: where it begins, its label, its parameters in order, its statements."""

    name: str
    place: Place
    label: str
    number: int
    """The number of the PROC in the source, from 1."""
    parameters: list[ProcParameter] = field(default_factory=list)
    own: dict[str, str] = field(default_factory=dict)
    """Its parameters and locals → their names in the listing."""
    met: dict[str, Lexeme] = field(default_factory=dict)
    """The names in its statements so far, each where it comes first."""
    body: Body = field(default_factory=list)

    def meet(self, lexemes: Sequence[Lexeme]) -> None:
        """Note the names in a statement."""
        for lexeme in lexemes:
            if lexeme.kind is Kind.NAME:
                self.met.setdefault(lexeme.text, lexeme)

    def add(self, name: Lexeme) -> str:
        """Add a parameter or local, and return its name in the listing."""
        suffix = f"_{self.number}" + ("$" if name.text.endswith("$") else "")
        stem = name.text.removesuffix("$")[: MAX_NAME - len(suffix)]
        known = set(self.own.values())
        new_name, more = stem + suffix, 0
        while new_name in known:
            more += 1
            new_name = f"{stem[: MAX_NAME - len(suffix) - len(str(more))]}{more}{suffix}"
        self.own[name.text] = new_name
        return new_name

    def renamed(self, lexemes: Sequence[Lexeme]) -> tuple[Lexeme, ...]:
        """The lexemes with its parameters and locals under their names in the listing."""
        return tuple(
            replace(x, text=self.own.get(x.text, x.text)) if x.kind is Kind.NAME else x
            for x in lexemes
        )


def opened(lexemes: Sequence[Lexeme], label: str, number: int, report: Report) -> Proc:
    """The PROC that a line `PROC NAME(…)` begins. Reports mistakes in it."""
    name = lexemes[1] if len(lexemes) > 1 else lexemes[0]
    proc = Proc(name.text, name.place, label, number)
    if name.kind is Kind.KEYWORD:
        problem = f"{name.text} is a word of Extended BASIC"
        report(SourceError(problem, remedy="choose another name for the PROC", place=name.place))
    elif name is lexemes[0] or name.text.endswith("$"):
        report(SourceError("a PROC without a name", remedy=_FORM, place=name.place))
        return proc
    rest = lexemes[2:]
    if not rest:
        return proc
    if not (rest[0].is_symbol("(") and rest[-1].is_symbol(")")) or len(rest) < 2:
        report(SourceError("a PROC with wrong parameters", remedy=_FORM, place=rest[0].place))
        return proc
    for part in between_commas(rest[1:-1]):
        _parameter(proc, part, rest[0], report)
    return proc


def _parameter(proc: Proc, part: Sequence[Lexeme], at: Lexeme, report: Report) -> None:
    out = len(part) == 2 and part[1].is_word("OUT")
    if not part or part[0].kind is not Kind.NAME or len(part) != 1 + out:
        remedy = _FORM
        if len(part) > 1 and part[1].is_symbol("("):
            remedy = "leave it out: a PROC uses the arrays of the program as they are"
        place = part[0].place if part else at.place
        report(SourceError("a PROC with a wrong parameter", remedy=remedy, place=place))
    elif part[0].text in proc.own:
        problem = f"the parameter {part[0].text} comes twice"
        report(SourceError(problem, remedy="rename one of them", place=part[0].place))
    else:
        proc.parameters.append(ProcParameter(proc.add(part[0]), out))


def take_locals(proc: Proc, lexemes: Sequence[Lexeme], report: Report) -> tuple[Lexeme, ...]:
    """Read `LOCAL A,B$,C(10)`; returns the DIM of its arrays, if any. Reports mistakes in it."""
    arrays: list[Lexeme] = []
    for part in between_commas(lexemes[1:]):
        if not part or part[0].kind is not Kind.NAME:
            place = part[0].place if part else lexemes[0].place
            report(SourceError("LOCAL without a name", remedy="write LOCAL A,B$", place=place))
            continue
        if part[0].text in proc.own:
            problem = f"{part[0].text} is a parameter or local already"
            report(SourceError(problem, remedy="remove it", place=part[0].place))
            continue
        if part[0].text in proc.met:
            name, first = part[0].text, proc.met[part[0].text].place
            problem = f"{name} is used before LOCAL makes it the PROC's own"
            remedy = f"put LOCAL {name} before {first.file or 'line'}:{first.line}"
            report(SourceError(problem, remedy=remedy, place=part[0].place))
        variable = replace(part[0], text=proc.add(part[0]))
        if len(part) > 1 and part[1].is_symbol("="):
            problem = f"LOCAL gives {part[0].text} no value"
            remedy = f"write {part[0].text}=… in a line of its own"
            report(SourceError(problem, remedy=remedy, place=part[1].place))
        elif len(part) > 1:
            arrays += [*([symbol(",", variable.place)] if arrays else []), variable, *part[1:]]
    return (keyword("DIM", lexemes[0].place), *arrays) if arrays else ()


class Calls:
    """Turns each CALL of a PROC into assignments and a GOSUB."""

    def __init__(self, procs: Mapping[str, Proc], report: Report) -> None:
        self._procs = procs
        self._report = report

    def in_main(self, body: Body) -> Body:
        """The body of the main program or of a PROC with its calls replaced."""
        return mapped(body, self._turned)

    def refuse_in_sub(self, body: Body) -> None:
        """Report each call of a PROC in a subprogram, which can only jump to its own lines."""
        sub = next((x.text for x in lexemes_of(body) if x.kind is Kind.SUBPROGRAM), "?")
        for call in _calls(lexemes_of(body)):
            if call.text in self._procs:
                problem = f"the PROC {call.text} cannot be called in SUB {sub}"
                remedy = f"make {call.text} a SUB, or {sub} a PROC"
                self._report(SourceError(problem, remedy=remedy, place=call.place))

    def needed(self, main: Body) -> set[str]:
        """The PROCs that the program reaches, and all those that are not from the library."""
        roots = [name for name, proc in self._procs.items() if not in_library(proc.place)]
        return _called_from(main, self._procs, roots)

    def refuse_circles(self) -> None:
        """Report each PROC that calls itself, directly or through others."""
        calls = _calls_of(self._procs)
        for name, direct in calls.items():
            for call in direct:
                if name in _reached([call.text], calls):
                    through = "" if call.text == name else f" through {call.text}"
                    self._report(
                        SourceError(
                            f"the PROC {name} calls itself{through}",
                            remedy="use a loop: its parameters and locals are there only once",
                            place=call.place,
                        )
                    )
                    break

    def _turned(self, statement: Statement) -> Iterator[Statement]:
        lexemes = statement.lexemes
        if not any(call.text in self._procs for call in _calls(lexemes)):
            yield statement
            return
        words: list[Lexeme] = []
        index = 0
        while index < len(lexemes):
            proc = self._called(lexemes, index)
            if proc is None:
                words.append(lexemes[index])
                index += 1
                continue
            end = _call_end(lexemes, index + 2)
            words += self._gosub(proc, lexemes[index + 1], lexemes[index + 2 : end])
            index = end
        for part in split_statements(words):
            yield replace(statement, lexemes=part)

    def _called(self, lexemes: Sequence[Lexeme], index: int) -> Proc | None:
        if not lexemes[index].is_word("CALL") or index + 1 >= len(lexemes):
            return None
        return self._procs.get(lexemes[index + 1].text)

    def _gosub(self, proc: Proc, call: Lexeme, rest: Sequence[Lexeme]) -> list[Lexeme]:
        """The statements that replace a call, with `::` between them."""
        given = between_commas(rest[1:-1]) if rest else []
        if len(given) != len(proc.parameters):
            takes = len(proc.parameters)
            values = f"{takes} value{'s' * (takes != 1)}"
            verb = "is" if len(given) == 1 else "are"
            problem = f"the PROC {proc.name} takes {values}, {len(given)} {verb} given"
            remedy = f"see {proc.place}"
            self._report(SourceError(problem, remedy=remedy, place=call.place))
            given = []
        before: list[list[Lexeme]] = []
        after: list[list[Lexeme]] = []
        for parameter, value in zip(proc.parameters, given, strict=False):
            if not self._suits(parameter, value, call):
                continue
            own = Lexeme(Kind.NAME, parameter.name, call.place)
            if parameter.out:
                after.append([*value, symbol("=", call.place), own])
            else:
                before.append([own, symbol("=", call.place), *value])
        go = [keyword("GOSUB", call.place), Lexeme(Kind.LABEL, proc.label, call.place)]
        words: list[Lexeme] = []
        for statement in (*before, go, *after):
            words += [*([symbol("::", call.place)] if words else []), *statement]
        return words

    def _suits(self, parameter: ProcParameter, value: Sequence[Lexeme], call: Lexeme) -> bool:
        place = value[0].place if value else call.place
        if not value:
            problem, remedy = f"CALL {call.text} with an empty value", "write the value"
        elif is_text(value) != parameter.text:
            kind = "a text" if parameter.text else "a number"
            problem, remedy = f"CALL {call.text} with a value of the other type", f"give {kind}"
        elif parameter.out and not _is_variable(value):
            problem = f"CALL {call.text} gives a value back here"
            remedy = "write a variable"
        else:
            return True
        self._report(SourceError(problem, remedy=remedy, place=place))
        return False


def routines_of(procs: Iterable[Proc]) -> list[Routine]:
    """What the names in the rows of each PROC mean."""
    return [
        Routine(
            proc.name,
            dict(proc.own),
            _rows(proc),
            tuple(each.name for each in proc.parameters if not each.out),
            proc.place,
        )
        for proc in procs
    ]


def _rows(proc: Proc) -> frozenset[Place]:
    return frozenset(x.place.row for x in lexemes_of(proc.body))


def uncalled_procs(procs: Mapping[str, Proc], main: Body) -> list[Uncalled]:
    """The PROCs that the program does not reach, without those of the library."""
    called = _called_from(main, procs)
    return [
        Uncalled(
            proc.name,
            proc.place,
            tuple(parameter.name for parameter in proc.parameters),
            _rows(proc),
        )
        for name, proc in procs.items()
        if name not in called and not in_library(proc.place)
    ]


def _called_from(main: Body, procs: Mapping[str, Proc], more: Iterable[str] = ()) -> set[str]:
    """The PROCs that `main` calls, those in `more`, and all that these call in turn."""
    calls = _calls_of(procs)
    direct = [c.text for c in _calls(lexemes_of(main)) if c.text in procs]
    return _reached((*more, *direct), calls)


def _calls_of(procs: Mapping[str, Proc]) -> dict[str, list[Lexeme]]:
    """The calls of PROCs in each PROC."""
    return {
        name: [c for c in _calls(lexemes_of(proc.body)) if c.text in procs]
        for name, proc in procs.items()
    }


def _is_variable(value: Sequence[Lexeme]) -> bool:
    if value[0].kind is not Kind.NAME:
        return False
    return len(value) == 1 or (value[1].is_symbol("(") and _call_end(value, 1) == len(value))


def _call_end(lexemes: Sequence[Lexeme], index: int) -> int:
    """The index after the parentheses that begin at `index`; `index` itself if there are none."""
    if index >= len(lexemes) or not lexemes[index].is_symbol("("):
        return index
    return closed(lexemes, index) or len(lexemes)


def _calls(lexemes: Iterable[Lexeme]) -> Iterator[Lexeme]:
    """The names of the subprograms called."""
    before = None
    for lexeme in lexemes:
        if lexeme.kind is Kind.SUBPROGRAM and before is not None and before.is_word("CALL"):
            yield lexeme
        before = lexeme


def _reached(names: Iterable[str], calls: Mapping[str, Sequence[Lexeme]]) -> set[str]:
    """The PROCs reached by calls from these, themselves included."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        each = waiting.pop()
        if each not in reached:
            reached.add(each)
            waiting += [call.text for call in calls[each]]
    return reached


def refuse_uncalled(
    bodies: Sequence[Body], procs: Mapping[str, Proc], subs: Sequence[Body], report: Report
) -> None:
    """Report PROCs used as a statement or value, and CALLs of unknown names similar to a PROC.

    `bodies` are those of the main program and the PROCs, `subs` the subprograms.
    """
    if not procs:
        return
    # The profile of a source is not known here: lint and RUN tell of one that it does not have.
    later = {name for profile in PROFILES.values() for name in profile.subprograms}
    known = {name.text for body in subs for name in _names_of_subs(body)} | {*SUBPROGRAMS} | later
    arrays = {name for body in bodies for name in _arrays_set(body, procs)}
    for body in bodies:
        for statement in statements_of(body):
            _judge(statement.lexemes, procs, known, report)
        _values(list(lexemes_of(body)), {*procs} - arrays, report)


def _judge(
    lexemes: Sequence[Lexeme], procs: Mapping[str, Proc], known: Collection[str], report: Report
) -> None:
    """Report statements that begin with the name of a PROC, and calls of unknown ones."""
    for at in starts(lexemes):
        first, following = lexemes[at], lexemes[at + 1 : at + 2]
        assigns = following and following[0].is_symbol("=", ",", "(")
        if first.kind is Kind.NAME and first.text in procs and not assigns:
            report(_call_it(first))
        elif first.is_word("CALL") and following and following[0].text not in {*procs, *known}:
            word = near(following[0].text, [*procs, *known])
            if word in procs:
                problem = f"there is no subprogram {following[0].text}"
                remedy = did_you_mean(word, following[0].text)
                report(SourceError(problem, remedy=remedy, place=following[0].place))


def _values(lexemes: Sequence[Lexeme], procs: Collection[str], report: Report) -> None:
    """Report PROCs with parentheses, where neither array nor function has that name."""
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
    problem, remedy = f"{name.text} is a PROC", call_it(name.text)
    return SourceError(problem, remedy=remedy, place=name.place)


def _names_of_subs(body: Body) -> Iterator[Lexeme]:
    for before, lexeme in pairwise(lexemes_of(body)):
        if before.is_word("SUB") and lexeme.kind is Kind.SUBPROGRAM:
            yield lexeme


def _arrays_set(body: Body, procs: Mapping[str, Proc]) -> Iterator[str]:
    """Arrays to which a statement gives values or a size, and functions that DEF defines."""
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
    """The beginnings of the arguments that a CALL may assign to.

    A SUB of the source may assign to each of its arguments.
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
    """The kind of an argument, as `builtins` writes it."""
    if value and value[0].is_symbol("#"):
        return SPRITE
    return ALL if value and value[0].is_word("ALL") else VALUE
