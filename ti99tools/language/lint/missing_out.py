"""Parameters of PROCs that a program sets, as if they gave a value back: OUT is missing.

A SUB of Extended BASIC passes variables by reference, so that people expect it of a PROC, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ti99tools.base.errors import Place
from ti99tools.language.analysis.names import names_set
from ti99tools.language.findings import Edit, Finding, Severity
from ti99tools.language.listing.sourcemap import Routine
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

CODE = "missing-out"


Where = Callable[[int, int], Place]


def missing_out(
    findings: Iterable[Finding],
    parsed: Mapping[int, tuple[st.Statement, ...]],
    where: Where,
    routines: Sequence[Routine],
) -> list[Finding]:
    """The findings, with those about names that a PROC was to set told so.

    A call `CALL ASK(T)` of PROC ASK(V) is V=T and a GOSUB in the listing. If T is never set and the
    PROC sets V, then V was to be OUT; that nothing uses V is no finding of its own.
    """
    found = list(findings)
    owners = {name: each for each in routines for name in each.given}
    unset = {_subject(each) for each in found if each.code == "never-set"}
    if not owners or not unset:
        return found
    set_inside = set(_set_inside(parsed, where, owners))
    handed = {
        given: own for given, own in _handed(parsed, owners) if given in unset and own in set_inside
    }
    told = {f"nothing uses {own}" for own in handed.values()}
    return [
        _told(each, handed[_subject(each)], owners) if _is_about(each, handed) else each
        for each in found
        if each.message not in told
    ]


def _subject(finding: Finding) -> str:
    return finding.message.split(" ", 1)[0]


def _is_about(finding: Finding, handed: Mapping[str, str]) -> bool:
    return finding.code == "never-set" and _subject(finding) in handed


def _handed(
    parsed: Mapping[int, tuple[st.Statement, ...]], owners: Mapping[str, Routine]
) -> Iterator[tuple[str, str]]:
    """Variables of calls, each with the parameter that takes its value."""
    for statement in chain.from_iterable(map(every_statement, parsed.values())):
        if isinstance(statement, st.Let) and isinstance(statement.value, nodes.Variable):
            for target in statement.targets:
                if isinstance(target, nodes.Variable) and target.name in owners:
                    yield statement.value.name, target.name


def _set_inside(
    parsed: Mapping[int, tuple[st.Statement, ...]], where: Where, owners: Mapping[str, Routine]
) -> Iterator[str]:
    """The parameters that a statement of their PROC sets."""
    for number, statements in parsed.items():
        for statement in every_statement(statements):
            for name in names_set(statement, ()):
                place = where(number, statement.at)
                if name in owners and Place(place.file, place.line) in owners[name].rows:
                    yield name


def _told(finding: Finding, own: str, owners: Mapping[str, Routine]) -> Finding:
    routine = owners[own]
    name = next(each for each, made in routine.own.items() if made == own)
    return Finding(
        Severity.WARNING,
        CODE,
        finding.place,
        f"PROC {routine.name} sets {name}, and {_subject(finding)} does not get the value",
        f"write PROC {routine.name}({name} OUT) in {routine.place.file}:{routine.place.line}",
        finding.line,
        Edit(name, f"{name} OUT", place=routine.place),
    )
