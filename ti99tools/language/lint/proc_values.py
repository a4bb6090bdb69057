"""Values of parameters that go no further than their PROC, or never come into it.

A SUB of Extended BASIC passes variables in and out. A PROC takes the values of its parameters, or
gives them back where they have OUT, and never both. So people set a parameter and expect its value
in the variable of the call: OUT is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ti99tools.base import tokens as tk
from ti99tools.base.errors import Place, Where
from ti99tools.language.analysis.names import names_set, names_used
from ti99tools.language.findings import Edit, Finding, Noted, Severity
from ti99tools.language.listing.listing import scan
from ti99tools.language.listing.sourcemap import Routine
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

MISSING_OUT, PROC_VALUE = "missing-out", "proc-value"


def missing_out(
    findings: Iterable[Finding],
    parsed: st.Parsed,
    where: Where,
    routines: Sequence[Routine],
) -> list[Finding]:
    """The findings, with those about names that a PROC was to set told so.

    A call `CALL ASK(T)` of PROC ASK(V) is V=T and a GOSUB in the listing. If the PROC sets V, and T
    is never set or nothing uses V, then V was to be OUT. That nothing uses V is told as this.
    """
    all_findings = list(findings)
    owners = {name: each for each in routines for name in each.given}
    unset = {_subject(each) for each in all_findings if each.code == "never-set"}
    unused = {
        name for name in owners for each in all_findings if each.message == _UNUSED.format(name)
    }
    if not owners or not (unset or unused):
        return all_findings
    set_inside = set(_set_inside(parsed, where, owners))
    handed = {
        given: own
        for given, own in _handed(parsed, where, owners)
        if own in set_inside and (given in unset or own in unused)
    }
    # Of several variables that a parameter takes, one is told.
    reported = {_UNUSED.format(own): given for given, own in handed.items() if given not in unset}
    silent = {_UNUSED.format(own) for own in handed.values()} - {*reported}
    return [
        finding
        for each in all_findings
        if (finding := _in_own_words(each, handed, reported, owners)).message not in silent
    ]


_UNUSED = "nothing uses {}"


def _in_own_words(
    finding: Finding,
    handed: Mapping[str, str],
    reported: Mapping[str, str],
    owners: Mapping[str, Routine],
) -> Finding:
    """A finding, in the words of this module if it is about a variable in `handed`."""
    name = reported.get(finding.message, "")
    if not name and finding.code == "never-set":
        name = _subject(finding)
    return _about_out(finding, name, handed[name], owners) if name in handed else finding


def _subject(finding: Finding) -> str:
    return finding.message.split(" ", 1)[0]


def _handed(
    parsed: st.Parsed, where: Where, owners: Mapping[str, Routine]
) -> Iterator[tuple[str, str]]:
    """Variables of calls, each with the parameter that takes its value."""
    for number, statements in parsed.items():
        for statement in every_statement(statements):
            if isinstance(statement, st.Let) and isinstance(statement.value, nodes.Variable):
                for target in statement.targets:
                    own = isinstance(target, nodes.Variable) and target.name in owners
                    if own and not _is_within(where(number, statement.at), owners[target.name]):
                        yield statement.value.name, target.name


def _is_within(place: Place, routine: Routine) -> bool:
    return place.row in routine.rows


def _set_inside(parsed: st.Parsed, where: Where, owners: Mapping[str, Routine]) -> Iterator[str]:
    """The parameters that a statement of their PROC sets."""
    for number, statements in parsed.items():
        for statement in every_statement(statements):
            for name in names_set(statement, ()):
                if name in owners and _is_within(where(number, statement.at), owners[name]):
                    yield name


def _about_out(finding: Finding, given: str, own: str, owners: Mapping[str, Routine]) -> Finding:
    routine = owners[own]
    name = next(each for each, listed in routine.own.items() if listed == own)
    return Finding(
        Severity.WARNING,
        MISSING_OUT,
        finding.place,
        f"PROC {routine.name} sets {name}, and {given} does not get the value",
        f"write PROC {routine.name}({name} OUT) in {routine.place.file}:{routine.place.line}",
        finding.line,
        Edit(name, f"{name} OUT", place=routine.place),
    )


Numbered = tuple[int, st.Statement]


def proc_values(
    lines: Mapping[int, bytes],
    parsed: st.Parsed,
    where: Where,
    routines: Sequence[Routine],
    known: Iterable[Finding],
) -> Iterator[Noted]:
    """A parameter with OUT that is used before the PROC sets it; one without, set at its end.

    Nothing is said of a parameter whose missing OUT is `known`.
    """
    messages = [each.message for each in known if each.code == MISSING_OUT]
    if not routines:
        return
    every = [(number, each) for number, row in parsed.items() for each in every_statement(row)]
    rows = {id(each): where(number, each.at).row for number, each in every}
    for routine in routines:
        inside = [one for one in every if rows[id(one[1])] in routine.rows]
        outside = [each for _, each in every if rows[id(each)] not in routine.rows]
        for name, own in routine.own.items():
            at: Numbered | None = None
            if own not in routine.given:
                if any(own in names_used(each) for each in outside):
                    at, text = _used_first(inside, own), _COMES_IN
            elif any(_hands(each, own) for each in outside):
                at, text = _set_last(lines, inside, own), _GOES_OUT
            begins = f"PROC {routine.name} sets {name}, "
            if at is not None and not any(each.startswith(begins) for each in messages):
                problem, remedy = (part.format(name, routine.name) for part in text)
                yield Noted(PROC_VALUE, at[0], at[1].at, problem, remedy)


_COMES_IN = (
    "{0} brings no value into PROC {1}: a parameter with OUT only gives one back",
    "use the variable of the program itself, or take its value by another parameter",
)
_GOES_OUT = (
    "the value that {0} gets goes no further than PROC {1}",
    "set the variable of the program itself, or give the value back by another parameter with OUT",
)


def _hands(statement: st.Statement, own: str) -> bool:
    """Tell whether a call gives the parameter the value of a variable."""
    return (
        isinstance(statement, st.Let)
        and isinstance(statement.value, nodes.Variable)
        and any(target.name == own for target in statement.targets)
    )


def _used_first(inside: Sequence[Numbered], own: str) -> Numbered | None:
    """The statement that uses a name and comes before all that set it."""
    for number, statement in inside:
        sets = own in names_set(statement, ())
        if own in names_used(statement) and (isinstance(statement, st.Let) or not sets):
            return number, statement
        if sets:
            return None
    return None


def _set_last(lines: Mapping[int, bytes], inside: Sequence[Numbered], own: str) -> Numbered | None:
    """The last statement with a name, if it sets it and nothing leads back from there."""
    named = [
        (number, each)
        for number, each in inside
        if own in names_set(each, ()) or own in names_used(each)
    ]
    if not named or not isinstance(named[-1][1], st.Let) or own not in names_set(named[-1][1], ()):
        return None
    first, last = inside[0][0], named[-1][0]
    for number in {number for number, _ in inside if number >= last}:
        for element in scan(lines[number]):
            if element.token == tk.NEXT:
                return None
            if element.token == tk.LINE_NUMBER and first <= element.line_number <= last:
                return None
    return named[-1]
