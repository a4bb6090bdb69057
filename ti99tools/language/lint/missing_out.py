"""Parameters of PROCs that a program sets, as if they gave a value back: OUT is missing.

A SUB of Extended BASIC passes variables by reference, so that people expect it of a PROC, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ti99tools.base.errors import Place, Where
from ti99tools.language.analysis.names import names_set
from ti99tools.language.findings import Edit, Finding, Severity
from ti99tools.language.listing.sourcemap import Routine
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

CODE = "missing-out"


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
        CODE,
        finding.place,
        f"PROC {routine.name} sets {name}, and {given} does not get the value",
        f"write PROC {routine.name}({name} OUT) in {routine.place.file}:{routine.place.line}",
        finding.line,
        Edit(name, f"{name} OUT", place=routine.place),
    )
