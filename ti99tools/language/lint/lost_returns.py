"""What a `::` in a line with IF does that nobody expects.

After a GOSUB before an ELSE, RETURN goes on after the next `::` of the line, in the part of ELSE.
After THEN and a line, `::` begins what is done if the condition does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ti99tools.base import tokens as t
from ti99tools.base.errors import Where
from ti99tools.language.findings import Finding, Severity, new_finding
from ti99tools.language.listing.listing import scan
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

CODE = "return-into-else"
_REMEDY = "put :: and a GOTO to the next line before ELSE, or the part of ELSE in a line of its own"


def lost_returns(lines: Mapping[int, bytes], parsed: st.Parsed, where: Where) -> Iterator[Finding]:
    """A warning for each GOSUB after which RETURN would come into the part of ELSE (recorded)."""
    for number, row in parsed.items():
        for statement in every_statement(row):
            gosub = isinstance(statement, st.OnGo) and statement.gosub
            if not (gosub or isinstance(statement, st.Gosub)):
                continue
            after = [element for element in scan(lines[number]) if element.start >= statement.at]
            ends = [x.token for x in after if x.token in (t.STATEMENT_SEP, t.ELSE)]
            if ends[:1] == [t.ELSE] and t.STATEMENT_SEP in ends:
                message = "RETURN goes on after the next ::, in the part of ELSE"
                place = where(number, statement.at)
                yield new_finding(Severity.WARNING, CODE, place, message, _REMEDY, number)


def other_ways(lines: Mapping[int, bytes], where: Where) -> Iterator[Finding]:
    """A warning for each THEN with a line that `::` follows (recorded)."""
    for number, tokens in lines.items():
        elements = scan(tokens)
        for then, line, after in zip(elements, elements[1:], elements[2:], strict=False):
            if (then.token, line.token, after.token) == (t.THEN, t.LINE_NUMBER, t.STATEMENT_SEP):
                message = "what comes after this :: is done if the condition does not hold"
                place = where(number, after.start)
                remedy = "write it on the next line, or above if it belongs to THEN"
                yield new_finding(Severity.WARNING, "other-way", place, message, remedy, number)
