"""Values of parameters that go no further than their PROC, or never come into it.

A SUB of Extended BASIC passes variables in and out. A PROC takes the values of its parameters, or
gives them back where they have OUT, and never both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ti99tools.base import tokens as tk
from ti99tools.base.errors import Where
from ti99tools.language.analysis.names import names_set, names_used
from ti99tools.language.findings import Finding, Severity
from ti99tools.language.lint.missing_out import CODE as MISSING_OUT
from ti99tools.language.listing.listing import scan
from ti99tools.language.listing.sourcemap import Routine
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

CODE = "proc-value"

Numbered = tuple[int, st.Statement]


def proc_values(
    lines: Mapping[int, bytes],
    parsed: st.Parsed,
    where: Where,
    routines: Sequence[Routine],
    known: Iterable[Finding],
) -> Iterator[Finding]:
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
                place = where(at[0], at[1].at)
                yield Finding(Severity.WARNING, CODE, place, problem, remedy, at[0])


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
